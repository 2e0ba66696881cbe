"""`validate` with something under the file, beside it, and around it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from skip_config import validate_config, validate_text
from skip_config.diagnostics import Diagnostic, Severity
from skip_config.hydra_layers import COMMAND_LINE, compose

IDLE = "defaults:\n  - ppo_trainer\n  - _self_\nskip:\n  rollout: {enable: true, steps: [1]}\n"


def names(found: list[Diagnostic]) -> list[str]:
    return [one.name for one in found]


def test_defaults_of_verl_lie_under_a_file_that_names_them() -> None:
    assert names(validate_text(IDLE, filename="c.yaml")) == ["role-not-used"]


def test_nothing_lies_under_it_without_base() -> None:
    text = "defaults: [ppo_trainer, _self_]\ndata: {gen_batch_size: 48}\n"
    assert names(validate_text(text, filename="c.yaml")) == ["gen-batch-size-does-not-divide"]
    assert names(validate_text(text, filename="c.yaml", base=False)) == []


def test_option_of_the_group_skip() -> None:
    """A file in a folder `skip/` is placed at `skip` by Hydra."""
    found = validate_text("rollout_tq:\n  enable: maybe\n", filename="conf/skip/mine.yaml")
    assert [(one.name, one.line, one.key) for one in found] == [("wrong-type", 2, "skip.rollout_tq.enable")]


def test_null_hides_the_defaults_below() -> None:
    assert names(validate_text("defaults: [ppo_trainer, _self_]\ntrainer:\n", filename="c.yaml")) == []


def test_secret_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    text = (
        "pass: ${oc.env:SECRET}\nskip:\n  rollout: {enable: '${pass}', dump_dir: 'x${oc.env:SECRET}', steps: maybe}\n"
    )
    found = [*validate_text(text, filename="c.yaml"), *validate_config(OmegaConf.create(text))]
    assert "wrong-type" in names(found)
    assert "hunter2" not in str(found)


def test_composed_config_resolves_its_own_nodes() -> None:
    config = OmegaConf.create("n: maybe\nskip: {rollout: {enable: '${n}', steps: ['${nowhere}']}}\n")
    assert set(names(validate_config(config))) == {"wrong-type", "unresolved-interpolation"}


@pytest.mark.parametrize("value", [None, 5, "text", [1]])
def test_what_is_no_mapping_is_one_finding(value: object) -> None:
    assert names(validate_config(value)) == ["wrong-type"]  # type: ignore[arg-type]


@pytest.fixture
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "below.yaml").write_text(
        "trainer: {use_v1: true}\nskip:\n  rollout: {enable: false, steps: [], action: cache}\n"
    )
    (tmp_path / "conf" / "exp.yaml").write_text("defaults: [below, _self_]\nskip:\n  rollout:\n    enable: true\n")
    return Path("conf")


def test_composed_findings_name_the_layer_that_set_the_value_last(conf: Path) -> None:
    found = {one.diagnostic.name: one for one in compose(str(conf), "exp", [])}
    assert (found["role-not-used"].path, found["role-not-used"].diagnostic.line) == (
        os.path.join("conf", "exp.yaml"),
        4,
    )
    assert "over conf/below.yaml:3" in found["role-not-used"].diagnostic.message.replace(os.sep, "/")
    assert (found["steps-empty"].path, found["steps-empty"].diagnostic.line) == (os.path.join("conf", "below.yaml"), 3)


def test_composed_findings_name_the_override(conf: Path) -> None:
    found = compose(str(conf), "exp", ["skip.rollout.action=CACHE", "skip.rollout.steps=[1]"])
    wrong = next(one for one in found if one.diagnostic.name == "unsupported-action")
    assert wrong.path == COMMAND_LINE
    assert "skip.rollout.action=CACHE" in wrong.diagnostic.message
    assert "steps-empty" not in [one.diagnostic.name for one in found]


@pytest.mark.parametrize(
    ("name", "overrides", "says"),
    [
        ("nope", [], "nope"),
        ("exp", ["skip.rolout.enable=True"], "skip.rolout.enable"),
        ("exp", ["skip.rollout.steps=1,2"], "Ambiguous"),
        ("exp", ["skip.rollout.steps=[["], "[["),
        ("exp", ["+skip=nothing"], "skip"),
    ],
    ids=["config missing", "key missing", "sweep", "grammar", "group missing"],
)
def test_what_stops_hydra_is_one_diagnostic(conf: Path, name: str, overrides: list[str], says: str) -> None:
    (one,) = compose(str(conf), name, overrides)
    assert one.diagnostic.name == "composition-failed"
    assert one.diagnostic.severity is Severity.ERROR
    assert says in one.diagnostic.message
    assert "\n" not in one.diagnostic.message
