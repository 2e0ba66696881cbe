"""`unsupported-action`: an action that verl 0.9 names or once had, and refuses."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.acceptance import refusal
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING, Opaque
from skip_config.releases import MANAGER
from skip_config.rules import Hit, Rule
from skip_config.view import View

SKIP = MANAGER.place[0]


def check(view: View) -> Iterator[Hit]:
    """Look at the action of each role."""
    for role in releases.ROLES:
        path = (SKIP, role, "action")
        found = view.value(*path)
        if found is not MISSING and not isinstance(found, Opaque) and refusal("action", found) == "value":
            allowed = " or ".join(releases.SUPPORTED_ACTIONS)
            yield Hit(path, f"{releases.dotted(path)} is {found!r}, and must be {allowed}", view.place(*path))


RULE = Rule(
    name="unsupported-action",
    severity=Severity.ERROR,
    summary="An action that verl 0.9 refuses.",
    why="Only `cache` and `repeat` pass, in small letters, although verl's enum also names `random` and `empty`, and "
    "verl 0.8 had `repeat_last`.",
    example="skip:\n  rollout_tq:\n    action: repeat_last\n",
    mend="Choose `cache` (each step reuses its own dump) or `repeat` (also the nearest other one).",
    since="0.9.0",
    check=check,
)
