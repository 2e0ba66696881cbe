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
from skip_config.decide import Decision, Finding, decide
from skip_config.diagnostics import Fix, Remark, Severity
from skip_config.formats import Request
from skip_config.formats.overrides import POST_DUMP_ACTION, Meaning, Override, new_key, recognise
from skip_config.legacy import LegacySkip, Maybe, Opaque
from skip_config.releases import MANAGER, NESTED, Field, Role
from skip_config.roles import Evidence, is_fully_async
from skip_config.translate import KEPT, Kept, NewSkip, Through, first_steps, switch

Path = tuple[Override, ...]


@dataclass(frozen=True, slots=True)
class Launch:
    """One command, or one list of overrides.

    Args:
        paths: Each way in which it may run: the overrides that reach it then, in order.
        module: What it launches, when the file shows it.
    """

    paths: tuple[Path, ...]
    module: str | None = None


New = bool | str | tuple[int, ...] | Through | Kept


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


class Found(NamedTuple):
    """A finding, and the place of the override that it is about."""

    place: int
    finding: Finding


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


class _Put(NamedTuple):
    """A value for a field, and the place of the old override that should carry it (None: any)."""

    field: Field
    value: New
    place: int | None
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class _Settled:
    """One path of one launch, decided.

    Args:
        path: Its overrides.
        puts: The new settings.
        roles: Who gets them.
        claimed: Places of the old overrides that hold at the end of the path.
        host: The place where settings without old counterpart go best.
        on: Whether the switch is on; None when it may be.
        total_steps: T of the path, where it is a number.
        satisfied: Whether new settings with the same meaning are there already.
    """

    path: Path
    puts: tuple[_Put, ...]
    roles: tuple[Role, ...]
    claimed: frozenset[int]
    host: int
    on: bool | None
    total_steps: int | None
    satisfied: bool


_Places = dict[int, dict[_Key, tuple[New, int | None]]]


def plan(launches: Sequence[Launch], request: Request) -> Plan:
    """Decide what stands in the place of every old override.

    Args:
        launches: Everything in one file that old overrides reach.
        request: What the user asked.
    """
    findings: dict[tuple[str, int, str], Found] = {}
    settled: list[_Settled] = []
    plain: set[int] = set()
    for launch in launches:
        for path in launch.paths:
            plain |= _prefixed_for_nothing(path, launch.module)
            outcome, told = _settle(path, launch.module, request)
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
    if not (is_fully_async(module) or any(_kind(override) == "async" for override in path)):
        return set()
    return {override.place for override in path if override.prefix == "+" and _kind(override) == "gen-batch-size"}


def _kind(override: Override) -> str | None:
    meaning = recognise(override.key)
    return meaning.kind if meaning else None


def _settle(path: Path, module: str | None, request: Request) -> tuple[_Settled | None, list[Found]]:
    old = [(override, meaning) for override in path if (meaning := recognise(override.key)) and meaning.kind == "old"]
    if not old:
        return None, []
    first = old[0][0].place
    odd = _not_translatable(old)
    if odd:
        return None, odd
    told = [
        Found(override.place, Finding(_no_counterpart(override.key), Severity.WARNING))
        for override, meaning in old
        if not meaning.name and not override.key.endswith("._target_") and override.prefix != "~"
    ]
    held = _held(old)
    generations = {generation for generation, _ in held}
    if not held:
        everywhere = frozenset(override.place for override, _ in old)
        return _Settled(path, (), (), everywhere, first, False, None, False), told
    generation = "nested" if "nested" in generations else "flat"
    if len(generations) > 1:
        return None, [*told, Found(first, Finding(_TWO_GENERATIONS, Severity.ERROR))]
    winners = {name: override for (_, name), override in held.items()}
    total = _last(path, "total-steps")
    total_steps = total.value if total and isinstance(total.value, (int, Opaque)) else None
    decision = decide(_legacy(generation, winners), _evidence(path, module), request, total_steps)
    host = winners["enable"].place if "enable" in winners else first
    told += [Found(host, finding) for finding in decision.findings]
    if decision.settings is None:
        return None, told
    puts = _puts(decision.settings, winners, total.place if total else None)
    number = total_steps if isinstance(total_steps, int) else request.total_steps
    claimed = frozenset(override.place for override in winners.values())
    existing = _existing(path)
    if existing:
        differing = _difference(existing, puts, winners, decision)
        if differing:
            return None, [*told, Found(host, Finding(differing, Severity.ERROR))]
    return _Settled(path, puts, decision.roles, claimed, host, decision.on, number, bool(existing)), told


def _held(old: list[tuple[Override, Meaning]]) -> dict[tuple[str, str], Override]:
    """The old settings that hold after the last override, by generation and name."""
    held: dict[tuple[str, str], Override] = {}
    for override, meaning in old:
        generation = meaning.generation or ""
        if override.prefix == "~":
            for known in [one for one in held if one[0] == generation and meaning.name in (one[1], "block")]:
                del held[known]
        elif meaning.name and meaning.name != "block":
            held.pop((generation, meaning.name), None)
            held[generation, meaning.name] = override
    return held


def _not_translatable(old: list[tuple[Override, Meaning]]) -> list[Found]:
    found = []
    for override, meaning in old:
        if override.prefix == "~":
            continue
        if meaning.name == "unknown":
            found.append(Found(override.place, Finding(_no_counterpart(override.key), Severity.ERROR)))
        elif meaning.name == "block" and override.value is not None:
            remark = Remark(
                "old-value-unknown",
                f"{override.key} sets the whole block at once",
                f"write one override per setting, as in {override.key}.enable=True, then run skipcfg migrate again",
            )
            found.append(Found(override.place, Finding(remark, Severity.ERROR)))
    return found


def _no_counterpart(key: str) -> Remark:
    return Remark(
        "no-counterpart",
        f"{key} has no counterpart in verl 0.9, whose roles have {', '.join(releases.FIELDS)}",
        f"remove {key}",
    )


_TWO_GENERATIONS = Remark(
    "old-and-new-differ",
    "settings of verl 0.6 to 0.7 (skip_rollout) and of verl 0.8 (skip.enable) reach the same command: "
    "only one of them can have been in use",
    "remove the ones that were not, then run skipcfg migrate again",
)


def _last(path: Path, kind: str) -> Override | None:
    return next((one for one in reversed(path) if _kind(one) == kind and one.prefix != "~"), None)


def _evidence(path: Path, module: str | None) -> Evidence:
    use_v1 = _last(path, "use-v1")
    state = switch(use_v1.value) if use_v1 else None
    known = state if isinstance(state, bool) else Opaque("trainer.use_v1")
    asynchronous = any(_kind(override) == "async" for override in path)
    return Evidence(module, asynchronous, None if use_v1 is None else known)


def _legacy(generation: str, winners: Mapping[str, Override]) -> LegacySkip:
    values: dict[str, Maybe] = {name: override.value for name, override in winners.items()}
    post = "action" in winners and winners["action"].key.endswith("." + POST_DUMP_ACTION)
    action = values.get("action")
    if post and isinstance(action, str):
        values["action"] = releases.POST_DUMP_ACTIONS.get(action, action)
    return LegacySkip(generation, post_dump_action=post, **values)  # type: ignore[arg-type]


def _puts(settings: NewSkip, winners: Mapping[str, Override], total: int | None) -> tuple[_Put, ...]:
    homes: dict[Field, Override | None] = {
        "enable": winners.get("enable"),
        "steps": winners.get("dump_steps") or winners.get("max_dump_step"),
        "action": winners.get("action"),
        "dump_dir": winners.get("dump_dir"),
    }
    puts = []
    for name, home in homes.items():
        value = getattr(settings, name)
        if value is None:
            continue
        origin = None
        if isinstance(value, Through):
            origin = home.place if home and home.value == value.last else total
        puts.append(_Put(name, value, home.place if home else None, origin))
    return tuple(puts)


def _existing(path: Path) -> dict[Role, dict[str, Maybe]]:
    """New settings that reach the command already, by role."""
    found: dict[Role, dict[str, Maybe]] = {}
    for override in path:
        meaning = recognise(override.key)
        if meaning and meaning.kind == "new" and meaning.role:
            found.setdefault(meaning.role, {})[meaning.name] = override.value
    return found


def _difference(
    existing: dict[Role, dict[str, Maybe]],
    puts: tuple[_Put, ...],
    winners: Mapping[str, Override],
    decision: Decision,
) -> Remark | None:
    wanted: dict[str, object] = dict(MANAGER.defaults)
    for put in puts:
        kept = winners[put.field].value if put.value is KEPT else put.value
        wanted[put.field] = tuple(kept) if isinstance(kept, (list, tuple)) else kept
    for role, given in existing.items():
        values = dict(MANAGER.defaults) | {
            name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
        }
        if decision.on is False and not values["enable"]:
            continue
        for name in releases.FIELDS:
            if values[name] != wanted[name]:
                return Remark(
                    "old-and-new-differ",
                    f"{new_key(role, name)} and the old settings reach the same command and do not mean the same",
                    "remove the ones that are wrong, then run skipcfg migrate again",
                )
    return None


def _roles(settled: Iterable[_Settled]) -> tuple[Role, ...]:
    used = {role for one in settled for role in one.roles}
    return tuple(role for role in releases.ROLES if role in used)


def _clashing_roles(settled: list[_Settled]) -> Found | None:
    """An override that serves the fully asynchronous trainer and another one cannot mean both."""
    serves: dict[int, set[bool]] = {}
    for one in settled:
        for override in one.path:
            if _kind(override) == "old" and one.roles:
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


def _depends(settled: list[_Settled]) -> Found:
    remark = Remark(
        "depends-on-the-path",
        "the old settings come together differently from one run of this command to the next (an `if`, or commands "
        "that share them), and no rewriting in place means the same for all",
        "write the settings of each case together, in one place, then run skipcfg migrate again",
    )
    return Found(settled[0].host, Finding(remark, Severity.ERROR))


def _merge(settled: list[_Settled], prefer: str) -> _Places | None:
    """Every put at its place; None when two paths want different values at one place."""
    places: _Places = {}
    claimed = frozenset[int]().union(*(one.claimed for one in settled))
    for one in settled:
        for override in one.path:
            if _kind(override) == "old":
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
            if _kind(override) == "old" and override.place not in claimed and override.prefix != "~":
                for put in _overruled(override):
                    for role in one.roles:
                        if not _set(places[override.place], _Key(role, put.field), put.value, put.origin):
                            return None
    return places


def _end(one: _Settled, index: int) -> int:
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


def _overruled(override: Override) -> list[_Put]:
    """An override that a later one overrules on every path: translated by itself."""
    meaning = recognise(override.key)
    name = meaning.name if meaning else ""
    if name in ("enable", "dump_dir"):
        return [_Put(name, KEPT, None)]  # type: ignore[arg-type]
    if name == "max_dump_step" and isinstance(override.value, Opaque):
        return [_Put("steps", Through(override.value), None, override.place)]
    if name == "max_dump_step" and isinstance(override.value, int):
        return [_Put("steps", first_steps(override.value), None)]
    if name == "action" and override.value in NESTED.actions:
        return [_Put("action", KEPT if override.value in releases.SUPPORTED_ACTIONS else "repeat", None)]
    return []


def _holds(one: _Settled, places: _Places) -> bool:
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


def _same(got: tuple[New, int], put: _Put, total_steps: int | None) -> bool:
    value, place = got
    if put.value is KEPT:
        return value is KEPT and place == put.place
    if isinstance(put.value, tuple) and isinstance(value, tuple) and total_steps is not None:
        return [s for s in value if s <= total_steps] == [s for s in put.value if s <= total_steps]
    return value == put.value


_ORDER: dict[str, int] = {name: index for index, name in enumerate(("enable", "dump_dir", "steps", "action"))}


def _ordered(settled: list[_Settled], places: _Places) -> dict[int, tuple[NewOverride, ...]]:
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
