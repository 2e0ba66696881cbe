"""`skip` itself: refused (`wrong-type`), or taken for a finished config without roles (`skip-block-ignored`)."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.acceptance import block_verdict
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, hit, shown
from skip_config.view import View, is_set_here


def check(view: View) -> Iterator[Hit]:
    """Look at a block that is a scalar."""
    value = view.value(SKIP)
    if value is MISSING or isinstance(value, dict) or not is_set_here(view, SKIP):
        return
    if block_verdict(value) == "ignored":
        message = f"{SKIP} is {shown(value)}, which verl 0.9 takes without a word: no role is on, nothing is skipped"
        yield hit(view, (SKIP,), message)


RULES = (
    Rule(
        name="skip-block-ignored",
        severity=Severity.WARNING,
        summary="`skip` is a text or a number, which the trainer takes and then finds no roles in.",
        why="`omega_conf_to_dataclass` gives back anything that is no mapping and no list as it is, and the manager "
        "then looks for roles in it and finds none. The asynchronous trainers fail a moment later, when they read "
        "`skip.rollout_tq`.",
        example="data:\n  gen_batch_size: null\nskip: rollout_tq\n",
        mend=f"Write a mapping of roles ({', '.join(releases.ROLES)}), or remove the key.",
        since="0.9.0",
        check=check,
    ),
)
