"""Runs that are stopped, run side by side, or lose their reader: whole files, one line, nothing left behind."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.reliability.tree import NEW, OLD, leftovers

pytestmark = pytest.mark.reliability

FILES = 1500
COMMAND = [sys.executable, "-m", "skipcfg", "migrate"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(FILES):
        folder = tmp_path / str(number % 20)
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.yaml").write_text(OLD)
    return tmp_path


def texts(tree: Path) -> list[str]:
    return [file.read_text() for file in tree.rglob("*.yaml")]


def started(tree: Path, jobs: str) -> subprocess.Popen[str]:
    """A run in a group of its own that has rewritten some files."""
    process = subprocess.Popen(
        [*COMMAND, "--jobs", jobs, str(tree)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while texts(tree / "0").count(NEW) < 3:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process


def of_group(number: int) -> list[int]:
    """The processes of a group that are alive."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = place.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(group) == number and state != "Z":
            found.append(int(place.parent.name))
    return found


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("whole_group", [True, False], ids=["terminal", "kill"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_stopped_by_a_signal(tree: Path, number: signal.Signals, whole_group: bool, jobs: str) -> None:
    """Within a second or so, with one line and the exit code of the signal, and no process stays."""
    process = started(tree, jobs)
    (os.killpg if whole_group else os.kill)(process.pid, number)
    began = time.monotonic()
    _, told = process.communicate(timeout=20)
    assert time.monotonic() - began < 3  # other tests run beside this one
    assert process.returncode == 128 + number
    assert told == "error: interrupted; each file is wholly as it was or wholly migrated, so run it again\n"
    assert set(texts(tree)) == {OLD, NEW}
    assert not leftovers(tree)
    assert not of_group(process.pid)


def test_workers_end_with_the_run(tree: Path) -> None:
    """Also when it is killed and can tell them nothing."""
    process = started(tree, "2")
    process.kill()
    process.communicate(timeout=20)
    until = time.monotonic() + 10
    while of_group(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not of_group(process.pid)


def test_a_worker_that_is_killed(tree: Path) -> None:
    """As by the system when memory is short: an error for the files it had, exit code 2, no traceback."""
    process = started(tree, "2")
    (worker, *_) = [one for one in of_group(process.pid) if one != process.pid and _runs_python(one)]
    os.kill(worker, signal.SIGKILL)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "its process was killed" in told
    assert "Traceback" not in told
    assert set(texts(tree)) == {OLD, NEW}


def _runs_python(process: int) -> bool:
    return b"resource_tracker" not in Path(f"/proc/{process}/cmdline").read_bytes()


def test_two_runs_at_once(tree: Path) -> None:
    """Both end well: what one finds done by the other is done."""
    runs = [
        subprocess.Popen([*COMMAND, "-j", jobs, tree], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for jobs in "12"
    ]
    told = [run.communicate(timeout=120)[1].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], told
    assert set(texts(tree)) == {NEW}
    assert not leftovers(tree)


def test_a_reader_that_goes(tree: Path) -> None:
    """As in `| head`: no traceback, nothing written."""
    run = subprocess.run(
        f"{' '.join(COMMAND)} --diff {tree} 2>{tree}/told | head -n 1", shell=True, capture_output=True, check=False
    )
    assert run.stdout.startswith(b"--- a/")
    assert "Traceback" not in (tree / "told").read_text()
    assert set(texts(tree)) == {OLD}


def test_output_that_cannot_be_written(tree: Path) -> None:
    """A full disk under standard output is an error; a closed one is what was asked for."""
    run = subprocess.run(
        f"{' '.join(COMMAND)} --diff {tree / '0'} >/dev/full", shell=True, capture_output=True, check=False
    )
    assert run.returncode == 2
    last = run.stderr.splitlines()[-1]
    assert last.startswith(b"error: the result cannot be written: no space left on device")
    closed = subprocess.run(
        f"{' '.join(COMMAND)} --diff {tree / '0'} 2>&-", shell=True, capture_output=True, check=False
    )
    assert closed.stdout.startswith(b"--- a/")
    assert b"note[" not in closed.stdout
    assert subprocess.run(f"{' '.join(COMMAND)} --diff {tree / '0'} >&-", shell=True, check=False).returncode == 0


def test_progress_on_a_terminal_only(tree: Path) -> None:
    """A long run counts files on a terminal; a pipe gets the words and no more."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--check", "--jobs", "1", tree],
        stdout=subprocess.DEVNULL,
        stderr=side,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(side)
    shown = b""
    try:
        while piece := os.read(main, 4096):
            shown += piece
    except OSError:  # how a terminal says that its last program has gone
        pass
    os.close(main)
    assert process.wait() == 1
    assert b" files" in shown
    assert b"\x1b[" in shown
    piped = subprocess.run([*COMMAND, "--check", "--jobs", "1", tree], capture_output=True, check=False)
    assert piped.stderr.count(b"\n") == 2
    assert b"\x1b" not in piped.stderr
