"""Documents: reported in one note, and with `--include docs` their shell and YAML blocks are edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.host_checks import assert_sound, mutations
from tests.formats.host_files import LAUNCH, ROLLOUT, Pair, assert_pair, assert_same_meaning, fences, migrated, pairs
from tests.formats.shell_oracle import stand_ins

PAIRS = pairs("markdown_", "rst_")
ON = f"{ROLLOUT}.skip.enable=True"
COUNT = f"{ROLLOUT}.skip.max_dump_step"
NEW = "skip.rollout_tq.enable=True skip.rollout_tq.steps='[1]'"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_file_becomes_what_was_written_by_hand(pair: Pair) -> None:
    migration = assert_pair(pair)
    assert {one.severity.value for one in migration.diagnostics} == {"note"}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_without_include_there_is_one_note(pair: Pair) -> None:
    migration = migrated(pair.before.read_text(), pair.before.name)
    assert not migration.changed
    (note,) = migration.diagnostics
    assert note.severity.value == "note"
    line = migration.source.text.splitlines()[(note.line or 0) - 1]
    assert note.key
    assert note.key in line


def test_commands_in_fences_launch_the_translated_settings(programs: Path, tmp_path: Path) -> None:
    (pair,) = pairs("markdown_")
    before, after = (fences(path.read_text()) for path in (pair.before, pair.after))
    assert_same_meaning(before[:1], after[:1], programs, tmp_path)
    assert before[1:] == after[1:], "what needs a number was edited"


EDITED = {
    "a fence": ("a.md", f"```bash\n{LAUNCH} {ON}\n```\n", f"```bash\n{LAUNCH} {NEW}\n```\n"),
    "attributes behind the language": (
        "a.mdx",
        f"```sh title='x'\n{LAUNCH} {ON}\n```\n",
        f"```sh title='x'\n{LAUNCH} {NEW}\n```\n",
    ),
    "a fence without end": ("a.md", f"~~~bash\n{LAUNCH} {ON}", f"~~~bash\n{LAUNCH} {NEW}"),
    "a fence in a list": (
        "a.md",
        f"- x\n\n  ```sh\n  {LAUNCH} {ON}\n  ```\n",
        f"- x\n\n  ```sh\n  {LAUNCH} {NEW}\n  ```\n",
    ),
    "a fence in a quotation": ("a.md", f"> ```sh\n> {LAUNCH} {ON}\n> ```\n", f"> ```sh\n> {LAUNCH} {NEW}\n> ```\n"),
    "a longer fence around another": (
        "a.md",
        f"````bash\necho '```'\n{LAUNCH} {ON}\n````\n",
        f"````bash\necho '```'\n{LAUNCH} {NEW}\n````\n",
    ),
    "prompts and what is printed": (
        "a.md",
        f"```console\nme@host:~$ {LAUNCH} {ON}\nusing {ON}\n```\n",
        f"```console\nme@host:~$ {LAUNCH} {NEW}\nusing {ON}\n```\n",
    ),
    "no language, but a command": ("a.md", f"```\n$ {LAUNCH} {ON}\n```\n", f"```\n$ {LAUNCH} {NEW}\n```\n"),
    "words without a command": (
        "a.md",
        f"```bash\n{ON} \\\nx.y=1\n```\n",
        "```bash\nskip.rollout.enable=True \\\nskip.rollout_tq.enable=True \\\nskip.rollout.steps='[1]' \\\n"
        "skip.rollout_tq.steps='[1]' \\\nx.y=1\n```\n",
    ),
    "a config in a folder of the same name": (
        "docs/rollout/a.md",
        "```yaml\nactor_rollout_ref:\n  rollout:\n    n: 1\n    skip_rollout: false\n```\n",
        "```yaml\nactor_rollout_ref:\n  rollout:\n    n: 1\nskip:\n  rollout:\n    enable: false\n```\n",
    ),
    "a directive": (
        "a.rst",
        f".. code-block:: bash\n   :caption: x\n\n   {LAUNCH} \\\n     {ON}\n\nText\n",
        f".. code-block:: bash\n   :caption: x\n\n   {LAUNCH} \\\n     skip.rollout_tq.enable=True \\\n"
        "     skip.rollout_tq.steps='[1]'\n\nText\n",
    ),
    "Windows line ends": ("a.md", f"```sh\r\n{LAUNCH} {ON}\r\n```\r\n", f"```sh\r\n{LAUNCH} {NEW}\r\n```\r\n"),
    "one block needs a number": (
        "a.md",
        f"```sh\n{LAUNCH} {ON}\n```\n```sh\n{LAUNCH} {ROLLOUT}.skip_rollout=1\n```\n",
        f"```sh\n{LAUNCH} {NEW}\n```\n```sh\n{LAUNCH} {ROLLOUT}.skip_rollout=1\n```\n",
    ),
}


@pytest.mark.parametrize(("filename", "before", "after"), EDITED.values(), ids=EDITED)
def test_edited_when_included(filename: str, before: str, after: str) -> None:
    migration = migrated(before, filename, "docs")
    assert migration.text == after, [one.message for one in migration.diagnostics]
    assert {one.severity.value for one in migration.diagnostics} == {"note"}
    assert not migrated(after, filename, "docs").changed
    assert not migrated(before, filename).changed


LEFT = {
    "prose": f"We set {ON} here.\n",
    "a table": f"| a | b |\n|---|---|\n| `{ON}` | x |\n",
    "a diff": f"```diff\n- {ON}\n```\n",
    "a diff of a command": f"```diff\n-{LAUNCH} {ON}\n+{LAUNCH}\n```\n",
    "a log": f"```text\n{LAUNCH} {ON}\n```\n",
    "no language and no command": f"```\nusing {ON}\n```\n",
    "a key by itself in code": "The key `skip_rollout` is gone.\n",
    "YAML that is indented less than its fence": (
        "  ```yaml\nrollout:\n   skip: {enable: true, max_dump_step: 2}\n  ```\n"
    ),
    "a tag that nothing constructs": "```yaml\nactor_rollout_ref:\n  rollout:\n    skip: !e\n```\n",
    "a quote that is never closed in PowerShell": f"```powershell\n{LAUNCH} '{ON}\n```\n",
    "what is no YAML": f"```yaml\na: [{ON}\n```\n",
    "steps that nobody knows": f"```bash\n{LAUNCH} {ROLLOUT}.skip_rollout=True\n```\n",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_left_alone_and_reported(text: str) -> None:
    migration = migrated(text, "a.md", "docs")
    assert not migration.changed
    assert {one.severity.value for one in migration.diagnostics} == {"note"}


SILENT = {
    "new settings": f"```bash\n{LAUNCH} skip.rollout_tq.enable=True\n```\n",
    "a new block": "```yaml\nskip:\n  rollout:\n    enable: true\n```\n",
    "another word": "You may skip rollout tests.\n",
    "another program's option": "Use `--skip_rollout` or skip_rollout_tests.\n",
    "the tokenizer's switch": f"`{ROLLOUT}.skip_tokenizer_init=True`\n",
    "broken YAML of no interest": "```yaml\nskip: [rollout\n```\n",
}


@pytest.mark.parametrize("filename", ["a.md", "a.rst"])
@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_nothing_to_say(text: str, filename: str) -> None:
    migration = migrated(text, filename, "docs")
    assert not migration.changed
    assert migration.diagnostics == ()


@settings(max_examples=40, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS]), st.sampled_from(["a.md", "a.rst"]))
def test_mutated_files_are_sound(text: str, filename: str) -> None:
    assert_sound(text, filename, "docs")


@settings(max_examples=40, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS]))
def test_only_lines_inside_blocks_change(text: str) -> None:
    migration = migrated(text, "a.md", "docs", total_steps=3)
    assert [line for line in text.split("\n") if "rollout" not in line and ":" not in line and line.strip()] == [
        line for line in migration.text.split("\n") if "rollout" not in line and ":" not in line and line.strip()
    ]
