"""A few of the inputs that `python -m tests.fuzz` tries by the million."""

from __future__ import annotations

from skip_config.formats import KINDS, kind_of
from tests.fuzz.engine import Record, fuzz
from tests.fuzz.seeds import seeds

NOT_PROMISED = ("not verified", "twice")
"""What leaves the file as it was and says so, or what the tests of each format are about."""


def test_every_kind_has_seeds() -> None:
    """A format that is added is fuzzed too."""
    assert {kind_of(seed.name, seed.text) for seed in seeds()} == set(KINDS)


def test_mutants() -> None:
    """No exception, no hang, no memory for any of them."""
    record = Record()
    fuzz(seeds(), 0, 600, record)
    assert record.tried == 600
    assert record.rewritten > 100
    assert not [problem for what, problem in record.problems.items() if not what.startswith(NOT_PROMISED)]
