"""Python: override strings, dotted keys and assignments of old settings become those of the new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.bracketed import may_hold_old_settings
from skip_config.formats.python.bare_keys import bare_keys
from skip_config.formats.python.check import differences
from skip_config.formats.python.comments import comment_edits
from skip_config.formats.python.groups import Moved, move_groups
from skip_config.formats.python.mentions import mentions
from skip_config.formats.python.positions import UnreadableError, parse
from skip_config.formats.python.read import read
from skip_config.formats.python.remarks import remarks
from skip_config.formats.python.scopes import Scopes
from skip_config.formats.python.tokens import quote_not_closed
from skip_config.formats.python.trees import tree_moves
from skip_config.readable import MEND
from skip_config.request import Request
from skip_config.source import Source, Span


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a Python file.

    Settings that come together are rewritten together or not at all; what is reported beside them,
    such as an import, keeps none of them from it.
    """
    if not _may_concern(source.text):
        return Draft()
    try:
        module = parse(source)
    except UnreadableError as error:
        remark = Remark("cannot-parse", error.message, MEND)
        return Draft(diagnostics=(at(source, Span(error.offset, error.offset), remark, Severity.ERROR),))
    settings = may_hold_old_settings(source.text) or any(hint in source.text for hint in _ASYNC)
    scopes = read(module) if settings else Scopes()
    trees = tree_moves(module, request) if settings else []
    left_behind = bare_keys(module, scopes)
    groups = move_groups(source, scopes, request) if not left_behind else Moved((), left_behind, {})
    edits = [*groups.edits, *(edit for tree in trees for edit in tree.move.edits)]
    diagnostics = [*groups.diagnostics, *(one for tree in trees for one in tree.move.diagnostics)]
    commented, notes = comment_edits(source, scopes, request)
    told = {(one.line, one.key) for one in left_behind}
    mentioned = [one for one in mentions(module, scopes) if (one.line, one.key) not in told]
    diagnostics += [*notes, *remarks(module, scopes, trees), *mentioned]
    moved = [tree for tree in trees if tree.move.edits]

    def verify(result: Source) -> Sequence[str]:
        return differences(module, scopes, groups.replacements, moved, result)

    ordered = sorted(diagnostics, key=lambda one: (one.line or 0, one.column or 0))
    return Draft((*edits, *commented), tuple(ordered), verify, quote_not_closed(source, scopes.tokens.values()))


_ASYNC: Final = (releases.FULLY_ASYNC_SCRIPT, releases.dotted(releases.ASYNC_TRAINING) + ".")
_OTHER: Final = (releases.GEN_BATCH_SIZE[-1], *(name.rpartition(".")[2] for name in releases.REMOVED_NAMES))


def _may_concern(text: str) -> bool:
    """A quick look before the parser."""
    return any(name in text for name in _OTHER) or may_hold_old_settings(text)
