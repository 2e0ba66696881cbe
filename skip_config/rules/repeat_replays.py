"""`repeat-replays-another-step`: what `action: repeat` means."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, blamed, hit, name_of, roles_on, steps_of, text_of
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look at roles that are on with `repeat`."""
    for role in roles_on(view):
        path = (SKIP, role, "action")
        steps = steps_of(view, role)
        if (
            text_of(view, role, "action") != "repeat"
            or (steps is not None and len(steps) < 2)
            or not blamed(view, path)
        ):
            continue
        message = (
            f"{name_of(path)} is 'repeat': a step without a dump of its own trains on the prompts and responses of "
            "the nearest earlier one"
        )
        yield hit(view, path, message)


RULES = (
    Rule(
        name="repeat-replays-another-step",
        severity=Severity.NOTE,
        summary="`action: repeat` feeds a step the batch of another one.",
        why="`repeat` loads the dump of the same step, else that of the largest complete step below, else of the "
        "smallest above; only when there is none at all it generates and saves. With steps 1..T on an empty "
        "directory every step trains on the batch of step 1. That is good for debugging and profiling, and no "
        "training run.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: [1, 2, 3]\n    action: repeat\n",
        mend="Choose `cache` when each step is to have its own data.",
        since="0.9.0",
        check=check,
    ),
)
