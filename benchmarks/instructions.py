"""Instructions of the one-file case, counted by callgrind: the same on a busy machine, so that 3 % can be seen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.one_file import generated
from benchmarks.table import Table

_TIMES = 10
_CALL = """\
import sys
from pathlib import Path
from benchmarks import one_file
text = Path(sys.argv[1]).read_text(encoding="utf-8")
for _ in range(int(sys.argv[3])):
    getattr(one_file, sys.argv[2])(text)
"""
_CONTESTANTS = {
    "skipcfg `migrate_text`, verified": "with_skipcfg",
    "yaml-edit (Rust), same edits, not verified": "with_yaml_edit",
    "ruamel.yaml load + edit + dump": "with_ruamel",
}


def run() -> Table:
    """Count what one call more costs, after the first has imported everything.

    Raises:
        FileNotFoundError: valgrind is not installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        counts = {name: _of_one_call(call, Path(folder)) for name, call in _CONTESTANTS.items()}
    ours = next(iter(counts.values()))
    rows = [(name, f"{count / 1e6:.1f} million", f"{ours / count:.2f}×") for name, count in counts.items()]
    note = "Counted by `valgrind --tool=callgrind`, which a busy machine does not disturb."
    return Table("Instructions of one file", note, ("", "instructions", "skipcfg against it"), rows)


def _of_one_call(call: str, folder: Path) -> float:
    return (_counted(call, 1 + _TIMES, folder) - _counted(call, 1, folder)) / _TIMES


def _counted(call: str, times: int, folder: Path) -> int:
    command = [sys.executable, "-c", _CALL, str(generated("0.8.0")), call, str(times)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'out'}", *command],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    total = re.search(r"Collected : (\d+)", done.stderr)
    if total is None:
        raise ValueError(done.stderr)
    return int(total[1])
