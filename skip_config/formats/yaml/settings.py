"""The old settings of one document, brought together, and whether new ones already say the same."""

from __future__ import annotations

from dataclasses import dataclass

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.formats.yaml.nodes import Node, entries, select
from skip_config.formats.yaml.places import OldBlock, OldPlace, Pair, flat_block, nested_block
from skip_config.formats.yaml.scalars import holds_nothing, setting
from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.old_values import switch
from skip_config.releases import FLAT, MANAGER, NESTED, Field, Role
from skip_config.translate import KEPT, NewSkip

FIELD_OF = {
    "enable": "enable",
    "dump_dir": "dump_dir",
    "max_dump_step": "steps",
    "dump_steps": "steps",
    "action": "action",
}
"""Field of `LegacySkip` -> field of a role that takes its place."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Old settings of a document.

    Args:
        settings: The ones that count; None when only an empty block stands there.
        nodes: Key and value of each, by the name of its field in `LegacySkip`.
        problems: Why they cannot be translated, each with the node to point at.
        dropped: Keys of forks that are left out.
    """

    settings: LegacySkip | None
    nodes: dict[str, Pair]
    problems: tuple[tuple[Node, Remark], ...] = ()
    dropped: tuple[Pair, ...] = ()

    @property
    def keys(self) -> dict[int, str]:
        """Identity of a key -> the field of a role that takes its place."""
        return {id(key): FIELD_OF[name] for name, (key, _) in self.nodes.items() if name in FIELD_OF}


def gather(place: OldPlace) -> Gathered:
    """Bring the flat and the nested settings of a place together."""
    blocks: list[OldBlock] = []
    problems: list[tuple[Node, Remark]] = []
    if place.flat:
        blocks.append(flat_block(place))
    if place.nested:
        key, value = place.nested
        block = value.resolved()
        if block.kind == "mapping":
            found = nested_block(place)
            if found.nodes or found.unknown or found.dropped:
                blocks.append(found)
        elif not holds_nothing(block):
            problems.append((key, _not_a_block(place, block)))
    for one in blocks:
        problems += _problems(place, one)
    if not blocks:
        return Gathered(None, {}, tuple(problems))
    used = blocks[0]
    if len(blocks) == 2:
        states = [switch(one.settings.enable) for one in blocks]
        if states[0] is not False and states[1] is not False:
            problems.append((blocks[1].nodes["enable"][0], _both_on(place)))
        used = blocks[0] if states[0] is not False else blocks[1]
    dropped = tuple(pair for one in blocks for pair in one.dropped)
    return Gathered(used.settings, used.nodes, tuple(problems), dropped)


def _not_a_block(place: OldPlace, block: Node) -> Remark:
    name = releases.dotted((*place.absolute, releases.NESTED_BLOCK))
    return Remark(
        "old-value-refused",
        f"{name} is not a mapping ({block.kind} {block.value!r}): verl 0.8 refused that",
        f"set {name}.enable and what belongs to it, or remove the key",
    )


def _both_on(place: OldPlace) -> Remark:
    name = releases.dotted(place.absolute)
    return Remark(
        "two-generations",
        f"{name} has both {FLAT.keys['enable']} and {releases.NESTED_BLOCK}.{NESTED.keys['enable']} switched on; "
        "which one counted depends on the verl release",
        "remove the settings that your release did not read, then run skipcfg migrate again",
    )


def _problems(place: OldPlace, block: OldBlock) -> list[tuple[Node, Remark]]:
    problems = []
    for key, _ in block.unknown:
        name = releases.dotted((*place.absolute, releases.NESTED_BLOCK, key.value))
        problems.append(
            (
                key,
                Remark(
                    "no-counterpart",
                    f"{name} is not a setting of any verl release, and nothing in verl 0.9 corresponds to it",
                    "remove it, then run skipcfg migrate again",
                ),
            )
        )
    for node, why in block.broken:
        problems.append((node, Remark("old-value-refused", why, "mend the value, then run skipcfg migrate again")))
    return problems


# ------------------------------------------------------------- new settings


def new_value(name: Field, settings: NewSkip, gathered: Gathered) -> Maybe:
    """The value that a field of a role gets, MISSING when it is left out."""
    if name == "steps":
        return MISSING if settings.steps is None else list(settings.steps)  # type: ignore[arg-type]
    value = getattr(settings, name)
    if value is None:
        return MISSING
    return setting(gathered.nodes[name][1]) if value is KEPT else value


def existing_roles(root: Node) -> dict[Role, Node]:
    """The roles that the document's `skip` block already has, with their mappings."""
    block = select(root, *MANAGER.place)
    if block is None or block.kind != "mapping":
        return {}
    found = entries(block)
    return {role: found[role][1].resolved() for role in releases.ROLES if role in found}


def agrees(existing: Node, settings: NewSkip, gathered: Gathered) -> bool:
    """Whether a role that is already there says what the old settings say."""
    if existing.kind != "mapping":
        return False
    found = entries(existing)
    for name in releases.FIELDS:
        default: object = MANAGER.defaults[name]
        if name == "steps":
            default = list(MANAGER.defaults["steps"])  # type: ignore[call-overload]
        wanted = new_value(name, settings, gathered)
        try:
            there: Maybe = setting(found[name][1]) if name in found else MISSING
        except ValueError:
            return False
        if _plain(default if there is MISSING else there) != _plain(default if wanted is MISSING else wanted):
            return False
    return True


def _plain(value: object) -> object:
    return ("opaque", value.text) if isinstance(value, Opaque) else (type(value).__name__, value)
