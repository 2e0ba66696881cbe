"""What verl 0.9 refuses beyond the fields; each case was once a disagreement with the real manager."""

from __future__ import annotations

import pytest
from omegaconf import OmegaConf

from skip_config import validate_config, validate_text
from skip_config.diagnostics import Severity

REST = "number: 3\nmapping: &mapping {a: 1}\nactor_rollout_ref: {rollout: {n: 1}}\n"


def errors_of(text: str) -> list[str]:
    return [one.name for one in validate_text(REST + text, filename="c.yaml") if one.severity is Severity.ERROR]


def composed_errors_of(text: str) -> list[str]:
    return [one.name for one in validate_config(OmegaConf.create(REST + text)) if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("skip:\n  _target_: {a: 1}\n", ["wrong-type"], id="a mapping for the target"),
        pytest.param("skip:\n  _target_: *mapping\n", ["wrong-type"], id="an alias to a mapping for the target"),
        pytest.param("skip:\n  _target_: ~\n", ["wrong-type"], id="null for the target"),
        pytest.param("skip:\n  rollout:\n    _target_: [a]\n", ["wrong-type"], id="a list for a role's target"),
        pytest.param("skip:\n  _target_: !!binary aGk=\n", ["wrong-type"], id="binary data for the target"),
        pytest.param("skip:\n  rollout:\n    dump_dir: !!binary aGk=\n", ["wrong-type"], id="binary directory"),
        pytest.param("skip: ???\n", ["missing-value"], id="the block is mandatory and missing"),
        pytest.param("skip: [1]\n", ["wrong-type"], id="a list for the block"),
        pytest.param("skip: !custom {}\n", ["cannot-load"], id="a tag of another program"),
        pytest.param("skip:\n  _target_: !!timestamp 2020-01-01\n", ["cannot-load"], id="a date"),
        pytest.param("skip:\n  rollout:\n    steps: [!!int x]\n", ["cannot-load"], id="a number that is none"),
        pytest.param("skip:\n  <<: 2020-01-01\n", ["cannot-load"], id="a merge key without a mapping"),
        pytest.param("skip:\n  ? [1]\n  : 2\n", ["cannot-load"], id="a list for a key"),
        pytest.param("skip:\n  ~: 2\n", ["cannot-load"], id="null for a key"),
        pytest.param("skip: null\n", [], id="null is the defaults"),
        pytest.param("skip: []\n", [], id="an empty list is the defaults"),
        pytest.param("skip: 5\n", [], id="a number is handed back, and nothing is skipped"),
        pytest.param("skip:\n  _target_: 5\n", [], id="a number for the target"),
        pytest.param("skip:\n  rollout:\n    steps: !!seq [1]\n", [], id="a tag that says what it is anyway"),
        pytest.param("skip:\n  rollout:\n    enable: ???\n", [], id="a missing field has its default"),
        pytest.param("skip:\n  rollout:\n    steps: ['${elsewhere}']\n", [], id="another file may have it"),
        pytest.param("", [], id="another file may have the block"),
    ],
)
def test_text(text: str, names: list[str]) -> None:
    assert errors_of(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("", ["skip-missing"], id="no block"),
        pytest.param("skip: ${nothing}\n", ["unresolved-interpolation"], id="the block points at nothing"),
        pytest.param("skip:\n  rollout:\n    dump_dir: ${nothing}\n", ["unresolved-interpolation"], id="a field does"),
        pytest.param("skip:\n  rollout:\n    dump_dir: ${nosuch:1}\n", ["unresolved-interpolation"], id="no resolver"),
        pytest.param("skip:\n  rollout:\n    steps: ['${nothing}']\n", ["unresolved-interpolation"], id="an item does"),
        pytest.param(
            "skip:\n  rollout:\n    enable: true\n  rollout_tq:\n    enable: ${rollout.enable}\n",
            ["unresolved-interpolation"],
            id="the block is not the root when it is resolved",
        ),
        pytest.param("skip: ???\n", ["missing-value"], id="the block is mandatory and missing"),
        pytest.param("skip: ${mapping}\n", ["no-such-key"], id="the block points at something else"),
        pytest.param("skip:\n  rollout:\n    steps: ['${number}']\n", [], id="an item that resolves"),
        pytest.param("skip:\n  rollout:\n    dump_dir: ${number}\n", [], id="a field that resolves"),
        pytest.param("skip: {}\n", [], id="empty"),
    ],
)
def test_composed(text: str, names: list[str]) -> None:
    assert composed_errors_of(text) == names


def test_the_config_is_left_as_it_was() -> None:
    config = OmegaConf.create(REST + "skip:\n  rollout:\n    dump_dir: ${number}\n")
    OmegaConf.set_readonly(config, True)
    assert validate_config(config) == []
    assert OmegaConf.is_interpolation(config.skip.rollout, "dump_dir")


COMPLETE = "actor_rollout_ref: {rollout: {n: 1}}\ndata: {train_batch_size: 1}\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("skip: {}\ntrainer: {v1: {trainer_mode: sync}}\n", [], id="all there"),
        pytest.param("skip: {}\ntrainer: {nnodes: 1}\n", ["manager-cannot-start"], id="no V1 section"),
        pytest.param("skip: 5\ntrainer: {nnodes: 1}\n", [], id="no role is built"),
        pytest.param("skip: {}\n", [], id="the trainer is still to come"),
        pytest.param(
            "skip:\n  _target_: ${.nowhere}\ntrainer: {v1: {trainer_mode: sync}}\n",
            ["unresolved-interpolation"],
            id="the target points at nothing",
        ),
    ],
)
def test_complete(text: str, names: list[str]) -> None:
    found = validate_config(OmegaConf.create(COMPLETE + text))
    assert [one.name for one in found if one.severity is Severity.ERROR] == names
