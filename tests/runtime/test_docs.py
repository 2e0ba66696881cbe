"""The table of `docs/releases.md` is what the runtimes do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runtime.measure import table
from tests.runtime.real import Runtime

pytestmark = pytest.mark.runtime

RELEASES = Path(__file__).parents[2] / "docs" / "releases.md"


def test_table_of_releases(real: Callable[[str], Runtime]) -> None:
    assert table(real) in RELEASES.read_text(encoding="utf-8")


def test_zero_padded_directory(real: Callable[[str], Runtime]) -> None:
    """As `docs/fidelity.md` tells: verl lists `007` as step 7 and then stops because there is no `7`."""
    answer = real("0.9.1").ask({"ask": "zero_padded"})
    assert answer == {"listed": [7], "stopped": "FileNotFoundError"}
