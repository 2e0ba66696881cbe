"""Growth: the time per byte as files get larger. Flat means that nothing is quadratic."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.table import Table, in_turns, milliseconds
from skip_config import migrate_text

YAML_BYTES = (10_000, 100_000, 1_000_000, 10_000_000, 49_000_000)
SCRIPT_LINES = (10, 100, 1_000, 10_000, 100_000)


def config(size: int) -> str:
    """A config of about `size` bytes with old settings in the middle and some long values, as large files have."""
    section = (
        "section{0}:\n  name: value\n  list: [1, 2, 3]\n  nested:\n    key: some words\n  prompt: "
        + "a word " * 200
        + "\n"
    )
    half = max(size // 2 // len(section), 1)
    before = "".join(section.format(number) for number in range(half))
    after = "".join(section.format(number) for number in range(half, 2 * half))
    old = "actor_rollout_ref:\n  rollout:\n    n: 8\n    skip:\n      enable: true\n      max_dump_step: 3\n"
    return before + old + after


def script(lines: int) -> str:
    """A launch script of about `lines` lines with old settings in the middle."""
    others = [f"echo value{number} >>log.txt\n" for number in range(max(lines - 5, 2))]
    half = len(others) // 2
    launch = (
        "python3 -m verl.trainer.main_ppo \\\n"
        "    actor_rollout_ref.rollout.skip.enable=True \\\n"
        "    actor_rollout_ref.rollout.skip.max_dump_step=3 \\\n"
        "    trainer.nnodes=1\n"
    )
    return "#!/bin/bash\n" + "".join(others[:half]) + launch + "".join(others[half:])


def run() -> Table:
    """Measure both kinds over the sizes."""
    rows = []
    for kind, sizes, make, name in (
        ("YAML", YAML_BYTES, config, "config.yaml"),
        ("shell", SCRIPT_LINES, script, "run.sh"),
    ):
        for size in sizes:
            text = make(size)
            seconds = _best(text, name)
            unit = f"{size} bytes" if kind == "YAML" else f"{size} lines"
            rows.append((kind, unit, milliseconds(seconds), f"{seconds / len(text) * 1e9:.0f} ns"))
    note = "`migrate_text`, verified, on one file with old settings in its middle."
    return Table("Growth", note, ("", "size", "time", "per byte"), rows)


def _best(text: str, name: str) -> float:
    def migrate() -> None:
        if not migrate_text(text, filename=name).changed:
            raise RuntimeError(f"{name} of {len(text)} bytes was not migrated")

    contestants: dict[str, Callable[[], object]] = {name: migrate}
    return in_turns(contestants, 1 if len(text) > 5_000_000 else 3)[name]
