"""Whole Python files before and after. A file whose name says so is migrated with `--unsafe`."""

from __future__ import annotations

from pathlib import Path

import pytest

from skip_config import migrate_text

GOLDEN = Path(__file__).parent / "python" / "golden"
NAMES = sorted(path.name.removesuffix(".before.py") for path in GOLDEN.glob("*.before.py"))


def _migrated(text: str, name: str) -> str:
    return migrate_text(text, filename=f"{name}.py", unsafe=name.startswith("unsafe")).text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_file_comes_out_as_written(name: str, newline: str) -> None:
    before = (GOLDEN / f"{name}.before.py").read_text(encoding="utf-8").replace("\n", newline)
    after = (GOLDEN / f"{name}.after.py").read_text(encoding="utf-8").replace("\n", newline)
    assert _migrated(before, name) == after


@pytest.mark.parametrize("name", NAMES)
def test_what_came_out_stays(name: str) -> None:
    after = (GOLDEN / f"{name}.after.py").read_text(encoding="utf-8")
    assert _migrated(after, name) == after


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("unsafe")])
def test_unsafe_ones_wait_for_the_word(name: str) -> None:
    before = (GOLDEN / f"{name}.before.py").read_text(encoding="utf-8")
    migration = migrate_text(before, filename=f"{name}.py")
    assert not migration.changed
    assert [(one.severity.value, one.fix and one.fix.value) for one in migration.diagnostics] == [("error", "unsafe")]
