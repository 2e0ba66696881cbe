"""`skipcfg cache ls` and `skipcfg cache convert`, and the note of `migrate` that leads there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from skipcfg.app import run

from skip_config.rollout_cache import layout
from tests.dump_trees import DATA, PARAMETERS, flat_dump, manager_step, nested_step, snapshot

Captured = pytest.CaptureFixture[str]


def old_config(tmp_path: Path, skip: dict[str, Any], **trainer: Any) -> Path:
    """A config of verl 0.8, or of an older one when `skip` has flat keys."""
    flat = any(key.startswith("skip_") for key in skip)
    values = {
        "actor_rollout_ref": {"rollout": {"n": 2, **(skip if flat else {"skip": skip})}},
        "data": DATA,
        "trainer": {"experiment_name": "e", "project_name": "p", **trainer},
    }
    file = tmp_path / "old.yaml"
    file.write_text(json.dumps(values, indent=1))
    return file


def nested(tmp_path: Path, action: str = "cache", last: int = 3, **trainer: Any) -> Path:
    for step in (1, 2, 3):
        nested_step(place(tmp_path), step)
    skip = {"enable": True, "dump_dir": str(tmp_path / "dumps"), "max_dump_step": last, "action": action}
    return old_config(tmp_path, skip, **trainer)


def place(tmp_path: Path) -> Path:
    return tmp_path / "dumps" / "e_p" / PARAMETERS


def convert(capsys: Captured, *arguments: object, code: int = 0) -> dict[str, Any]:
    assert run(["cache", "convert", *map(str, arguments), "--format", "json"]) == code
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


CONVERSIONS = [
    ("cache", "cache", 3, {1: 1, 2: 2, 3: 3}, {"steps": [1, 2, 3], "action": "cache"}),
    ("repeat_last", "repeat_last", 3, {1: 1, 2: 2, 3: 3}, {"steps": [1, 2, 3, 4, 5], "action": "repeat"}),
    ("one batch", "repeat", 1, {1: 1}, {"steps": [1, 2, 3, 4, 5], "action": "repeat"}),
    ("a round", "repeat", 2, {1: 1, 2: 2, 3: 1, 4: 2, 5: 1}, {"steps": [1, 2, 3, 4, 5], "action": "cache"}),
]


@pytest.mark.parametrize(
    ("action", "last", "steps", "settings"), [one[1:] for one in CONVERSIONS], ids=[one[0] for one in CONVERSIONS]
)
def test_dumps_of_08(
    tmp_path: Path, capsys: Captured, action: str, last: int, steps: dict[int, int], settings: dict[str, Any]
) -> None:
    """Each step gets the dump that it had, and the settings that belong to it are printed."""
    file = nested(tmp_path, action, last)
    report = convert(capsys, file, "--total-steps", 5)
    assert {one["step"]: one["from_step"] for one in report["steps"]} == steps
    assert report["settings"] == {"enable": True, "dump_dir": str(tmp_path / "dumps"), **settings}
    assert {int(path.name) for path in place(tmp_path).iterdir() if path.name.isdigit()} == set(steps)


def test_the_dump_of_07(tmp_path: Path, capsys: Captured) -> None:
    file = old_config(tmp_path, {"skip_rollout": True, "skip_dump_dir": str(tmp_path / "dumps")})
    dump = flat_dump(tmp_path / "dumps", "__GBS4__N2")
    report = convert(capsys, file, "--total-steps", 4)
    assert report["settings"]["steps"] == [1, 2, 3, 4]
    assert (place(tmp_path) / "1" / layout.GEN_BATCH).read_bytes() == dump.read_bytes()


def test_a_migrated_config_finds_them_too(tmp_path: Path, capsys: Captured) -> None:
    file = nested(tmp_path)
    assert run(["migrate", str(file), "--role", "rollout"]) == 0
    capsys.readouterr()
    report = convert(capsys, file)
    assert [one["action"] for one in report["steps"]] == ["link"] * 3
    assert run(["plan", str(file), "--role", "rollout", "--format", "json"]) == 0
    assert {one["outcome"] for one in json.loads(capsys.readouterr().out)["steps"]} == {"load"}


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path: Path, capsys: Captured) -> None:
    file = nested(tmp_path, "repeat", 2)
    before = snapshot(tmp_path)
    foreseen = convert(capsys, file, "--total-steps", 9, "--dry-run")
    assert snapshot(tmp_path) == before
    assert {**foreseen, "dry_run": False} == convert(capsys, file, "--total-steps", 9)


def test_twice_is_once(tmp_path: Path, capsys: Captured) -> None:
    file = nested(tmp_path)
    manager_step(place(tmp_path), 2)
    convert(capsys, file)
    before = snapshot(tmp_path)
    assert {one["action"] for one in convert(capsys, file)["steps"]} == {"keep"}
    assert snapshot(tmp_path) == before


PROBLEMS = [
    ("a round of unknown length", "repeat", 2, [], 1, "--total-steps N"),
    ("a round with a gap", "repeat", 5, ["--total-steps", "9"], 1, "4-5 cannot be used"),
    ("the queue", "cache", 3, ["+trainer.use_v1=true"], 1, "cannot serve skip.rollout_tq"),
    ("another run's name", "cache", 3, ["trainer.experiment_name=x"], 1, "no dumps of verl 0.6 to 0.8"),
    ("a name that climbs", "cache", 3, ["trainer.experiment_name=../x"], 2, "leads out of the dump directory"),
    ("an absolute name", "cache", 3, ["trainer.experiment_name=/x"], 2, "leads out of the dump directory"),
    ("no such file", "cache", 3, None, 2, "nowhere.yaml"),
]


@pytest.mark.parametrize(
    ("action", "last", "arguments", "code", "words"), [one[1:] for one in PROBLEMS], ids=[one[0] for one in PROBLEMS]
)
def test_problems(
    tmp_path: Path, capsys: Captured, action: str, last: int, arguments: list[str] | None, code: int, words: str
) -> None:
    file = nested(tmp_path, action, last)
    given = ["nowhere.yaml"] if arguments is None else [str(file), *arguments]
    assert run(["cache", "convert", *given]) == code
    assert words in capsys.readouterr().err


def test_a_link_in_place_of_the_run_is_not_followed(tmp_path: Path, capsys: Captured) -> None:
    file = nested(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "dumps" / "e_p").rename(elsewhere)
    (tmp_path / "dumps" / "e_p").symlink_to(elsewhere)
    before = snapshot(elsewhere)
    assert run(["cache", "convert", str(file)]) == 2
    assert snapshot(elsewhere) == before


def test_warnings(tmp_path: Path, capsys: Captured) -> None:
    """What verl 0.9's default trainer cannot read, and what verl 0.8 counted."""
    assert run(["cache", "convert", str(nested(tmp_path, test_freq=5))]) == 0
    words = capsys.readouterr().err
    assert "launch with trainer.use_v1=False" in words
    assert "counted each validation batch as a step" in words


def test_list(tmp_path: Path, capsys: Captured) -> None:
    nested(tmp_path)
    manager_step(tmp_path / "dumps" / "x\n\x1b[2J_p" / PARAMETERS, 1)
    assert run(["cache", "ls", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "nested (verl 0.8): gen_batch.dp" in text
    assert "3 steps: 1-3" in text
    assert "x\\n\\x1b[2J_p\n" in text
    assert "\x1b" not in text
    assert run(["cache", "ls", str(tmp_path), "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [(one["generation"], one["steps"]) for one in report["caches"]] == [("nested", [1, 2, 3]), ("manager", [1])]
    assert [one["run"] for one in report["caches"]] == ["e_p", "x\n\x1b[2J_p"]


def test_list_of_what_is_not_there(tmp_path: Path, capsys: Captured) -> None:
    assert run(["cache", "ls", str(tmp_path / "nowhere"), "--format", "json"]) == 2
    assert "no such file" in json.loads(capsys.readouterr().out)["error"]
    assert run(["cache", "ls", str(tmp_path)]) == 0
    assert "No dumps here" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["nested", "flat", "none"])
def test_migrate_points_to_the_old_dumps(tmp_path: Path, capsys: Captured, kind: str) -> None:
    if kind == "nested":
        file = nested(tmp_path)
    else:
        file = old_config(tmp_path, {"skip_rollout": True, "skip_dump_dir": str(tmp_path / "dumps")})
        if kind == "flat":
            flat_dump(tmp_path / "dumps", "__GBS4__N2")
    assert run(["migrate", str(file), "--diff", "--total-steps", "3"]) == 0
    assert ("skipcfg cache convert" in capsys.readouterr().err) == (kind != "none")
