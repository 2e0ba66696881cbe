"""Findings of a run, as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from skip_config.diagnostics import Diagnostic, Severity
from skip_config.territory import record_tree, vendored_tree
from skipcfg.streams import err, out, printable


@dataclass(frozen=True, slots=True)
class FileReport:
    """What there is to say about one file.

    Args:
        path: Its name as the user would write it.
        diagnostics: The findings.
        changed: Whether it was rewritten or would be; None for commands that never write.
    """

    path: str
    diagnostics: tuple[Diagnostic, ...]
    changed: bool | None = None


def print_json(files: Sequence[FileReport], error: str | None = None) -> None:
    """One object on standard output.

    Args:
        files: One entry per file.
        error: Why the command could not do all that was asked.
    """
    entries = []
    for file in files:
        entry: dict[str, object] = {"path": file.path}
        if file.changed is not None:
            entry["changed"] = file.changed
        entry["diagnostics"] = [diagnostic.as_dict() for diagnostic in file.diagnostics]
        entries.append(entry)
    report: dict[str, object] = {"version": 1, "files": entries}
    if error is not None:
        report["error"] = error
    out(json.dumps(report) + "\n")


def print_text(files: Sequence[FileReport], to_stderr: bool = False) -> None:
    """One block per finding: place, severity, name and message, then what to do."""
    write = err if to_stderr else _line
    for file in files:
        for diagnostic in file.diagnostics:
            place = file.path
            if diagnostic.line is not None:
                place += f":{diagnostic.line}:{diagnostic.column}"
            write(f"{place}: {diagnostic.severity.value}[{diagnostic.name}]: {diagnostic.message}")
            if diagnostic.help:
                write(f"  help: {diagnostic.help}")


def _line(text: str) -> None:
    out(printable(text) + "\n")


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
