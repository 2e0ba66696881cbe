"""Findings of a run, and how they are printed: one module per format, chosen by name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module

from skip_config.diagnostics import Diagnostic, Severity
from skip_config.source import BOM, Source
from skip_config.territory import record_tree, vendored_tree
from skipcfg.streams import err, fail, out


@dataclass(frozen=True, slots=True)
class FileReport:
    """What there is to say about one file.

    Args:
        path: Its name as the user would write it.
        diagnostics: The findings.
        changed: Whether it was rewritten or would be; None for commands that never write.
        lines: Text of the lines that the findings stand on, by number from 1.
    """

    path: str
    diagnostics: tuple[Diagnostic, ...]
    changed: bool | None = None
    lines: Mapping[int, str] = field(default_factory=dict)


def quoted(data: bytes, diagnostics: Sequence[Diagnostic]) -> dict[int, str]:
    """The lines that findings stand on, by number.

    Args:
        data: The file as it was when it was checked.
        diagnostics: The findings.
    """
    wanted = {one.line for one in diagnostics if one.line is not None}
    if not wanted:
        return {}
    source = Source(data.removeprefix(BOM).decode("utf-8", "replace"), "")
    starts = source.line_starts
    spans = {line: source.line_span(starts[line - 1]) for line in wanted if line <= len(starts)}
    return {line: source.text[span.start : span.end].rstrip("\r\n") for line, span in spans.items()}


def show(files: Sequence[FileReport], output: str, error: str | None = None, to_stderr: bool = False) -> None:
    """Print the findings.

    Args:
        files: One entry per file.
        output: `text`, `json`, `github` or `sarif`: the name of a module of this package.
        error: Why the command could not do all that was asked.
        to_stderr: Leave standard output to something else; only for `text` and `github`.
    """
    text: str = import_module(f"{__name__}.{_MODULES[output]}").render(files, error)
    if to_stderr and text:
        err(text.rstrip("\n"))
    else:
        out(text)


def refuse(message: str, output: str, code: int = 2) -> int:
    """Say why the command could not run, in the format that was asked for, and for people.

    Args:
        message: Why.
        output: As for `show`.
        code: The exit code.

    Returns:
        The exit code.
    """
    if output in ("sarif", "github"):
        show((), output, message)
    return fail(message, output == "json", code)


_MODULES = {"text": "text", "json": "as_json", "github": "github", "sarif": "sarif"}

STRUCTURED = frozenset({"json", "sarif"})
"""Formats that are one JSON object on standard output, whatever happens."""


def default_format() -> str:
    """`github` inside a GitHub Actions job, else `text`."""
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


def count(files: Sequence[FileReport], severity: Severity) -> int:
    """How many findings of that severity there are."""
    return sum(diagnostic.severity is severity for file in files for diagnostic in file.diagnostics)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


GROUPED = {
    "vendored": vendored_tree,
    "record": record_tree,
}
"""Findings that are told once per tree: their names, and which tree a file belongs to."""


def grouped(files: Sequence[FileReport]) -> list[FileReport]:
    """Tell what concerns a whole tree once, at its first file."""
    first: dict[tuple[str, str], int] = {}
    extra: dict[int, int] = {}
    result: list[FileReport] = []
    for file in files:
        name = file.diagnostics[0].name if len(file.diagnostics) == 1 else ""
        tree = GROUPED[name](file.path) if name in GROUPED else None
        if tree is None:
            result.append(file)
        elif (name, tree) in first:
            extra[first[name, tree]] = extra.get(first[name, tree], 0) + 1
        else:
            first[name, tree] = len(result)
            result.append(file)
    for index, number in extra.items():
        file = result[index]
        only = file.diagnostics[0]
        message = f"{only.message} (and {counted(number, 'more file')} of the same tree)"
        result[index] = replace(file, diagnostics=(replace(only, message=message),))
    return result
