"""Drawn `skip` blocks, put to the manager out of the wheels with torch stubbed: the quick form of the parity suite."""

from __future__ import annotations

import pytest

from tests.parity import disagreement, start
from tests.skip_blocks import draw
from tests.stubbed_verl import manager_of
from tests.wheel_cache import MANAGER_RELEASES

pytestmark = pytest.mark.wheels

DRAWS = range(1_500)


@pytest.mark.parametrize("version", MANAGER_RELEASES)
def test_validate_says_what_the_manager_says(version: str) -> None:
    """An error exactly where it raises, and equal values where both accept."""
    manager = manager_of(version).manager
    answers = {seed: start(manager, draw(seed)) for seed in DRAWS}
    wrong = {seed: why for seed, answer in answers.items() if (why := disagreement(draw(seed), answer))}
    assert wrong == {}
    refused = sum("refused" in answer for answer in answers.values())
    assert len(DRAWS) // 4 < refused < len(DRAWS) * 3 // 4, "both kinds are drawn in numbers"
