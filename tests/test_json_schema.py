"""`skipcfg schema`: valid JSON Schema, made from the dataclasses, and of one mind with `validate`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from skipcfg.app import run

from skip_config import defaults, json_schema, validate_config
from skip_config.releases import FIELDS, MANAGER, ROLES

BLOCK = Draft202012Validator(json_schema.skip_block())
OVERLAY = Draft202012Validator(json_schema.overlay())

WORDS = (
    "yes|No|ON|off|true|False|y|maybe||1|-3|+2|1_0|_1|1.5|0x1| 1 |True |None|null|[1, 2]|"
    "cache|repeat|CACHE|random|empty|repeat_last|~/dumps"
)

interpolations = st.sampled_from(["${oc.env:VALUE,1}", "/data/${oc.env:USER}", "???"])
# To JSON Schema 1.0 is a whole number, to OmegaConf it is not: no fraction here is whole.
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 2**40),
    st.sampled_from([0.5, -1.25, 1e-3]),
    st.sampled_from(WORDS.split("|")),
)
values = st.one_of(
    scalars,
    interpolations,
    st.lists(st.one_of(scalars, interpolations), max_size=3),
    st.lists(st.lists(scalars, max_size=1), max_size=1),
    st.dictionaries(st.sampled_from(["a", "enable"]), scalars, max_size=1),
)


def mostly(strategy: st.SearchStrategy[Any], otherwise: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw from `otherwise` now and then: a block is right only when all of it is."""
    return st.integers(0, 15).flatmap(lambda number: otherwise if number == 15 else strategy)


FIELD_VALUES = {
    "_target_": st.just("any.Text"),
    "enable": st.sampled_from([True, False, 1, "yes", "Off", "${oc.env:ON}", "???"]),
    "dump_dir": st.sampled_from(["/data/dumps", "~/dumps", 5, 1.5, True, "${oc.env:DIR}/x"]),
    "steps": st.lists(st.sampled_from([1, 2, "3", "1_0", -1, "${oc.env:STEP}"]), max_size=3),
    "action": st.sampled_from([*MANAGER.actions, "${oc.env:ACTION}", "???"]),
}
role_blocks = st.fixed_dictionaries({}, optional={name: mostly(one, values) for name, one in FIELD_VALUES.items()})
misspelt = st.builds(
    lambda one, two: one | two,
    role_blocks,
    st.dictionaries(st.sampled_from(["enabel", "all_steps"]), scalars, max_size=1),
)
roles = mostly(role_blocks, st.one_of(misspelt, values))
blocks = st.builds(
    lambda known, unknown: known | unknown,
    st.fixed_dictionaries({}, optional={"_target_": mostly(st.just("any.Text"), values)} | dict.fromkeys(ROLES, roles)),
    mostly(st.just({}), st.dictionaries(st.sampled_from(["rolout", "enable"]), roles, max_size=1)),
)


def refused(skip: object) -> bool:
    """Whether `validate` has an error for the block, or says that the whole of it is ignored."""
    found = validate_config({"actor_rollout_ref": {}, "skip": skip})
    return any(one.severity.value == "error" or one.name == "skip-block-ignored" for one in found)


@given(blocks)
@settings(max_examples=2_000, deadline=None)
def test_it_refuses_what_validate_refuses(block: dict[str, Any]) -> None:
    """On 2,000 drawn blocks."""
    assert BLOCK.is_valid(block) != refused(block)


def test_full_judges_the_block_by_the_same_schema() -> None:
    alone = {key: value for key, value in BLOCK.schema.items() if key not in ("$schema", "$defs", "title")}
    assert OVERLAY.schema["$defs"] == BLOCK.schema["$defs"] | {"skip": alone}
    assert {"$ref": "#/$defs/skip"} in OVERLAY.schema["properties"]["skip"]["anyOf"]


@pytest.mark.parametrize(
    "value", [None, {}, [], "", 0, False, "${oc.env:SKIP}", "???", [1], ["a"], "rollout", 3, True, 1.5], ids=repr
)
def test_it_judges_skip_itself_as_validate_does(value: object) -> None:
    assert OVERLAY.is_valid({"skip": value}) != refused(value)


@pytest.mark.parametrize("validator", [BLOCK, OVERLAY], ids=["block", "full"])
def test_it_is_valid_and_says_which_dialect_it_is(validator: Draft202012Validator) -> None:
    Draft202012Validator.check_schema(validator.schema)
    assert validator.schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("launch", [launch.name for launch in defaults.LAUNCHES])
def test_it_accepts_the_generated_files(launch: str) -> None:
    assert OVERLAY.is_valid(defaults.launch(launch))
    assert BLOCK.is_valid(defaults.launch(launch)["skip"])


def test_every_field_has_its_doc_and_its_default() -> None:
    for role in ROLES:
        properties = BLOCK.schema["$defs"][role]["anyOf"][0]["properties"]
        assert list(properties) == ["_target_", *FIELDS]
        assert all(properties[name]["description"] for name in FIELDS)
        assert {name: properties[name]["default"] for name in FIELDS} == defaults.base()["skip"][role]


@pytest.mark.parametrize(
    "rollout",
    [
        pytest.param({"skip_rollout": True}, id="flat"),
        pytest.param({"skip": {"enable": True}}, id="nested"),
        pytest.param({"skip_use_default_dir": "/x"}, id="a fork's key"),
    ],
)
def test_full_refuses_what_verl_moved(rollout: dict[str, object]) -> None:
    assert not OVERLAY.is_valid({"actor_rollout_ref": {"rollout": rollout}})
    assert OVERLAY.is_valid({"actor_rollout_ref": {"rollout": {"n": 4, "anything": "else"}}, "more": None})


@pytest.mark.parametrize(("arguments", "title"), [([], "The skip block"), (["--full"], "A config")])
def test_the_command_prints_it(arguments: list[str], title: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["schema", *arguments]) == 0
    printed = capfdbinary.readouterr()
    assert json.loads(printed.out)["title"].startswith(title)
    assert printed.err == b""
