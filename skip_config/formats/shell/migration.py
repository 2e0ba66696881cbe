"""The migration of a script, whatever shell it is for: read, decide, write, and prove."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at, worst
from skip_config.formats import Draft
from skip_config.formats.layout import Replacement, lay_out
from skip_config.formats.moved import moved
from skip_config.formats.override_plan import NewOverride, Plan, plan
from skip_config.formats.overrides import recognise
from skip_config.formats.shell.reach import MOST_WORDS, Reached, TooManyWordsError, launches
from skip_config.formats.shell.script import Script
from skip_config.formats.shell.verify import differences
from skip_config.formats.shell.words import Token
from skip_config.request import Request
from skip_config.source import Edit, Source, Span

_CALLERS = 'what comes from outside this script, as through "$@", is not seen here: check its callers too'


class NotWritableError(Exception):
    """Settings cannot be written at a place without changing what the script does.

    Args:
        remark: What to tell.
        place: Of the override that it is about.
    """

    def __init__(self, remark: Remark, place: int) -> None:
        super().__init__(remark.message)
        self.remark = remark
        self.place = place


class Place(NamedTuple):
    """An old override in its script, for what is written in its stead.

    Args:
        source, script: The file.
        tokens: All its overrides by place.
        token: The old one.
    """

    source: Source
    script: Script
    tokens: Mapping[int, Token]
    token: Token


class Dialect(NamedTuple):
    """What differs from shell to shell.

    Args:
        read: Reads a file.
        write: Makes the replacement of one old override; raises `NotWritableError`.
        continuation: Matches the end of a line that goes on.
        beside: Edits on comments, and findings that no override has.
    """

    read: Callable[[Source], Script]
    write: Callable[[Place, tuple[NewOverride, ...]], Replacement]
    continuation: re.Pattern[str]
    beside: Callable[[Source, Script, Mapping[int, Token], Request], tuple[list[Edit], list[Diagnostic]]]


def migrate_script(source: Source, request: Request, dialect: Dialect) -> Draft:
    """Propose edits: either every old override is replaced or, when one of them needs a decision, none."""
    script = dialect.read(source)
    tokens = {atom.token.place: atom.token for atom in script.atoms() if atom.token}
    try:
        reached = launches(script)
    except TooManyWordsError as error:
        return Draft(diagnostics=too_many_words(source, script, error))
    decided = plan([one.launch for one in reached], request)
    diagnostics = [
        at(source, token_span(tokens[place]), finding.remark, finding.severity, key=tokens[place].key, fix=finding.fix)
        for place, finding in decided.findings
    ]
    beside, found = dialect.beside(source, script, tokens, request)
    diagnostics += found
    if script.unclosed and (decided.replacements or worst(diagnostics) is Severity.ERROR):
        return Draft(diagnostics=(at(source, min(script.unclosed), _UNCLOSED, Severity.ERROR),))
    edits: list[Edit] = []
    if worst(diagnostics) is not Severity.ERROR:
        try:
            edits = _edits(source, script, tokens, decided, dialect)
        except NotWritableError as error:
            token = tokens[error.place]
            diagnostics.append(at(source, token_span(token), error.remark, Severity.ERROR, key=token.key))
    if worst(diagnostics) is Severity.ERROR:
        return Draft(diagnostics=_sorted(diagnostics))
    diagnostics += _summary(source, tokens, reached, decided)

    def verify(result: Source) -> Sequence[str]:
        return differences(script, reached, decided, dialect.read(result))

    return Draft((*edits, *beside), _sorted(diagnostics), verify, _doubt(source, script))


_UNCLOSED: Final = Remark(
    "script-not-readable",
    "a quote is opened here and never closed, so what a command gets cannot be told",
    "close it, then run skipcfg migrate again",
)


def _doubt(source: Source, script: Script) -> Diagnostic | None:
    """What cannot be read in a script: where it is broken, nobody can tell what a change would do."""
    if not script.flaws:
        return None
    remark = Remark(
        "script-not-readable",
        "the script cannot be read from here on, so what a command of it gets cannot be told, and the old settings "
        "are left alone",
        "see whether every quote, bracket and line that goes on ends as it should (for bash, bash -n tells), then run "
        "skipcfg migrate again, or move the settings by hand",
    )
    return at(source, min(script.flaws), remark, Severity.ERROR)


def too_many_words(source: Source, script: Script, error: TooManyWordsError) -> tuple[Diagnostic, ...]:
    """The finding for a script with old or new settings whose variables stand for more than anyone can follow."""
    if not any(atom.token and recognise(atom.token.key) for atom in script.atoms()):
        return ()
    remark = Remark(
        "override-not-followed",
        f"the variables of this command stand for more than {MOST_WORDS:,} words, so what it gets is not looked at",
        "write the command with fewer variables, then run skipcfg again, or move its settings by hand",
    )
    return (at(source, Span(error.at, error.at), remark, Severity.ERROR),)


def token_span(token: Token) -> Span:
    """Where an override stands in the file."""
    return token.view.span(token.start, token.end)


def _sorted(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda one: (one.line or 0, one.column or 0)))


def _edits(source: Source, script: Script, tokens: Mapping[int, Token], decided: Plan, dialect: Dialect) -> list[Edit]:
    replacements = [
        dialect.write(Place(source, script, tokens, tokens[place]), settings)
        for place, settings in decided.replacements.items()
    ]
    edits = lay_out(source, replacements, dialect.continuation)
    for place in decided.plain:
        prefix = tokens[place].prefix
        start = source.text.index(prefix, place)
        edits.append(Edit(Span(start, start + len(prefix)), ""))
    return edits


def _summary(
    source: Source, tokens: Mapping[int, Token], reached: Sequence[Reached], decided: Plan
) -> list[Diagnostic]:
    """One note for each command whose settings moved, and for each prefix that went."""
    told: set[int] = set()
    notes = [_dropped(source, tokens[place]) for place in sorted(decided.plain)]
    for one in reached:
        places = sorted({o.place for path in one.launch.paths for o in path if o.place in decided.replacements} - told)
        told |= set(places)
        if not places:
            continue
        settings = [new for place in places for new in decided.replacements[place]]
        roles = list(dict.fromkeys(new.role for new in settings))
        remark = moved((tokens[place].key for place in places), roles)
        if one.invisible:
            remark = remark._replace(help=_CALLERS)
        first = tokens[places[0]]
        notes.append(at(source, token_span(first), remark, Severity.NOTE, key=first.key, fix=Fix.SAFE))
    return notes


def _dropped(source: Source, token: Token) -> Diagnostic:
    text = (
        f"{token.prefix}{token.key}: the {token.prefix} is dropped, because the fully asynchronous config has this key"
    )
    remark = Remark("prefix-on-existing-key", text)
    return at(source, token_span(token), remark, Severity.NOTE, key=token.key, fix=Fix.SAFE)
