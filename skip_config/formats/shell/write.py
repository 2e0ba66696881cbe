"""Write new overrides in the place of old ones: quoting, lists, and counts that only the shell knows."""

from __future__ import annotations

import re
from typing import Final

from skip_config.diagnostics import Remark
from skip_config.formats.layout import PLAIN_CONTINUATION, Replacement
from skip_config.formats.override_plan import NewOverride
from skip_config.formats.overrides import recognise
from skip_config.formats.shell.migration import NotWritableError, Place, token_span
from skip_config.formats.shell.programs import EVALUATORS
from skip_config.formats.shell.script import Script
from skip_config.formats.shell.words import Token
from skip_config.numbers import whole
from skip_config.source import Source
from skip_config.translate import KEPT, LONGEST_LIST, Through

_LONGEST_LIST: Final = 16
"""A longer list of steps is left to `seq`."""

_LONGEST_QUOTED_LIST: Final = 1000
"""In single quotes, where `seq` does not run, a list is written out up to here."""

_NAMES: Final = re.compile(r"\$\{?[#!]?(\w+|[@*?$!-])", re.ASCII)


def write(place: Place, settings: tuple[NewOverride, ...]) -> Replacement:
    """What stands in the place of one old override.

    Raises:
        NotWritableError: It cannot stand there.
    """
    token = place.token
    holders = place.script.holders_of(token.place)
    scalar = any(holder.scalar for holder in holders)
    loose = token.view.words or any(not holder.scalar and holder.name != "@" for holder in holders)
    if len(settings) != 1 and any(holder.element for holder in holders):
        becomes = f"becomes {len(settings)} settings" if settings else "has no counterpart"
        remark = Remark(
            "variable-used-as-one-word",
            f"{token.key} is one element of an array, and {becomes}",
            f"set all elements at once ({holders[0].name}=(…)), then run skipcfg migrate again",
        )
        raise NotWritableError(remark, token.place)
    words = words_for(place, settings, bare=scalar)
    if scalar and not token.view.words and len(words) > 1:
        if token.quote and not token.whole:
            remark = Remark(
                "override-not-followed",
                f"{token.key} stands in quotes that end inside of its value, and becomes several settings",
                "put the whole value in quotes, then run skipcfg migrate again",
            )
            raise NotWritableError(remark, token.place)
        words = [f'"{" ".join(words)}"']
    if len(settings) > 1:
        _check_alternative(place)
        _check_numbered_use(place)
    if scalar and len(settings) != 1:
        _check_quoted_uses(place, {holder.name for holder in holders}, len(settings))
    continuation = None if token.view.layers else PLAIN_CONTINUATION
    return Replacement(token_span(token), words, loose, continuation=continuation)


def words_for(place: Place, settings: tuple[NewOverride, ...], *, bare: bool = False) -> list[str]:
    """The words that stand in the place of one old override.

    Args:
        place: The old override.
        settings: The new ones.
        bare: Whether the words end up inside quotes, where a list needs none of its own.

    Raises:
        NotWritableError: A count cannot be written there.
    """
    writer = _Writer(place.source, place.token, bare or place.token.view.words)
    words = []
    for setting in settings:
        if isinstance(setting.value, Through):
            origin = place.tokens[place.token.place if setting.origin is None else setting.origin]
            words.append(writer.counted(setting.key, *_count(place, origin)))
        else:
            words.append(writer.word(setting))
    return words


def _check_alternative(place: Place) -> None:
    """`${name:+word}` holds one word.

    Raises:
        NotWritableError: The override is such a word.
    """
    if any(atom.guards for atom in place.script.atoms_at(place.token.place)):
        remark = Remark(
            "variable-used-as-one-word",
            f"{place.token.key} stands inside ${{…}}, which holds one word, and becomes several settings",
            "put the settings into an array, then run skipcfg migrate again",
        )
        raise NotWritableError(remark, place.token.place)


def _check_numbered_use(place: Place) -> None:
    """What a function takes as `$1` is one word.

    Raises:
        NotWritableError: The override is such an argument.
    """
    script = place.script
    if not script.functions:
        return
    called = {
        command.name
        for command in script.commands
        if command.name in script.functions
        and any(atom.token and atom.token.place == place.token.place for atom in command.atoms)
    }
    taken = [atom for command in script.commands if command.function in called for atom in command.atoms]
    for definitions in script.definitions.values():
        taken += [atom for one in definitions if one.function in called for atom in one.atoms]
    if any(atom.kind == "arguments" and atom.text.isdigit() and atom.text != "0" for atom in taken) and not any(
        atom.kind == "arguments" and atom.text in "@*" for atom in taken
    ):
        remark = Remark(
            "variable-used-as-one-word",
            f"{place.token.key} is handed to the function {next(iter(called))} as one argument, and becomes several",
            'let the function take "$@", then run skipcfg migrate again',
        )
        raise NotWritableError(remark, place.token.place)


def _check_quoted_uses(place: Place, names: set[str], count: int) -> None:
    """One word in a variable may become several only where the variable is not used as one word.

    Raises:
        NotWritableError: It is.
    """
    for command in place.script.commands:
        if command.name in EVALUATORS:
            continue
        for atom in command.atoms:
            if atom.kind == "variable" and atom.quoted and atom.text in names:
                remark = Remark(
                    "variable-used-as-one-word",
                    f'"${atom.text}" hands its text to {command.name} as one argument, and {place.token.key} '
                    f"becomes {count} settings",
                    f"make {atom.text} an array, or use it without quotes, then run skipcfg migrate again",
                )
                raise NotWritableError(remark, place.token.place)


class _Writer:
    def __init__(self, source: Source, token: Token, bare: bool) -> None:
        self.token = token
        self.bare = bare
        self.view = token.view
        self.quote = self.view.escape(token.quote)
        self.rest = source.text[self.view.starts[token.key_end] : self.view.starts[token.end]]

    def word(self, setting: NewOverride) -> str:
        value = setting.value
        if value is KEPT:
            return f"{self.quote}{setting.key}{self.rest}"
        if isinstance(value, tuple):
            return self.steps(setting.key, value)
        meaning = recognise(self.token.key)
        own = meaning is not None and meaning.name == setting.field
        return self.plain(setting.key, str(value), own)

    def plain(self, key: str, value: str, own: bool) -> str:
        if self.quote:
            return f"{self.quote}{key}={value}{self.quote}"
        quoted = re.match(r"=(\\?[\"'])", self.rest)
        if own and quoted and self.rest.endswith(quoted[1]):
            return f"{key}={quoted[1]}{value}{quoted[1]}"
        return f"{key}={value}"

    def steps(self, key: str, steps: tuple[int, ...]) -> str:
        last = len(steps)
        if last > _LONGEST_LIST and steps == tuple(range(1, last + 1)):
            single = "single" in self.view.layers[-1:] and self.bare
            runs = not (self.quoted_for_good or single or self.view.taken_literally)
            if runs or last > _LONGEST_QUOTED_LIST:
                return self.counted(key, str(last), False)
        listed = f"[{','.join(map(str, steps))}]"
        if self.quote:
            return f"{self.quote}{key}={listed}{self.quote}"
        if self.bare:
            return f"{key}={listed}"
        quote = "'" if self.view.can_single_quote else self.view.escape('"')
        return f"{key}={quote}{listed}{quote}"

    @property
    def quoted_for_good(self) -> bool:
        """Whether the word stands in single quotes that no outer shell looks through."""
        return self.quote == "'" and not self.view.expands_outside

    def counted(self, key: str, last: str, escaped: bool) -> str:
        """A list that `seq` makes when the script runs."""
        listed = f"[{chr(92) if escaped else ''}$(seq -s, 1 {last})]"
        if self.quote:
            quote = '"' if self.quoted_for_good else self.quote
            return f"{quote}{key}={listed}{quote}"
        if self.bare:
            return f"{key}={listed}"
        inside = self.view.layers[-1:] == ("double",)
        quote = "'" if inside and not escaped and self.view.can_single_quote else self.view.escape('"')
        return f"{key}={quote}{listed}{quote}"


def _count(place: Place, origin: Token) -> tuple[str, bool]:
    """What `seq` counts to, when the value stands at `origin`; whether its `$` are escaped."""
    source, script, token = place.source, place.script, place.token
    view = origin.view
    text = source.text[view.starts[origin.value_start] : view.starts[origin.end - origin.whole]]
    quotes = view.escape('"')
    if text.startswith(quotes) and text.endswith(quotes) and text.count(quotes) == 2:
        text = text[len(quotes) : -len(quotes)]
    escaped = "\\$" in text
    reason = None
    if not origin.shell_value or (view.taken_literally and not _evaluates(script)):
        reason = "is for Hydra to resolve, which cannot make a list of it"
    elif view.shell != token.view.shell or (escaped and view is not token.view):
        reason = "is known to another shell than the one that would make the list"
    elif escaped and len(re.findall(r"\\\$", text)) != text.count("$"):
        reason = "is put together from what two shells know"
    elif view.layers and any(char in text.replace("\\$", "$") for char in "\"'\\`"):
        reason = "has quotes of its own inside quotes"
    elif origin.place != token.place:
        reason = _changes_between(script, text, token.place, origin.place)
        known = script.texts.get(text.strip("${}"))
        if reason and known and known.isdigit():
            return known, False
    known = script.texts.get(text.strip("${}")) if reason is None else None
    number = whole(known) if known else None
    if known and known.isdigit() and (number is None or number > LONGEST_LIST):
        reason = f"the script sets to {known}, more steps than a command line can list"
    if reason is None:
        return text, escaped
    remark = Remark(
        "old-value-unknown",
        f"{origin.key} is {text}, which {reason}; the list of steps would have to count to it",
        f"write the number into {origin.key}, then run skipcfg migrate again",
    )
    raise NotWritableError(remark, token.place)


def _evaluates(script: Script) -> bool:
    return any(command.name in EVALUATORS for command in script.commands)


def _changes_between(script: Script, text: str, one: int, other: int) -> str | None:
    """Why a value may be another one at another place of the script."""
    first, last = min(one, other), max(one, other)
    for name in _NAMES.findall(text):
        if not (name[0].isalpha() or name[0] == "_"):
            if script.functions or "@" in script.definitions:
                return "may be something else where the list would stand"
            continue
        if any(first < definition.at < last for definition in script.definitions.get(name, ())):
            return "is set, or set anew, between the two places"
    return None
