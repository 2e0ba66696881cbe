"""`steps-empty`: a role is on and has no steps to act at."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.acceptance import is_missing
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, blamed, hit, roles_on, steps_of
from skip_config.trainer import has_other_layers
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look at the steps of the roles that are on."""
    for role in roles_on(view):
        path = (SKIP, role, "steps")
        value = view.value(*path)
        if value is MISSING:
            empty = not has_other_layers(view)  # the default is no step at all
        else:
            empty = steps_of(view, role) == [] and (view.composed or not is_missing(value))
        blame = blamed(view, path, (SKIP, role, "enable"))
        if empty and blame:
            message = f"{SKIP}.{role} is on and its steps are empty: nothing will be saved or skipped"
            yield hit(view, blame, message, f"set {SKIP}.{role}.steps=[1,2,3]")


RULES = (
    Rule(
        name="steps-empty",
        severity=Severity.WARNING,
        summary="A role is on without steps.",
        why="The manager acts only at the steps that are listed, and the default is an empty list: every step is "
        "generated, and nothing is saved.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: []\n",
        mend="List the steps. `skipcfg steps 1-128` writes a list for the command line.",
        since="0.9.0",
        check=check,
    ),
)
