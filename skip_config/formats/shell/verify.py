"""Prove a migrated script: read again, it has the settings that were planned, and everything else it had."""

from __future__ import annotations

import re
from collections.abc import Mapping

from skip_config.formats.override_plan import NewOverride, Plan
from skip_config.formats.override_settle import Path
from skip_config.formats.overrides import recognise
from skip_config.formats.shell.reach import MOST_WORDS, Reached, launches
from skip_config.formats.shell.script import Script
from skip_config.legacy import Maybe, Opaque
from skip_config.numbers import whole
from skip_config.translate import KEPT, Through

_SEQ = re.compile(r"[\\\"']*\[\\?\$\(seq -s, 1 (.*)\)\][\\\"']*\Z", re.DOTALL)

Setting = tuple[str, object]
Texts = Mapping[str, "str | None"]


def differences(before: Script, reached: list[Reached], decided: Plan, after: Script) -> list[str]:
    """What is wrong with a result, in words.

    Args:
        before: The script as it was.
        reached: Its commands with old overrides.
        decided: What was to stand in their places.
        after: The result, read again.
    """
    wrong = []
    left = [atom.token.key for atom in after.atoms() if atom.token and _kind(atom.token.key) == "old"]
    if left:
        wrong.append(f"{left[0]} is still there")
    if len(after.broken) > len(before.broken):
        wrong.append("the result cannot be read as bash")
    if _others(before) != _others(after):
        wrong.append("another word changed")
    wanted = sorted(
        {str(_planned(path, decided, before.texts)) for one in reached for path in one.launch.paths} - {"[]"}
    )
    # An old setting may have become several for each of two roles.
    there = launches(after, most=20 * MOST_WORDS)
    found = sorted({str(_settings(path, after.texts)) for one in there for path in one.launch.paths} - {"[]"})
    if wanted != found:
        wrong.append(f"the new settings read back as {found}, not as {wanted}")
    return wrong


def _kind(key: str) -> str:
    meaning = recognise(key)
    return meaning.kind if meaning else ""


def _others(script: Script) -> list[tuple[str, str]]:
    """Every part of the script that a migration does not touch, in order."""
    return [
        (atom.kind, atom.text.lstrip("+") if atom.token and _kind(atom.token.key) == "gen-batch-size" else atom.text)
        for atom in script.atoms()
        if not (atom.token and _kind(atom.token.key) in ("old", "new"))
    ]


def _planned(path: Path, decided: Plan, texts: Texts) -> list[Setting]:
    settings: list[Setting] = []
    for override in path:
        for new in decided.replacements.get(override.place, ()):
            settings.append((new.key, _planned_value(new, override.value, texts)))
        if _kind(override.key) == "new":
            settings.append((override.key, _plain(override.value, texts)))
    return settings


def _planned_value(new: NewOverride, old: Maybe, texts: Texts) -> object:
    if new.value is KEPT:
        return _plain(old, texts)
    if isinstance(new.value, tuple):
        return list(new.value)
    if isinstance(new.value, Through):
        return _through(new.value.last.text, texts)
    return new.value


def _settings(path: Path, texts: Texts) -> list[Setting]:
    return [(override.key, _plain(override.value, texts)) for override in path if _kind(override.key) == "new"]


def _plain(value: Maybe, texts: Texts) -> object:
    """A value read from a script, in the form that a planned one has."""
    if not isinstance(value, Opaque):
        return value
    counted = _SEQ.match(value.text)
    return value.text if counted is None else _through(counted[1], texts)


def _through(last: str, texts: Texts) -> object:
    """The steps from 1 to a number, or to what a variable holds."""
    bare = last.replace("\\", "").replace('"', "")
    known = texts.get(bare.strip("${}")) or bare
    number = whole(known, 5)
    return f"1 to {bare}" if number is None else list(range(1, number + 1))
