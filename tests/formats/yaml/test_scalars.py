"""Scalars mean what OmegaConf's own loader makes of them."""

from __future__ import annotations

import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skip_config.formats.yaml.scalars import is_text, scalar, setting
from skip_config.formats.yaml.tree import parse
from skip_config.legacy import Opaque
from tests import yaml_oracle

# fmt: off
WRITTEN = [
    "yes", "Yes", "YES", "no", "off", "On", "y", "n", "Y", "true", "True", "TRUE", "tRUE", "false",
    "~", "null", "Null", "NULL", "nULL",
    "0", "-0", "+1", "1_000", "010", "0o10", "08", "0x1F", "0b101", "1:30", "190:20:30", "-1:30.5", "0x", "1__0", "_1",
    "0.0", "1.", ".5", "1e3", "1E3", "1e+3", "1.5e-3", "-1.5e3", "1_0.5", "1_0e3", ".5e+3", "+.5", "-.5", "12e",
    "1.2.3", ".inf", "-.inf", "+.Inf", ".nan", ".NaN", "nan", "inf",
    "2020-01-01", "2020-01-01T00:00:00Z", "???", "${a}", "/data/x", "~/x", "a:b", "c#d",
]
# fmt: on


def same(one: object, other: object) -> bool:
    both_nan = isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
    return type(one) is type(other) and (one == other or both_nan)


def read(text: str) -> object:
    node = parse(f"a: {text}\n")[0].root
    assert node is not None
    return scalar(node.pairs[0][1])


@pytest.mark.parametrize("text", WRITTEN)
def test_plain(text: str) -> None:
    """Plain scalars, one by one."""
    assert same(read(text), yaml_oracle.documents(f"a: {text}\n")[0]["a"])


@pytest.mark.parametrize("tag", ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!binary", "!own"])
@pytest.mark.parametrize("text", ["010", "yes", "1.5", "~", "2020-01-01", "aGk=", "word"])
def test_tagged(tag: str, text: str) -> None:
    """With a tag: the same value, or refused by both."""
    written = f"{tag} {text}"
    try:
        wanted = yaml_oracle.documents(f"a: {written}\n")[0]["a"]
    except (yaml.YAMLError, ValueError, KeyError, AttributeError):
        with pytest.raises(ValueError, match="cannot be read"):
            read(written)
    else:
        assert same(read(written), wanted)


@pytest.mark.parametrize("text", WRITTEN)
@pytest.mark.parametrize("quote", ["'", '"'])
def test_quoted(text: str, quote: str) -> None:
    """In quotes everything is a text."""
    assert read(f"{quote}{text}{quote}") == text


@given(st.text("0123456789_.:eE+-xboaftnxyINnulsr~=<", min_size=1, max_size=8))
def test_any_plain_scalar(text: str) -> None:
    """Numbers, words and what lies between them."""
    try:
        wanted = yaml_oracle.documents(f"a: {text}\n")[0]
    except (yaml.YAMLError, ValueError):
        return
    if isinstance(wanted, dict) and not isinstance(wanted.get("a"), (dict, list)):
        assert same(read(text), wanted["a"])
        assert is_text(text) == isinstance(wanted["a"], str)


OPAQUE = ["${a}", "'${a.b}/c'", "???", "\\${a}"]


@pytest.mark.parametrize("text", OPAQUE)
def test_only_the_composed_config_knows(text: str) -> None:
    """Interpolations and `???` are no values yet."""
    root = parse(f"a: {text}\n")[0].root
    assert root is not None
    assert isinstance(setting(root.pairs[0][1]), Opaque)
