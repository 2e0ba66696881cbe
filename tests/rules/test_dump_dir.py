"""Tables of cases of `skip_config.rules.dump_dir`."""

from tests.rules.table import PPO, on, quiet, speaks

test_relative_dump_dir_quiet = quiet(
    "relative-dump-dir",
    {
        "absolute": on("rollout", dump_dir="/d"),
        "home": on("rollout", dump_dir="~/d"),
        "off": "skip: {rollout: {dump_dir: d}}\n",
        "interpolation": on("rollout", dump_dir="'${d}/x'"),
        "not set": PPO + on("rollout_tq"),
    },
)

test_relative_dump_dir_speaks = speaks(
    "relative-dump-dir",
    {
        "a name": on("rollout", dump_dir="d"),
        "with dots": on("rollout", dump_dir="../d"),
        "a number": on("rollout", dump_dir="5"),
        "empty": on("rollout", dump_dir="''"),
    },
)

test_vanishing_dump_dir_quiet = quiet(
    "vanishing-dump-dir",
    {
        "elsewhere in /tmp": on("rollout", dump_dir="/tmp/d"),
        "a name that looks like it": on("rollout", dump_dir="/data/tmp/ray/session_1"),
    },
)

test_vanishing_dump_dir_speaks = speaks(
    "vanishing-dump-dir",
    {
        "latest": on("rollout", dump_dir="/tmp/ray/session_latest/x"),
        "the session itself": on("rollout", dump_dir="/tmp/ray/session_2026"),
    },
)

test_temporary_dump_dir_quiet = quiet(
    "temporary-dump-dir",
    {
        "shared": on("rollout", dump_dir="/data/d"),
        "session is another rule's": on("rollout", dump_dir="/tmp/ray/session_1"),
        "a name that looks like it": on("rollout", dump_dir="/tmpfs/d"),
    },
)

test_temporary_dump_dir_speaks = speaks(
    "temporary-dump-dir",
    {
        "old default": on("rollout", dump_dir="/tmp/rollout_dump"),
        "memory": on("rollout", dump_dir="/dev/shm/d"),
    },
)
