"""Print the table of `docs/releases.md`: what each setting makes the real runtimes do.

Run as `PYTHONPATH=.:cli:tests python tests/runtime/measure.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from skip_config.legacy import LegacySkip
from tests.runtime.real import NEWEST, Outcome, Refusal, Runtime
from tests.settings import NewCase, composed, new_yaml, old_yaml

OLD = [
    ("0.7.1", "flat, on", LegacySkip("flat", True, "@DIRECTORY@"), 4),
    *(
        ("0.8.0", f"`{action}`, `max_dump_step` {count}", LegacySkip("nested", True, "@DIRECTORY@", count, action), 6)
        for action in ("cache", "repeat", "repeat_last")
        for count in (3, 1, 0)
    ),
]
NEW = [
    ("`cache`, steps 1 to 3", NewCase(True, (1, 2, 3), "cache", 6, {})),
    ("`repeat`, steps 1 to 6", NewCase(True, (1, 2, 3, 4, 5, 6), "repeat", 6, {})),
    ("`repeat`, steps 3 to 6", NewCase(True, (3, 4, 5, 6), "repeat", 6, {})),
    ("`repeat`, no steps", NewCase(True, (), "repeat", 6, {})),
    (
        "`repeat`, steps 1 to 6, dumps 1 to 3 are there",
        NewCase(True, (1, 2, 3, 4, 5, 6), "repeat", 6, {1: 1, 2: 2, 3: 3}),
    ),
]


def table(real: Callable[[str], Runtime]) -> str:
    """The table in Markdown."""
    lines = ["| verl | setting | first run | rerun |", "|---|---|---|---|"]
    for version, name, old, total_steps in OLD:
        [outcome] = real(version).two_runs([old_yaml(composed(old))], [total_steps], [{}])
        lines.append(_line(version, name, outcome))
    for name, case in NEW:
        [outcome] = real(NEWEST).two_runs([new_yaml("rollout", case)], [case.total_steps], [case.dumps])
        lines.append(_line(NEWEST, name, outcome))
    return "\n".join(lines) + "\n"


def _line(version: str, name: str, outcome: Outcome | Refusal) -> str:
    if isinstance(outcome, Refusal):
        return f"| {version} | {name} | does not start | |"
    first, rerun = (" ".join(map(str, batches)) for batches in outcome.batches)
    return f"| {version} | {name} | {first} | {rerun} |"


if __name__ == "__main__":
    runtimes = {version: Runtime(version) for version in ("0.7.1", "0.8.0", NEWEST)}
    print(table(runtimes.__getitem__), end="")
    for runtime in runtimes.values():
        runtime.close()
