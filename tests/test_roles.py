"""Which roles get the settings, by what the file shows and what the user asks."""

from __future__ import annotations

import pytest

from skip_config.legacy import Opaque
from skip_config.roles import Evidence, choose_roles, is_fully_async, own_training_loop

MAIN = "verl.trainer.main_ppo"
ASYNC = "verl.experimental.fully_async_policy.fully_async_main"
DAPO = "recipe.dapo.main_dapo"
ONE_STEP = "verl.experimental.one_step_off_policy.main_ppo"


@pytest.mark.parametrize(
    ("evidence", "on", "requested", "roles", "told"),
    [
        pytest.param(Evidence(), True, "auto", "rollout rollout_tq", "launcher-unknown", id="nothing known, on"),
        pytest.param(Evidence(), None, "auto", "rollout rollout_tq", "launcher-unknown", id="nothing known, may be on"),
        pytest.param(Evidence(), False, "auto", "rollout", "", id="nothing known, off"),
        pytest.param(Evidence(use_v1=True), True, "auto", "rollout_tq", "", id="V1"),
        pytest.param(Evidence(use_v1=False), True, "auto", "rollout", "", id="V0"),
        pytest.param(Evidence(use_v1=Opaque("$V")), True, "auto", "rollout rollout_tq", "launcher-unknown", id="V?"),
        pytest.param(Evidence(MAIN), True, "auto", "rollout_tq", "", id="main_ppo is V1 by default"),
        pytest.param(Evidence(MAIN), False, "auto", "rollout_tq", "", id="main_ppo, off"),
        pytest.param(Evidence(MAIN, use_v1=False), True, "auto", "rollout", "", id="main_ppo with V0"),
        pytest.param(
            Evidence(MAIN, use_v1=Opaque("$V")),
            True,
            "auto",
            "rollout rollout_tq",
            "launcher-unknown",
            id="main_ppo, V?",
        ),
        pytest.param(Evidence("train.py"), True, "auto", "rollout rollout_tq", "launcher-unknown", id="another script"),
        pytest.param(Evidence(ASYNC), True, "auto", "async_rollout", "!feed-order", id="fully async, on"),
        pytest.param(Evidence(ASYNC), False, "auto", "async_rollout", "", id="fully async, off"),
        pytest.param(Evidence(async_training=True), None, "auto", "async_rollout", "!feed-order", id="async settings"),
        pytest.param(Evidence(MAIN, True, True), True, "auto", "async_rollout", "!feed-order", id="async settings win"),
        pytest.param(Evidence(DAPO), True, "auto", "rollout rollout_tq", "loop-without-manager", id="DAPO, on"),
        pytest.param(
            Evidence(DAPO, use_v1=True), True, "auto", "rollout rollout_tq", "loop-without-manager", id="DAPO"
        ),
        pytest.param(Evidence(DAPO), False, "auto", "rollout", "", id="DAPO, off"),
        pytest.param(
            Evidence(ONE_STEP), True, "auto", "rollout rollout_tq", "loop-without-manager", id="one step off policy"
        ),
        pytest.param(Evidence(), True, "rollout", "rollout", "", id="asked for V0"),
        pytest.param(Evidence(use_v1=True), True, "rollout", "rollout", "", id="asked against the evidence"),
        pytest.param(Evidence(), True, "rollout_tq", "rollout_tq", "", id="asked for V1"),
        pytest.param(Evidence(), False, "both", "rollout rollout_tq", "", id="asked for both, off"),
        pytest.param(Evidence(), True, "async_rollout", "async_rollout", "feed-order", id="asked for async"),
        pytest.param(Evidence(), False, "async_rollout", "async_rollout", "", id="asked for async, off"),
        pytest.param(Evidence(DAPO), True, "rollout", "rollout", "loop-without-manager", id="asked, in DAPO's loop"),
    ],
)
def test_choose_roles(evidence: Evidence, on: bool | None, requested: str, roles: str, told: str) -> None:
    choice = choose_roles(evidence, on, requested)
    problem = [f"!{choice.problem.name}"] if choice.problem else []
    names = problem + [remark.name for remark in (*choice.warnings, *choice.notes)]
    assert (" ".join(choice.roles), " ".join(names)) == (roles, told)


@pytest.mark.parametrize(
    ("module", "answer"),
    [
        pytest.param(None, False, id="no module"),
        pytest.param("fully_async_main", True, id="run as a script"),
        pytest.param(ASYNC, True, id="the module"),
        pytest.param("my.fork.fully_async_main", True, id="a fork's package"),
        pytest.param("verl.experimental.fully_async_policy", False, id="only the package"),
        pytest.param("not_fully_async_main", False, id="a longer name"),
    ],
)
def test_is_fully_async(module: str | None, answer: bool) -> None:
    assert is_fully_async(module) is answer


@pytest.mark.parametrize(
    ("module", "name"),
    [
        pytest.param(None, None, id="no module"),
        pytest.param(MAIN, None, id="main_ppo"),
        pytest.param(DAPO, "the DAPO recipe", id="DAPO"),
        pytest.param("recipe.dapo", "the DAPO recipe", id="the package itself"),
        pytest.param("recipe.dapo2.main", None, id="a name that begins alike"),
        pytest.param(ONE_STEP, "the one-step-off-policy trainer", id="one step off policy"),
    ],
)
def test_own_training_loop(module: str | None, name: str | None) -> None:
    assert own_training_loop(module) == name


def test_a_switch_that_is_elsewhere() -> None:
    """Who has it may know the trainer, so both roles get what is said here; a known trainer still gets its own."""
    assert choose_roles(Evidence(), False, switched_elsewhere=True).roles == ("rollout", "rollout_tq")
    assert choose_roles(Evidence(MAIN), False, switched_elsewhere=True).roles == ("rollout_tq",)
    assert choose_roles(Evidence(ASYNC), False, switched_elsewhere=True).problem is None
