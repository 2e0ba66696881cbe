"""`skipcfg plan`: exit codes, the JSON object, the strip, and what is said when nothing would load."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from skipcfg.app import run
from skipcfg.strip import ranges, strip

from tests.dump_trees import DATA, PARAMETERS, manager_step, queue_step

Captured = pytest.CaptureFixture[str]


def config(tmp_path: Path, role: str = "rollout", **skip: Any) -> Path:
    values = {
        "skip": {role: {"enable": True, "dump_dir": str(tmp_path / "dumps"), "steps": [1, 2, 3], **skip}},
        "actor_rollout_ref": {"rollout": {"n": 2}},
        "data": DATA,
        "trainer": {"experiment_name": "e", "project_name": "p", "use_v1": role == "rollout_tq"},
    }
    file = tmp_path / "config.yaml"
    file.write_text(json.dumps(values))
    return file


def place(tmp_path: Path) -> Path:
    return tmp_path / "dumps" / "e_p" / PARAMETERS


def test_json_is_one_object_of_the_promised_shape(tmp_path: Path, capsys: Captured) -> None:
    manager_step(place(tmp_path), 2)
    file = config(tmp_path, action="repeat", steps=[1, 2])
    assert run(["plan", str(file), "--total-steps", "3", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "role": "rollout",
        "directory": str(place(tmp_path)),
        "steps": [
            {"step": 1, "outcome": "load", "from_step": 2, "path": str(place(tmp_path) / "2")},
            {"step": 2, "outcome": "load", "from_step": 2, "path": str(place(tmp_path) / "2")},
            {"step": 3, "outcome": "generate", "from_step": None, "path": None},
        ],
    }


def test_the_strip_can_be_read_without_colour(tmp_path: Path, capsys: Captured) -> None:
    manager_step(place(tmp_path), 1)
    file = config(tmp_path, steps=[1, 2])
    assert run(["plan", str(file), "trainer.total_training_steps=230"]) == 0
    text = capsys.readouterr().out
    assert "\n  1 LS........ .......... .......... .......... ..........\n" in text
    assert "… the same up to step 200" in text
    assert "L  load the dump of the same step: 1\n" in text
    assert "S  generate and save: 2\n" in text
    assert "\x1b" not in text


def test_the_nearest_directory_and_what_differs(tmp_path: Path, capsys: Captured) -> None:
    queue_step(tmp_path / "dumps" / "e_p" / PARAMETERS, 1)
    file = config(tmp_path, "rollout_tq")
    assert run(["plan", str(file), "+trainer.v1.trainer_mode=colocate_async"]) == 0
    captured = capsys.readouterr()
    assert "there GBS4, here GBS1  (data.gen_batch_size, set to 1 because trainer.v1.trainer_mode" in captured.out
    assert "Next: set the keys above" in captured.err


WORDS = [
    ("switched off", {"enable": False}, 0, "Next: switch skip.rollout.enable on"),
    ("no step that comes up", {"steps": [0, -1]}, 0, "lists no step that comes up"),
    ("relative", {"dump_dir": "dumps"}, 0, "is relative"),
    ("cleared away", {"dump_dir": "/tmp/ray/session_1/x"}, 0, "which Ray clears away"),
    ("refused", {"action": "random"}, 1, "verl 0.9 would stop"),
]


@pytest.mark.parametrize(("skip", "code", "words"), [one[1:] for one in WORDS], ids=[one[0] for one in WORDS])
def test_words(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, skip: dict[str, Any], code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["plan", str(config(tmp_path, **skip))]) == code
    assert words in capsys.readouterr().err


def test_two_roles_and_no_trainer(tmp_path: Path, capsys: Captured) -> None:
    """As `migrate` writes them: the plan is of verl 0.9's default trainer, and says how to see the other."""
    file = config(tmp_path)
    assert run(["plan", str(file), "~trainer.use_v1", "+skip.rollout_tq.enable=true"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("skip.rollout_tq: on")
    assert "--role rollout shows the plan of the other role" in captured.err


def test_old_settings_are_not_read(tmp_path: Path, capsys: Captured) -> None:
    assert run(["plan", str(config(tmp_path)), "+actor_rollout_ref.rollout.skip.enable=true"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""  # what verl 0.9 does without them is of no use
    assert "Next: leave them out of the overrides" in captured.err


def test_a_config_of_an_older_verl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old one.yaml").write_text("actor_rollout_ref: {rollout: {skip_rollout: true, skip_dump_dir: /d}}\n")
    arguments = ["plan", "old one.yaml", "--role", "rollout", "--total-steps", "5"]
    assert run(arguments) == 1
    assert capsys.readouterr() == (
        "",
        "error: actor_rollout_ref.rollout.{skip_rollout,skip_dump_dir}: settings of an older verl, which verl 0.9 does "
        "not read\nNext: skipcfg migrate --role rollout --total-steps 5 'old one.yaml'\n",
    )
    assert run([*arguments, "--format", "json"]) == 1
    assert "older verl" in json.loads(capsys.readouterr().out)["error"]


def test_a_step_that_stops_the_run(tmp_path: Path, capsys: Captured) -> None:
    (manager_step(place(tmp_path), 1) / "gen_batch.dp").write_bytes(b"")
    assert run(["plan", str(config(tmp_path))]) == 1
    captured = capsys.readouterr()
    assert "\n1 !SS\n" in captured.out
    assert "error: step 1: 1/gen_batch.dp is empty" in captured.err


def test_names_leave_the_terminal_alone(tmp_path: Path, capsys: Captured) -> None:
    manager_step(tmp_path / "dumps" / "x\n\x1b[31m_p" / PARAMETERS, 1)
    assert run(["plan", str(config(tmp_path)), "trainer.experiment_name='a\x1b[2J'"]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert "x\\n\\x1b[31m" in captured.out


def test_composed_with_hydra(tmp_path: Path, capsys: Captured) -> None:
    config(tmp_path)
    arguments = ["--config-dir", str(tmp_path), "--config-name", "config", "--format", "json"]
    assert run(["plan", *arguments, "trainer.experiment_name=other"]) == 0
    assert json.loads(capsys.readouterr().out)["directory"].endswith(f"dumps/other_p/{PARAMETERS}")


SCRIPT = """#!/bin/bash
if [ "$1" = long ]; then EXTRA=(data.max_response_length=1024); fi
python3 -m verl.trainer.main_ppo skip.rollout_tq.enable=True "skip.rollout_tq.steps=[1]" \\
    trainer.experiment_name=$NAME "${EXTRA[@]}"
"""


def test_script(tmp_path: Path, capsys: Captured) -> None:
    """Each way in which the script launches; what only the shell knows is asked for."""
    file = tmp_path / "run.sh"
    file.write_text(SCRIPT)
    assert run(["plan", str(file)]) == 2
    assert "only the shell knows trainer.experiment_name=$NAME" in capsys.readouterr().err
    assert run(["plan", str(file), "trainer.experiment_name=e"]) == 0
    text = capsys.readouterr().out
    assert "/e_verl_examples/GBS1024_N1_in512_out512\n" in text
    assert "== line 3 with data.max_response_length=1024\n" in text
    assert "/e_verl_examples/GBS1024_N1_in512_out1024\n" in text
    assert run(["plan", str(file), "trainer.experiment_name=e", "--format", "json"]) == 2
    assert "2 ways" in json.loads(capsys.readouterr().out)["error"]


CANNOT = [
    ("nothing named", []),
    ("no such file", ["nowhere.yaml"]),
    ("a folder", ["."]),
    ("no config", ["x.txt"]),
    ("half of a composition", ["--config-name", "x"]),
    ("no such config", ["--config-dir", ".", "--config-name", "nowhere"]),
    ("an override that Hydra cannot read", ["x.yaml", "a=[1"]),
    ("a sweep", ["x.yaml", "a=1,2"]),
    ("not UTF-8", ["latin.yaml"]),
    ("a number", ["number.yaml"]),
    ("a list", ["list.yaml"]),
    ("a text", ["text.yaml"]),
]


@pytest.mark.parametrize("arguments", [one[1] for one in CANNOT], ids=[one[0] for one in CANNOT])
def test_could_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, arguments: list[str]) -> None:
    """Exit code 2, and one JSON object all the same."""
    monkeypatch.chdir(tmp_path)
    Path("x.txt").write_text("")
    Path("x.yaml").write_text("a: 1\n")
    Path("latin.yaml").write_bytes(b"a: \xe9\n")
    Path("number.yaml").write_text("3\n")
    Path("list.yaml").write_text("- a\n")
    Path("text.yaml").write_text("'a'\n")
    assert run(["plan", *arguments, "--format", "json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]


STRIPS = [
    ("one row", {1: "L", 3: "S"}, 3, ["1 L.S"]),
    ("two rows", {51: "L"}, 51, [" 1 " + " ".join(["." * 10] * 5), "51 L"]),
    (
        "rows that are alike",
        {1000: "L"},
        1000,
        [
            "   1 " + " ".join(["." * 10] * 5),
            "     … the same up to step 950",
            " 951 " + " ".join(["." * 10] * 4) + " .........L",
        ],
    ),
]


@pytest.mark.parametrize(("marks", "last", "lines"), [one[1:] for one in STRIPS], ids=[one[0] for one in STRIPS])
def test_strip(marks: dict[int, str], last: int, lines: list[str]) -> None:
    assert list(strip(marks, 1, last, ".")) == lines


def test_a_strip_of_a_billion_steps_is_short() -> None:
    assert len(list(strip({1: "L", 10**9: "L"}, 1, 10**9, "."))) == 4


def test_ranges() -> None:
    assert ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
    assert ranges([]) == ""
