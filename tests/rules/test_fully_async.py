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

test_fully_async_reward_model_quiet = quiet(
    "fully-async-reward-model",
    {
        "a pool of its own": ASYNC + "reward: {reward_model: {enable: true, enable_resource_pool: true}}\n",
        "no reward model": ASYNC + "reward: {reward_model: {enable_resource_pool: false}}\n",
        "another trainer": PPO + "reward: {reward_model: {enable: true}}\n",
        "interpolation": ASYNC + 'reward: {reward_model: {enable: true, enable_resource_pool: "${p}"}}\n',
    },
)

test_fully_async_reward_model_speaks = speaks(
    "fully-async-reward-model",
    {
        "by default": ASYNC + "reward: {reward_model: {enable: true}}\n",
        "said": ASYNC + "reward: {reward_model: {enable: true, enable_resource_pool: false}}\n",
    },
)

test_fully_async_rollout_quiet = quiet(
    "fully-async-rollout",
    {
        "right": ASYNC + "actor_rollout_ref: {rollout: {calculate_log_probs: true, mode: async}}\n",
        "the defaults": ASYNC,
        "another trainer": PPO + "actor_rollout_ref: {rollout: {calculate_log_probs: false}}\n",
    },
)

test_fully_async_rollout_speaks = speaks(
    "fully-async-rollout",
    {
        "no log probs": ASYNC + "actor_rollout_ref: {rollout: {calculate_log_probs: false}}\n",
        "sync": ASYNC + "actor_rollout_ref: {rollout: {mode: sync}}\n",
    },
)
