"""The worked examples of CONTRIBUTING.md work, and the files about the project agree with it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import skip_config
from skip_config import formats, migrate_text, releases, rules
from skip_config.formats.yaml.places import content
from skip_config.formats.yaml.tree import parse
from skip_config.formats.yaml.view import view_of
from skip_config.source import Source
from tests.rules.table import QUIET, SPEAKS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```python\n# (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))


def loaded(name: str) -> ModuleType:
    """A module of the page."""
    module = ModuleType(Path(name).stem)
    exec(compile(FILES[name], name, "exec", dont_inherit=True), module.__dict__)
    return module


def found(rule: rules.Rule, text: str) -> int:
    """How often a rule speaks about a config."""
    source = Source(text, "config.yaml")
    root = content(parse(text)[0])
    assert root
    assert rule.check
    return len(list(rule.check(view_of(root, source))))


def test_the_rule() -> None:
    """It speaks where its tables and its example say so, and is not there yet."""
    (rule,) = loaded("skip_config/rules/repeat_of_one_step.py").RULES
    assert rule.name not in rules.registry()
    loaded("tests/rules/test_repeat_of_one_step.py")
    quiet, speaks = QUIET.pop(rule.name), SPEAKS.pop(rule.name)
    assert len(quiet) >= len(speaks) >= 2
    assert [found(rule, text) for text in quiet.values()] == [0] * len(quiet)
    assert [found(rule, text) for text in (*speaks.values(), rule.example)] == [1] * (len(speaks) + 1)


def test_the_kind_of_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tests pass once it is in the tables, and it is not there yet."""
    assert not formats.serves("toml")
    monkeypatch.setitem(formats._MODULES, "toml", "toml_of_the_page")
    monkeypatch.setitem(formats._SUFFIXES, ".toml", "toml")
    monkeypatch.setitem(sys.modules, "toml_of_the_page", loaded("skip_config/formats/toml.py"))
    tests = loaded("tests/formats/test_toml.py")
    assert "needs" not in str(migrate_text(tests.OLD, filename="job.toml").diagnostics)
    tests.test_it_is_rewritten()
    tests.test_it_is_left_alone()
    diff = re.search(r"^```diff\n(\+def _toml.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert diff
    there = (ROOT / "skip_config" / "formats" / "embedded" / "check.py").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in diff[1].splitlines() if line.startswith(" ")} <= set(there)


def test_the_release() -> None:
    """The row that is changed is the one that is there."""
    row = re.search(r"^-(RELEASES: .*)$", TEXT, re.MULTILINE)
    assert row
    assert row[1] in Path(releases.__file__).read_text(encoding="utf-8").splitlines()


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert project
    assert {citation["version"], project[1]} == {skip_config.__version__}


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=lambda one: one.stem
)
def test_an_issue_form_can_be_filled_in(form: Path) -> None:
    """It loads, has the keys that forms need, and no two fields of one name."""
    loaded_form = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= loaded_form.keys()
    names = [field["id"] for field in loaded_form["body"]]
    assert len(names) == len(set(names))
