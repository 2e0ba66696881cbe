"""Tables of cases of `skip_config.rules.no_such_key`."""

from tests.rules.table import on, quiet, speaks

test_quiet = quiet(
    "no-such-key",
    {
        "all keys": on("rollout_tq", dump_dir="/d", action="cache", _target_="x"),
        "another program": "skip: {tests: true}\n",
        "merge key": "x: &x {enable: true}\nskip:\n  rollout: {<<: *x}\n",
        "top target": "skip: {_target_: x, rollout: {}}\n",
    },
)

test_speaks = speaks(
    "no-such-key",
    {
        "typing error": "skip: {rollout_tq: {step: [1]}}\n",
        "unknown role": "skip: {rollout: {}, rolout_tq: {}}\n",
        "key of a fork": "skip: {async_rollout: {all_steps: true}}\n",
        "number as key": "skip: {rollout: {1: 2}}\n",
    },
)
