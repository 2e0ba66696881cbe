"""Tables of cases of `skip_config.rules.steps_empty`."""

from tests.rules.table import OTHER, PPO, on, quiet, speaks

test_quiet = quiet(
    "steps-empty",
    {
        "with steps": on("rollout"),
        "off": "skip: {rollout: {enable: false, steps: []}}\n",
        "interpolation": on("rollout", steps="'${s}'"),
        "mandatory": "skip:\n  rollout:\n    enable: true\n    steps: ???\n",
        "another layer may have them": OTHER + "skip: {rollout: {enable: true}}\n",
    },
)

test_speaks = speaks(
    "steps-empty",
    {
        "empty list": on("rollout", steps="[]"),
        "not set": PPO + "skip: {rollout_tq: {enable: true}}\n",
        "not set, no defaults": "skip: {rollout_tq: {enable: true}}\n",
    },
)
