"""Whole files before and after. `golden/NAME.before.yaml` becomes `golden/NAME.after.yaml`, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from skip_config.migrate import Migration, migrate_source
from skip_config.request import Request
from skip_config.source import Source

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = sorted((Path(__file__).parents[3] / "docs" / "examples").glob("*.yaml"))
NAMES = sorted(path.name.removesuffix(".before.yaml") for path in GOLDEN.glob("*.before.yaml"))


def migrated(data: bytes, name: str) -> Migration:
    prefix = "_generated_" if name.startswith("gen") else ""
    return migrate_source(Source.decode(data, f"conf/{prefix}{name}.yaml"), Request())


@pytest.mark.parametrize("name", NAMES)
def test_before_becomes_after(name: str) -> None:
    """The file comes out as a person would have written it."""
    result = migrated((GOLDEN / f"{name}.before.yaml").read_bytes(), name)
    assert result.result.encode() == (GOLDEN / f"{name}.after.yaml").read_bytes()
    assert result.changed
    assert {one.severity.value for one in result.diagnostics} <= {"note"}


@pytest.mark.parametrize("name", NAMES)
def test_after_stays(name: str) -> None:
    """A migrated file is left as it is, without a word."""
    after = (GOLDEN / f"{name}.after.yaml").read_bytes()
    result = migrated(after, name)
    assert result.result.encode() == after
    assert not result.diagnostics


def test_every_pair_is_complete() -> None:
    """Each golden file has its counterpart."""
    assert {path.name for path in GOLDEN.iterdir()} == {
        f"{name}.{side}.yaml" for name in NAMES for side in ("before", "after")
    }


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_of_the_readme(path: Path) -> None:
    """They migrate without a question, or are new already."""
    result = migrate_source(Source.decode(path.read_bytes(), path.name), Request())
    assert {one.severity.value for one in result.diagnostics} <= {"note"}
