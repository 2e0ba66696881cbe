"""The structured configs: what `__post_init__` refuses, and that Hydra and OmegaConf can use them."""

from __future__ import annotations

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from skip_config import (
    AsyncRolloutSkipConfig,
    RolloutSkipConfig,
    RolloutTqSkipConfig,
    SkipAction,
    SkipManagerConfig,
)

ROLE_CLASSES = [RolloutSkipConfig, AsyncRolloutSkipConfig, RolloutTqSkipConfig]


@pytest.mark.parametrize("cls", ROLE_CLASSES)
@pytest.mark.parametrize(
    "values",
    [
        pytest.param({}, id="defaults"),
        pytest.param({"enable": True, "dump_dir": "/d", "steps": [1, 2], "action": "repeat"}, id="all set"),
        pytest.param({"steps": []}, id="no steps"),
        pytest.param({"steps": [-1, 0, 1, 1]}, id="negative and doubled steps"),
        pytest.param({"steps": [True]}, id="a bool is a whole number to Python"),
        pytest.param({"dump_dir": ""}, id="an empty directory"),
        pytest.param({"_target_": "anything"}, id="any target"),
    ],
)
def test_accepted(cls: type, values: dict[str, object]) -> None:
    made = cls(**values)
    assert {name: getattr(made, name) for name in values} == values


@pytest.mark.parametrize("cls", ROLE_CLASSES)
@pytest.mark.parametrize(
    ("values", "words"),
    [
        pytest.param({"enable": 1}, ["enable", "bool", "1"], id="a number for the switch"),
        pytest.param({"enable": None}, ["enable", "None"], id="null for the switch"),
        pytest.param({"enable": "true"}, ["enable", "'true'"], id="a text for the switch"),
        pytest.param({"dump_dir": None}, ["dump_dir", "None"], id="null for the directory"),
        pytest.param({"dump_dir": 5}, ["dump_dir", "5"], id="a number for the directory"),
        pytest.param({"steps": (1,)}, ["steps", "list", "(1,)"], id="a tuple of steps"),
        pytest.param({"steps": None}, ["steps", "None"], id="null for the steps"),
        pytest.param({"steps": [1, "2", 3.0]}, ["steps", "'2'", "3.0"], id="texts and fractions in the steps"),
        pytest.param({"steps": [[1]]}, ["steps", "[1]"], id="a list in the steps"),
        pytest.param({"action": "CACHE"}, ["action", "cache or repeat", "'CACHE'"], id="capitals"),
        pytest.param({"action": "random"}, ["action", "'random'"], id="an action that is named and not supported"),
        pytest.param({"action": "repeat_last"}, ["action", "'repeat_last'"], id="an action of verl 0.8"),
        pytest.param({"action": None}, ["action", "None"], id="null for the action"),
        pytest.param({"action": ["cache"]}, ["action", "['cache']"], id="a list for the action"),
        pytest.param({"action": SkipAction.CACHE}, ["action", "SkipAction.CACHE"], id="the enum itself"),
        pytest.param({"enable": 1, "action": "x"}, ["enable", "action"], id="two problems in one message"),
    ],
)
def test_refused(cls: type, values: dict[str, object], words: list[str]) -> None:
    with pytest.raises(ValueError, match=cls.__name__) as raised:
        cls(**values)
    assert [word for word in words if word not in str(raised.value)] == []


def test_manager_has_three_roles_in_verls_order() -> None:
    made = SkipManagerConfig()
    assert (made.rollout, made.async_rollout, made.rollout_tq) == tuple(cls() for cls in ROLE_CLASSES)
    assert list(OmegaConf.structured(SkipManagerConfig)) == ["_target_", "rollout", "async_rollout", "rollout_tq"]


def test_defaults_are_not_shared() -> None:
    RolloutSkipConfig().steps.append(1)
    assert RolloutSkipConfig().steps == []


def test_omegaconf_merges_and_converts() -> None:
    merged = OmegaConf.merge(OmegaConf.structured(SkipManagerConfig), {"rollout_tq": {"enable": "yes", "steps": ["1"]}})
    assert OmegaConf.to_object(merged) == SkipManagerConfig(rollout_tq=RolloutTqSkipConfig(enable=True, steps=[1]))


def test_omegaconf_lets_no_role_stand_for_another() -> None:
    with pytest.raises(OmegaConfBaseException):
        OmegaConf.merge(OmegaConf.structured(SkipManagerConfig), {"rollout": OmegaConf.structured(RolloutTqSkipConfig)})


def test_hydra_instantiates() -> None:
    config = {"_target_": "skip_config.RolloutTqSkipConfig", "enable": True, "steps": [3]}
    made = instantiate(config, _convert_="all")
    assert (made.enable, made.steps) == (True, [3])
