"""Tables of cases of `skip_config.rules.loop_without_manager`."""

from tests.rules.table import PPO, on, quiet, speaks

test_quiet = quiet(
    "loop-without-manager",
    {
        "main_ppo": PPO + on("rollout_tq"),
        "off": PPO.replace("ppo_trainer", "one_step_off_ppo_trainer") + "skip: {rollout: {enable: false}}\n",
    },
)

test_speaks = speaks(
    "loop-without-manager",
    {
        "one-step-off": PPO.replace("ppo_trainer", "one_step_off_ppo_trainer") + on("rollout"),
        "with megatron": PPO.replace("ppo_trainer", "one_step_off_ppo_megatron_trainer") + on("rollout_tq"),
    },
)
