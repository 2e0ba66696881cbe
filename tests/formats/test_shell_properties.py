"""What must hold of every script, whatever it is put together from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skip_config.formats.shell.check import check_script
from skip_config.migrate import migrate_source
from skip_config.request import Request
from skip_config.source import Source
from tests.formats.shell_oracle import Run, difference, launched, readable_by_bash, stand_ins
from tests.formats.shell_strategies import Script, scripts

REAL = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "scripts").glob("*.sh"))]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=scripts(), unsafe=st.booleans())
def test_launchers_get_the_translated_settings(script: Script, unsafe: bool, programs: Path, tmp_path: Path) -> None:
    request = Request(unsafe=unsafe)
    migration = migrate_source(Source(script.text, "run.sh"), request)
    assert not [one.message for one in migration.diagnostics if one.severity.value == "error"]
    assert migration.changed
    assert readable_by_bash(migration.text, tmp_path)
    before = launched(script.text, Run(), programs, tmp_path / "run")
    after = launched(migration.text, Run(), programs, tmp_path / "run")
    assert before
    assert difference(before, after, request) is None
    if script.newline == "\r\n":
        assert "\n" not in migration.text.replace("\r\n", "")
    assert not migrate_source(migration.result, request).changed


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_text_makes_it_raise_or_go_half_way(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(REAL))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        put = data.draw(
            st.sampled_from(["", '"', "'", "\\", "\n", "$(", ")", "`", "{", "<<EOF\n", "ß", "\r", "#", "| "])
        )
        text = text[:at] + put + text[at + length :]
    source = Source(text, "run.sh")
    migration = migrate_source(source, Request(total_steps=5))
    check_script(source)
    if migration.changed:
        assert not migrate_source(migration.result, Request(total_steps=5)).changed
    elif any(one.severity.value == "error" for one in migration.diagnostics):
        assert migration.text == text
