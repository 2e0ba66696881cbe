"""The registry knows every name that skipcfg can print, and everything made from it agrees with it."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from skipcfg.explain import page

from skip_config import validate_config, validate_text
from skip_config.rules import all_rules, registry
from skip_config.rules.apply import as_help
from tests.rules.table import QUIET, SPEAKS

ROOT = Path(__file__).parents[2]
_NAMED_BY = {"Remark": 0, "Diagnostic": 0, "UnreadableError": 3}

for _file in Path(__file__).parent.glob("test_*.py"):
    if _file.stem != "test_registry":
        import_module(f"tests.rules.{_file.stem}")


def _printed() -> set[str]:
    """Names that the source gives to a `Remark`, a `Diagnostic` or an unreadable file."""
    found = set()
    for file in (*ROOT.glob("skip_config/**/*.py"), *ROOT.glob("cli/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMED_BY:
                position = _NAMED_BY[node.func.id]
                named = node.args[position] if len(node.args) > position else None
                if isinstance(named, ast.Constant) and isinstance(named.value, str):
                    found.add(named.value)
    return found


def test_knows_every_name_that_is_printed() -> None:
    """`skipcfg explain` has an answer for whatever a report names."""
    printed = _printed()
    assert len(printed) > 30
    assert printed - set(registry()) == set()


def test_names_are_unique() -> None:
    assert len(all_rules()) == len({rule.name for rule in all_rules()})


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_has_tables_of_cases(rule) -> None:  # type: ignore[no-untyped-def]
    """As many cases in which it must be quiet as in which it must speak."""
    assert len(QUIET[rule.name]) >= len(SPEAKS[rule.name]) >= 2


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_speaks_about_its_own_example(rule) -> None:  # type: ignore[no-untyped-def]
    """The example of the documentation shows what the rule finds, in a file or in a composed config."""
    found = [*validate_text(rule.example, filename="c.yaml"), *validate_config(yaml.safe_load(rule.example))]
    assert rule.name in {one.name for one in found}
    assert {one.severity for one in found if one.name == rule.name} <= {rule.severity, *rule.sometimes}


@pytest.mark.parametrize("rule", registry().values(), ids=lambda rule: rule.name)
def test_entry_is_whole(rule) -> None:  # type: ignore[no-untyped-def]
    """A summary of one line, reasons, a mend, and no dash that ends a table."""
    assert rule.summary.endswith(".")
    assert "\n" not in rule.summary
    assert rule.why.endswith((".", ":", "…"))
    assert rule.mend


def test_documentation_is_up_to_date() -> None:
    """`skipcfg explain --markdown > docs/diagnostics.md` would change nothing."""
    assert (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(
    ("mend", "text"),
    [
        ("Choose `cache`.", "choose cache"),
        ("YAML has to be written.", "YAML has to be written"),
        ("Nothing has to be done. To be tidy, write one.", "Nothing has to be done. To be tidy, write one"),
    ],
)
def test_a_mend_reads_like_other_helps(mend: str, text: str) -> None:
    assert as_help(mend) == text
