"""What OmegaConf's loader refuses although it is YAML: tags, keys and merges that it cannot construct."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.formats.yaml.nodes import Node, is_merge, walk
from skip_config.formats.yaml.scalars import scalar

_SCALAR_TYPES = (bool, int, float, str, bytes)
_COLLECTION_TAGS = {
    "mapping": frozenset({"!", "tag:yaml.org,2002:map"}),
    "sequence": frozenset({"!", "tag:yaml.org,2002:seq"}),
}


def unloadable(root: Node) -> tuple[Node, str] | None:
    """The first node that `OmegaConf.load` stumbles over and why, or None."""
    for _, node in walk(root):
        why = next(_reasons(node), None)
        if why:
            return why
    return None


def _reasons(node: Node) -> Iterator[tuple[Node, str]]:
    if node.kind == "scalar":
        yield from _scalar_reasons(node, (*_SCALAR_TYPES, type(None)), "a value")
    elif node.kind != "alias" and node.tag is not None and node.tag not in _COLLECTION_TAGS[node.kind]:
        yield node, f"OmegaConf has no use for the tag {node.tag}"
    for key, value in node.pairs:
        if is_merge(key):
            merged = value.resolved()
            parts = [item.resolved() for item in merged.items] if merged.kind == "sequence" else [merged]
            if any(part.kind != "mapping" for part in parts):
                yield value, "a merge key (<<) takes a mapping or a list of mappings"
        elif key.resolved().kind != "scalar":
            yield key, "a key has to be a scalar"
        else:
            yield from _scalar_reasons(key.resolved(), _SCALAR_TYPES, "a key")


def _scalar_reasons(node: Node, types: tuple[type, ...], what: str) -> Iterator[tuple[Node, str]]:
    try:
        value = scalar(node)
    except ValueError as error:
        yield node, str(error)
    else:
        if type(value) not in types:
            yield node, f"OmegaConf does not take {'null' if value is None else type(value).__name__} as {what}"
