"""From old settings to new ones: what they meant, and the nearest thing that verl 0.9 can do.

Pure: values in, values out. The table is the measured behaviour of the runtimes of verl 0.7.1, 0.8.0
and 0.9.1 (`docs/releases.md`); T stands for the number of training steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import cast

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.old_values import count, listed_steps, refused_values, shown, switch
from skip_config.releases import FLAT, NESTED


class Kept(Enum):
    """The new field has the old one's value: carry it over as the file writes it."""

    KEPT = "kept"


KEPT = Kept.KEPT


@dataclass(frozen=True, slots=True)
class Through:
    """The steps from 1 to a number that only the shell or an interpolation knows."""

    last: Opaque


Steps = tuple[int, ...] | Through
TotalSteps = int | Opaque | None


@dataclass(frozen=True, slots=True)
class NewSkip:
    """The settings of one role. None leaves a field out, so that verl 0.9's default holds."""

    enable: bool | Kept | None = None
    dump_dir: str | Kept | None = None
    steps: Steps | None = None
    action: str | Kept | None = None


@dataclass(frozen=True, slots=True)
class Translation:
    """What became of old settings.

    Args:
        settings: The new settings, or None when there is nothing that could be written.
        problem: Why a person has to decide, or None when the settings behave as the old ones did.
        applies_unsafe: Whether `settings` may be written when the user accepts unsafe fixes.
        notes: Worth knowing; never a reason to stop.
        on: Whether the old switch is on; None when only the shell or an interpolation knows.
    """

    settings: NewSkip | None
    problem: Remark | None = None
    applies_unsafe: bool = False
    notes: tuple[Remark, ...] = ()
    on: bool | None = False

    @property
    def exact(self) -> bool:
        """Whether the new settings behave as the old ones did."""
        return self.problem is None

    def obstacle(self, unsafe: bool) -> Remark | None:
        """Why `settings` may not be written, given whether the user accepts unsafe fixes."""
        if not (unsafe and self.applies_unsafe):
            return self.problem
        return None if self.settings else needs_total_steps("the nearest setting repeats up to the last step")


LONGEST_LIST = 10_000
"""The longest list of steps that is written out; who asks for more means every step."""


def translate(old: LegacySkip, total_steps: TotalSteps = None) -> Translation:
    """Translate old settings that hold together.

    Args:
        old: The settings of one config or one command.
        total_steps: T, from the same file or from the user; None when nobody knows.

    Returns:
        The new settings of a role, the same for whichever role the trainer uses.
    """
    state = switch(old.enable)
    if isinstance(state, Remark):
        return Translation(None, state, on=True)
    if old.enable is MISSING:
        return _switched_elsewhere(old)
    if state is False:
        return _switched_off(old, total_steps)
    result = _switched_on(old, total_steps)
    return Translation(result.settings, result.problem, result.applies_unsafe, result.notes, on=state)


def _switched_on(old: LegacySkip, total_steps: TotalSteps) -> Translation:
    refused = refused_values(old)
    if refused:
        return Translation(None, refused)
    base = NewSkip(enable=_switch_kept(old.enable, True), dump_dir=_directory(old))
    if old.generation == "flat":
        return _every_step(base, total_steps, "skip_rollout reused one batch at every step")
    listed = listed_steps(old)
    if isinstance(listed, Remark):
        return Translation(None, listed)
    steps = count(old.max_dump_step) if listed is None else max(listed, default=0)
    if isinstance(steps, Remark):
        return Translation(None, steps)
    action = cast("Maybe", NESTED.defaults["action"]) if old.action is MISSING else old.action
    if action == "cache":
        return _cache(old, base, steps, listed, total_steps)
    if listed is not None and sorted(listed) != list(range(1, len(listed) + 1)):
        return Translation(
            None,
            Remark(
                "no-counterpart",
                f"action {shown(action)} with a list of dump steps that has gaps has no counterpart in verl 0.9",
                "choose skip.<role>.steps and skip.<role>.action by hand",
            ),
        )
    return _repeating(old, base, steps, action, total_steps)


def _cache(
    old: LegacySkip, base: NewSkip, steps: int | Opaque, listed: tuple[int, ...] | None, total_steps: TotalSteps
) -> Translation:
    # An action that the file leaves out stays out: `cache` is the default before and after.
    action = None if old.action is MISSING else "cache" if old.post_dump_action else KEPT
    if listed is not None:
        return Translation(replace(base, steps=listed, action=action))
    if isinstance(steps, Opaque):
        return Translation(replace(base, steps=Through(steps), action=action))
    if steps < 1:
        return Translation(
            replace(base, enable=False, action=action),
            notes=(
                Remark(
                    "never-dumped",
                    f"max_dump_step {steps} kept no step at all: the same is to switch it off, "
                    "and that is what is written",
                ),
            ),
        )
    if steps > LONGEST_LIST:
        return _every_step(base, total_steps, f"max_dump_step {steps} kept every step", action)
    return Translation(replace(base, steps=first_steps(steps), action=action))


def _repeating(
    old: LegacySkip, base: NewSkip, steps: int | Opaque, action: Maybe, total_steps: TotalSteps
) -> Translation:
    if isinstance(steps, Opaque) or isinstance(action, Opaque):
        unknown = "max_dump_step" if isinstance(steps, Opaque) else "action"
        value = steps if isinstance(steps, Opaque) else action
        return Translation(
            None,
            Remark(
                "old-value-unknown",
                f"{unknown} is {shown(value)}, which is not known here, and the new settings depend on it",
                f"write the value of {unknown} into the file, then run skipcfg migrate again",
            ),
        )
    if steps < 1:
        return Translation(
            None,
            Remark(
                "old-value-refused",
                f"action {action} with max_dump_step {steps}: verl 0.8 refused to start with that",
                "set max_dump_step to 1 or more, or switch it off",
            ),
        )
    if isinstance(total_steps, int) and total_steps <= min(steps, LONGEST_LIST):
        return Translation(
            replace(base, steps=first_steps(total_steps), action="cache"),
            notes=(
                Remark(
                    "never-repeated",
                    f"action {action} with max_dump_step {steps} and {total_steps} training steps never got "
                    "past saving: the same is cache",
                ),
            ),
        )
    kept: str | Kept = KEPT if action == "repeat" else "repeat"
    if steps == 1:
        return _every_step(base, total_steps, f"action {action} with max_dump_step 1 reused one batch", kept)
    return _no_exact_counterpart(base, steps, str(action), total_steps, kept)


def _no_exact_counterpart(
    base: NewSkip, steps: int, action: str, total_steps: TotalSteps, kept: str | Kept
) -> Translation:
    last = "the number of training steps" if total_steps is None else shown(total_steps)
    accept = "to accept the nearest: skipcfg migrate --unsafe FILE"
    if total_steps is None:
        accept = f"to accept the nearest: skipcfg migrate --unsafe --total-steps N FILE, {WHICH_N}"
    if action == "repeat_last":
        problem = Remark(
            "repeat-last-is-a-choice",
            f"action repeat_last with max_dump_step {steps} has no exact counterpart in verl 0.9. The nearest is "
            f"repeat with steps 1 to {last}: with an empty directory it repeats step 1 where the old one went on "
            f"to step {steps}; once dumps 1 to {steps} are there, it is exact",
            accept,
        )
    else:
        problem = Remark(
            "round-robin",
            f"action repeat with max_dump_step {steps} went round the first {steps} batches; no setting of verl "
            f"0.9 does. The nearest is repeat with steps 1 to {last}, which reuses one batch; the round itself "
            "needs the dumps put in place for later steps as well and action cache",
            accept,
        )
    nearest = _every_step(base, total_steps, f"action {action}", kept)
    if nearest.problem:
        return Translation(None, problem, applies_unsafe=True)
    return Translation(nearest.settings, problem, applies_unsafe=True)


WHICH_N = "where N is what the run's progress bar counts up to"


def needs_total_steps(reason: str) -> Remark:
    """The question for T, which no config file answers unless it sets `trainer.total_training_steps`."""
    return Remark(
        "needs-total-steps",
        f"{reason}, and verl 0.9 wants a list of steps: the number of training steps is not known here",
        f"skipcfg migrate --total-steps N FILE, {WHICH_N}",
    )


def _every_step(
    base: NewSkip, total_steps: TotalSteps, reason: str, action: str | Kept | None = "repeat"
) -> Translation:
    if total_steps is None:
        return Translation(None, needs_total_steps(reason))
    if isinstance(total_steps, Opaque):
        return Translation(replace(base, steps=Through(total_steps), action=action))
    if total_steps > LONGEST_LIST:
        return Translation(
            None,
            Remark(
                "too-many-steps",
                f"{reason}, and a list of all {total_steps} steps is longer than anyone wants in a config",
                f"skipcfg migrate --total-steps N FILE, with N at most {LONGEST_LIST}: as many as you mean to run",
            ),
        )
    return Translation(replace(base, steps=first_steps(total_steps), action=action))


def _switched_off(old: LegacySkip, total_steps: TotalSteps) -> Translation:
    """Carry the values over, so that switching it on later does what it did."""
    generation = FLAT if old.generation == "flat" else NESTED
    values: dict[str, Maybe] = {
        generation.keys["enable"]: old.enable,
        generation.keys["dump_dir"]: old.dump_dir,
    }
    if old.generation == "nested":
        values |= {"max_dump_step": old.max_dump_step, "action": old.action}
    given = {key: value for key, value in values.items() if value is not MISSING}
    enable = None if old.enable is MISSING else _switch_kept(old.enable, False)
    if all(value == generation.defaults[key] for key, value in given.items()) and _plain(old):
        return Translation(NewSkip(enable=enable))
    if old.generation == "flat":
        return Translation(NewSkip(enable=enable, dump_dir=_carried_directory(old)))
    on = _switched_on(old, total_steps)
    carried = NewSkip(enable=enable, dump_dir=_carried_directory(old))
    if on.exact and on.settings and not isinstance(on.settings.steps, Through):
        return Translation(replace(carried, steps=on.settings.steps, action=on.settings.action))
    steps = count(old.max_dump_step)
    if isinstance(steps, int) and 0 < steps <= LONGEST_LIST and refused_values(old) is None:
        action: str | Kept = KEPT if old.action in releases.SUPPORTED_ACTIONS else "repeat"
        carried = replace(carried, steps=first_steps(steps), action=action)
    why = on.problem.message if on.problem else f"max_dump_step is {shown(steps)}, which is not known here"
    return Translation(
        carried,
        notes=(Remark("switched-off", f"switched off, so nothing changes; to switch it on, choose: {why}"),),
    )


def _switched_elsewhere(old: LegacySkip) -> Translation:
    """Carry over what is given and nothing else: what is not said here, another file or command says, if any."""
    carried = NewSkip(dump_dir=_carried_directory(old))
    if old.generation == "flat" or refused_values(old):
        return Translation(carried)
    listed = listed_steps(old)
    steps = count(old.max_dump_step) if listed is None else None
    if listed is not None and not isinstance(listed, Remark):
        carried = replace(carried, steps=listed)
    elif isinstance(steps, Opaque):
        carried = replace(carried, steps=Through(steps))
    elif isinstance(steps, int) and old.max_dump_step is not MISSING and 0 < steps <= LONGEST_LIST:
        carried = replace(carried, steps=first_steps(steps))
    if old.action is MISSING:
        return Translation(carried)
    if old.action == "cache":
        return Translation(replace(carried, action="cache" if old.post_dump_action else KEPT))
    action = KEPT if old.action in releases.SUPPORTED_ACTIONS or isinstance(old.action, Opaque) else "repeat"
    return Translation(
        replace(carried, action=action),
        notes=(
            Remark(
                "switched-off",
                f"action {shown(old.action)} without its switch: where that is on, verl 0.9 wants the steps up to the "
                "last one, and those of max_dump_step are not enough",
            ),
        ),
    )


def _switch_kept(value: Maybe, state: bool) -> bool | Kept:
    """The switch as the file has it, or written anew where verl 0.9 refuses what the old runtimes took."""
    if isinstance(value, (bool, int, Opaque)) or (isinstance(value, str) and value):
        return KEPT
    return state


def _plain(old: LegacySkip) -> bool:
    return old.dump_steps is MISSING and old.load_dir is MISSING


def _carried_directory(old: LegacySkip) -> str | Kept | None:
    refused = old.dump_dir is None or isinstance(old.dump_dir, (list, dict))
    return None if old.dump_dir is MISSING or refused else KEPT


def _directory(old: LegacySkip) -> str | Kept | None:
    """Written out where the old setting relied on a default that 0.9 does not share."""
    if old.dump_dir is not MISSING:
        return KEPT
    default = (FLAT if old.generation == "flat" else NESTED).defaults[
        "skip_dump_dir" if old.generation == "flat" else "dump_dir"
    ]
    return None if default == releases.DEFAULT_DUMP_DIR else str(default)


def first_steps(last: int) -> tuple[int, ...]:
    """Steps 1 to `last`."""
    return tuple(range(1, last + 1))
