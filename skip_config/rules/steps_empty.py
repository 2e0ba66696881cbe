"""`steps-empty`: a role is on, and its list of steps is empty."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.releases import MANAGER
from skip_config.rules import Hit, Rule
from skip_config.rules.role_not_used import is_on
from skip_config.view import View

SKIP = MANAGER.place[0]


def check(view: View) -> Iterator[Hit]:
    """Look at the steps of each role that is on."""
    for role in releases.ROLES:
        path = (SKIP, role, "steps")
        if is_on(view.value(SKIP, role, "enable")) and view.value(*path) == []:
            message = f"{releases.dotted(path)} is empty, so {SKIP}.{role} saves and reuses nothing although it is on"
            yield Hit(path, message, view.place(*path))


RULE = Rule(
    name="steps-empty",
    severity=Severity.WARNING,
    summary="A role is switched on with an empty list of steps.",
    why="The manager acts at the listed steps only, and an empty list, which is verl's default, is no step at all.",
    example="skip:\n  rollout_tq:\n    enable: true\n    steps: []\n",
    mend="List the steps, as in `steps: [1, 2, 3]`; `skipcfg steps 1-3` prints a list for the command line.",
    since="0.9.0",
    check=check,
)
