"""Tables of cases of `skip_config.rules.train_batch_size`."""

from tests.rules.table import ASYNC, PPO, quiet, speaks

test_quiet = quiet(
    "train-batch-size-invalid",
    {
        "positive": PPO + "data: {train_batch_size: 8}\n",
        "fully async": ASYNC + "data: {train_batch_size: 0}\n",
        "trainer unknown": "data: {train_batch_size: 0, gen_batch_size: 1}\n",
        "interpolation": PPO + 'data: {train_batch_size: "${b}"}\n',
    },
)

test_speaks = speaks(
    "train-batch-size-invalid",
    {
        "zero": PPO + "data: {train_batch_size: 0}\n",
        "null": PPO + "data: {train_batch_size: null}\n",
        "text": PPO + "data: {train_batch_size: '8'}\n",
    },
)
