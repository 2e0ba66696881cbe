"""`unknown-trainer-mode`: a mode that no V1 trainer is registered for."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import blamed, hit, known, name_of, shown
from skip_config.trainer import trainer_of
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look at the mode when the V1 trainer runs."""
    path = releases.TRAINER_MODE
    is_known, mode = known(view, path)
    if trainer_of(view) != "v1" or not is_known or mode in releases.TRAINER_MODES or not blamed(view, path):
        return
    near = get_close_matches(str(mode), releases.TRAINER_MODES, 1)
    allowed = ", ".join(releases.TRAINER_MODES)
    message = f"{name_of(path)} is {shown(mode)}, and must be one of {allowed}"
    yield hit(view, path, message, f"write {near[0]}" if near else None)


RULES = (
    Rule(
        name="unknown-trainer-mode",
        severity=Severity.ERROR,
        summary="A `trainer.v1.trainer_mode` that verl 0.9 does not have.",
        why="The task runner looks the trainer up by this name and stops with a ValueError.",
        example="trainer:\n  use_v1: true\n  v1:\n    trainer_mode: async\n",
        mend="Write `sync`, `colocate_async` or `separate_async`.",
        since="0.9.0",
        check=check,
    ),
)
