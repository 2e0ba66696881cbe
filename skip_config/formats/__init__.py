"""One module per kind of file. Each finds old settings and proposes edits; none reads or writes files.

A module of this package has one public function, `migrate(source, request) -> Draft`. Which module
serves a file is decided by `kind_of`, and nothing else needs to know of a new one.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import PurePath
from typing import cast

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.request import Request
from skip_config.source import Edit, Source, Span


def _nothing_wrong(result: Source) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What a format proposes for one file.

    Args:
        edits: On the text of the source.
        diagnostics: What to tell, whether or not anything is edited.
        verify: Called with the edited source; returns what is wrong with it, in words. Anything it
            returns is a bug of ours, and the file is left as it was.
        doubt: What in the file cannot be read, if anything: when the result is wrong, that is why.
    """

    edits: tuple[Edit, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    verify: Callable[[Source], Sequence[str]] = field(default=_nothing_wrong)
    doubt: Diagnostic | None = None


_MODULES: dict[str, str] = {
    "yaml": "skip_config.formats.yaml",
    "shell": "skip_config.formats.shell",
    "powershell": "skip_config.formats.powershell",
    "cmd": "skip_config.formats.cmd",
    "python": "skip_config.formats.python",
    "json": "skip_config.formats.json",
    "makefile": "skip_config.formats.makefile",
    "dockerfile": "skip_config.formats.dockerfile",
    "notebook": "skip_config.formats.notebook",
    "markdown": "skip_config.formats.docs.markdown",
    "rst": "skip_config.formats.docs.rst",
    "log": "skip_config.formats.log",
    "plain": "skip_config.formats.plain",
}
"""Kind of file -> the module that serves it; imported when the first such file comes."""

KINDS = frozenset(_MODULES)
"""The kinds of files that a format serves."""

_SUFFIXES: dict[str, str] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".slurm", ".sbatch", ".pbs"), "shell"),
    ".ps1": "powershell",
    ".bat": "cmd",
    ".cmd": "cmd",
    ".py": "python",
    ".pyi": "python",
    ".json": "json",
    ".jsonc": "json",
    ".mk": "makefile",
    ".dockerfile": "dockerfile",
    ".ipynb": "notebook",
    **dict.fromkeys((".md", ".markdown", ".mdx"), "markdown"),
    ".rst": "rst",
    ".log": "log",
    **dict.fromkeys((".txt", ".text", ".args", ".opts", ".list", ".lst", ".overrides", ".params", ".rsp"), "plain"),
    **dict.fromkeys((".toml", ".ini", ".cfg", ".conf", ".env", ".just", ".fish", ".groovy", ".hcl", ".tf"), "plain"),
    **dict.fromkeys((".lsf", ".sge", ".job", ".nf", ".smk", ".json5"), "plain"),
}

_TEMPLATES = frozenset(
    {".in", ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".template", ".example", ".sample", ".dist"}
)
"""Suffixes of files that others are made from; without placeholders they are of the kind that is named before."""

_PLACEHOLDER = re.compile(r"\{\{|\{%|<%|@[A-Z][A-Z_0-9]+@")

_NAMES: tuple[tuple[str, str], ...] = (
    ("makefile", "makefile"),
    ("gnumakefile", "makefile"),
    ("dockerfile", "dockerfile"),
    ("containerfile", "dockerfile"),
    ("nohup.out", "log"),
    ("justfile", "plain"),
    (".justfile", "plain"),
    ("jenkinsfile", "plain"),
    ("procfile", "plain"),
    ("snakefile", "plain"),
    (".env", "plain"),
    (".envrc", "shell"),
)
"""Files that go by a name of their own, also with something behind it as in `Dockerfile.train`."""

_SHEBANG = re.compile(r"#![ \t]*\S*?(?:\benv\b(?:[ \t]+-\S+)*[ \t]+)?\b(?:ba|da|k|z)?sh\b")


def kind_of(filename: str, text: str) -> str | None:
    """The kind of a file by its name and content, or None when no format serves it."""
    name = PurePath(_visible(filename))
    suffix = name.suffix.lower()
    if suffix in _TEMPLATES:
        inner = kind_of(name.stem, text)
        return inner if inner is not None and not _PLACEHOLDER.search(text) else "plain"
    kind = _SUFFIXES.get(suffix) or _by_name(name.name)
    if kind == "plain" or (kind is None and not suffix):
        return "shell" if _SHEBANG.match(text) and not _PLACEHOLDER.search(text) else kind
    return kind


def _visible(name: str) -> str:
    """A name without characters that nobody sees, such as a U+200B at its end: verl itself ships such a script."""
    if name.isascii() and name.isprintable():
        return name.rstrip()
    return "".join(char for char in name if unicodedata.category(char) not in ("Cf", "Cc")).rstrip()


def _by_name(name: str) -> str | None:
    lower = name.lower()
    return next((kind for known, kind in _NAMES if lower == known or lower.startswith(f"{known}.")), None)


_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
_ONLY_LINE_FEEDS = frozenset({"shell", "powershell", "cmd", "makefile", "dockerfile"})
"""Kinds in which a carriage return by itself ends no line, although every editor shows it as one that does."""

_CARRIAGE_RETURN = Remark(
    "script-not-readable",
    "a carriage return without a line feed: what runs this file takes it as part of a word, and not as the end of a "
    "line",
    "give the file line feeds (tr '\\r' '\\n', if no line of it has one yet), then run skipcfg migrate again",
)


def serves(kind: str) -> bool:
    """Whether a format of that kind is there."""
    return kind in _MODULES


def could_serve(name: str) -> bool:
    """Whether a file of that name may be of a kind that a format serves; its content may still say no."""
    name = _visible(name)
    suffix = os.path.splitext(name)[1].lower()
    return not suffix or suffix in _SUFFIXES or suffix in _TEMPLATES or _by_name(name) is not None


def migrate(kind: str, source: Source, request: Request) -> Draft:
    """Let the format of that kind propose edits."""
    propose = cast("Callable[[Source, Request], Draft]", import_module(_MODULES[kind]).migrate)
    draft = propose(source, request)
    if draft.edits and kind in _ONLY_LINE_FEEDS and (lone := _LONE_CARRIAGE_RETURN.search(source.text)):
        return Draft(diagnostics=(at(source, Span(*lone.span()), _CARRIAGE_RETURN, Severity.ERROR),))
    return draft
