"""Runnable scripts, one for each way in which people pass overrides, run before and after the migration."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skip_config.migrate import migrate_source
from skip_config.request import Request
from skip_config.source import Source
from tests.formats.shell_oracle import Run, difference, launched, readable_by_bash, stand_ins

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.sh"))


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")


def requested(text: str) -> Request:
    total = re.search(r"^#: total-steps (\d+)", text, re.MULTILINE)
    return Request(total_steps=int(total[1]) if total else None, unsafe="#: unsafe" in text)


def runs(text: str) -> list[Run]:
    """`#: env A=b` and `#: args x y` each stand for one run."""
    found = []
    for match in re.finditer(r"^#: (env|args)(.*)$", text, re.MULTILINE):
        words = match[2].split()
        found.append(Run(args=words) if match[1] == "args" else Run(dict(word.split("=", 1) for word in words)))
    return found or [Run()]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_launchers_get_the_translated_settings_and_nothing_else_changes(
    path: Path, programs: Path, tmp_path: Path
) -> None:
    source = Source.decode(path.read_bytes(), path.name)
    request = requested(source.text)
    migration = migrate_source(source, request)
    assert migration.changed, [one.message for one in migration.diagnostics]
    assert readable_by_bash(migration.text, tmp_path)
    for run in runs(source.text):
        before = launched(source.text, run, programs, tmp_path / "run")
        after = launched(migration.text, run, programs, tmp_path / "run")
        assert before, "the script launched nothing: it proves nothing"
        assert difference(before, after, request) is None
    again = migrate_source(migration.result, request)
    assert not again.changed, "twice is not the same as once"


def test_there_are_scripts_enough() -> None:
    assert len(SCRIPTS) >= 60
