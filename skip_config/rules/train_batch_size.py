"""`train-batch-size-invalid`: what the V1 trainer cannot count with."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import blamed, hit, known, name_of, shown, whole
from skip_config.trainer import trainer_of
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look at the size when the V1 trainer runs."""
    path = releases.TRAIN_BATCH_SIZE
    is_known, value = known(view, path)
    size = whole(value)
    if trainer_of(view) == "v1" and is_known and blamed(view, path) and (size is None or size < 1):
        yield hit(view, path, f"{name_of(path)} is {shown(value)}, and must be a whole number above 0")


RULES = (
    Rule(
        name="train-batch-size-invalid",
        severity=Severity.ERROR,
        summary="A `data.train_batch_size` that the V1 trainer cannot count with.",
        why="It divides by it to find the steps of an epoch, and asks for so many prompts at each step. Only the "
        "fully asynchronous trainer wants 0.",
        example="trainer:\n  use_v1: true\ndata:\n  train_batch_size: 0\n",
        mend="Write the number of prompts of one training step.",
        since="0.9.0",
        check=check,
    ),
)
