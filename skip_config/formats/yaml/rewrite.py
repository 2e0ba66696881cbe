"""Plan the edits that move the old settings of one YAML document."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from skip_config import releases
from skip_config.decide import Decision, decide
from skip_config.diagnostics import Fix, Remark, Severity
from skip_config.formats.moved import moved
from skip_config.formats.yaml import insert, interpolation
from skip_config.formats.yaml.block import Line, render, style_of
from skip_config.formats.yaml.brackets import spans_lines
from skip_config.formats.yaml.comments import sort_comments, with_comments_left
from skip_config.formats.yaml.ending import ending_as_before
from skip_config.formats.yaml.new_block import complete_roles, completed, role_line, target_line
from skip_config.formats.yaml.nodes import Document, Node, pair_of, walk
from skip_config.formats.yaml.places import OldPlace, Pair, evidence, total_steps
from skip_config.formats.yaml.plan import SKIP, Plan
from skip_config.formats.yaml.references import References, points_at_old
from skip_config.formats.yaml.removal import CannotRemoveError, Removal, remove
from skip_config.formats.yaml.settings import Gathered, agrees, existing_roles, gather, new_value
from skip_config.formats.yaml.values import AnchorInUseError, Values, first_user, scalar_text
from skip_config.releases import Role
from skip_config.request import Request
from skip_config.source import Edit, Source, Span
from skip_config.translate import KEPT, NewSkip, Through

FOLLOWED_BY = "ray_kwargs"
"""The top-level key before which verl's own generated files have the `skip` block."""

_COMPLETED = "the block has all its roles, as in a complete config of verl 0.9"


def plan_move(
    source: Source, document: Document, root: Node, place: OldPlace, request: Request, complete: bool
) -> Plan:
    """Plan to move the settings of `place` to the `skip` block of the same document.

    Args:
        source: The file.
        document: The document that holds them.
        root: Its root mapping.
        place: Where they stand.
        request: What the user asked.
        complete: Whether the block is made complete, as in a generated file.
    """
    plan = Plan()
    gathered = gather(place)
    for node, remark in gathered.problems:
        plan.tell(source, node, remark, Severity.ERROR, place.name_of(node))
    if gathered.problems:
        return plan
    decision = _decide(source, root, place, gathered, request, plan)
    if gathered.settings is not None and (decision is None or decision.settings is None):
        return plan
    try:
        removal = remove(source, place.chain, place.pairs)
        _move(source, document, root, place, gathered, decision, removal, complete, plan)
    except CannotRemoveError as error:
        remark = Remark(
            "cannot-rewrite",
            "the old settings share a line with others and cannot be taken out",
            "give them lines of their own, then run skipcfg migrate again",
        )
        plan.tell(source, error.node, remark, Severity.ERROR, place.name_of(error.node))
    except AnchorInUseError as error:
        remark = Remark(
            "anchor-in-use",
            f"the anchor &{error.node.anchor} stands on old settings, and an alias elsewhere still needs it",
            "write the values out where the alias stands, then run skipcfg migrate again",
        )
        plan.tell(source, error.node, remark, Severity.ERROR, place.name_of(error.node))
    except insert.CannotInsertError as error:
        remark = Remark(
            "cannot-rewrite",
            f"{error.node.value} {error.why}, so that the settings cannot be added to it",
            f"write {SKIP} as a mapping of its own, then run skipcfg migrate again",
        )
        plan.tell(source, error.node, remark, Severity.ERROR, SKIP)
    else:
        return plan
    plan.edits.clear()
    return plan


def _anchor_of(place: OldPlace, gathered: Gathered) -> tuple[Node, str]:
    """The key to point at, and its full name: the switch, or the first old key."""
    key = gathered.nodes["enable"][0] if "enable" in gathered.nodes else place.pairs[0][0]
    return key, place.name_of(key)


def _decide(
    source: Source, root: Node, place: OldPlace, gathered: Gathered, request: Request, plan: Plan
) -> Decision | None:
    anchor, name = _anchor_of(place, gathered)
    for key, _ in gathered.dropped:
        remark = Remark(
            "no-counterpart", f"{key.value}, a key of a fork, has no counterpart in verl 0.9 and is left out"
        )
        plan.tell(source, key, remark, Severity.NOTE, name)
    if gathered.settings is None:
        return None
    decision = decide(gathered.settings, evidence(root), request, total_steps(root))
    for finding in decision.findings:
        if finding.severity is Severity.NOTE:
            continue  # told once it is clear that something is written
        plan.tell(source, anchor, finding.remark, finding.severity, name, finding.fix)
    if decision.settings and isinstance(decision.settings.steps, Through):
        remark = Remark(
            "old-value-unknown",
            f"the number of steps is {decision.settings.steps.last.text}, which only the composed config knows, "
            "and verl 0.9 wants a list of steps",
            "write the number into the file, then run skipcfg migrate again",
        )
        plan.tell(source, anchor, remark, Severity.ERROR, name)
        return None
    return decision


def _move(
    source: Source,
    document: Document,
    root: Node,
    place: OldPlace,
    gathered: Gathered,
    decision: Decision | None,
    removal: Removal,
    complete: bool,
    plan: Plan,
) -> None:
    anchor, name = _anchor_of(place, gathered)
    settings = decision.settings if decision else None
    roles = decision.roles if decision and settings and settings != NewSkip() else ()
    there = existing_roles(root)
    both = [role for role in roles if role in there]
    if settings and any(not agrees(there[role], settings, gathered) for role in both):
        _tell_conflict(source, root, anchor, name, both, plan)
        return
    writes = () if both else roles
    references = References(place, roles, settings, gathered)
    skip = pair_of(root, SKIP)
    vacated = _vacated(root, removal) if writes and not skip and not complete else None
    user = first_user(source, root, removal) if writes and not skip and not vacated else None
    position = skip[1].start if skip else vacated.start if vacated else user[0].start if user else document.end
    target = root if root.flow else skip[1] if skip and skip[1].flow and skip[1].pairs else None
    values = Values(source, position, target is not None, references.moved, removal)
    carried = [gathered.nodes[one][1] for one in ("enable", "dump_dir", "action") if getattr(settings, one, 0) is KEPT]
    values.settle_anchors(root, carried if writes else [])
    comments_fit = writes and (target is None or spans_lines(source, target))
    comments = sort_comments(removal, gathered, place) if comments_fit else None
    lines = [
        role_line(role, settings, gathered, values, comments if index == 0 else None)
        for index, role in enumerate(writes)
        if settings
    ]
    block = Line(SKIP, below=tuple(lines))
    if comments:
        block = Line(SKIP, above=tuple(comments.block), behind=comments.behind_block, below=tuple(lines))
    plan.edits += removal.edits if comments else with_comments_left(source, removal, all_of_them=bool(writes))
    plan.removed = {id(key) for key, _ in removal.pairs}
    _rewrite_references(source, root, references, removal, carried, plan)
    if plan.diagnostics_of(Severity.ERROR):
        plan.edits.clear()
        return
    if vacated and lines:
        insert.check_start(source, root)
        text = render([block], style_of(source, document))
        ends = source.text[: vacated.end].endswith(("\n", "\r"))
        plan.edits = [one for one in plan.edits if one not in removal.edits]
        plan.edits.append(Edit(vacated, text if ends else text.removesuffix(source.newline)))
    else:
        plan.edits += _write_block(source, document, root, block, plan.edits, complete, user)
    plan.edits = ending_as_before(source, root, [*plan.edits, *values.edits])
    if settings:
        for role in (*writes, *both):
            plan.expected |= {(role, one): new_value(one, settings, gathered) for one in releases.FIELDS}
    more = _COMPLETED if complete else None
    plan.tell(source, anchor, moved(place.names, writes, both, more), Severity.NOTE, name, Fix.SAFE)
    for finding in decision.findings if decision and writes else ():
        if finding.severity is Severity.NOTE:
            plan.tell(source, anchor, finding.remark, finding.severity, name)


def _vacated(root: Node, removal: Removal) -> Span | None:
    """The lines of a top-level key that goes: its place is the best for the new block."""
    at_root = any(key is removal.pairs[0][0] for key, _ in root.pairs)
    return removal.regions[0] if at_root and not root.flow and len(removal.regions) == 1 else None


def _write_block(
    source: Source,
    document: Document,
    root: Node,
    block: Line,
    deletions: Sequence[Edit],
    complete: bool,
    before: Pair | None = None,
) -> list[Edit]:
    """Insert what `block` holds; with `complete`, also what verl 0.9's own files have besides."""
    style = style_of(source, document)
    skip = pair_of(root, SKIP)
    lines = list(block.below)
    if skip is None:
        if complete:
            lines = [target_line(), *completed(lines, ())]
        if not lines:
            return []
        whole = Line(SKIP, above=block.above, behind=block.behind, below=tuple(lines))
        before = before or (pair_of(root, FOLLOWED_BY) if complete else None)
        return insert.insert_block(source, document, root, whole, style, deletions, before)
    edits = []
    mapping = skip[1].resolved()
    if complete:
        lines = completed(lines, existing_roles(root))
        if mapping.kind == "mapping" and mapping.pairs:
            edits += complete_roles(source, root, mapping, style)
        else:
            lines.insert(0, target_line())
    if lines:
        first = lines[0]
        notes = (*block.above, *((block.behind.strip(),) if block.behind else ()))
        lines[0] = Line(first.key, first.value, (*notes, *first.above), first.behind, first.below, first.last)
        edits += insert.insert_into(source, root, skip, lines, style)
    return edits


def plan_completion(source: Source, document: Document, root: Node) -> Plan:
    """Plan to complete the `skip` block of a generated file that holds no old settings."""
    plan = Plan()
    with contextlib.suppress(insert.CannotInsertError):  # nothing old is there, so nothing has to be done
        plan.edits = _write_block(source, document, root, Line(SKIP), (), complete=True)
    return plan


def _tell_conflict(source: Source, root: Node, anchor: Node, name: str, both: Sequence[Role], plan: Plan) -> None:
    where = " and ".join(f"skip.{role}" for role in both)
    remark = Remark(
        "old-and-new-differ",
        f"{name} and {where} are both set, and say different things",
        "remove one of the two, then run skipcfg migrate again",
    )
    plan.tell(source, anchor, remark, Severity.ERROR, name)
    block = pair_of(root, SKIP)
    if block:
        plan.tell(source, block[0], remark, Severity.ERROR, SKIP)


def _rewrite_references(
    source: Source, root: Node, references: References, removal: Removal, carried: Sequence[Node], plan: Plan
) -> None:
    for node in carried:
        if references.lost(node.resolved().value, node):
            plan.tell(
                source, node, points_at_old(node.resolved().value), Severity.ERROR, references.place.name_of(node)
            )
    if not interpolation.may_point_at_old(source.text):
        return
    for path, node in walk(root):
        if node.kind != "scalar" or "${" not in node.value or removal.covers(node.start):
            continue
        targets = [references.new(target) for target in interpolation.references(node.value, path)]
        if all(new is None for new in targets):
            continue
        if "" in targets:
            plan.tell(source, node, points_at_old(node.value), Severity.ERROR, releases.dotted(path))
            continue

        def replace(target: tuple[str, ...], relative: bool) -> str | None:
            del relative
            return references.new(target)

        value = interpolation.rewrite(node.value, path, replace)
        text = source.text[node.start : node.end]
        if node.style in ("'", '"') and ("\\" in text or "''" in text):
            text = scalar_text(source, node, value, in_flow=True, with_anchor=True)
        else:  # the file has the characters of the value
            text = interpolation.rewrite(text, path, replace)
        plan.edits.append(Edit(Span(node.start, node.end), text))
        plan.rewritten[id(node)] = value
