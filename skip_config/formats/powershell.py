"""PowerShell scripts: the plain cases, words and arrays, written as PowerShell writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from skip_config.diagnostics import Diagnostic, Remark
from skip_config.formats import Draft
from skip_config.formats.layout import Replacement
from skip_config.formats.override_plan import NewOverride
from skip_config.formats.overrides import OVERRIDE, hydra_value
from skip_config.formats.shell.comments import comment_edits
from skip_config.formats.shell.migration import Dialect, NotWritableError, Place, migrate_script, token_span
from skip_config.formats.shell.remarks import bystanders, mentions_old_settings
from skip_config.formats.shell.script import Atom, Command, Definition, Script
from skip_config.formats.shell.view import View
from skip_config.formats.shell.words import Token
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.request import Request
from skip_config.source import Edit, Source, Span
from skip_config.translate import KEPT, Through

_PIECE: Final = re.compile(
    r"(?P<comment><\#.*?(?:\#>|\Z)|(?<![^\s;(){}|])\#[^\r\n]*)"
    r"|(?P<blank>[ \t]+|`\r?\n)"
    r"|(?P<end>\r?\n|[;|&{}])"
    r"|(?P<open>@?\()|(?P<close>\))|(?P<comma>,)"
    r"|(?P<word>@\"[ \t]*\r?\n(?:|.*?\n)(?:\"@|\Z)|@'[ \t]*\r?\n(?:|.*?\n)(?:'@|\Z)"
    r"|(?:`(?:\r\n|[^\r])|\"(?:`.|\"\"|[^\"`])*\"|'(?:''|[^'])*'|\$\([^()]*\)|\$?\{[^{}]*\}|[^\s;|&{}(),`\"'])+)"
    r"|(?P<unclosed>[\"'].*|`\Z)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ASSIGNMENT: Final = re.compile(r"\$(?:script:|global:|env:)?(\w+)\Z", re.IGNORECASE)
_REFERENCE: Final = re.compile(r"[@$](?:script:|global:|env:)?(\w+)\Z", re.IGNORECASE)
CONTINUATION: Final = re.compile(r"(?:[ \t]+`|[ \t]*,)\Z")
"""A backtick in a command, a comma in an array."""


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a PowerShell script."""
    return migrate_script(source, request, POWERSHELL) if mentions_old_settings(source.text) else Draft()


class _Part(NamedTuple):
    kind: str
    start: int
    end: int


def _parts(text: str) -> Iterator[_Part]:
    for match in _PIECE.finditer(text):
        kind = match.lastgroup or "other"
        if kind != "blank":
            yield _Part(kind, match.start(), match.end())


def read(source: Source) -> Script:
    """Read a whole script: each line that no backtick goes on from is a statement."""
    view = View(source.text, range(len(source.text) + 1), newline=source.newline)
    script = Script()
    statement: list[_Part] = []
    depth = 0
    for part in [*_parts(source.text), _Part("end", len(source.text), len(source.text))]:
        if part.kind == "unclosed" or _is_open_here_string(source.text, part):
            script.unclosed.append(Span(part.start, part.end))
        if part.kind == "comment":
            script.comments.append(Span(part.start, part.end))
            continue
        depth += {"open": 1, "close": -1}.get(part.kind, 0)
        if part.kind == "end" and source.text[part.end - 1 : part.end] == "\n" and _goes_on(statement):
            continue
        if part.kind == "end" and (depth <= 0 or part.end == len(source.text)):
            _statement(view, statement, script)
            statement, depth = [], 0
        elif part.kind != "end":
            statement.append(part)
    return script


def _goes_on(statement: list[_Part]) -> bool:
    """Whether the end of a line does not end the statement: a comma wants what it parts."""
    return bool(statement) and statement[-1].kind == "comma"


def _is_open_here_string(text: str, part: _Part) -> bool:
    """Whether a text that starts with `@"` at the end of a line has no `"@` that ends it."""
    start = text[part.start : part.start + 2]
    is_one = (
        part.kind == "word" and start in ("@'", '@"') and text[part.start + 2 : part.end].lstrip(" \t")[:1] in "\r\n"
    )
    return is_one and not text.endswith(start[::-1], part.start + 3, part.end)


def _statement(view: View, parts: list[_Part], script: Script) -> None:
    words = [part for part in parts if part.kind == "word"]
    if not words:
        return
    texts = [view.text[word.start : word.end] for word in words]
    assigned = _ASSIGNMENT.match(texts[0])
    if assigned and len(texts) > 1 and texts[1] in ("=", "+="):
        atoms = tuple(_atom(view, word) for word in words[2:])
        if atoms and _launches(texts[2:]):
            script.commands.append(Command(atoms, texts[2], words[2].start))
            return
        definition = Definition(assigned[1].lower(), texts[1] == "+=", atoms, words[0].start)
        script.definitions.setdefault(definition.name, []).append(definition)
    elif texts[0].lower() in ("write-host", "write-output", "echo"):
        script.prose.append(Span(parts[0].start, parts[-1].end))
    else:
        atoms = tuple(_atom(view, word) for word in words)
        script.commands.append(Command(atoms, texts[0], words[0].start))


def _launches(texts: list[str]) -> bool:
    return bool(texts) and re.match(r"python|&|torchrun|ray\b", texts[0], re.IGNORECASE) is not None


def _atom(view: View, part: _Part) -> Atom:
    text = view.text[part.start : part.end]
    reference = _REFERENCE.match(text.strip('"'))
    if reference:
        kind, name = ("arguments", "@") if reference[1].lower() == "args" else ("variable", reference[1].lower())
        return Atom(kind, name, part.start)  # type: ignore[arg-type]
    token = _override(view, part)
    return Atom("word", text if token else text.strip("'\""), part.start, token=token)


def _override(view: View, part: _Part) -> Token | None:
    text = view.text[part.start : part.end]
    quote = text[0] if text[0] in "'\"" and text[-1] == text[0] and len(text) > 1 else ""
    inner = text[len(quote) : len(text) - len(quote)]
    match = OVERRIDE.match(inner)
    if not match or (not match[3] and match[1] != "~"):
        return None
    key_end = part.start + len(quote) + match.end() - len(match[3])
    value_text = inner[match.end() :]
    known = "$" not in value_text or quote == "'" or "'" in value_text[:1]
    value: Maybe = MISSING if not match[3] else hydra_value(_literal(value_text)) if known else Opaque(value_text)
    return Token(view, part.start, part.end, match[1], match[2], value, key_end, quote, bool(quote), not known, inner)


def _literal(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text.replace("`", "")


def write(place: Place, settings: tuple[NewOverride, ...]) -> Replacement:
    """What stands in the place of one old override.

    Raises:
        NotWritableError: A count is a variable; there is no plain way to make a list of it.
    """
    token = place.token
    span = token_span(token)
    rest = place.source.text[token.key_end : span.end]
    words = [_word(setting, token, rest) for setting in settings]
    in_list = bool(place.script.holders_of(token.place))
    return Replacement(span, words, in_list, _list_joint(place.source, span) if in_list else " ")


def _list_joint(source: Source, span: Span) -> str:
    return ", " if source.text[span.end : span.end + 2] == ", " or source.text[: span.start].endswith(", ") else ","


def _word(setting: NewOverride, token: Token, rest: str) -> str:
    value = setting.value
    if value is KEPT:
        return f"{token.quote}{setting.key}{rest}"
    if isinstance(value, Through):
        raise NotWritableError(count_unknown(token, value), token.place)
    if isinstance(value, tuple):
        # A comma outside quotes makes an array there.
        quote = token.quote or "'"
        return f"{quote}{setting.key}=[{','.join(map(str, value))}]{quote}"
    return f"{token.quote}{setting.key}={value}{token.quote}"


def count_unknown(token: Token, value: Through) -> Remark:
    """The question for a number that only the shell knows, where no list can be made of it."""
    return Remark(
        "old-value-unknown",
        f"{token.key} moves to a list of steps that would count to {value.last.text}, which is not known here",
        "write the number into the script, then run skipcfg migrate again",
    )


def _beside(
    source: Source, script: Script, tokens: Mapping[int, Token], request: Request
) -> tuple[list[Edit], list[Diagnostic]]:
    del request  # comments are reported, and edited by hand
    _, notes = comment_edits(source, script, Request())
    return [], [*bystanders(source, script, tokens), *notes]


POWERSHELL = Dialect(read, write, CONTINUATION, _beside)
