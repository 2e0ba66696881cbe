"""Tables of cases of `skip_config.rules.trainer_mode`."""

from tests.rules.table import PPO, mode, quiet, speaks

test_quiet = quiet(
    "unknown-trainer-mode",
    {
        "known": PPO + mode("separate_async"),
        "V0": "trainer: {use_v1: false, v1: {trainer_mode: x}}\n",
        "interpolation": PPO + mode("'${m}'"),
    },
)

test_speaks = speaks(
    "unknown-trainer-mode",
    {
        "typing error": PPO + mode("colocated_async"),
        "null": PPO + mode("null"),
    },
)
