"""Tables of cases of `skip_config.rules.sync_step`."""

from tests.rules.table import PPO, mode, quiet, speaks

test_quiet = quiet(
    "sync-step-does-not-divide",
    {
        "divides": PPO
        + "data: {train_batch_size: 64}\n"
        + mode("colocate_async", "    colocate_async: {parameter_sync_step: 2}\n"),
        "not set": PPO + "data: {train_batch_size: 63}\n" + mode("colocate_async"),
        "of another mode": PPO
        + "data: {train_batch_size: 63}\n"
        + mode("sync", "    separate_async: {parameter_sync_step: 2}\n"),
    },
)

test_speaks = speaks(
    "sync-step-does-not-divide",
    {
        "does not": PPO
        + "data: {train_batch_size: 64}\n"
        + mode("colocate_async", "    colocate_async: {parameter_sync_step: 3}\n"),
        "zero": PPO
        + "data: {train_batch_size: 64}\n"
        + mode("colocate_async", "    colocate_async: {parameter_sync_step: 0}\n"),
        "null": PPO
        + "data: {train_batch_size: 64}\n"
        + mode("colocate_async", "    colocate_async: {parameter_sync_step: null}\n"),
    },
)
