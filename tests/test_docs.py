"""The pages show what the program prints today."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import pytest

from docs import make
from tests.console import agrees

ROOT = Path(__file__).parents[1]
AGAIN = "run `python -m docs.make`, and read its diff"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The examples, in a folder of their own; variables are put back."""
    for name in ("HOME", "COLUMNS", "NO_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    return make.fresh(tmp_path)


@pytest.mark.parametrize("page", make.pages(), ids=lambda page: page.name)
def test_each_command_prints_what_its_page_shows(page: Path, folder: Path) -> None:
    wrong = [
        f"$ {command.line}\n{printed}"
        for command, printed in make.played(page.read_text(), folder)
        if not agrees(command.output, printed)
    ]
    assert wrong == [], f"{page.name}: {AGAIN}\n" + "\n".join(wrong)


@pytest.mark.parametrize("page", [make.DOCS / "library.md"], ids=lambda page: page.name)
def test_each_python_example_prints_what_its_page_shows(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert test.examples
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert "".join(report) == ""


def test_the_command_line_reference_is_current() -> None:
    assert make.REFERENCE.read_text() == make.reference(), AGAIN


def test_the_session_is_current(folder: Path) -> None:
    """The words and not the drawing, which differs between releases of rich."""
    del folder
    assert make.shown(make.SESSION.read_text()) == "".join(make.session().split()), AGAIN


def skeleton(text: str) -> list[str]:
    """Levels of headings, code blocks, table rows as the number of their cells, and links, in order."""
    parts = re.findall(r"^```.*?^```$|^#+ |^\|.*|\]\([^)]*\)", text, re.MULTILINE | re.DOTALL)
    kept = ("|" * part.count("|") if part.startswith("|") else part for part in parts)
    return [part.replace("README.zh-CN.md", "README.md") for part in kept]


def test_the_chinese_readme_is_in_step() -> None:
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
    assert skeleton(chinese) == skeleton(english)
