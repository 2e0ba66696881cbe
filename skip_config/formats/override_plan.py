"""What stands in the place of each old override, for every command that it reaches.

A command may receive different overrides from one run to the next (an `if` adds some), and an override
may reach several commands (an array that two of them expand). Each old override is rewritten where it
stands, and a replacement is accepted only when every command, on every path, ends up with the settings
that it should have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skip_config import releases
from skip_config.decide import Finding
from skip_config.diagnostics import Fix, Remark, Severity
from skip_config.formats.override_settle import Found, New, Path, Put, Settled, kind_of, settle
from skip_config.formats.overrides import Override, new_key, recognise
from skip_config.legacy import Opaque
from skip_config.releases import NESTED, Field, Role
from skip_config.request import Request
from skip_config.roles import is_fully_async
from skip_config.translate import KEPT, Through, first_steps

__all__ = ["Found", "Launch", "New", "NewOverride", "Path", "Plan", "plan"]


@dataclass(frozen=True, slots=True)
class Launch:
    """One command, or one list of overrides.

    Args:
        paths: Each way in which it may run: the overrides that reach it then, in order.
        module: What it launches, when the file shows it.
        config: The primary config that it names, unless it is one of verl's own.
    """

    paths: tuple[Path, ...]
    module: str | None = None
    config: str | None = None


class NewOverride(NamedTuple):
    """A new override that stands in the place of an old one.

    Args:
        role, field: What it sets.
        value: `KEPT` for the value of the old override, as the file writes it.
        origin: The place whose value `Through` counts to; None for every other value.
    """

    role: Role
    field: Field
    value: New
    origin: int | None = None

    @property
    def key(self) -> str:
        return new_key(self.role, self.field)


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of a file's old overrides.

    Args:
        replacements: For each place of an old override, what stands there instead; empty to remove it.
        plain: Places of overrides that only lose their prefix.
        findings: What to tell.
        roles: The roles that get settings, for the summary.
    """

    replacements: Mapping[int, tuple[NewOverride, ...]] = field(default_factory=dict)
    plain: frozenset[int] = frozenset()
    findings: tuple[Found, ...] = ()
    roles: tuple[Role, ...] = ()

    @property
    def blocked(self) -> bool:
        """Whether something needs a decision, so that nothing may be written."""
        return any(found.finding.severity is Severity.ERROR for found in self.findings)


class _Key(NamedTuple):
    """What a new setting is of."""

    role: Role
    field: Field


_Places = dict[int, dict[_Key, tuple[New, int | None]]]


def plan(launches: Sequence[Launch], request: Request) -> Plan:
    """Decide what stands in the place of every old override.

    Args:
        launches: Everything in one file that old overrides reach.
        request: What the user asked.
    """
    findings: dict[tuple[str, int, str], Found] = {}
    settled: list[Settled] = []
    plain: set[int] = set()
    for launch in launches:
        for path in launch.paths:
            plain |= _prefixed_for_nothing(path, launch.module)
            outcome, told = settle(path, launch.module, request, launch.config)
            for found in told:
                findings.setdefault((found.finding.remark.name, found.place, found.finding.severity.value), found)
            if outcome:
                settled.append(outcome)
    result = Plan({}, frozenset(plain), tuple(findings.values()), _roles(settled))
    if result.blocked or not settled:
        return result
    clash = _clashing_roles(settled)
    if clash:
        return Plan({}, frozenset(), (*result.findings, clash), result.roles)
    for prefer in ("enable", "first", "last"):
        places = _merge(settled, prefer)
        if places is not None and all(_holds(one, places) for one in settled):
            return Plan(_ordered(settled, places), result.plain, result.findings, result.roles)
    return Plan({}, frozenset(), (*result.findings, _depends(settled)), result.roles)


def _prefixed_for_nothing(path: Path, module: str | None) -> set[int]:
    if not (is_fully_async(module) or any(kind_of(override) == "async" for override in path)):
        return set()
    return {override.place for override in path if override.prefix == "+" and kind_of(override) == "gen-batch-size"}


def _roles(settled: Iterable[Settled]) -> tuple[Role, ...]:
    used = {role for one in settled for role in one.roles}
    return tuple(role for role in releases.ROLES if role in used)


def _clashing_roles(settled: list[Settled]) -> Found | None:
    """An override that serves the fully asynchronous trainer and another one cannot mean both."""
    serves: dict[int, set[bool]] = {}
    for one in settled:
        for override in one.path:
            if kind_of(override) == "old" and one.roles:
                serves.setdefault(override.place, set()).add("async_rollout" in one.roles)
    place = next((place for place, kinds in serves.items() if len(kinds) > 1), None)
    if place is None:
        return None
    remark = Remark(
        "role-depends-on-the-command",
        "this setting reaches the fully asynchronous trainer and another one: skip.async_rollout counts prompts "
        "as they are fed and the other roles count training steps, so one list of steps cannot serve both",
        "give each command its own settings, then run skipcfg migrate again",
    )
    return Found(place, Finding(remark, Severity.ERROR, Fix.UNSAFE))


def _depends(settled: list[Settled]) -> Found:
    remark = Remark(
        "depends-on-the-path",
        "the old settings come together differently from one run of this command to the next (an `if`, or commands "
        "that share them), and no rewriting in place means the same for all",
        "write the settings of each case together, in one place, then run skipcfg migrate again",
    )
    return Found(settled[0].host, Finding(remark, Severity.ERROR))


def _merge(settled: list[Settled], prefer: str) -> _Places | None:
    """Every put at its place; None when two paths want different values at one place."""
    places: _Places = {}
    claimed = frozenset[int]().union(*(one.claimed for one in settled))
    for one in settled:
        for override in one.path:
            if kind_of(override) == "old":
                places.setdefault(override.place, {})
    for one in settled:
        if one.satisfied:
            continue
        ends = {"enable": one.host, "first": _end(one, 0), "last": _end(one, -1)}
        for put in one.puts:
            place = ends[prefer] if put.place is None else put.place
            for role in one.roles:
                if not _set(places[place], _Key(role, put.field), put.value, put.origin):
                    return None
        for override in one.path:
            if kind_of(override) == "old" and override.place not in claimed and override.prefix != "~":
                for put in _overruled(override):
                    for role in one.roles:
                        if not _set(places[override.place], _Key(role, put.field), put.value, put.origin):
                            return None
    return places


def _end(one: Settled, index: int) -> int:
    return [override.place for override in one.path if override.place in one.claimed][index]


def _set(there: dict[_Key, tuple[New, int | None]], key: _Key, value: New, origin: int | None) -> bool:
    given = there.get(key)
    if given is None or given[0] == value:
        there[key] = (value, origin if given is None else given[1])
        return True
    if isinstance(given[0], tuple) and isinstance(value, tuple):
        # Steps after a command's last one are never reached: the longer list serves both, if it is right for both.
        there[key] = (max(given[0], value, key=len), None)
        return True
    return False


def _overruled(override: Override) -> list[Put]:
    """An override that a later one overrules on every path: translated by itself."""
    meaning = recognise(override.key)
    name = meaning.name if meaning else ""
    if name in ("enable", "dump_dir"):
        return [Put(name, KEPT, None)]  # type: ignore[arg-type]
    if name == "max_dump_step" and isinstance(override.value, Opaque):
        return [Put("steps", Through(override.value), None, override.place)]
    if name == "max_dump_step" and isinstance(override.value, int):
        return [Put("steps", first_steps(override.value), None)]
    if name == "action" and override.value in NESTED.actions:
        return [Put("action", KEPT if override.value in releases.SUPPORTED_ACTIONS else "repeat", None)]
    return []


def _holds(one: Settled, places: _Places) -> bool:
    """Whether a path ends up with the settings that it should have."""
    if one.satisfied:
        return all(not places[override.place] for override in one.path if override.place in places)
    final: dict[_Key, tuple[New, int]] = {}
    for override in one.path:
        for key, (value, _) in places.get(override.place, {}).items():
            final[key] = (value, override.place)
    for role in one.roles:
        wanted = {put.field: put for put in one.puts}
        for name in releases.FIELDS:
            got = final.get(_Key(role, name))
            if one.on is False and name != "enable":
                continue
            put = wanted.get(name)
            if (got is None) != (put is None):
                return False
            if got and put and not _same(got, put, one.total_steps):
                return False
    return True


def _same(got: tuple[New, int], put: Put, total_steps: int | None) -> bool:
    value, place = got
    if put.value is KEPT:
        return value is KEPT and place == put.place
    if isinstance(put.value, tuple) and isinstance(value, tuple) and total_steps is not None:
        return [s for s in value if s <= total_steps] == [s for s in put.value if s <= total_steps]
    return value == put.value


_ORDER: dict[str, int] = {name: index for index, name in enumerate(("enable", "dump_dir", "steps", "action"))}


def _ordered(settled: list[Settled], places: _Places) -> dict[int, tuple[NewOverride, ...]]:
    """The override's own field first, then the rest in the order of verl's files; roles side by side."""
    own: dict[int, str] = {}
    for one in settled:
        own.update({put.place: put.field for put in one.puts if put.place is not None})
    result = {}
    for place, settings in places.items():
        keys = sorted(
            settings,
            key=lambda key: (
                key.field != own.get(place),
                _ORDER[key.field],
                releases.ROLES.index(key.role),
            ),
        )
        result[place] = tuple(NewOverride(key.role, key.field, *settings[key]) for key in keys)
    return result
