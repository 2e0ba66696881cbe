"""`validate` reports an error exactly where the real manager raises, and both hold equal values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.parity import disagreement
from tests.runtime.real import NEWEST, Runtime
from tests.skip_blocks import draw

pytestmark = pytest.mark.runtime

DRAWS = 20_000
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_drawn_blocks(real: Callable[[str], Runtime], part: int) -> None:
    seeds = range(DRAWS * part // PARTS, DRAWS * (part + 1) // PARTS)
    questions = [{"ask": "accept", "config": draw(seed)} for seed in seeds]
    answers = real(NEWEST).start_all(questions)
    before = real("0.9.0").start_all(questions)
    wrong: dict[int, object] = {}
    refused = 0
    # Both releases work on a bunch while we say what we think of it.
    for seed, answer, old_answer in zip(seeds, answers, before, strict=True):
        why = disagreement(draw(seed), answer)
        refused += "refused" in answer
        if why or answer != old_answer:
            wrong[seed] = why or (answer, old_answer)
    assert wrong == {}
    assert len(seeds) // 4 < refused < len(seeds) * 3 // 4, "both kinds are drawn in numbers"
