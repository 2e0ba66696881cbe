"""Tables of cases of `skip_config.rules.unsupported_action`."""

from tests.rules.table import on, quiet, speaks

test_quiet = quiet(
    "unsupported-action",
    {
        "cache": on("rollout", action="cache"),
        "repeat": on("rollout", action="repeat"),
        "interpolation": on("rollout", action="'${a}'"),
        "null is another rule's": on("rollout", action="null"),
    },
)

test_speaks = speaks(
    "unsupported-action",
    {
        "repeat_last": on("rollout", action="repeat_last"),
        "capital letters": on("rollout", action="CACHE"),
        "of the enum": on("rollout", action="random"),
        "a number": on("rollout", action="5"),
    },
)
