"""Migrate the text of one file: find, translate, rewrite, and prove the result before anyone gets it."""

from __future__ import annotations

from dataclasses import dataclass

from skip_config import formats
from skip_config.collector import paused
from skip_config.diagnostics import Diagnostic, Severity
from skip_config.readable import TOO_DEEP, why_not_read
from skip_config.request import Request, RoleRequest
from skip_config.source import OverlappingEditsError, Source, apply
from skip_config.territory import left_alone


@dataclass(frozen=True, slots=True)
class Migration:
    """The outcome for one file.

    Args:
        source: The file as it was.
        text: Its text afterwards; the same object as `source.text` when nothing changes.
        diagnostics: What to tell.
    """

    source: Source
    text: str
    diagnostics: tuple[Diagnostic, ...]

    @property
    def changed(self) -> bool:
        """Whether the text differs from the file's."""
        return self.text != self.source.text

    @property
    def result(self) -> Source:
        """The file afterwards."""
        return self.source.with_text(self.text)


def migrate_text(
    text: str,
    *,
    filename: str,
    role: RoleRequest = "auto",
    total_steps: int | None = None,
    unsafe: bool = False,
) -> Migration:
    """Move old rollout-skip settings in one file's text to where verl 0.9 has them.

    Args:
        text: The whole text, with its own line endings; a leading U+FEFF is kept.
        filename: Name of the file, which tells its kind and its role; it need not exist.
        role: `auto`, `rollout`, `rollout_tq`, `both` or `async_rollout`.
        total_steps: Number of training steps, for settings that meant every step.
        unsafe: Apply the nearest setting where no exact one exists.

    Returns:
        A `Migration`: `.text`, `.changed`, `.diagnostics`. Nothing in the text makes it raise.
    """
    bom = text.startswith("\ufeff")
    source = Source(text[1:] if bom else text, filename, bom)
    migration = migrate_source(source, Request(role, total_steps, unsafe))
    if bom:
        return Migration(Source(text, filename), "\ufeff" + migration.text, migration.diagnostics)
    return migration


def migrate_source(source: Source, request: Request) -> Migration:
    """Migrate one file. The result is verified; if that fails, the file stays as it was."""
    kind = formats.kind_of(source.filename, source.text)
    if kind is None:
        return Migration(source, source.text, ())
    wrong = why_not_read(kind, source.text)
    if wrong is not None:
        return Migration(source, source.text, (wrong,))
    try:
        with paused():
            return _migrated(kind, source, request)
    except RecursionError:
        return Migration(source, source.text, (TOO_DEEP,))


def _migrated(kind: str, source: Source, request: Request) -> Migration:
    draft = formats.migrate(kind, source, request)
    exempt = left_alone(source.filename, request.include)
    if exempt:
        concerned = draft.edits or draft.diagnostics
        return Migration(source, source.text, (exempt,) if concerned else ())
    if not draft.edits:
        return Migration(source, source.text, _of_a_file_left_alone(draft.diagnostics))
    text = source.text
    try:
        text = apply(source.text, draft.edits)
        wrong = list(draft.verify(source.with_text(text)))
    except OverlappingEditsError as error:
        wrong = [f"overlapping edits: {error}"]
    if wrong:
        return Migration(source, source.text, (draft.doubt or _our_bug(wrong),))
    return Migration(source, text, draft.diagnostics)


def _of_a_file_left_alone(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Where a person has to decide first, notes would tell of what is not done."""
    if not any(one.severity is Severity.ERROR for one in diagnostics):
        return diagnostics
    return tuple(one for one in diagnostics if one.severity is not Severity.NOTE)


def _our_bug(wrong: list[str]) -> Diagnostic:
    return Diagnostic(
        "result-not-verified",
        Severity.ERROR,
        f"left alone, because the migrated text did not pass skipcfg's own check: {'; '.join(wrong)}",
        help="this is a bug of skipcfg; please report it with the file",
    )
