"""Hydra overrides of old and new settings, whatever file they stand in: a script, a list, a job file.

An override is taken apart here (`recognise`, `hydra_value`); what stands in its place afterwards is
decided in `override_plan`. Nothing here knows of quoting, variables or any other syntax around it.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from skip_config import releases
from skip_config.legacy import Maybe, Opaque, Value
from skip_config.numbers import MOST_BITS
from skip_config.releases import FLAT, MANAGER, NESTED, Field, Role, dotted

OVERRIDE: Final = re.compile(r"(\+{0,2}|~)([A-Za-z_][\w./@-]*)(=|\Z)", re.ASCII)
"""The start of an override: prefix, key, and the `=` that ends the key (absent after `~key` only)."""


class Override(NamedTuple):
    """One override as it reaches a command.

    Args:
        place: Where it stands; an override that reaches several commands has the same place in each.
        prefix: `` ``, `+`, `++` or `~`.
        key: The key in full.
        value: `MISSING` for a `~key` without value.
    """

    place: int
    prefix: str
    key: str
    value: Maybe


class Meaning(NamedTuple):
    """What a key is to the migration.

    Args:
        kind: `old`: a setting of `flat` or `nested`. `new`: one of `manager`. `total-steps`, `use-v1`,
            `async` and `gen-batch-size`: what else bears on where and how settings move.
        generation: Of an old setting.
        name: The attribute of `LegacySkip` that an old setting fills; `block` for the whole of
            `nested`; empty for a key without meaning of its own; `unknown` for a key that no
            release and no fork has. The field of a new setting, or its unknown key.
        role: Of a new setting; None when no release has it.
    """

    kind: Literal["old", "new", "total-steps", "use-v1", "async", "gen-batch-size"]
    generation: Literal["flat", "nested"] | None = None
    name: str = ""
    role: Role | None = None


_FLAT_NAMES: Final[dict[str, str]] = {
    **{key: field for field, key in FLAT.keys.items()},
    **releases.FLAT_DIALECT,
}
_NESTED_NAMES: Final[dict[str, str]] = {
    **{key: key for key in NESTED.keys.values()},
    **releases.NESTED_DIALECT,
    "compress": "",
    "_target_": "",
}
POST_DUMP_ACTION: Final = "post_dump_action"

_OTHER: Final[dict[str, Meaning]] = {
    dotted(releases.TOTAL_STEPS): Meaning("total-steps"),
    dotted(releases.USE_V1): Meaning("use-v1"),
    dotted(releases.GEN_BATCH_SIZE): Meaning("gen-batch-size"),
}
_FLAT_PLACE: Final = dotted(FLAT.place) + "."
_NESTED_PLACE: Final = dotted(NESTED.place)
_NEW_PLACE: Final = dotted(MANAGER.place) + "."
_ASYNC: Final = dotted(releases.ASYNC_TRAINING) + "."

HINTS: Final = ("skip", "use_v1", "total_training_steps", "async_training", "gen_batch_size")
"""A text without any of these holds no override that matters; `recognise` need not be asked."""


def recognise(key: str) -> Meaning | None:
    """What a key in full is to the migration, or None for any other key."""
    if key in _OTHER:
        return _OTHER[key]
    if key.startswith(_ASYNC):
        return Meaning("async")
    if key.startswith(_FLAT_PLACE):
        rest = key[len(_FLAT_PLACE) :]
        if rest in _FLAT_NAMES:
            return Meaning("old", "flat", _FLAT_NAMES[rest])
        if key == _NESTED_PLACE:
            return Meaning("old", "nested", "block")
        if key.startswith(_NESTED_PLACE + "."):
            return Meaning("old", "nested", _NESTED_NAMES.get(key[len(_NESTED_PLACE) + 1 :], "unknown"))
        return None
    if key.startswith(_NEW_PLACE):
        role, _, field = key[len(_NEW_PLACE) :].partition(".")
        known = next((name for name in releases.ROLES if name == role), None)
        return Meaning("new", name=field, role=known)
    return None


def new_key(role: Role, field: Field) -> str:
    """The key of a field of a role in full."""
    return f"{_NEW_PLACE}{role}.{field}"


_DIGITS: Final = r"(?:0|[1-9](?:_?\d)*)"
_INTEGER: Final = re.compile(rf"[+-]?{_DIGITS}\Z", re.ASCII)
_FLOAT: Final = re.compile(
    rf"[+-]?(?:(?:{_DIGITS}\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[+-]?\d+)?|{_DIGITS}e[+-]?\d+|inf|nan)\Z",
    re.ASCII | re.IGNORECASE,
)
_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None}


def hydra_value(text: str) -> Value:
    """Read a value as Hydra's grammar does; an interpolation becomes an `Opaque`."""
    text = text.strip(" \t")
    if "${" in text:
        return Opaque(text)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return [hydra_value(item) for item in text[1:-1].split(",")] if text[1:-1].strip() else []
    if text.startswith("{") and text.endswith("}"):
        return {}
    if _INTEGER.match(text) and len(text) < MOST_BITS // 4:
        return int(text.replace("_", ""))
    if _FLOAT.match(text):
        return float(text.replace("_", ""))
    return text
