"""Whole scripts before and after, as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from skip_config.migrate import migrate_text

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.before.sh"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.partition(".")[0])
def test_a_whole_script(path: Path) -> None:
    after = path.with_name(path.name.replace(".before.", ".after."))
    migration = migrate_text(path.read_text(encoding="utf-8"), filename="run.sh")
    assert migration.text == after.read_text(encoding="utf-8")
    assert not migrate_text(migration.text, filename="run.sh").changed
