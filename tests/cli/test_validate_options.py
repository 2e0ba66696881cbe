"""Options of `skipcfg validate`, on the command line and in `pyproject.toml`, and `skipcfg explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from skipcfg.app import run

IDLE = "defaults: [ppo_trainer, _self_]\nskip:\n  rollout: {enable: true, steps: [1]}\n"
BAD = "skip:\n  rollout: {enable: maybe}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "idle.yaml").write_text(IDLE)
    (tmp_path / "bad.yaml").write_text(BAD)
    return tmp_path


def names(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Exit code, and the names of the findings of all files."""
    code = run(["validate", "--format", "json", *arguments])
    report = json.loads(capfd.readouterr().out)
    return code, [one["name"] for file in report["files"] for one in file["diagnostics"]]


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["idle.yaml"], 0, ["role-not-used"]),
        (["--strict", "idle.yaml"], 1, ["role-not-used"]),
        (["--base", "none", "idle.yaml"], 0, ["role-not-used"]),
        (["--ignore", "role-not-used", "--strict", "idle.yaml"], 0, []),
        (["--select", "wrong-type", "idle.yaml", "bad.yaml"], 1, ["wrong-type"]),
        (["--select", "role-not-used", "bad.yaml"], 0, []),
        (["."], 1, ["wrong-type", "role-not-used"]),
    ],
    ids=["a warning", "strict", "defaults list still tells the trainer", "ignore", "select", "select others", "folder"],
)
def test_options(
    project: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], code: int, expected: list[str]
) -> None:
    assert names(capfd, *arguments) == (code, expected)


@pytest.mark.parametrize(
    ("table", "code", "expected"),
    [
        ("strict = true", 1, ["role-not-used"]),
        ("ignore = ['role-not-used']", 0, []),
        ("select = ['wrong-type']", 0, []),
        ("", 0, ["role-not-used"]),
    ],
)
def test_options_of_the_project(
    project: Path, capfd: pytest.CaptureFixture[str], table: str, code: int, expected: list[str]
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.skipcfg]\n{table}\n")
    assert names(capfd, "idle.yaml") == (code, expected)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("[tool.skipcfg]\nstrickt = true", "did you mean 'strict'"),
        ("[tool.skipcfg]\nstrict = 'yes'", "must be true or false"),
        ("[tool.skipcfg]\nselect = 'wrong-type'", "must be a list"),
        ("[tool.skipcfg]\nselect = ['wrong-typ']", "did you mean wrong-type"),
        ("[tool.skipcfg]\nformat = 'xml'", "must be one of text"),
        ("[tool]\nskipcfg = 5", "must be a table"),
        ("[tool.skipcfg", "pyproject.toml"),
    ],
)
def test_wrong_options_of_the_project(project: Path, capfd: pytest.CaptureFixture[str], table: str, says: str) -> None:
    (project / "pyproject.toml").write_text(table)
    assert run(["validate", "idle.yaml"]) == 2
    assert says in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a file"),
        (["--config-dir", "."], "go together"),
        (["--select", "nope", "idle.yaml"], "no finding is called 'nope'"),
        (["-"], "--stdin-filename"),
    ],
)
def test_usage(project: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert run(["validate", *arguments]) == 2
    assert says in capfd.readouterr().err


def test_quiet(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(["validate", "--quiet", "idle.yaml"])
    assert capfd.readouterr().err == ""


INSTALLED = "the installed verl (--runtime installed)"
DIRECTORIES = "dump directories (--check-paths)"


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (["idle.yaml"], f"{DIRECTORIES}, {INSTALLED}"),
        (["--check-paths", "idle.yaml"], INSTALLED),
        (["--base", "none", "idle.yaml"], f"verl's defaults below the files, {DIRECTORIES}, {INSTALLED}"),
        (["idle.yaml", "run.py"], f"{DIRECTORIES}, {INSTALLED}, new settings in Python files"),
        (["."], f"{DIRECTORIES}, {INSTALLED}, new settings in Python, cmd, notebook files"),
        (["other.py", "idle.yaml"], f"{DIRECTORIES}, {INSTALLED}"),
    ],
)
def test_what_was_not_checked(
    project: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], left: str
) -> None:
    (project / "run.py").write_text('ARGS = ["skip.rollout.enable=True"]\n')
    (project / "other.py").write_text("x = 1\n")
    (project / "run.cmd").write_text("python -m verl.trainer.main_ppo skip.rollout.enable=True\n")
    (project / "run.ipynb").write_text('{"cells": [], "metadata": {"x": "skip.rollout"}, "nbformat": 4}\n')
    run(["validate", *arguments])
    assert capfd.readouterr().err.splitlines()[-2] == f"Not checked: {left}."


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (
            ["--strict", "--ignore", "steps-empty", "idle.yaml"],
            "mend what is listed above, then: skipcfg validate --strict --ignore steps-empty idle.yaml",
        ),
        (["old name.yaml"], "to see what would move: skipcfg migrate --diff 'old name.yaml'"),
        (
            ["--config-dir", ".", "--config-name", "idle", "--base", "none"],
            "mend what is listed above, then: skipcfg validate --base none --config-dir . --config-name idle",
        ),
    ],
    ids=["flags", "old settings in a name with a blank", "composed"],
)
def test_the_next_command_can_be_pasted(
    project: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], last: str
) -> None:
    (project / "old name.yaml").write_text("actor_rollout_ref: {rollout: {skip: {enable: true}}}\n")
    run(["validate", *arguments])
    assert capfd.readouterr().err.splitlines()[-1] == f"Next: {last}"


OLD = "actor_rollout_ref:\n  rollout:\n    skip: {enable: true}\n"
OVERRIDE = "actor_rollout_ref.rollout.skip.enable=True"
LEFT_ALONE = {
    "a record of Hydra": (".hydra/config.yaml", OLD, "record"),
    "its overrides": ("outputs/a/.hydra/overrides.yaml", f"- {OVERRIDE}\n", "record"),
    "a config of verl": ("verl/trainer/config/my.yaml", OLD, "vendored"),
    "code of verl": ("verl/utils/run.py", f'ARGS = ["{OVERRIDE}"]\n', "vendored"),
}


@pytest.mark.parametrize(("path", "text", "name"), LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_migrate_leaves_alone_is_no_error(
    project: Path, capfd: pytest.CaptureFixture[str], path: str, text: str, name: str
) -> None:
    """The one names the other as what to do next, so both judge alike."""
    (project / path).parent.mkdir(parents=True)
    (project / path).write_text(text)
    assert names(capfd, path) == (0, [name])


def test_cells_of_a_notebook(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cells = [
        {"cell_type": "code", "source": [line]} for line in (f'args = ["{OVERRIDE}"]', f"!python train.py {OVERRIDE}")
    ]
    (project / "run.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1))
    assert names(capfd, "run.ipynb") == (1, ["old-setting", "old-setting"])


def test_composition(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "exp.yaml").write_text("trainer: {use_v1: true}\nskip:\n  rollout: {enable: true, steps: [1]}\n")
    assert names(capfd, "--config-dir", ".", "--config-name", "exp") == (0, ["role-not-used"])
    assert names(capfd, "--config-dir", ".", "--config-name", "exp", "trainer.use_v1=false") == (0, [])
    assert names(capfd, "--config-dir", ".", "--config-name", "none") == (1, ["composition-failed"])


def test_paths(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`rollout_tq` stops when it cannot save, `rollout` goes on."""
    (project / "file").write_text("")
    text = "skip:\n  {}: {{enable: true, steps: [1], dump_dir: {}}}\n"
    for role, severity in (("rollout", 0), ("rollout_tq", 1)):
        (project / "paths.yaml").write_text(text.format(role, project / "file" / "dumps"))
        assert names(capfd, "--check-paths", "--ignore", "temporary-dump-dir", "paths.yaml") == (
            severity,
            ["dump-dir-not-writable"],
        )
        (project / "paths.yaml").write_text(text.format(role, project / "new"))
        assert names(capfd, "--check-paths", "--ignore", "temporary-dump-dir", "paths.yaml") == (0, [])
    assert not (project / "new").exists()


def test_comments_silence(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "bad.yaml").write_text("skip:\n  # skipcfg: ignore[wrong-type] a test\n  rollout: {enable: maybe}\n")
    assert names(capfd, "bad.yaml") == (0, [])
    (project / "bad.yaml").write_text("skip:\n  rollout: {enable: maybe}  # skipcfg: ignore[wrong-type, feed-order]\n")
    assert names(capfd, "bad.yaml") == (0, ["stale-ignore"])


def test_comments_silence_in_scripts(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "run.sh").write_text(
        "# skipcfg: ignore[role-not-used] compared with the V0 run\n"
        "python3 -m verl.trainer.main_ppo skip.rollout.enable=True skip.rollout.steps=[1]\n"
    )
    assert names(capfd, "run.sh") == (0, [])


@pytest.mark.parametrize("data", [b"skip:\0", b"skip: \xff\n", b"\xef\xbb\xbfskip: {rollout: {}}\n"])
def test_bytes(project: Path, capfd: pytest.CaptureFixture[str], data: bytes) -> None:
    (project / "bytes.yaml").write_bytes(data)
    assert names(capfd, "bytes.yaml")[0] in (0, 1)


def test_explain(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "steps-empty"]) == 0
    assert "steps: []" in capfd.readouterr().out
    assert run(["explain", "--list"]) == 0
    assert "steps-empty" in capfd.readouterr().out
    assert run(["explain", "steps-emty"]) == 2
    assert "did you mean steps-empty" in capfd.readouterr().err
