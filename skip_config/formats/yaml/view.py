"""A YAML document as the rules see it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from skip_config.formats.yaml.nodes import Node, entries, select
from skip_config.formats.yaml.package import package_of
from skip_config.formats.yaml.scalars import scalar, setting
from skip_config.legacy import MISSING, Maybe
from skip_config.releases import MANAGER, ROLES
from skip_config.source import Source, Span
from skip_config.trainer import is_complete
from skip_config.view import MAX_ITEMS

_DEFAULTS = ("defaults",)


def view_of(root: Node, source: Source) -> YamlView:
    """The view of one document of a file.

    A file in a folder `skip/` is an option of the config group that Hydra places at `skip`.
    """
    package = package_of(source.text, source.filename)
    group = PurePath(source.filename).parent.name
    if not package.path and not package.stated and group == MANAGER.place[0]:
        return YamlView(root, MANAGER.place)
    return YamlView(root, package.path)


def dotted_keys(root: Node) -> list[tuple[str, Span]]:
    """Keys that name a new setting with dots, which YAML takes for one literal name, with their places."""
    heads = tuple(f"{MANAGER.place[0]}.{role}" for role in ROLES)
    keys = [key for key, _ in root.pairs if key.kind == "scalar" and key.value.startswith(heads)]
    return [(key.value, Span(key.start, key.end)) for key in keys]


@dataclass(frozen=True)
class YamlView:
    """The values of one document with their places; see `skip_config.view.View`.

    Args:
        root: The document's content.
        package: Where Hydra places it in the composed config.
    """

    root: Node
    package: tuple[str, ...] = ()

    @cached_property
    def composed(self) -> bool:
        """See `View.composed`: a complete config has nothing under it."""
        return not self.package and is_complete(self)

    @cached_property
    def _nodes(self) -> dict[tuple[str, ...], Node | None]:
        return {}

    @cached_property
    def _values(self) -> dict[tuple[str, ...], Maybe]:
        return {}

    def _node(self, path: tuple[str, ...]) -> Node | None:
        if path not in self._nodes:
            inside = len(path) >= len(self.package) and path[: len(self.package)] == self.package
            self._nodes[path] = select(self.root, *path[len(self.package) :]) if inside else None
        return self._nodes[path]

    def value(self, *path: str) -> Maybe:
        """See `View.value`. What cannot be a setting looks like a mapping, which no field takes."""
        if path not in self._values:
            self._values[path] = self._value(path)
        return self._values[path]

    def _value(self, path: tuple[str, ...]) -> Maybe:
        if len(path) < len(self.package) and self.package[: len(path)] == path:
            return {}
        node = self._node(path)
        if node is None:
            return MISSING
        if node.kind == "mapping":
            return {}
        if node.kind == "sequence":
            read = _choice if path == _DEFAULTS else _item
            return [read(item) for item in node.items[:MAX_ITEMS]]
        return _scalar(node)

    def keys(self, *path: str) -> tuple[str, ...]:
        """See `View.keys`."""
        if len(path) < len(self.package) and self.package[: len(path)] == path:
            return (self.package[len(path)],)
        node = self._node(path)
        return tuple(entries(node)) if node is not None and node.kind == "mapping" else ()

    def place(self, *path: str, of_key: bool = False) -> Span | None:
        """See `View.place`."""
        if len(path) <= len(self.package):
            return None
        parent = self._node(path[:-1])
        found = entries(parent).get(path[-1]) if parent is not None and parent.kind == "mapping" else None
        if found is None:
            return None
        node = found[0] if of_key or found[1].is_null else found[1]
        return Span(node.start, node.end)


def _choice(item: Node) -> Maybe:
    """An entry of a defaults list: a name, or `group: option`."""
    node = item.resolved()
    if node.kind == "mapping" and len(node.pairs) == 1:
        key, value = (one.resolved() for one in node.pairs[0])
        return f"{key.value}: {value.value}"
    return _item(item)


def _item(item: Node) -> Maybe:
    node = item.resolved()
    if node.kind == "sequence":
        return [_scalar(one) if one.kind == "scalar" else {} for one in node.items[:MAX_ITEMS]]
    return {} if node.kind == "mapping" else _scalar(node)


def _scalar(node: Node) -> Maybe:
    try:
        value = setting(node)
        # Bytes and the like, which no setting takes, are as wrong as a mapping.
        return {} if isinstance(value, str) and not isinstance(scalar(node), str) else value
    except ValueError:
        return {}  # another program's tag: nothing that a setting could be
