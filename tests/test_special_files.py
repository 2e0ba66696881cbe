"""Pipes, sockets, devices, links in circles, odd names: told or passed by, never waited for."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from skip_config import files, reading
from skip_config.files import Candidate, PathError

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")

OLD = "actor_rollout_ref:\n  rollout:\n    skip_rollout: false\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.yaml")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.yaml")
    Path("pipe-link.yaml").symlink_to("pipe.yaml")
    Path("zero.yaml").symlink_to("/dev/zero")
    Path("itself.yaml").symlink_to("itself.yaml")
    Path("gone.yaml").symlink_to("nowhere")
    Path("around").symlink_to(".")
    Path("up").symlink_to(f"../{tmp_path.name}")
    Path("folder.yaml").mkdir()
    Path("folder.yaml/a.yaml").write_text(OLD)


def skipcfg(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "skipcfg", *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_walk_passes_them_by() -> None:
    assert [one.found.shown for one in files.candidates(["."]) if isinstance(one, Candidate)] == ["folder.yaml/a.yaml"]


NAMED = ["pipe.yaml", "socket.yaml", "pipe-link.yaml", "zero.yaml", "itself.yaml", "gone.yaml"]


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("command", ["migrate", "validate", "plan", "trace"])
def test_named_ones_are_errors(command: str, name: str) -> None:
    ran = skipcfg(command, name)
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"error: {name}: ".encode())
    assert b"Traceback" not in ran.stderr


def test_an_ignore_file_that_is_a_pipe_ignores_nothing() -> None:
    os.mkfifo(".gitignore")
    Path("pyproject.toml").symlink_to("pipe.yaml")
    assert skipcfg("validate", ".").returncode == 1


def test_a_pipe_that_takes_the_place_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the file and its opening."""
    Path("a.yaml").write_text(OLD)
    regular = os.stat("a.yaml")
    monkeypatch.setattr(reading.os, "stat", lambda path: regular)
    with pytest.raises(OSError, match="not a file"):
        reading.read_regular("pipe.yaml")


def test_a_file_that_goes_while_its_folder_is_walked() -> None:
    """A walk says nothing about it; who named it is told."""
    for name in "abc":
        Path(f"{name}.yaml").write_text(OLD)
    steps = files.candidates(["."])
    first = next(steps)
    assert isinstance(first, Candidate)
    os.unlink("b.yaml")
    assert [one.found.shown for one in steps if isinstance(one, Candidate)] == ["c.yaml", "folder.yaml/a.yaml"]
    steps = files.candidates(["a.yaml", "c.yaml"])
    next(steps)
    os.unlink("c.yaml")
    assert [type(one) for one in steps] == [PathError]


def test_a_file_of_many_gigabytes() -> None:
    """Its size is looked at before its content."""
    with open("large.log", "wb") as file:
        file.truncate(50_000_000_000)
    assert all(isinstance(one, Candidate) for one in files.candidates(["."]))
    (error,) = files.candidates(["large.log"])
    assert str(error) == "large.log: larger than the 100 mb that are read"


ODD = [
    b"not-utf-8-\xff\xfe.yaml",
    b"red-\x1b[31m.yaml",
    b"csi-\xc2\x9b31m.yaml",
    b"two\n::error::lines.yaml",
    b"-rf.yaml",
    "right-to-left-\u202eyaml.yaml".encode(),
]


@pytest.mark.parametrize("output", ["text", "json", "github", "sarif"])
@pytest.mark.parametrize("command", ["migrate", "validate"])
def test_names_that_would_steer_a_terminal(command: str, output: str) -> None:
    """No format prints them as they are, nor breaks on them."""
    for name in ODD:
        with open(name, "w") as file:
            file.write(OLD.replace("false", '"\\e[31m"') + "#\x1b[31m\n" * (name == ODD[1]))
    arguments = [command, *(["--check"] if command == "migrate" else []), "--format", output, "."]
    ran = skipcfg(*arguments)
    assert ran.returncode == 1, ran.stderr
    printed = (ran.stdout + ran.stderr).decode("utf-8", "surrogateescape")
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed)
    assert "\n::error::lines" not in printed
    assert "./-rf.yaml" in printed
    assert b"Traceback" not in ran.stderr
