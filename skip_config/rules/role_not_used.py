"""`role-not-used`: a role is on that the launched trainer never asks."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.acceptance import accepted
from skip_config.diagnostics import Severity
from skip_config.legacy import Maybe
from skip_config.releases import MANAGER, Role
from skip_config.rules import Hit, Rule
from skip_config.trainer import role_in_use
from skip_config.view import View

SKIP = MANAGER.place[0]


def is_on(value: Maybe) -> bool:
    """Whether verl 0.9 takes the value of `enable` for true."""
    return accepted("enable", value) is True


def check(view: View) -> Iterator[Hit]:
    """Compare the roles that are on with the one that the trainer uses, when that is known."""
    used = role_in_use(view)
    on: list[Role] = [role for role in releases.ROLES if is_on(view.value(SKIP, role, "enable"))]
    if used is None or not on or used in on:
        return
    for role in on:
        path = (SKIP, role, "enable")
        yield Hit(
            path,
            f"{releases.dotted(path)} is on, but this config's trainer uses {SKIP}.{used}: nothing will be skipped",
            view.place(*path),
            f"set the same under {SKIP}.{used}",
        )


RULE = Rule(
    name="role-not-used",
    severity=Severity.WARNING,
    summary="The role that is switched on is not the one that the trainer uses.",
    why="Each trainer asks one role: the V1 trainer (verl 0.9's default, `trainer.use_v1=True`) `rollout_tq`, the V0 "
    "trainer `rollout`, the fully asynchronous one `async_rollout`. The others are accepted and do nothing.",
    example="defaults:\n  - ppo_trainer\n  - _self_\nskip:\n  rollout:\n    enable: true\n    steps: [1]\n",
    mend="Move the settings to the role in use, or give both the same.",
    since="0.9.0",
    check=check,
)
