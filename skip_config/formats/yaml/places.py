"""Where old and new settings stand in one YAML document, and what the document says about its trainer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.formats.yaml.nodes import Document, Node, entries, pair_of, select
from skip_config.formats.yaml.package import Package
from skip_config.formats.yaml.scalars import setting
from skip_config.formats.yaml.view import YamlView
from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.releases import FLAT, NESTED, NESTED_BLOCK
from skip_config.roles import Evidence
from skip_config.trainer import is_for_verl

Pair = tuple[Node, Node]


@dataclass(frozen=True, slots=True)
class OldPlace:
    """The mapping that holds old settings, and what it holds.

    Args:
        path: Keys from the root of the document to the mapping.
        absolute: The same from the root of the composed config.
        chain: The mappings from the root of the document to it, itself included.
        flat: The flat keys that it writes.
        nested: The pair of the nested block, or None.
        inherited: Key of an old setting that comes from a merge key or an alias above, so that it
            cannot be removed here; None when all are written here.
    """

    path: tuple[str, ...]
    absolute: tuple[str, ...]
    chain: tuple[Node, ...]
    flat: tuple[Pair, ...]
    nested: Pair | None
    inherited: Node | None = None

    @property
    def pairs(self) -> list[Pair]:
        """All pairs that hold old settings."""
        return [*self.flat, *([self.nested] if self.nested else [])]

    def name_of(self, node: Node) -> str:
        """The full name of the old setting whose key or value a node is; the place's own for any other node."""
        named = [*((releases.dotted((*self.absolute, pair[0].value)), pair) for pair in self.pairs), *self._in_block()]
        found = (name for name, pair in named if any(node is one for one in pair))
        return next(found, releases.dotted(self.absolute))

    @property
    def names(self) -> list[str]:
        """The full names of the old settings; of a block that holds none, its own."""
        inner = [name for name, _ in self._in_block()]
        pairs = self.flat if inner else self.pairs
        names = [*(releases.dotted((*self.absolute, key.value)) for key, _ in pairs), *inner]
        return [name for name in names if not name.endswith("._target_")] or names

    def _in_block(self) -> list[tuple[str, Pair]]:
        if not self.nested or self.nested[1].resolved().kind != "mapping":
            return []
        block = (*self.absolute, self.nested[0].value)
        return [
            (releases.dotted((*block, key.value)), (key, value))
            for key, value in entries(self.nested[1].resolved()).values()
        ]


def old_place(root: Node, package: Package) -> OldPlace | None:
    """Find old settings in a document: the first of `old_places`, or None."""
    return next(old_places(root, package), None)


def two_places(places: Sequence[OldPlace]) -> Remark:
    """What to tell about a document with old settings in two places, of which verl read one."""
    names = " and in ".join(releases.dotted(place.path) for place in places)
    return Remark(
        "old-settings-twice",
        f"old settings stand in {names}, and verl read one of the two",
        f"remove those that no run reads (verl up to 0.8 read {releases.dotted(releases.ROLLOUT_PLACE)}), then run "
        "skipcfg migrate again",
    )


def old_places(root: Node, package: Package) -> Iterator[OldPlace]:
    """Find all old settings in a document.

    Args:
        root: The document's content.
        package: Where Hydra places the document in the composed config.

    Yields:
        As far as old settings stand there: the root itself when its package puts it there,
        `actor_rollout_ref.rollout`, `rollout` at the root (the short form).
    """
    full = releases.ROLLOUT_PLACE
    # Away from its full path, `skip:` may as well be the manager's block, or another program's.
    candidates = [(full, True), (full[-1:], is_for_verl(YamlView(root)))]
    if package.path and full[: len(package.path)] == package.path:
        candidates.insert(0, (full[len(package.path) :], package.stated))
    for path, certain in candidates:
        found = _holder(root, path)
        if found is None:
            continue
        chain, shared = found
        place = _settings_in(chain[-1], path, full, chain, certain)
        if place and shared is not None:
            place = replace(place, inherited=shared)
        if place:
            yield place


def _holder(root: Node, path: tuple[str, ...]) -> tuple[tuple[Node, ...], Node | None] | None:
    """The mappings down to `path`, and the key at which an alias or a merge key leads elsewhere."""
    chain = [root]
    shared: Node | None = None
    for part in path:
        if chain[-1].kind != "mapping":
            return None
        own = pair_of(chain[-1], part)
        found = own or entries(chain[-1]).get(part)
        if found is None:
            return None
        key, value = found
        if own is None or value.kind == "alias":
            shared = shared or key
        chain.append(value.resolved())
    return (tuple(chain), shared) if chain[-1].kind == "mapping" else None


def _settings_in(
    mapping: Node, path: tuple[str, ...], absolute: tuple[str, ...], chain: tuple[Node, ...], certain: bool
) -> OldPlace | None:
    available = entries(mapping)
    flat = [available[key] for key in available if key in releases.FLAT_KEYS]
    nested = available.get(NESTED_BLOCK)
    if nested and not _is_old_block(nested[1].resolved(), path, certain or bool(flat)):
        nested = None
    if not flat and not nested:
        return None
    own = {id(key) for key, _ in mapping.pairs}
    merged = [key for key, _ in [*flat, *([nested] if nested else [])] if id(key) not in own]
    return OldPlace(path, absolute, chain, tuple(flat), nested, merged[0] if merged else None)


_COMMON_KEYS = frozenset({"enable", "action", "compress", "_target_"})
"""Keys of the old block that other programs have as well."""


def _is_old_block(block: Node, path: tuple[str, ...], certain: bool) -> bool:
    if path == releases.ROLLOUT_PLACE:
        return True
    known = releases.NESTED_KEYS if certain else releases.NESTED_KEYS - _COMMON_KEYS
    return block.kind == "mapping" and any(key in known for key in entries(block))


@dataclass(frozen=True, slots=True)
class OldBlock:
    """The settings of one generation, with the node that each came from.

    Args:
        settings: As values.
        nodes: Key and value of each, by the name of the field of `LegacySkip`.
        unknown: Keys that no release and no known fork has.
        dropped: Keys of forks that are left out without changing what is skipped.
        broken: Values that cannot be read, with why.
    """

    settings: LegacySkip
    nodes: dict[str, Pair]
    unknown: tuple[Pair, ...] = ()
    dropped: tuple[Pair, ...] = ()
    broken: tuple[tuple[Node, str], ...] = ()


def flat_block(place: OldPlace) -> OldBlock:
    """The flat settings of a place."""
    fields = {key: name for name, key in FLAT.keys.items()} | dict(releases.FLAT_DIALECT)
    return _block("flat", {key.value: (key, value) for key, value in place.flat}, dict(fields))


def nested_block(place: OldPlace) -> OldBlock:
    """The nested settings of a place."""
    assert place.nested is not None
    block = place.nested[1].resolved()
    fields: dict[str, str] = {key: key for key in NESTED.keys.values()} | dict(releases.NESTED_DIALECT)
    found = entries(block) if block.kind == "mapping" else {}
    return _block("nested", found, fields)


def _block(generation: Literal["flat", "nested"], found: dict[str, Pair], fields: dict[str, str]) -> OldBlock:
    nodes: dict[str, Pair] = {}
    unknown: list[Pair] = []
    dropped: list[Pair] = []
    for name, pair in found.items():
        if name == "_target_":
            continue
        if name not in fields:
            unknown.append(pair)
        elif fields[name] == "compress":
            dropped.append(pair)
        elif fields[name] not in nodes or name == fields[name]:  # a released key wins over a fork's
            nodes[fields[name]] = pair
    values: dict[str, Maybe] = {}
    broken: list[tuple[Node, str]] = []
    for name, (_, value) in nodes.items():
        try:
            values[name] = setting(value)
        except ValueError as error:
            broken.append((value, str(error)))
    action = nodes.get("action")
    from_fork = action is not None and action[0].value == "post_dump_action"
    if from_fork and isinstance(values.get("action"), str):
        values["action"] = releases.POST_DUMP_ACTIONS.get(str(values["action"]), values["action"])
    settings = LegacySkip(generation, post_dump_action=from_fork, **values)
    return OldBlock(settings, nodes, tuple(unknown), tuple(dropped), tuple(broken))


def evidence(root: Node) -> Evidence:
    """What a document says about the trainer that runs it."""
    use_v1 = _value(root, releases.USE_V1)
    return Evidence(
        async_training=select(root, *releases.ASYNC_TRAINING) is not None,
        use_v1=use_v1 if isinstance(use_v1, (bool, Opaque)) else None,
    )


def total_steps(root: Node) -> int | None:
    """T, when the document states it as a number."""
    value = _value(root, releases.TOTAL_STEPS)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _value(root: Node, path: tuple[str, ...]) -> Maybe:
    node = select(root, *path)
    if node is None or node.kind != "scalar":
        return MISSING
    try:
        return setting(node)
    except ValueError:  # another program's tag: nothing that could be compared
        return MISSING


def content(document: Document) -> Node | None:
    """The root mapping of a document, or None when it is something else."""
    return document.root if document.root is not None and document.root.kind == "mapping" else None


def is_old(path: Sequence[str]) -> bool:
    """Whether a path in the composed config is one of an old setting."""
    place = releases.ROLLOUT_PLACE
    if tuple(path[: len(place)]) != place or len(path) == len(place):
        return False
    return path[len(place)] in releases.FLAT_KEYS or path[len(place)] == releases.NESTED_BLOCK
