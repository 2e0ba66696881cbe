"""The overrides of a script for other parts of skipcfg: for `validate`, and for whatever reads a command."""

from __future__ import annotations

from collections.abc import Collection

from skip_config.diagnostics import Diagnostic
from skip_config.formats.override_check import Command, Given, check_commands
from skip_config.formats.shell.migration import token_span, too_many_words
from skip_config.formats.shell.reach import TooManyWordsError, launches
from skip_config.formats.shell.read import read
from skip_config.formats.shell.script import Script
from skip_config.formats.shell.words import Token
from skip_config.legacy import Opaque
from skip_config.releases import GEN_BATCH_SIZE, MANAGER, dotted
from skip_config.source import Source


def overrides_of(source: Source) -> list[Command]:
    """The commands of a bash script that rollout-skip settings reach, with all their overrides in order."""
    return commands_of(read(source, every=True))


def check_script(source: Source) -> list[Diagnostic]:
    """Check the new settings in a bash script; old ones are reported too.

    Args:
        source: The script.

    Returns:
        The findings by line. Nothing in the text makes it raise.
    """
    if not any(name in source.text for name in (MANAGER.place[0], dotted(GEN_BATCH_SIZE))):
        return []
    script = read(source, every=True)
    try:
        return check_commands(source, commands_of(script))
    except TooManyWordsError as error:
        return list(too_many_words(source, script, error))


def commands_of(script: Script, deciding: Collection[str] = ()) -> list[Command]:
    """See `overrides_of`; for a script that is read already.

    Args:
        script: The script.
        deciding: Further keys for whose sake the ways in which a command may run are told apart.

    Raises:
        TooManyWordsError: A command would get more words than can be followed.
    """
    tokens = {atom.token.place: atom.token for atom in script.atoms() if atom.token}
    return [
        Command(
            one.launch.module,
            tuple(tuple(_given(tokens[override.place]) for override in path) for path in one.launch.paths),
            one.invisible,
            one.launch.config,
        )
        for one in launches(script, every=True, deciding=deciding)
    ]


def _given(token: Token) -> Given:
    opaque = token.value if isinstance(token.value, Opaque) and token.shell_value else None
    return Given(token.prefix, token.key, token.text, opaque, token_span(token))
