"""Traces of files, comparisons of two, and the line that migrate prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from skipcfg.app import run

from skip_config.legacy import LegacySkip, Maybe, Opaque
from skip_config.runtime import RERUN, Counted, Listed, OneFile, Refused, Unknown, first_run_and_rerun
from skip_config.trace import Trace, behaviour, differing_steps, step_list, stretches, trace_text
from skip_config.translate import translate

NESTED = "actor_rollout_ref: {rollout: {skip: {enable: true, max_dump_step: 2, action: %s}}}\n"
NEW = "skip: {%s: {enable: true, steps: [1, 2]}}\n"
NOTHING_SAVED = [[1, 2, 3], [RERUN + 1, RERUN + 2, RERUN + 3]]
CACHE = [[1, 2, 3], [1, 2, RERUN + 3]]


@pytest.mark.parametrize(
    ("text", "setting", "batches"),
    [
        pytest.param(
            "actor_rollout_ref: {rollout: {skip_rollout: true}}\n",
            "actor_rollout_ref.rollout",
            [[1, 1, 1], [1, 1, 1]],
            id="flat",
        ),
        pytest.param(NESTED % "cache", "actor_rollout_ref.rollout.skip", CACHE, id="nested cache"),
        pytest.param(NESTED % "repeat", "actor_rollout_ref.rollout.skip", [[1, 2, 1], [1, 2, 1]], id="nested repeat"),
        pytest.param(
            "rollout: {skip: {enable: true, max_dump_step: 2}}\n",
            "actor_rollout_ref.rollout.skip",
            None,
            id="the short form",
        ),
        pytest.param(NEW % "rollout", "skip.rollout", CACHE, id="the only role that is on"),
        pytest.param(NEW % "rollout_tq", "skip.rollout_tq", CACHE, id="the default trainer's role"),
        pytest.param(
            NEW % "rollout" + "trainer: {use_v1: true}\n", "skip.rollout_tq", NOTHING_SAVED, id="V1 asks another"
        ),
        pytest.param(NEW % "rollout" + "trainer: {use_v1: false}\n", "skip.rollout", CACHE, id="V0"),
        pytest.param(NEW % "rollout" + "async_training: {}\n", "skip.async_rollout", NOTHING_SAVED, id="fully async"),
        pytest.param("skip: {rollout: {enable: 'yes', steps: ['1', '2']}}\n", "skip.rollout", CACHE, id="texts"),
        pytest.param("skip: {rollout: {steps: [1, 2]}}\n", "skip.rollout_tq", NOTHING_SAVED, id="off"),
        pytest.param("model: x\n", "skip.rollout_tq", NOTHING_SAVED, id="nothing of the kind"),
        pytest.param("\ufeff" + NEW % "rollout", "skip.rollout", CACHE, id="a byte-order mark"),
    ],
)
def test_trace_text(text: str, setting: str, batches: list[list[int]] | None) -> None:
    trace = trace_text(text, filename="c.yaml", total_steps=3)
    assert isinstance(trace, Trace)
    assert trace.setting == setting
    if batches is not None:
        assert [one.batches for one in trace.runs] == batches


def test_the_file_states_how_many_steps() -> None:
    trace = trace_text("trainer: {total_training_steps: 5}\n", filename="c.yaml", total_steps=3)
    assert isinstance(trace, Trace)
    assert trace.total_steps == 5


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        pytest.param("a: [\n", Refused, "not YAML", id="not YAML"),
        pytest.param("a: 1\n---\nb: 2\n", Refused, "several documents", id="two documents"),
        pytest.param(NESTED % "CACHE", Refused, "action is 'CACHE'", id="the old runtime refuses the action"),
        pytest.param(NESTED % "'${a}'", Unknown, "action is ${a}", id="the action is an interpolation"),
        pytest.param("skip: {rollout: {steps: 3}}\n", Refused, "skip.rollout.steps is 3", id="the manager refuses it"),
        pytest.param("skip: {rollout_tq: {enable: '${x}'}}\n", Unknown, "enable is ${x}", id="the switch is unknown"),
        pytest.param(
            "skip: {rollout_tq: {enable: true, steps: ['${x}']}}\n", Unknown, "steps is a list", id="a step is unknown"
        ),
    ],
)
def test_no_trace(text: str, kind: type, reason: str) -> None:
    found = trace_text(text, filename="c.yaml", total_steps=3)
    assert isinstance(found, kind)
    assert reason in found.reason  # type: ignore[union-attr]


def test_steps_unknown() -> None:
    found = trace_text(NEW % "rollout", filename="c.yaml")
    assert isinstance(found, Unknown)
    assert "--total-steps" in found.reason


def test_the_asked_role_acts() -> None:
    trace = trace_text(NEW % "rollout", filename="c.yaml", total_steps=2, role="rollout_tq")
    assert isinstance(trace, Trace)
    assert trace.setting == "skip.rollout_tq"


@pytest.mark.parametrize(
    ("policy", "first", "rerun"),
    [
        pytest.param(OneFile(), ["1-1 generates and saves", "2-9 loads batch 1"], ["1-9 loads batch 1"], id="one file"),
        pytest.param(
            Counted(3, "repeat"),
            ["1-3 generates and saves", "4-9 loads batches 1, 2, 3 in turn"],
            ["1-3 loads its own batch", "4-9 loads batches 1, 2, 3 in turn"],
            id="round robin",
        ),
        pytest.param(
            Listed(frozenset({2, 3}), "cache"),
            ["1-1 generates", "2-3 generates and saves", "4-9 generates"],
            ["1-1 generates", "2-3 loads its own batch", "4-9 generates"],
            id="listed",
        ),
    ],
)
def test_stretches(policy: OneFile | Counted | Listed, first: list[str], rerun: list[str]) -> None:
    runs = first_run_and_rerun(policy, 9)
    shown = [[f"{s.first}-{s.last} {s.what}" for s in stretches(one)] for one in runs]
    # A batch that was loaded at the step that generated it, in `one file`, is still the only one.
    assert shown[0] == first
    assert "; ".join(shown[1]).endswith(rerun[-1].partition(" ")[2])


def test_a_step_that_only_one_has_differs() -> None:
    short, long = first_run_and_rerun(OneFile(), 2), first_run_and_rerun(OneFile(), 4)
    assert differing_steps(short, long) == ([3, 4], [3, 4])
    assert differing_steps(long, long) == ([], [])


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        pytest.param([4], "step 4", id="one"),
        pytest.param([4, 5, 6, 9], "steps 4-6, 9", id="ranges"),
        pytest.param(list(range(1, 40, 2)), "steps 1, 3, 5, 7, 9, …, 39", id="many"),
    ],
)
def test_step_list(steps: list[int], words: str) -> None:
    assert step_list(steps) == words


def nested(last: Maybe, action: Maybe) -> LegacySkip:
    return LegacySkip("nested", True, max_dump_step=last, action=action)


@pytest.mark.parametrize(
    ("old", "total_steps", "line"),
    [
        pytest.param(LegacySkip("flat", True), 300, "same behaviour for 300 steps", id="flat"),
        pytest.param(nested(3, "cache"), 6, "same behaviour for 6 steps", id="cache"),
        pytest.param(nested(3, "cache"), None, "same behaviour for any number of steps", id="cache, T unknown"),
        pytest.param(nested(0, "cache"), None, "same behaviour for any number of steps", id="cache of nothing"),
        pytest.param(
            nested(2, "repeat"),
            4,
            "behaviour differs in the first run at steps 2, 4 and in the rerun at steps 2, 4 of 4 steps",
            id="round robin",
        ),
        pytest.param(
            nested(3, "repeat_last"),
            6,
            "behaviour differs in the first run at steps 2-6 and in the rerun at steps 2-6 of 6 steps",
            id="repeat_last",
        ),
        pytest.param(nested(Opaque("$N"), "cache"), 6, "behaviour not compared: max_dump_step is $N", id="a variable"),
        pytest.param(
            LegacySkip("flat", True),
            Opaque("$T"),
            "behaviour not compared: steps go up to $T",
            id="T is a variable",
        ),
    ],
)
def test_behaviour(old: LegacySkip, total_steps: int | Opaque | None, line: str) -> None:
    settings = translate(old, total_steps).settings
    assert settings is not None
    assert behaviour(old, settings, total_steps).message == line


# ------------------------------------------------------------- the command


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(NESTED % "repeat", encoding="utf-8")
    new.write_text("skip: {rollout: {enable: true, steps: [1, 2, 3, 4], action: repeat}}\n", encoding="utf-8")
    return str(old), str(new)


def test_one_file(files: tuple[str, str], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["trace", files[0], "--total-steps", "4"]) == 0
    out = capsysbinary.readouterr().out.decode()
    assert out.splitlines()[2:5] == [
        "step        1   2   3   4",
        "first run  +1  +2   1   2",
        "rerun       1   2   1   2",
    ]


def test_two_files_that_differ(files: tuple[str, str], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["trace", *files, "--total-steps", "4"]) == 1
    out, err = (text.decode() for text in capsysbinary.readouterr())
    assert "differs" in out
    assert "first run at steps 2, 4" in err


def test_two_files_that_agree(files: tuple[str, str], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["trace", files[0], files[0], "--total-steps", "300"]) == 0
    out, err = (text.decode() for text in capsysbinary.readouterr())
    assert "steps 3-300" in out
    assert "Same behaviour for 300 steps" in err


def test_json(files: tuple[str, str], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["trace", *files, "--total-steps", "3", "--format", "json"]) == 1
    assert json.loads(capsysbinary.readouterr().out) == {
        "version": 1,
        "files": [
            {"path": files[0], "total_steps": 3, "runs": [[1, 2, 1], [1, 2, 1]]},
            {"path": files[1], "total_steps": 3, "runs": [[1, 1, 1], [1, 1, 1]]},
        ],
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["{old}"], "--total-steps", id="T unknown"),
        pytest.param(["{old}", "{old}", "{old}", "--total-steps", "3"], "one file, or two", id="three files"),
        pytest.param(["nowhere.yaml", "--total-steps", "3"], "nowhere.yaml", id="no such file"),
    ],
)
def test_could_not_run(
    files: tuple[str, str], arguments: list[str], words: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    given = [one.format(old=files[0]) for one in arguments]
    assert run(["trace", *given]) == 2
    assert words in capsysbinary.readouterr().err.decode()
    assert run(["trace", *given, "--format", "json"]) == 2
    assert words in json.loads(capsysbinary.readouterr().out)["error"]
