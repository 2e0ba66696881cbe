"""The safety net: what must hold of a migrated YAML file before anyone gets it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from skip_config import releases
from skip_config.formats.yaml import interpolation
from skip_config.formats.yaml.check import first_difference
from skip_config.formats.yaml.nodes import Document, Node, select, walk
from skip_config.formats.yaml.package import Package
from skip_config.formats.yaml.places import content, is_old, old_place
from skip_config.formats.yaml.plan import SKIP, Plan
from skip_config.formats.yaml.reparse import reparse
from skip_config.formats.yaml.scalars import setting
from skip_config.formats.yaml.tree import UnreadableError, parse
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.source import Edit, Source

ADDITIONS = frozenset(
    {(SKIP,), (SKIP, "_target_"), releases.GEN_BATCH_SIZE}
    | {(SKIP, role) for role in releases.ROLES}
    | {(SKIP, role, name) for role in releases.ROLES for name in releases.FIELDS}
)
"""All that a migration may add to a document."""


def wrong_with(
    source: Source,
    before: Sequence[Document],
    plans: Sequence[Plan],
    result: Source,
    edits: Sequence[Edit],
    again: Callable[[Document], Plan],
    commands: Collection[int],
) -> list[str]:
    """What is wrong with a result, in words.

    Args:
        source: The file as it was.
        before: Its documents.
        plans: What was to be done with each.
        result: The file afterwards.
        edits: What was done to it.
        again: Plans for a document of the result what a second run would do.
        commands: Identities of the nodes that hold commands, which are compared elsewhere.
    """
    edited = reparse(source.text, before, edits)
    try:
        after = [edited] if edited else parse(result.text)
    except UnreadableError as error:
        return [f"it no longer loads: {error.message}"]
    if len(after) < len(before) and all(document.root is None for document in before[len(after) :]):
        before = before[: len(after)]
    if len(after) != len(before) and any(plan.edits for plan in plans):
        kept = [(d, p) for d, p in zip(before, plans, strict=False) if not _emptied(d, p)]
        if len(kept) != len(after):
            return [f"{len(before)} documents before, {len(after)} after"]
        before, plans = [d for d, _ in kept], [p for _, p in kept]
    wrong = []
    for old, new, plan in zip(before, after, plans, strict=False):
        old_root, new_root = content(old), content(new)
        if old_root is None:
            continue
        if new_root is None:
            if not _emptied(old, plan):
                wrong.append("a document lost its content")
            continue
        wrong += _wrong_settings(new_root, plan)
        difference = first_difference(old_root, new_root, plan.removed, ADDITIONS, plan.rewritten, commands)
        if difference:
            wrong.append(f"another value changed: {difference}")
        if _points_at_old(new_root, result):
            wrong.append("an interpolation points at an old setting")
        if again(new).edits:
            wrong.append("a second run would change it again")
        if any(old_place(new_root, Package()) is not None for _ in plan.removed):
            wrong.append("an old setting is still there")
    return wrong


def _points_at_old(root: Node, result: Source) -> bool:
    return interpolation.may_point_at_old(result.text) and any(
        is_old(target)
        for path, node in walk(root)
        if node.kind == "scalar" and "${" in node.value
        for target in interpolation.references(node.value, path)
    )


def _emptied(document: Document, plan: Plan) -> bool:
    root = document.root
    return root is not None and bool(root.pairs) and all(id(key) in plan.removed for key, _ in root.pairs)


def _wrong_settings(root: Node, plan: Plan) -> list[str]:
    wrong = []
    for (role, name), wanted in plan.expected.items():
        node = select(root, SKIP, role, name)
        got: Maybe = MISSING if node is None else setting(node)
        if wanted is MISSING or _same(wanted, got):
            continue
        wrong.append(f"{SKIP}.{role}.{name} is {got!r}, wanted {wanted!r}")
    return wrong


def _same(wanted: Maybe, got: Maybe) -> bool:
    # The text of an interpolation may change with its place; what it points at is checked by the rewriting.
    if isinstance(wanted, Opaque):
        return isinstance(got, Opaque)
    return type(wanted) is type(got) and wanted == got
