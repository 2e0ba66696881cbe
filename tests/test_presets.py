"""The config group `skip`: what each preset sets, what it refuses, in verl's config and in any other program."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.errors import ConfigCompositionException
from omegaconf import DictConfig, OmegaConf

import skip_config
from skip_config import SkipManagerConfig, defaults, validate_config
from skip_config.releases import MANAGER, ROLES

PRESETS = {f"{role}_{action}": ((role,), action) for role in ROLES for action in MANAGER.actions} | {
    f"both_{action}": (("rollout", "rollout_tq"), action) for action in MANAGER.actions
}
"""Name -> the roles that it switches on, and their action."""


@contextmanager
def program(folder: Path, text: str = "") -> Iterator[None]:
    """A program whose primary config `main` has that text, and another, `ppo_trainer`, that looks like verl's."""
    (folder / "main.yaml").write_text(text)
    (folder / "ppo_trainer.yaml").write_text(yaml.safe_dump(defaults.base(), sort_keys=False))
    with initialize_config_dir(str(folder), version_base=None):
        yield


def expected(name: str) -> dict[str, Any]:
    block: dict[str, Any] = defaults.base()["skip"]
    roles, action = PRESETS[name]
    for role in roles:
        block[role] |= {"enable": True, "action": action}
    return block


def test_the_group_holds_these_presets() -> None:
    folder = Path(skip_config.__file__).parent / "conf" / "skip"
    assert {path.stem for path in folder.iterdir()} == {"off", *PRESETS}


@pytest.mark.parametrize("config", ["main", "ppo_trainer"])
@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_the_whole_block(tmp_path: Path, name: str, config: str) -> None:
    with program(tmp_path):
        composed = compose(config, [f"+skip={name}"])
    assert composed.skip == expected(name)
    if config == "ppo_trainer":
        assert composed == defaults.base() | {"skip": expected(name)}
        assert [list(composed.skip[role]) for role in ROLES] == [list(expected(name)[role]) for role in ROLES]


@pytest.mark.parametrize("config", ["main", "ppo_trainer"])
def test_off_is_verl_s_own_default(tmp_path: Path, config: str) -> None:
    with program(tmp_path):
        assert compose(config, ["+skip=off"]).skip == defaults.base()["skip"]


@pytest.mark.parametrize("name", PRESETS)
def test_directory_and_steps_come_from_ordinary_overrides(tmp_path: Path, name: str) -> None:
    roles, _ = PRESETS[name]
    settings = [f"skip.{role}.{text}" for role in roles for text in ("steps=[1,2]", "dump_dir=/data/dumps")]
    with program(tmp_path):
        composed = compose("ppo_trainer", [f"+skip={name}", *settings])
    for role in roles:
        assert (composed.skip[role].steps, composed.skip[role].dump_dir) == ([1, 2], "/data/dumps")
    assert [one for one in validate_config(composed) if one.severity.value == "error"] == []


@pytest.mark.parametrize("config", ["main", "ppo_trainer"])
@pytest.mark.parametrize(
    ("override", "named"),
    [
        pytest.param("skip.rollout_tq.enable=maybe", "skip.rollout_tq.enable", id="no bool"),
        pytest.param("skip.rollout_tq.enable=null", "skip.rollout_tq.enable", id="null for a bool"),
        pytest.param("skip.rollout_tq.steps=[1,x]", "skip.rollout_tq.steps", id="no number in the list"),
        pytest.param("skip.rollout_tq.steps=[1.5]", "skip.rollout_tq.steps", id="a fraction in the list"),
        pytest.param("skip.rollout_tq.steps=[true]", "skip.rollout_tq.steps", id="a bool in the list"),
        pytest.param("skip.rollout_tq.dump_dir=null", "skip.rollout_tq.dump_dir", id="null for a directory"),
        pytest.param("skip.rollout_tq.dump_dir=[a]", "skip.rollout_tq.dump_dir", id="a list for a directory"),
        pytest.param("skip.rollout_tq.actoin=cache", "skip.rollout_tq.actoin", id="unknown key of a role"),
        pytest.param("skip.rolout.enable=true", "skip.rolout", id="unknown role"),
        pytest.param("skip.rollout_tq=3", "skip.rollout_tq", id="a number for a role"),
        pytest.param("skip.rollout_tq=null", "skip.rollout_tq", id="null for a role"),
    ],
)
def test_a_wrong_override_fails_at_composition(tmp_path: Path, config: str, override: str, named: str) -> None:
    with program(tmp_path), pytest.raises(ConfigCompositionException, match=named.replace(".", r"\.")):
        compose(config, ["+skip=rollout_tq_cache", override])


def test_what_composes_and_is_left_to_validate(tmp_path: Path) -> None:
    """In verl's config the list is typed, but not its place; an action is a text; + is asked to add."""
    cases = {"skip.rollout_tq.steps=3": "wrong-type", "skip.rollout_tq.action=random": "unsupported-action"}
    with program(tmp_path):
        for override, name in (cases | {"+skip.rollout_tq.actoin=cache": "no-such-key"}).items():
            composed = compose("ppo_trainer", ["+skip=rollout_tq_cache", override])
            assert name in {one.name for one in validate_config(composed)}, override
        with pytest.raises(ConfigCompositionException):
            compose("main", ["+skip=rollout_tq_cache", "skip.rollout_tq.steps=3"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("actoin: cache", "Key 'actoin' is not in struct", id="unknown key"),
        pytest.param("enable: maybe", "Value 'maybe' is not a valid bool", id="wrong value"),
        pytest.param("steps: [1, x]", "Value 'x' of type 'str' could not be converted to Integer", id="wrong step"),
    ],
)
@pytest.mark.parametrize("base", ["", "  - ppo_trainer\n"], ids=["any program", "over verl's block"])
def test_a_wrong_line_in_the_program_s_file_fails_at_composition(
    tmp_path: Path, base: str, text: str, message: str
) -> None:
    main = f"defaults:\n{base}  - skip: rollout_tq_cache\n  - _self_\nskip:\n  rollout_tq:\n    {text}\n"
    with program(tmp_path, main), pytest.raises(Exception, match=message):
        compose("main")


def test_a_file_s_own_values_win_over_the_preset_that_its_defaults_list_names(tmp_path: Path) -> None:
    main = "defaults:\n  - ppo_trainer\n  - skip: both_cache\n  - _self_\nskip:\n  rollout_tq:\n    steps: [1, 2]\n"
    with program(tmp_path, main):
        assert compose("main").skip.rollout_tq.steps == [1, 2]
        assert compose("main", ["skip=off"]).skip.rollout_tq.enable is False


def test_off_needs_quotes_in_a_defaults_list(tmp_path: Path) -> None:
    with program(tmp_path, 'defaults:\n  - skip: "off"\n'):
        assert compose("main").skip.rollout.enable is False
    with program(tmp_path, "defaults:\n  - skip: off\n"), pytest.raises(Exception, match="bool"):
        compose("main")


@dataclass
class VerlRole:
    """As in verl 0.9.1, `verl/utils/skip/config.py`."""

    _target_: str = ""
    enable: bool = False
    dump_dir: str = "~/.verl/rollout_dump"
    steps: list[int] = field(default_factory=list)
    action: str = "cache"


@dataclass
class VerlManager:
    """As in verl 0.9.1, `verl/utils/skip/config.py`."""

    _target_: str = ""
    rollout: VerlRole = field(default_factory=VerlRole)
    async_rollout: VerlRole = field(default_factory=VerlRole)
    rollout_tq: VerlRole = field(default_factory=VerlRole)


def as_verl_reads_it(block: DictConfig) -> object:
    """What `omega_conf_to_dataclass` of verl 0.9.1 does."""
    return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(VerlManager), OmegaConf.create(block)))


@pytest.mark.parametrize("config", ["main", "ppo_trainer"])
def test_verl_s_manager_takes_what_a_preset_composes(tmp_path: Path, config: str) -> None:
    """It would refuse our dataclasses: a structured config accepts no class beside its own."""
    with program(tmp_path, ""):
        composed = compose(config, ["+skip=rollout_tq_cache", "skip.rollout_tq.steps=[1]"])
    read = as_verl_reads_it(composed.skip)
    assert isinstance(read, VerlManager)
    assert read.rollout_tq == VerlRole(enable=True, steps=[1])
    with pytest.raises(Exception, match="is not a subclass of"):
        as_verl_reads_it(OmegaConf.structured(SkipManagerConfig))


def test_a_composed_config_pickles_without_this_package(tmp_path: Path) -> None:
    """Ray sends it to workers that need not have skipcfg."""
    with program(tmp_path):
        composed = compose("ppo_trainer", ["+skip=rollout_tq_cache"])
    (tmp_path / "config.pickle").write_bytes(pickle.dumps(composed))
    code = (
        "import pickle, sys\n"
        "sys.modules['skip_config'] = sys.modules['hydra_plugins'] = None\n"
        "print(pickle.load(open('config.pickle', 'rb')).skip.rollout_tq.enable)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("True\n", "")


@pytest.mark.parametrize(
    "rollout",
    [
        pytest.param("skip_rollout: false\nskip_dump_dir: /tmp/rollout_dump\n", id="flat"),
        pytest.param("skip:\n  enable: false\n  max_dump_step: 1\n", id="nested"),
    ],
)
@pytest.mark.parametrize("primary", ["trainer/config", "experimental/fully_async_policy/config"])
def test_an_older_verl_is_refused_with_the_reason(tmp_path: Path, rollout: str, primary: str) -> None:
    """And only then: without a preset, its programs start as before."""
    (tmp_path / "trainer" / "config" / "rollout").mkdir(parents=True)
    (tmp_path / "trainer" / "config" / "rollout" / "rollout.yaml").write_text(rollout)
    folder = tmp_path / primary
    folder.mkdir(parents=True, exist_ok=True)
    reason = r"need verl 0\.9\.0 or newer.*actor_rollout_ref\.rollout\.skip .*upgrade verl"
    with program(folder, "data: 1\n"):
        assert compose("main") == {"data": 1}
        with pytest.raises(ConfigCompositionException, match=reason):
            compose("main", ["+skip=rollout_tq_cache"])


def test_an_older_verl_that_is_imported_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "verl" / "trainer" / "config" / "rollout").mkdir(parents=True)
    (tmp_path / "verl" / "trainer" / "config" / "rollout" / "rollout.yaml").write_text("skip_rollout: false\n")
    verl = ModuleType("verl")
    verl.__path__ = [str(tmp_path / "verl")]
    monkeypatch.setitem(sys.modules, "verl", verl)
    (tmp_path / "elsewhere").mkdir()
    with program(tmp_path / "elsewhere"), pytest.raises(ConfigCompositionException, match="upgrade verl"):
        compose("main", ["+skip=off"])


def test_register_stores_the_schema_under_a_name_of_one_s_own(tmp_path: Path) -> None:
    store = ConfigStore.instance()
    skip_config.register(name="my_schema")
    skip_config.register(store, group="my_group", name="typed")
    with program(tmp_path, "defaults:\n  - my_schema@skip\n  - my_group@cache: typed\n  - _self_\n"):
        composed = compose("main", ["+skip=both_cache", "skip.rollout.steps=[3]"])
        with pytest.raises(ConfigCompositionException):
            compose("main", ["skip.rollout.steps=3"])
    assert isinstance(OmegaConf.to_object(composed.skip), SkipManagerConfig)
    assert OmegaConf.get_type(composed, "cache") is SkipManagerConfig
