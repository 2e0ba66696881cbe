"""Tables of cases of `skip_config.rules.unresolved_interpolation`."""

from tests.rules.table import COMPLETE, quiet, speaks

test_interpolation_unresolved_quiet = quiet(
    "unresolved-interpolation",
    {
        "role of another layer": 'skip:\n  rollout: {dump_dir: "${skip.rollout_tq.dump_dir}"}\n',
        "another layer's key": 'skip:\n  rollout: {dump_dir: "${paths.dumps}"}\n',
        "environment": 'skip:\n  rollout: {dump_dir: "${oc.env:NOWHERE}"}\n',
        "select with default": 'skip:\n  rollout: {dump_dir: "${oc.select:skip.rollout.x,y}"}\n',
    },
)

test_interpolation_unresolved_speaks = speaks(
    "unresolved-interpolation",
    {
        "no such field": 'skip:\n  rollout: {dump_dir: "${skip.rollout.dir}"}\n',
        "no such role": 'skip:\n  rollout: {steps: ["${skip.rolout.step}"]}\n',
        "nowhere in a complete config": COMPLETE + 'skip:\n  rollout_tq: {enable: false, dump_dir: "${paths.dumps}"}\n',
    },
)

test_interpolation_cycle_quiet = quiet(
    "interpolation-cycle",
    {
        "chain with an end": 'skip:\n  rollout: {dump_dir: "${skip.rollout_tq.dump_dir}"}\n'
        "  rollout_tq: {dump_dir: /d}\n",
        "environment": 'skip:\n  rollout: {dump_dir: "${oc.env:A}"}\n',
    },
)

test_interpolation_cycle_speaks = speaks(
    "interpolation-cycle",
    {
        "itself": 'skip:\n  rollout: {dump_dir: "${skip.rollout.dump_dir}"}\n',
        "by a third": 'x: {y: "${skip.rollout.steps}"}\nskip:\n  rollout: {steps: "${x.y}"}\n',
    },
)
