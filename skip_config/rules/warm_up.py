"""Batches that the asynchronous V1 trainers generate ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import Path, blamed, hit, is_on, known, name_of, number, shown, whole
from skip_config.trainer import trainer_mode
from skip_config.view import View, is_set_here

_ASYNC_MODES = (releases.COLOCATE_ASYNC, releases.SEPARATE_ASYNC)


def _path(view: View) -> Path | None:
    mode = trainer_mode(view)
    return (*releases.TRAINER_V1, mode, "num_warmup_batches") if mode in _ASYNC_MODES and mode else None


def refused(view: View) -> Iterator[Hit]:
    """Look for something that is no number."""
    path = _path(view)
    if path is None or is_on(view, "rollout_tq"):
        return
    is_known, value = known(view, path)
    if is_known and number(value) is None and not isinstance(value, bool) and blamed(view, path):
        yield hit(view, path, f"{name_of(path)} is {shown(value)}, and must be a number")


def rounds_to_nothing(view: View) -> Iterator[Hit]:
    """Look for a fraction that is less than one prompt; in these modes prompts are fetched one by one."""
    path = _path(view)
    if path is None or is_on(view, "rollout_tq"):
        return
    batches, size = number(view.value(*path)), whole(view.value(*releases.TRAIN_BATCH_SIZE))
    if batches is None or size is None or size < 1 or not blamed(view, path) or not math.isfinite(batches):
        return
    if batches > 0 and math.floor(batches * size) == 0:
        message = f"{name_of(path)} is {batches}, which is less than one of {size} prompts: there is no warm-up"
        yield hit(view, path, message)


def none_with_skip(view: View) -> Iterator[Hit]:
    """Look for a warm-up that `skip.rollout_tq` switches off."""
    path = _path(view)
    if path and is_on(view, "rollout_tq") and is_set_here(view, *path) and number(view.value(*path)):
        message = f"{name_of(path)} has no effect while skip.rollout_tq is on: no batch is generated ahead"
        yield hit(view, path, message)


RULES = (
    Rule(
        name="warm-up-invalid",
        severity=Severity.ERROR,
        summary="A `num_warmup_batches` that is no number.",
        why="The asynchronous V1 trainers compare it with 0 and multiply it before training begins.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ntrainer:\n  v1:\n    trainer_mode: colocate_async\n"
        "    colocate_async:\n      num_warmup_batches: null\n",
        mend="Write a number; 0 means no warm-up.",
        since="0.9.0",
        check=refused,
    ),
    Rule(
        name="warm-up-rounds-to-nothing",
        severity=Severity.WARNING,
        summary="A warm-up of less than one prompt.",
        why="`num_warmup_batches` may be a fraction of a batch and is rounded down to whole fetches of "
        "`data.gen_batch_size` prompts, which is 1 in these modes.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ndata:\n  train_batch_size: 4\ntrainer:\n  v1:\n"
        "    trainer_mode: colocate_async\n    colocate_async:\n      num_warmup_batches: 0.1\n",
        mend="Write 0 for no warm-up, or at least 1 / `data.train_batch_size`.",
        since="0.9.0",
        check=rounds_to_nothing,
    ),
    Rule(
        name="no-warm-up-while-skipping",
        severity=Severity.NOTE,
        summary="`skip.rollout_tq` switches the warm-up off.",
        why="While `skip.rollout_tq.enable` is true, the asynchronous V1 trainers add no warm-up batches.",
        example="defaults:\n  - ppo_trainer\n  - _self_\nskip:\n  rollout_tq:\n    enable: true\n    steps: [1]\n"
        "trainer:\n  v1:\n    trainer_mode: colocate_async\n    colocate_async:\n      num_warmup_batches: 2\n",
        mend="Nothing has to be done; expect another timing than without skipping.",
        since="0.9.0",
        check=none_with_skip,
    ),
)
