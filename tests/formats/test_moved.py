"""How several keys are named together."""

import pytest

from skip_config.formats.moved import in_braces

NAMED = {
    "one": (["a.b.c"], "a.b.c"),
    "of one parent": (["a.b.c", "a.b.d"], "a.b.{c,d}"),
    "of two parents": (["a.c", "a.b.d", "a.e"], "a.{c,e}, a.b.d"),
    "twice the same": (["a.b", "a.b"], "a.b"),
}


@pytest.mark.parametrize(("keys", "text"), NAMED.values(), ids=NAMED)
def test_in_braces(keys: list[str], text: str) -> None:
    assert in_braces(keys) == text
