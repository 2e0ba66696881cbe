"""What skipcfg tells people about a file: severities, positions, and the shape of a report entry."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from skip_config.source import Source, Span


class Severity(str, Enum):
    """How much a diagnostic matters.

    `ERROR`: the runtime would refuse it, or a person has to decide. `WARNING`: it would run and
    disappoint. `NOTE`: worth knowing.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Fix(str, Enum):
    """What `skipcfg migrate` can do: `SAFE` keeps the behaviour, `UNSAFE` is the nearest thing."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Remark(NamedTuple):
    """Something to tell the user that has no place in a file yet: name, text, and what to do.

    `FILE` in the help stands for the name of the file that it turns out to be about.
    """

    name: str
    message: str
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding in one file.

    Args:
        name: What is wrong, in kebab-case; `skipcfg explain NAME` tells more.
        severity: See `Severity`.
        message: One sentence: the key, the value found, what is allowed.
        line, column, end_line, end_column: From 1, columns in characters; None when the finding
            concerns the whole file.
        key: The key in full, as an override would name it.
        help: What to type next.
        fix: Whether `skipcfg migrate` has a fix, and of which kind.
    """

    name: str
    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    key: str | None = None
    help: str | None = None
    fix: Fix | None = None

    def as_dict(self) -> dict[str, object]:
        """The diagnostic as `--format json` prints it."""
        return {
            "name": self.name,
            "severity": self.severity.value,
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "key": self.key,
            "help": self.help,
            "fix": self.fix.value if self.fix else None,
        }


def at(
    source: Source,
    span: Span | None,
    remark: Remark,
    severity: Severity,
    *,
    key: str | None = None,
    fix: Fix | None = None,
) -> Diagnostic:
    """Give a remark its place in a file."""
    if remark.help and "FILE" in remark.help:
        remark = remark._replace(help=remark.help.replace("FILE", shlex.quote(source.filename)))
    if span is None:
        return Diagnostic(remark.name, severity, remark.message, key=key, help=remark.help, fix=fix)
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return Diagnostic(remark.name, severity, remark.message, line, column, end_line, end_column, key, remark.help, fix)


def worst(diagnostics: Iterable[Diagnostic]) -> Severity | None:
    """The gravest severity among `diagnostics`, or None when there are none."""
    found = {diagnostic.severity for diagnostic in diagnostics}
    return next((severity for severity in Severity if severity in found), None)
