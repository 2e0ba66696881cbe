"""A YAML document as the rules see it."""

from __future__ import annotations

from dataclasses import dataclass

from skip_config.formats.yaml.scalars import setting
from skip_config.formats.yaml.tree import Node, entries, select
from skip_config.legacy import MISSING, Maybe
from skip_config.source import Span


@dataclass(frozen=True, slots=True)
class YamlView:
    """The values of one document with their places; see `skip_config.view.View`."""

    root: Node

    def value(self, *path: str) -> Maybe:
        """See `View.value`. What cannot be a setting looks like a mapping, which no field takes."""
        node = select(self.root, *path)
        if node is None:
            return MISSING
        try:
            return setting(node)
        except ValueError:
            return {}

    def keys(self, *path: str) -> tuple[str, ...]:
        """See `View.keys`."""
        node = select(self.root, *path)
        return tuple(entries(node)) if node is not None and node.kind == "mapping" else ()

    def place(self, *path: str, of_key: bool = False) -> Span | None:
        """See `View.place`."""
        parent = select(self.root, *path[:-1])
        found = entries(parent).get(path[-1]) if parent is not None and parent.kind == "mapping" else None
        if found is None:
            return None
        node = found[0] if of_key or found[1].is_null else found[1]
        return Span(node.start, node.end)
