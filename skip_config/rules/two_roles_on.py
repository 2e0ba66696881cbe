"""`two-roles-on`: only the one that the trainer uses acts."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, blamed, hit, roles_on
from skip_config.trainer import role_in_use
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Count the roles that are on."""
    on = roles_on(view)
    used = role_in_use(view)
    path = blamed(view, *((SKIP, role, "enable") for role in reversed(on) if role != used))
    if len(on) < 2 or path is None or (used is not None and used not in on):
        return
    which = f"only {SKIP}.{used}, which this trainer uses, acts" if used else "only the one that the trainer uses acts"
    yield hit(view, path, f"{' and '.join(f'{SKIP}.{role}' for role in on)} are on: {which}")


RULES = (
    Rule(
        name="two-roles-on",
        severity=Severity.NOTE,
        summary="Several roles are on; only the one that the trainer uses acts.",
        why="Each trainer asks one role, so a second one is harmless. It is the way to write a config that works "
        "under either trainer.",
        example="skip:\n  rollout: {enable: true, steps: [1]}\n  rollout_tq: {enable: true, steps: [1]}\n",
        mend="Nothing has to be done. To be tidy, keep the role that the trainer uses.",
        since="0.9.0",
        check=check,
    ),
)
