"""Decide for groups of settings, and write what was decided: the same for Python and for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at, worst
from skip_config.formats.moved import moved
from skip_config.formats.override_plan import Launch, NewOverride, Plan, plan
from skip_config.formats.python.scopes import Group, Scopes
from skip_config.formats.python.tokens import Token
from skip_config.formats.python.write import NotWritableError, edits_for
from skip_config.releases import MANAGER, dotted
from skip_config.request import Request
from skip_config.source import Edit, Source


@dataclass(frozen=True, slots=True)
class Moved:
    """What becomes of a file's settings.

    Args:
        edits: The edits.
        diagnostics: What to tell.
        replacements: What stands in the places of the old settings that are rewritten.
    """

    edits: Sequence[Edit]
    diagnostics: Sequence[Diagnostic]
    replacements: Mapping[int, Sequence[NewOverride]]


def move_groups(source: Source, scopes: Scopes, request: Request) -> Moved:
    """Plan and write. Settings that come together are rewritten together or not at all."""
    edits: list[Edit] = []
    diagnostics: list[Diagnostic] = []
    replacements: dict[int, Sequence[NewOverride]] = {}
    for family in _families(scopes.groups()):
        decided, told, written = _migrated(source, scopes, family, request)
        diagnostics += told
        edits += written
        if written:
            replacements |= decided.replacements
    return Moved(edits, diagnostics, replacements)


def _families(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups that share a setting, a function or a statement: what is written for one depends on the others."""
    families: list[list[Group]] = []
    for group in groups:
        related = [
            family for family in families if any(one.places & group.places or one.units & group.units for one in family)
        ]
        families = [family for family in families if family not in related]
        families.append([one for family in related for one in family] + [group])
    return families


def _migrated(
    source: Source, scopes: Scopes, family: Sequence[Group], request: Request
) -> tuple[Plan, list[Diagnostic], list[Edit]]:
    tokens = scopes.tokens
    decided = plan(_with_launcher(family), request)
    told = [
        at(source, tokens[place].span, finding.remark, finding.severity, key=tokens[place].key, fix=finding.fix)
        for place, finding in decided.findings
    ]
    old = sorted(place for place in decided.replacements if tokens[place].is_old)
    unsafe = [tokens[place] for place in old if tokens[place].assigned or tokens[place].computed]
    if unsafe and not request.unsafe:
        told.append(_unsafe(source, unsafe[0]))
    if worst(told) is Severity.ERROR:
        return decided, _without_notes(told), []
    try:
        edits = edits_for(source, tokens, decided)
    except NotWritableError as error:
        token = tokens[error.place]
        told.append(at(source, token.span, error.remark, Severity.ERROR, key=token.key))
        return decided, _without_notes(told), []
    if old:
        told += _summary(source, tokens, family, decided, Fix.UNSAFE if unsafe else Fix.SAFE)
    return decided, told, edits


def _with_launcher(family: Sequence[Group]) -> list[Launch]:
    """What one function puts together is for what it launches, if that is one thing."""
    modules = {group.launch.module for group in family if group.launch.module}
    only = modules.pop() if len(modules) == 1 else None
    return [Launch(group.launch.paths, group.launch.module or only) for group in family]


def _without_notes(told: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Notes are about what is written, and nothing is."""
    return [one for one in told if one.severity is not Severity.NOTE]


def _unsafe(source: Source, token: Token) -> Diagnostic:
    why = "is assigned" if token.assigned else "is computed when this runs"
    remark = Remark(
        "old-setting",
        f"{token.key} {why}: it can move to {dotted(MANAGER.place)}, but nothing here shows that it means the same",
        "look at the change with skipcfg migrate --unsafe --diff FILE, then accept it without --diff",
    )
    return at(source, token.span, remark, Severity.ERROR, key=token.key, fix=Fix.UNSAFE)


def _summary(
    source: Source, tokens: dict[int, Token], family: Sequence[Group], decided: Plan, fix: Fix
) -> list[Diagnostic]:
    """One note for each group whose settings moved."""
    notes: list[Diagnostic] = []
    told: set[int] = set()
    for group in family:
        places = sorted(place for place in group.places & decided.replacements.keys() if place not in told)
        told |= set(places)
        if not places:
            continue
        settings = [new for place in places for new in decided.replacements[place]]
        roles = list(dict.fromkeys(new.role for new in settings))
        token = tokens[places[0]]
        remark = moved((tokens[place].key for place in places), roles)
        notes.append(at(source, token.span, remark, Severity.NOTE, key=token.key, fix=fix))
    return notes
