"""Tables of cases of `skip_config.rules.two_roles_on`."""

from tests.rules.table import ASYNC, PPO, on, quiet, speaks

test_quiet = quiet(
    "two-roles-on",
    {
        "one": on("rollout"),
        "one on, one off": on("rollout") + "  rollout_tq: {enable: false}\n",
        "neither is used": ASYNC + on("rollout", "rollout_tq"),
    },
)

test_speaks = speaks(
    "two-roles-on",
    {
        "trainer unknown": on("rollout", "rollout_tq"),
        "one in use": PPO + on("rollout", "rollout_tq"),
        "three": PPO + on("rollout", "rollout_tq", "async_rollout"),
    },
)
