"""Tables of cases of `skip_config.rules.steps_out_of_range`."""

from tests.rules.table import on, quiet, speaks

test_step_below_one_quiet = quiet(
    "step-below-one",
    {
        "from 1": on("rollout", steps="[1, 2]"),
        "off": "skip: {rollout: {steps: [0]}}\n",
        "interpolation": on("rollout", steps="['${s}']"),
    },
)

test_step_below_one_speaks = speaks(
    "step-below-one",
    {
        "zero": on("rollout", steps="[0, 1]"),
        "negative": on("rollout_tq", steps="[-1]"),
        "as text": on("rollout", steps="['0']"),
    },
)

test_step_beyond_total_quiet = quiet(
    "step-beyond-total",
    {
        "within": "trainer: {total_training_steps: 2}\n" + on("rollout", steps="[1, 2]"),
        "total unknown": on("rollout", steps="[9]"),
        "total by interpolation": 'trainer: {total_training_steps: "${t}"}\n' + on("rollout", steps="[9]"),
        "counts prompts": "trainer: {total_training_steps: 2}\n" + on("async_rollout", steps="[9]"),
    },
)

test_step_beyond_total_speaks = speaks(
    "step-beyond-total",
    {
        "some": "trainer: {total_training_steps: 2}\n" + on("rollout", steps="[1, 2, 3]"),
        "all": "trainer: {total_training_steps: 2}\n" + on("rollout", steps="[5]"),
    },
)
