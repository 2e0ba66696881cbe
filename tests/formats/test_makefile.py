"""Makefiles: variables and recipes, read as make hands them to the shell."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings

from skip_config.request import Request
from skip_config.validate import validate_text
from tests.formats.host_checks import assert_sound, mutations
from tests.formats.host_files import LAUNCH, ROLLOUT, Pair, assert_pair, make_runs, migrated, pairs
from tests.formats.shell_oracle import difference, stand_ins

PAIRS = pairs("make_")
ON = f"{ROLLOUT}.skip.enable=True"
COUNT = f"{ROLLOUT}.skip.max_dump_step"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")
    assert shutil.which("make"), "the recipes are built with the real make"
    return folder


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_file_becomes_what_was_written_by_hand(pair: Pair) -> None:
    assert_pair(pair)


REWRITTEN = {
    "more braces before than after": (
        f"N = 2\nA = ${{B}}\na:\n\t{LAUNCH} $(A) {ON} {COUNT}=${{N}}\n",
        f"N = 2\nA = ${{B}}\na:\n\t{LAUNCH} $(A) skip.rollout_tq.enable=True "
        'skip.rollout_tq.steps="[$$(seq -s, 1 ${N})]"\n',
    ),
    "a recipe": (
        f"a:\n\t{LAUNCH} \\\n\t  {ON} \\\n\t  {COUNT}=2\n",
        f"a:\n\t{LAUNCH} \\\n\t  skip.rollout_tq.enable=True \\\n\t  skip.rollout_tq.steps='[1,2]'\n",
    ),
    "signs before a recipe": (f"a:\n\t@-{LAUNCH} {ON}\n", f"a:\n\t@-{LAUNCH} skip.rollout_tq.enable=True {{1}}\n"),
    "a count of make": (
        f"N = 3\na:\n\t{LAUNCH} {ON} {COUNT}=$(N)\n",
        f'N = 3\na:\n\t{LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps="[$$(seq -s, 1 $(N))]"\n',
    ),
    "a count of the shell": (
        f"a:\n\tN=4; {LAUNCH} {ON} {COUNT}=$$N\n",
        f'a:\n\tN=4; {LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps="[$$(seq -s, 1 $$N)]"\n',
    ),
    "a long list is written out": (
        f"a:\n\t{LAUNCH} {ON} {COUNT}=17\n",
        f"a:\n\t{LAUNCH} skip.rollout_tq.enable=True "
        'skip.rollout_tq.steps="[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]"\n',
    ),
    "a variable with braces": (
        f"W := {ON} {COUNT}=2\na:\n\t{LAUNCH} ${{W}}\n",
        f"W := skip.rollout_tq.enable=True skip.rollout_tq.steps=[1,2]\na:\n\t{LAUNCH} ${{W}}\n",
    ),
    "a variable that grows": (
        f"W := x.y=1\nW += {ON}\nW += {COUNT}=2 # twice\na:\n\t{LAUNCH} $(W)\n",
        "W := x.y=1\nW += skip.rollout_tq.enable=True\nW += skip.rollout_tq.steps=[1,2] # twice\n"
        f"a:\n\t{LAUNCH} $(W)\n",
    ),
    "quotes in a variable": (
        f'W = {ON} "{ROLLOUT}.skip.dump_dir=/a b"\na:\n\t{LAUNCH} $(W)\n',
        f'W = skip.rollout_tq.enable=True skip.rollout_tq.steps=[1] "skip.rollout_tq.dump_dir=/a b"\n'
        f"a:\n\t{LAUNCH} $(W)\n",
    ),
    "Windows line ends": (
        f"a:\r\n\t{LAUNCH} \\\r\n\t  {ON} \\\r\n\t  x.y=1\r\n",
        f"a:\r\n\t{LAUNCH} \\\r\n\t  skip.rollout_tq.enable=True \\\r\n\t  skip.rollout_tq.steps='[1]' \\\r\n"
        "\t  x.y=1\r\n",
    ),
    "a script in quotes": (
        f'a:\n\tbash -c "{LAUNCH} \\"{ON}\\" a.b=$$X $@"\n',
        f'a:\n\tbash -c "{LAUNCH} \\"skip.rollout_tq.enable=True\\" \\"skip.rollout_tq.steps=[1]\\" a.b=$$X $@"\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_rewritten(before: str, after: str, programs: Path, tmp_path: Path) -> None:
    after = after.replace("{1}", "skip.rollout_tq.steps='[1]'")
    migration = migrated(before, "Makefile")
    assert migration.text == after, [one.message for one in migration.diagnostics]
    assert not migrated(after, "Makefile").changed
    old = make_runs(before, "a", programs, tmp_path / "before")
    new = make_runs(after, "a", programs, tmp_path / "after")
    assert old
    assert difference(old, new, Request()) is None


@pytest.mark.parametrize("target", ["short", "long"])
@pytest.mark.parametrize("env", [{}, {"CACHE_AGAIN": "1"}, {"STEPS": "6"}], ids=["plain", "again", "steps"])
def test_make_launches_the_translated_settings(
    target: str, env: dict[str, str], programs: Path, tmp_path: Path
) -> None:
    (pair,) = PAIRS
    old = make_runs(pair.before.read_text(), target, programs, tmp_path / "before", **env)
    new = make_runs(pair.after.read_text(), target, programs, tmp_path / "after", **env)
    assert old
    assert difference(old, new, Request()) is None


LEFT = {
    "new settings": (f"a:\n\t{LAUNCH} skip.rollout_tq.enable=True\n", None),
    "a comment": (f"# {ON}\na:\n\techo rollout\n", "note"),
    "printed text": (f"a:\n\t@echo '{ON}'\n", "note"),
    "a canned recipe": (f"define run\n{LAUNCH} {ON}\nendef\n", "warning"),
    "steps that nobody knows": (f"a:\n\t{LAUNCH} {ROLLOUT}.skip_rollout=True\n", "error"),
    "a reference that is not closed": (f"a:\n\t{LAUNCH} {ON} $(X\n", "error"),
    "a reference that only another one's end could close": (f"W = {ON} $(X \\\n $(Y)\na:\n\t{LAUNCH} $(W)\n", "error"),
    "a reference that is not closed in a variable": (f"W = {ON} ${{X\na:\n\t{LAUNCH} $(W)\n", "error"),
    "carriage returns that end no line": (f"a:\n\t{LAUNCH} \\\r\t  {ON}\n", "error"),
    "another program": ("a:\n\tother --skip_rollout $(rollout)\n", None),
}


@pytest.mark.parametrize(("text", "severity"), LEFT.values(), ids=LEFT)
def test_left_alone(text: str, severity: str | None) -> None:
    migration = migrated(text, "Makefile")
    assert not migration.changed
    assert {one.severity.value for one in migration.diagnostics} == ({severity} if severity else set())


@pytest.mark.parametrize("name", ["Makefile", "GNUmakefile", "makefile", "rules.mk", "Makefile.train"])
def test_known_by_name(name: str) -> None:
    assert migrated(f"a:\n\t{LAUNCH} {ON}\n", name).changed


def test_places_and_names_are_those_of_the_file() -> None:
    text = f"N := 3\na:\n\t{LAUNCH} $(X) {ROLLOUT}.skip_rollout=True {COUNT}=$(N)\n"
    (error,) = migrated(text, "Makefile").diagnostics
    assert error.line == 3
    assert "MASKED" not in f"{error.message}{error.help}"


def test_validate_sees_settings_in_recipes() -> None:
    text = f"a:\n\t{LAUNCH} \\\n\t  skip.rollout_tq.steps=5\n"
    found = [(one.line, one.severity.value) for one in validate_text(text, filename="Makefile")]
    assert (3, "error") in found


@settings(max_examples=60, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS] + [before for before, _ in REWRITTEN.values()]))
def test_mutated_files_are_sound(text: str) -> None:
    assert_sound(text, "Makefile")
