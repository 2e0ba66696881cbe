"""`skipcfg validate`: check configs, change nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from skip_config import files, formats
from skip_config.diagnostics import Diagnostic, Severity
from skip_config.files import Candidate, Found, PathError
from skip_config.source import BOM, Source
from skip_config.validate import WITHOUT_CHECK, validate_source
from skipcfg import next_command
from skipcfg.progress import counted_on_terminal
from skipcfg.reading import HEAD, decode, not_served, passed_over, without_unreadable
from skipcfg.report import FileReport, count, counted, grouped, quoted, refuse, show
from skipcfg.streams import err
from skipcfg.streams import name as on_one_line
from skipcfg.work import each

_ONLY_STDIN = "- stands for standard input, and goes with no other path: name files, or only -"


class Options(NamedTuple):
    """How to check, and what to tell.

    Args:
        output: A format of `skipcfg.report.show`.
        strict: Exit 1 for warnings too.
        quiet: Print the findings and nothing else.
        select: Only these diagnostics; all when empty.
        ignore: Not these.
        base: Whether verl's defaults lie under a file that names them.
        check_paths: Whether to look if dump directories can be written here.
        installed: Whether to ask the installed verl too.
        stdin_filename: Name of standard input.
        jobs: Number of processes.
        if_relevant: Pass over named files that mention nothing of interest.
    """

    output: str = "text"
    strict: bool = False
    quiet: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    base: bool = True
    check_paths: bool = False
    installed: bool = False
    stdin_filename: str | None = None
    jobs: int | None = None
    if_relevant: bool = False

    @property
    def flags(self) -> list[str]:
        """The options that say what is checked, and what counts."""
        flags = ["--strict"] if self.strict else []
        for option, names in (("--select", self.select), ("--ignore", self.ignore)):
            for name in names:
                flags += [option, name]
        flags += [] if self.base else ["--base", "none"]
        flags += ["--check-paths"] if self.check_paths else []
        return flags + (["--runtime", "installed"] if self.installed else [])


class Checked(NamedTuple):
    """What became of one file.

    Args:
        diagnostics: The findings.
        lines: The lines that they stand on.
        concerns: Its kind, when it could be read and mentions what the rules are about; else None.
    """

    diagnostics: tuple[Diagnostic, ...]
    lines: Mapping[int, str]
    concerns: str | None


class Asked(NamedTuple):
    """What was checked, as the user named it.

    Args:
        arguments: Files and folders, or overrides; empty for standard input.
        words: The options that name a config to compose.
        folder: Where its files are.
    """

    arguments: Sequence[str]
    words: tuple[str, ...] = ()
    folder: str | None = None


def validate(paths: Sequence[str], options: Options) -> int:
    """Check files and folders. Returns the exit code."""
    reports: list[FileReport] = []
    failures: list[str] = []
    concerned: set[str] = set()
    if "-" in paths:
        if list(paths) != ["-"]:
            return refuse(
                "- stands for standard input, and goes with no other path: name files, or only -", options.output
            )
        name = options.stdin_filename
        if name is None or formats.kind_of(name, "") is None:
            return refuse("for -, name the kind of file: --stdin-filename config.yaml", options.output)
        data = sys.stdin.buffer.read()
        found = validate_bytes(data, name, options)
        reports.append(FileReport(name, found, None, quoted(data, found)))
        concerned.add(_concerns(data, name) or "")
    else:
        try:
            files.check(paths)
            work = partial(validate_one, options=options)
            for done in counted_on_terminal(each(paths, work, options.jobs, options.if_relevant, files.may_be_checked)):
                if done.error is not None:
                    failures.append(str(done.error))
                elif isinstance(done.found, Found) and isinstance(done.result, Checked):
                    reports.append(FileReport(done.found.shown, done.result.diagnostics, None, done.result.lines))
                    concerned.add(done.result.concerns or "")
        except PathError as error:
            return refuse(str(error), options.output)
    named = [report.path for report in reports] if options.if_relevant else () if "-" in paths else paths
    return finish(grouped(reports), failures, options, Asked(named), concerned - {""})


def compose_and_validate(folder: str, name: str, overrides: Sequence[str], options: Options) -> int:
    """Compose a config with Hydra and check the result. Returns the exit code."""
    from skip_config.hydra_layers import compose

    if not os.path.isdir(folder):
        return refuse(f"--config-dir {folder}: no such folder; name the one that holds {name}", options.output)
    found = compose(folder, name, overrides)
    reports = []
    for path in dict.fromkeys(one.path for one in found):
        diagnostics = _wanted([one.diagnostic for one in found if one.path == path], options)
        try:
            with open(path, "rb") as file:
                lines = quoted(file.read(), diagnostics)
        except OSError:  # the command line, or a config inside a package
            lines = {}
        reports.append(FileReport(path, diagnostics, None, lines))
    words = ("--config-dir", folder, "--config-name", name)
    return finish(reports or [FileReport(name, ())], [], options, Asked(overrides, words, folder))


def validate_bytes(data: bytes, name: str, options: Options) -> tuple[Diagnostic, ...]:
    """Check the bytes of one file."""
    if b"\0" in data:
        place = data.removeprefix(BOM)[: data.removeprefix(BOM).index(0)].decode("utf-8", "replace")
        line, column = Source(place, name).position(len(place))
        message = "the file holds a NUL byte, so it is no text and was not checked"
        one = Diagnostic("binary-file", Severity.NOTE, message, line, column, line, column + 1)
        return _wanted([one], options)
    source = decode(data, name)
    if isinstance(source, Diagnostic):
        return _wanted([source], options)
    found = validate_source(source, base=options.base)
    if options.check_paths or options.installed:
        from skip_config.beyond_text import ask_installed, check_paths

        found += check_paths(source) if options.check_paths else []
        found += ask_installed(source, found) if options.installed else []
    return _wanted(found, options)


def _wanted(found: Sequence[Diagnostic], options: Options) -> tuple[Diagnostic, ...]:
    return tuple(
        one for one in found if (not options.select or one.name in options.select) and one.name not in options.ignore
    )


def validate_one(candidate: Candidate, options: Options) -> Checked | None:
    """Check one file; a binary file that nobody named is passed over."""
    found, data = candidate
    if b"\0" in data and not found.named:
        return None
    if b"\0" not in data and formats.kind_of(found.shown, data[:HEAD].decode("utf-8", "replace")) is None:
        if not found.named:
            return None
        return Checked(_wanted([not_served("a kind of file that skipcfg does not read")], options), {}, None)
    diagnostics = validate_bytes(data, found.shown, options)
    if not found.named and not files.holds_old_key(data):
        diagnostics = without_unreadable(diagnostics)
    return Checked(diagnostics, quoted(data, diagnostics), _concerns(data, found.shown))


def _concerns(data: bytes, name: str) -> str | None:
    if b"\0" in data or not files.may_be_checked(data, name):
        return None
    return formats.kind_of(name, data[:HEAD].decode("utf-8", "replace"))


def finish(
    reports: Sequence[FileReport],
    failures: Sequence[str],
    options: Options,
    asked: Asked,
    concerned: Collection[str] = ("yaml",),
) -> int:
    """Print the findings and the summary. Returns the exit code.

    Args:
        reports: One entry per file.
        failures: Why files could not be read.
        options: What to tell.
        asked: What the user named.
        concerned: The kinds of the files that mention what the rules are about.
    """
    show(reports, options.output, "; ".join(failures) or None)
    for failure in failures:
        err(f"error: {on_one_line(failure)}")
    errors, warnings = count(reports, Severity.ERROR), count(reports, Severity.WARNING)
    if not options.quiet:
        number = sum(not passed_over(report.diagnostics) for report in reports)
        err(f"{counted(number, 'file')} checked: {counted(errors, 'error')}, {counted(warnings, 'warning')}.")
        if number:
            err(_not_checked(options, concerned))
        err(_next_step(reports, failures, errors + warnings, bool(concerned), options, asked))
    if failures:
        return 2
    return 1 if errors or (options.strict and warnings) else 0


def _next_step(
    reports: Sequence[FileReport],
    failures: Sequence[str],
    findings: int,
    concerned: bool,
    options: Options,
    asked: Asked,
) -> str:
    if any(one.name == "old-setting" for report in reports for one in report.diagnostics):
        paths = asked.arguments if asked.folder is None else [asked.folder]
        return f"Next: to see what would move: {next_command.command('skipcfg migrate --diff', (), paths)}"
    again = next_command.command("skipcfg validate", (*options.flags, *asked.words), asked.arguments)
    if findings:
        return f"Next: mend what is listed above, then: {again}"
    if failures:
        return f"Next: mend what the errors above name, then: {again}"
    if not concerned:
        return "Next: name the config or script that verl is launched with; nothing here mentions rollout skip."
    return "Next: launch; verl 0.9 takes these settings as they are."


_KINDS = {"python": "Python", "json": "JSON", "powershell": "PowerShell", "cmd": "cmd", "notebook": "notebook"}


def _not_checked(options: Options, concerned: Collection[str]) -> str:
    """What the verdict does not cover, and how it can."""
    left = [] if options.base else ["verl's defaults below the files"]
    left += [] if options.check_paths else ["dump directories (--check-paths)"]
    left += [] if options.installed else ["the installed verl (--runtime installed)"]
    kinds = [_KINDS[kind] for kind in WITHOUT_CHECK if kind in concerned]
    left += [f"new settings in {', '.join(kinds)} files"] if kinds else []
    return f"Not checked: {', '.join(left)}." if left else "Everything that skipcfg can check was checked."
