"""Old values as the old runtimes read them, and which they refused. Pure, like `translate`."""

from __future__ import annotations

import math
import sys

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.releases import NESTED

TRUE_TEXTS = frozenset({"y", "yes", "on", "true", "1"})


def switch(value: Maybe) -> bool | Remark | None:
    """Whether the old runtimes took `value` for on.

    Returns:
        True or False, None when only the shell or an interpolation knows, or a `Remark` for a value
        that the old runtimes took for on (anything that is true in Python's sense, any text that is
        not empty) and verl 0.9 does not.
    """
    if value is MISSING:
        return False
    if isinstance(value, Opaque):
        return None
    if not value:
        return False
    if isinstance(value, int) or (isinstance(value, str) and value.lower() in TRUE_TEXTS):
        return True
    kind = "text" if isinstance(value, str) else "value"
    return Remark(
        "old-value-refused",
        f"the switch is the {kind} {value!r}, which verl up to 0.8 took for on and verl 0.9 does not",
        "write true or false without quotes, then run skipcfg migrate again",
    )


def count(value: Maybe) -> int | Opaque | Remark:
    """The number of dumped steps, as the 0.8 runtime reads `max_dump_step`."""
    if value is MISSING:
        default = NESTED.defaults["max_dump_step"]
        assert isinstance(default, int)
        return default
    if isinstance(value, Opaque):
        return value
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float):
        # The runtime asks `step <= max(0, max_dump_step)`: a fraction counts as the whole number below,
        # infinity as every step, and not-a-number as 0.
        return 0 if math.isnan(value) else math.floor(min(max(value, -1), sys.maxsize))
    return Remark(
        "old-value-refused",
        f"max_dump_step is {value!r}: verl 0.8 refused everything but a number",
        "set max_dump_step to the number of steps to keep, then run skipcfg migrate again",
    )


def refused_values(old: LegacySkip) -> Remark | None:
    """Why no setting can be made of the values that do not depend on the switch, or None."""
    if old.load_dir is not MISSING:
        return Remark(
            "no-counterpart",
            "load_dir, a key of a fork, has no counterpart in verl 0.9: it loads from dump_dir",
            "remove load_dir and set dump_dir to the directory to load from",
        )
    if not (old.dump_dir is MISSING or isinstance(old.dump_dir, (str, Opaque))):
        return Remark(
            "old-value-refused",
            f"the dump directory is {shown(old.dump_dir)}: verl refuses everything but a path",
            "set the directory, then run skipcfg migrate again",
        )
    action = old.action
    if action is MISSING or isinstance(action, Opaque) or action in NESTED.actions:
        return None
    if old.post_dump_action or action == "dump":
        return Remark(
            "no-counterpart",
            f"action {shown(action)}, a value of a fork, has no counterpart in verl 0.9",
            f"choose one of {', '.join(releases.SUPPORTED_ACTIONS)}",
        )
    return Remark(
        "old-value-refused",
        f"action is {shown(action)}: verl 0.8 accepted only {', '.join(NESTED.actions)}",
        f"choose one of {', '.join(releases.SUPPORTED_ACTIONS)}",
    )


def listed_steps(old: LegacySkip) -> tuple[int, ...] | Remark | None:
    """A dialect's list of steps, None where there is none, or why it cannot be read."""
    if old.dump_steps is MISSING or old.dump_steps is None:
        return None
    listed = old.dump_steps
    if isinstance(listed, list):
        whole = [step for step in listed if isinstance(step, int) and not isinstance(step, bool)]
        if len(whole) == len(listed):
            return tuple(whole)
    return Remark(
        "old-value-unknown",
        f"dump_steps, a key of a fork, is {shown(listed)}, not a list of numbers",
        "choose skip.<role>.steps by hand",
    )


def shown(value: object) -> str:
    """A value in a message: as the file has it where only the runtime knows it."""
    return value.text if isinstance(value, Opaque) else repr(value)
