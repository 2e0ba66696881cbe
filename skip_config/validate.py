"""Check configs as verl 0.9 would, and find what it would accept and then ignore."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from skip_config import formats, layers
from skip_config.collector import paused
from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at
from skip_config.manager_start import Obstacle, obstacle
from skip_config.readable import TOO_DEEP, why_not_read
from skip_config.releases import FLAT_KEYS, MANAGER, NESTED, NESTED_BLOCK, ROLLOUT_PLACE, dotted
from skip_config.request import Request
from skip_config.rules.apply import check_view
from skip_config.source import Source, Span
from skip_config.suppressions import suppressed
from skip_config.territory import left_alone
from skip_config.trainer import is_for_verl
from skip_config.view import View

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from skip_config.composed import Refused
    from skip_config.formats.yaml.nodes import Node


SKIP = MANAGER.place

_WITH_COMMENTS = ("yaml", "shell")
"""Kinds of files whose comments start with `#`."""

WITHOUT_CHECK = ("python", "json", "powershell", "cmd", "notebook", "plain")
"""Kinds of files whose new settings nothing checks; old ones are told by what would be migrated."""


def validate_text(text: str, *, filename: str, base: bool = True) -> list[Diagnostic]:
    """Check the text of one file.

    Args:
        text: The whole text; a leading U+FEFF is allowed.
        filename: Name of the file, which tells its kind; it need not exist.
        base: Whether verl's own defaults lie under a file whose defaults list names them.

    Returns:
        The findings by line. Nothing in the text makes it raise.
    """
    bom = text.startswith("\ufeff")
    return validate_source(Source(text[1:] if bom else text, filename, bom), base=base)


def validate_source(source: Source, *, base: bool = True) -> list[Diagnostic]:
    """Check one file; see `validate_text`."""
    kind = formats.kind_of(source.filename, source.text)
    if kind is None:
        return []
    wrong = why_not_read(kind, source.text)
    if wrong is not None:
        return [wrong]
    try:
        with paused():
            return _checked(kind, source, base)
    except RecursionError:
        return [TOO_DEEP]


def _checked(kind: str, source: Source, base: bool) -> list[Diagnostic]:
    found = _commands(source, kind)
    if kind == "yaml":
        found += _validate_yaml(source, base)
    old = [one for one in found if one.name == "old-setting"]
    if kind in WITHOUT_CHECK:
        told = {one.line for one in old}
        old += [one for one in _not_migrated(source, kind) if one.line not in told]
    found = [one for one in found if one.name != "old-setting"]
    note = left_alone(source.filename) if old else None
    found += [note] if note else old  # what is not the user's to change is told once
    if kind in _WITH_COMMENTS:
        found = suppressed(source, found)
    return sorted(found, key=lambda one: (one.line or 0, one.column or 0))


def _not_migrated(source: Source, kind: str) -> list[Diagnostic]:
    found = formats.migrate(kind, source, Request()).diagnostics
    errors = [one for one in found if one.severity is Severity.ERROR]
    for one in found:
        if one.name == "old-setting" and one.severity is Severity.NOTE and one.fix is not None:
            old = _old_setting(one.key or one.message, source.filename)
            errors.append(replace(one, severity=Severity.ERROR, message=old.message, help=old.help))
    return errors


def _commands(source: Source, kind: str) -> list[Diagnostic]:
    if kind == "yaml":
        from skip_config.formats.yaml import may_hold_commands

        if not may_hold_commands(source.text):
            return []
    from skip_config.formats.embedded.check import check_commands_in

    return check_commands_in(source, kind)


def _validate_yaml(source: Source, base: bool) -> list[Diagnostic]:
    from skip_config.formats import yaml as yaml_format
    from skip_config.formats.yaml.loadable import unloadable
    from skip_config.formats.yaml.places import content
    from skip_config.formats.yaml.tree import UnreadableError, parse
    from skip_config.formats.yaml.view import dotted_keys, view_of

    try:
        documents = parse(source.text)
    except UnreadableError as error:
        return [yaml_format.unreadable(source, error)]
    found: list[Diagnostic] = []
    for document in documents:
        root = content(document)
        if root is None:
            continue
        found += _old_settings(source, yaml_format.old_keys(root, source))
        view = view_of(root, source)
        stumbled = unloadable(root) if is_for_verl(view) else None
        if stumbled is not None:
            found.append(_not_loaded(source, *stumbled))
            continue
        found += _dotted(source, dotted_keys(root))
        found += check_view(layers.over_defaults(view) if base else view, source)
    return found


def _not_loaded(source: Source, node: Node, why: str) -> Diagnostic:
    remark = Remark("cannot-load", f"OmegaConf cannot load this: {why}", "remove it, or write it as a plain value")
    return at(source, Span(node.start, node.end), remark, Severity.ERROR)


def _old_settings(source: Source, keys: list[tuple[str, tuple[int, int]]]) -> list[Diagnostic]:
    return [
        at(source, Span(*span), _old_setting(name, source.filename), Severity.ERROR, key=name, fix=Fix.SAFE)
        for name, span in keys
    ]


def _old_setting(name: str, filename: str) -> Remark:
    return Remark(
        "old-setting",
        f"{name} is a setting of an older verl: verl 0.9 does not have it",
        f"skipcfg migrate {shlex.quote(filename)}",
    )


def _dotted(source: Source, keys: Iterable[tuple[str, Span]]) -> list[Diagnostic]:
    return [
        at(
            source,
            span,
            Remark(
                "dotted-key",
                f"{name!r} with dots is one literal name in YAML, which nothing reads",
                f"write {name.split('.')[0]}: with its keys below",
            ),
            Severity.WARNING,
            key=name,
        )
        for name, span in keys
    ]


def validate_config(cfg: DictConfig | Mapping[str, object]) -> list[Diagnostic]:
    """Check a composed config.

    Args:
        cfg: A `DictConfig` or a mapping. Interpolations are resolved where nothing outside the config
            is asked: `${oc.env:…}` and custom resolvers count as not known.

    Returns:
        The findings, without positions. Nothing in the config makes it raise.
    """
    from omegaconf import DictConfig

    from skip_config.composed import TooLargeError, plain_view, refused_once_resolved

    if not isinstance(cfg, Mapping) and type(cfg).__name__ != "DictConfig":
        message = f"the config is {type(cfg).__name__}, not a mapping"
        return [Diagnostic("wrong-type", Severity.ERROR, message, key=MANAGER.place[0])]
    try:
        view = plain_view(cfg)
    except TooLargeError as error:
        return [Diagnostic("cannot-parse", Severity.ERROR, str(error))]
    source = Source("", "config")
    old = [at(source, None, _old_setting(name, "FILE"), Severity.ERROR, key=name) for name in old_names(view)]
    found = [*old, *check_view(view, source)]
    if isinstance(cfg, DictConfig) and view.keys(*SKIP) and not any(one.severity is Severity.ERROR for one in found):
        refused = refused_once_resolved(cfg, *SKIP)
        found += [_refused(refused)] if refused else []
    block = view.value(*SKIP)
    builds_roles = not block or isinstance(block, (dict, list))  # anything else is handed back, and nothing starts
    # A DictConfig is a Mapping too; only it can be asked as the runtime asks.
    in_the_way = obstacle(cfg) if builds_roles and is_for_verl(view) and isinstance(cfg, DictConfig) else None
    return [*found, _cannot_start(in_the_way)] if in_the_way else found


def _refused(refused: Refused) -> Diagnostic:
    name = dotted((*SKIP, *refused.path))
    message = f"verl 0.9 refuses {name} once its interpolations are resolved: {refused.message}"
    return Diagnostic(refused.name, Severity.ERROR, message, key=name, help="write the value itself")


def _cannot_start(in_the_way: Obstacle) -> Diagnostic:
    return Diagnostic(
        "manager-cannot-start",
        Severity.ERROR,
        f"verl 0.9's skip manager reads {in_the_way.key} when it starts, on or off: {in_the_way.why}",
        key=in_the_way.key,
        help=f"set {in_the_way.key}, or compose with verl 0.9's own defaults",
    )


def old_names(view: View) -> list[str]:
    """The full names of the old settings of a composed config."""
    names = [dotted((*ROLLOUT_PLACE, key)) for key in view.keys(*ROLLOUT_PLACE) if key in FLAT_KEYS]
    if NESTED_BLOCK in view.keys(*ROLLOUT_PLACE):
        inner = [dotted((*NESTED.place, key)) for key in view.keys(*NESTED.place)]
        names += inner or [dotted(NESTED.place)]
    return names
