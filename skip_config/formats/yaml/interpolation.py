"""Interpolations that point at old settings, and relative ones that move with a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_REFERENCE = re.compile(r"(\$\{\s*|oc\.select:\s*)(\.*)([A-Za-z_]\w*(?:\.\w+|\[\w+\])*)(?=\s*[},:])")


_MENTIONS_SKIP = re.compile(r"\$\{[^\r\n]*skip")


def may_point_at_old(text: str) -> bool:
    """A quick look at a whole file: whether any interpolation mentions a key of an old setting at all."""
    return _MENTIONS_SKIP.search(text) is not None


def rewrite(text: str, path: Sequence[str], replace: Callable[[tuple[str, ...], bool], str | None]) -> str:
    """Rewrite the node references of one scalar's text.

    Args:
        text: The scalar as the file writes it.
        path: Where the scalar stands; leading dots count from there (one dot: its siblings).
        replace: Gets the absolute path of each node reference and whether it was relative; returns
            the reference to write, or None to leave it.
    """

    def one(match: re.Match[str]) -> str:
        opening, dots, name = match.groups()
        rest = match.string[match.end() :].lstrip()
        if rest.startswith(":") and not dots and opening.startswith("${"):
            return match[0]  # a resolver, such as ${oc.env:HOME}
        keys = tuple(part for part in re.split(r"[.\[\]]+", name) if part)
        absolute = (*path[: len(path) - len(dots)], *keys) if dots else keys
        new = replace(absolute, bool(dots))
        return match[0] if new is None else f"{opening}{new}"

    return _REFERENCE.sub(one, text)


def references(text: str, path: Sequence[str]) -> list[tuple[str, ...]]:
    """The absolute paths that a scalar's interpolations point at."""
    found: list[tuple[str, ...]] = []

    def note(absolute: tuple[str, ...], relative: bool) -> None:
        del relative
        found.append(absolute)

    rewrite(text, path, note)
    return found
