"""Batch files of cmd: caret continuation, `%VAR%`, and double quotes only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from skip_config.diagnostics import Diagnostic
from skip_config.formats import Draft
from skip_config.formats.layout import Replacement
from skip_config.formats.override_plan import NewOverride
from skip_config.formats.overrides import OVERRIDE, hydra_value
from skip_config.formats.powershell import count_unknown
from skip_config.formats.shell.comments import comment_edits
from skip_config.formats.shell.migration import Dialect, NotWritableError, Place, migrate_script, token_span
from skip_config.formats.shell.remarks import bystanders, mentions_old_settings
from skip_config.formats.shell.script import Atom, Command, Definition, Script
from skip_config.formats.shell.view import View
from skip_config.formats.shell.words import Token
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.releases import NESTED
from skip_config.request import Request
from skip_config.source import Edit, Source, Span
from skip_config.translate import KEPT, Through

_PIECE: Final = re.compile(
    r"(?P<blank>[ \t]+|\^\r?\n)"
    r"|(?P<end>\r?\n|&&?|\|\|?)"
    r"|(?P<word>(?:\^[^\r\n]|\"[^\"\r\n]*\"|[^\s&|\"^])+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_COMMENT: Final = re.compile(r"(?im)^[ \t]*@?(?:rem\b|::)[^\r\n]*")
_SET: Final = re.compile(r'"?(\w+)=(.*?)"?\Z', re.DOTALL)
_VARIABLE: Final = re.compile(r"%[^%\s]+%|![^!\s]+!|%%?~?\w")
_REFERENCE: Final = re.compile(r"[%!](\w+)[%!]\Z|%(\*|\d)\Z")
CONTINUATION: Final = re.compile(r"[ \t]*\^\Z")


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a batch file."""
    return migrate_script(source, request, CMD) if mentions_old_settings(source.text) else Draft()


class _Word(NamedTuple):
    start: int
    end: int


def read(source: Source) -> Script:
    """Read a whole file: each line that no caret goes on from is a command."""
    view = View(source.text, range(len(source.text) + 1), newline=source.newline)
    script = Script()
    script.comments.extend(Span(*match.span()) for match in _COMMENT.finditer(source.text))
    for words, stray in _statements(source.text, script.comments):
        _statement(view, words, script)
        if words and stray and NESTED.place[-2] in source.text[words[0].start : words[-1].end]:
            script.unclosed += [span for span in stray if source.text[span.start] == '"']
            script.flaws += stray
    return script


def _statements(text: str, comments: list[Span]) -> Iterator[tuple[list[_Word], list[Span]]]:
    """The words of each command, with the places of what closes nothing."""
    skipped = {span.start: span.end for span in comments}
    words: list[_Word] = []
    stray: list[Span] = []
    at = 0
    while at < len(text):
        if at in skipped:
            at = skipped[at]
            continue
        match = _PIECE.match(text, at)
        assert match is not None  # `other` takes any character
        if match.lastgroup == "word":
            words.append(_Word(*match.span()))
        elif match.lastgroup == "end":
            yield words, stray
            words, stray = [], []
        elif match.lastgroup == "other":
            stray.append(Span(*match.span()))
        at = match.end()
    yield words, stray


def _statement(view: View, words: list[_Word], script: Script) -> None:
    if not words:
        return
    name = view.text[words[0].start : words[0].end].lstrip("@").lower()
    if name == "set" and len(words) > 1:
        _set(view, words[1:], script)
    elif name == "echo":
        script.prose.append(Span(words[0].start, words[-1].end))
    else:
        atoms = tuple(_atom(view, word) for word in words)
        script.commands.append(Command(atoms, name, words[0].start))


def _set(view: View, words: list[_Word], script: Script) -> None:
    """`set NAME=a b` and `set "NAME=a b"`: the words of the value, inside the quotes."""
    start, end = words[0].start, words[-1].end
    match = _SET.match(view.text[start:end])
    if not match:
        return
    inner = _PIECE.finditer(view.text, start + match.start(2), start + match.end(2))
    atoms = tuple(_atom(view, _Word(*piece.span())) for piece in inner if piece.lastgroup == "word")
    definition = Definition(match[1].lower(), False, atoms, start, scalar=True)
    script.definitions.setdefault(definition.name, []).append(definition)


def _atom(view: View, word: _Word) -> Atom:
    text = view.text[word.start : word.end]
    reference = _REFERENCE.match(text.strip('"'))
    if reference:
        kind = "variable" if reference[1] else "arguments"
        return Atom(kind, (reference[1] or "@").lower(), word.start)  # type: ignore[arg-type]
    token = _override(view, word)
    return Atom("word", text if token else text.strip('"'), word.start, token=token)


def _override(view: View, word: _Word) -> Token | None:
    text = view.text[word.start : word.end]
    quote = '"' if len(text) > 1 and text[0] == text[-1] == '"' else ""
    inner = text[len(quote) : len(text) - len(quote)]
    match = OVERRIDE.match(inner)
    if not match or (not match[3] and match[1] != "~"):
        return None
    key_end = word.start + len(quote) + match.end() - len(match[3])
    value_text = inner[match.end() :]
    known = not _VARIABLE.search(value_text)
    value: Maybe = MISSING if not match[3] else Opaque(value_text)
    if match[3] and known:
        value = hydra_value(value_text.strip('"').replace("^", ""))
    return Token(view, word.start, word.end, match[1], match[2], value, key_end, quote, bool(quote), not known, inner)


def write(place: Place, settings: tuple[NewOverride, ...]) -> Replacement:
    """What stands in the place of one old override.

    Raises:
        NotWritableError: A count is a variable; cmd cannot make a list of it.
    """
    token = place.token
    span = token_span(token)
    rest = place.source.text[token.key_end : span.end]
    return Replacement(span, [_word(setting, token, rest) for setting in settings])


def _word(setting: NewOverride, token: Token, rest: str) -> str:
    value = setting.value
    if value is KEPT:
        return f"{token.quote}{setting.key}{rest}"
    if isinstance(value, Through):
        raise NotWritableError(count_unknown(token, value), token.place)
    text = f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
    return f"{token.quote}{setting.key}={text}{token.quote}"


def _beside(
    source: Source, script: Script, tokens: Mapping[int, Token], request: Request
) -> tuple[list[Edit], list[Diagnostic]]:
    del request  # comments are reported, and edited by hand
    _, notes = comment_edits(source, script, Request())
    return [], [*bystanders(source, script, tokens), *notes]


CMD = Dialect(read, write, CONTINUATION, _beside)
