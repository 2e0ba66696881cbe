"""Shell scripts: overrides of old settings, wherever they stand, become overrides of the new ones."""

from __future__ import annotations

from collections.abc import Sequence

from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at, worst
from skip_config.formats import Draft, Request
from skip_config.formats.layout import SHELL_CONTINUATION, Replacement, lay_out
from skip_config.formats.override_plan import Plan, plan
from skip_config.formats.overrides import recognise
from skip_config.formats.shell.comments import comment_edits
from skip_config.formats.shell.reach import Reached, launches
from skip_config.formats.shell.read import read
from skip_config.formats.shell.remarks import bystanders, mentions_old_settings
from skip_config.formats.shell.script import Script
from skip_config.formats.shell.verify import differences
from skip_config.formats.shell.words import Token
from skip_config.formats.shell.write import NotWritableError, words_for
from skip_config.releases import MANAGER, dotted
from skip_config.source import Edit, Source, Span


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a shell script.

    Either every old override of the script is replaced, or, when one of them needs a decision, none.
    """
    if not mentions_old_settings(source.text):
        return Draft()
    script = read(source)
    tokens = {atom.token.place: atom.token for atom in script.atoms() if atom.token}
    reached = launches(script)
    decided = plan([one.launch for one in reached], request)
    diagnostics = [
        at(source, _span(tokens[place]), finding.remark, finding.severity, key=tokens[place].key, fix=finding.fix)
        for place, finding in decided.findings
    ]
    diagnostics += bystanders(source, script, tokens)
    edits: list[Edit] = []
    if worst(diagnostics) is not Severity.ERROR:
        try:
            edits = _edits(source, script, tokens, decided)
        except NotWritableError as error:
            token = tokens[error.place]
            diagnostics.append(at(source, _span(token), error.remark, Severity.ERROR, key=token.key))
    commented, notes = comment_edits(source, script, request)
    diagnostics += notes
    if worst(diagnostics) is Severity.ERROR:
        return Draft(diagnostics=tuple(_sorted(diagnostics)))
    if edits:
        diagnostics += _summary(source, tokens, reached, decided)

    def verify(result: Source) -> Sequence[str]:
        return differences(script, reached, decided, read(result))

    return Draft((*edits, *commented), tuple(_sorted(diagnostics)), verify)


def _sorted(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda one: (one.line or 0, one.column or 0))


def _span(token: Token) -> Span:
    return token.view.span(token.start, token.end)


def _edits(source: Source, script: Script, tokens: dict[int, Token], decided: Plan) -> list[Edit]:
    plain = _plain_scalars(script)
    loose = _loose_places(script)
    replacements = []
    for place, settings in decided.replacements.items():
        token = tokens[place]
        words = words_for(source, script, tokens, token, settings, place in plain)
        if place in plain and len(words) > 1:
            words = [f'"{" ".join(words)}"']
        if len(settings) != 1:
            _check_quoted_uses(script, token, len(settings))
        replacements.append(Replacement(_span(token), words, place in loose or token.view.words))
    edits = lay_out(source, replacements, SHELL_CONTINUATION)
    for place in decided.plain:
        token = tokens[place]
        start = source.text.index(token.prefix, place)
        edits.append(Edit(Span(start, start + len(token.prefix)), ""))
    return edits


def _plain_scalars(script: Script) -> set[int]:
    """Places of overrides that are the whole value of a variable, without quotes."""
    return {
        atom.token.place
        for definitions in script.definitions.values()
        for definition in definitions
        if definition.scalar
        for atom in definition.atoms
        if atom.token and not atom.token.view.words
    }


def _loose_places(script: Script) -> set[int]:
    """Places of array elements: the end of a line separates them."""
    return {
        atom.token.place
        for definitions in script.definitions.values()
        for definition in definitions
        if not definition.scalar and definition.name != "@"
        for atom in definition.atoms
        if atom.token
    }


def _check_quoted_uses(script: Script, token: Token, count: int) -> None:
    """One word in a variable may become several only where the variable is not used as one word.

    Raises:
        NotWritableError: It is.
    """
    holders = {
        definition.name
        for definitions in script.definitions.values()
        for definition in definitions
        if definition.scalar and any(atom.token and atom.token.place == token.place for atom in definition.atoms)
    }
    for command in script.commands:
        if command.name in ("eval", "bash", "sh", "ssh", "sbatch"):
            continue
        for atom in command.atoms:
            if atom.kind == "variable" and atom.quoted and atom.text in holders:
                remark = Remark(
                    "variable-used-as-one-word",
                    f'"${atom.text}" hands its text to {command.name} as one argument, and {token.key} '
                    f"becomes {count} settings",
                    f"make {atom.text} an array, or use it without quotes, then run skipcfg migrate again",
                )
                raise NotWritableError(remark, token.place)


def _summary(source: Source, tokens: dict[int, Token], reached: list[Reached], decided: Plan) -> list[Diagnostic]:
    """One note for each command whose settings moved."""
    told: set[int] = set()
    notes = []
    for one in reached:
        places = sorted({o.place for path in one.launch.paths for o in path if o.place in decided.replacements} - told)
        told |= set(places)
        if not places:
            continue
        settings = [new for place in places for new in decided.replacements[place]]
        roles = list(dict.fromkeys(f"{dotted(MANAGER.place)}.{new.role}" for new in settings))
        keys = list(dict.fromkeys(tokens[place].key for place in places))
        text = f"{', '.join(keys)}: moved to {' and '.join(roles)}" if roles else f"{', '.join(keys)}: removed"
        hint = None
        if one.invisible:
            hint = "arguments that come from outside this script, as through \"$@\", are not seen here: check its callers"
        token = tokens[places[0]]
        notes.append(at(source, _span(token), Remark("old-setting", text, hint), Severity.NOTE, key=token.key, fix=Fix.SAFE))
    return notes


__all__ = ["migrate", "recognise"]
