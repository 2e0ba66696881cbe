"""Start-up: what a user waits for before anything happens."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.one_file import generated
from benchmarks.table import Table, in_turns, milliseconds, ratio

HELLO = '''\
import typer

app = typer.Typer()


@app.command()
def hello(name: str = "world") -> None:
    """Say hello."""
    print(f"hello {name}")


app()
'''
CONFIG = """\
defaults: [ppo_trainer, _self_]
skip:
  rollout_tq:
    enable: true
    dump_dir: /data/rollouts
    steps: [1, 2]
"""


def run() -> Table:
    """Time whole processes."""
    with tempfile.TemporaryDirectory() as folder:
        hello, config = Path(folder) / "hello.py", Path(folder) / "one.yaml"
        hello.write_text(HELLO)
        config.write_text(CONFIG)
        large = generated("0.9.1")
        lines = len(large.read_text(encoding="utf-8").splitlines())

        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")  # as pip leaves an installed program

        def process(*arguments: str) -> None:
            subprocess.run(
                [sys.executable, *arguments],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
            )

        contestants = {
            "`python -c pass`": lambda: process("-c", "pass"),
            "hello-world Typer program, `--help`": lambda: process(str(hello), "--help"),
            "hello-world Typer program": lambda: process(str(hello)),
            "`skipcfg --help`": lambda: process("-m", "skipcfg", "--help"),
            "`skipcfg migrate --check one.yaml`": lambda: process("-m", "skipcfg", "migrate", "--check", str(config)),
            "`skipcfg validate one.yaml`": lambda: process("-m", "skipcfg", "validate", str(config)),
            f"`skipcfg validate`, {lines} lines": lambda: process("-m", "skipcfg", "validate", str(large)),
        }
        best = in_turns(contestants, 15)
    help_page, plain = best["hello-world Typer program, `--help`"], best["hello-world Typer program"]
    bare = best["`python -c pass`"]
    rows = [
        (name, milliseconds(seconds), ratio(seconds, help_page if "--help" in name else plain), ratio(seconds, bare))
        for name, seconds in best.items()
    ]
    note = "Whole processes, best of 15; a help page is compared with a help page, a run with a run."
    return Table("Start-up", note, ("", "time", "against hello world", "against `python -c pass`"), rows)
