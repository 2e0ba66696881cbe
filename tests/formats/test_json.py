"""JSON: configs as objects, lists of arguments, command lines; every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skip_config import migrate_text
from tests.formats.case_tables import Case, read_cases


@pytest.mark.parametrize("case", read_cases("json/rewritten"), ids=lambda case: case.name)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_it_is_rewritten(case: Case, newline: str) -> None:
    before, after = (text.replace("\n", newline) for text in (case.before, case.after))
    migration = migrate_text(before, filename="x.json")
    assert migration.text == after
    assert {one.severity.value for one in migration.diagnostics} == {"note"}
    assert not migrate_text(after, filename="x.json").changed
    ended = migrate_text(before + newline, filename="x.json")
    assert ended.text == after + newline


@pytest.mark.parametrize("case", read_cases("json/left"), ids=lambda case: case.name)
def test_it_is_left_alone(case: Case) -> None:
    migration = migrate_text(case.before, filename="x.json")
    assert migration.text == case.before
    told = [f"{one.severity.value}: {one.name} in line {one.line}" for one in migration.diagnostics]
    assert told == ([case.after] if case.after else [])


_KEYS = st.text(max_size=4).filter(lambda key: key != "skip")
_OTHER: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_KEYS, inner, max_size=2),
    max_leaves=6,
)
_INDENTS = st.none() | st.integers(0, 4) | st.just("\t")


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(_KEYS, _OTHER, max_size=3),
    st.dictionaries(_KEYS, _OTHER, max_size=2),
    st.integers(1, 4),
    st.booleans(),
    st.randoms(use_true_random=False),
    _INDENTS,
    st.booleans(),
)
def test_everything_else_stays(
    root: dict[str, Any], rollout: dict[str, Any], count: int, on: bool, order: Any, indent: Any, ascii_only: bool
) -> None:
    """The result loads, has the new settings at its end and every other value as before, twice is once."""
    config = root | {"actor_rollout_ref": {"rollout": rollout | {"skip": {"enable": on, "max_dump_step": count}}}}
    keys = list(config)
    order.shuffle(keys)
    text = json.dumps({key: config[key] for key in keys}, indent=indent, ensure_ascii=ascii_only)
    migration = migrate_text(text, filename="x.json", role="rollout")
    assert migration.changed, migration.diagnostics
    result = json.loads(migration.text)
    wanted = root | ({"actor_rollout_ref": {"rollout": rollout}} if rollout else {})
    skip = result.pop("skip")["rollout"]
    assert result == wanted
    assert list(result) == [key for key in keys if key in wanted]
    assert skip == ({"enable": on, "steps": [*range(1, count + 1)]} if on or count > 1 else {"enable": False})
    assert migrate_text(migration.text, filename="x.json", role="rollout").text == migration.text


@settings(max_examples=100, deadline=None)
@given(st.text() | st.from_regex(r'[\[{]("skip_rollout": ?|"rollout": ?|[{}\[\],:"\\]|true|1e3|\s){0,12}[\]}]'))
def test_nothing_in_a_file_raises(text: str) -> None:
    """Whatever a file holds: a result or a diagnostic, and never one that our own check refuses."""
    migration = migrate_text(text, filename="x.json", total_steps=3)
    assert "result-not-verified" not in {one.name for one in migration.diagnostics}
