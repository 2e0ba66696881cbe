"""Tables of cases of `skip_config.rules.wrong_type`."""

from tests.rules.table import PPO, quiet, speaks

test_quiet = quiet(
    "wrong-type",
    {
        "bool as text": "skip: {rollout: {enable: 'true'}}\n",
        "bool as number": "skip: {rollout: {enable: 2}}\n",
        "steps as texts": "skip: {rollout: {steps: ['1_0', 010]}}\n",
        "directory as number": "skip: {rollout: {dump_dir: 1.50}}\n",
        "interpolation": 'skip: {rollout: {steps: "${s}", enable: "${oc.env:ON}"}}\n',
        "mandatory": "skip: {rollout: {enable: ???\n    }}\n",
        "empty block": "data: {gen_batch_size: 1}\nskip:\n",
        "role by interpolation": 'skip: {rollout: "${skip.rollout_tq}"}\n',
    },
)

test_speaks = speaks(
    "wrong-type",
    {
        "text that looks like a list": "skip: {rollout: {steps: '[1, 2]'}}\n",
        "fraction": "skip: {rollout: {steps: [1.0]}}\n",
        "null switch": "skip: {rollout: {enable: null}}\n",
        "null role": "skip: {rollout: null}\n",
        "role is a list": "skip: {rollout: []}\n",
        "null target": "skip: {_target_: null, rollout: {}}\n",
        "inner list": "skip: {rollout: {steps: [[1]]}}\n",
        "block is a list": PPO + "skip: [1]\n",
    },
)
