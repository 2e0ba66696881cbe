"""Move old settings inside mappings that are written with brackets: JSON objects, dicts of Python.

The tree is that of `yaml.tree`, read by whoever knows the language; finding, gathering and removing are
the same as in YAML's flow style. What differs is how keys and values are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from skip_config import releases
from skip_config.decide import Decision, decide
from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at, worst
from skip_config.formats.bracketed.layout import Notation, insert, without_gap
from skip_config.formats.moved import in_braces, moved
from skip_config.formats.yaml import interpolation
from skip_config.formats.yaml.check import first_difference
from skip_config.formats.yaml.nodes import Node, pair_of, select, walk
from skip_config.formats.yaml.package import Package
from skip_config.formats.yaml.places import OldPlace, evidence, old_place, old_places, total_steps, two_places
from skip_config.formats.yaml.references import References, points_at_old
from skip_config.formats.yaml.removal import Removal, remove
from skip_config.formats.yaml.scalars import setting
from skip_config.formats.yaml.settings import Gathered, agrees, existing_roles, gather, new_value
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.releases import MANAGER, Field, Role
from skip_config.request import Request
from skip_config.source import Edit, Source, Span
from skip_config.translate import KEPT, NewSkip, Through

SKIP: Final = MANAGER.place[0]
TARGET: Final = "_target_"


_OLD: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(releases.FLAT_KEYS))}|{releases.NESTED.keys['steps']})\b"
    rf"|{releases.ROLLOUT_PLACE[-1]}(?:\W|dict\()*{releases.NESTED_BLOCK}\b"
    rf"|\b{releases.NESTED_BLOCK}(?:\W|dict\(){{1,20}}(?:{'|'.join(sorted(releases.NESTED_KEYS))})\b"
)


def may_hold_old_settings(text: str) -> bool:
    """Whether a text can hold old settings, however they are put together: a quick look before it is parsed."""
    return releases.NESTED_BLOCK in text and _OLD.search(text) is not None


@dataclass(slots=True)
class Move:
    """What is to be done with one mapping, and what must hold afterwards.

    Args:
        root: The mapping at which the config starts.
        edits: The edits.
        diagnostics: What to tell.
        removed: Identities of the keys that go.
        expected: Values of fields of `skip` that the result must have.
        rewritten: Identity of a scalar -> its text with the interpolations rewritten.
    """

    root: Node
    edits: list[Edit] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    removed: set[int] = field(default_factory=set)
    expected: dict[tuple[Role, Field], Maybe] = field(default_factory=dict)
    rewritten: dict[int, str] = field(default_factory=dict)


def plan_move(source: Source, root: Node, request: Request, notation: Notation, *, unsafe: bool) -> Move | None:
    """Plan to move the old settings of a mapping; None when it holds none.

    Args:
        source: The file.
        root: The mapping that is a config, as far as one can see.
        request: What the user asked.
        notation: How the file's language writes it.
        unsafe: Whether moving is an unsafe fix in this language.
    """
    places = list(old_places(root, Package()))
    if not places:
        return None
    place = places[0]
    move = Move(root)
    gathered = gather(place)
    anchor, name = _anchor(place, gathered)

    def tell(remark: Remark, severity: Severity, fix: Fix | None = None, node: Node = anchor) -> None:
        move.diagnostics.append(at(source, Span(node.start, node.end), remark, severity, key=name, fix=fix))

    if len(places) > 1:
        tell(two_places(places), Severity.ERROR, None, places[1].pairs[0][0])
    for node, remark in gathered.problems:
        tell(remark, Severity.ERROR, None, node)
    decision = None
    if gathered.settings is not None and not gathered.problems:
        decision = decide(gathered.settings, evidence(root), request, total_steps(root))
        for finding in decision.findings:
            tell(finding.remark, finding.severity, finding.fix)
        if decision.settings is not None and isinstance(decision.settings.steps, Through):
            node = gathered.nodes["max_dump_step"][1] if "max_dump_step" in gathered.nodes else anchor
            if notation.steps_through(node) is None:
                tell(_unknown_count(node), Severity.ERROR)
    if unsafe and not request.unsafe and worst(move.diagnostics) is not Severity.ERROR:
        tell(_unsafe(name), Severity.ERROR, Fix.UNSAFE)
    if worst(move.diagnostics) is not Severity.ERROR:
        _move(source, root, place, gathered, decision, notation, move, tell, Fix.UNSAFE if unsafe else Fix.SAFE)
    if worst(move.diagnostics) is Severity.ERROR:
        move.edits.clear()
        move.diagnostics = [one for one in move.diagnostics if one.severity is not Severity.NOTE]
    return move


def _anchor(place: OldPlace, gathered: Gathered) -> tuple[Node, str]:
    """The key to point at, and its full name: the switch, or the first old key."""
    key = gathered.nodes["enable"][0] if "enable" in gathered.nodes else place.pairs[0][0]
    direct = any(key is one for one, _ in place.pairs)
    return key, releases.dotted((*place.absolute, *(() if direct else (releases.NESTED_BLOCK,)), key.value))


def _unknown_count(node: Node) -> Remark:
    return Remark(
        "old-value-unknown",
        f"the number of steps is {node.value}, which only the composed config knows, and verl 0.9 wants a list",
        "write the number into the file, then run skipcfg migrate again",
    )


def _unsafe(name: str) -> Remark:
    return Remark(
        "old-setting",
        f"{name} stands in a dict: it can move to {SKIP}, but what becomes of the dict cannot be seen here",
        "look at the change with skipcfg migrate --unsafe --diff FILE, then accept it without --diff",
    )


Tell = Callable[[Remark, Severity, "Fix | None"], None]


def _move(
    source: Source,
    root: Node,
    place: OldPlace,
    gathered: Gathered,
    decision: Decision | None,
    notation: Notation,
    move: Move,
    tell: Tell,
    fix: Fix,
) -> None:
    settings = decision.settings if decision else None
    roles = decision.roles if decision and settings is not None and settings != NewSkip() else ()
    there = existing_roles(root)
    both = [role for role in roles if role in there]
    if settings and any(not agrees(there[role], settings, gathered) for role in both):
        where = " and ".join(f"{SKIP}.{role}" for role in both)
        remark = Remark(
            "old-and-new-differ",
            f"{in_braces(place.names)} and {where} are both set, and say different things",
            "remove one of the two, then run skipcfg migrate again",
        )
        tell(remark, Severity.ERROR, None)
        return
    writes = () if both else roles
    removal = remove(source, place.chain, place.pairs)
    references = References(place, roles, settings, gathered)
    if not _rewrite_references(source, references, removal, move):
        return
    move.removed = {id(key) for key, _ in removal.pairs}
    move.edits += without_gap(source, removal.edits)
    if settings is not None and writes:
        fields = {role: _fields(source, settings, gathered, notation, references) for role in writes}
        skip = pair_of(root, SKIP)
        inside = skip[1] if skip and skip[1].kind == "mapping" else None
        pairs: list[tuple[str, object]] = [(role, fields[role]) for role in writes]
        if inside is None:
            targeted = place.nested is not None and pair_of(place.nested[1], TARGET) is not None
            pairs = [(SKIP, [*([(TARGET, notation.value(MANAGER.target))] if targeted else []), *pairs])]
        move.edits += insert(source, inside or root, pairs, removal, place, notation)
    if settings is not None:
        for role in (*writes, *both):
            move.expected |= {(role, one): _wanted(one, settings, gathered) for one in releases.FIELDS}
    tell(moved(place.names, writes, both), Severity.NOTE, fix)


def _wanted(name: Field, settings: NewSkip, gathered: Gathered) -> Maybe:
    if name == "steps" and isinstance(settings.steps, Through):
        return settings.steps.last
    return new_value(name, settings, gathered)


def _rewrite_references(source: Source, references: References, removal: Removal, move: Move) -> bool:
    """Rewrite the interpolations that point at what moves; False when one cannot be."""
    if not interpolation.may_point_at_old(source.text):
        return True
    for path, node in walk(move.root):
        if node.kind != "scalar" or node.style is None or "${" not in node.value or removal.covers(node.start):
            continue
        targets = [references.new(target) for target in interpolation.references(node.value, path)]
        if "" in targets:
            span = Span(node.start, node.end)
            move.diagnostics.append(at(source, span, points_at_old(node.value), Severity.ERROR, key=".".join(path)))
            return False
        if any(targets):
            raw = source.text[node.start : node.end]

            def replace(target: tuple[str, ...], relative: bool) -> str | None:
                del relative
                return references.new(target)

            move.edits.append(Edit(Span(node.start, node.end), interpolation.rewrite(raw, path, replace)))
            move.rewritten[id(node)] = interpolation.rewrite(node.value, path, replace)
    return True


def _fields(
    source: Source, settings: NewSkip, gathered: Gathered, notation: Notation, references: References
) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name in releases.FIELDS:
        value = getattr(settings, name)
        if value is None:
            continue
        node = gathered.nodes["max_dump_step" if name == "steps" else name][1] if _has(gathered, name) else None
        if isinstance(value, Through):
            assert node is not None
            found.append((name, notation.steps_through(node)))
        elif value is KEPT:
            assert node is not None
            found.append((name, references.moved(source.text[node.start : node.end], node)))
        else:
            found.append((name, notation.value(list(value) if isinstance(value, tuple) else value)))
    return found


def _has(gathered: Gathered, name: str) -> bool:
    return ("max_dump_step" if name == "steps" else name) in gathered.nodes


def differences(move: Move, after: Node) -> list[str]:
    """What is wrong with the settings of a result, in words."""
    wrong = []
    for (role, name), wanted in move.expected.items():
        node = select(after, SKIP, role, name)
        got: Maybe = MISSING if node is None else setting(node)
        same = isinstance(got, Opaque) if isinstance(wanted, Opaque) else type(wanted) is type(got) and wanted == got
        if wanted is not MISSING and not same:
            wrong.append(f"{SKIP}.{role}.{name} is {got!r}, wanted {wanted!r}")
    added = {(SKIP,), *((SKIP, role) for role, _ in move.expected)}
    difference = first_difference(move.root, after, move.removed, added, move.rewritten)
    if difference:
        wrong.append(f"another value changed: {difference}")
    if old_place(after, Package()) is not None:
        wrong.append("an old setting is still there")
    return wrong
