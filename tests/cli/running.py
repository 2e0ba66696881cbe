"""Run the command line as a user does."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from skipcfg.app import run

ROOT = Path(__file__).parents[2]
OLD = """\
actor_rollout_ref:
  rollout:
    n: 4
    # replay
    skip:
      enable: true
      dump_dir: /data/dump
trainer:
  use_v1: true
"""
NEW = """\
actor_rollout_ref:
  rollout:
    n: 4
trainer:
  use_v1: true
# replay
skip:
  rollout_tq:
    enable: true
    dump_dir: /data/dump
    steps: [1]
"""
UNDECIDED = "actor_rollout_ref:\n  rollout:\n    skip_rollout: true\n"


class Ran(NamedTuple):
    """What a run left: its exit code and its two outputs."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output, which must be one JSON object."""
        report: dict[str, Any] = json.loads(self.out)
        return report

    @property
    def findings(self) -> list[tuple[str, str]]:
        """Path and name of every finding of the JSON report."""
        return [(file["path"], one["name"]) for file in self.json["files"] for one in file["diagnostics"]]


Skipcfg = Callable[..., Ran]


def in_process(capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Skipcfg:
    """`skipcfg` in this process."""

    def call(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capture.readouterr()
        code = run(arguments)
        out, err = capture.readouterr()
        return Ran(code, out.decode(errors="surrogateescape"), err.decode())

    return call


def as_program(*arguments: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """`python -m skipcfg` with nothing of this process but the folder."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "cli")])} | variables
    command = [sys.executable, "-m", "skipcfg", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)
