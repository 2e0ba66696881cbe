"""Annotations of GitHub Actions: workflow commands that mark the line in a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Sequence

from skip_config.diagnostics import Diagnostic, Severity
from skipcfg.report import FileReport
from skipcfg.streams import printable

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(files: Sequence[FileReport], error: str | None) -> str:
    """One command per finding, and one for what could not be done."""
    failed = f"::error title=skipcfg::{_data(error)}\n" if error else ""
    return "".join(_annotation(file.path, one) for file in files for one in file.diagnostics) + failed


def _annotation(path: str, one: Diagnostic) -> str:
    properties = {"file": path, "title": f"skipcfg: {one.name}"}
    if one.line is not None:
        properties |= {"line": str(one.line), "endLine": str(one.end_line)}
        if one.line == one.end_line:  # GitHub ignores columns of a range of lines
            properties |= {"col": str(one.column), "endColumn": str(one.end_column)}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = f"{one.message}\nhelp: {one.help}" if one.help else one.message
    return f"::{_COMMANDS[one.severity]} {listed}::{_data(text)}\n"


def _data(text: str) -> str:
    text = "".join(c if c in "\r\n" else printable(c) for c in text)  # the log is shown on terminals too
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
