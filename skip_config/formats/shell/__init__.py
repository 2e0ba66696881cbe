"""Shell scripts: overrides of old settings, wherever they stand, become overrides of the new ones."""

from __future__ import annotations

from collections.abc import Mapping

from skip_config.diagnostics import Diagnostic
from skip_config.formats import Draft
from skip_config.formats.layout import SHELL_CONTINUATION
from skip_config.formats.shell.comments import comment_edits
from skip_config.formats.shell.migration import Dialect, migrate_script
from skip_config.formats.shell.read import read
from skip_config.formats.shell.remarks import bystanders, mentions_old_settings
from skip_config.formats.shell.script import Script
from skip_config.formats.shell.words import Token
from skip_config.formats.shell.write import write
from skip_config.request import Request
from skip_config.source import Edit, Source


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a script that bash or another POSIX shell runs."""
    return migrate_script(source, request, BASH) if mentions_old_settings(source.text) else Draft()


def _beside(
    source: Source, script: Script, tokens: Mapping[int, Token], request: Request
) -> tuple[list[Edit], list[Diagnostic]]:
    edits, notes = comment_edits(source, script, request)
    return edits, [*bystanders(source, script, tokens), *notes]


BASH = Dialect(read, write, SHELL_CONTINUATION, _beside)
