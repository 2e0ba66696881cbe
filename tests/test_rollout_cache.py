"""Where dumps lie, what the manager takes for a step, and which steps of a run load one."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skip_config.legacy import LegacySkip
from skip_config.releases import Role
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.commands import commands_in
from skip_config.rollout_cache.config import ConfigError, unknown_for
from skip_config.rollout_cache.convert import DRAFT_PREFIX, OutsideError, carry_out, confined, placements
from skip_config.rollout_cache.neighbours import neighbours
from skip_config.rollout_cache.old_dumps import Dump, Found, find, goes_round, problem_with, targets
from skip_config.rollout_cache.plan import eligible, nearest, plan
from skip_config.rollout_cache.run import OldRun, RefusedError, Run, choose_role, read
from skip_config.rollout_cache.state import read_state
from skip_config.rollout_cache.survey import survey
from skip_config.source import Source
from tests.dump_trees import (
    DATA,
    PARAMETERS,
    flat_dump,
    manager_step,
    nested_step,
    pickled,
    queue_step,
    snapshot,
    write,
)


def settings_of(config: dict[str, Any], role: Role = "rollout") -> Run:
    [command] = commands_in(Source(json.dumps(config), "config.yaml"))
    return read(command.config, role)


def config(dump_dir: object = "/dumps", role: str = "rollout", **skip: Any) -> dict[str, Any]:
    return {
        "skip": {role: {"enable": True, "dump_dir": str(dump_dir), "steps": [1, 2, 3], **skip}},
        "actor_rollout_ref": {"rollout": {"n": 2}},
        "data": dict(DATA),
        "trainer": {"experiment_name": "e", "project_name": "p"},
    }


NAMES: list[tuple[str, dict[str, Any], Role, str]] = [
    ("all parts", {}, "rollout", f"/dumps/e_p/{PARAMETERS}"),
    ("gen_batch_size before train_batch_size", {"data.gen_batch_size": 2}, "rollout", "/dumps/e_p/GBS2_N2_in8_out16"),
    ("gen_batch_size null", {"data.gen_batch_size": None}, "rollout", f"/dumps/e_p/{PARAMETERS}"),
    ("gen_batch_size zero stays zero", {"data.gen_batch_size": 0}, "rollout", "/dumps/e_p/GBS0_N2_in8_out16"),
    ("a text that is a number", {"data.gen_batch_size": "16"}, "rollout", "/dumps/e_p/GBS16_N2_in8_out16"),
    ("lengths as they are", {"data.max_prompt_length": None}, "rollout", "/dumps/e_p/GBS4_N2_inNone_out16"),
    ("a name that is null", {"trainer.experiment_name": None}, "rollout", f"/dumps/None_p/{PARAMETERS}"),
    ("a name with a slash", {"trainer.experiment_name": "a/b"}, "rollout", f"/dumps/a/b_p/{PARAMETERS}"),
    ("an absolute name", {"trainer.experiment_name": "/other/e"}, "rollout", f"/other/e_p/{PARAMETERS}"),
    ("a climbing name", {"trainer.experiment_name": "../e"}, "rollout", f"/dumps/../e_p/{PARAMETERS}"),
    (
        "V0 keeps gen_batch_size in every mode",
        {"trainer.v1.trainer_mode": "separate_async"},
        "rollout",
        f"/dumps/e_p/{PARAMETERS}",
    ),
    ("V1 sync keeps it", {"trainer.v1.trainer_mode": "sync"}, "rollout_tq", f"/dumps/e_p/{PARAMETERS}"),
    ("V1 async", {"trainer.v1.trainer_mode": "colocate_async"}, "rollout_tq", "/dumps/e_p/GBS1_N2_in8_out16"),
    ("V1 with filter", {"algorithm.filter_groups.enable": True}, "rollout_tq", "/dumps/e_p/GBS1_N2_in8_out16"),
    (
        "V1 with refill",
        {"trainer.v1.sampler.sync_refill_failed_groups": True},
        "rollout_tq",
        "/dumps/e_p/GBS1_N2_in8_out16",
    ),
]


@pytest.mark.parametrize(("values", "role", "directory"), [one[1:] for one in NAMES], ids=[one[0] for one in NAMES])
def test_directory(values: dict[str, Any], role: Role, directory: str) -> None:
    text = json.dumps(config(role=role))
    overrides = [f"+{key}={'null' if value is None else json.dumps(value)}" for key, value in values.items()]
    [command] = commands_in(Source(text, "config.yaml"), overrides)
    assert str(read(command.config, role).directory) == directory


def test_names_and_numbers_that_are_absent() -> None:
    run = settings_of({"skip": {"rollout": {"dump_dir": "/dumps"}}})
    assert str(run.directory) == "/dumps/default_experiment_name_default_project_name/GBS0_N0_in0_out0"


def test_the_defaults_list_brings_verls_own_values() -> None:
    run = settings_of({"defaults": ["ppo_trainer", "_self_"], "skip": {"rollout": {"dump_dir": "/dumps"}}})
    assert str(run.directory) == "/dumps/gsm8k_verl_examples/GBS1024_N1_in512_out512"


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("n is null", {"actor_rollout_ref": {"rollout": {"n": None}}}),
    ("n is a word", {"actor_rollout_ref": {"rollout": {"n": "many"}}}),
    ("batch size is null everywhere", {"data": {"train_batch_size": None}}),
    ("an unknown key", {"skip": {"rollout": {"stepz": [1]}}}),
    ("an action of older releases", {"skip": {"rollout": {"action": "repeat_last"}}}),
    ("an interpolation that leads nowhere", {"skip": {"rollout": {"dump_dir": "${nowhere}"}}}),
    ("no such user", {"skip": {"rollout": {"dump_dir": "~nobody-of-this-name/x"}}}),
    ("parts are no number", {"trainer": {"v1": {"trainer_mode": "sync", "sync": {"parameter_sync_step": "x"}}}}),
]


@pytest.mark.parametrize("changed", [one[1] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_what_stops_the_runtime(changed: dict[str, Any]) -> None:
    with pytest.raises(RefusedError):
        settings_of({**config(), **changed})


CHOICES = [
    ("V1", {"trainer": {"use_v1": True}}, "rollout_tq"),
    ("V0", {"trainer": {"use_v1": False}}, "rollout"),
    ("fully asynchronous", {"async_training": {"staleness_threshold": 1}}, "async_rollout"),
    ("verl's default", {"defaults": ["ppo_trainer"]}, "rollout_tq"),
    ("the only one that is on", {"skip": {"rollout": {"enable": True}}}, "rollout"),
    ("two that are on", {"skip": {"rollout": {"enable": True}, "rollout_tq": {"enable": True}}}, "rollout_tq"),
    ("none", {}, "rollout_tq"),
]


@pytest.mark.parametrize(("values", "role"), [one[1:] for one in CHOICES], ids=[one[0] for one in CHOICES])
def test_role(values: dict[str, Any], role: str) -> None:
    [command] = commands_in(Source(json.dumps(values), "config.yaml"))
    assert choose_role(command.config) == role


# --------------------------------------------------------------------------- scripts


def test_script_with_variables() -> None:
    """What the script sets once is filled in; what only the shell knows is named."""
    text = """#!/bin/bash
NAME=long-run
T=3
python3 -m verl.trainer.main_ppo trainer.experiment_name=${NAME}_a data.train_batch_size=$BATCH \\
    skip.rollout_tq.enable=True "skip.rollout_tq.steps=[$(seq -s, 1 ${T})]" "$@"
"""
    [command] = commands_in(Source(text, "run.sh"))
    assert unknown_for(command, "rollout_tq") == [("data.train_batch_size", "$BATCH")]
    assert any("$@" in remark for remark in command.remarks)
    [command] = commands_in(Source(text, "run.sh"), ["data.train_batch_size=64"])
    assert unknown_for(command, "rollout_tq") == []
    run = read(command.config, choose_role(command.config))
    assert run.directory.parts[-2:] == ("long-run_a_verl_examples", "GBS64_N1_in512_out512")
    assert run.steps == (1, 2, 3)


def test_script_of_the_asynchronous_trainer() -> None:
    text = (
        "python -m verl.experimental.fully_async_policy.fully_async_main skip.async_rollout.enable=True "
        "skip.async_rollout.steps='[1,2]' data.train_batch_size=0\n"
    )
    [command] = commands_in(Source(text, "run.sh"))
    assert choose_role(command.config) == "async_rollout"
    assert "GBS1_" in str(read(command.config, "async_rollout").directory)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "x = 1\n"),
        ("a.sh", "#!/bin/bash\necho hello\n"),
        ("a.yaml", "a: [1\n"),
        ("a.yaml", "- a list\n"),
        ("a.yaml", "a: 1\n---\nb: 1\n"),
        ("a.yaml", "a: 1\na: 2\n"),
        (
            "a.yaml",
            "a: &a [x,x,x,x,x,x,x,x]\n"
            + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 8)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)),
        ),
        ("a.yaml", "a: &a\n  b: *a\n"),
    ],
    ids=[
        "another kind",
        "no launch",
        "broken",
        "no mapping",
        "two documents",
        "a key twice",
        "aliases without end",
        "a loop of aliases",
    ],
)
def test_what_is_no_config(name: str, text: str) -> None:
    with pytest.raises(ConfigError):
        commands_in(Source(text, name))


# ---------------------------------------------------------------------------- plans


def outcomes(run: Run, steps: Any = None) -> list[tuple[int, str, int | None]]:
    state = read_state(run.directory, run.role, run.parts)
    return [(one.step, one.outcome, one.from_step) for one in plan(run, state, steps or eligible(run, None))]


def test_cache_loads_the_same_step_only(tmp_path: Path) -> None:
    run = settings_of(config(tmp_path, steps=[1, 2, 5]))
    manager_step(run.directory, 1)
    manager_step(run.directory, 3)
    assert outcomes(run, [1, 2, 3]) == [(1, "load", 1), (2, "generate-and-save", None), (3, "generate", None)]


def test_repeat_follows_what_the_run_itself_saves(tmp_path: Path) -> None:
    """As measured: one batch again and again from an empty directory."""
    run = settings_of(config(tmp_path, steps=[1, 2, 3], action="repeat"))
    assert outcomes(run) == [(1, "generate-and-save", None), (2, "load", 1), (3, "load", 1)]


def test_repeat_takes_the_largest_below_and_else_the_smallest_above(tmp_path: Path) -> None:
    run = settings_of(config(tmp_path, steps=[1, 2, 3, 4, 5, 6, 7], action="repeat"))
    for step in (3, 5):
        manager_step(run.directory, step)
    assert [source for _, _, source in outcomes(run)] == [3, 3, 3, 3, 5, 5, 5]


HALF = [
    ("no meta.json", {"1": [layout.GEN_BATCH]}, [(1, "generate-and-save", None)]),
    ("no data", {"1": [layout.META]}, [(1, "generate-and-save", None)]),
    ("another role's file", {"1/0": [layout.TQ_BATCH, layout.META]}, [(1, "generate-and-save", None)]),
    ("a name that int reads", {"007": [layout.GEN_BATCH, layout.META]}, [(1, "load", 7)]),
    ("a name that int does not read", {"one": [layout.GEN_BATCH, layout.META]}, [(1, "generate-and-save", None)]),
    ("step -1, which stands for none", {"-1": [layout.GEN_BATCH, layout.META]}, [(1, "generate-and-save", None)]),
]


@pytest.mark.parametrize(("tree", "expected"), [one[1:] for one in HALF], ids=[one[0] for one in HALF])
def test_half_steps(tmp_path: Path, tree: dict[str, list[str]], expected: list[object]) -> None:
    run = settings_of(config(tmp_path, steps=[1], action="repeat"))
    for name, files in tree.items():
        write(run.directory / name, *files)
    assert outcomes(run) == expected


def test_a_name_that_is_counted_but_not_found_stops_the_run(tmp_path: Path) -> None:
    run = settings_of(config(tmp_path, steps=[1], action="repeat"))
    manager_step(run.directory, "007")
    [step] = plan(run, read_state(run.directory, "rollout", 1), [1])
    assert step.stops
    assert "007" in str(step.trouble)


@pytest.mark.parametrize("blocker", ["step is a file", "data is a directory", "no directory can be made"])
def test_a_step_that_cannot_be_saved_serves_no_later_one(tmp_path: Path, blocker: str) -> None:
    run = settings_of(config(tmp_path, steps=[1, 2], action="repeat"))
    if blocker == "step is a file":
        run.directory.mkdir(parents=True)
        (run.directory / "1").write_text("")
    elif blocker == "data is a directory":
        (run.directory / "1" / layout.GEN_BATCH).mkdir(parents=True)
    else:
        (tmp_path / "e_p").write_text("")
    steps = plan(run, read_state(run.directory, "rollout", 1), [1, 2])
    assert [one.outcome for one in steps] == ["generate-and-save", "generate-and-save"]
    assert "cannot be saved" in str(steps[0].trouble)
    assert (steps[1].trouble is None) == (blocker != "no directory can be made")


@pytest.mark.parametrize(("parts", "there", "outcome"), [(1, 1, "load"), (4, 4, "load"), (4, 3, "generate-and-save")])
def test_parts(tmp_path: Path, parts: int, there: int, outcome: str) -> None:
    """`rollout_tq` wants every part of a step."""
    values = config(tmp_path, role="rollout_tq", steps=[1])
    values["trainer"]["v1"] = {"trainer_mode": "separate_async", "separate_async": {"parameter_sync_step": parts}}
    run = settings_of(values, "rollout_tq")
    queue_step(run.directory, 1, there)
    state = read_state(run.directory, "rollout_tq", parts)
    [step] = plan(run, state, [1])
    assert step.outcome == outcome
    if outcome != "load":
        assert state.steps[1].missing == ("3/tq_batch.pt", "3/meta.json")
        assert "mix two runs" in str(step.trouble)


@given(st.lists(st.integers(-5, 40), unique=True).map(sorted), st.integers(-5, 40))
def test_nearest_is_verls_choice(available: list[int], step: int) -> None:
    """As `_find_latest_step` of verl 0.9.1 puts it, for a step that is not there itself."""
    available = [one for one in available if one != step]
    smaller, larger = [one for one in available if one < step], [one for one in available if one > step]
    assert nearest(available, step) == (smaller[-1] if smaller else larger[0] if larger else None)


def test_neighbours(tmp_path: Path) -> None:
    """The nearest directory comes first, and the part that differs is named with its setting."""
    run = settings_of(config(tmp_path))
    manager_step(tmp_path / "e_p" / "GBS1_N2_in8_out16", 1)
    manager_step(tmp_path / "other_p" / "GBS1_N9_in8_out16", 1)
    queue_step(tmp_path / "e_p" / "GBS7_N2_in8_out16", 1)
    (tmp_path / "e_p" / "GBS9_N2_in8_out16" / "1").mkdir(parents=True)
    found = neighbours(run)
    assert [Path(one.path).name for one in found] == ["GBS1_N2_in8_out16", "GBS1_N9_in8_out16", "GBS7_N2_in8_out16"]
    assert [one.fits for one in found] == [True, True, False]
    assert found[0].differences == (("GBS1", "GBS4", "data.train_batch_size"),)
    assert found[1].differences[0].keys == "trainer.experiment_name"


# --------------------------------------------------------------------------- listing


def test_survey_of_every_generation(tmp_path: Path) -> None:
    flat_dump(tmp_path, "__GBS4__N2")
    place = tmp_path / "e_p" / PARAMETERS
    for step in (1, 2):
        nested_step(place, step)
        manager_step(place, step)
    queue_step(place, 3, 2)
    queue_step(place, 4, 1)
    manager_step(place, "05")
    write(place / "6", layout.GEN_BATCH)
    found = survey(str(tmp_path)).sets
    assert [(one.kind, one.data, one.steps) for one in found] == [
        ("flat", "", []),
        ("manager", layout.GEN_BATCH, [1, 2]),
        ("manager", layout.TQ_BATCH, [3]),
        ("nested", layout.GEN_BATCH, [1, 2]),
    ]
    assert [(one.name, one.why) for one in found[1].broken] == [
        ("05", "is counted as step 5, which is then looked for in 5/"),
        ("6", "lacks meta.json"),
    ]
    assert [(one.name, one.why) for one in found[2].broken] == [("4", "has 1 of 2 parts")]


def test_survey_survives_links_and_strange_names(tmp_path: Path) -> None:
    place = tmp_path / "e\n\x1b[31m_p" / PARAMETERS
    manager_step(place, 1)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    (place / "2").symlink_to(place / "1")
    os.makedirs(os.fsencode(tmp_path) + b"/\xff_p/" + PARAMETERS.encode() + b"/1")
    found = survey(str(tmp_path))
    assert [one.steps for one in found.sets] == [[1], []]
    assert found.links == 3


def test_survey_starts_anywhere(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b" / "e_p" / PARAMETERS
    manager_step(place, 1)
    for start in (tmp_path, place.parent, place):
        assert [one.steps for one in survey(str(start)).sets] == [[1]]
    with pytest.raises(OSError, match="No such file"):
        survey(str(tmp_path / "nowhere"))


# ------------------------------------------------------------------------ converting


def old(place: Path) -> OldRun:
    return OldRun("nested", place, place)


@pytest.mark.parametrize(
    ("settings", "total_steps", "expected"),
    [
        (None, None, {1: 1, 2: 2, 3: 3, 4: 4}),
        (LegacySkip("nested", True, "/d", 3, "cache"), 9, {1: 1, 2: 2, 3: 3, 4: 4}),
        (LegacySkip("nested", True, "/d", 3, "repeat_last"), 9, {1: 1, 2: 2, 3: 3}),
        (LegacySkip("nested", True, "/d", 3, "repeat"), None, {1: 1, 2: 2, 3: 3}),
        (LegacySkip("nested", True, "/d", 3, "repeat"), 8, {1: 1, 2: 2, 3: 3, 4: 1, 5: 2, 6: 3, 7: 1, 8: 2}),
        (LegacySkip("nested", True, "/d", 1, "repeat"), 8, {1: 1}),
        (LegacySkip("nested", True, "/d", 9, "repeat"), 8, {1: 1, 2: 2, 3: 3, 4: 4}),
    ],
    ids=["migrated", "cache", "repeat_last", "round without T", "round", "repeat of one", "never closes"],
)
def test_targets(settings: LegacySkip | None, total_steps: int | None, expected: dict[int, int]) -> None:
    found = Found(old(Path("/d")), tuple(Dump(step, Path(f"/d/{step}")) for step in (1, 2, 3, 4)))
    assert {step: dump.step for step, dump in targets(found, settings, total_steps)} == expected


@given(last=st.integers(2, 12), total_steps=st.integers(1, 60))
def test_a_round_serves_every_step_as_it_did(last: int, total_steps: int) -> None:
    """Step s got batch (s - 1) mod N + 1, and gets it again."""
    settings = LegacySkip("nested", True, "/d", last, "repeat")
    found = Found(old(Path("/d")), tuple(Dump(step, Path(f"/d/{step}")) for step in range(1, last + 1)))
    placed = [(step, dump.step) for step, dump in targets(found, settings, total_steps)]
    if goes_round(settings, total_steps):
        assert placed == [(step, (step - 1) % last + 1) for step in range(1, total_steps + 1)]
    else:
        assert placed == [(step, step) for step in range(1, last + 1)]


DAMAGED = [
    ("whole", pickled(1), None),
    ("empty", b"", "empty"),
    ("cut off", pickled(1)[:-1], "cut off"),
    ("a text", b"hello.", "no pickle"),
]


@pytest.mark.parametrize(("data", "why"), [one[1:] for one in DAMAGED], ids=[one[0] for one in DAMAGED])
def test_damage_is_seen_without_loading(tmp_path: Path, data: bytes, why: str | None) -> None:
    file = tmp_path / layout.GEN_BATCH
    file.write_bytes(data)
    problem = problem_with(file)
    assert problem is None if why is None else why in str(problem)


def test_links_and_pipes_are_no_dumps(tmp_path: Path) -> None:
    """A link could lead to any file of the machine, and opening a pipe would wait for ever."""
    (tmp_path / "secret").write_bytes(pickled("secret"))
    place = nested_step(tmp_path, 1)
    (place / layout.GEN_BATCH).unlink()
    (place / layout.GEN_BATCH).symlink_to(tmp_path / "secret")
    second = nested_step(tmp_path, 2)
    (second / layout.GEN_BATCH).unlink()
    os.mkfifo(second / layout.GEN_BATCH)
    (tmp_path / layout.nested_name(3)).symlink_to(place)
    found = find(old(tmp_path))
    assert [dump.step for dump in found.dumps] == [1, 2, 3]
    assert all(dump.problem for dump in found.dumps)


@pytest.mark.parametrize("copy", [False, True], ids=["hard links", "copies"])
def test_steps_appear_whole(tmp_path: Path, copy: bool) -> None:
    source = nested_step(tmp_path / "old", 7) / layout.GEN_BATCH
    directory = tmp_path / "new"
    dump = Dump(7, source)
    planned = placements([(7, dump), (9, dump)], directory, copy)
    assert [one.action for one in carry_out(planned, directory, tmp_path)] == ["copy" if copy else "link"] * 2
    assert snapshot(directory) == {
        f"{step}/{name}": data
        for step in (7, 9)
        for name, data in (
            (layout.GEN_BATCH, source.read_bytes()),
            (layout.META, json.dumps({"global_steps": step}).encode()),
        )
    }
    assert os.path.samefile(source, directory / "7" / layout.GEN_BATCH) != copy
    assert read_state(directory, "rollout", 1).available == (7, 9)


def test_where_no_link_can_be_made_there_is_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As between two file systems, which a test cannot count on."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    source = nested_step(tmp_path / "old", 1) / layout.GEN_BATCH
    planned = placements([(1, Dump(1, source))], tmp_path / "new", False)
    assert [one.action for one in carry_out(planned, tmp_path / "new", tmp_path)] == ["copy"]
    assert (tmp_path / "new" / "1" / layout.GEN_BATCH).read_bytes() == source.read_bytes()


def test_what_is_there_stays(tmp_path: Path) -> None:
    source = nested_step(tmp_path / "old", 1) / layout.GEN_BATCH
    directory = tmp_path / "new"
    manager_step(directory, 1)
    write(directory / "2", layout.GEN_BATCH)
    before = snapshot(directory)
    planned = placements([(1, Dump(1, source)), (2, Dump(1, source))], directory, False)
    assert [(one.action, one.why) for one in carry_out(planned, directory, tmp_path)] == [
        ("keep", "there already"),
        ("keep", "there already, but lacks meta.json"),
    ]
    assert snapshot(directory) == before


def test_a_step_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    source = nested_step(tmp_path / "old", 1) / layout.GEN_BATCH
    directory = tmp_path / "new"
    planned = placements([(1, Dump(1, source))], directory, False)
    manager_step(directory, 1)
    before = snapshot(directory)
    assert [one.action for one in carry_out(planned, directory, tmp_path)] == ["keep"]
    assert snapshot(directory) == before
    assert sorted(os.listdir(directory)) == ["1"]


def test_nothing_is_left_of_a_step_that_fails(tmp_path: Path) -> None:
    directory = tmp_path / "new"
    planned = placements([(1, Dump(1, tmp_path / "gone"))], directory, False)
    with pytest.raises(FileNotFoundError):
        list(carry_out(planned, directory, tmp_path))
    assert os.listdir(directory) == []


def test_an_interruption_leaves_no_half_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = nested_step(tmp_path / "old", 1) / layout.GEN_BATCH
    directory = tmp_path / "new"

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        list(carry_out(placements([(1, Dump(1, source))], directory, False), directory, tmp_path))
    assert os.listdir(directory) == []


def test_what_a_killed_run_left_goes_after_a_day(tmp_path: Path) -> None:
    source = nested_step(tmp_path / "old", 1) / layout.GEN_BATCH
    directory = tmp_path / "new"
    young, old_one = (write(directory / f"{DRAFT_PREFIX}{name}", layout.GEN_BATCH) for name in ("young", "old"))
    os.utime(old_one, (1, 1))
    assert read_state(directory, "rollout", 1).available == ()
    list(carry_out(placements([(1, Dump(1, source))], directory, False), directory, tmp_path))
    assert sorted(os.listdir(directory)) == [young.name, "1"]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", "link/x", "."])
def test_nothing_leads_out(tmp_path: Path, name: str) -> None:
    dumps = tmp_path / "dumps"
    dumps.mkdir()
    (dumps / "link").symlink_to(tmp_path)
    with pytest.raises(OutsideError):
        confined(dumps / name, dumps)
    assert confined(dumps / "a/../x", dumps) == dumps / "x"
