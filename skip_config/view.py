"""A config as rules see it: values by path, and where in the text each one stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.source import Span

MAX_ITEMS = 100_000
"""Items of a list that are read, so that a file cannot make a check run for minutes."""


class View(Protocol):
    """A config that rules can ask."""

    @property
    def composed(self) -> bool:
        """Whether this is all that the trainer gets, so that a key that is not here is nowhere."""
        ...

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
    """A config held as plain containers, without positions.

    Args:
        data: The containers.
        composed: See `View.composed`.
    """

    data: Mapping[object, object]
    composed: bool = True

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


@dataclass(frozen=True, slots=True)
class LayeredView:
    """A file over the config that its defaults list names, merged as OmegaConf merges.

    Args:
        top: The file. Places are those of the file.
        base: What lies under it.
    """

    top: View
    base: View
    composed: bool = field(default=False, init=False)

    def value(self, *path: str) -> Maybe:
        """See `View.value`."""
        for length in range(len(path) + 1):
            found = self.top.value(*path[:length])
            if found is MISSING or (isinstance(found, Opaque) and found.text == "???"):
                return self.base.value(*path)
            if not isinstance(found, dict) and length < len(path):
                # The file replaces a whole mapping: by an interpolation, or by something without keys.
                return found if isinstance(found, Opaque) else MISSING
        return found

    def keys(self, *path: str) -> tuple[str, ...]:
        """See `View.keys`."""
        if not isinstance(self.value(*path), dict):
            return ()
        return tuple(dict.fromkeys((*self.base.keys(*path), *self.top.keys(*path))))

    def place(self, *path: str, of_key: bool = False) -> Span | None:
        """See `View.place`."""
        return self.top.place(*path, of_key=of_key)


def is_set_here(view: View, *path: str) -> bool:
    """Whether a value can be blamed on what is checked: the file writes it, or there is nothing else."""
    return view.value(*path) is not MISSING and (view.composed or view.place(*path) is not None)
