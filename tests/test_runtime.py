"""The model of the three runtimes; the figures are those measured on the released classes."""

from __future__ import annotations

import pytest

from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.runtime import (
    ONE_FILE,
    RERUN,
    Counted,
    Listed,
    Off,
    OneFile,
    Policy,
    Refused,
    Step,
    Unknown,
    first_run_and_rerun,
    manager_policy,
    old_policy,
    run,
)
from skip_config.translate import Through


def new(*numbers: int) -> list[int]:
    """Batches that the rerun generates."""
    return [RERUN + number for number in numbers]


def listed(action: str, *steps: int) -> Listed:
    return Listed(frozenset(steps), action)


@pytest.mark.parametrize(
    ("policy", "total_steps", "first", "rerun"),
    [
        pytest.param(Off(), 3, [1, 2, 3], new(1, 2, 3), id="switched off"),
        pytest.param(OneFile(), 4, [1, 1, 1, 1], [1, 1, 1, 1], id="one file for all steps"),
        pytest.param(OneFile(), 0, [], [], id="one file, no steps at all"),
        pytest.param(Counted(3, "cache"), 6, [1, 2, 3, 4, 5, 6], [1, 2, 3, *new(4, 5, 6)], id="counted cache"),
        pytest.param(Counted(0, "cache"), 4, [1, 2, 3, 4], new(1, 2, 3, 4), id="counted cache of nothing"),
        pytest.param(Counted(9, "cache"), 3, [1, 2, 3], [1, 2, 3], id="counted cache beyond the end"),
        pytest.param(Counted(3, "repeat"), 6, [1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3], id="counted repeat goes round"),
        pytest.param(Counted(3, "repeat"), 8, [1, 2, 3, 1, 2, 3, 1, 2], [1, 2, 3, 1, 2, 3, 1, 2], id="round not full"),
        pytest.param(Counted(1, "repeat"), 3, [1, 1, 1], [1, 1, 1], id="counted repeat of one"),
        pytest.param(Counted(4, "repeat"), 3, [1, 2, 3], [1, 2, 3], id="counted repeat that never gets past dumping"),
        pytest.param(Counted(0.5, "repeat"), 3, [1, 1, 1], new(1, 1, 1), id="a fraction below one dumps step 1 anew"),
        pytest.param(Counted(2.5, "repeat"), 5, [1, 2, 1, 2, 1], [1, 2, 1, 2, 1], id="a fraction is cut"),
        pytest.param(Counted(3, "repeat_last"), 6, [1, 2, 3, 3, 3, 3], [1, 2, 3, 3, 3, 3], id="counted repeat_last"),
        pytest.param(Counted(1, "repeat_last"), 3, [1, 1, 1], [1, 1, 1], id="counted repeat_last of one"),
        pytest.param(listed("cache", 1, 2, 3), 6, [1, 2, 3, 4, 5, 6], [1, 2, 3, *new(4, 5, 6)], id="listed cache"),
        pytest.param(listed("cache", 2, 4), 4, [1, 2, 3, 4], [RERUN + 1, 2, RERUN + 3, 4], id="listed cache, gaps"),
        pytest.param(listed("repeat", 1, 2, 3, 4), 4, [1, 1, 1, 1], [1, 1, 1, 1], id="listed repeat"),
        pytest.param(listed("repeat", 3, 4, 5, 6), 6, [1, 2, 3, 3, 3, 3], [*new(1, 2), 3, 3, 3, 3], id="repeat from 3"),
        pytest.param(listed("repeat", 2, 4), 4, [1, 2, 3, 2], [RERUN + 1, 2, RERUN + 3, 2], id="listed repeat, gaps"),
        pytest.param(listed("repeat"), 3, [1, 2, 3], new(1, 2, 3), id="no steps"),
        pytest.param(listed("cache", -1, 0, 99), 2, [1, 2], new(1, 2), id="steps that never come up"),
    ],
)
def test_batches(policy: Policy, total_steps: int, first: list[int], rerun: list[int]) -> None:
    runs = first_run_and_rerun(policy, total_steps)
    assert [one.batches for one in runs] == [first, rerun]


@pytest.mark.parametrize(
    ("policy", "total_steps", "dumps", "batches", "left"),
    [
        pytest.param(Off(), 2, {1: 501}, [1, 2], {1: 501}, id="off leaves dumps alone"),
        pytest.param(OneFile(), 2, {ONE_FILE: 501}, [501, 501], {ONE_FILE: 501}, id="one file is there"),
        pytest.param(Counted(2, "cache"), 3, {2: 502}, [1, 502, 3], {1: 1, 2: 502}, id="a hole is filled"),
        pytest.param(Counted(1, "cache"), 2, {2: 502}, [1, 2], {1: 1, 2: 502}, id="a dump behind the count is unused"),
        pytest.param(
            Counted(2, "repeat"), 4, {4: 504}, [1, 2, 1, 2], {1: 1, 2: 2, 4: 504}, id="nor does repeat use it"
        ),
        pytest.param(listed("repeat", 4), 4, {2: 502, 3: 503, 5: 505}, [1, 2, 3, 503], None, id="nearest below"),
        pytest.param(listed("repeat", 1), 1, {5: 505, 7: 507}, [505], None, id="nearest above when none is below"),
        pytest.param(listed("repeat", 1), 1, {-2: 498, 5: 505}, [498], None, id="a negative step counts as below"),
        pytest.param(listed("repeat", 1), 1, {-1: 499, 5: 505}, [1], {-1: 499, 1: 1, 5: 505}, id="but -1 means none"),
        pytest.param(listed("cache", 1), 1, {2: 502}, [1], {1: 1, 2: 502}, id="cache takes no neighbour"),
        pytest.param(
            listed("repeat", 1, 2, 3, 4, 5, 6),
            6,
            {1: 501, 2: 502, 3: 503},
            [501, 502, 503, 503, 503, 503],
            None,
            id="repeat with the first three dumped goes on with the last",
        ),
        pytest.param(
            listed("cache", 1, 2, 3, 4),
            4,
            {1: 501, 2: 502, 3: 501, 4: 502},
            [501, 502, 501, 502],
            None,
            id="dumps put in place twice make the old round",
        ),
    ],
)
def test_dumps_that_exist(
    policy: Policy, total_steps: int, dumps: dict[int, int], batches: list[int], left: dict[int, int] | None
) -> None:
    done = run(policy, total_steps, dumps)
    assert (done.batches, dict(done.dumps)) == (batches, dumps if left is None else left)


def test_each_step_tells_what_was_loaded_and_saved() -> None:
    done = run(listed("repeat", 2, 3), 4)
    assert done.steps == (Step(1, 1, None, None), Step(2, 2, None, 2), Step(3, 2, 2, None), Step(4, 4, None, None))


def nested(enable: Maybe = True, last: Maybe = MISSING, action: Maybe = MISSING, **more: Maybe) -> LegacySkip:
    return LegacySkip("nested", enable, max_dump_step=last, action=action, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "policy"),
    [
        pytest.param(LegacySkip("flat"), Off(), id="flat, nothing set"),
        pytest.param(LegacySkip("flat", None), Off(), id="flat, null"),
        pytest.param(LegacySkip("flat", ""), Off(), id="flat, empty text"),
        pytest.param(LegacySkip("flat", True), OneFile(), id="flat, on"),
        pytest.param(LegacySkip("flat", "no"), OneFile(), id="a text counts as on, whatever it says"),
        pytest.param(nested(False, 3, "CACHE"), Off(), id="off is not checked"),
        pytest.param(nested(), Counted(1, "cache"), id="nested, defaults"),
        pytest.param(nested(True, 3, "repeat"), Counted(3, "repeat"), id="nested"),
        pytest.param(nested(True, -4), Counted(0, "cache"), id="a negative count is none"),
        pytest.param(nested(True, True), Counted(1, "cache"), id="true is one"),
        pytest.param(nested(True, 2.5), Counted(2.5, "cache"), id="a fraction"),
        pytest.param(nested(True, float("nan")), Counted(0, "cache"), id="not a number"),
        pytest.param(nested(True, float("inf")), Counted(float("inf"), "cache"), id="infinity"),
        pytest.param(nested(dump_steps=None), Counted(1, "cache"), id="a fork's key that is null"),
    ],
)
def test_old_policy(old: LegacySkip, policy: Policy) -> None:
    assert old_policy(old) == policy


@pytest.mark.parametrize(
    ("old", "kind", "reason"),
    [
        pytest.param(nested(True, 0, "repeat"), Refused, "max_dump_step is 0", id="nothing to repeat"),
        pytest.param(nested(True, -1, "repeat_last"), Refused, "max_dump_step is -1", id="nothing to repeat, negative"),
        pytest.param(nested(True, 0.5, "repeat_last"), Refused, "max_dump_step is 0.5", id="nothing at step 1"),
        pytest.param(nested(True, "3"), Refused, "max_dump_step is '3'", id="a text for the count"),
        pytest.param(nested(True, None), Refused, "max_dump_step is None", id="null for the count"),
        pytest.param(nested(True, 1, "CACHE"), Refused, "action is 'CACHE'", id="capitals"),
        pytest.param(nested(True, 1, None), Refused, "action is None", id="null action"),
        pytest.param(LegacySkip("flat", True, 5), Refused, "directory is 5", id="a number for the directory"),
        pytest.param(LegacySkip("flat", True, None), Refused, "directory is None", id="null directory"),
        pytest.param(LegacySkip("flat", Opaque("$ON")), Unknown, "$ON", id="the switch is a variable"),
        pytest.param(nested(True, Opaque("$N")), Unknown, "$N", id="the count is a variable"),
        pytest.param(nested(True, 1, Opaque("$A")), Unknown, "$A", id="the action is a variable"),
        pytest.param(nested(dump_steps=[1]), Unknown, "dump_steps", id="a fork's list"),
        pytest.param(nested(load_dir="/x"), Unknown, "load_dir", id="a fork's second directory"),
    ],
)
def test_old_settings_without_a_policy(old: LegacySkip, kind: type, reason: str) -> None:
    policy = old_policy(old)
    assert isinstance(policy, kind)
    assert reason in policy.reason  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("enable", "steps", "action", "policy"),
    [
        pytest.param(MISSING, MISSING, MISSING, Off(), id="nothing set"),
        pytest.param(False, (1,), "repeat", Off(), id="off"),
        pytest.param("off", (1,), "repeat", Off(), id="a text for off"),
        pytest.param(0, (1,), "repeat", Off(), id="zero"),
        pytest.param("Yes", (1,), MISSING, listed("cache", 1), id="a text for on"),
        pytest.param(2, [1, 1, -3], "repeat", listed("repeat", 1, -3), id="doubled and negative"),
        pytest.param(True, MISSING, MISSING, listed("cache"), id="no steps"),
        pytest.param(False, Opaque("${n}"), Opaque("${a}"), Off(), id="off, the rest unknown"),
    ],
)
def test_manager_policy(enable: Maybe, steps: Maybe, action: Maybe, policy: Policy) -> None:
    assert manager_policy(enable, steps, action) == policy


@pytest.mark.parametrize(
    ("enable", "steps", "action", "kind", "reason"),
    [
        pytest.param("maybe", (1,), "cache", Refused, "enable", id="neither on nor off"),
        pytest.param(None, (1,), "cache", Refused, "enable", id="null"),
        pytest.param(1.0, (1,), "cache", Refused, "enable", id="a float"),
        pytest.param(False, (1,), "repeat_last", Refused, "action", id="an old action, even when off"),
        pytest.param(False, (1,), None, Refused, "action", id="null action"),
        pytest.param(True, 3, "cache", Refused, "steps", id="a number for the list"),
        pytest.param(True, (True,), "cache", Refused, "steps", id="a bool in the list"),
        pytest.param(Opaque("$ON"), (1,), "cache", Unknown, "$ON", id="the switch is a variable"),
        pytest.param(True, Through(Opaque("$N")), "cache", Unknown, "$N", id="the last step is a variable"),
        pytest.param(True, Opaque("${s}"), "cache", Unknown, "${s}", id="the list is an interpolation"),
        pytest.param(True, (1,), Opaque("$A"), Unknown, "$A", id="the action is a variable"),
    ],
)
def test_new_settings_without_a_policy(enable: Maybe, steps: Maybe, action: Maybe, kind: type, reason: str) -> None:
    policy = manager_policy(enable, steps, action)
    assert isinstance(policy, kind)
    assert reason in policy.reason  # type: ignore[union-attr]
