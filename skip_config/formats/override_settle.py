"""One way in which a command may run: its old overrides put together, decided, and assigned to places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from skip_config import releases
from skip_config.decide import Decision, Finding, decide
from skip_config.diagnostics import Remark, Severity
from skip_config.formats.overrides import POST_DUMP_ACTION, Meaning, Override, new_key, recognise
from skip_config.legacy import LegacySkip, Maybe, Opaque
from skip_config.old_values import switch
from skip_config.releases import FLAT, MANAGER, NESTED, Field, Role
from skip_config.request import Request
from skip_config.roles import Evidence
from skip_config.translate import KEPT, Kept, NewSkip, Through

Path = tuple[Override, ...]


"""The overrides that reach a command in one run, in order."""

New = bool | str | tuple[int, ...] | Through | Kept


class Found(NamedTuple):
    """A finding, and the place of the override that it is about."""

    place: int
    finding: Finding


class Put(NamedTuple):
    """A value for a field, and the place of the old override that should carry it (None: any)."""

    field: Field
    value: New
    place: int | None
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
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
    puts: tuple[Put, ...]
    roles: tuple[Role, ...]
    claimed: frozenset[int]
    host: int
    on: bool | None
    total_steps: int | None
    satisfied: bool


def kind_of(override: Override) -> str | None:
    """The kind of a key, see `Meaning`; None for one without."""
    meaning = recognise(override.key)
    return meaning.kind if meaning else None


def settle(
    path: Path, module: str | None, request: Request, config: str | None = None
) -> tuple[Settled | None, list[Found]]:
    """Decide what one path's settings become.

    Args:
        path: The overrides, in order.
        module: What the command launches, when the file shows it.
        request: What the user asked.
        config: The config that the command names, unless it is one of verl's own.

    Returns:
        None when there are no old settings or a person has to decide; and what to tell.
    """
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
        return Settled(path, (), (), everywhere, first, False, None, False), told
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
    written = _defaults_written(generation, puts, winners) if config and decision.on is not False else None
    if written:
        told.append(Found(host, Finding(_may_hide(written, config), Severity.WARNING)))
    number = total_steps if isinstance(total_steps, int) else request.total_steps
    claimed = frozenset(override.place for override in winners.values())
    existing = _existing(path)
    if existing:
        differing = _difference(existing, puts, winners, decision)
        if differing:
            return None, [*told, Found(host, Finding(differing, Severity.ERROR))]
    return Settled(path, puts, decision.roles, claimed, host, decision.on, number, bool(existing)), told


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
                f"{override.key} sets the whole block at once, and its settings go to places of their own",
                f"write one override per setting, as in {override.key}.enable=True, then run skipcfg migrate again",
            )
            found.append(Found(override.place, Finding(remark, Severity.ERROR)))
        elif meaning.name in ("enable", "max_dump_step", "action") and _is_sweep(override.value):
            remark = Remark(
                "old-setting-in-sweep",
                f"{override.key} is swept over ({override.value}), and each of its values becomes something else",
                "write the sweep with the keys of skip.rollout_tq, or one command for each value",
            )
            found.append(Found(override.place, Finding(remark, Severity.ERROR)))
    return found


_SWEEP: Final = re.compile(r"[^\s,]+(?:,[^\s,]+)+\Z|(?:choice|range|interval|glob|tag|shuffle|sort)\(.*\)\Z")


def _is_sweep(value: Maybe) -> bool:
    """Whether Hydra runs a command once for each of several values."""
    return isinstance(value, str) and _SWEEP.match(value) is not None


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
    return next((one for one in reversed(path) if kind_of(one) == kind and one.prefix != "~"), None)


def _evidence(path: Path, module: str | None) -> Evidence:
    use_v1 = _last(path, "use-v1")
    state = switch(use_v1.value) if use_v1 else None
    known = state if isinstance(state, bool) else Opaque("trainer.use_v1")
    asynchronous = any(kind_of(override) == "async" for override in path)
    return Evidence(module, asynchronous, None if use_v1 is None else known)


def _legacy(generation: str, winners: Mapping[str, Override]) -> LegacySkip:
    values: dict[str, Maybe] = {name: override.value for name, override in winners.items()}
    post = "action" in winners and winners["action"].key.endswith("." + POST_DUMP_ACTION)
    action = values.get("action")
    if post and isinstance(action, str):
        values["action"] = releases.POST_DUMP_ACTIONS.get(action, action)
    return LegacySkip(generation, post_dump_action=post, **values)  # type: ignore[arg-type]


def _puts(settings: NewSkip, winners: Mapping[str, Override], total: int | None) -> tuple[Put, ...]:
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
        puts.append(Put(name, value, home.place if home else None, origin))
    return tuple(puts)


def _defaults_written(
    generation: str, puts: tuple[Put, ...], winners: Mapping[str, Override]
) -> tuple[str, Field] | None:
    """The old key whose default is written out, for want of it in the command, and the field that gets it."""
    given = {put.field for put in puts}
    if generation == "nested" and "steps" in given and not winners.keys() & {"max_dump_step", "dump_steps"}:
        return NESTED.keys["steps"], "steps"
    if generation == "flat" and "dump_dir" in given and "dump_dir" not in winners:
        return FLAT.keys["dump_dir"], "dump_dir"
    return None


def _may_hide(written: tuple[str, Field], config: str | None) -> Remark:
    key, field = written
    return Remark(
        "default-written",
        f"this command does not set {key}, so its old default is written as {field}, "
        f"and that hides what the config {config} says of it",
        f"if {config} sets {key}, remove the new {field} from this command",
    )


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
    puts: tuple[Put, ...],
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
