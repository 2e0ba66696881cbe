"""Tables of cases of `skip_config.rules.repeat_replays`."""

from tests.rules.table import on, quiet, speaks

test_quiet = quiet(
    "repeat-replays-another-step",
    {
        "cache": on("rollout", steps="[1, 2]", action="cache"),
        "one step": on("rollout", action="repeat"),
        "off": "skip: {rollout: {action: repeat, steps: [1, 2]}}\n",
    },
)

test_speaks = speaks(
    "repeat-replays-another-step",
    {
        "two steps": on("rollout", steps="[1, 2]", action="repeat"),
        "steps unknown": on("rollout", steps="'${s}'", action="repeat"),
    },
)
