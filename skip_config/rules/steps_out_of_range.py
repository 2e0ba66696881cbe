"""`step-below-one` and `step-beyond-total`: steps that the trainer never reaches."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, blamed, hit, name_of, roles_on, shown, steps_of, whole
from skip_config.view import View


def below_one(view: View) -> Iterator[Hit]:
    """Look for steps before the first one."""
    for role in roles_on(view):
        path = (SKIP, role, "steps")
        below = [step for step in steps_of(view, role) or () if step < 1]
        if below and blamed(view, path):
            message = f"{name_of(path)} holds {shown(below)}, and the first step is 1"
            yield hit(view, path, message)


def beyond_total(view: View) -> Iterator[Hit]:
    """Look for steps behind the last one, where the config says how many there are."""
    total = whole(view.value(*releases.TOTAL_STEPS))
    if total is None:
        return
    for role in roles_on(view):
        path = (SKIP, role, "steps")
        steps = steps_of(view, role) or []
        beyond = [step for step in steps if step > total]
        blame = blamed(view, path, releases.TOTAL_STEPS)
        if role == "async_rollout" or not beyond or blame is None:
            continue
        none_left = all(step > total or step < 1 for step in steps)
        message = f"{name_of(path)} holds {shown(beyond)}, and training ends after step {total}"
        yield hit(view, blame, message, severity=Severity.WARNING if none_left else None)


RULES = (
    Rule(
        name="step-below-one",
        severity=Severity.WARNING,
        summary="A step below 1, which no trainer ever reaches.",
        why="Trainers count `global_steps` from 1 and the fully asynchronous rollouter its prompts too. Numbers below "
        "1 are accepted and never match; a list that starts at 0 often misses its last step.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: [0, 1, 2]\n",
        mend="Count from 1.",
        since="0.9.0",
        check=below_one,
    ),
    Rule(
        name="step-beyond-total",
        severity=Severity.NOTE,
        sometimes=(Severity.WARNING,),
        summary="A step beyond `trainer.total_training_steps`.",
        why="Training ends before it. It is a warning when no step of the list is ever reached.",
        example="trainer:\n  total_training_steps: 2\n  use_v1: true\nskip:\n  rollout_tq:\n    enable: true\n"
        "    steps: [1, 2, 3]\n",
        mend="Take the step out, or train longer.",
        since="0.9.0",
        check=beyond_total,
    ),
)
