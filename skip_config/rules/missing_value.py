"""`missing-value`: a `???` that nothing fills."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.acceptance import is_missing
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, hit, name_of
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look for marks that are still there when all layers are known."""
    if is_missing(view.value(SKIP)) and view.value("defaults") is MISSING:
        yield hit(view, (SKIP,), f"{SKIP} is ??? and nothing gives its value", severity=Severity.ERROR)
    if not view.composed:
        return
    for role in releases.ROLES:
        for path in ((SKIP, role), *((SKIP, role, field) for field in releases.FIELDS)):
            if is_missing(view.value(*path)):
                message = f"{name_of(path)} is ??? and nothing gives its value: verl 0.9 silently takes its default"
                yield hit(view, path, message)


RULES = (
    Rule(
        name="missing-value",
        severity=Severity.WARNING,
        sometimes=(Severity.ERROR,),
        summary="A `???` in `skip` that no layer fills.",
        why="In a role, OmegaConf merges `???` as 'not set', so that the default of verl's class stays, without a "
        "word. `skip: ???` itself stops the trainer.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: ???\n",
        mend="Give the value in another layer or on the command line, or remove the key.",
        since="0.9.0",
        check=check,
    ),
)
