"""`role-not-used`: a role is on that the launched trainer never asks."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, hit, name_of, roles_on
from skip_config.trainer import role_in_use
from skip_config.view import View, is_set_here


def check(view: View) -> Iterator[Hit]:
    """Compare the roles that are on with the one that the trainer uses, when that is known."""
    used = role_in_use(view)
    on = roles_on(view)
    if used is None or used in on:
        return
    for role in on:
        path = (SKIP, role, "enable")
        if is_set_here(view, *path):
            what = f"{name_of(path)} is on, but this config's trainer uses {SKIP}.{used}: nothing will be skipped"
            yield hit(view, path, what, f"set the same under {SKIP}.{used}")


RULES = (
    Rule(
        name="role-not-used",
        severity=Severity.WARNING,
        summary="The role that is switched on is not the one that the trainer uses.",
        why="Each trainer asks one role: the V1 trainer (verl 0.9's default, `trainer.use_v1=True`) `rollout_tq`, the "
        "V0 trainer `rollout`, the fully asynchronous one `async_rollout`. The others are accepted and do nothing.",
        example="defaults:\n  - ppo_trainer\n  - _self_\nskip:\n  rollout:\n    enable: true\n    steps: [1]\n",
        mend="Move the settings to the role in use, or give both the same.",
        since="0.9.0",
        check=check,
    ),
)
