"""The text report tells once what would only repeat itself, and its commands can be pasted."""

from __future__ import annotations

import pytest

from tests.cli.running import NEW, OLD, UNDECIDED, Skipcfg
from tests.cli.test_migrate import put

UNKNOWN_TRAINER = OLD.replace("trainer:\n  use_v1: true\n", "")
MOVED = "note[old-setting]: actor_rollout_ref.rollout.skip.{enable,dump_dir} moved to"
BOTH = f"{MOVED} skip.rollout and skip.rollout_tq"
TRACE = "  help: skipcfg trace OLD NEW shows it step by step, given a copy of the YAML file or script as it was"
WHICH = "  help: to write only one, use --role rollout_tq (verl 0.9's default trainer) or --role rollout"


def block(name: str) -> list[str]:
    return [
        f"{name}:6:7: {BOTH}",
        "  6 |       enable: true",
        "    |       ^^^^^^",
        "  note[launcher-unknown]: nothing here says which trainer runs this, so both skip.rollout and skip.rollout_tq "
        "get the settings: only the one in use acts",
        "  note[behaviour]: same behaviour for any number of steps",
    ]


def test_notes_at_one_place_are_one_block(skipcfg: Skipcfg) -> None:
    put("a.yaml", UNKNOWN_TRAINER)
    first = block("a.yaml")
    assert skipcfg("migrate", "a.yaml").out.splitlines() == [*first[:4], WHICH, first[4], TRACE]


def test_the_help_of_a_note_is_told_once(skipcfg: Skipcfg) -> None:
    for name in ("a.yaml", "b.yaml"):
        put(name, UNKNOWN_TRAINER)
    assert skipcfg("migrate", ".").out.splitlines()[7:] == block("b.yaml")


@pytest.mark.parametrize(("number", "more"), [(5, []), (30, ["  and 7 more, which --format json lists"])])
def test_many_files_with_the_same_notes(skipcfg: Skipcfg, number: int, more: list[str]) -> None:
    """The first three are shown, and the places of others; a file with other notes is shown all the same."""
    for index in range(number):
        put(f"{index:02}.yaml", UNKNOWN_TRAINER)
    put("x.yaml")
    lines = skipcfg("migrate", ".").out.splitlines()
    start = lines.index("x.yaml:6:7: " + MOVED + " skip.rollout_tq")
    assert lines[:start][-5:] == block("02.yaml")
    rest = [f"  {index:02}.yaml:6:7" for index in range(3, number)]
    assert lines[start + 4 :] == [f"as at 00.yaml:6:7, in {number - 3} more places:", *rest[:20], *more]


def test_errors_are_all_shown(skipcfg: Skipcfg) -> None:
    for index in range(5):
        put(f"{index}.yaml", UNDECIDED)
    assert skipcfg("migrate", ".").out.count("error[needs-total-steps]") == 5


def test_the_help_of_errors_in_a_row_stands_below_the_last(skipcfg: Skipcfg) -> None:
    put("a.yaml")
    out = skipcfg("validate", "a.yaml").out
    assert out.count("error[old-setting]") == 2
    assert out.endswith("\n    |       ^^^^^^^^\n  help: skipcfg migrate a.yaml\n")
    assert out.count("help:") == 1


def test_other_formats_keep_one_entry_each(skipcfg: Skipcfg) -> None:
    for index in range(9):
        put(f"{index}.yaml", UNKNOWN_TRAINER)
    assert skipcfg("migrate", "--check", "--format", "github", ".").out.count("::notice ") == 27
    report = skipcfg("migrate", "--check", "--format", "json", ".").json
    assert [len(file["diagnostics"]) for file in report["files"]] == [3] * 9


NEXT = {
    "what would be written": (OLD, ["--diff"], "to write it: skipcfg migrate 'a b.yaml'"),
    "with its options": (
        OLD,
        ["--check", "--role", "rollout", "--total-steps", "5", "--unsafe"],
        "to write it: skipcfg migrate --role rollout --total-steps 5 --unsafe 'a b.yaml'",
    ),
    "what else is rewritten": (
        OLD,
        ["--diff", "--include", "docs", "--include", "comments", "--insert-gen-batch-size"],
        "to write it: skipcfg migrate --include comments --include docs --insert-gen-batch-size 'a b.yaml'",
    ),
    "written": (OLD, [], "read the diff of your version control, then: skipcfg validate 'a b.yaml'"),
    "a decision": (
        UNDECIDED,
        ["--role", "rollout"],
        "follow the help of each error above, then: skipcfg migrate --role rollout 'a b.yaml'",
    ),
}


@pytest.mark.parametrize(("text", "arguments", "last"), NEXT.values(), ids=NEXT)
def test_the_next_command(skipcfg: Skipcfg, text: str, arguments: list[str], last: str) -> None:
    put("a b.yaml", text)
    assert skipcfg("migrate", *arguments, "a b.yaml").err.splitlines()[-1] == f"Next: {last}"


def test_the_next_command_with_many_paths(skipcfg: Skipcfg) -> None:
    names = [f"{index}.yaml" for index in range(9)]
    for name in names:
        put(name)
    ran = skipcfg("migrate", "--diff", "--role", "rollout", *names)
    assert ran.err.splitlines()[-1] == "Next: to write it: skipcfg migrate --role rollout … with the same paths"


def test_a_help_keeps_the_options_that_were_given(skipcfg: Skipcfg) -> None:
    put("a.yaml", UNDECIDED)
    out = skipcfg("migrate", "--role", "rollout", "a.yaml").out
    assert "  help: skipcfg migrate --role rollout --total-steps N a.yaml, where N is" in out


def test_the_next_command_does_what_was_shown(skipcfg: Skipcfg) -> None:
    path = put("a.yaml")
    command = skipcfg("migrate", "--diff", "a.yaml").err.splitlines()[-1].partition("skipcfg ")[2]
    assert skipcfg(*command.split()).code == 0
    assert path.read_text() == NEW
