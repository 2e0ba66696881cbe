"""The defaults that lie under a file, against the config that verl ships."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from skip_config.layers import base
from skip_config.legacy import MISSING
from tests.wheel_cache import MANAGER_RELEASES, wheel

pytestmark = pytest.mark.wheels

DIFFERS = {("0.9.0", ("algorithm", "filter_groups", "metric"))}
"""verl 0.9.0 has null there, so that the filter needs a metric of the user's."""


@pytest.mark.parametrize("version", MANAGER_RELEASES)
def test_every_value_is_the_one_of_the_wheel(version: str) -> None:
    """Interpolations aside, each default that a rule may ask for stands so in the generated config."""
    path = wheel(version) / "verl" / "trainer" / "config" / "_generated_ppo_trainer.yaml"
    shipped = yaml.safe_load(path.read_text(encoding="utf-8"))
    pending: list[tuple[tuple[str, ...], Any]] = [((), base("ppo_trainer").data)]
    seen = 0
    while pending:
        where, value = pending.pop()
        if isinstance(value, dict):
            pending += [((*where, key), inner) for key, inner in value.items()]
            continue
        real: Any = shipped
        for part in where:
            real = real.get(part, MISSING)
        seen += 1
        if (version, where) not in DIFFERS:
            assert real == value or "${" in str(real), where
    assert seen > 40
