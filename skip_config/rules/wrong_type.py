"""`wrong-type`: a value that verl 0.9's structured config refuses."""

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

ALLOWED = {
    "enable": "true or false",
    "dump_dir": "a text",
    "steps": "a list of whole numbers, such as [1, 2, 3]",
    "action": " or ".join(releases.SUPPORTED_ACTIONS),
}


def check(view: View) -> Iterator[Hit]:
    """Look at the roles, and at their fields one by one, so that all problems come at once."""
    for role in releases.ROLES:
        value = view.value(SKIP, role)
        if value is MISSING or isinstance(value, Opaque):
            continue
        if not isinstance(value, dict):
            name = releases.dotted((SKIP, role))
            message = f"{name} is {value!r}, and must be a mapping with {', '.join(releases.FIELDS)}"
            yield Hit((SKIP, role), message, view.place(SKIP, role), f"remove it to keep {role} off")
            continue
        for field in releases.FIELDS:
            path = (SKIP, role, field)
            found = view.value(*path)
            if isinstance(found, list):
                found = [item for item in found if not isinstance(item, Opaque)]
            if found is not MISSING and not isinstance(found, Opaque) and refusal(field, found) == "type":
                message = f"{releases.dotted(path)} is {found!r}, and must be {ALLOWED[field]}"
                yield Hit(path, message, view.place(*path))


RULE = Rule(
    name="wrong-type",
    severity=Severity.ERROR,
    summary="A value of a type that verl 0.9 refuses.",
    why="The manager converts `skip` with OmegaConf's structured configs. They take `yes`, `1` or `'true'` for a bool "
    "and `'1'` for a whole number, but no null, no fraction and no text that merely looks like a list.",
    example="skip:\n  rollout_tq:\n    steps: '[1, 2]'\n",
    mend="Write the value without the quotes, or as the type that the message names.",
    since="0.9.0",
    check=check,
)
