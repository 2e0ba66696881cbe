"""Tables of cases for one rule: configs that it must be quiet about, and configs that it must speak about."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from skip_config import validate_text

QUIET: dict[str, Mapping[str, str]] = {}
SPEAKS: dict[str, Mapping[str, str]] = {}

PPO = "defaults:\n  - ppo_trainer\n  - _self_\n"
ASYNC = "defaults:\n  - fully_async_ppo_trainer\n  - _self_\n"
OTHER = "defaults:\n  - ppo_trainer\n  - my_base\n  - _self_\n"

COMPLETE = """\
data: {train_files: a.parquet, train_batch_size: 8, gen_batch_size: null}
actor_rollout_ref: {actor: {}, model: {}, rollout: {n: 1}}
algorithm: {gamma: 1.0}
trainer: {total_epochs: 1, nnodes: 1}
"""
"""As a run dumps it: no defaults list, all that a trainer needs but for `skip`."""


def on(*roles: str, **fields: str) -> str:
    """A `skip` block with the roles switched on."""
    text = "".join(f", {name}: {value}" for name, value in ({"steps": "[1]"} | fields).items())
    return "skip:\n" + "".join(f"  {role}: {{enable: true{text}}}\n" for role in roles)


def mode(name: str, more: str = "") -> str:
    """A trainer mode of the V1 trainer."""
    return f"trainer:\n  v1:\n    trainer_mode: {name}\n{more}"


def names(text: str) -> list[str]:
    """Names of the findings in a config."""
    return [one.name for one in validate_text(text, filename="config.yaml")]


def quiet(name: str, cases: Mapping[str, str]) -> Callable[[str], None]:
    """A test that the rule says nothing about these configs."""
    QUIET[name] = cases

    @pytest.mark.parametrize("text", list(cases.values()), ids=list(cases))
    def test(text: str) -> None:
        assert name not in names(text)

    return test


def speaks(name: str, cases: Mapping[str, str]) -> Callable[[str], None]:
    """A test that the rule says something, once, about these configs."""
    SPEAKS[name] = cases

    @pytest.mark.parametrize("text", list(cases.values()), ids=list(cases))
    def test(text: str) -> None:
        assert names(text).count(name) == 1

    return test
