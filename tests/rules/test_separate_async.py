"""Tables of cases of `skip_config.rules.separate_async`."""

from tests.rules.table import PPO, mode, quiet, speaks

test_separate_async_batch_sizes_quiet = quiet(
    "separate-async-batch-sizes",
    {
        "defaults fit": PPO + mode("separate_async"),
        "all fit": PPO
        + "data: {train_batch_size: 512}\n"
        + mode("separate_async", "    separate_async: {parameter_sync_step: 2}\n"),
        "another mode": PPO + "data: {train_batch_size: 512}\n",
        "interpolation": PPO + 'data: {train_batch_size: "${b}"}\n' + mode("separate_async"),
    },
)

test_separate_async_batch_sizes_speaks = speaks(
    "separate-async-batch-sizes",
    {
        "train batch": PPO + "data: {train_batch_size: 512}\n" + mode("separate_async"),
        "sync step": PPO + mode("separate_async", "    separate_async: {parameter_sync_step: 3}\n"),
        "mini batch": PPO + "actor_rollout_ref: {actor: {ppo_mini_batch_size: 100}}\n" + mode("separate_async"),
    },
)

test_separate_async_needs_quiet = quiet(
    "separate-async-needs",
    {
        "all there": PPO
        + mode("separate_async")
        + "actor_rollout_ref: {rollout: {nnodes: 1, n_gpus_per_node: 8, checkpoint_engine: {backend: nccl}}}\n",
        "another mode": PPO + "actor_rollout_ref: {rollout: {nnodes: 0}}\n",
        "reward model with a pool": PPO
        + mode("separate_async")
        + "actor_rollout_ref: {rollout: {nnodes: 1, n_gpus_per_node: 8, checkpoint_engine: {backend: nccl}}}\n"
        + "reward: {reward_model: {enable: true, enable_resource_pool: true}}\n",
        "interpolation": PPO
        + mode("separate_async")
        + 'actor_rollout_ref: {rollout: {nnodes: "${n}", n_gpus_per_node: 8, checkpoint_engine: {backend: nccl}}}\n',
    },
)

test_separate_async_needs_speaks = speaks(
    "separate-async-needs",
    {
        "no nodes": PPO
        + mode("separate_async")
        + "actor_rollout_ref: {rollout: {nnodes: 0, n_gpus_per_node: 8, checkpoint_engine: {backend: nccl}}}\n",
        "no GPUs": PPO
        + mode("separate_async")
        + "actor_rollout_ref: {rollout: {nnodes: 1, n_gpus_per_node: 0, checkpoint_engine: {backend: nccl}}}\n",
        "naive engine": PPO
        + mode("separate_async")
        + "actor_rollout_ref: {rollout: {nnodes: 1, n_gpus_per_node: 8, checkpoint_engine: {backend: naive}}}\n",
        "colocated reward model": PPO
        + mode("separate_async")
        + "actor_rollout_ref: {rollout: {nnodes: 1, n_gpus_per_node: 8, checkpoint_engine: {backend: nccl}}}\n"
        + "reward: {reward_model: {enable: true}}\n",
    },
)
