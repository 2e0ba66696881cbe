"""`docs/rollout-cache.md`: every command in it prints what stands below it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from skipcfg.app import run

from skip_config.rollout_cache import layout
from tests.documented import DOCS, examples_of, files_of
from tests.dump_trees import PARAMETERS, flat_dump, manager_step, nested_step, write

TEXT = (DOCS / "rollout-cache.md").read_text(encoding="utf-8")


def test_commands_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    flat = tmp_path / "flat"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    for name, text in files_of(TEXT).items():
        (home / name).write_text(text.replace("/tmp/rollout_dump", str(flat)))
    place = home / "dumps" / "demo_docs" / PARAMETERS
    manager_step(place, 1)
    manager_step(place, 2)
    write(place / "3", layout.GEN_BATCH)
    for step in (1, 2, 3):
        nested_step(home / "old-dumps" / "demo_docs" / PARAMETERS, step)
    flat_dump(flat, "__GBS4__N2")
    examples = examples_of(TEXT)
    assert len(examples) == 6
    for example in examples:
        assert run([os.path.expanduser(argument) for argument in example.arguments]) == 0
        printed = capsys.readouterr().out.replace(str(flat), "/tmp/rollout_dump").replace(str(home), "/home/you")
        assert re.sub(r"\d+ seconds? old", "0 seconds old", printed) == example.output
