"""One JSON object for the whole run."""

from __future__ import annotations

import json
from collections.abc import Sequence

from skipcfg.report import FileReport


def render(files: Sequence[FileReport], error: str | None) -> str:
    """The object; its shape is version 1 of the JSON report."""
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
    return json.dumps(report) + "\n"
