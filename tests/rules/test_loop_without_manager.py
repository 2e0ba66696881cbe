"""Tables of cases of `skip_config.rules.loop_without_manager`."""

from tests.rules.table import PPO, on, quiet, speaks

test_quiet = quiet(
    "loop-without-manager",
    {
        "a config of one's own": PPO.replace("ppo_trainer", "my_dapo") + on("rollout_tq"),
        "main_ppo": PPO + on("rollout_tq"),
        "off": PPO.replace("ppo_trainer", "one_step_off_ppo_trainer") + "skip: {rollout: {enable: false}}\n",
    },
)

test_speaks = speaks(
    "loop-without-manager",
    {
        "the DAPO recipe's config": PPO.replace("ppo_trainer", "dapo_trainer") + on("rollout_tq"),
        "one-step-off": PPO.replace("ppo_trainer", "one_step_off_ppo_trainer") + on("rollout"),
        "with megatron": PPO.replace("ppo_trainer", "one_step_off_ppo_megatron_trainer") + on("rollout_tq"),
    },
)
