"""`separate-async-batch-sizes` and `separate-async-needs`: what `separate_async` asserts when it is built."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import Path, blamed, hit, known, name_of, number, shown, truth, whole
from skip_config.trainer import trainer_mode
from skip_config.view import View, is_set_here

TRAIN = releases.TRAIN_BATCH_SIZE
MINI = releases.PPO_MINI_BATCH_SIZE
SYNC_STEP = (*releases.TRAINER_V1, releases.SEPARATE_ASYNC, "parameter_sync_step")


def batch_sizes(view: View) -> Iterator[Hit]:
    """Compare the three sizes."""
    if trainer_mode(view) != releases.SEPARATE_ASYNC:
        return
    train, mini, pieces = (whole(view.value(*path)) for path in (TRAIN, MINI, SYNC_STEP))
    if train is None or mini is None or pieces is None or train == pieces * mini:
        return
    path = blamed(view, SYNC_STEP, MINI, TRAIN, releases.TRAINER_MODE)
    if path:
        message = (
            f"{name_of(TRAIN)} is {train}, and separate_async wants {name_of(SYNC_STEP)} ({pieces}) times "
            f"{name_of(MINI)} ({mini}) = {pieces * mini}"
        )
        yield hit(view, path, message)


def needs(view: View) -> Iterator[Hit]:
    """Look at the resources of the rollout."""
    if trainer_mode(view) != releases.SEPARATE_ASYNC:
        return
    for path in (releases.ROLLOUT_NODES, releases.ROLLOUT_GPUS):
        is_known, value = known(view, path)
        count = number(value)
        if is_known and (count is None or count <= 0):
            yield from _need(view, path, f"is {shown(value)}, and must be above 0 for separate_async")
    if view.value(*releases.CHECKPOINT_BACKEND) == "naive":
        why = "is 'naive', and separate_async needs another one (nccl, nixl, mooncake, …)"
        yield from _need(view, releases.CHECKPOINT_BACKEND, why)
    pool = (*releases.REWARD_MODEL, "enable_resource_pool")
    if truth(view, (*releases.REWARD_MODEL, "enable")) and truth(view, pool) is False:
        yield from _need(view, pool, "is off, and separate_async needs it with a reward model")


def _need(view: View, path: Path, what: str) -> Iterator[Hit]:
    near = releases.TRAINER_MODE
    if is_set_here(view, *path):
        yield hit(view, path, f"{name_of(path)} {what}")
    elif is_set_here(view, *near):  # verl's default, which the command line often replaces
        message = f"{name_of(path)} {what}; that is its default, and this file does not set it"
        yield hit(view, path, message, severity=Severity.NOTE, near=near)


RULES = (
    Rule(
        name="separate-async-batch-sizes",
        severity=Severity.ERROR,
        summary="Batch sizes that do not fit together in `separate_async`.",
        why="The trainer asserts `data.train_batch_size == parameter_sync_step * ppo_mini_batch_size` when it is "
        "built.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ndata:\n  train_batch_size: 64\ntrainer:\n  v1:\n"
        "    trainer_mode: separate_async\n",
        mend="Change one of the three.",
        since="0.9.0",
        check=batch_sizes,
    ),
    Rule(
        name="separate-async-needs",
        severity=Severity.ERROR,
        sometimes=(Severity.NOTE,),
        summary="What `separate_async` needs for its rollout is not there.",
        why="It asserts that the rollout has nodes and GPUs of its own, a checkpoint engine that is not `naive`, and "
        "a resource pool for a reward model. It is a note when the file leaves verl's default, which the command "
        "line may replace.",
        example="defaults:\n  - ppo_trainer\n  - _self_\ntrainer:\n  v1:\n    trainer_mode: separate_async\n"
        "actor_rollout_ref:\n  rollout:\n    nnodes: 0\n    checkpoint_engine:\n      backend: nccl\n",
        mend="Set `actor_rollout_ref.rollout.nnodes`, `.n_gpus_per_node` and `.checkpoint_engine.backend`.",
        since="0.9.0",
        check=needs,
    ),
)
