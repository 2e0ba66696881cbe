"""`sync-step-does-not-divide`: a training step is parted into equal pieces."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import blamed, hit, known, name_of, shown, whole
from skip_config.trainer import trainer_mode
from skip_config.view import View

TRAIN = releases.TRAIN_BATCH_SIZE


def check(view: View) -> Iterator[Hit]:
    """Compare the batch of a step with the pieces of the mode in use; `separate_async` has a rule of its own."""
    mode = trainer_mode(view)
    if mode is None or mode == releases.SEPARATE_ASYNC:
        return
    path = (*releases.TRAINER_V1, mode, "parameter_sync_step")
    is_known, value = known(view, path)
    pieces, size = whole(value), whole(view.value(*TRAIN))
    blame = blamed(view, path, TRAIN)
    if not is_known or size is None or size < 1 or blame is None:
        return
    if pieces is None or pieces < 1 or size % pieces:
        message = f"{name_of(TRAIN)} ({size}) must be a multiple of {name_of(path)} ({shown(value)})"
        yield hit(view, blame, message)


RULES = (
    Rule(
        name="sync-step-does-not-divide",
        severity=Severity.ERROR,
        summary="`data.train_batch_size` is no multiple of `parameter_sync_step`.",
        why="The V1 trainer parts the prompts of a step evenly among its parameter syncs, and asserts that they come "
        "out even. The key is that of the trainer mode in use.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ndata:\n  train_batch_size: 64\ntrainer:\n  v1:\n"
        "    trainer_mode: colocate_async\n    colocate_async:\n      parameter_sync_step: 3\n",
        mend="Choose a divisor of `data.train_batch_size`.",
        since="0.9.0",
        check=check,
    ),
)
