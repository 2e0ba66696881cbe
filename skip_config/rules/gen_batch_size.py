"""`data.gen_batch_size`: the number of prompts that one fetch takes from the dataloader."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import blamed, exact_refill, hit, known, name_of, shown, whole
from skip_config.trainer import trainer_of
from skip_config.view import View

GEN = releases.GEN_BATCH_SIZE
TRAIN = releases.TRAIN_BATCH_SIZE


def invalid(view: View) -> Iterator[Hit]:
    """Look at the size by itself, where no trainer overrides it."""
    is_known, value = known(view, GEN)
    # The trainers take 0 for null, as Python does.
    if not is_known or not value or not blamed(view, GEN) or trainer_of(view) == "fully_async":
        return
    size = whole(value)
    overridden = trainer_of(view) == "v1" and exact_refill(view)[0]
    if not isinstance(value, bool) and (size is None or size < 1) and not overridden:
        message = f"{name_of(GEN)} is {shown(value)}, and must be null or a whole number above 0"
        yield hit(view, GEN, message)


def does_not_divide(view: View) -> Iterator[Hit]:
    """Compare it with the batch of a training step, for the synchronous V1 trainer."""
    fetch, step = whole(view.value(*GEN)), whole(view.value(*TRAIN))
    if trainer_of(view) != "v1" or not fetch or not step or min(fetch, step) < 1 or step % fetch == 0:
        return
    path = blamed(view, GEN, TRAIN)
    if exact_refill(view)[0] is False and path:
        message = (
            f"{name_of(TRAIN)} ({step}) is no multiple of {name_of(GEN)} ({fetch}), and a step takes whole fetches"
        )
        yield hit(view, path, message, _neighbours(step, fetch))


def _neighbours(step: int, fetch: int) -> str:
    below = next(size for size in range(min(fetch, step), 0, -1) if step % size == 0)
    return f"set {name_of(GEN)} to {below}, or to null for the whole batch"


def overridden(view: View) -> Iterator[Hit]:
    """Look for a size that the trainer replaces by 1."""
    is_known, value = known(view, GEN)
    if trainer_of(view) != "v1" or not is_known or value in (None, 1) or not blamed(view, GEN):
        return
    forced, cause, _ = exact_refill(view)
    if forced:
        message = f"{name_of(GEN)} is {shown(value)}, and the trainer overrides it to 1, because {cause}"
        yield hit(view, GEN, message, "remove it")


def zero(view: View) -> Iterator[Hit]:
    """Look for 0, which names another directory than null."""
    if view.value(*GEN) == 0 and view.value(*GEN) is not False and blamed(view, GEN):
        message = f"{name_of(GEN)} is 0: trainers take that for null, but dumps go to a directory named GBS0"
        yield hit(view, GEN, message, "write null")


RULES = (
    Rule(
        name="gen-batch-size-invalid",
        severity=Severity.ERROR,
        summary="A `data.gen_batch_size` that is no positive whole number.",
        why="It is the batch size of the dataloader, which refuses anything else, and the trainer divides by it.",
        example="data:\n  gen_batch_size: 1.5\n",
        mend="Write a whole number above 0, or null for `data.train_batch_size`.",
        since="0.9.0",
        check=invalid,
    ),
    Rule(
        name="gen-batch-size-does-not-divide",
        severity=Severity.ERROR,
        summary="`data.train_batch_size` is no multiple of `data.gen_batch_size`.",
        why="The synchronous V1 trainer collects the prompts of a step in whole fetches and raises a ValueError at "
        "the first step when they do not come out even. In the other modes the size is overridden to 1.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ndata:\n  train_batch_size: 64\n  gen_batch_size: 48\n",
        mend="Choose a divisor of `data.train_batch_size`, or null.",
        since="0.9.0",
        check=does_not_divide,
    ),
    Rule(
        name="gen-batch-size-overridden",
        severity=Severity.WARNING,
        summary="A `data.gen_batch_size` that the V1 trainer overrides to 1.",
        why="Refilling an exact number of prompts needs fetches of one prompt. So it is 1 in the modes "
        "`colocate_async` and `separate_async`, with group filtering, and with `sync_refill_failed_groups`; the "
        "directory of the dumps says `GBS1` then.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ntrainer:\n  v1:\n    trainer_mode: colocate_async\n"
        "data:\n  gen_batch_size: 32\n",
        mend="Remove the setting.",
        since="0.9.0",
        check=overridden,
    ),
    Rule(
        name="gen-batch-size-zero",
        severity=Severity.NOTE,
        summary="`data.gen_batch_size: 0` means null to the trainers and 0 to the skip manager.",
        why="Trainers write `gen_batch_size or train_batch_size`; the manager only looks whether it is null, and "
        "names the directory of the dumps `GBS0`.",
        example="data:\n  gen_batch_size: 0\n",
        mend="Write null.",
        since="0.9.0",
        check=zero,
    ),
)
