"""`wrong-type`: a value that verl 0.9's structured config refuses."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.acceptance import block_verdict, refusal, role_is_refused, target_is_refused
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING, Opaque
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, Path, hit, name_of, shown
from skip_config.view import View

ALLOWED = {
    "enable": "true or false",
    "dump_dir": "a text",
    "steps": "a list of whole numbers, such as [1, 2, 3]",
    "action": " or ".join(releases.SUPPORTED_ACTIONS),
}
_TARGET = "_target_"


def check(view: View) -> Iterator[Hit]:
    """Look at the roles, and at their fields one by one, so that all problems come at once."""
    block = view.value(SKIP)
    if block is MISSING or isinstance(block, Opaque):
        return
    if not isinstance(block, dict):
        if block_verdict(block) == "refused":
            yield hit(view, (SKIP,), f"{SKIP} is {shown(block)}, and must be a mapping of roles")
        return
    yield from _target(view, (SKIP, _TARGET))
    for role in releases.ROLES:
        value = view.value(SKIP, role)
        if value is MISSING or isinstance(value, Opaque):
            continue
        if role_is_refused(value):
            message = f"{SKIP}.{role} is {shown(value)}, and must be a mapping with {', '.join(releases.FIELDS)}"
            yield hit(view, (SKIP, role), message, f"remove it to keep {role} off")
            continue
        yield from _target(view, (SKIP, role, _TARGET))
        for field in releases.FIELDS:
            path = (SKIP, role, field)
            found = view.value(*path)
            if found is not MISSING and refusal(field, found) == "type":
                message = f"{name_of(path)} is {shown(found)}, and must be {ALLOWED[field]}"
                yield hit(view, path, message, _guess(field, found))


def _target(view: View, path: Path) -> Iterator[Hit]:
    found = view.value(*path)
    if found is not MISSING and target_is_refused(found):
        yield hit(view, path, f"{name_of(path)} is {shown(found)}, and must be a text", "remove it")


def _guess(field: str, found: object) -> str | None:
    if field != "steps":
        return None
    if isinstance(found, str) and found.startswith("[") and found.endswith("]"):
        return f"write it without the quotes: steps: {found}"
    if isinstance(found, int) and not isinstance(found, bool):
        return f"write a list: steps: [{found}]"
    return None


RULES = (
    Rule(
        name="wrong-type",
        severity=Severity.ERROR,
        summary="A value of a type that verl 0.9 refuses.",
        why="The manager converts `skip` with OmegaConf's structured configs. They take `yes`, `1` or `'true'` for a "
        "bool and `'1'` for a whole number, but no null, no fraction and no text that merely looks like a list.",
        example="skip:\n  rollout_tq:\n    steps: '[1, 2]'\n",
        mend="Write the value without the quotes, or as the type that the message names.",
        since="0.9.0",
        check=check,
    ),
)
