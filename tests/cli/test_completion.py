"""Shell completion, typed into the shells that are here: bash everywhere, zsh and fish where they are installed."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import ROOT

TYPED = {
    "skipcfg mig": "skipcfg migrate",
    "skipcfg migrate --uns": "skipcfg migrate --unsafe",
    "skipcfg migrate --role asy": "skipcfg migrate --role async_rollout",
    "skipcfg explain too-m": "skipcfg explain too-many-steps",
    "skipcfg migrate conf": "skipcfg migrate config.yaml",
}
"""What is typed before the tabulator, and what stands there after it."""

SET_UP = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        'source /dev/stdin <<< "$(_SKIPCFG_COMPLETE=source_bash skipcfg)"',
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -U compinit; compinit -u -D; bindkey '^I' complete-word; "
        'eval "$(_SKIPCFG_COMPLETE=source_zsh skipcfg)"',
    ),
}
HERE = [shell for shell in ("bash", "zsh", "fish") if shell == "bash" or shutil.which(shell)]
SECONDS = 60
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])|.\x08|\r")


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`skipcfg` as a program on the path, in a folder with a file to complete."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "skipcfg").write_text(f'#!/bin/sh\nexec {sys.executable} -m skipcfg "$@"\n')
    (folder / "skipcfg").chmod(0o755)
    (tmp_path / "config.yaml").write_text("a: 1\n")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "cli")]))
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("HOME", str(tmp_path))


class Terminal:
    """An interactive shell."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def wait_for(self, text: str) -> str:
        """What is shown, without escapes, once `text` is among it or nothing comes any more."""
        seen = b""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if select.select([self._descriptor], [], [], 0.2)[0]:
                seen += os.read(self._descriptor, 65536)
            shown = _ESCAPES.sub("", seen.decode(errors="replace"))
            if text in shown:
                return shown
        return _ESCAPES.sub("", seen.decode(errors="replace"))


@contextmanager
def terminal(command: list[str]) -> Iterator[Terminal]:
    child, descriptor = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    try:
        yield Terminal(descriptor)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(descriptor)


@pytest.mark.parametrize("shell", HERE)
def test_typed_into_a_shell(shell: str) -> None:
    """The tabulator completes commands, options, their values, names of diagnostics, and files."""
    if shell == "fish":
        asked = "; echo; ".join(f"complete -C '{typed}'" for typed in TYPED)
        script = f"_SKIPCFG_COMPLETE=source_fish skipcfg | source; {asked}"
        done = subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=True)
        offered = {line.split("\t")[0] for line in done.stdout.splitlines()}
        assert {line.split()[-1] for line in TYPED.values()} <= offered
        return
    command, set_up = SET_UP[shell]
    with terminal(command) as shown:
        shown.type(f"{set_up}\necho rea''dy\n")
        assert "ready" in shown.wait_for("\nready")
        for typed, expected in TYPED.items():
            shown.type(f"{typed}\t")
            assert expected in shown.wait_for(expected)
            shown.type("\x15")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(shell: str) -> None:
    """It names the program and asks it, also where the shell itself is not here to try."""
    done = subprocess.run(
        ["skipcfg"],
        env=os.environ | {"_SKIPCFG_COMPLETE": f"source_{shell}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"_SKIPCFG_COMPLETE=complete_{shell}" in done.stdout
    assert re.search(r"^(complete|compdef) .*\bskipcfg\b", done.stdout, re.MULTILINE)
