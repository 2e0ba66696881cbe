"""The migration of a document: one note about what it mentions, and edits on its blocks when they are included."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from skip_config.diagnostics import Diagnostic, Remark, Severity, at, worst
from skip_config.formats import Draft
from skip_config.formats.docs.blocks import Block, embedded_block
from skip_config.formats.embedded.migration import Inner, differences, in_order, outward, propose
from skip_config.formats.embedded.text import Embedded
from skip_config.formats.mentions import DOTTED, NAMED, mentions
from skip_config.request import Request
from skip_config.source import Source, Span

_CODE: Final = re.compile(r"`[^`\n]+`")
Blocks = Callable[[Source], Iterator[Block]]


def migrate_document(source: Source, request: Request, blocks: Blocks) -> Draft:
    """Propose edits for a document.

    Args:
        source: The document.
        request: What the user asked.
        blocks: Finds its code blocks.
    """
    # A block is no file of a folder that Hydra would place somewhere.
    bare = Source(source.text, PurePath(source.filename).name)
    inners = [one for one in propose(_texts(bare, blocks), request) if one.draft.edits or one.draft.diagnostics]
    edited = [one for one in inners if _is_certain(one)] if "docs" in request.include else []
    notes = [note for one in edited for note in one.diagnostics()]
    spans = sorted({*_mentions(source, blocks), *_places(source, inners)})
    covered = {offset for one in edited for offset in one.text.starts}
    left = [span for span in spans if span.start not in covered]
    if "docs" in request.include:
        notes += [one for inner in inners if inner not in edited for one in _undecided(inner)]
    if left:
        notes.append(_note(source, left, "docs" in request.include))
    diagnostics = in_order([replace(one, severity=Severity.NOTE, fix=None) for one in notes])

    def verify(result: Source) -> Sequence[str]:
        return differences(edited, _texts(Source(result.text, bare.filename), blocks))

    edits = tuple(edit for one in edited for edit in one.text.outward(one.edits))
    doubt = next((outward(one.draft.doubt, one.text) for one in edited if one.draft.doubt is not None), None)
    return Draft(edits, diagnostics, verify, doubt)


def _texts(source: Source, blocks: Blocks) -> list[Embedded]:
    return [text for block in blocks(source) if (text := embedded_block(source, block)) is not None and text.text]


def _is_certain(inner: Inner) -> bool:
    return bool(inner.draft.edits) and worst(inner.draft.diagnostics) is not Severity.ERROR


def _undecided(inner: Inner) -> list[Diagnostic]:
    """What needs a decision before a block can be edited; a block that only looks like YAML does not."""
    return [one for one in inner.diagnostics() if one.severity is Severity.ERROR and one.name != "cannot-parse"]


def _mentions(source: Source, blocks: Blocks) -> list[Span]:
    """Old keys with their place anywhere, and by themselves in code."""
    found = mentions(source.text, DOTTED)
    code = [block.span for block in blocks(source)]
    code += [Span(*match.span()) for match in _CODE.finditer(source.text)]
    found += [
        span
        for span in mentions(source.text, NAMED)
        if any(place.start <= span.start < place.end for place in code)
        and not any(other.start <= span.start < other.end for other in found)
    ]
    return found


def _places(source: Source, inners: Sequence[Inner]) -> Iterator[Span]:
    """Where blocks have something to migrate that no single key shows, as a block of YAML."""
    for inner in inners:
        for edit in inner.text.outward(inner.edits)[:1]:
            yield Span(edit.span.start, max(edit.span.end, edit.span.start))


def _note(source: Source, spans: Sequence[Span], included: bool) -> Diagnostic:
    more = f" (and {len(spans) - 1} more)" if len(spans) > 1 else ""
    line = source.text[slice(*source.line_span(spans[0].start))].strip()
    match = DOTTED.search(line) or NAMED.search(line)
    key = match[0] if match else None
    if included:
        remark = Remark("old-setting", f"the document still names {key or 'old settings'} here{more}: edit it by hand")
    else:
        remark = Remark(
            "old-setting",
            f"the document names {key or 'old settings'} here{more}: left alone",
            "to edit its shell and YAML blocks: skipcfg migrate --include docs FILE",
        )
    return at(source, spans[0], remark, Severity.NOTE, key=key)
