"""`skipcfg migrate`: rewrite files, or show what would be rewritten."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from skip_config import files, formats
from skip_config.diagnostics import Diagnostic, Severity
from skip_config.files import Candidate, NestedRepository, PathError
from skip_config.migrate import Migration, migrate_source
from skip_config.request import Request
from skipcfg import next_command
from skipcfg.diff import unified
from skipcfg.progress import counted_on_terminal
from skipcfg.reading import HEAD, UNREADABLE, decode, not_served, passed_over, without_unreadable
from skipcfg.report import STRUCTURED, FileReport, count, counted, grouped, quoted, refuse, show
from skipcfg.streams import err, out, out_bytes
from skipcfg.streams import name as on_one_line
from skipcfg.work import each

_ONLY_STDIN = "- stands for standard input, and goes with no other path: name files, or only -"


class Options(NamedTuple):
    """What to do with the result.

    Args:
        diff: Print a unified diff instead of writing.
        check: Write nothing, and let the exit code say whether anything would change.
        stdin_filename: Name of standard input.
        output: A format of `skipcfg.report.show`.
        jobs: Number of processes; None for as many as help.
        if_relevant: Pass over named files that mention nothing of interest.
    """

    diff: bool
    check: bool
    stdin_filename: str | None
    output: str
    jobs: int | None = None
    if_relevant: bool = False


class Outcome(NamedTuple):
    """What became of one file.

    Args:
        diagnostics: What to tell.
        changed: Whether it was rewritten or would be.
        diff: The difference, when it was asked for.
        failure: Why it could not be written.
        lines: The lines that the findings stand on.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    changed: bool = False
    diff: str = ""
    failure: str | None = None
    lines: Mapping[int, str] = {}


def migrate(paths: Sequence[str], request: Request, options: Options) -> int:
    """Migrate files and folders. Returns the exit code."""
    if "-" in paths:
        if list(paths) != ["-"]:
            return refuse(
                "- stands for standard input, and goes with no other path: name files, or only -", options.output
            )
        return _filter(request, options)
    try:
        files.check(paths)
        return _all(paths, request, options)
    except PathError as error:
        return refuse(str(error), options.output)


def _all(paths: Sequence[str], request: Request, options: Options) -> int:
    reports: list[FileReport] = []
    failures: list[str] = []
    diffs: list[str] = []
    work = partial(migrate_one, request=request, options=options)
    for done in counted_on_terminal(each(paths, work, options.jobs, options.if_relevant)):
        if done.error is not None:
            failures.append(str(done.error))
        elif isinstance(done.found, NestedRepository):
            reports += _nested(done.found, request)
        elif done.found is not None and isinstance(done.result, Outcome):
            outcome = done.result
            failures += [outcome.failure] if outcome.failure else []
            diffs.append(outcome.diff)
            if done.found.named or outcome.changed or outcome.diagnostics:
                reports.append(FileReport(done.found.shown, outcome.diagnostics, outcome.changed, outcome.lines))
    named = [report.path for report in reports] if options.if_relevant else paths
    return _finish(grouped(reports), failures, diffs, options, _Asked(named, request))


class _Asked(NamedTuple):
    """What the user named and asked."""

    paths: Sequence[str]
    request: Request


def _nested(repository: NestedRepository, request: Request) -> list[FileReport]:
    holding = [
        step.found.shown
        for step in files.candidates([str(repository.path)])
        if isinstance(step, Candidate) and files.holds_old_key(step.data)
    ]
    if not holding:
        return []
    note = Diagnostic(
        "nested-repository",
        Severity.NOTE,
        f"a repository of its own, in which {counted(len(holding), 'file mentions', 'files mention')} old settings; "
        "left alone",
        help=next_command.migrate(request, [repository.shown]),
    )
    return [FileReport(repository.shown, (note,), False)]


def migrate_one(candidate: Candidate, request: Request, options: Options) -> Outcome:
    """Migrate one file, and write it unless the options say not to."""
    found, data = candidate
    if b"\0" in data:
        return Outcome((not_served("a binary file"),) if found.named else ())
    if found.named and formats.kind_of(found.shown, data[:HEAD].decode("utf-8", "replace")) is None:
        return Outcome((not_served("a kind of file that skipcfg does not read"),))
    migration, diagnostics = migrate_bytes(data, found.shown, request)
    if not found.named and not files.holds_old_key(data):
        diagnostics = without_unreadable(diagnostics)
    if migration is not None:
        diagnostics = _with_old_dumps(migration, diagnostics)
    diagnostics = next_command.with_flags(diagnostics, request)
    lines = quoted(data, diagnostics)
    if migration is None or not migration.changed:
        return Outcome(diagnostics, lines=lines)
    if options.diff:
        return Outcome(diagnostics, True, _diff(found.shown, migration), lines=lines)
    if not options.check:
        try:
            links = files.write(found, data, migration.result.encode())
        except PathError as error:
            return Outcome(diagnostics, False, failure=str(error), lines=lines)
        if links:
            diagnostics = (*diagnostics, _hard_links(links))
    return Outcome(diagnostics, True, lines=lines)


def _with_old_dumps(migration: Migration, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Point to the dumps that the old settings made, when they are on this machine."""
    if not migration.changed and not any(one.severity is Severity.ERROR for one in diagnostics):
        return diagnostics
    from skip_config.rollout_cache.notice import old_dumps_note

    note = old_dumps_note(migration.source)
    return diagnostics if note is None else (*diagnostics, note)


def _hard_links(number: int) -> Diagnostic:
    return Diagnostic(
        "hard-link",
        Severity.WARNING,
        f"the file has {counted(number, 'other name')} (hard links), which still {'hold' if number > 1 else 'holds'} "
        "the old content",
        help="copy the file over them, or run skipcfg migrate on them too",
    )


def migrate_bytes(data: bytes, name: str, request: Request) -> tuple[Migration | None, tuple[Diagnostic, ...]]:
    """Migrate the bytes of one file; the migration is None when they are not UTF-8."""
    source = decode(data, name)
    if isinstance(source, Diagnostic):
        return None, (source,)
    migration = migrate_source(source, request)
    return migration, migration.diagnostics


def _diff(shown: str, migration: Migration) -> str:
    mark = "\ufeff" if migration.source.bom else ""
    return unified(shown, mark + migration.source.text, mark + migration.text)


def _filter(request: Request, options: Options) -> int:
    name = options.stdin_filename
    if name is None or formats.kind_of(name, "") is None:
        return refuse("for -, name the kind of file: --stdin-filename config.yaml", options.output)
    data = sys.stdin.buffer.read()
    migration, diagnostics = migrate_bytes(data, name, request)
    diagnostics = next_command.with_flags(diagnostics, request)
    changed = migration is not None and migration.changed
    report = FileReport(name, diagnostics, changed, quoted(data, diagnostics))
    structured = options.output in STRUCTURED
    show([report], options.output, to_stderr=not structured)
    if not structured:
        if options.diff:
            out(_diff(name, migration) if migration is not None and changed else "")
        elif not options.check:
            out_bytes(data if migration is None else migration.result.encode())
    return _exit_code([report], [], options)


def _finish(
    reports: Sequence[FileReport], failures: Sequence[str], diffs: Sequence[str], options: Options, asked: _Asked
) -> int:
    structured = options.output in STRUCTURED
    show(reports, options.output, "; ".join(failures) or None, to_stderr=options.diff and not structured)
    if options.diff and not structured:
        out("".join(diffs))
    for failure in failures:
        err(f"error: {on_one_line(failure)}")
    code = _exit_code(reports, failures, options)
    _summary(reports, failures, options, asked)
    return code


def _exit_code(reports: Sequence[FileReport], failures: Sequence[str], options: Options) -> int:
    if failures:
        return 2
    would_change = options.check and any(report.changed for report in reports)
    return 1 if would_change or count(reports, Severity.ERROR) else 0


def _summary(reports: Sequence[FileReport], failures: Sequence[str], options: Options, asked: _Asked) -> None:
    validate = next_command.command("skipcfg validate", (), asked.paths)
    if not reports and not failures:
        err("Nothing to migrate: no file here holds old rollout-skip settings.")
        err(f"Next: to check the new ones: {validate}")
        return
    err(_counts(reports, failures, options))
    again = next_command.migrate(asked.request, asked.paths)
    if failures:
        err(f"Next: mend what the errors above name, then: {again}")
    elif all(passed_over(report.diagnostics) for report in reports):
        err("Next: name a config, a script or code; nothing was looked at.")
    elif any(_undecided(report) or _unreadable(report) for report in reports):
        err(f"Next: follow the help of each error above, then: {again}")
    elif not any(report.changed for report in reports) and count(reports, Severity.WARNING):
        err(f"Next: see to the warnings above by hand, then: {validate}")
    elif not any(report.changed for report in reports):
        err(f"Nothing to migrate. Next: to check the new settings: {validate}")
    elif options.diff or options.check:
        err(f"Next: to write it: {again}")
    else:
        err(f"Next: read the diff of your version control, then: {validate}")


def _counts(reports: Sequence[FileReport], failures: Sequence[str], options: Options) -> str:
    changed = sum(bool(report.changed) for report in reports)
    undecided = sum(_undecided(report) for report in reports)
    unreadable = sum(_unreadable(report) for report in reports)
    parts = [f"{counted(changed, 'file')} {'would be migrated' if options.diff or options.check else 'migrated'}"]
    if undecided:
        parts.append(f"{counted(undecided, 'file needs', 'files need')} a decision")
    if unreadable:
        parts.append(f"{counted(unreadable, 'file')} cannot be parsed")
    if failures:
        parts.append(f"{counted(len(failures), 'file')} could not be read or written")
    return ", ".join(parts) + "."


def _unreadable(report: FileReport) -> bool:
    return any(one.name in UNREADABLE for one in report.diagnostics)


def _undecided(report: FileReport) -> bool:
    return not _unreadable(report) and any(one.severity is Severity.ERROR for one in report.diagnostics)
