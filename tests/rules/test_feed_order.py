"""Tables of cases of `skip_config.rules.feed_order`."""

from tests.rules.table import ASYNC, on, quiet, speaks

test_quiet = quiet(
    "feed-order",
    {
        "another role": on("rollout"),
        "off": "skip: {async_rollout: {steps: [1]}}\n",
        "no steps": on("async_rollout", steps="[]"),
    },
)

test_speaks = speaks(
    "feed-order",
    {
        "on": on("async_rollout"),
        "fully async": ASYNC + on("async_rollout"),
    },
)
