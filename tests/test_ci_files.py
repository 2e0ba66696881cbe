"""Hooks, action, workflows and their page agree with each other and with the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from skipcfg.app import run

ROOT = Path(__file__).parents[1]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PAGE = [
    yaml.safe_load(body)
    for body in re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs" / "ci.md").read_text(), re.MULTILINE | re.DOTALL)
]


def of_key(node: object, key: str) -> list[Any]:
    """The values of a key, wherever it stands."""
    if isinstance(node, list):
        return [value for one in node for value in of_key(one, key)]
    if isinstance(node, dict):
        inner = [value for one in node.values() for value in of_key(one, key)]
        return [*([node[key]] if key in node else []), *inner]
    return []


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_the_entry_of_a_hook_is_a_command(
    hook: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its options exist, and a file that is none of our business passes."""
    monkeypatch.chdir(tmp_path)
    Path("chart.yaml").write_text("{{ if .Values }}\n- [\n")
    program, *arguments = hook["entry"].split()
    assert program == "skipcfg"
    assert run([*arguments, "chart.yaml"]) == 0


def test_the_page_names_every_hook_and_no_other() -> None:
    ids = {hook["id"] for hook in HOOKS}
    assert set(of_key(PAGE, "id")) <= ids
    assert all(f"| `{name}` |" in (ROOT / "docs" / "ci.md").read_text() for name in ids)


def test_the_page_gives_the_action_inputs_that_it_has() -> None:
    assert {name for given in of_key(PAGE, "with") for name in given} <= set(ACTION["inputs"])


def test_steps_of_the_action_run_no_input_as_code() -> None:
    """Inputs come through the environment; expressions inside a script could be written by anybody."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        assert set(re.findall(r"inputs\.(\w+)", str(step))) <= set(ACTION["inputs"])


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_runs_what_is_here_with_few_rights(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text())
    assert workflow["permissions"]["contents"] == "read"
    scripts = " ".join(of_key(workflow["jobs"], "run"))
    named = re.findall(r"^\.\S+|python -m (?!pip|venv)\S+", scripts)
    assert named or "pip install ." in scripts
    for name in named:
        path = name.removeprefix("python -m ")
        assert (ROOT / path).exists(), name
