"""Compare a document before and after: nothing but the settings in question may differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from skip_config.formats.yaml.nodes import Node
from skip_config.formats.yaml.scalars import holds_nothing, is_text

DEPTH_OF_ADDITIONS = 3
"""Additions are a key of the root, a key of `skip` or `data`, or a field of a role."""


def first_difference(
    before: Node,
    after: Node,
    removed: Collection[int],
    added: Collection[tuple[str, ...]],
    rewritten: Mapping[int, str],
    commands: Collection[int] = (),
) -> str | None:
    """The first value that differs, as a dotted path, or None.

    Args:
        before: Root of the document as it was.
        after: Root of the result.
        removed: Identities of the keys of `before` that were taken out.
        added: Paths that may be new in `after`, or hold a mapping there where `before` has a null.
        rewritten: New text of the scalars of `before` whose interpolations were rewritten.
        commands: Identities of scalars and sequences of `before` that are checked as commands.
    """
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[tuple[str, ...], Node, Node]] = [((), before, after)]
    while stack:
        path, old, new = stack.pop()
        if (id(old), id(new)) in seen:  # the same pair again, by aliases
            continue
        seen.add((id(old), id(new)))
        if id(old) in commands and old.kind == new.kind:
            continue
        if path in added and new.kind == "mapping" and is_nothing(old):
            continue
        if old.kind != new.kind:
            return f"{_shown(path)} was a {old.kind} and is a {new.kind}"
        if old.kind == "scalar":
            if not _same_scalar(old, new, rewritten):
                return f"{_shown(path)} was {old.value!r} and is {new.value!r}"
            continue
        if old.kind == "sequence":
            if len(old.items) != len(new.items):
                return f"{_shown(path)} had {len(old.items)} items and has {len(new.items)}"
            children = [(str(index), a, b) for index, (a, b) in enumerate(zip(old.items, new.items, strict=True))]
        else:
            ours = [pair for pair in old.pairs if id(pair[0]) not in removed]
            theirs = new.pairs
            if len(path) < DEPTH_OF_ADDITIONS:
                there = {pair[0].value for pair in ours}
                theirs = [pair for pair in theirs if (*path, pair[0].value) not in added or pair[0].value in there]
            if len(ours) != len(theirs):
                return f"{_shown(path)} had {len(ours)} other keys and has {len(theirs)}"
            children = []
            for (old_key, old_value), (new_key, new_value) in zip(ours, theirs, strict=True):
                if old_key is new_key and old_value is new_value:  # an unchanged part, see `reparse`
                    continue
                if old_key.kind != "scalar" or new_key.kind != "scalar":
                    children.append(("a key", old_key, new_key))
                elif not _same_scalar(old_key, new_key, rewritten):
                    return f"{new_key.value} stands where {_shown((*path, old_key.value))} was"
                children.append((old_key.value, old_value, new_value))
        for name, one, other in children:
            one, other = one.resolved(), other.resolved()
            if one.kind != "scalar" or other.kind != "scalar":
                stack.append(((*path, name), one, other))
            elif id(one) not in commands and not _same_scalar(one, other, rewritten):
                return f"{_shown((*path, name))} was {one.value!r} and is {other.value!r}"
    return None


def is_nothing(node: Node) -> bool:
    """Whether a node is a null or a mapping without keys."""
    return not node.pairs and (node.kind == "mapping" or holds_nothing(node))


def _same_scalar(old: Node, new: Node, rewritten: Mapping[int, str]) -> bool:
    if old.value != new.value and rewritten.get(id(old)) != new.value:
        return False
    if old.tag != new.tag:
        return False
    return (old.style is None) == (new.style is None) or is_text((old if old.style is None else new).value)


def _shown(path: tuple[str, ...]) -> str:
    return ".".join(path) or "the root"
