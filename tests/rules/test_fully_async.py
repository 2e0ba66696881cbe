"""Tables of cases of `skip_config.rules.fully_async`."""

from tests.rules.table import ASYNC, PPO, quiet, speaks

test_fully_async_batch_sizes_quiet = quiet(
    "fully-async-batch-sizes",
    {
        "right": ASYNC + "data: {train_batch_size: 0, gen_batch_size: 1}\n",
        "the command line sets it": ASYNC,
        "another trainer": PPO + "data: {train_batch_size: 8}\n",
        "interpolation": ASYNC + 'data: {train_batch_size: "${b}"}\n',
    },
)

test_fully_async_batch_sizes_speaks = speaks(
    "fully-async-batch-sizes",
    {
        "train batch": ASYNC + "data: {train_batch_size: 64}\n",
        "fetch": ASYNC + "data: {gen_batch_size: 2}\n",
        "null": "async_training: {}\ndata: {gen_batch_size: null}\n",
    },
)

test_fully_async_pace_quiet = quiet(
    "fully-async-pace",
    {
        "right": ASYNC + "async_training: {staleness_threshold: 0, trigger_parameter_sync_step: 1}\n",
        "fraction": ASYNC + "async_training: {staleness_threshold: 0.5}\n",
        "interpolation": ASYNC + 'async_training: {staleness_threshold: "${s}"}\n',
    },
)

test_fully_async_pace_speaks = speaks(
    "fully-async-pace",
    {
        "negative": ASYNC + "async_training: {staleness_threshold: -0.1}\n",
        "zero": ASYNC + "async_training: {trigger_parameter_sync_step: 0}\n",
        "null": ASYNC + "async_training: {staleness_threshold: null}\n",
    },
)

test_fully_async_hybrid_engine_quiet = quiet(
    "fully-async-hybrid-engine",
    {
        "off": ASYNC + "actor_rollout_ref: {hybrid_engine: false}\n",
        "the command line sets it": ASYNC,
        "another trainer": PPO + "actor_rollout_ref: {hybrid_engine: true}\n",
    },
)

test_fully_async_hybrid_engine_speaks = speaks(
    "fully-async-hybrid-engine",
    {
        "on": ASYNC + "actor_rollout_ref: {hybrid_engine: true}\n",
        "text": ASYNC + "actor_rollout_ref: {hybrid_engine: 'no'}\n",
    },
)
