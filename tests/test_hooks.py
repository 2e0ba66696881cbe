"""Hooks and the GitHub action as others run them: the real pre-commit, and the steps of `action.yml` in bash."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.wheel_cache import built_once, run_or_fail

pytestmark = pytest.mark.hooks

ROOT = Path(__file__).parents[1]

OLD = (
    "actor_rollout_ref:\n  rollout:\n    skip:\n      enable: true\n      max_dump_step: 2\ntrainer:\n  use_v1: true\n"
)
NEW = "skip:\n  rollout_tq:\n    enable: true\n    steps: [1, 2]\ntrainer:\n  use_v1: true\n"
UNDECIDED = "actor_rollout_ref:\n  rollout:\n    skip_rollout: true\n"
BAD = "skip:\n  rollout_tq:\n    enable: maybe\n"
SCRIPT = "python -m verl.trainer.main_ppo \\\n    actor_rollout_ref.rollout.skip.enable=True\n"
HELM = "{{ if .Values.rollout }}\n- [\n{{ end }}\n"
"""A template that is no YAML, and none of our business."""


def git(folder: Path, *arguments: str) -> str:
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *settings, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit_all(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """This repository as it stands, as one that hooks are installed from, and its revision."""
    folder = tmp_path_factory.mktemp("published")
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    git(folder, "init", "-q")
    return folder, commit_all(folder)


# ---------------------------------------------------------------------- pre-commit


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory: pytest.TempPathFactory, published: tuple[Path, str]) -> dict[str, str]:
    """The environment in which `pre-commit` runs, its hooks installed once for all tests."""

    def build(folder: Path) -> None:
        run_or_fail([sys.executable, "-m", "venv", str(folder)])
        run_or_fail([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "pre-commit>=4,<5"])

    program = built_once(f"pre-commit-4-python{sys.version_info[0]}.{sys.version_info[1]}", build) / "bin"
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTHONPATH"))}
    home = str(tmp_path_factory.mktemp("pre-commit"))
    return variables | {"PRE_COMMIT": str(program), "PRE_COMMIT_HOME": home}


@pytest.fixture
def project(tmp_path: Path, published: tuple[Path, str]) -> Path:
    """A throw-away repository that uses the hooks."""
    hooks = [{"id": hook} for hook in ("skipcfg-migrate", "skipcfg-migrate-check", "skipcfg-validate")]
    config = {"repos": [{"repo": published[0].as_uri(), "rev": published[1], "hooks": hooks}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git(tmp_path, "init", "-q")
    return tmp_path


def run_hook(pre_commit: dict[str, str], project: Path, hook: str) -> tuple[int, str]:
    git(project, "add", "-A")
    # `built_once` moves the environment after it is made, so its scripts name a folder that is gone.
    command = [str(Path(pre_commit["PRE_COMMIT"]) / "python"), "-m", "pre_commit", "run", hook, "--all-files"]
    done = subprocess.run(command, cwd=project, env=pre_commit, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_migrate_rewrites_what_is_old_and_fails_once(pre_commit: dict[str, str], project: Path) -> None:
    """pre-commit stops the commit because files were modified; the next time all is well."""
    (project / "config.yaml").write_text(OLD)
    (project / "run.sh").write_text(SCRIPT)
    (project / "chart.yaml").write_text(HELM)
    (project / "image.png").write_bytes(b"\x89PNG\0rollout skip")
    code, said = run_hook(pre_commit, project, "skipcfg-migrate")
    assert (code, "files were modified by this hook" in said) == (1, True), said
    assert (project / "config.yaml").read_text() == NEW
    assert "skip.rollout_tq.enable=True" in (project / "run.sh").read_text()
    assert (project / "chart.yaml").read_text() == HELM
    assert "chart" not in said
    assert run_hook(pre_commit, project, "skipcfg-migrate")[0] == 0


def test_migrate_that_needs_a_decision_fails_each_time(pre_commit: dict[str, str], project: Path) -> None:
    (project / "config.yaml").write_text(UNDECIDED)
    code, said = run_hook(pre_commit, project, "skipcfg-migrate")
    assert (code, "needs-total-steps" in said) == (1, True), said
    assert "--total-steps N" in said
    assert (project / "config.yaml").read_text() == UNDECIDED


def test_migrate_check_changes_nothing(pre_commit: dict[str, str], project: Path) -> None:
    (project / "config.yaml").write_text(OLD)
    code, said = run_hook(pre_commit, project, "skipcfg-migrate-check")
    assert (code, "files were modified" in said) == (1, False), said
    assert (project / "config.yaml").read_text() == OLD
    (project / "config.yaml").write_text(NEW)
    assert run_hook(pre_commit, project, "skipcfg-migrate-check")[0] == 0


def test_validate_fails_for_errors_alone(pre_commit: dict[str, str], project: Path) -> None:
    (project / "config.yaml").write_text(BAD)
    (project / "chart.yaml").write_text(HELM)
    code, said = run_hook(pre_commit, project, "skipcfg-validate")
    assert (code, "config.yaml:3:13: error[wrong-type]" in said) == (1, True), said
    (project / "config.yaml").write_text(NEW)
    assert run_hook(pre_commit, project, "skipcfg-validate")[0] == 0


# ------------------------------------------------------------------- GitHub's action


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory, published: tuple[Path, str]) -> dict[str, str]:
    """A runner's variables, after the first step of the action has run."""
    temporary = tmp_path_factory.mktemp("runner")
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(published[0]),
        "RUNNER_TEMP": str(temporary),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = run_step(steps()[0], temporary, variables, {})
    assert done.returncode == 0, done.stderr
    return variables


def steps() -> list[dict[str, Any]]:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    found: list[dict[str, Any]] = action["runs"]["steps"]
    return found


def inputs(**given: str) -> dict[str, str]:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    return {name: one["default"] for name, one in action["inputs"].items()} | given


def run_step(
    step: dict[str, Any], folder: Path, variables: dict[str, str], values: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does: `bash -eo pipefail` on its text, expressions in `env` filled in."""
    assert "${{" not in step["run"]  # an input in the text itself would be a way in for whoever opens a pull request
    env = {
        key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match[1]], value)
        for key, value in step.get("env", {}).items()
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=variables | env, capture_output=True, text=True, check=False)


def test_action_annotates_the_lines_and_fails(runner: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(BAD)
    done = run_step(steps()[2], tmp_path, runner, inputs())
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=config.yaml,title=skipcfg%3A wrong-type,line=3,endLine=3,col=13,")


def test_action_passes_what_is_right(runner: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(NEW)
    done = run_step(steps()[2], tmp_path, runner, inputs())
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(("strict", "code"), [("false", 0), ("true", 1)])
def test_action_is_strict_on_demand(runner: dict[str, str], tmp_path: Path, strict: str, code: int) -> None:
    (tmp_path / "config.yaml").write_text("skip:\n  rollout_tq:\n    enable: true\n    steps: []\n")
    done = run_step(steps()[2], tmp_path, runner, inputs(strict=strict))
    assert done.returncode == code, done.stdout + done.stderr
    assert "::warning file=config.yaml" in done.stdout


def test_action_takes_paths_one_a_line(runner: dict[str, str], tmp_path: Path) -> None:
    """Blanks in names, empty lines, and what the shell would otherwise run."""
    (tmp_path / "my configs").mkdir()
    (tmp_path / "my configs" / "a.yaml").write_text(BAD)
    (tmp_path / "$(touch owned)").write_text("")
    done = run_step(steps()[2], tmp_path, runner, inputs(paths="\nmy configs\n\n$(touch owned)\n"))
    assert "file=my configs/a.yaml" in done.stdout
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    ("text", "code", "summary"),
    [(OLD, 0, "+    steps: [1, 2]"), (UNDECIDED, 0, ""), (NEW, 0, "")],
    ids=["something to move", "a decision to make", "nothing"],
)
def test_action_shows_the_diff_in_the_summary(
    runner: dict[str, str], tmp_path: Path, text: str, code: int, summary: str
) -> None:
    """It never fails by itself: the check does, with annotations."""
    (tmp_path / "config.yaml").write_text(text)
    file = tmp_path / "summary.md"
    done = run_step(steps()[1], tmp_path, runner | {"GITHUB_STEP_SUMMARY": str(file)}, inputs(paths="config.yaml"))
    assert done.returncode == code, done.stderr
    assert (file.read_text() if file.exists() else "").count("````") == (2 if summary else 0)
    assert summary in (file.read_text() if file.exists() else "")
    assert (tmp_path / "config.yaml").read_text() == text


def test_action_fails_for_a_path_that_is_not_there(runner: dict[str, str], tmp_path: Path) -> None:
    for step in steps()[1:]:
        variables = runner | {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
        assert run_step(step, tmp_path, variables, inputs(paths="nowhere")).returncode != 0
