"""The model says what the real runtimes do, settings by settings and step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from skip_config.releases import ROLES
from skip_config.runtime import Off, Policy, Refused, Unknown, first_run_and_rerun, manager_policy, old_policy
from tests.runtime.real import NEWEST, Outcome, Refusal, Runtime
from tests.settings import (
    FLAT_GRID,
    NESTED_GRID,
    NEW_GRID,
    NewCase,
    OldCase,
    composed,
    new_cases,
    new_yaml,
    old_cases,
    old_yaml,
)

pytestmark = pytest.mark.runtime

OLD_RELEASES = {"flat": "0.7.1", "nested": "0.8.0"}
# Nothing to shrink: a failure shows only the cases that disagree, and each of those is small.
bunches = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


def foreseen(policy: Policy | Refused | Unknown, total_steps: int, dumps: dict[int, int]) -> Outcome | None:
    """What the model says; None when it says that the runtime stops."""
    assert not isinstance(policy, Unknown)
    if isinstance(policy, Refused):
        return None
    runs = first_run_and_rerun(policy, total_steps, dumps)
    return Outcome([run.batches for run in runs], [dict(run.dumps) for run in runs])


def disagreements(
    cases: Sequence[OldCase | NewCase], expected: Sequence[Outcome | None], found: Sequence[Outcome | Refusal]
) -> list[object]:
    return [
        (case, expect, outcome)
        for case, expect, outcome in zip(cases, expected, found, strict=True)
        if (None if isinstance(outcome, Refusal) else outcome) != expect
    ]


def compare_old(real: Callable[[str], Runtime], cases: Sequence[OldCase]) -> None:
    for generation, release in OLD_RELEASES.items():
        these = [case for case in cases if case.old.generation == generation]
        # Where the switch is off there is no directory to put dumps into.
        these = [case._replace(dumps={}) if isinstance(old_policy(case.old), Off) else case for case in these]
        expected = [foreseen(old_policy(case.old), case.total_steps, case.dumps) for case in these]
        found = real(release).two_runs(
            [old_yaml(composed(case.old)) for case in these],
            [case.total_steps for case in these],
            [case.dumps for case in these],
        )
        assert disagreements(these, expected, found) == []


def compare_new(real: Callable[[str], Runtime], role: str, cases: Sequence[NewCase]) -> None:
    expected = [foreseen(manager_policy(c.enable, c.steps, c.action), c.total_steps, c.dumps) for c in cases]
    found = real(NEWEST).two_runs(
        [new_yaml(role, case) for case in cases],
        [case.total_steps for case in cases],
        [case.dumps for case in cases],
        role,
    )
    assert disagreements(cases, expected, found) == []


def test_old_settings_of_the_grid(real: Callable[[str], Runtime]) -> None:
    compare_old(real, FLAT_GRID + NESTED_GRID)


@pytest.mark.parametrize("role", ROLES)
def test_new_settings_of_the_grid(real: Callable[[str], Runtime], role: str) -> None:
    compare_new(real, role, NEW_GRID)


@bunches
@given(cases=st.lists(old_cases, min_size=30, max_size=40))
def test_old_settings_drawn(real: Callable[[str], Runtime], cases: list[OldCase]) -> None:
    compare_old(real, cases)


@bunches
@given(role=st.sampled_from(ROLES), cases=st.lists(new_cases, min_size=30, max_size=40))
def test_new_settings_drawn(real: Callable[[str], Runtime], role: str, cases: list[NewCase]) -> None:
    compare_new(real, role, cases)
