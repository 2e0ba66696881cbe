"""`skipcfg validate`: check configs, change nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from skip_config import files, formats
from skip_config.diagnostics import Diagnostic, Severity
from skip_config.files import Candidate, Found, PathError
from skip_config.validate import validate_source
from skipcfg.reading import decode, without_unreadable
from skipcfg.report import FileReport, count, counted, print_json, print_text
from skipcfg.streams import err, fail
from skipcfg.work import each


def validate(
    paths: Sequence[str], strict: bool, stdin_filename: str | None, output: str, jobs: int | None = None
) -> int:
    """Check files and folders. Returns the exit code."""
    as_json = output == "json"
    reports: list[FileReport] = []
    failures: list[str] = []
    if "-" in paths:
        if list(paths) != ["-"]:
            return fail("- stands for standard input, and goes with no other path", as_json)
        if stdin_filename is None or formats.kind_of(stdin_filename, "") is None:
            return fail("for -, name the kind of file: --stdin-filename config.yaml", as_json)
        reports.append(FileReport(stdin_filename, validate_bytes(sys.stdin.buffer.read(), stdin_filename)))
    else:
        try:
            files.check(paths)
            for done in each(paths, validate_one, jobs):
                if done.error is not None:
                    failures.append(str(done.error))
                elif isinstance(done.found, Found) and isinstance(done.result, tuple):
                    reports.append(FileReport(done.found.shown, done.result))
        except PathError as error:
            return fail(str(error), as_json)
    if as_json:
        print_json(reports, "; ".join(failures) or None)
    else:
        print_text(reports)
    for failure in failures:
        err(f"error: {failure}")
    return _finish(reports, failures, strict)


def validate_bytes(data: bytes, name: str) -> tuple[Diagnostic, ...]:
    """Check the bytes of one file."""
    source = decode(data, name)
    return (source,) if isinstance(source, Diagnostic) else tuple(validate_source(source))


def validate_one(candidate: Candidate) -> tuple[Diagnostic, ...]:
    """Check one file; a binary file has nothing to say."""
    found, data = candidate
    if b"\0" in data:
        return ()
    diagnostics = validate_bytes(data, found.shown)
    return diagnostics if found.named or files.holds_old_key(data) else without_unreadable(diagnostics)


def _finish(reports: Sequence[FileReport], failures: Sequence[str], strict: bool) -> int:
    errors, warnings = count(reports, Severity.ERROR), count(reports, Severity.WARNING)
    err(f"{counted(len(reports), 'file')} checked: {counted(errors, 'error')}, {counted(warnings, 'warning')}.")
    old = any(one.name == "old-setting" for report in reports for one in report.diagnostics)
    if old:
        err("Next: skipcfg migrate --diff on the same paths shows what would move.")
    elif errors or warnings:
        err("Next: mend what is listed above, and run skipcfg validate again.")
    else:
        err("Next: launch; verl 0.9 takes these settings as they are.")
    if failures:
        return 2
    return 1 if errors or (strict and warnings) else 0
