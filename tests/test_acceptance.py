"""`skip_config.acceptance` against OmegaConf itself, which the runtime converts with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from skip_config.acceptance import accepted, block_verdict, refusal, role_is_refused, target_is_refused
from skip_config.legacy import Opaque
from skip_config.releases import FIELDS, Field
from skip_config.schema import RolloutSkipConfig

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6).filter(lambda text: "${" not in text),
    st.sampled_from(["true", "YES", "on", "n", "1", " 1 ", "1_0", "0x10", "True ", "", "???", "cache", "repeat", "٣"]),
)
VALUES = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.text("ab", min_size=1), SCALARS, max_size=2)
)


def converted(name: Field, value: object) -> tuple[bool, Any]:
    """What OmegaConf and `__post_init__` make of a value."""
    try:
        merged = OmegaConf.merge(OmegaConf.structured(RolloutSkipConfig), OmegaConf.create({name: value}))
        return True, getattr(OmegaConf.to_object(merged), name)
    except (OmegaConfBaseException, ValueError):
        return False, None


@given(name=st.sampled_from(FIELDS), value=VALUES)
def test_same_as_omegaconf(name: Field, value: object) -> None:
    """A value is refused exactly where OmegaConf or the checks raise, and converted alike."""
    fits, expected = converted(name, value)
    assert (refusal(name, value) is None) == fits
    if fits:
        assert accepted(name, value) == expected
        assert type(accepted(name, value)) is type(expected)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ({"rollout": {}}, "block"),
        (None, "defaults"),
        ([], "defaults"),
        (0, "defaults"),
        ("", "defaults"),
        ("text", "ignored"),
        (5, "ignored"),
        (True, "ignored"),
        ([1], "refused"),
        (Opaque("???"), "refused"),
        (Opaque("${x}"), "unknown"),
    ],
)
def test_block(value: object, verdict: str) -> None:
    """Measured on `omega_conf_to_dataclass` of verl 0.9.1."""
    assert block_verdict(value) == verdict


@pytest.mark.parametrize("value", [None, [], [1], 5, "", "text", True])
def test_refused_roles(value: object) -> None:
    assert role_is_refused(value)


@pytest.mark.parametrize("value", [{}, Opaque("${x}"), Opaque("???"), "???"])
def test_accepted_roles(value: object) -> None:
    assert not role_is_refused(value)


@pytest.mark.parametrize(
    ("value", "refused"), [("x", False), (5, False), (1.5, False), (None, True), ([1], True), ({}, True)]
)
def test_target(value: object, refused: bool) -> None:
    assert target_is_refused(value) == refused


def test_unknown_values_are_neither_refused_nor_known() -> None:
    assert refusal("enable", Opaque("${x}")) is None
    assert accepted("steps", [1, Opaque("${x}")]) == [1, Opaque("${x}")]
    assert refusal("steps", [1.5, Opaque("${x}")]) == "type"
