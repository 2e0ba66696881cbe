"""A small model of verl's three rollout-skip runtimes: whose batch the trainer gets at each step.

Pure: settings, T and the dumps that exist go in; per step, the batch and what is saved come out. The
model follows `verl/utils/rollout_skip.py` of verl 0.7.1 (`flat`) and 0.8.0 (`nested`) and
`verl/utils/skip` of verl 0.9.1 (`manager`); `pytest -m runtime` compares it with those very classes.

A *batch* is known by the number of the step that generated it. In a rerun that number is raised by
`RERUN`, so that what was loaded and what was generated anew can be told apart.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.releases import FLAT, MANAGER, NESTED
from skip_config.translate import KEPT, NewSkip, Steps, Through

RERUN: Final = 1000
"""Added to the number of a batch that the rerun generates."""

ONE_FILE: Final = 0
"""Where `flat` keeps its only dump; the other generations keep one per step."""

NOT_FOUND: Final = -1
"""What the manager's search for the nearest dump returns for none."""

Dumps = Mapping[int, int]
"""Place of a dump (a step, or `ONE_FILE`) -> number of the batch in it."""

NO_DUMPS: Final[Dumps] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Off:
    """Every batch is generated, nothing is saved."""


@dataclass(frozen=True, slots=True)
class OneFile:
    """`flat`: one dump for all steps."""


@dataclass(frozen=True, slots=True)
class Counted:
    """`nested`: dumps up to a step, then the action.

    Args:
        last: `max_dump_step`; a fraction or infinity is compared as it is.
        action: `cache`, `repeat` or `repeat_last`.
    """

    last: float
    action: str


@dataclass(frozen=True, slots=True)
class Listed:
    """`manager`: acts at the listed steps only.

    Args:
        steps: Any whole numbers; those outside 1..T never come up.
        action: `cache` or `repeat`.
    """

    steps: frozenset[int]
    action: str


Policy = Off | OneFile | Counted | Listed


class Refused(NamedTuple):
    """The runtime would stop: at its start, or at the first step."""

    reason: str


class Unknown(NamedTuple):
    """Only the run itself can tell: a value is a variable, or belongs to a fork."""

    reason: str


class Step(NamedTuple):
    """What happens at one training step.

    Args:
        number: The step, from 1.
        batch: Number of the batch that the trainer gets.
        loaded_from: Place of the dump that was loaded; None when the batch was generated.
        saved_at: Place where the generated batch was saved; None when it was not.
    """

    number: int
    batch: int
    loaded_from: int | None
    saved_at: int | None


@dataclass(frozen=True, slots=True)
class Run:
    """One run from step 1 to T.

    Args:
        steps: What happened at each.
        dumps: The dumps that exist afterwards.
    """

    steps: tuple[Step, ...]
    dumps: Dumps

    @property
    def batches(self) -> list[int]:
        """Number of the batch that the trainer got, per step."""
        return [step.batch for step in self.steps]


def run(policy: Policy, total_steps: int, dumps: Dumps = NO_DUMPS, *, offset: int = 0) -> Run:
    """Run the training loop.

    Args:
        policy: What the settings mean.
        total_steps: T, the number of training steps.
        dumps: The dumps that exist at the start.
        offset: Added to the number of each batch that is generated (`RERUN` in a rerun).
    """
    store = _Store(dict(dumps))
    steps = [_step(policy, number, offset + number, store) for number in range(1, total_steps + 1)]
    return Run(tuple(steps), MappingProxyType(store.dumps))


def first_run_and_rerun(policy: Policy, total_steps: int, dumps: Dumps = NO_DUMPS) -> tuple[Run, Run]:
    """A run, and a second one that finds the dumps of the first."""
    first = run(policy, total_steps, dumps)
    return first, run(policy, total_steps, first.dumps, offset=RERUN)


@dataclass(slots=True)
class _Store:
    """The dump directory, and what the running process remembers of it.

    Args:
        dumps: The directory.
        seen: The steps that this process dumped or loaded while dumping, in that order (`nested`).
        places: The keys of `dumps`, sorted.
    """

    dumps: dict[int, int]
    seen: list[int] = field(default_factory=list)
    places: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.places = sorted(self.dumps)

    def load(self, number: int, place: int) -> Step:
        return Step(number, self.dumps[place], place, None)

    def save(self, number: int, batch: int, place: int) -> Step:
        if place not in self.dumps:
            self.places.insert(bisect_left(self.places, place), place)
        self.dumps[place] = batch
        return Step(number, batch, None, place)

    def load_or_save(self, number: int, batch: int, place: int) -> Step:
        return self.load(number, place) if place in self.dumps else self.save(number, batch, place)


def _step(policy: Policy, number: int, fresh: int, store: _Store) -> Step:
    match policy:
        case Off():
            return Step(number, fresh, None, None)
        case OneFile():
            return store.load_or_save(number, fresh, ONE_FILE)
        case Counted(last, action):
            return _counted_step(last, action, number, fresh, store)
        case Listed(steps, action):
            if number not in steps:
                return Step(number, fresh, None, None)
            place = number if action == "cache" else _nearest(number, store)
            return store.load_or_save(number, fresh, place)


def _counted_step(last: float, action: str, number: int, fresh: int, store: _Store) -> Step:
    if number > last and action == "cache":
        return Step(number, fresh, None, None)
    seen = store.seen
    if number <= last or not seen:
        seen.append(number)
        # Nothing seen behind the dumping phase: `last` is a fraction below 1. The runtime then saves
        # without a look at what is there.
        dumping = number <= last
        return store.load_or_save(number, fresh, number) if dumping else store.save(number, fresh, number)
    return store.load(number, seen[-1] if action == "repeat_last" else seen[(number - 1) % len(seen)])


def _nearest(number: int, store: _Store) -> int:
    """The step itself when it is dumped or nothing is; else the nearest below; else the nearest above."""
    if number in store.dumps or not store.places:
        return number
    below = bisect_left(store.places, number)
    place = store.places[below - 1] if below else store.places[0]
    # The runtime means "none" by -1, so that a dump of a step -1 that is the nearest is not found.
    return number if place == NOT_FOUND else place


def old_policy(old: LegacySkip) -> Policy | Refused | Unknown:
    """What the runtime of its generation makes of old settings.

    Any value that is not empty counted as on, a text such as `"no"` too: the old runtimes only asked
    whether it is true in Python's sense.
    """
    enable = FLAT.defaults["skip_rollout"] if old.enable is MISSING else old.enable
    if isinstance(enable, Opaque):
        return Unknown(f"the switch is {enable.text}")
    if not enable:
        return Off()
    for key, value in (("dump_steps", old.dump_steps), ("load_dir", old.load_dir)):
        if value is not MISSING and value is not None:
            return Unknown(f"{key} is a key of a fork, whose runtime was never released")
    if not (old.dump_dir is MISSING or isinstance(old.dump_dir, (str, Opaque))):
        return Refused(f"the dump directory is {old.dump_dir!r}, not a path")
    if old.generation == "flat":
        return OneFile()
    return _counted(old)


def _counted(old: LegacySkip) -> Policy | Refused | Unknown:
    action = NESTED.defaults["action"] if old.action is MISSING else old.action
    last = NESTED.defaults["max_dump_step"] if old.max_dump_step is MISSING else old.max_dump_step
    for key, value in (("action", action), ("max_dump_step", last)):
        if isinstance(value, Opaque):
            return Unknown(f"{key} is {value.text}")
    if not isinstance(action, str) or action not in NESTED.actions:
        return Refused(f"action is {action!r}, not one of {', '.join(NESTED.actions)}")
    if not isinstance(last, (bool, int, float)):
        return Refused(f"max_dump_step is {last!r}, not a number")
    kept = max(0, last)  # as the runtime writes it: of NaN, this makes 0
    if kept <= 0 and action != "cache":
        return Refused(f"max_dump_step is {last} with action {action}: it must be 1 or more")
    if kept < 1 and action == "repeat_last":
        return Refused(f"max_dump_step is {last} with action {action}: nothing was dumped that step 1 could repeat")
    broken = isinstance(kept, float) and (math.isinf(kept) or kept % 1)
    return Counted(kept if broken else int(kept), action)


TRUE_TEXTS: Final = frozenset({"y", "yes", "on", "true", "1"})
FALSE_TEXTS: Final = frozenset({"n", "no", "off", "false", "0"})
"""The texts that OmegaConf takes for a bool, in any case."""


def manager_policy(
    enable: Maybe = MISSING, steps: Steps | Maybe = MISSING, action: Maybe = MISSING
) -> Policy | Refused | Unknown:
    """What the manager of verl 0.9 makes of the settings of one role; a `MISSING` one has its default.

    Args:
        enable: As a file holds it: verl 0.9 also takes numbers and texts such as `yes`.
        steps: Whole numbers.
        action: `cache` or `repeat`.
    """
    values = dict(zip(("enable", "steps", "action"), (enable, steps, action), strict=True))
    filled = {key: MANAGER.defaults[key] if value is MISSING else value for key, value in values.items()}
    on, listed, chosen = filled["enable"], filled["steps"], filled["action"]
    if isinstance(on, str) and on.lower() in TRUE_TEXTS | FALSE_TEXTS:
        on = on.lower() in TRUE_TEXTS
    if not isinstance(on, (int, Opaque)):
        return Refused(f"enable is {on!r}, not true or false")
    if not isinstance(chosen, Opaque) and chosen not in MANAGER.actions:
        return Refused(f"action is {chosen!r}, not one of {', '.join(MANAGER.actions)}")
    if not isinstance(listed, (Opaque, Through)) and not _whole_numbers(listed):
        return Refused(f"steps is {listed!r}, not a list of whole numbers")
    if isinstance(on, Opaque):
        return Unknown(f"enable is {on.text}")
    if not on:
        return Off()
    if isinstance(chosen, Opaque):
        return Unknown(f"action is {chosen.text}")
    if isinstance(listed, Through):
        return Unknown(f"steps go up to {listed.last.text}")
    if isinstance(listed, Opaque):
        return Unknown(f"steps is {listed.text}")
    return Listed(frozenset(cast("list[int]", listed)), str(chosen))


def _whole_numbers(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(v, int) and not isinstance(v, bool) for v in value)


def new_policy(new: NewSkip, old: LegacySkip) -> Policy | Refused | Unknown:
    """What the manager makes of translated settings, those that were kept taken from the old ones."""

    def value(translated: object, kept: Maybe) -> Maybe:
        if translated is None:
            return MISSING
        return kept if translated is KEPT else cast("Maybe", translated)

    return manager_policy(
        value(new.enable, old.enable), MISSING if new.steps is None else new.steps, value(new.action, old.action)
    )
