"""Notebooks: shell lines and shell cells are edited inside their JSON strings, and nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skip_config.validate import validate_text
from tests.formats.host_checks import assert_sound, bugs, mutations
from tests.formats.host_files import (
    LAUNCH,
    ROLLOUT,
    Pair,
    assert_pair,
    assert_same_meaning,
    migrated,
    notebook_scripts,
    pairs,
)
from tests.formats.shell_oracle import Run, stand_ins

PAIRS = pairs("notebook_")
ON = f"{ROLLOUT}.skip.enable=True"
COUNT = f"{ROLLOUT}.skip.max_dump_step"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")


def notebook(*sources: object, kind: str = "code", indent: int | None = 1) -> str:
    cells = [
        {"cell_type": kind, "metadata": {}, "source": source, **({"outputs": []} if kind == "code" else {})}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent)


def sources(text: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]


def without_sources(text: str) -> Any:
    content = json.loads(text)
    for cell in content["cells"]:
        cell.pop("source", None)
    return content


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_file_becomes_what_was_written_by_hand(pair: Pair) -> None:
    migration = assert_pair(pair)
    assert without_sources(migration.text) == without_sources(migration.source.text)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_is_launched_has_the_translated_settings(pair: Pair, programs: Path, tmp_path: Path) -> None:
    before, after = (notebook_scripts(path.read_text()) for path in (pair.before, pair.after))
    assert_same_meaning(before, after, programs, tmp_path, Run({"n": "4"}))


REWRITTEN = {
    "a value that Python fills in": (
        f"!{LAUNCH} {ON} {COUNT}={{n}} a.b={{cfg['x']}}",
        f"!{LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps=\"[$(seq -s, 1 {{n}})]\" a.b={{cfg['x']}}",
    ),
    "one string with escapes": (
        f"%%sh\n{LAUNCH} \\\n\t{ON}\\\n\t{COUNT}=2 'a=\"é\"'\n",
        f"%%sh\n{LAUNCH} \\\n\tskip.rollout_tq.enable=True\\\n\tskip.rollout_tq.steps='[1,2]' 'a=\"é\"'\n",
    ),
    "a list of lines whose last one goes": (
        [f"!{LAUNCH} \\\n", "  x.y=1 \\\n", f"  {ROLLOUT}.skip=null"],
        f"!{LAUNCH} \\\n  x.y=1\n",
    ),
    "a list of lines that gets more lines": (
        ["import os\n", f"!{LAUNCH} \\\n", f"  {ON}\n", "os.sync()"],
        f"import os\n!{LAUNCH} \\\n  skip.rollout_tq.enable=True \\\n  skip.rollout_tq.steps='[1]'\nos.sync()",
    ),
    "a magic before": (
        f"%%time\nx = !EXTRA=1 {LAUNCH} {COUNT}=2 {ON}",
        f"%%time\nx = !EXTRA=1 {LAUNCH} skip.rollout_tq.steps='[1,2]' skip.rollout_tq.enable=True",
    ),
    "a script that the cell writes": (
        f"%%writefile run.sh\n{LAUNCH} {ON} {COUNT}=2\n",
        f"%%writefile run.sh\n{LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1,2]'\n",
    ),
    "a config that the cell writes": (
        "%%writefile c.yaml\nactor_rollout_ref:\n  rollout:\n    n: 1\n    skip_rollout: false\n",
        "%%writefile c.yaml\nactor_rollout_ref:\n  rollout:\n    n: 1\nskip:\n  rollout:\n    enable: false\n",
    ),
}


@pytest.mark.parametrize("indent", [None, 1], ids=["on one line", "indented"])
@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_rewritten(before: object, after: str, indent: int | None) -> None:
    migration = migrated(notebook(before, indent=indent), "a.ipynb")
    assert sources(migration.text) == [after], [one.message for one in migration.diagnostics]
    assert not migrated(migration.text, "a.ipynb").changed


LEFT: dict[str, tuple[object, str, str | None]] = {
    "new settings": (f"!{LAUNCH} skip.rollout_tq.enable=True", "code", None),
    "what a run printed": ("1", "code", None),
    "a text cell": (f"Use `{ON}`", "markdown", "note"),
    "a raw cell": (f"!{LAUNCH} {ON}", "raw", None),
    "a page": (f"%%html\n<b>{ON}</b>", "code", "warning"),
    "a comment": (f"# !{LAUNCH} {ON}", "code", "note"),
    "steps that nobody knows": (f"!{LAUNCH} {ROLLOUT}.skip_rollout=True", "code", "error"),
    "another program": ("!other --skip_rollout rollout", "code", None),
}


@pytest.mark.parametrize(("source", "kind", "severity"), LEFT.values(), ids=LEFT)
def test_left_alone(source: object, kind: str, severity: str | None) -> None:
    migration = migrated(notebook(source, kind=kind), "a.ipynb")
    assert not migration.changed
    assert {one.severity.value for one in migration.diagnostics} == ({severity} if severity else set())


def test_places_are_those_of_the_file() -> None:
    text = notebook(["x = 1\n", f"!{LAUNCH} \\\n", f"  {ON}\n"])
    note = migrated(text, "a.ipynb").diagnostics[0]
    line = text.splitlines()[(note.line or 0) - 1]
    assert line[(note.column or 0) - 1 : (note.end_column or 0) - 1] == ON


def test_what_is_no_json_is_an_error() -> None:
    (error,) = migrated('{"cells": [' + ON, "a.ipynb").diagnostics
    assert (error.name, error.severity.value) == ("cannot-parse", "error")


def test_the_third_version_of_the_format() -> None:
    cell = {"cell_type": "code", "input": [f"!{LAUNCH} {ON}"], "language": "python", "outputs": []}
    text = json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3})
    assert "skip.rollout_tq.enable=True" in migrated(text, "a.ipynb").text


def test_validate_sees_settings_in_shell_lines() -> None:
    text = notebook(["x = 1\n", f"!{LAUNCH} skip.rollout_tq.steps=5"], indent=0)
    (error,) = [one for one in validate_text(text, filename="a.ipynb") if one.severity.value == "error"]
    assert "skip.rollout_tq.steps=5" in text.splitlines()[(error.line or 0) - 1]


@settings(max_examples=40, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS]))
def test_mutated_files_are_sound(text: str) -> None:
    assert_sound(text, "a.ipynb")


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(
        st.sampled_from(
            [
                f"!{LAUNCH} {ON}",
                f"!{LAUNCH} \\",
                f"  {COUNT}=2 \\",
                f"  {ON}",
                "print('é🎉')",
                "%%bash",
                "# x",
                '"\\"',
                "",
            ]
        ),
        max_size=8,
    ),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 1, 4]),
    as_list=st.booleans(),
)
def test_only_sources_change(lines: list[str], ascii_only: bool, indent: int | None, as_list: bool) -> None:
    source: object = "\n".join(lines)
    if as_list:
        source = "\n".join(lines).splitlines(keepends=True)
    cells = [
        {"cell_type": "code", "id": "é", "metadata": {"tags": [ON]}, "outputs": [{"text": [ON]}], "source": source},
        {"cell_type": "markdown", "source": "x"},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4}, ensure_ascii=ascii_only, indent=indent)
    migration = migrated(text, "a.ipynb")
    assert not bugs(migration)
    assert without_sources(migration.text) == without_sources(text)
    head, tail = text[: text.index('"source"')], text[text.rindex("markdown") :]
    assert migration.text.startswith(head)
    assert migration.text.endswith(tail)
    assert not migrated(migration.text, "a.ipynb").changed
