"""`loop-without-manager`: a role is on for a trainer whose own loop never starts the manager."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, hit, name_of, roles_on
from skip_config.trainer import trainer_of
from skip_config.view import View, is_set_here


def check(view: View) -> Iterator[Hit]:
    """Look at configs of the one-step-off-policy trainer."""
    if trainer_of(view) != "own_loop":
        return
    for role in roles_on(view):
        path = (SKIP, role, "enable")
        if is_set_here(view, *path):
            message = f"{name_of(path)} is on, but this config's trainer never starts the skip manager"
            yield hit(view, path, message, "run verl.trainer.main_ppo to use saved rollouts")


RULES = (
    Rule(
        name="loop-without-manager",
        severity=Severity.WARNING,
        summary="The trainer has its own training loop, where no role does anything.",
        why="`verl.experimental.one_step_off_policy` and the DAPO recipe never call `SkipManager.init` or "
        "`set_step`, so their rollouts are generated whatever `skip` says.",
        example="defaults:\n  - one_step_off_ppo_trainer\n  - _self_\nskip:\n  rollout:\n    enable: true\n"
        "    steps: [1]\n",
        mend="Run `verl.trainer.main_ppo` to debug with saved rollouts, or switch the role off.",
        since="0.9.0",
        check=check,
    ),
)
