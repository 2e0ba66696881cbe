"""JSON: configs as objects, lists of arguments, command lines; every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skip_config import migrate_text

OLD = "actor_rollout_ref.rollout"


def case(name: str, before: str, after: str) -> object:
    return pytest.param(before.replace("OLD", OLD), after, id=name)


REWRITTEN = [
    case(
        "an object on lines",
        '{\n  "actor_rollout_ref": {\n    "rollout": {\n      "n": 4,\n      "skip": {\n        "enable": true,\n'
        '        "max_dump_step": 2\n      }\n    }\n  },\n  "trainer": {"use_v1": true}\n}\n',
        '{\n  "actor_rollout_ref": {\n    "rollout": {\n      "n": 4\n    }\n  },\n  "trainer": {"use_v1": true},\n'
        '  "skip": {\n    "rollout_tq": {\n      "enable": true,\n      "steps": [1, 2]\n    }\n  }\n}\n',
    ),
    case(
        "tabs and CRLF",
        '{\r\n\t"rollout": {\r\n\t\t"skip_rollout": false,\r\n\t\t"skip_dump_dir": "/x"\r\n\t},\r\n\t"a": 1\r\n}',
        '{\r\n\t"a": 1,\r\n\t"skip": {\r\n\t\t"rollout": {\r\n\t\t\t"enable": false,\r\n\t\t\t"dump_dir": "/x"\r\n\t\t}\r\n\t}\r\n}',
    ),
    case(
        "no blanks at all",
        '{"trainer":{"use_v1":false},"actor_rollout_ref":{"rollout":{"skip":{"enable":true,"max_dump_step":2}}}}',
        '{"trainer":{"use_v1":false},"skip":{"rollout":{"enable":true,"steps":[1,2]}}}',
    ),
    case(
        "escapes are carried over",
        '{"actor_rollout_ref": {"rollout": {"skip_dump_dir": "/\\u00e9\\/\\ud83d\\ude00"}}}',
        '{"skip": {"rollout": {"dump_dir": "/\\u00e9\\/\\ud83d\\ude00"}}}',
    ),
    case(
        "nothing but defaults",
        '{"a": 1e3, "actor_rollout_ref": {"rollout": {"skip": {"max_dump_step": 1}, "n": 1}}}',
        '{"a": 1e3, "actor_rollout_ref": {"rollout": {"n": 1}}}',
    ),
    case(
        "configs in a list",
        '[{"actor_rollout_ref": {"rollout": {"skip_rollout": false}}}, {"b": 2}]',
        '[{"skip": {"rollout": {"enable": false}}}, {"b": 2}]',
    ),
    case(
        "an interpolation follows",
        '{"log": "${OLD.skip_dump_dir}/log", "actor_rollout_ref": {"rollout": {"skip_dump_dir": "/x"}}}',
        '{"log": "${skip.rollout.dump_dir}/log", "skip": {"rollout": {"dump_dir": "/x"}}}',
    ),
    case(
        "a list of arguments",
        '{"args": ["-m", "verl.trainer.main_ppo", "+OLD.skip.enable=True",\n  "OLD.skip.max_dump_step=2"]}',
        '{"args": ["-m", "verl.trainer.main_ppo", "skip.rollout_tq.enable=True",\n  "skip.rollout_tq.steps=[1,2]"]}',
    ),
    case(
        "a module beside its arguments",
        '{"module": "verl.trainer.main_ppo", "args": [\n  "OLD.skip.enable=True"\n]}',
        '{"module": "verl.trainer.main_ppo", "args": [\n  "skip.rollout_tq.enable=True",\n  "skip.rollout_tq.steps=[1]"\n]}',
    ),
    case(
        "many steps are written out",
        '["trainer.use_v1=True", "OLD.skip.enable=True", "OLD.skip.max_dump_step=18"]',
        f'["trainer.use_v1=True", "skip.rollout_tq.enable=True", "skip.rollout_tq.steps={json.dumps([*range(1, 19)], separators=(",", ":"))}"]',
    ),
    case(
        "a command line",
        '{"run": "python3 -m verl.trainer.main_ppo OLD.skip.dump_dir=\\"/a b\\" OLD.skip.enable=True"}',
        '{"run": "python3 -m verl.trainer.main_ppo skip.rollout_tq.dump_dir=\\"/a b\\" skip.rollout_tq.enable=True \'skip.rollout_tq.steps=[1]\'"}',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_it_is_rewritten(before: str, after: str) -> None:
    migration = migrate_text(before, filename="x.json")
    assert migration.text == after
    assert {one.severity.value for one in migration.diagnostics} == {"note"}
    assert not migrate_text(after, filename="x.json").changed


LEFT = [
    case("another key", '{"actor_rollout_ref": {"rollout": {"skip_tokenizer_init": true}}}', ""),
    case("another program's key", '{"train": {"skip_rollout": true}, "skip": {"enable": true}}', ""),
    case("new settings", '{"skip": {"rollout_tq": {"enable": true, "steps": [1]}}}', ""),
    case("comments, and no old key", '{"a": 1, // skip the rollout\n}', ""),
    case("an empty file", "", ""),
    case("prose", '{"note": "we once ran with OLD.skip.enable=True here"}', ""),
    case("not an override", '{"args": ["--skip_rollout", "skip_dump_dir"]}', ""),
    case("T is not known", '{"actor_rollout_ref": {"rollout": {"skip_rollout": true}}}', "needs-total-steps:error:1"),
    case("the count is an interpolation", '{"actor_rollout_ref": {"rollout": {"skip": {\n"max_dump_step": "${n}", "enable": true}}}}', "old-value-unknown:error:2"),
    case("old and new differ", '{"rollout": {"skip_dump_dir": "/x"}, "skip": {"rollout": {"dump_dir": "/y"}}}', "old-and-new-differ:error:1"),
    case("a doubled key", '{"a": 1, "a": 2, "rollout": {"skip_rollout": false}}', "duplicate-key:error:1"),
    case("comments", '{\n  // why\n  "args": ["OLD.skip.enable=True"]\n}', "cannot-parse:error:2"),
    case("a comma too many", '{"args": ["OLD.skip.enable=True",]}', "cannot-parse:error:1"),
    case("a key with dots", '{"OLD.skip.enable": true}', "dotted-key:warning:1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), LEFT)
def test_it_is_left_alone(text: str, told: str) -> None:
    migration = migrate_text(text, filename="x.json")
    assert migration.text == text
    assert [f"{one.name}:{one.severity.value}:{one.line}" for one in migration.diagnostics] == ([told] if told else [])


_OTHER: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
_INDENTS = st.none() | st.integers(0, 4) | st.just("\t")


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.text(max_size=4), _OTHER, max_size=3),
    st.dictionaries(st.text(max_size=4), _OTHER, max_size=2),
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


@settings(max_examples=200, deadline=None)
@given(st.text() | st.from_regex(r'[\[{]("skip_rollout": ?|"rollout": ?|[{}\[\],:"\\]|true|1e3|\s){0,12}[\]}]'))
def test_nothing_in_a_file_raises(text: str) -> None:
    """Whatever a file holds: a result or a diagnostic, and never one that our own check refuses."""
    migration = migrate_text(text, filename="x.json", total_steps=3)
    assert "result-not-verified" not in {one.name for one in migration.diagnostics}
