"""Interpolations that point at old settings, and relative ones that move with a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_MENTIONS_SKIP = re.compile(r"\$\{[^\r\n]*skip")

_OPENING = re.compile(r"(\\*)\$\{\s*")
_RESOLVER = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*:\s*")
_KEY = r"[^\\{}()\[\]:.,\s'\"$]+"
_NODE = re.compile(rf"(\.*)((?:{_KEY}|\[{_KEY}\])(?:\.{_KEY}|\[{_KEY}\])*)")

_TAKES_A_NODE = frozenset({"oc.select", "oc.deprecated", "oc.dict.keys", "oc.dict.values"})
"""Resolvers of OmegaConf whose first argument is the path of a node."""


class Reference(NamedTuple):
    """A node that an interpolation names.

    Args:
        start, end: Where the path stands in the text, its leading dots included.
        keys: Its keys.
        dots: Number of leading dots; none means from the root.
    """

    start: int
    end: int
    keys: tuple[str, ...]
    dots: int

    def absolute(self, path: Sequence[str]) -> tuple[str, ...]:
        """The full path, for an interpolation that stands at `path` (one dot: its siblings)."""
        return (*path[: max(len(path) - self.dots, 0)], *self.keys) if self.dots else self.keys


@lru_cache(maxsize=2)  # each document of a file asks
def may_point_at_old(text: str) -> bool:
    """A quick look at a whole file: whether any interpolation mentions a key of an old setting at all."""
    return _MENTIONS_SKIP.search(text) is not None


def find(text: str) -> Iterator[Reference]:
    """The nodes that a text's interpolations name; those whose path is itself computed are left out."""
    for opening in _OPENING.finditer(text):
        if len(opening[1]) % 2:
            continue  # escaped: these are the characters themselves
        start, ends = opening.end(), "}"
        resolver = _RESOLVER.match(text, start)
        if resolver:
            if resolver[1] not in _TAKES_A_NODE:
                continue
            start, ends = resolver.end(), "},"
        quote = text[start : start + 1] if text[start : start + 1] in ("'", '"') else ""
        node = _NODE.match(text, start + len(quote))
        if node and text.startswith(quote, node.end()) and text[node.end() + len(quote) :].lstrip()[:1] in tuple(ends):
            keys = tuple(part for part in re.split(r"[.\[\]]+", node[2]) if part)
            yield Reference(node.start(), node.end(), keys, len(node[1]))


def rewrite(text: str, path: Sequence[str], replace: Callable[[tuple[str, ...], bool], str | None]) -> str:
    """Rewrite the node references of one scalar's value.

    Args:
        text: The value.
        path: Where the scalar stands; leading dots count from there.
        replace: Gets the absolute path of each node reference and whether it was relative; returns
            the reference to write, or None to leave it.
    """
    pieces = []
    position = 0
    for reference in find(text):
        new = replace(reference.absolute(path), reference.dots > 0)
        if new is not None:
            pieces += [text[position : reference.start], new]
            position = reference.end
    return "".join([*pieces, text[position:]])


def references(text: str, path: Sequence[str]) -> list[tuple[str, ...]]:
    """The absolute paths that a scalar's interpolations point at."""
    return [reference.absolute(path) for reference in find(text)]
