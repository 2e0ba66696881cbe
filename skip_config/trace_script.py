"""Trace a launch script: the settings that each of its commands gives verl, as a config to trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from skip_config import releases
from skip_config.formats.overrides import hydra_value, recognise
from skip_config.formats.shell.reach import TooManyWordsError
from skip_config.formats.shell.variables import filled_in
from skip_config.legacy import Opaque
from skip_config.releases import dotted
from skip_config.roles import is_fully_async
from skip_config.runtime import Refused, Unknown
from skip_config.source import Source
from skip_config.trace import Trace, TraceRole, trace_text

if TYPE_CHECKING:
    from skip_config.formats.override_check import Given

_BASES = {releases.MAIN_PPO: "ppo_trainer"}


def trace_script(
    source: Source, *, total_steps: int | None = None, role: TraceRole = "auto"
) -> list[Trace | Refused | Unknown]:
    """Trace every command of a script that gets rollout-skip settings.

    Args:
        source: The script.
        total_steps: T where a command does not state it.
        role: See `skip_config.trace.trace_text`.

    Returns:
        A trace for each way in which a command may run; the same one only once.
    """
    found: list[Trace | Refused | Unknown] = []
    try:
        for config, written in _configs(source):
            one = trace_text(config, filename=source.filename, total_steps=total_steps, role=role)
            if isinstance(one, (Refused, Unknown)):
                one = type(one)(_as_written(one.reason, written))
            if one not in found:
                found.append(one)
    except TooManyWordsError as error:
        found.append(Unknown(f"the variables of a command stand for {error}"))
    return found


def _as_written(reason: str, written: Mapping[str, str]) -> str:
    for stand_in, text in written.items():
        reason = reason.replace(stand_in, text)
    return reason


def _configs(source: Source) -> Iterator[tuple[str, dict[str, str]]]:
    """For each way in which a command may run, what its overrides come to, as YAML.

    What only the shell knows stands there as an interpolation; the second value has how it is written.
    """
    import yaml

    from skip_config.formats.shell.check import commands_of
    from skip_config.formats.shell.read import read

    script = read(source, every=True)
    known = {variable: text for variable, text in script.texts.items() if text is not None}
    deciding = (dotted(releases.TOTAL_STEPS), dotted(releases.USE_V1))
    for command in commands_of(script, deciding):
        base = "fully_async_ppo_trainer" if is_fully_async(command.module) else _BASES.get(command.module or "")
        for path in command.paths:
            written: dict[str, str] = {}
            tree = _tree(path, known, written)
            if tree:
                yield yaml.safe_dump({**({"defaults": [base]} if base else {}), **tree}), written


def _tree(path: Sequence[Given], known: Mapping[str, str], written: dict[str, str]) -> dict[str, object]:
    """The settings among the overrides of a command, nested; the later one wins."""
    tree: dict[str, object] = {}
    for given in path:
        if recognise(given.key) is None:
            continue
        text = given.text if given.opaque is None else filled_in(given.opaque.text, known)
        if text is None:
            assert given.opaque is not None
            value: object = f"${{oc.env:{_name(given.opaque)}}}"
            written[str(value)] = given.opaque.text
        else:
            raw = hydra_value(text.partition("=")[2] if given.opaque is None else text)
            value = raw.text if isinstance(raw, Opaque) else raw
        node = tree
        *parents, last = given.key.split(".")
        for part in parents:
            below = node.setdefault(part, {})
            if not isinstance(below, dict):
                below = node[part] = {}
            node = below
        if given.prefix == "~":
            node.pop(last, None)
        else:
            node[last] = value
    return tree


def _name(value: Opaque) -> str:
    """A name for a value that only the shell knows, for an interpolation that nobody resolves."""
    return "".join(char for char in value.text if char.isalnum() or char == "_") or "SHELL"
