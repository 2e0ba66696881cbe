"""A process that is killed leaves whole files only, and the next run finishes the work."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.reliability.tree import NEW, OLD, leftovers

pytestmark = pytest.mark.reliability

FILES = 50
RUNS = 300
PARTS = 6


def start(folder: Path, jobs: str) -> subprocess.Popen[bytes]:
    """Start to migrate the folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "skipcfg", "migrate", "--jobs", jobs, str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def told(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """The exit code and the messages of a process, which has to end soon."""
    _, messages = process.communicate(timeout=30)
    return process.returncode, messages.decode()


@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_random_points(part: int, tmp_path: Path) -> None:
    """Killed at a random moment, every file is wholly old or wholly new; the next run leaves no temporary file."""
    chance = random.Random(part)
    between = 0
    files = [tmp_path / f"{number}.yaml" for number in range(FILES)]
    for file in files:
        file.write_text(OLD)
    begin = time.monotonic()
    assert told(start(tmp_path, "1"))[0] == 0
    whole = time.monotonic() - begin
    for _ in range(RUNS // PARTS):
        for file in files:
            file.write_text(OLD)
        process = start(tmp_path, chance.choice("12"))
        time.sleep(chance.uniform(0.3, 1.0) * whole)
        process.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        assert "Traceback" not in told(process)[1]
        texts = [file.read_text() for file in files]
        assert set(texts) <= {OLD, NEW}
        between += 0 < texts.count(NEW) < FILES
        assert told(start(tmp_path, "1"))[0] == 0
        assert {file.read_text() for file in files} == {NEW}
        assert not leftovers(tmp_path)
    assert between, "no kill hit the time in which files are written"
    print(f"{RUNS // PARTS} kills survived, {between} of them in the middle of the work")
