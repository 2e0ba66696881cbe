"""What a run printed: it tells what happened, so it is reported and never edited."""

from __future__ import annotations

from skip_config.diagnostics import Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.mentions import mentions
from skip_config.request import Request
from skip_config.source import Source


def migrate(source: Source, request: Request) -> Draft:
    """Report the first old setting in a log."""
    del request
    spans = mentions(source.text)
    if not spans:
        return Draft()
    key = source.text[spans[0].start : spans[0].end]
    remark = Remark("record", f"{key} in what a run printed: it tells what happened, and is left alone")
    return Draft(diagnostics=(at(source, spans[0], remark, Severity.NOTE, key=key),))
