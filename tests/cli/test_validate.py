"""`skipcfg validate`: what is printed where, and how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import NEW, OLD, Skipcfg

BAD = "skip:\n  rollout_tq:\n    enable: maybe\n    step: [1]\n    action: repeat_last\n"
IDLE = "defaults: [ppo_trainer, _self_]\nskip:\n  rollout:\n    enable: true\n    steps: [1]\n"


def put(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_clean(skipcfg: Skipcfg) -> None:
    """A config that verl 0.9 takes: nothing on stdout, exit 0."""
    put("a.yaml", NEW)
    ran = skipcfg("validate", "a.yaml")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines()[0] == "1 file checked: 0 errors, 0 warnings."


def test_all_problems_at_once(skipcfg: Skipcfg) -> None:
    """Every value that is wrong is told, at the value; every key that is wrong, at the key."""
    put("a.yaml", BAD)
    ran = skipcfg("validate", "--format", "json", "a.yaml")
    assert ran.code == 1
    found = ran.json["files"][0]["diagnostics"]
    assert [(one["name"], one["line"], one["column"], one["key"]) for one in found] == [
        ("wrong-type", 3, 13, "skip.rollout_tq.enable"),
        ("no-such-key", 4, 5, "skip.rollout_tq.step"),
        ("unsupported-action", 5, 13, "skip.rollout_tq.action"),
    ]
    assert {one["severity"] for one in found} == {"error"}
    assert "did you mean steps?" in found[1]["help"]


def test_as_text(skipcfg: Skipcfg) -> None:
    """One line for the finding, the line of the file with a mark, one for what to do."""
    put("a.yaml", BAD)
    lines = skipcfg("validate", "a.yaml").out.splitlines()
    assert lines[0] == "a.yaml:3:13: error[wrong-type]: skip.rollout_tq.enable is 'maybe', and must be true or false"
    assert lines[1:3] == ["  3 |     enable: maybe", "    |             ^^^^^"]
    assert lines[3].startswith("  help: ")


def test_nothing_is_written(skipcfg: Skipcfg) -> None:
    """`validate` changes no file, and the report says nothing of changes."""
    path = put("a.yaml", OLD)
    ran = skipcfg("validate", "--format", "json", "a.yaml")
    assert path.read_text() == OLD
    assert "changed" not in ran.json["files"][0]


def test_old_settings(skipcfg: Skipcfg) -> None:
    """They are errors, and the last line says how to migrate."""
    put("a.yaml", OLD)
    ran = skipcfg("validate", "a.yaml")
    assert ran.code == 1
    assert "error[old-setting]" in ran.out
    assert "skipcfg migrate" in ran.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("launch.py", 'run(["actor_rollout_ref.rollout.skip.enable=True"])\n'),
        ("config.json", '{"actor_rollout_ref": {"rollout": {"skip": {"enable": true}}}}\n'),
        ("run.ps1", "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True\n"),
        ("run.cmd", "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True\n"),
        ("run.sh", "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True\n"),
    ],
)
def test_old_settings_in_files_of_every_kind(skipcfg: Skipcfg, name: str, text: str) -> None:
    """No file that holds old settings is told to be fine."""
    put(name, text)
    ran = skipcfg("validate", name)
    assert (ran.code, ran.out.count("error[old-setting]")) == (1, 1)
    assert skipcfg("migrate", name).code == 0
    assert skipcfg("validate", name).code == 0


def test_strict(skipcfg: Skipcfg) -> None:
    """A warning is exit 0, and 1 with `--strict`."""
    put("a.yaml", IDLE)
    assert skipcfg("validate", "a.yaml").code == 0
    ran = skipcfg("validate", "--strict", "--format", "json", "a.yaml")
    assert ran.code == 1
    assert ("a.yaml", "role-not-used") in ran.findings


def test_folders(skipcfg: Skipcfg) -> None:
    """A folder is walked; what is not for verl is not judged."""
    put("conf/a.yaml", BAD)
    put("conf/other.yaml", "rollout: {skip: {enable: true}}\n")
    put("conf/template.yaml", "skip: {{ rollout }}\n")
    ran = skipcfg("validate", "--format", "json", "conf")
    assert {path for path, _ in ran.findings} == {"conf/a.yaml"}


@pytest.mark.parametrize(("data", "name"), [(b"skip: [\n", "cannot-parse"), (b"skip: \xff\n", "cannot-decode")])
def test_files_that_cannot_be_read(skipcfg: Skipcfg, data: bytes, name: str) -> None:
    """A named file that cannot be read is an error."""
    put("a.yaml", data)
    ran = skipcfg("validate", "--format", "json", "a.yaml")
    assert (ran.code, ran.findings) == (1, [("a.yaml", name)])


def test_files_that_hold_nothing(skipcfg: Skipcfg) -> None:
    """Empty files, binary files, lists, empty folders: exit 0."""
    Path("empty").mkdir()
    put("a.yaml", "")
    put("b.yaml", b"\0\1")
    put("c.yaml", "- 1\n")
    for path in ("empty", "a.yaml", "b.yaml", "c.yaml", "."):
        assert skipcfg("validate", path).code == 0


def test_standard_input(skipcfg: Skipcfg) -> None:
    """`-` checks standard input under the name that was given."""
    ran = skipcfg("validate", "-", "--stdin-filename", "conf/a.yaml", "--format", "json", stdin=BAD.encode())
    assert ran.code == 1
    assert ran.json["files"][0]["path"] == "conf/a.yaml"


USAGE = {
    "no path": [],
    "a path that does not exist": ["nowhere.yaml"],
    "unknown option": ["--no-such-option", "a.yaml"],
    "standard input without a name": ["-"],
    "standard input beside a path": ["-", "a.yaml", "--stdin-filename", "a.yaml"],
}


@pytest.mark.parametrize("name", USAGE)
@pytest.mark.parametrize("output", ["text", "json"])
def test_could_not_run(skipcfg: Skipcfg, name: str, output: str) -> None:
    """Bad usage exits 2; with JSON, stdout is one object that says why."""
    put("a.yaml", NEW)
    ran = skipcfg("validate", "--format", output, *USAGE[name])
    assert ran.code == 2
    assert "Traceback" not in ran.err
    if output == "json":
        assert ran.json["error"]


@pytest.mark.parametrize(
    "text",
    [
        "trainer: {v1: {trainer_mode: async}}\n",
        "trainer: {v1: {sampler: {max_off_policy_strategy: skip}}}\n",
        "algorithm: {filter_groups: {enable: true, metric: null}}\n",
        "async_training: {staleness_threshold: -1}\n",
        "trainer: {v1: {trainer_mode: sync, sync: {parameter_sync_step: 3}}}\n",
    ],
)
def test_a_walk_checks_what_it_checks_by_name(skipcfg: Skipcfg, text: str) -> None:
    """Also files that say nothing of skipping."""
    put("conf/a.yaml", f"defaults: [ppo_trainer, _self_]\n{text}")
    named, walked = skipcfg("validate", "conf/a.yaml"), skipcfg("validate", ".")
    assert (named.code, walked.code) == (1, 1)
    assert named.out == walked.out
