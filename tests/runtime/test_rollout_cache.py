"""`plan` foresees what the real manager does, and converted dumps are to it what they were to the old runtimes."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from skipcfg.app import run as skipcfg

from skip_config.legacy import LegacySkip
from skip_config.releases import Role
from skip_config.rollout_cache.commands import commands_in
from skip_config.rollout_cache.plan import PlannedStep, plan
from skip_config.rollout_cache.run import RefusedError, Run, read
from skip_config.rollout_cache.state import read_state
from skip_config.source import Source
from tests.runtime.drawn_dumps import OFFSET, Case, draw_case, lay_out
from tests.runtime.real import NEWEST, Runtime
from tests.settings import old_yaml

pytestmark = pytest.mark.runtime

CASES = 1200


class Foreseen:
    """What we say about one case: the settings, and each step."""

    def __init__(self, case: Case, random: Random, batches: Path) -> None:
        self.case = case
        self.run: Run | None = None
        self.numbers: dict[str, int] = {}
        self.steps: list[PlannedStep] = []
        [command] = commands_in(Source(case.text, "config.yaml"))
        try:
            self.run = read(command.config, case.role)
        except RefusedError:
            return
        run = self.run
        self.numbers = lay_out(random, run.directory, case.role, run.parts, batches)
        self.steps = plan(run, read_state(run.directory, case.role, run.parts), case.steps)

    def disagreement(self, answer: dict[str, object]) -> str | None:
        if self.run is None or "refused" in answer:
            return None if self.run is None and "refused" in answer else f"{answer.get('refused')}"
        if answer["directory"] != str(self.run.directory):
            return f"directory {answer['directory']}, foreseen {self.run.directory}"
        real = answer["steps"]
        assert isinstance(real, list)
        for one, did in zip(self.steps, real, strict=True):
            if did != (expected := self.expected(one)) and not (one.stops and "stopped" in did):
                return f"step {one.step}: {did}, foreseen {expected} ({one})"
        return None

    def expected(self, one: PlannedStep) -> dict[str, object]:
        if self.case.role == "rollout_tq":
            if one.outcome == "load":
                return {"source": one.from_step}
            return {"source": None} if one.outcome == "generate" else {"source": None, "saved": True}
        if one.stops:
            return {"stopped": one.trouble}
        if one.outcome != "load":
            return {"number": OFFSET + one.step}
        return {"number": OFFSET + one.from_step if one.new else self.numbers[str(one.from_step)]}  # type: ignore[operator]


def test_the_plan_is_what_the_manager_does(real: Callable[[str], Runtime], tmp_path: Path) -> None:
    """Drawn configs and directory states, step by step."""
    batches = tmp_path / "batches"
    batches.mkdir()
    runtime = real(NEWEST)
    runtime.ask({"ask": "write_batches", "directory": str(batches), "numbers": list(range(1, 13))})
    foreseen = []
    for seed in range(CASES):
        random = Random(seed)
        home = tmp_path / str(seed)
        (home / "x").mkdir(parents=True)
        (home / "link").symlink_to("dumps")
        foreseen.append(Foreseen(draw_case(random, home), random, batches))
    answers = runtime.ask_all(
        [
            {
                "ask": "follow",
                "config": one.case.text,
                "role": one.case.role,
                "steps": one.case.steps,
                "offset": OFFSET,
            }
            for one in foreseen
        ]
    )
    wrong = [
        f"seed {seed}, {one.case.role}: {problem}"
        for seed, (one, answer) in enumerate(zip(foreseen, answers, strict=True))
        if (problem := one.disagreement(answer))
    ]
    assert not wrong, "\n".join(wrong[:5])
    seen = Counter((one.case.role, step.outcome, step.stops) for one in foreseen for step in one.steps)
    assert len(seen) > 12, seen
    assert sum(one.run is not None for one in foreseen) > 500
    shutil.rmtree(tmp_path, ignore_errors=True)


OLD = {"flat": "0.7.1", "nested": "0.8.0"}

CONVERTED = {
    "flat": (LegacySkip("flat", True, "@DIRECTORY@"), 4),
    "cache of three": (LegacySkip("nested", True, "@DIRECTORY@", 3, "cache"), 6),
    "cache beyond the end": (LegacySkip("nested", True, "@DIRECTORY@", 9, "cache"), 4),
    "repeat of one": (LegacySkip("nested", True, "@DIRECTORY@", 1, "repeat"), 5),
    "round of two": (LegacySkip("nested", True, "@DIRECTORY@", 2, "repeat"), 7),
    "round of three": (LegacySkip("nested", True, "@DIRECTORY@", 3, "repeat"), 9),
    "round that never closes": (LegacySkip("nested", True, "@DIRECTORY@", 5, "repeat"), 5),
    "repeat of the last": (LegacySkip("nested", True, "@DIRECTORY@", 3, "repeat_last"), 7),
}


@pytest.mark.parametrize("role", ["rollout", "async_rollout"])
@pytest.mark.parametrize("copy", [False, True], ids=["hard links", "copies"])
@pytest.mark.parametrize("case", CONVERTED)
def test_converted_dumps_are_the_old_batches(
    real: Callable[[str], Runtime],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    case: str,
    copy: bool,
    role: Role,
) -> None:
    """A rerun of the old release and a run of verl 0.9.1 on the converted dumps get the same batches."""
    old, total_steps = CONVERTED[case]
    text = old_yaml(old)
    if role == "async_rollout":
        text += "async_training:\n  trigger_parameter_sync_step: 1\n"
    directory = tmp_path / "dumps"
    question = {
        "ask": "run_in",
        "config": text,
        "directory": str(directory),
        "total_steps": total_steps,
        "role": role,
    }
    release = real(OLD[old.generation])
    release.ask({**question, "offset": 0})
    rerun = release.ask({**question, "offset": OFFSET})
    config = tmp_path / "old.yaml"
    config.write_text(text.replace("@DIRECTORY@", str(directory)))
    arguments = ["cache", "convert", str(config), "--total-steps", str(total_steps), "--format", "json"]
    assert skipcfg([*arguments, *(["--copy"] if copy else [])]) == 0
    report = json.loads(capsys.readouterr().out)
    new = {
        "skip": {role: report["settings"]},
        "actor_rollout_ref": {"rollout": {"n": 1}},
        "data": {"train_batch_size": 1},
        "trainer": {"nnodes": 1, "v1": {"trainer_mode": "sync"}},
    }
    now = real(NEWEST).ask({**question, "config": json.dumps(new), "offset": OFFSET})
    assert now == rerun
