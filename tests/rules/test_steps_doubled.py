"""Tables of cases of `skip_config.rules.steps_doubled`."""

from tests.rules.table import on, quiet, speaks

test_quiet = quiet(
    "step-doubled",
    {
        "once each": on("rollout", steps="[1, 2]"),
        "interpolation": on("rollout", steps="['${a}', '${a}']"),
    },
)

test_speaks = speaks(
    "step-doubled",
    {
        "twice": on("rollout", steps="[1, 1]"),
        "written otherwise": on("rollout", steps="[8, '8']"),
    },
)
