"""Tables of cases of `skip_config.rules.gen_batch_size`."""

from tests.rules.table import OTHER, PPO, mode, quiet, speaks

test_gen_batch_size_invalid_quiet = quiet(
    "gen-batch-size-invalid",
    {
        "null": "data: {gen_batch_size: null}\n",
        "positive": "data: {gen_batch_size: 8}\n",
        "zero means null": "data: {gen_batch_size: 0}\n",
        "interpolation": 'data: {gen_batch_size: "${data.train_batch_size}"}\n',
        "overridden anyway": PPO + "data: {gen_batch_size: -3}\n" + mode("colocate_async"),
    },
)

test_gen_batch_size_invalid_speaks = speaks(
    "gen-batch-size-invalid",
    {
        "fraction": "data: {gen_batch_size: 1.5}\n",
        "negative": "data: {gen_batch_size: -1}\n",
        "text": PPO + "data: {gen_batch_size: '8'}\n",
    },
)

test_gen_batch_size_does_not_divide_quiet = quiet(
    "gen-batch-size-does-not-divide",
    {
        "divides": PPO + "data: {train_batch_size: 64, gen_batch_size: 32}\n",
        "null": PPO + "data: {train_batch_size: 63}\n",
        "trainer unknown": "data: {train_batch_size: 64, gen_batch_size: 48}\n",
        "V0": PPO + "trainer: {use_v1: false}\ndata: {train_batch_size: 64, gen_batch_size: 48}\n",
        "overridden by the mode": PPO + "data: {train_batch_size: 64, gen_batch_size: 48}\n" + mode("colocate_async"),
        "overridden by the filter": PPO
        + "data: {train_batch_size: 64, gen_batch_size: 48}\nalgorithm: {filter_groups: {enable: true}}\n",
        "another layer may set the size": OTHER + "data: {gen_batch_size: 48}\n",
    },
)

test_gen_batch_size_does_not_divide_speaks = speaks(
    "gen-batch-size-does-not-divide",
    {
        "both set": PPO + "data: {train_batch_size: 64, gen_batch_size: 48}\n",
        "against the default": PPO + "data: {gen_batch_size: 48}\n",
        "larger than the step": PPO + "data: {train_batch_size: 8, gen_batch_size: 16}\n",
    },
)

test_gen_batch_size_overridden_quiet = quiet(
    "gen-batch-size-overridden",
    {
        "mode sync": PPO + "data: {gen_batch_size: 32}\n",
        "one": PPO + "data: {gen_batch_size: 1}\n" + mode("colocate_async"),
        "null": PPO + "data: {gen_batch_size: null}\n" + mode("colocate_async"),
        "V0": "data: {gen_batch_size: 32}\ntrainer: {use_v1: false, v1: {trainer_mode: colocate_async}}\n",
        "mode unknown": PPO + "data: {gen_batch_size: 32}\n" + mode("'${m}'"),
    },
)

test_gen_batch_size_overridden_speaks = speaks(
    "gen-batch-size-overridden",
    {
        "by the mode": PPO + "data: {gen_batch_size: 32}\n" + mode("colocate_async"),
        "by the filter": PPO + "data: {gen_batch_size: 32}\nalgorithm: {filter_groups: {enable: true}}\n",
        "by refilling": PPO
        + "data: {gen_batch_size: 32}\ntrainer: {v1: {sampler: {sync_refill_failed_groups: true}}}\n",
    },
)

test_gen_batch_size_zero_quiet = quiet(
    "gen-batch-size-zero",
    {
        "null": "data: {gen_batch_size: null}\n",
        "one": "data: {gen_batch_size: 1}\n",
    },
)

test_gen_batch_size_zero_speaks = speaks(
    "gen-batch-size-zero",
    {
        "zero": "data: {gen_batch_size: 0}\n",
        "zero over defaults": PPO + "data: {gen_batch_size: 0}\n",
    },
)
