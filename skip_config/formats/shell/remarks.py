"""Old settings in a script that are not overrides of a command: patterns, printed text, broken syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.overrides import recognise
from skip_config.formats.shell.arguments import LOST_CONTINUATION
from skip_config.formats.shell.script import Command, Script
from skip_config.formats.shell.words import Token
from skip_config.releases import FLAT, NESTED, dotted
from skip_config.source import Places, Source, Span

_FLAT: Final = "|".join(sorted(releases.FLAT_KEYS))
_NESTED: Final = "|".join(sorted(releases.NESTED_KEYS))
_OVERRIDE: Final = re.compile(
    rf"(?:{re.escape(dotted(FLAT.place))}|\$\{{?\w+\}}?)\.(?:{_FLAT}|{releases.NESTED_BLOCK}\.(?:{_NESTED}))(?=['\"]?\]?[=\s]|\Z)"
    rf"|{re.escape(dotted(NESTED.place))}(?:\.\{{|=)",
    re.ASCII,
)
_ASSIGNED: Final = re.compile(r"(?:['\"]?\])?=")
"""Behind the key of an override, or of an element of an associative array."""

_PATTERN: Final = re.compile(
    rf"rollout\.{releases.NESTED_BLOCK}\.(?:{_NESTED})\b|\b(?:{_FLAT}|{NESTED.keys['steps']})\b", re.ASCII
)

_YAML_KEY: Final = re.compile(
    rf"^[ \t]+(?:- +)?[\"']?({_FLAT}|{NESTED.keys['steps']})[\"']?[ \t]*:(?=\s)", re.MULTILINE
)


def mentions_old_settings(text: str) -> bool:
    """Whether a text can hold anything to migrate: a quick look, before the parser."""
    if releases.NESTED_BLOCK in text and "rollout" in text:
        return True
    return dotted(releases.GEN_BATCH_SIZE) in text and (
        releases.FULLY_ASYNC_SCRIPT in text or dotted(releases.ASYNC_TRAINING) in text
    )


def bystanders(source: Source, script: Script, tokens: Mapping[int, Token]) -> list[Diagnostic]:
    """What names old settings and is left alone, and what is wrong around the ones that are not."""
    found = _patterns(source, script)
    ours = [token.view.span(token.start, token.end) for token in tokens.values()]
    covered = Places([*ours, *script.comments, *script.patterns])
    prose, broken, foreign = Places(script.prose), Places(script.broken), Places(script.foreign)
    for match in _OVERRIDE.finditer(source.text):
        span = Span(match.start(), match.end())
        if covered.hold(span.start):
            continue
        key = match[0].strip("=")
        if prose.hold(span.start):
            remark = Remark("old-setting", f"{key} in a text that is only printed: left alone")
            found.append(at(source, span, remark, Severity.NOTE, key=key))
        elif broken.hold(span.start):
            remark = Remark(
                "script-not-readable",
                f"{key} stands in a part of the script that cannot be read as bash",
                "run bash -n on it and mend what it reports, or move the setting by hand",
            )
            found.append(at(source, span, remark, Severity.ERROR, key=key))
        elif foreign.hold(span.start) or not (match[0].endswith(("=", "{")) or _ASSIGNED.match(source.text, span.end)):
            remark = Remark(
                "old-setting",
                f"{key} does not stand where a command gets it as an override, so it is left alone",
                "see whether it has to become one of skip.rollout or skip.rollout_tq",
            )
            found.append(at(source, span, remark, Severity.WARNING, key=key))
        else:
            remark = Remark(
                "override-not-followed",
                f"{key} is written in a way in which skipcfg cannot tell what the command gets",
                "write it as a word of its own, then run skipcfg migrate again, or move it by hand",
            )
            found.append(at(source, span, remark, Severity.ERROR, key=key))
    found += _texts_of_yaml(source, script)
    return found + _lost_continuations(source, tokens.values()) + _broken_off(source, script)


def _texts_of_yaml(source: Source, script: Script) -> list[Diagnostic]:
    """Configs that a script writes, as in `cat > run.yaml <<EOF`."""
    found = []
    for place in script.foreign:
        match = _YAML_KEY.search(source.text, place.start, place.end)
        if match:
            remark = Remark(
                "old-setting",
                f"{match[1]} in YAML text that the script writes: left alone",
                "move the text into a file of its own and run skipcfg migrate on it, or edit it by hand",
            )
            found.append(at(source, Span(*match.span(1)), remark, Severity.NOTE, key=match[1]))
    return found


def _broken_off(source: Source, script: Script) -> list[Diagnostic]:
    """Commands that start with an old override: the lines above were meant to go on."""
    remark = Remark(
        "command-broken-off",
        "this line is no part of the command above it, which ended before (at a comment, or without a backslash)",
        "mend the command, then run skipcfg migrate again",
    )
    firsts = [command.atoms[0].token for command in script.commands if command.atoms and _names_itself(command)]
    return [
        at(source, token.view.span(token.start, token.end), remark, Severity.ERROR, key=token.key)
        for token in firsts
        if token is not None and _is_old(token)
    ]


def _names_itself(command: Command) -> bool:
    """Whether what stands first is run, and not set for the command as in `OPTS="…" bash run.sh`."""
    return command.atoms[0].text in command.name


def _patterns(source: Source, script: Script) -> list[Diagnostic]:
    found = []
    for span in script.patterns:
        match = _PATTERN.search(source.text[span.start : span.end].replace("\\", ""))
        if match:
            remark = Remark(
                "pattern-names-old-setting",
                f"{match[0]} in a pattern: it will match nothing in a file that is migrated",
                "adapt the pattern to the new keys (skip.rollout_tq.enable, .dump_dir, .steps, .action)",
            )
            found.append(at(source, span, remark, Severity.WARNING, key=match[0]))
    return found


def _lost_continuations(source: Source, tokens: Iterable[Token]) -> list[Diagnostic]:
    lines = {source.position(token.place)[0] for token in tokens if _is_old(token)}
    found = []
    for match in LOST_CONTINUATION.finditer(
        source.text.replace("\r\n", "\n\n") if "\r" in source.text else source.text
    ):
        line = source.position(match.start())[0]
        if line in lines or line + 1 in lines:
            remark = Remark(
                "text-after-continuation",
                "something stands behind the backslash, so the command ends on this line and the next lines are not "
                "part of it",
                "remove what is behind the backslash",
            )
            found.append(at(source, Span(match.start(), match.end()), remark, Severity.WARNING))
    return found


def _is_old(token: Token) -> bool:
    meaning = recognise(token.key)
    return meaning is not None and meaning.kind == "old"
