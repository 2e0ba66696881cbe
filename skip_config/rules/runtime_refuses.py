"""`runtime-refuses`: what verl 0.9's own conversion refuses and no other rule has a name for."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config.acceptance import refused_block
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.releases import MANAGER
from skip_config.rules import Hit, Rule
from skip_config.view import View

SKIP = MANAGER.place[0]
_MANDATORY = "???"


def check(view: View) -> Iterator[Hit]:
    """Convert the whole block as the runtime does, but for what only the runtime knows."""
    block = _block(view, (SKIP,), depth=2)
    if block is MISSING:
        return
    refused = refused_block(block)
    if refused is not None:
        path = (SKIP, *refused.path)
        yield Hit(path, f"verl 0.9 refuses {'.'.join(path)}: {refused.message}", view.place(*path))


def _block(view: View, path: tuple[str, ...], depth: int) -> Maybe:
    value = view.value(*path)
    if isinstance(value, dict) and depth:
        below = {key: _block(view, (*path, key), depth - 1) for key in view.keys(*path)}
        return {key: inner for key, inner in below.items() if inner is not MISSING}
    if isinstance(value, list):
        return [item for item in map(_known, value) if item is not MISSING]
    return _known(value)


def _known(value: object) -> Maybe:
    if isinstance(value, Opaque):
        return _MANDATORY if value.text == _MANDATORY else MISSING
    return value  # type: ignore[return-value]


RULE = Rule(
    name="runtime-refuses",
    severity=Severity.ERROR,
    summary="verl 0.9's own conversion refuses the block.",
    why="The manager merges `skip` into its structured config and converts the whole. skipcfg does the same, so that "
    "nothing is refused at the start of a run that was accepted here.",
    example="skip:\n  _target_: null\n",
    mend="Remove the key, or give it a value of the kind that the message names.",
    since="0.9.0",
    check=check,
)
