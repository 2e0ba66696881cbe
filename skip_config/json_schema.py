"""JSON Schema (2020-12) of the `skip` block, made from the dataclasses, for editors and other tools.

It accepts what verl 0.9's own conversion accepts (facts.md section 4), interpolations and `???` included.
One thing JSON Schema cannot say: to it `1.0` is a whole number, and OmegaConf refuses it.
"""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any, get_type_hints

from skip_config import defaults, releases, schema
from skip_config.documentation import first_line, of_fields
from skip_config.releases import MANAGER

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Texts that OmegaConf converts, as regular expressions of both Python and JavaScript.
_NUMBER = r"^\s*[+-]?[0-9]+(_[0-9]+)*\s*$"
_BOOL = r"^([Yy]|[Yy][Ee][Ss]|[Oo][Nn]|[Tt][Rr][Uu][Ee]|[Nn]|[Nn][Oo]|[Oo][Ff][Ff]|[Ff][Aa][Ll][Ss][Ee])$"

_INTERPOLATION: Schema = {"type": "string", "pattern": r"\$\{"}
_MISSING: Schema = {"const": "???"}
_WHOLE_NUMBER: Schema = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": _NUMBER}, _INTERPOLATION]}

_OF_TYPE: dict[object, Schema] = {
    bool: {"anyOf": [{"type": ["boolean", "integer"]}, {"type": "string", "pattern": f"{_BOOL}|{_NUMBER}"}]},
    str: {"type": ["string", "number", "boolean"]},
    list[int]: {"type": "array", "items": _WHOLE_NUMBER},
}
"""What a structured config accepts for a field of each type."""

_MOVED = f"verl {MANAGER.since} moved this to {releases.dotted(MANAGER.place)}.<role>; skipcfg migrate does it."
_GONE: Schema = {"enum": [], "description": _MOVED, "errorMessage": _MOVED, "doNotSuggest": True}
"""Nothing is accepted; the last two keywords are of the YAML language server."""


def skip_block() -> Schema:
    """The schema of a document that is the content of `skip`."""
    return {"$schema": DIALECT, "title": "The skip block of verl 0.9", **_block(), "$defs": _definitions()}


def overlay() -> Schema:
    """The schema of a whole config or overlay file: `skip`, what the streaming rules read, and what verl 0.9 lost."""
    root: Schema = {
        "$schema": DIALECT,
        "title": "A config of verl 0.9, as far as rollout skip and streaming go",
        "type": "object",
        "properties": {},
        "$defs": _definitions() | {"skip": _block()},
    }
    docs = defaults.docs()
    for setting in (*defaults.SETTINGS, *defaults.FULLY_ASYNC_SETTINGS):
        leaf: Schema = {"description": docs[setting.path], "default": setting.default}
        if "${" in str(setting.default):  # an editor would insert it as its own kind of variable
            del leaf["default"]
        _put(root, setting.path, leaf)
    for name in sorted(releases.FLAT_KEYS | {releases.NESTED_BLOCK}):
        _put(root, (*releases.ROLLOUT_PLACE, name), _GONE)
    empty: Schema = {"enum": [None, "", 0, False, []], "description": "Everything off."}
    _put(root, MANAGER.place, {"anyOf": [{"$ref": "#/$defs/skip"}, _INTERPOLATION, empty]})
    return root


def _put(root: Schema, path: tuple[str, ...], leaf: Schema) -> None:
    """Describe a setting; what stands around it stays free, as verl's plain blocks are."""
    node = root
    for part in path[:-1]:
        node = node["properties"].setdefault(part, {"properties": {}})
    node["properties"][path[-1]] = leaf


def _block() -> Schema:
    roles = {role: {"$ref": f"#/$defs/{role}"} for role in schema.roles()}
    target: Schema = {"$ref": "#/$defs/_target_", "default": MANAGER.target}
    return {
        "description": first_line(schema.SkipManagerConfig),
        "type": "object",
        "properties": {"_target_": target, **roles},
        "additionalProperties": False,
    }


def _definitions() -> Schema:
    target = {"description": of_fields(schema.SkipManagerConfig)["_target_"], **_OF_TYPE[str]}
    return {"_target_": target} | {role: _role(role_class) for role, role_class in schema.roles().items()}


def _role(role_class: type) -> Schema:
    hints = get_type_hints(role_class)
    docs = of_fields(role_class)
    known = {one.name: one for one in fields(role_class)}
    properties = {name: _field(known[name], hints[name], docs[name]) for name in ("_target_", *releases.FIELDS)}
    mapping: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"description": first_line(role_class), "anyOf": [mapping, _INTERPOLATION, _MISSING]}


def _field(field: Field[Any], hint: object, doc: str) -> Schema:
    if field.name == "_target_":
        return {"$ref": "#/$defs/_target_"}
    default = field.default_factory() if callable(field.default_factory) else field.default
    accepted = {"enum": list(releases.SUPPORTED_ACTIONS)} if field.name == "action" else _OF_TYPE[hint]
    alternatives = accepted.get("anyOf", [accepted])
    return {"description": doc, "default": default, "anyOf": [*alternatives, _INTERPOLATION, _MISSING]}
