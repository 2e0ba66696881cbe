"""`feed-order`: the steps of `async_rollout` count prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, blamed, hit, is_on, name_of
from skip_config.view import View

_ROLE: Final = "async_rollout"


def check(view: View) -> Iterator[Hit]:
    """Look at the steps of `async_rollout` when it is on."""
    path = (SKIP, _ROLE, "steps")
    if is_on(view, _ROLE) and blamed(view, path) and view.value(*path):
        message = f"{name_of(path)} count prompts in the order in which they are fed, not training steps"
        yield hit(view, path, message)


RULES = (
    Rule(
        name="feed-order",
        severity=Severity.NOTE,
        sometimes=(Severity.WARNING, Severity.ERROR),
        summary="The steps of `async_rollout` count prompts, not training steps.",
        why="The fully asynchronous rollouter takes the number from the sample's name, `sample_<epoch>_<number>`, "
        "which counts prompts as they are fed, from 1. For `skipcfg migrate` it needs a decision, because old "
        "settings counted training steps.",
        example="skip:\n  async_rollout:\n    enable: true\n    steps: [1, 2]\n",
        mend="List as many numbers as prompts are to be reused: a training step takes many.",
        since="0.9.0",
        check=check,
    ),
)
