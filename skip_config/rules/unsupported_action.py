"""`unsupported-action`: an action that verl 0.9 names or once had, and refuses."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.acceptance import refusal
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, hit, name_of, shown
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look at the action of each role."""
    allowed = " or ".join(releases.SUPPORTED_ACTIONS)
    for role in releases.ROLES:
        path = (SKIP, role, "action")
        found = view.value(*path)
        if found is not MISSING and refusal("action", found) == "value":
            yield hit(view, path, f"{name_of(path)} is {shown(found)}, and must be {allowed}", _guess(found))


def _guess(found: object) -> str | None:
    if isinstance(found, str) and found.lower() in releases.SUPPORTED_ACTIONS:
        return f"write it in small letters: {found.lower()}"
    return None


RULES = (
    Rule(
        name="unsupported-action",
        severity=Severity.ERROR,
        summary="An action that verl 0.9 refuses.",
        why="Only `cache` and `repeat` pass, in small letters, although verl's enum also names `random` and `empty`, "
        "verl 0.8 had `repeat_last`, and some forks had `dump`.",
        example="skip:\n  rollout_tq:\n    action: repeat_last\n",
        mend="Choose `cache` (each step reuses its own dump) or `repeat` (also the nearest other one).",
        since="0.9.0",
        check=check,
    ),
)
