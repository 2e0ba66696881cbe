"""Check the new settings in commands that stand in files of another kind, for `validate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from skip_config.diagnostics import Diagnostic
from skip_config.formats.argv import WordList, command_of
from skip_config.formats.embedded.migration import in_order, outward
from skip_config.formats.embedded.text import Embedded
from skip_config.formats.override_check import check_commands
from skip_config.formats.shell.check import check_script
from skip_config.source import Source

Found = tuple[Sequence[Embedded], Sequence[WordList]]


def _makefile(source: Source) -> Found:
    from skip_config.formats import makefile

    return makefile.find(source), ()


def _dockerfile(source: Source) -> Found:
    from skip_config.formats import dockerfile

    return dockerfile.find(source), dockerfile.find_lists(source)


def _notebook(source: Source) -> Found:
    from skip_config.formats import notebook
    from skip_config.formats.yaml.tree import UnreadableError

    try:
        return notebook.find(source), ()
    except UnreadableError:  # `migrate` tells, when it holds old settings; there is nothing to check in it
        return (), ()


def _yaml(source: Source) -> Found:
    from skip_config.formats.yaml import jobs
    from skip_config.formats.yaml.tree import UnreadableError, parse

    try:
        found = jobs.find(source, parse(source.text))
    except UnreadableError:  # told by the check of the config
        return (), ()
    return found.texts, found.lists


HOSTS: Final[dict[str, Callable[[Source], Found]]] = {
    "makefile": _makefile,
    "dockerfile": _dockerfile,
    "notebook": _notebook,
    "yaml": _yaml,
}
"""Kind of file -> what finds the commands in it."""


def check_commands_in(source: Source, kind: str) -> list[Diagnostic]:
    """Check the commands in a file; old settings in them are reported too.

    Args:
        source: The file.
        kind: Its kind: a script is one text of commands, a file of `HOSTS` holds some, another none.
    """
    if kind == "shell":
        return check_script(source)
    if kind not in HOSTS:
        return []
    texts, lists = HOSTS[kind](source)
    found = [outward(one, text) for text in texts if text.kind == "shell" for one in check_script(text.source)]
    return list(in_order([*found, *check_commands(source, [command_of(one) for one in lists])]))
