"""Tables of cases of `skip_config.rules.warm_up`."""

from tests.rules.table import PPO, mode, on, quiet, speaks

test_warm_up_invalid_quiet = quiet(
    "warm-up-invalid",
    {
        "a number": PPO + mode("colocate_async", "    colocate_async: {num_warmup_batches: 1.5}\n"),
        "another mode": PPO + mode("sync", "    colocate_async: {num_warmup_batches: null}\n"),
        "never read while skipping": PPO
        + on("rollout_tq")
        + mode("colocate_async", "    colocate_async: {num_warmup_batches: null}\n"),
    },
)

test_warm_up_invalid_speaks = speaks(
    "warm-up-invalid",
    {
        "null": PPO + mode("colocate_async", "    colocate_async: {num_warmup_batches: null}\n"),
        "text": PPO + mode("colocate_async", "    colocate_async: {num_warmup_batches: many}\n"),
    },
)

test_warm_up_rounds_to_nothing_quiet = quiet(
    "warm-up-rounds-to-nothing",
    {
        "one prompt": PPO
        + "data: {train_batch_size: 4}\n"
        + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0.25}\n"),
        "none wanted": PPO + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0}\n"),
        "while skipping": PPO
        + on("rollout_tq")
        + "data: {train_batch_size: 4}\n"
        + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0.1}\n"),
    },
)

test_warm_up_rounds_to_nothing_speaks = speaks(
    "warm-up-rounds-to-nothing",
    {
        "less than a prompt": PPO
        + "data: {train_batch_size: 4}\n"
        + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0.1}\n"),
        "of the default batch": PPO + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0.0001}\n"),
    },
)

test_no_warm_up_while_skipping_quiet = quiet(
    "no-warm-up-while-skipping",
    {
        "off": PPO + mode("colocate_async", "    colocate_async: {num_warmup_batches: 2}\n"),
        "not asked for": PPO + on("rollout_tq") + mode("colocate_async"),
        "none": PPO + on("rollout_tq") + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0}\n"),
    },
)

test_no_warm_up_while_skipping_speaks = speaks(
    "no-warm-up-while-skipping",
    {
        "asked for": PPO + on("rollout_tq") + mode("colocate_async", "    colocate_async: {num_warmup_batches: 2}\n"),
        "a fraction": PPO
        + on("rollout_tq")
        + mode("colocate_async", "    colocate_async: {num_warmup_batches: 0.5}\n"),
    },
)
