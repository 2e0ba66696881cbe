"""Tables of cases of `skip_config.rules.complete_config`."""

from tests.rules.table import COMPLETE, PPO, on, quiet, speaks

test_no_skip_block_quiet = quiet(
    "skip-missing",
    {
        "a layer": "data: {gen_batch_size: 1}\n",
        "over defaults": PPO,
        "with a block": COMPLETE + "skip: {rollout_tq: {enable: false}}\n",
    },
)

test_no_skip_block_speaks = speaks(
    "skip-missing",
    {
        "complete": COMPLETE,
        "complete with a name": COMPLETE + "name: x\n",
    },
)

test_role_missing_quiet = quiet(
    "role-missing",
    {
        "a layer": on("rollout"),
        "over defaults": PPO + on("rollout"),
        "with the role": COMPLETE + "skip: {rollout_tq: {enable: false}}\n",
    },
)

test_role_missing_speaks = speaks(
    "role-missing",
    {
        "snapshot of June 2026": COMPLETE + on("rollout"),
        "role without switch": COMPLETE + "skip: {rollout_tq: {steps: [1]}}\n",
    },
)

test_no_trainer_mode_quiet = quiet(
    "no-trainer-mode",
    {
        "a layer": "trainer: {use_v1: true}\n" + on("rollout_tq"),
        "older release": COMPLETE + on("rollout_tq"),
        "with the mode": COMPLETE[:-2] + ", use_v1: true, v1: {trainer_mode: sync}}\n" + on("rollout_tq"),
    },
)

test_no_trainer_mode_speaks = speaks(
    "no-trainer-mode",
    {
        "no mode": COMPLETE[:-2] + ", use_v1: false}\n" + on("rollout"),
        "empty v1": COMPLETE[:-2] + ", v1: {}}\n" + on("rollout"),
    },
)
