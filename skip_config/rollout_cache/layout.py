"""Where each verl generation keeps its dumps: names of directories and files, and what they are made up of.

Read from `verl/utils/rollout_skip.py` of verl 0.7.1 (`flat`) and 0.8.0 (`nested`) and from
`verl/utils/skip/rollout_skip.py` of verl 0.9.1 (`manager`; 0.9.0 is identical). Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from skip_config import releases
from skip_config.releases import Role

GEN_BATCH: Final = "gen_batch.dp"
"""What rollout produced, pickled: in `nested`, and in `manager` for `rollout` and `async_rollout`."""
NEW_BATCH: Final = "new_batch.dp"
"""The prompts that belong to it (`nested` only)."""
TQ_BATCH: Final = "tq_batch.pt"
"""What rollout produced, as `torch.save` writes it (`manager`, role `rollout_tq`)."""
META: Final = "meta.json"
STEP_RECORD: Final = "train_step__gen_step.txt"
"""Lines `train gen` beside the steps (`nested` only)."""

DATA_FILE: Final[MappingProxyType[Role, str]] = MappingProxyType(
    {"rollout": GEN_BATCH, "rollout_tq": TQ_BATCH, "async_rollout": GEN_BATCH}
)
"""The file of a step, by the role that reads it."""

EXPERIMENT_NAME: Final = ("trainer", "experiment_name")
PROJECT_NAME: Final = ("trainer", "project_name")
ROLLOUT_N: Final = (*releases.ROLLOUT_PLACE, "n")
PROMPT_LENGTH: Final = ("data", "max_prompt_length")
RESPONSE_LENGTH: Final = ("data", "max_response_length")
SYNC_STEP: Final = "parameter_sync_step"
FILTER_ENABLE: Final = (*releases.FILTER_GROUPS, "enable")
REFILL: Final = (*releases.SAMPLER, "sync_refill_failed_groups")

NO_EXPERIMENT: Final = "default_experiment_name"
NO_PROJECT: Final = "default_project_name"

RAY_SESSIONS: Final = "/tmp/ray/session"
"""Beginning of the directories that Ray clears away."""


class Part(NamedTuple):
    """One part of a directory's name.

    Args:
        text: As it stands in the name.
        key: The setting that it comes from, or what else decides it.
        value: The value of that setting.
    """

    text: str
    key: str
    value: object


@dataclass(frozen=True, slots=True)
class Naming:
    """What the name of a dump directory is made up of; shared by `nested` and `manager`.

    Args:
        experiment, project: Names of the run.
        batch_size: Prompts per generation, `GBS` in the name.
        n: Answers per prompt.
        prompt, response: Greatest lengths in tokens; the runtime takes them as they are.
    """

    experiment: Part
    project: Part
    batch_size: Part
    n: Part
    prompt: Part
    response: Part

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts, in the order of the name."""
        return (self.experiment, self.project, self.batch_size, self.n, self.prompt, self.response)

    @property
    def run(self) -> str:
        """`{experiment}_{project}`: one level, unless a name holds a slash."""
        return f"{self.experiment.text}_{self.project.text}"

    @property
    def parameters(self) -> str:
        """`GBS{gbs}_N{n}_in{prompt}_out{response}`."""
        return f"{self.batch_size.text}_{self.n.text}_{self.prompt.text}_{self.response.text}"

    def below(self, dump_dir: Path) -> Path:
        """The directory of the steps. An absolute or climbing name leaves `dump_dir`, as it does in verl."""
        return dump_dir.joinpath(f"{self.run}/{self.parameters}").absolute()


def naming(
    experiment: object,
    project: object,
    batch_size: tuple[str, int],
    n: int,
    prompt: object,
    response: object,
) -> Naming:
    """Name the parts. `batch_size` comes with the setting that decides it."""
    dotted = releases.dotted
    return Naming(
        Part(str(experiment), dotted(EXPERIMENT_NAME), experiment),
        Part(str(project), dotted(PROJECT_NAME), project),
        Part(f"GBS{batch_size[1]}", batch_size[0], batch_size[1]),
        Part(f"N{n}", dotted(ROLLOUT_N), n),
        Part(f"in{prompt}", dotted(PROMPT_LENGTH), prompt),
        Part(f"out{response}", dotted(RESPONSE_LENGTH), response),
    )


_PARAMETERS: Final = re.compile(r"(GBS-?\d+)_(N-?\d+)_(in[^_]*)_(out.*)", re.ASCII | re.DOTALL)
_FLAT: Final = re.compile(r"(.*)_(GBS-?\d+)__(N-?\d+)", re.ASCII | re.DOTALL)
_NESTED_STEP: Final = re.compile(r"genstep_(-?\d{6,})", re.ASCII)


def parameters_of(name: str) -> tuple[str, str, str, str] | None:
    """The four parts of a directory's name, or None when it is not one that verl makes."""
    match = _PARAMETERS.fullmatch(name)
    return (match[1], match[2], match[3], match[4]) if match else None


def flat_file(dump_dir: Path, experiment: object, project: object, batch_size: int, n: int) -> Path:
    """The one file of `flat`."""
    return dump_dir.joinpath(f"{experiment}_{project}_GBS{batch_size}__N{n}").absolute()


def flat_parts(name: str) -> tuple[str, str, str] | None:
    """Names of the run, `GBS…` and `N…` of a file of `flat`, or None when it is not one."""
    match = _FLAT.fullmatch(name)
    return (match[1], match[2], match[3]) if match else None


def nested_step(name: str) -> int | None:
    """The step of a directory of `nested`, or None when it is not one."""
    match = _NESTED_STEP.fullmatch(name)
    return int(match[1]) if match else None


def nested_name(step: int) -> str:
    """The directory of a step in `nested`."""
    return f"genstep_{step:06d}"


def counted_step(name: str) -> int | None:
    """The step that verl 0.9 takes a directory for: whatever Python's `int` reads, `007` and `1_0` too."""
    try:
        return int(name)
    except ValueError:
        return None


Kind = Literal["flat", "nested", "manager"]
