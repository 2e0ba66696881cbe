"""Tables of cases of `skip_config.rules.off_policy`."""

from tests.rules.table import PPO, quiet, speaks

test_off_policy_threshold_quiet = quiet(
    "off-policy-threshold",
    {
        "null": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: null}}}\n",
        "positive": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: 1}}}\n",
        "V0": "trainer: {use_v1: false, v1: {sampler: {max_off_policy_threshold: 0}}}\n",
        "own sampler": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: 0, "
        "custom_sampler: {path: a.py, name: B}}}}\n",
        "interpolation": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: '${t}'}}}\n",
    },
)

test_off_policy_threshold_speaks = speaks(
    "off-policy-threshold",
    {
        "zero": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: 0}}}\n",
        "fraction": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: 1.5}}}\n",
        "text": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_threshold: '8'}}}\n",
    },
)

test_off_policy_strategy_quiet = quiet(
    "off-policy-strategy",
    {
        "drop": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_strategy: drop}}}\n",
        "wait": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_strategy: wait}}}\n",
        "trainer unknown": "trainer: {v1: {sampler: {max_off_policy_strategy: x}}}\n",
    },
)

test_off_policy_strategy_speaks = speaks(
    "off-policy-strategy",
    {
        "another": "trainer: {use_v1: true, v1: {sampler: {max_off_policy_strategy: discard}}}\n",
        "null, also in sync": PPO + "trainer: {v1: {sampler: {max_off_policy_strategy: null}}}\n",
    },
)
