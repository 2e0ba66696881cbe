"""Tables of cases of `skip_config.rules.missing_value`."""

from tests.rules.table import COMPLETE, PPO, quiet, speaks

test_quiet = quiet(
    "missing-value",
    {
        "another layer may fill it": "skip:\n  rollout:\n    steps: ???\n",
        "over defaults": PPO + "skip: ???\n",
    },
)

test_speaks = speaks(
    "missing-value",
    {
        "the block": "trainer: {use_v1: true}\nskip: ???\n",
        "in a complete config": COMPLETE + "skip:\n  rollout_tq:\n    steps: ???\n    enable: false\n",
    },
)
