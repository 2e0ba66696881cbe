"""Check overrides of the new settings as Hydra and then verl 0.9 would: grammar first, then the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at
from skip_config.formats.overrides import recognise
from skip_config.layers import over_defaults
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.numbers import whole
from skip_config.releases import GEN_BATCH_SIZE, MANAGER, dotted
from skip_config.roles import is_fully_async, own_training_loop
from skip_config.rules.apply import check_view
from skip_config.source import Source, Span
from skip_config.trainer import is_for_verl

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override as HydraOverride


class Given(NamedTuple):
    """An override in a file.

    Args:
        prefix, key: Its parts.
        text: The whole of it as Hydra gets it; parts that only the shell knows are masked.
        opaque: The value as written, when the shell makes some of it; else None.
        span: Its place.
    """

    prefix: str
    key: str
    text: str
    opaque: Opaque | None
    span: Span


class Command(NamedTuple):
    """A command that overrides reach.

    Args:
        module: What it launches, when the file shows it.
        paths: For each way in which it may run, its overrides in order.
        invisible: Whether more arguments come from outside the file.
        config: The primary config that it names, unless it is one of verl's own.
    """

    module: str | None
    paths: tuple[tuple[Given, ...], ...]
    invisible: bool = False
    config: str | None = None


def check_commands(source: Source, commands: Iterable[Command]) -> list[Diagnostic]:
    """Check every override that reaches a command, and what they come to together.

    Args:
        source: The file, for positions.
        commands: Its commands.
    """
    found: dict[tuple[str, int | None, int | None, str], Diagnostic] = {}
    for command in commands:
        for path in command.paths:
            for one in _check_path(source, command, path):
                found.setdefault((one.name, one.line, one.column, one.message), one)
    return sorted(found.values(), key=lambda one: (one.line or 0, one.column or 0))


def _check_path(source: Source, command: Command, path: Sequence[Given]) -> Iterator[Diagnostic]:
    module = command.module
    view = OverridesView(module, command.config)
    problems = []
    for given in path:
        meaning = recognise(given.key)
        if meaning is not None and meaning.kind == "old":
            yield _old(source, given)
        elif _is_new(given.key):
            value, problem = _parse(given)
            if problem is not None:
                problems.append(at(source, given.span, problem, Severity.ERROR, key=given.key))
            view.set(given, value)
        elif given.prefix != "~":
            value, problem = _parse(given)
            view.set(given, value if problem is None else Opaque(given.text))
            if given.prefix == "+" and is_fully_async(module) and _is_fetch(given.key, module):
                problems.append(at(source, given.span, _GEN_BATCH_SIZE_IS_THERE, Severity.ERROR, key=given.key))
    if any(_is_new(given.key) or _is_fetch(given.key, module) for given in path) and is_for_verl(view):
        yield from problems
        yield from check_view(over_defaults(view), source)


_GEN_BATCH_SIZE_IS_THERE: Final = Remark(
    "prefix-on-existing-key",
    f"+{dotted(GEN_BATCH_SIZE)}: the fully asynchronous config has this key, and Hydra refuses to add it again",
    f"write {dotted(GEN_BATCH_SIZE)}=…",
)


def _is_fetch(key: str, module: str | None) -> bool:
    """Whether a key is the size of a fetch, for a trainer that has the rules about it."""
    return key == dotted(GEN_BATCH_SIZE) and (module == releases.MAIN_PPO or is_fully_async(module))


def _is_new(key: str) -> bool:
    place = MANAGER.place[0]
    return key == place or key.startswith(place + ".")


def _old(source: Source, given: Given) -> Diagnostic:
    remark = Remark(
        "old-setting",
        f"{given.key} is a setting of an older verl: verl 0.9 does not have it",
        "skipcfg migrate FILE",
    )
    return at(source, given.span, remark, Severity.ERROR, key=given.key, fix=Fix.SAFE)


_NUMBERS = re.compile(r"=\[((?:0|[1-9]\d{0,8})(?:,(?:0|[1-9]\d{0,8}))*)\]\Z", re.ASCII)
"""A list of nothing but numbers, as steps mostly are; Hydra reads each as what it looks like."""


@cache
def _parser() -> Any:
    from hydra.core.override_parser.overrides_parser import OverridesParser

    return OverridesParser.create()


def _parse(given: Given) -> tuple[Maybe, Remark | None]:
    """The value as Hydra reads it, and what Hydra would refuse; a refused value is not known."""
    from hydra.errors import HydraException

    key = given.key
    numbers = _NUMBERS.search(given.text)
    text = f"{given.text[: numbers.start()]}=[0]" if numbers else given.text  # Hydra takes 0.3 ms for each of them
    try:
        override: HydraOverride = _parser().parse_override(text)
    except (HydraException, ValueError) as error:  # the latter is of a number too long for `int`
        reason = str(error).splitlines()[0]
        remark = Remark(
            "override-not-readable",
            f"{given.text}: Hydra cannot read it: {reason}",
            "quote the value so that Hydra sees it",
        )
        return Opaque(given.text), remark
    if override.is_delete():
        return MISSING, Remark(
            "prefix-on-existing-key", f"~{key}: Hydra removes it, and verl 0.9 reads it always", f"write {key}=…"
        )
    if override.is_sweep_override():
        text = given.text.partition("=")[2]
        return Opaque(given.text), Remark(
            "override-is-a-sweep",
            f"{key}={text}: Hydra takes this for several runs and refuses it without --multirun",
            f"write a list, and quote it for the shell: {key}='[{_listed(text)}]'",
        )
    problem = None
    if override.is_add() and not override.is_force_add() and not _is_list(key):
        problem = Remark(
            "prefix-on-existing-key",
            f"+{key}: verl 0.9 has this key, and Hydra refuses to add it again",
            f"write {key}=…",
        )
    if given.opaque is not None or "${" in given.text:
        return given.opaque or Opaque(given.text), problem
    return [int(one) for one in numbers[1].split(",")] if numbers else cast("Maybe", override.value()), problem


def _is_list(key: str) -> bool:
    """Whether a key is one of the lists, for which Hydra lets `+` pass."""
    return key.rpartition(".")[2] == MANAGER.keys["steps"]


def _listed(text: str) -> str:
    if text.startswith("range(") and text.endswith(")"):
        bounds = text[len("range(") : -1].replace(" ", "").split(",")
        numbers = [number for bound in bounds if (number := whole(bound, 3)) is not None]
        if (
            len(numbers) == len(bounds) and 0 not in numbers[2:]
        ):  # Python refuses a step of 0, as Hydra does when it runs
            return ",".join(str(step) for step in range(*numbers))
        return "1,2,3"
    return text


@dataclass(slots=True)
class _Node:
    value: Maybe
    span: Span


class OverridesView:
    """What the overrides of a command come to, as rules see a config."""

    composed = False

    def __init__(self, module: str | None, config: str | None = None) -> None:
        self.nodes: dict[tuple[str, ...], _Node] = {}
        base = None
        if module == releases.MAIN_PPO:
            base = "ppo_trainer"
        elif is_fully_async(module):
            base = "fully_async_ppo_trainer"
        elif own_training_loop(module):
            base = "dapo_trainer"  # which has a loop of its own, and values that nothing here knows
        if base:
            self.nodes["defaults",] = _Node([base, config] if config else [base], Span(0, 0))

    def set(self, given: Given, value: Maybe) -> None:
        """Let an override take effect; the later one wins."""
        path = tuple(given.key.split("."))
        self.nodes.pop(path, None)
        self.nodes[path] = _Node(value, given.span)
        if isinstance(value, dict):
            for key, inner in value.items():
                self.set(given._replace(key=f"{given.key}.{key}"), inner)  # type: ignore[arg-type]

    def value(self, *path: str) -> Maybe:
        """See `View.value`."""
        if path in self.nodes:
            return self.nodes[path].value
        return {} if self.keys(*path) else MISSING

    def keys(self, *path: str) -> tuple[str, ...]:
        """See `View.keys`."""
        size = len(path)
        return tuple(dict.fromkeys(one[size] for one in self.nodes if len(one) > size and one[:size] == path))

    def place(self, *path: str, of_key: bool = False) -> Span | None:
        """See `View.place`; a key and its value are one word."""
        del of_key
        node = self.nodes.get(path) or next((self.nodes[one] for one in self.nodes if one[: len(path)] == path), None)
        return node.span if node else None
