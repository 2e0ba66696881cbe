"""Migrate the inner texts of a file, each by the format of its language, and carry the edits over to the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from skip_config import formats
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.embedded.text import Embedded, unmask
from skip_config.formats.shell.remarks import mentions_old_settings
from skip_config.request import Request
from skip_config.source import Edit, OverlappingEditsError, Source, apply

_BLANKS: Final = re.compile(r"(?:\\\n|\s)+")

_COMPUTED: Final = "$(seq"
_ESCAPES: Final = re.compile(r"\\([\"`$])")


class Inner(NamedTuple):
    """An inner text and what its format proposes for it.

    Args:
        text: The inner text.
        draft: The proposal, with edits and diagnostics on the inner text.
    """

    text: Embedded
    draft: Draft

    @property
    def edits(self) -> list[Edit]:
        """The edits on the inner text."""
        return self.text.adapted(self.draft.edits)

    @property
    def result(self) -> str:
        """The inner text afterwards.

        Raises:
            OverlappingEditsError: The format's edits overlap.
        """
        return apply(self.text.text, self.edits)

    def diagnostics(self) -> list[Diagnostic]:
        """The findings, at their places in the file."""
        return [outward(one, self.text) for one in self.draft.diagnostics]


def propose(texts: Sequence[Embedded], request: Request) -> list[Inner]:
    """Let the format of each inner text propose edits."""
    return [
        Inner(one, _readable(one, _computable(one, formats.migrate(one.kind, one.source, request)))) for one in texts
    ]


def _readable(text: Embedded, draft: Draft) -> Draft:
    """The draft, unless its edits cannot be proved on the text alone, as when the text is no script as it stands."""
    if draft.edits and text.sealed is not None:
        place = min(edit.span for edit in draft.edits)
        return Draft(diagnostics=(at(text.source, place, text.sealed, Severity.ERROR),))
    if not draft.edits or (text.kind != "shell" and draft.doubt is None):
        return draft
    try:
        wrong = draft.verify(text.source.with_text(Inner(text, draft).result))
    except OverlappingEditsError:  # a bug of ours, which the check of the whole file reports as such
        return draft
    if not wrong:
        return draft
    if draft.doubt is not None:
        return Draft(diagnostics=(*without_notes(draft.diagnostics), draft.doubt))
    remark = Remark(
        "script-not-readable",
        "old settings in a text that does not read back as it should when they are moved, so it is left alone",
        "see whether its quotes close and its lines go on as they should, then run skipcfg migrate again",
    )
    place = min(edit.span for edit in draft.edits)
    return Draft(diagnostics=(*without_notes(draft.diagnostics), at(text.source, place, remark, Severity.ERROR)))


def _computable(text: Embedded, draft: Draft) -> Draft:
    """The draft, unless it would have a list computed where no shell is that could."""
    for edit in text.adapted(draft.edits):
        if _COMPUTED in edit.text and not text.part_at(edit.span.start).computes:
            remark = Remark(
                "old-value-unknown",
                "the list of steps would count to what is not known here, and no shell runs this text that could "
                "compute it",
                "write the number into the file, then run skipcfg migrate again",
            )
            error = at(text.source, edit.span, remark, Severity.ERROR)
            return Draft(diagnostics=(*without_notes(draft.diagnostics), error))
    return draft


def outward(diagnostic: Diagnostic, text: Embedded) -> Diagnostic:
    """A finding in an inner text, with its place in the file."""
    shown = replace(
        diagnostic, message=unmask(diagnostic.message), help=unmask(diagnostic.help) if diagnostic.help else None
    )
    if diagnostic.line is None or diagnostic.column is None:
        return shown
    start = _offset(text, diagnostic.line, diagnostic.column)
    end = _offset(text, diagnostic.end_line or diagnostic.line, diagnostic.end_column or diagnostic.column)
    line, column = text.host.position(text.starts[start])
    # The end of a token is where its last character ends; what follows it may stand lines below.
    last = text.starts[max(end - 1, start)] + (1 if end > start else 0)
    end_line, end_column = text.host.position(max(last, text.starts[start]))
    return replace(shown, line=line, column=column, end_line=end_line, end_column=end_column)


def _offset(text: Embedded, line: int, column: int) -> int:
    starts = text.source.line_starts
    return min(starts[min(line, len(starts)) - 1] + column - 1, len(text.text))


def differences(before: Sequence[Inner], after: Sequence[Embedded]) -> list[str]:
    """What is wrong with the inner texts of a migrated file, in words.

    Args:
        before: The inner texts of the file as it was.
        after: The inner texts of the result, found in the same way.
    """
    wrong: list[str] = []
    there = [(_essence(one.text), one) for one in after]
    for old in before:
        if not old.draft.edits:
            continue
        wanted = _essence(old.result)
        found = next((index for index, (essence, _) in enumerate(there) if essence == wanted), None)
        if found is not None:
            wrong += old.draft.verify(there.pop(found)[1].source)
        elif mentions_old_settings(old.result):  # what no longer names any of the settings is not found again
            wrong.append(f"no inner text reads back as {unmask(old.result)!r}")
    return wrong


def _essence(text: str) -> str:
    """A text without what may differ when it is read back: blanks, continuations, needless escapes."""
    return _ESCAPES.sub(r"\1", _BLANKS.sub("", text))


def merge(inners: Sequence[Inner], find: Callable[[Source], Sequence[Embedded]]) -> Draft:
    """One draft for the file: everything, or nothing when something in it needs a decision.

    Args:
        inners: The inner texts with what is proposed for them.
        find: Finds the inner texts of the file, for the result to be checked.
    """
    diagnostics = [one for inner in inners for one in inner.diagnostics()]
    if any(one.severity is Severity.ERROR for one in diagnostics):
        return Draft(diagnostics=in_order(without_notes(diagnostics)))
    edits = tuple(edit for inner in inners for edit in inner.text.outward(inner.edits))

    def verify(result: Source) -> Sequence[str]:
        try:
            return differences(inners, find(result))
        except OverlappingEditsError as error:
            return [f"overlapping edits: {error}"]

    doubt = next((outward(one.draft.doubt, one.text) for one in inners if one.draft.doubt is not None), None)
    return Draft(edits, in_order(diagnostics), verify, doubt)


def without_notes(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What remains to be told when nothing is done."""
    return [one for one in diagnostics if one.severity is not Severity.NOTE]


def in_order(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place."""
    return tuple(sorted(diagnostics, key=lambda one: (one.line or 0, one.column or 0)))
