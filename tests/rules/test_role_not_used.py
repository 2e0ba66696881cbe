"""Tables of cases of `skip_config.rules.role_not_used`."""

from tests.rules.table import ASYNC, OTHER, PPO, on, quiet, speaks

test_quiet = quiet(
    "role-not-used",
    {
        "the one in use": PPO + on("rollout_tq"),
        "trainer unknown": on("rollout"),
        "another layer may say": OTHER + on("rollout"),
        "V0": PPO + "trainer: {use_v1: false}\n" + on("rollout"),
        "both on": PPO + on("rollout", "rollout_tq"),
        "switch unknown": PPO + 'skip: {rollout: {enable: "${on}"}}\n',
        "trainer by interpolation": PPO + 'trainer: {use_v1: "${v}"}\n' + on("rollout"),
    },
)

test_speaks = speaks(
    "role-not-used",
    {
        "V1 by default": PPO + on("rollout"),
        "V0 asked for": "trainer: {use_v1: false}\n" + on("rollout_tq"),
        "text that is true in Python": "trainer: {use_v1: 'False'}\n" + on("rollout"),
        "fully async": ASYNC + on("rollout_tq"),
        "a file that says async_training": "async_training: {}\n" + on("rollout"),
        "megatron": PPO.replace("ppo_trainer", "ppo_megatron_trainer") + on("async_rollout"),
    },
)
