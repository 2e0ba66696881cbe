"""The note of what became of old settings: which they are, and where they stand now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skip_config.diagnostics import Remark
from skip_config.releases import MANAGER, Role, dotted

EDIT_COMMENTS = "to edit it too: skipcfg migrate --include comments FILE"
"""What to do about a comment that names old settings."""


def moved(keys: Iterable[str], writes: Sequence[Role], both: Sequence[Role] = (), more: str | None = None) -> Remark:
    """Say what became of old settings.

    Args:
        keys: Their full names.
        writes: The roles that get them; none when nothing of them is needed.
        both: Roles that had the same values already.
        more: What else is written with them.
    """
    old = in_braces(keys)
    if both:
        return Remark("old-setting", f"{old} removed: {_places(both)} says the same already")
    if not writes:
        return Remark("old-setting", f"{old} removed: verl 0.9 needs nothing of it")
    return Remark("old-setting", f"{old} moved to {_places(writes)}" + (f"; {more}" if more else ""))


def _places(roles: Sequence[Role]) -> str:
    return " and ".join(dotted((*MANAGER.place, role)) for role in roles)


def in_braces(keys: Iterable[str]) -> str:
    """Full names, those below one parent written together as a shell would: `a.b.{c,d}`."""
    below: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        parent, _, last = key.rpartition(".")
        below.setdefault(parent, []).append(last)
    return ", ".join(
        f"{parent}.{names[0]}" if len(names) == 1 else f"{parent}.{{{','.join(names)}}}"
        for parent, names in below.items()
    )
