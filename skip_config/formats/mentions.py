"""Old settings that a text merely mentions: in prose, in comments, in what a run printed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.releases import FLAT, NESTED, NESTED_BLOCK
from skip_config.source import Places, Source, Span

_FLAT_KEYS: Final = "|".join(sorted(releases.FLAT_KEYS))
_NESTED_KEYS: Final = "|".join(sorted(releases.NESTED_KEYS))
_PLACE: Final = FLAT.place[-1]

DOTTED: Final = re.compile(
    rf"\b(?:\w+\.)?{_PLACE}\.(?:(?:{_FLAT_KEYS})\b|{NESTED_BLOCK}(?:\.(?:{_NESTED_KEYS})\b|(?=[=\s`'\",.;:)\]]|\Z)))",
    re.ASCII,
)
"""An old key with its place, as in `actor_rollout_ref.rollout.skip.enable`."""

NAMED: Final = re.compile(rf"(?<![\w.-])(?:{_FLAT_KEYS}|{NESTED.keys['steps']})\b(?!-)", re.ASCII)
"""An old key by itself, where no other program has one of that name."""


def mentions(text: str, pattern: re.Pattern[str] = DOTTED) -> list[Span]:
    """The places of old keys in a text, but not the ones of new keys (`skip.rollout.enable`)."""
    return [Span(*match.span()) for match in pattern.finditer(text)]


def left_alone(
    source: Source, covered: Iterable[int], comments: Iterable[Span], scope: Iterable[Span] | None = None
) -> list[Diagnostic]:
    """What names old settings outside the inner texts of a file.

    Args:
        source: The file.
        covered: Offsets that inner texts have; their own formats tell about those.
        comments: Places of comments.
        scope: Where to look; everywhere by default.
    """
    spans = mentions(source.text)
    if not spans:
        return []
    within, comment_places = set(covered), Places(comments)
    if scope is not None:
        wanted = Places(scope)
        spans = [span for span in spans if wanted.hold(span.start)]
    found = []
    for span in spans:
        if span.start in within:
            continue
        key = source.text[span.start : span.end]
        if comment_places.hold(span.start):
            remark = Remark("old-setting", f"{key} in a comment: left alone")
            found.append(at(source, span, remark, Severity.NOTE, key=key))
        else:
            remark = Remark(
                "old-setting",
                f"{key} does not stand where a command gets it as an override, so it is left alone",
                "see whether it has to become one of skip.rollout or skip.rollout_tq",
            )
            found.append(at(source, span, remark, Severity.WARNING, key=key))
    return found
