"""Compare a document before and after: nothing but the settings in question may differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from skip_config.formats.yaml.tree import Node


def first_difference(
    before: Node,
    after: Node,
    removed: Collection[int],
    added: Collection[tuple[str, ...]],
    rewritten: Mapping[int, str],
) -> str | None:
    """The first value that differs, as a dotted path, or None.

    Args:
        before: Root of the document as it was.
        after: Root of the result.
        removed: Identities of the keys of `before` that were taken out.
        added: Paths that may be new or different in `after`.
        rewritten: New text of the scalars of `before` whose interpolations were rewritten.
    """
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[tuple[str, ...], Node, Node]] = [((), before, after)]
    while stack:
        path, old, new = stack.pop()
        old, new = old.resolved(), new.resolved()
        if (id(old), id(new)) in seen:  # the same pair again, by aliases
            continue
        seen.add((id(old), id(new)))
        place = ".".join(path) or "the root"
        if old.kind != new.kind:
            return f"{place} was a {old.kind} and is a {new.kind}"
        if old.kind == "scalar":
            value = rewritten.get(id(old), old.value)
            if (value, old.tag, _quoted(old)) != (new.value, new.tag, _quoted(new)):
                return f"{place} was {old.value!r} and is {new.value!r}"
        elif old.kind == "sequence":
            if len(old.items) != len(new.items):
                return f"{place} had {len(old.items)} items and has {len(new.items)}"
            stack += [((*path, str(i)), a, b) for i, (a, b) in enumerate(zip(old.items, new.items, strict=True))]
        else:
            ours = [p for p in old.pairs if id(p[0]) not in removed and (*path, p[0].resolved().value) not in added]
            theirs = [p for p in new.pairs if (*path, p[0].resolved().value) not in added]
            if len(ours) != len(theirs):
                return f"{place} had {len(ours)} other keys and has {len(theirs)}"
            for (old_key, old_value), (new_key, new_value) in zip(ours, theirs, strict=True):
                below = (*path, old_key.resolved().value)
                stack += [(below, old_key, new_key), (below, old_value, new_value)]
    return None


def _quoted(node: Node) -> bool:
    return node.style is not None
