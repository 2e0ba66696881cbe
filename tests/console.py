"""Run the commands of a page of the docs, in order, and compare what they print."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from skipcfg.app import run as skipcfg

_BLOCK = re.compile(r"^```(console|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"[|<>;&$`*~]")


class Command(NamedTuple):
    """One command of a page.

    Args:
        line: What is typed behind `$`.
        output: What is shown below it.
    """

    line: str
    output: str


class File(NamedTuple):
    """A file of a page: a YAML block whose first line is a comment with its name."""

    name: str
    text: str


def steps(page: str) -> list[Command | File]:
    """The files and commands of a page, in order."""
    found: list[Command | File] = []
    for kind, body in _BLOCK.findall(page):
        if kind == "yaml":
            name = re.match(r"# (\S+\.yaml)\n", body)
            found += [File(name[1], body)] if name else []
        else:
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, output = part.partition("\n")
                found.append(Command(line, output))
    return found


def run(command: str, folder: Path, paths: list[Path]) -> str:
    """What a command prints, on both streams.

    Args:
        command: For the shell; `python` and `skipcfg` are those of the tests.
        folder: Where it runs.
        paths: Packages for it, beside those of the tests.
    """
    shims = folder / ".bin"
    shims.mkdir(exist_ok=True)
    for name, start in (("python", ""), ("skipcfg", "-m skipcfg ")):
        (shims / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {start}"$@"\n')
        (shims / name).chmod(0o755)
    python_path = os.pathsep.join([*map(str, paths), *(path for path in sys.path if path)])
    env = {**os.environ, "PATH": f"{shims}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": python_path}
    env |= {"PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "120"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def agrees(shown: str, printed: str) -> bool:
    """Whether the page shows what was printed; `...` stands for anything, blank lines do not count."""
    want, got = ("".join(f"{line}\n" for line in text.splitlines() if line.strip()) for text in (shown, printed))
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


def run_here(command: str, folder: Path) -> str:
    """What a command of skipcfg prints, on both streams, without a process of its own.

    Args:
        command: `skipcfg ...`; one that needs a shell gets one.
        folder: Where it runs.
    """
    if _SHELL.search(command):
        return run(command, folder, [])
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    before = Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            skipcfg(shlex.split(command)[1:])
    finally:
        os.chdir(before)
    return raw.getvalue().decode()
