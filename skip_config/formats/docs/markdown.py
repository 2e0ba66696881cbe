"""Markdown documents."""

from __future__ import annotations

from skip_config.formats import Draft
from skip_config.formats.docs.blocks import markdown_blocks
from skip_config.formats.docs.document import migrate_document
from skip_config.request import Request
from skip_config.source import Source


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a document."""
    return migrate_document(source, request, markdown_blocks)
