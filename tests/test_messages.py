"""Every message that the program can print, read out of its source, by rules that a reader would apply."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

from skip_config.rules import registry
from tests.messages import HOLE, Text, texts

DIAGNOSTICS = frozenset({"Remark", "Diagnostic", "Hit", "hit"})
COMMAND_LINE = frozenset({"fail", "StepsError", "SettingsError"})
ERRORS_OF_COMMANDS = frozenset({"ConfigError", "NotPossibleError"})

JARGON = re.compile(
    r"\b(AST|parse tree|nodes?|spans?|offsets?|tokens?|opaque|legacy|drafts?|candidates?|territory|dialects?|"
    r"event stream|(?:flat|nested|manager) (?:settings|form|generation)|bool|str|int|NoneType|"
    r"traceback|(?<!--)stdin|repr|regex)\b"
)
"""Words of ours, or of Python's, that a user of verl need not know."""

DO = re.compile(
    r"\b(write|name|add|give|run|choose|remove|set|use|mend|see|check|look|move|put|read|did you mean|skipcfg \w+|save|"
    r"make|begin|upgrade|reinstall|report|start|copy|quote|edit|call|let|accept|adapt|bound|sweep|count|pip install|"
    r"must be|one of|needs a value|is missing|there is no|has)\b",
    re.IGNORECASE,
)
"""A verb that tells the reader what to do, or what is allowed."""

NAMES_THAT_ARE_CAPITAL = re.compile(
    r"(OmegaConf|Hydra|YAML|JSON|UTF-8|Python|TransferQueue|RolloutConfig|NUL|Ray|PATH|Next: |Nothing |Same |The |No )"
)


@lru_cache(maxsize=1)
def collected() -> tuple[Text, ...]:
    return tuple(one for one in texts() if one.text.strip() and one.text != HOLE)


def shown(found: list[Text]) -> str:
    return "\n".join(f"{one.where} {one.call}.{one.part}: {one.text}" for one in found)


def test_the_collection_finds_what_the_program_prints() -> None:
    """As many places as there are; a name that is not of the registry would not be found by explain."""
    assert len({one.where for one in collected()}) > 200
    named = {one.name for one in collected() if one.name and one.call in ("Remark", "Diagnostic")}
    assert named <= set(registry())
    assert len(named) > 40


def test_a_finding_says_what_to_do() -> None:
    """In its own help, or in the mend of its rule, which `check_view` adds."""
    bare = [
        one
        for one in collected()
        if one.call in ("Remark", "Diagnostic") and one.part == "message" and one.name and not one.helped
        if not registry()[one.name].mend
    ]
    assert not bare, shown(bare)


def test_a_help_begins_with_what_to_do() -> None:
    lost = [one for one in collected() if one.part == "help" and not DO.search(one.text)]
    assert not lost, shown(lost)


def test_a_command_that_could_not_run_says_what_to_do() -> None:
    lost = [one for one in collected() if one.call in COMMAND_LINE and not _passed_on(one) and not DO.search(one.text)]
    assert not lost, shown(lost)


def _passed_on(one: Text) -> bool:
    """Whether the text is a place and a reason that another part of the program gives."""
    return not re.search(r"[a-z]", one.text.replace(HOLE, ""))


def test_no_words_of_ours() -> None:
    found = [one for one in collected() if JARGON.search(one.text)]
    assert not found, shown(found)


def test_sentences_for_the_summary_and_clauses_for_the_rest() -> None:
    """A finding is a clause: no capital at its start, no full stop at its end. What closes a run is a sentence."""
    odd = [
        one
        for one in collected()
        if one.call in DIAGNOSTICS | COMMAND_LINE | ERRORS_OF_COMMANDS
        if one.text.rstrip().endswith((".", "!"))
        or (one.text[0].isupper() and not NAMES_THAT_ARE_CAPITAL.match(one.text))
    ]
    assert not odd, shown(odd)


@pytest.mark.parametrize("pattern", ["  ", r"\bplease\b(?! report)", r"\bjust\b", r"\bsimply\b", r"\binvalid\b", "!$"])
def test_tone(pattern: str) -> None:
    """No double blanks, no pleading, no belittling, and nothing that only says that something is wrong."""
    found = [one for one in collected() if re.search(pattern, one.text, re.IGNORECASE)]
    assert not found, shown(found)


def test_length() -> None:
    """What is read in a terminal between other things fits into a few lines."""
    found = [one for one in collected() if len(one.text.replace(HOLE, "x" * 10)) > 330]
    assert not found, shown(found)
