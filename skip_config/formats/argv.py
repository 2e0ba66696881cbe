"""Lists of words: `args: [...]` of a job file, `CMD [...]` of a Dockerfile, Hydra's record of its overrides.

No shell reads them, so that every word is what the program gets, and nothing can be computed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at, worst
from skip_config.formats import Draft
from skip_config.formats.embedded.migration import in_order, without_notes
from skip_config.formats.launched import config_of, module_of
from skip_config.formats.layout import Replacement, lay_out
from skip_config.formats.moved import moved
from skip_config.formats.override_check import Command, Given
from skip_config.formats.override_plan import Launch, NewOverride, Plan, plan
from skip_config.formats.overrides import OVERRIDE, Override, hydra_value, recognise
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.request import Request
from skip_config.source import Edit, Source, Span
from skip_config.translate import KEPT, Through

_ONLY_LATER_KNOWN: Final = re.compile(r"\$|\{\{")

_CONTINUATION: Final = re.compile(r"[ \t]*\\\Z")
"""How an instruction of a Dockerfile goes on in the next line."""


_NEVER: Final = re.compile(r"(?!)")


class Word(NamedTuple):
    """A word of a list.

    Args:
        span: Its place in the file, quotes included.
        text: What the program gets.
        starts: For each character of `text`, and for its end, the offset in the file.
        quote: The quote that it stands in, or empty.
    """

    span: Span
    text: str
    starts: Sequence[int]
    quote: str


class WordList(NamedTuple):
    """A list of words.

    Args:
        words: The words, in order.
        flow: Whether it is written in brackets, rather than with a dash on each line.
        before: Words of another list that come before these, as a container's `command` before its `args`.
        plain: Whether blanks and line ends alone part the words.
    """

    words: tuple[Word, ...]
    flow: bool
    before: tuple[str, ...] = ()
    plain: bool = False


def is_override(text: str) -> bool:
    """Whether a word is an override that bears on a migration."""
    match = OVERRIDE.match(text)
    return match is not None and (bool(match[3]) or match[1] == "~") and recognise(match[2]) is not None


class _Proposal(NamedTuple):
    lists: Sequence[WordList]
    words: dict[int, Word]
    decided: Plan


def migrate_lists(source: Source, lists: Sequence[WordList], request: Request) -> tuple[Draft, list[list[str]]]:
    """Propose edits on all lists of a file.

    Args:
        source: The file.
        lists: Its lists.
        request: What the user asked.

    Returns:
        The draft, without `verify`, and the words that each list has afterwards.
    """
    words = {word.span.start: word for one in lists for word in one.words}
    launches = [_launch(one) for one in lists]
    decided = plan(launches, request)
    diagnostics = [
        at(source, words[found.place].span, found.finding.remark, found.finding.severity, fix=found.finding.fix)
        for found in decided.findings
    ]
    for place, settings in decided.replacements.items():
        diagnostics += [
            _not_known(source, words[place], new.value) for new in settings if isinstance(new.value, Through)
        ]
    proposal = _Proposal(lists, words, decided)
    if worst(diagnostics) is Severity.ERROR:
        return Draft(diagnostics=in_order(without_notes(diagnostics))), [[w.text for w in one.words] for one in lists]
    edits: list[Edit] = []
    results = []
    for one in lists:
        edits += _edits(source, one, proposal)
        diagnostics += _summary(source, one, decided)
        results.append([text for word in one.words for text in _texts(word, decided)])
    return Draft(tuple(edits), in_order(diagnostics)), results


def _launch(one: WordList) -> Launch:
    overrides = []
    for word in one.words:
        match = OVERRIDE.match(word.text)
        if match and is_override(word.text):
            text = word.text[match.end() :]
            value: Maybe = MISSING if not match[3] else _value(text)
            overrides.append(Override(word.span.start, match[1], match[2], value))
    words = [*one.before, *(word.text for word in one.words)]
    return Launch((tuple(overrides),), module_of(words), config_of(words))


def command_of(one: WordList) -> Command:
    """The overrides of a list with what it launches, for checks."""
    found = []
    for word in one.words:
        match = OVERRIDE.match(word.text)
        if match and (match[3] or match[1] == "~"):
            value = word.text[match.end() :]
            opaque = Opaque(value) if _ONLY_LATER_KNOWN.search(value) else None
            text = word.text if opaque is None else f"{match[0]}0"
            found.append(Given(match[1], match[2], text, opaque, word.span))
    words = [*one.before, *(word.text for word in one.words)]
    return Command(module_of(words), (tuple(found),), config=config_of(words))


def _value(text: str) -> Maybe:
    return Opaque(text) if _ONLY_LATER_KNOWN.search(text) else hydra_value(text)


def _not_known(source: Source, word: Word, value: Through) -> Diagnostic:
    remark = Remark(
        "old-value-unknown",
        f"{word.text.partition('=')[0]} moves to a list of steps that would count to {value.last.text}, and in a list "
        "of words nothing can be computed",
        "write the number into the file, then run skipcfg migrate again",
    )
    return at(source, word.span, remark, Severity.ERROR)


def _texts(word: Word, decided: Plan) -> list[str]:
    """The words that stand in the place of one afterwards."""
    place = word.span.start
    if place in decided.plain:
        return [word.text.lstrip("+")]
    if place not in decided.replacements:
        return [word.text]
    return [f"{new.key}={_written(new, word.text.partition('=')[2])}" for new in decided.replacements[place]]


def _written(new: NewOverride, old: str) -> str:
    if new.value is KEPT:
        return old
    if isinstance(new.value, tuple):
        return f"[{','.join(map(str, new.value))}]"
    return str(new.value)


def _edits(source: Source, one: WordList, proposal: _Proposal) -> list[Edit]:
    edits: list[Edit] = []
    decided = proposal.decided
    changed = [
        word for word in one.words if word.span.start in decided.replacements or word.span.start in decided.plain
    ]
    if one.plain:
        return _plain_edits(source, one, changed, decided)
    removed = [word for word in changed if not _texts(word, decided)]
    if len(removed) == len(one.words):
        return _emptied(source, one)
    for word in changed:
        place = word.span.start
        if place in decided.plain:
            edits.append(Edit(Span(word.starts[0], word.starts[1]), ""))
        elif decided.replacements[place]:
            edits += _replace(source, one, word, decided.replacements[place])
        else:
            edits.append(Edit(_removal(source, one, word), ""))
    return edits


def _plain_edits(source: Source, one: WordList, changed: Sequence[Word], decided: Plan) -> list[Edit]:
    edits = [Edit(Span(w.starts[0], w.starts[1]), "") for w in changed if w.span.start in decided.plain]
    replaced = [(word, decided.replacements.get(word.span.start)) for word in changed]
    return edits + lay_out(
        source,
        [
            Replacement(word.span, [_quoted(source, one, word, n) for n in new], True)
            for word, new in replaced
            if new is not None
        ],
        _NEVER,
    )


def _replace(source: Source, one: WordList, word: Word, settings: Sequence[NewOverride]) -> list[Edit]:
    texts = [_quoted(source, one, word, new) for new in settings]
    span = word.span
    line = source.line_span(span.start)
    before = source.text[line.start : span.start]
    end = source.line_span(max(span.start, span.end - 1)).end
    end = line.start + len(source.text[line.start : end].rstrip("\r\n"))
    if one.flow:
        goes_on = _CONTINUATION.search(source.text[span.end : end])
        below = f",{goes_on[0] if goes_on else ''}{source.newline}{before}" if not before.strip() else ", "
        if before.strip() and ", " not in source.text[one.words[0].span.start : one.words[-1].span.end]:
            below = ","
        return [Edit(span, below.join(texts))]
    below = source.newline + re.sub(r"[^ \t-]", " ", before)
    below = below if below.count("-") < 2 else _last_dash(below)
    rest = "".join(below + text for text in texts[1:])
    if source.text[span.end : end].strip():  # a comment, which stays with the first
        return [Edit(span, texts[0]), Edit(Span(end, end), rest)] if rest else [Edit(span, texts[0])]
    return [Edit(span, texts[0] + rest)]


def _last_dash(before: str) -> str:
    last = before.rindex("-")
    return before[:last].replace("-", " ") + before[last:]


def _quoted(source: Source, one: WordList, word: Word, new: NewOverride) -> str:
    """A word as the file must have it."""
    equals = word.text.find("=")
    kept = source.text[word.starts[equals] : word.starts[-1]] if new.value is KEPT else ""
    text = f"{new.key}{kept}" if kept else f"{new.key}={_written(new, '')}"
    quote = word.quote
    if not quote and not kept and one.flow and isinstance(new.value, tuple):
        quote = next((other.quote for other in one.words if other.quote), '"')
    return f"{quote}{text}{quote}"


def _removal(source: Source, one: WordList, word: Word) -> Span:
    if not one.flow:
        return source.line_span(word.span.start)
    index = one.words.index(word)
    if index + 1 < len(one.words):
        return Span(word.span.start, one.words[index + 1].span.start)
    return Span(one.words[index - 1].span.end, word.span.end)


def _emptied(source: Source, one: WordList) -> list[Edit]:
    if one.flow:
        return [Edit(Span(one.words[0].span.start, one.words[-1].span.end), "")]
    line = source.line_span(one.words[0].span.start)
    dash = source.text.rindex("-", line.start, one.words[0].span.start + 1)
    return [Edit(Span(dash, one.words[-1].span.end), "[]")]


def _summary(source: Source, one: WordList, decided: Plan) -> list[Diagnostic]:
    old = [word for word in one.words if word.span.start in decided.replacements]
    if not old:
        return []
    keys = (word.text.lstrip("+~").partition("=")[0] for word in old)
    roles = list(dict.fromkeys(new.role for word in old for new in decided.replacements[word.span.start]))
    return [at(source, old[0].span, moved(keys, roles), Severity.NOTE, fix=Fix.SAFE)]
