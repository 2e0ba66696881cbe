"""What must hold for every Python file."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from skip_config import migrate_text
from skip_config.formats.python.positions import parse
from skip_config.source import Source
from tests.formats.python_oracle import others, run, skip_of
from tests.formats.python_strategies import Launcher, broken_files, launchers


@settings(max_examples=150, deadline=None)
@given(launchers())
def test_a_migrated_launcher_runs_with_the_settings_it_should_have(launcher: Launcher) -> None:
    """The result runs, its command gets the new settings and otherwise the same words, twice is once."""
    migration = migrate_text(launcher.text, filename="x.py")
    assert migration.changed, migration.diagnostics
    before, after = run(launcher.text).names["C"], run(migration.text).names["C"]
    assert others(after) == others(before)
    assert skip_of(after) == {"rollout_tq": launcher.skip}
    assert not migrate_text(migration.text, filename="x.py").changed


@settings(max_examples=150, deadline=None)
@given(launchers())
def test_lines_without_settings_stay(launcher: Launcher) -> None:
    """Lines that hold nothing that moves are there afterwards, in order, and so are line endings and the last one."""
    text = migrate_text(launcher.text, filename="x.py").text
    lines = iter(text.splitlines())
    assert all(line in lines for line in launcher.kept_lines)
    assert ("\r\n" in text) == ("\r\n" in launcher.text)
    assert text.endswith("\n") == launcher.text.endswith("\n")


@settings(max_examples=200, deadline=None)
@given(broken_files() | st.text(), st.booleans())
def test_nothing_in_a_file_raises(text: str, unsafe: bool) -> None:
    """Whatever a file holds: a result or a diagnostic, and never one that our own check refuses."""
    migration = migrate_text(text, filename="x.py", unsafe=unsafe, total_steps=3)
    assert "result-not-verified" not in {one.name for one in migration.diagnostics}
    if migration.changed:
        parse(Source(migration.text.removeprefix("\ufeff"), "x.py"))
