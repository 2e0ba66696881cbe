"""What must hold for every YAML file, whatever its layout."""

from __future__ import annotations

from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skip_config import migrate_text, validate_text
from skip_config.migrate import Migration
from tests import yaml_oracle
from tests.strategies import OldConfig, mutated, old_configs, yaml_like

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.before.yaml"))
MANY = settings(max_examples=4 * settings().max_examples)
TEXTS = [path.read_bytes().decode() for path in GOLDEN]


def migrated(text: str) -> Migration:
    result = migrate_text(text, filename="conf/run.yaml")
    assert not [one for one in result.diagnostics if one.name == "result-not-verified"]
    return result


@given(old_configs())
def test_settings_arrive_and_mean_the_same(config: OldConfig) -> None:
    """What stood in the old place stands in the new one, and every other value is equal, in the same order."""
    after = migrated(config.text)
    assert after.changed, after.diagnostics
    (old,) = yaml_oracle.documents(config.text)
    (new,) = yaml_oracle.documents(after.text)
    assert yaml_oracle.elsewhere(new) == yaml_oracle.elsewhere(old)
    roles = {role: value for role, value in (new.get("skip") or {}).items() if role != "_target_"}
    if config.on:
        assert sorted(roles) == ["rollout", "rollout_tq"]
    for value in roles.values():
        assert value == config.skip


@given(old_configs())
def test_every_other_line_stays(config: OldConfig) -> None:
    """Lines that hold nothing old come out byte for byte, in the same order, and so does the kind of line ending."""
    after = migrated(config.text).text
    lines = iter(after.splitlines())
    for line in config.kept_lines:
        assert line in lines, f"{line!r} is gone or has moved"
    assert ("\r\n" in config.text) == ("\r\n" in after) or "\n" not in config.text
    assert after.count("\n") == after.count("\r\n") or "\r\n" not in config.text


@given(old_configs())
def test_no_comment_is_lost(config: OldConfig) -> None:
    """Every comment is in the result, once, when the settings are written anew."""
    after = migrated(config.text)
    _assume_written(after)
    for comment in config.comments:
        assert after.text.count(comment) == 1


@given(old_configs())
def test_twice_is_once(config: OldConfig) -> None:
    """Migrating the result changes nothing, and says nothing but notes."""
    once = migrated(config.text)
    twice = migrated(once.text)
    assert not twice.changed
    assert not twice.diagnostics


@given(old_configs())
def test_the_result_is_valid(config: OldConfig) -> None:
    """What migrate writes has no old setting and nothing that verl 0.9 refuses."""
    after = migrated(config.text)
    found = validate_text(after.text, filename="conf/run.yaml")
    assert not [one for one in found if one.severity.value == "error"]


@given(old_configs(), st.sampled_from(["\ufeff", "# head\n", "---\n", "%YAML 1.1\n---\n", "a: 1\n---\n"]))
def test_what_precedes_stays(config: OldConfig, head: str) -> None:
    """A byte-order mark, directives, markers and earlier documents are still there."""
    after = migrated(head + config.text)
    assert after.text.startswith(head)


@given(yaml_like)
@MANY
def test_nothing_in_a_text_raises(text: str) -> None:
    """Whatever a file holds, there is an answer and no exception; what loaded before loads after."""
    _check_any(text)


@given(mutated(TEXTS))
@MANY
def test_damaged_files(text: str) -> None:
    """Files with pieces missing, doubled or moved: an answer, never a wrong edit."""
    _check_any(text)


def _check_any(text: str) -> None:
    after = migrated(text)
    validate_text(text, filename="conf/run.yaml")
    if not after.changed or not yaml_oracle.loads(text):
        return
    assert yaml_oracle.loads(after.text)
    assert not migrated(after.text).changed
    if "${" not in text:
        old = [yaml_oracle.elsewhere(one) for one in yaml_oracle.documents(text)]
        new = [yaml_oracle.elsewhere(one) for one in yaml_oracle.documents(after.text)]
        assert [one for one in new if one] == [one for one in old if one]


def _assume_written(after: Migration) -> None:
    assume(not any("hold nothing" in one.message for one in after.diagnostics))
