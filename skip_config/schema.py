"""Structured configs of the `skip` block, as verl 0.9 defines them.

Fields, their order, their defaults and what `__post_init__` refuses follow `verl/utils/skip/config.py`
and `verl/base_config.py` of verl 0.9.0 and 0.9.1 (the two are identical).
"""

from dataclasses import dataclass, field
from enum import Enum

from skip_config.releases import DEFAULT_DUMP_DIR, SUPPORTED_ACTIONS, Role

__all__ = [
    "AsyncRolloutSkipConfig",
    "RolloutSkipConfig",
    "RolloutTqSkipConfig",
    "SkipAction",
    "SkipManagerConfig",
]


class SkipAction(Enum):
    """Actions that verl 0.9 names. Only `CACHE` and `REPEAT` pass its checks."""

    CACHE = "cache"
    REPEAT = "repeat"
    RANDOM = "random"
    EMPTY = "empty"


def _problems(enable: object, dump_dir: object, steps: object, action: object) -> list[str]:
    problems = []
    if not isinstance(enable, bool):
        problems.append(f"enable must be a bool, got {enable!r}")
    if not isinstance(dump_dir, str):
        problems.append(f"dump_dir must be a str, got {dump_dir!r}")
    if not isinstance(steps, list):
        problems.append(f"steps must be a list of int, got {steps!r}")
    else:
        wrong = [step for step in steps if not isinstance(step, int)]
        if wrong:
            problems.append(f"steps must hold only int, got {', '.join(repr(step) for step in wrong)}")
    if not (isinstance(action, str) and action in SUPPORTED_ACTIONS):
        problems.append(f"action must be {' or '.join(SUPPORTED_ACTIONS)}, got {action!r}")
    return problems


_FIELDS = """
    Args:
        _target_: Any text; the runtime ignores it.
        enable: Whether saved rollouts are written and reused.
        dump_dir: Directory of the saved rollouts; `~` is expanded, a relative path is resolved
            against the working directory of the process.
        steps: The steps at which this role acts.
        action: `cache` reuses the dump of the same step, `repeat` also the nearest other one.

    Raises:
        ValueError: At construction, exactly when verl 0.9's class would raise; the message names
            every field that is wrong, its value and what is allowed.
    """


@dataclass
class _RoleConfig:
    """Fields and checks that the three roles share."""

    _target_: str = ""
    enable: bool = False
    dump_dir: str = DEFAULT_DUMP_DIR
    steps: list[int] = field(default_factory=list)
    action: str = SkipAction.CACHE.value

    def __post_init__(self) -> None:
        problems = _problems(self.enable, self.dump_dir, self.steps, self.action)
        if problems:
            raise ValueError(f"{type(self).__name__}: {'; '.join(problems)}")


# Three classes side by side, not one below the other: OmegaConf lets a subclass stand for its base,
# and verl's roles do not stand for each other.


@dataclass
class RolloutSkipConfig(_RoleConfig):
    __doc__ = f"""`skip.rollout`: the V0 trainer (`trainer.use_v1=False`), steps are its global steps.
    {_FIELDS}"""


@dataclass
class AsyncRolloutSkipConfig(_RoleConfig):
    __doc__ = f"""`skip.async_rollout`: the fully asynchronous trainer, steps are the order of the prompts.
    {_FIELDS}"""


@dataclass
class RolloutTqSkipConfig(_RoleConfig):
    __doc__ = f"""`skip.rollout_tq`: the V1 trainer (verl 0.9's default), steps are its global steps.
    {_FIELDS}"""


@dataclass
class SkipManagerConfig:
    """The whole `skip` block: one entry per role, all three off by default.

    Args:
        _target_: Any text; the runtime ignores it. verl's YAML has `verl.utils.skip.SkipManagerConfig`.
        rollout: Settings of the V0 trainer.
        async_rollout: Settings of the fully asynchronous trainer.
        rollout_tq: Settings of the V1 trainer.
    """

    _target_: str = ""
    rollout: RolloutSkipConfig = field(default_factory=RolloutSkipConfig)
    async_rollout: AsyncRolloutSkipConfig = field(default_factory=AsyncRolloutSkipConfig)
    rollout_tq: RolloutTqSkipConfig = field(default_factory=RolloutTqSkipConfig)


def roles() -> dict[Role, type[RolloutSkipConfig] | type[RolloutTqSkipConfig] | type[AsyncRolloutSkipConfig]]:
    """The class of each role, in the order of verl's own YAML files."""
    return {"rollout": RolloutSkipConfig, "rollout_tq": RolloutTqSkipConfig, "async_rollout": AsyncRolloutSkipConfig}
