"""`step-doubled`: a step that stands twice in the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, blamed, hit, name_of, shown, steps_of
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Count the steps of each role."""
    for role in releases.ROLES:
        path = (SKIP, role, "steps")
        twice = [step for step, times in Counter(steps_of(view, role) or ()).items() if times > 1]
        if twice and blamed(view, path):
            yield hit(view, path, f"{name_of(path)} holds {shown(twice)} more than once, which changes nothing")


RULES = (
    Rule(
        name="step-doubled",
        severity=Severity.NOTE,
        summary="A step that stands in the list more than once.",
        why="The manager only asks whether the current step is in the list. A doubled step is often a typing error "
        "for another one.",
        example="skip:\n  rollout_tq:\n    steps: [1, 2, 2]\n",
        mend="Write each step once, and check that none is missing.",
        since="0.9.0",
        check=check,
    ),
)
