"""Old settings that are commented out: told, and left alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.mentions import DOTTED, NAMED, mentions
from skip_config.formats.yaml.nodes import Document
from skip_config.formats.yaml.removal import comments_in
from skip_config.source import Source, Span

_OLD = re.compile(rf"{DOTTED.pattern}|{NAMED.pattern}(?=\s*[:=])", re.ASCII)


def commented_out(source: Source, documents: Sequence[Document]) -> list[Diagnostic]:
    """A note for each group of comment lines that holds an old setting."""
    if not mentions(source.text, _OLD):
        return []
    found = []
    last = -1
    roots = [document.root for document in documents if document.root is not None]
    for comment in comments_in(source, Span(0, len(source.text)), roots):
        line = source.position(comment.start)[0]
        keys = mentions(source.text[comment.start : comment.end], _OLD)
        if keys and line != last + 1:
            span = Span(comment.start + keys[0].start, comment.start + keys[0].end)
            key = source.text[span.start : span.end]
            remark = Remark("old-setting", f"{key} in a comment: left alone")
            found.append(at(source, span, remark, Severity.NOTE, key=key))
        last = line if keys or line == last + 1 else -1
    return found
