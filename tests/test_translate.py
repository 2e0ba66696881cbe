"""From old settings to new ones: the table, its edges, and that what is called exact is exact."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.releases import SUPPORTED_ACTIONS
from skip_config.runtime import Policy, Refused, Unknown, first_run_and_rerun, new_policy, old_policy
from skip_config.translate import (
    KEPT,
    LONGEST_LIST,
    NewSkip,
    Through,
    TotalSteps,
    Translation,
    first_steps,
    translate,
)
from tests.settings import FLAT_GRID, NESTED_GRID, old_values

N = Opaque("${N}")
T = Opaque("$T")


def flat(enable: Maybe = True, dump_dir: Maybe = "/d") -> LegacySkip:
    return LegacySkip("flat", enable, dump_dir)


def nested(enable: Maybe = True, last: Maybe = 3, action: Maybe = "cache", **more: object) -> LegacySkip:
    return LegacySkip("nested", enable, max_dump_step=last, action=action, **more)  # type: ignore[arg-type]


def on(steps: object, action: object = KEPT, dump_dir: object = None) -> NewSkip:
    return NewSkip(KEPT, dump_dir, steps, action)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "total_steps", "settings"),
    [
        pytest.param(flat(), 4, on((1, 2, 3, 4), "repeat", KEPT), id="flat on repeats to the end"),
        pytest.param(flat(dump_dir=MISSING), 2, on((1, 2), "repeat", "/tmp/rollout_dump"), id="flat's own directory"),
        pytest.param(flat("yes"), 1, on((1,), "repeat", KEPT), id="flat on as a text that 0.9 takes too"),
        pytest.param(flat(2), 1, on((1,), "repeat", KEPT), id="flat on as a number"),
        pytest.param(flat(N), 2, on((1, 2), "repeat", KEPT), id="flat may be on"),
        pytest.param(flat(), T, on(Through(T), "repeat", KEPT), id="T is a variable"),
        pytest.param(flat(dump_dir=Opaque("$D")), 1, on((1,), "repeat", KEPT), id="the directory is a variable"),
        pytest.param(nested(), None, on((1, 2, 3)), id="cache needs no T"),
        pytest.param(nested(), 2, on((1, 2, 3)), id="cache beyond T stays as it is"),
        pytest.param(nested(action=MISSING), None, on((1, 2, 3), None), id="cache by default stays unsaid"),
        pytest.param(nested(last=MISSING), None, on((1,)), id="one step by default"),
        pytest.param(nested(last=True), None, on((1,)), id="true is one"),
        pytest.param(nested(last=2.9), None, on((1, 2)), id="a fraction is cut"),
        pytest.param(nested(last=N), None, on(Through(N)), id="the count is a variable"),
        pytest.param(nested(last=0), None, NewSkip(False, None, None, KEPT), id="cache of nothing is off"),
        pytest.param(nested(last=-7), 9, NewSkip(False, None, None, KEPT), id="cache of less than nothing is off"),
        pytest.param(nested(last=float("nan")), 9, NewSkip(False, None, None, KEPT), id="not-a-number counts as 0"),
        pytest.param(nested(last=float("inf")), 2, on((1, 2)), id="infinity is every step"),
        pytest.param(nested(last=10**9), 2, on((1, 2)), id="a count that means every step"),
        pytest.param(nested(last=LONGEST_LIST), None, on(first_steps(LONGEST_LIST)), id="the longest list"),
        pytest.param(nested(last=1, action="repeat"), 3, on((1, 2, 3)), id="repeat of one"),
        pytest.param(nested(last=1, action="repeat_last"), 3, on((1, 2, 3), "repeat"), id="repeat_last of one"),
        pytest.param(nested(last=3, action="repeat"), 3, on((1, 2, 3), "cache"), id="repeat that never repeats"),
        pytest.param(nested(last=9, action="repeat_last"), 2, on((1, 2), "cache"), id="repeat_last that never repeats"),
        pytest.param(nested(dump_steps=[2, 5]), None, on((2, 5)), id="a fork's list"),
        pytest.param(nested(dump_steps=[]), None, on(()), id="a fork's empty list"),
        pytest.param(nested(post_dump_action=True), None, on((1, 2, 3), "cache"), id="a fork's name for cache"),
    ],
)
def test_switched_on(old: LegacySkip, total_steps: TotalSteps, settings: NewSkip) -> None:
    result = translate(old, total_steps)
    assert (result.settings, result.problem) == (settings, None)


@pytest.mark.parametrize(
    ("old", "settings"),
    [
        pytest.param(flat(MISSING, MISSING), NewSkip(), id="flat, nothing set"),
        pytest.param(flat(False, MISSING), NewSkip(KEPT), id="flat off"),
        pytest.param(flat(False, "/tmp/rollout_dump"), NewSkip(KEPT), id="flat defaults become new defaults"),
        pytest.param(flat(False), NewSkip(KEPT, KEPT), id="flat off with its directory"),
        pytest.param(flat(None, MISSING), NewSkip(False), id="null is off, and 0.9 refuses null"),
        pytest.param(flat("", MISSING), NewSkip(False), id="empty text is off, and 0.9 refuses it"),
        pytest.param(flat(0.0, MISSING), NewSkip(False), id="0.0 is off, and 0.9 refuses it"),
        pytest.param(flat([], MISSING), NewSkip(False), id="an empty list is off, and 0.9 refuses it"),
        pytest.param(flat(0, MISSING), NewSkip(KEPT), id="zero is off before and after"),
        pytest.param(flat(False, None), NewSkip(KEPT), id="a null directory is left out"),
        pytest.param(flat(False, ["/d"]), NewSkip(KEPT), id="a list for the directory is left out"),
        pytest.param(nested(False, 1, "cache"), NewSkip(KEPT), id="nested defaults become new defaults"),
        pytest.param(nested(False), NewSkip(KEPT, None, (1, 2, 3), KEPT), id="nested off keeps its steps"),
        pytest.param(nested(False, 3, "repeat"), NewSkip(KEPT, None, (1, 2, 3), KEPT), id="nested off, repeat"),
        pytest.param(nested(False, 3, "repeat_last"), NewSkip(KEPT, None, (1, 2, 3), "repeat"), id="repeat_last off"),
        pytest.param(nested(False, N), NewSkip(KEPT), id="nested off, count unknown"),
        pytest.param(nested(False, 0), NewSkip(KEPT, None, None, KEPT), id="nested off, nothing to keep"),
        pytest.param(nested(False, 3, "CACHE"), NewSkip(KEPT), id="nested off, an action that was never checked"),
        pytest.param(nested(False, "3"), NewSkip(KEPT), id="nested off, a count that was never checked"),
        pytest.param(nested(False, 10**9, "repeat"), NewSkip(KEPT), id="nested off, no list of a thousand million"),
    ],
)
def test_switched_off(old: LegacySkip, settings: NewSkip) -> None:
    result = translate(old)
    assert (result.settings, result.problem, result.on) == (settings, None, False)


@pytest.mark.parametrize(
    ("old", "settings"),
    [
        pytest.param(flat(MISSING), NewSkip(None, KEPT), id="flat"),
        pytest.param(nested(MISSING, dump_dir="/d"), NewSkip(None, KEPT, (1, 2, 3), KEPT), id="all but the switch"),
        pytest.param(nested(MISSING, MISSING, MISSING, dump_dir="/d"), NewSkip(None, KEPT), id="only the directory"),
        pytest.param(nested(MISSING, 1, MISSING), NewSkip(None, None, (1,)), id="only the count, the default"),
        pytest.param(nested(MISSING, N, MISSING), NewSkip(None, None, Through(N)), id="only the count, a variable"),
        pytest.param(nested(MISSING, MISSING, "repeat"), NewSkip(None, None, None, KEPT), id="only the action"),
        pytest.param(nested(MISSING, MISSING, "repeat_last"), NewSkip(action="repeat"), id="an action that is gone"),
        pytest.param(nested(MISSING, 0, MISSING), NewSkip(), id="no step"),
        pytest.param(nested(MISSING, MISSING, MISSING, dump_steps=[2, 4]), NewSkip(steps=(2, 4)), id="a fork's list"),
        pytest.param(nested(MISSING, 2, MISSING, dump_steps="2,4"), NewSkip(), id="a fork's list that is a text"),
        pytest.param(
            nested(MISSING, MISSING, post_dump_action=True), NewSkip(action="cache"), id="a fork's name for cache"
        ),
    ],
)
def test_switched_elsewhere(old: LegacySkip, settings: NewSkip) -> None:
    """What the settings leave out, another file or the command line may say: no default is put in its place."""
    result = translate(old)
    assert (result.settings, result.problem, result.on) == (settings, None, False)


@pytest.mark.parametrize(
    ("old", "total_steps", "name", "nearest"),
    [
        pytest.param(flat(), None, "needs-total-steps", None, id="flat on, T unknown"),
        pytest.param(flat(), LONGEST_LIST + 1, "too-many-steps", None, id="flat on, T beyond any list"),
        pytest.param(nested(last=1, action="repeat"), None, "needs-total-steps", None, id="repeat of one, T unknown"),
        pytest.param(nested(last=10**9), None, "needs-total-steps", None, id="a count that means every step"),
        pytest.param(nested(last=sys.maxsize), LONGEST_LIST + 1, "too-many-steps", None, id="more steps than fit"),
        pytest.param(nested(action="repeat"), 5, "round-robin", (1, 2, 3, 4, 5), id="round robin"),
        pytest.param(nested(action="repeat"), None, "round-robin", None, id="round robin, T unknown"),
        pytest.param(nested(action="repeat_last"), 4, "repeat-last-is-a-choice", (1, 2, 3, 4), id="repeat_last"),
        pytest.param(nested(action="repeat_last"), T, "repeat-last-is-a-choice", Through(T), id="repeat_last to $T"),
        pytest.param(nested(last=0, action="repeat"), 5, "old-value-refused", None, id="nothing to repeat"),
        pytest.param(nested(last=N, action="repeat"), 5, "old-value-unknown", None, id="repeat of a variable"),
        pytest.param(nested(action=N), 5, "old-value-unknown", None, id="the action is a variable"),
        pytest.param(nested(last="3"), 5, "old-value-refused", None, id="a text for the count"),
        pytest.param(nested(action="CACHE"), 5, "old-value-refused", None, id="capitals"),
        pytest.param(nested(action=None), 5, "old-value-refused", None, id="null action"),
        pytest.param(flat("maybe"), 5, "old-value-refused", None, id="a text that only the old runtimes took for on"),
        pytest.param(flat("false"), 5, "old-value-refused", None, id="the text false counted as on"),
        pytest.param(flat(1.0), 5, "old-value-refused", None, id="a float counted as on, and 0.9 refuses it"),
        pytest.param(flat([1]), 5, "old-value-refused", None, id="a list counted as on, and 0.9 refuses it"),
        pytest.param(flat(dump_dir=None), 5, "old-value-refused", None, id="null directory"),
        pytest.param(flat(dump_dir=5), 5, "old-value-refused", None, id="the old runtimes refused 5, 0.9 takes it"),
        pytest.param(nested(dump_dir=True), 5, "old-value-refused", None, id="true for the directory"),
        pytest.param(nested(load_dir="/l"), 5, "no-counterpart", None, id="a fork's second directory"),
        pytest.param(nested(action="dump"), 5, "no-counterpart", None, id="a fork's action"),
        pytest.param(nested(dump_steps=[2, 5], action="repeat"), 9, "no-counterpart", None, id="gaps and repeat"),
        pytest.param(nested(dump_steps="1,2"), 9, "old-value-unknown", None, id="a fork's list that is a text"),
    ],
)
def test_needs_a_decision(old: LegacySkip, total_steps: TotalSteps, name: str, nearest: object) -> None:
    result = translate(old, total_steps)
    assert result.problem is not None
    assert result.problem.name == name
    assert result.problem.help
    assert (result.settings.steps if result.settings else None) == nearest


@pytest.mark.parametrize(
    ("result", "unsafe", "name"),
    [
        pytest.param(translate(flat(), 2), False, None, id="exact"),
        pytest.param(translate(nested(action="repeat"), 5), False, "round-robin", id="not accepted"),
        pytest.param(translate(nested(action="repeat"), 5), True, None, id="accepted"),
        pytest.param(translate(nested(action="repeat")), True, "needs-total-steps", id="accepted, T unknown"),
        pytest.param(translate(nested(last="3")), True, "old-value-refused", id="there is nothing to accept"),
    ],
)
def test_obstacle(result: Translation, unsafe: bool, name: str | None) -> None:
    obstacle = result.obstacle(unsafe)
    assert (obstacle.name if obstacle else None) == name


def sequences(policy: Policy | Refused | Unknown, total_steps: int) -> list[list[int]] | Refused | Unknown:
    if isinstance(policy, (Refused, Unknown)):
        return policy
    return [run.batches for run in first_run_and_rerun(policy, total_steps)]


def assert_exact_is_exact(old: LegacySkip, total_steps: int) -> None:
    result = translate(old, total_steps)
    if result.exact and result.settings:
        before = sequences(old_policy(old), total_steps)
        assert sequences(new_policy(result.settings, old), total_steps) == before


ANY_VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(),
    st.sampled_from(["", "yes", "No", "true", "1", "maybe", *SUPPORTED_ACTIONS, "repeat_last", "CACHE", "/d"]),
    st.just(MISSING),
    st.lists(st.integers(0, 2), max_size=2),
)


@given(old_values, st.integers(1, 20))
def test_exact_behaves_as_before(old: LegacySkip, total_steps: int) -> None:
    """On an empty directory and on the rerun, an exact translation feeds the trainer the same batches."""
    assert_exact_is_exact(old, total_steps)


@given(
    st.builds(LegacySkip, st.sampled_from(["flat", "nested"]), ANY_VALUE, ANY_VALUE, ANY_VALUE, ANY_VALUE),
    st.integers(1, 8),
)
def test_exact_behaves_as_before_whatever_the_values(old: LegacySkip, total_steps: int) -> None:
    """The same for values of any type: what the old runtime refused is never called exact."""
    assert_exact_is_exact(old, total_steps)


def test_exact_behaves_as_before_on_the_grid() -> None:
    for case in FLAT_GRID + NESTED_GRID:
        assert_exact_is_exact(case.old, max(1, case.total_steps))


@given(old_values, st.integers(1, 20))
def test_unsafe_really_differs(old: LegacySkip, total_steps: int) -> None:
    """A decision is asked for only where the nearest setting makes a difference."""
    result = translate(old, total_steps)
    if result.settings and not result.exact:
        before = sequences(old_policy(old), total_steps)
        assert sequences(new_policy(result.settings, old), total_steps) != before
