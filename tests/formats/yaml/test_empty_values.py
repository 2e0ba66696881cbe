"""A value that is not written belongs behind the colon of its key, wherever the parser puts it."""

from __future__ import annotations

import pytest

from skip_config import migrate_text
from skip_config.formats.yaml.tree import parse

WRITTEN = {
    "in brackets, on a line of its own": ('{\n  "a":\n}\n', 8),
    "in brackets, before another": ("{a: , b: 1}\n", 3),
    "in a block": ("a:\nb: 1\n", 2),
    "a key alone": ("{? a}\n", 4),
}


@pytest.mark.parametrize(("text", "offset"), WRITTEN.values(), ids=WRITTEN)
def test_place_of_nothing(text: str, offset: int) -> None:
    """The colon is part of the pair."""
    root = parse(text)[0].root
    assert root is not None
    assert root.pairs[0][1].end == offset


def test_an_old_key_without_value_goes_with_its_colon() -> None:
    """What is left loads."""
    text = '{\n  "actor_rollout_ref": {\n    "rollout": {\n      "n": 4,\n      "skip_rollout":\n    }\n  }\n}\n'
    migration = migrate_text(text, filename="config.yaml")
    assert '"n": 4\n    }' in migration.text
    assert "result-not-verified" not in {one.name for one in migration.diagnostics}
