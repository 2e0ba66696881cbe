"""Tables of cases of `skip_config.rules.skip_block`."""

from tests.rules.table import PPO, quiet, speaks

test_quiet = quiet(
    "skip-block-ignored",
    {
        "null": "data: {gen_batch_size: 2}\nskip: null\n",
        "empty list": "data: {gen_batch_size: 2}\nskip: []\n",
        "another program": "skip: yes please\n",
    },
)

test_speaks = speaks(
    "skip-block-ignored",
    {
        "a text": "data: {gen_batch_size: 2}\nskip: rollout\n",
        "a number": "data: {gen_batch_size: 2}\nskip: 5\n",
        "true": PPO + "skip: true\n",
    },
)
