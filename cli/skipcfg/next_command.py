"""The command to type next, with the flags that were given: it can be pasted as it stands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from skip_config.diagnostics import Diagnostic
from skip_config.request import Request
from skipcfg.streams import name

_MIGRATE = "skipcfg migrate"
_MOST_PATHS = 4


def command(words: str, flags: Sequence[str], paths: Sequence[str]) -> str:
    """A command of skipcfg; more paths than one wants to read are named as a whole.

    Args:
        words: `skipcfg migrate`, say.
        flags: Options with their values.
        paths: What else follows.
    """
    start = " ".join([words, *map(_word, flags)])
    if len(paths) > _MOST_PATHS:
        return f"{start} … with the same paths"
    return " ".join([start, *(["--"] if any(path.startswith("-") for path in paths) else []), *map(_word, paths)])


def migrate_flags(request: Request) -> list[str]:
    """The options that make such a request."""
    flags = [] if request.role == "auto" else ["--role", request.role]
    if request.total_steps is not None:
        flags += ["--total-steps", str(request.total_steps)]
    flags += ["--unsafe"] if request.unsafe else []
    for included in sorted(request.include):
        flags += ["--include", included]
    return flags + (["--insert-gen-batch-size"] if request.insert_gen_batch_size else [])


def migrate(request: Request, paths: Sequence[str]) -> str:
    """`skipcfg migrate` with the options of a request."""
    return command(_MIGRATE, migrate_flags(request), paths)


def with_flags(diagnostics: Iterable[Diagnostic], request: Request) -> tuple[Diagnostic, ...]:
    """Let the commands in the helps keep the options that were given, but for those that they name themselves."""
    return tuple(
        replace(one, help=_with_flags(one.help, request)) if one.help and _MIGRATE in one.help else one
        for one in diagnostics
    )


def _with_flags(text: str, request: Request) -> str:
    kept = Request(
        role="auto" if "--role" in text else request.role,
        total_steps=None if "--total-steps" in text else request.total_steps,
        unsafe=request.unsafe and "--unsafe" not in text,
        include=frozenset(one for one in request.include if f"--include {one}" not in text),
        insert_gen_batch_size=request.insert_gen_batch_size,
    )
    flags = migrate_flags(kept)
    return text.replace(_MIGRATE, " ".join([_MIGRATE, *flags])) if flags else text


def _word(text: str) -> str:
    return shlex.quote(name(text))
