"""SARIF 2.1.0, for code scanning.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from skip_config import __version__
from skip_config.diagnostics import Diagnostic, Severity
from skip_config.rules import registry
from skipcfg.report import FileReport

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(files: Sequence[FileReport], error: str | None) -> str:
    """The log of one run; the rules are those that found something."""
    names = sorted({one.name for file in files for one in file.diagnostics})
    invocation: dict[str, object] = {"executionSuccessful": error is None}
    if error is not None:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": error}}]
    run = {
        "tool": {"driver": {"name": "skipcfg", "version": __version__, "rules": [_rule(name) for name in names]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(file.path, one, names) for file in files for one in file.diagnostics],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(name: str) -> dict[str, object]:
    rule = registry()[name]
    return {
        "id": name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.mend},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(path: str, one: Diagnostic, names: Sequence[str]) -> dict[str, object]:
    location: dict[str, object] = {"artifactLocation": {"uri": _uri(path)}}
    if one.line is not None:
        location["region"] = {
            "startLine": one.line,
            "startColumn": one.column,
            "endLine": one.end_line,
            "endColumn": one.end_column,
        }
    return {
        "ruleId": one.name,
        "ruleIndex": names.index(one.name),
        "level": _LEVELS[one.severity],
        "message": {"text": f"{one.message}\n{one.help}" if one.help else one.message},
        "locations": [{"physicalLocation": location}],
    }


def _uri(path: str) -> str:
    """A relative reference where that is possible, so that code scanning finds the file."""
    if os.path.isabs(path):
        return PurePath(path).as_uri()
    return quote(os.fsencode(path.replace(os.sep, "/")))
