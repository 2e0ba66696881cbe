"""Options from `[tool.skipcfg]` in `pyproject.toml`: the nearest one from the working directory up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from skip_config.files import reason
from skip_config.reading import read_regular

_LISTS = ("select", "ignore")
_FLAGS = ("strict", "quiet")
_TEXTS = ("format", "base")
KEYS = (*_LISTS, *_FLAGS, *_TEXTS)
FORMATS = ("text", "json", "github", "sarif")
BASES = ("auto", "none")


class SettingsError(Exception):
    """The options are not usable; the text says which one and why."""


class Settings(NamedTuple):
    """Options that a project sets for all runs; the command line wins.

    Args:
        select: Only these diagnostics; all when empty.
        ignore: Not these.
        strict, quiet: As the options of the command line.
        format, base: The same; None when not set.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    quiet: bool = False
    format: str | None = None
    base: str | None = None


def load(folder: Path) -> Settings:
    """The settings of the project that holds a folder.

    Raises:
        SettingsError: `pyproject.toml` cannot be read, or holds an option that skipcfg does not have.
    """
    for parent in (folder, *folder.parents):
        file = parent / "pyproject.toml"
        if os.path.isfile(file):  # false too where a folder may not be searched; `Path.is_file` raises there
            return _read(file)
    return Settings()


def _read(file: Path) -> Settings:
    try:
        data = read_regular(file)
    except OSError as error:
        raise SettingsError(f"{file}: {reason(error)}") from error
    if b"skipcfg" not in data:
        return Settings()
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # the backport of the standard library's, for Python 3.10
    try:
        table = tomllib.loads(data.decode("utf-8")).get("tool", {}).get("skipcfg", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError) as error:
        raise SettingsError(f"{file}: {error}") from error
    problems = list(_problems(table)) if isinstance(table, dict) else ["tool.skipcfg must be a table"]
    if problems:
        raise SettingsError(f"{file}: {'; '.join(problems)}")
    values: dict[str, Any] = {key: tuple(value) if key in _LISTS else value for key, value in table.items()}
    return Settings(**values)


def _problems(table: dict[str, object]) -> Iterator[str]:
    for key, value in table.items():
        if key not in KEYS:
            near = get_close_matches(key, KEYS, 1)
            yield f"tool.skipcfg has no option {key!r}" + (f", did you mean {near[0]!r}?" if near else "")
        elif key in _LISTS and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            yield f"tool.skipcfg.{key} must be a list of names"
        elif key in _FLAGS and not isinstance(value, bool):
            yield f"tool.skipcfg.{key} must be true or false"
        elif key in _TEXTS and value not in (FORMATS if key == "format" else BASES):
            yield f"tool.skipcfg.{key} must be one of {', '.join(FORMATS if key == 'format' else BASES)}"


def unknown_name(names: tuple[str, ...]) -> str | None:
    """What is wrong with names given to --select or --ignore, or None."""
    from skip_config.rules import registry

    for name in names:
        if name not in registry():
            near = get_close_matches(name, registry(), 1)
            hint = f"did you mean {near[0]}?" if near else "skipcfg explain --list shows them all"
            return f"no finding is called {name!r}; {hint}"
    return None
