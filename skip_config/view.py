"""A config as rules see it: values by path, and where in the text each one stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from skip_config.legacy import MISSING, Maybe
from skip_config.source import Span


class View(Protocol):
    """A config that rules can ask."""

    def value(self, *path: str) -> Maybe:
        """The value at a path: MISSING when nothing is there, `Opaque` when only the runtime knows it.

        A mapping is a dict whose values need not be read; ask for them by their own paths.
        """
        ...

    def keys(self, *path: str) -> tuple[str, ...]:
        """The keys of the mapping at a path; none when there is no mapping."""
        ...

    def place(self, *path: str, of_key: bool = False) -> Span | None:
        """Where the value (or its key) stands in the file; None when the file does not write it."""
        ...


@dataclass(frozen=True, slots=True)
class MappingView:
    """A composed config held as plain containers, without positions."""

    data: Mapping[object, object]

    def value(self, *path: str) -> Maybe:
        """See `View.value`."""
        node: object = self.data
        for part in path:
            if not isinstance(node, Mapping) or part not in node:
                return MISSING
            node = node[part]
        return node  # type: ignore[return-value]

    def keys(self, *path: str) -> tuple[str, ...]:
        """See `View.keys`."""
        node = self.value(*path) if path else self.data
        return tuple(str(key) for key in node) if isinstance(node, Mapping) else ()

    def place(self, *path: str, of_key: bool = False) -> Span | None:
        """See `View.place`."""
        del path, of_key
        return None
