"""What the fully asynchronous trainer asserts when it is built."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import Path, blamed, hit, known, name_of, number, shown, truth
from skip_config.trainer import trainer_of
from skip_config.view import View

LOG_PROBS = (*releases.ROLLOUT_PLACE, "calculate_log_probs")
MODE = (*releases.ROLLOUT_PLACE, "mode")


def batch_sizes(view: View) -> Iterator[Hit]:
    """Look at the two sizes that must be 0 and 1."""
    for path, wanted in ((releases.TRAIN_BATCH_SIZE, 0), (releases.GEN_BATCH_SIZE, 1)):
        is_known, value = known(view, path)
        if trainer_of(view) == "fully_async" and is_known and value != wanted and blamed(view, path):
            yield hit(
                view, path, f"{name_of(path)} is {shown(value)}, and the fully asynchronous trainer wants {wanted}"
            )


def pace(view: View) -> Iterator[Hit]:
    """Look at how far the trainer may fall behind, and how often it syncs."""
    if trainer_of(view) == "fully_async":
        yield from _at_least(view, releases.STALENESS_THRESHOLD, 0)
        yield from _at_least(view, releases.TRIGGER_SYNC_STEP, 1)


def _at_least(view: View, path: Path, least: int) -> Iterator[Hit]:
    is_known, value = known(view, path)
    found = number(value) if not isinstance(value, bool) else int(value)
    if is_known and blamed(view, path) and (found is None or found < least):
        yield hit(view, path, f"{name_of(path)} is {shown(value)}, and must be at least {least}")


def hybrid(view: View) -> Iterator[Hit]:
    """Look for the hybrid engine, which it refuses."""
    path = releases.HYBRID_ENGINE
    is_known, value = known(view, path)
    if trainer_of(view) == "fully_async" and is_known and value and blamed(view, path):
        yield hit(view, path, f"{name_of(path)} is {shown(value)}, and the fully asynchronous trainer wants false")


def reward_model(view: View) -> Iterator[Hit]:
    """Look for a reward model that shares the trainer's machines."""
    enable, pool = (*releases.REWARD_MODEL, "enable"), (*releases.REWARD_MODEL, "enable_resource_pool")
    path = blamed(view, pool, enable)
    if trainer_of(view) == "fully_async" and truth(view, enable) and truth(view, pool) is False and path:
        yield hit(
            view,
            path,
            f"{name_of(enable)} is on and {name_of(pool)} off, and the fully asynchronous trainer wants both",
            f"set {name_of(pool)}: true",
        )


def rollout(view: View) -> Iterator[Hit]:
    """Look at what the rollout must do."""
    if trainer_of(view) != "fully_async":
        return
    if truth(view, LOG_PROBS) is False and blamed(view, LOG_PROBS):
        value = shown(view.value(*LOG_PROBS))
        yield hit(view, LOG_PROBS, f"{name_of(LOG_PROBS)} is {value}, and the fully asynchronous trainer wants true")
    is_known, mode = known(view, MODE)
    if is_known and mode != "async" and blamed(view, MODE):
        yield hit(view, MODE, f"{name_of(MODE)} is {shown(mode)}, and the fully asynchronous trainer wants 'async'")


RULES = (
    Rule(
        name="fully-async-batch-sizes",
        severity=Severity.ERROR,
        summary="Batch sizes that the fully asynchronous trainer refuses.",
        why="Its rollouter asserts `data.train_batch_size == 0` and `data.gen_batch_size == 1`: prompts come one by "
        "one.",
        example="defaults:\n  - fully_async_ppo_trainer\n  - _self_\ndata:\n  train_batch_size: 64\n",
        mend="Set `data.train_batch_size: 0` and `data.gen_batch_size: 1`.",
        since="0.9.0",
        check=batch_sizes,
    ),
    Rule(
        name="fully-async-pace",
        severity=Severity.ERROR,
        summary="A staleness or a sync step that the fully asynchronous trainer refuses.",
        why="Its rollouter asserts `async_training.staleness_threshold >= 0` and "
        "`async_training.trigger_parameter_sync_step >= 1`.",
        example="async_training:\n  trigger_parameter_sync_step: 0\n",
        mend="Write a number that is large enough.",
        since="0.9.0",
        check=pace,
    ),
    Rule(
        name="fully-async-hybrid-engine",
        severity=Severity.ERROR,
        summary="The fully asynchronous trainer refuses the hybrid engine.",
        why="Trainer and rollouter have machines of their own, and both assert that "
        "`actor_rollout_ref.hybrid_engine` is false; its default is true.",
        example="defaults:\n  - fully_async_ppo_trainer\n  - _self_\nactor_rollout_ref:\n  hybrid_engine: true\n",
        mend="Set `actor_rollout_ref.hybrid_engine: false`.",
        since="0.9.0",
        check=hybrid,
    ),
    Rule(
        name="fully-async-reward-model",
        severity=Severity.ERROR,
        summary="The fully asynchronous trainer refuses a reward model on the trainer's GPUs.",
        why="Its rollout never pauses to let a colocated reward model work, and its rollouter asserts "
        "`reward.reward_model.enable_resource_pool` when there is one.",
        example="defaults:\n  - fully_async_ppo_trainer\n  - _self_\nreward:\n  reward_model:\n    enable: true\n",
        mend="Set `reward.reward_model.enable_resource_pool: true`, or use a rule-based reward.",
        since="0.9.0",
        check=reward_model,
    ),
    Rule(
        name="fully-async-rollout",
        severity=Severity.ERROR,
        summary="A rollout that the fully asynchronous trainer refuses.",
        why="Its rollouter asserts `actor_rollout_ref.rollout.calculate_log_probs` and that "
        "`actor_rollout_ref.rollout.mode` is `async`; both are so by default.",
        example="defaults:\n  - fully_async_ppo_trainer\n  - _self_\nactor_rollout_ref:\n  rollout:\n"
        "    calculate_log_probs: false\n",
        mend="Leave both at their defaults.",
        since="0.9.0",
        check=rollout,
    ),
)
