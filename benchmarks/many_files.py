"""Many files: 2,000 copies of real ones, in one process and in two."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.one_file import generated
from benchmarks.table import Table

COPIES = 2000
VERSIONS = ("0.6.1", "0.7.1", "0.8.0")


def peak_and_time(command: list[str], folder: Path) -> tuple[float, float]:
    """Peak memory in MiB of the largest process, and wall time in seconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss / 1024, time.perf_counter() - start


def run() -> Table:
    """Migrate the same tree with one job and with two."""
    rows = []
    times: dict[str, float] = {}
    for jobs in ("1", "2"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for number in range(COPIES):
                version = VERSIONS[number % len(VERSIONS)]
                place = folder / str(number // 100)
                place.mkdir(exist_ok=True)
                shutil.copyfile(generated(version), place / f"_generated_{number}.yaml")
            command = [sys.executable, "-m", "skipcfg", "migrate", "--jobs", jobs, "."]
            peak, times[jobs] = peak_and_time(command, folder)
        speed = COPIES / times[jobs]
        rows.append((f"`--jobs {jobs}`", f"{times[jobs]:.1f} s", f"{speed:.0f}", f"{peak:.0f} MiB"))
    note = (
        f"{COPIES} copies of the generated files of verl {', '.join(VERSIONS)}, read, migrated, verified and written "
        f"to disk. Two jobs are {times['1'] / times['2']:.2f} times as fast as one."
    )
    return Table("Many files", note, ("", "time", "files per second", "peak memory of the main process"), rows)
