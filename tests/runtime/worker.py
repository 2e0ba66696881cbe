"""Runs inside the environment with torch: lets the real runtime of one verl release act, line by line.

One JSON object per line comes in, one goes out. The release is the one that `PYTHONPATH` puts first.
This file must not import skipcfg: it has to say what verl does, not what we think.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import tempfile
import textwrap
import types
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import OmegaConf, open_dict
from verl.protocol import DataProto

HAS_MANAGER = find_spec("verl.utils.skip") is not None


def batch_of(number: int) -> DataProto:
    """A batch that carries the number of the step that generated it."""
    return DataProto.from_single_dict({"number": torch.tensor([number])})


def number_of(batch: DataProto) -> int:
    return int(batch.batch["number"][0])


class Generator:
    """Stands for the rollout worker group: every call generates the next batch."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.step = 0

    def fresh(self) -> DataProto:
        return batch_of(self.offset + self.step)


class OldRuntime:
    """The wrapper of verl up to 0.8, put on as its trainers do."""

    def __init__(self, config: Any) -> None:
        self.config = config
        self.rollout = config.actor_rollout_ref.rollout
        self.nested = "skip" in self.rollout

    def is_on(self) -> bool:
        # `ray_trainer.py`: 0.8 asks `rollout.skip.get("enable", False)`, 0.7 `rollout.get("skip_rollout", False)`.
        return bool(self.rollout.skip.get("enable", False) if self.nested else self.rollout.get("skip_rollout", False))

    def run(self, total_steps: int, offset: int) -> Iterator[int]:
        from verl.utils.rollout_skip import RolloutSkip

        generator = Generator(offset)
        workers = types.SimpleNamespace(generate_sequences=lambda batch: generator.fresh())
        if self.is_on():
            RolloutSkip(self.config, workers).wrap_generate_sequences()
        for step in range(1, total_steps + 1):
            generator.step = step
            yield number_of(workers.generate_sequences(batch_of(-1)))

    def directory(self) -> Path | None:
        from verl.utils.rollout_skip import RolloutSkip

        if not self.is_on():
            return None
        skip = RolloutSkip(self.config, object())
        return skip.specify_dumped_dir if self.nested else skip.curr_path_dump

    def dumps(self) -> dict[int, int]:
        place = self.directory()
        if place is None or not place.exists():
            return {}
        if not self.nested:
            return {0: number_of(DataProto.load_from_disk(place))}
        found = place.glob("genstep_*/gen_batch.dp")
        return {int(path.parent.name.split("_")[1]): number_of(DataProto.load_from_disk(path)) for path in found}

    def put(self, dumps: dict[int, int]) -> None:
        place = self.directory()
        if place is None:
            return
        for step, number in dumps.items():
            if not self.nested:
                batch_of(number).save_to_disk(place)
                continue
            step_dir = place / f"genstep_{step:06d}"
            step_dir.mkdir(parents=True)
            batch_of(-1).save_to_disk(step_dir / "new_batch.dp")
            batch_of(number).save_to_disk(step_dir / "gen_batch.dp")


class NewRuntime:
    """The manager of verl 0.9, called as its trainers call it in the given role."""

    def __init__(self, config: Any, role: str) -> None:
        from verl.utils.skip import SkipManager

        self.config = config
        self.role = role
        self.manager = SkipManager

    def run(self, total_steps: int, offset: int) -> Iterator[int]:
        self.manager.init(self.config)
        trainer = TRAINERS[self.role](Generator(offset))
        for step in range(1, total_steps + 1):
            self.manager.set_step(step)
            trainer.generator.step = step
            yield trainer.train_step(step)

    def instance(self) -> Any:
        self.manager.init(self.config)
        return self.manager.skip_instances[self.role]

    def dumps(self) -> dict[int, int]:
        place = self.instance()._get_project_dump_dir()
        if self.role == "rollout_tq":
            found = {
                int(path.parts[-3]): torch.load(path, weights_only=False) for path in place.glob("*/0/tq_batch.pt")
            }
            return {step: int(payload["keys"][0].split("_")[2]) for step, payload in found.items()}
        return {
            int(path.parent.name): number_of(DataProto.load_from_disk(path)) for path in place.glob("*/gen_batch.dp")
        }

    def put(self, dumps: dict[int, int]) -> None:
        instance = self.instance()
        for step, number in dumps.items():
            if self.role == "rollout_tq":
                batch = QUEUE.put_numbered(number)
                instance.prepare_data(step=step, batch=batch, global_steps=step)
            else:
                instance.prepare_data(step, batch_of(number))


class DecoratedTrainer:
    """`rollout` and `async_rollout`: the manager wraps the call that generates."""

    def __init__(self, generator: Generator, role: str) -> None:
        from verl.utils.skip import SkipManager

        @SkipManager.annotate(role=role)
        async def generate(this: Any, prompts: DataProto) -> DataProto:
            return generator.fresh()

        self.generator = generator
        self.generate = generate

    def train_step(self, step: int) -> int:
        prompts = batch_of(-1)
        prompts.non_tensor_batch["uid"] = np.array([f"uid_sample_0_{step}"], dtype=object)
        return number_of(asyncio.run(self.generate(self, prompts)))


class Queue:
    """Stands for the transfer queue, which otherwise needs a Ray cluster."""

    def __init__(self) -> None:
        self.fields: dict[str, int] = {}

    def kv_batch_get(self, keys: list[str], partition_id: str) -> dict[str, list[int]]:
        return {"number": [self.fields[key] for key in keys]}

    def kv_batch_put(self, keys: list[str], partition_id: str, tags: Any, fields: Any = None) -> None:
        if fields is not None:
            self.fields.update(zip(keys, fields["number"], strict=True))

    def put_numbered(self, number: int) -> Any:
        """A sampled batch of one trajectory; its key ends in the number, so that a dump shows it."""
        key = f"uid_0_{number}"
        self.fields[key] = number
        return types.SimpleNamespace(keys=[key], tags=[{}], partition_id="train")


QUEUE = Queue()


class QueueTrainer:
    """`rollout_tq`: the manager wraps the submission of prompts and the sampling of trajectories."""

    def __init__(self, generator: Generator) -> None:
        from verl.utils.skip import SkipManager

        sys.modules["transfer_queue"] = QUEUE  # type: ignore[assignment]
        import verl.utils.tensordict_utils as tensors

        tensors.index_select_tensor_dict = lambda data, indices: {"number": [data["number"][i] for i in indices]}

        self.generator = generator
        self.injected = True
        outer = self

        class Trainer:
            def _next_train_batch(self) -> dict[str, list[str]]:
                return {"uid": ["uid"]}

            def _submit_batch_to_rollout(self, batch: Any) -> None:
                outer.injected = False

            @SkipManager.annotate_tq(role="rollout_tq", phase="submit")
            def _add_batch_to_generate(self) -> None:
                self._submit_batch_to_rollout(self._next_train_batch())

        class ReplayBuffer:
            @SkipManager.annotate_tq(role="rollout_tq", phase="sample")
            def sample(self) -> tuple[Any, dict[str, float]]:
                if outer.injected:  # under the key that the manager gave it
                    return types.SimpleNamespace(keys=["uid_0_0"], tags=[{}], partition_id="train"), {}
                return QUEUE.put_numbered(outer.generator.offset + outer.generator.step), {}

        self.trainer, self.buffer = Trainer(), ReplayBuffer()

    def train_step(self, step: int) -> int:
        self.injected = True
        self.trainer._add_batch_to_generate()
        batch, _ = self.buffer.sample()
        return QUEUE.fields[batch.keys[0]]


TRAINERS = {
    "rollout": lambda generator: DecoratedTrainer(generator, "rollout"),
    "async_rollout": lambda generator: DecoratedTrainer(generator, "async_rollout"),
    "rollout_tq": QueueTrainer,
}


def read(text: str, directory: str) -> Any:
    return OmegaConf.create(text.replace("@DIRECTORY@", directory))


def two_runs(question: dict[str, Any]) -> dict[str, Any]:
    """A first run on the given dumps and a rerun on what it left; `refused` when the runtime stops."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            config = read(question["config"], directory)
            runtime = NewRuntime(config, question["role"]) if HAS_MANAGER else OldRuntime(config)
            runtime.put({int(place): number for place, number in question["dumps"].items()})
            runs, left = [], []
            for offset in question["offsets"]:
                runs.append(list(runtime.run(question["total_steps"], offset)))
                left.append(sorted(runtime.dumps().items()))
        except Exception as error:  # whatever stops the training run is the answer
            return {"refused": f"{type(error).__name__}: {error}"}
    return {"runs": runs, "dumps": left}


def accept(question: dict[str, Any]) -> dict[str, Any]:
    """What the manager makes of a config when it starts."""
    from verl.utils.skip import SkipManager

    try:
        config = read(question["config"], "/nowhere")
        OmegaConf.resolve(config)  # as every entry point of verl 0.9 does before anything else
        SkipManager.init(config)
    except Exception as error:  # whatever stops the training run is the answer
        return {"refused": f"{type(error).__name__}: {error}"}
    return {
        "accepted": {
            role: {"enable": skip.enable, "dump_dir": skip.dump_dir, "steps": skip.steps, "action": skip.action.value}
            for role, skip in SkipManager.skip_instances.items()
        }
    }


def compose(question: dict[str, Any]) -> dict[str, Any]:
    """Compose a config file with Hydra, then start the manager with it."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from verl.utils.skip import SkipManager

    try:
        with initialize_config_dir(question["directory"], version_base=None):
            config = hydra_compose(question["name"], overrides=question["overrides"])
        OmegaConf.resolve(config)
        SkipManager.init(config)
    except Exception as error:  # whatever stops the training run is the answer
        return {"refused": f"{type(error).__name__}: {error}"}
    return {
        "accepted": {
            role: {"enable": skip.enable, "dump_dir": skip.dump_dir, "steps": skip.steps, "action": skip.action.value}
            for role, skip in SkipManager.skip_instances.items()
        }
    }


def run_in(question: dict[str, Any]) -> dict[str, Any]:
    """One run in a directory that stays: the batch that the trainer got at each step."""
    try:
        config = read(question["config"], question["directory"])
        runtime = NewRuntime(config, question["role"]) if HAS_MANAGER else OldRuntime(config)
        return {"batches": list(runtime.run(question["total_steps"], question["offset"]))}
    except Exception as error:  # whatever stops the training run is the answer
        return {"refused": f"{type(error).__name__}: {error}"}


def write_batches(question: dict[str, Any]) -> dict[str, Any]:
    """Files as the runtime dumps them, one per number, for tests to lay out."""
    for number in question["numbers"]:
        batch_of(number).save_to_disk(Path(question["directory"]) / str(number))
    return {}


def force_gen_batch_size(config: Any) -> None:
    """What the V1 trainer does to `data.gen_batch_size` before it starts the manager: its own lines, run here."""
    text = Path(str(find_spec("verl").origin)).with_name("trainer") / "ppo" / "v1" / "trainer_base.py"
    lines = text.read_text().splitlines()
    middle = next(i for i, line in enumerate(lines) if line.strip().startswith("requires_exact_refill = "))
    start = max(i for i in range(middle) if lines[i].strip().startswith("filter_groups = self.config.algorithm"))
    stop = next(i for i, line in enumerate(lines) if line.strip() == "self.config.data.gen_batch_size = 1")
    trainer = types.SimpleNamespace(config=config, trainer_mode=config.trainer.v1.trainer_mode)
    names = {"self": trainer, "logger": logging.getLogger("worker"), "open_dict": open_dict}
    exec(textwrap.dedent("\n".join(lines[start : stop + 1])), names)


def follow(question: dict[str, Any]) -> dict[str, Any]:
    """Let the manager go through steps in a directory that is laid out already; what it did at each.

    A step that stops the run is noted, and the next one comes up all the same.
    """
    role = question["role"]
    try:
        config = OmegaConf.create(question["config"])
        if role == "rollout_tq":
            force_gen_batch_size(config)
        runtime = NewRuntime(config, role)
        instance = runtime.instance()
    except Exception as error:  # whatever stops the training run is the answer
        return {"refused": f"{type(error).__name__}: {error}"}
    steps = []
    trainer = None if role == "rollout_tq" else TRAINERS[role](Generator(question["offset"]))
    for step in question["steps"]:
        runtime.manager.set_step(step)
        try:
            if trainer is None:
                steps.append(queue_step(instance, step))
            else:
                trainer.generator.step = step
                steps.append({"number": trainer.train_step(step)})
        except Exception as error:  # whatever stops the training run is the answer
            steps.append({"stopped": f"{type(error).__name__}: {error}"})
    return {"directory": str(instance._get_project_dump_dir()), "steps": steps}


def queue_step(instance: Any, step: int) -> dict[str, Any]:
    """One step of `rollout_tq`: the class's own answer, then what it saves of as many samples as there are parts."""
    sys.modules["transfer_queue"] = QUEUE  # type: ignore[assignment]
    if not instance.is_enabled() or step not in instance.steps:
        return {"source": None}
    source = instance._resolve_load_step_v1(step)
    if source != -1:
        return {"source": source}
    for _ in range(instance.parameter_sync_step):
        if instance.should_save(step):
            instance.prepare_data(step=step, batch=QUEUE.put_numbered(step), global_steps=step)
    return {"source": None, "saved": instance._check_valid_v1_step(step)}


def zero_padded(question: dict[str, Any]) -> dict[str, Any]:
    """A dump in a directory called `007`: what `repeat` lists, and what happens when it loads it."""
    text = (
        "skip: {rollout: {enable: true, dump_dir: @DIRECTORY@, steps: [1], action: repeat}}\n"
        "actor_rollout_ref: {rollout: {n: 1}}\ndata: {train_batch_size: 1}\ntrainer: {v1: {trainer_mode: sync}}\n"
    )
    with tempfile.TemporaryDirectory() as directory:
        runtime = NewRuntime(read(text, directory), "rollout")
        runtime.put({7: 507})
        project = runtime.instance()._get_project_dump_dir()
        (project / "7").rename(project / "007")
        listed = runtime.instance()._get_available_steps()
        try:
            list(runtime.run(1, 0))
        except Exception as error:  # whatever stops the training run is the answer
            return {"listed": listed, "stopped": type(error).__name__}
    return {"listed": listed, "stopped": None}


QUESTIONS = {"two_runs": two_runs, "accept": accept, "compose": compose, "run_in": run_in, "follow": follow}
QUESTIONS |= {"write_batches": write_batches, "zero_padded": zero_padded}


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr  # the runtimes print at every step
    for line in sys.stdin:
        question = json.loads(line)
        answers.write(json.dumps(QUESTIONS[question.pop("ask")](question)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
