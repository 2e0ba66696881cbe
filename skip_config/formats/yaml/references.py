"""Where interpolations that point at old settings point after the move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.formats.yaml import interpolation
from skip_config.formats.yaml.nodes import Node
from skip_config.formats.yaml.places import OldPlace
from skip_config.formats.yaml.settings import Gathered
from skip_config.releases import MANAGER, Field, Role
from skip_config.translate import KEPT, NewSkip


@dataclass(frozen=True, slots=True)
class References:
    """Where interpolations that point at old settings point afterwards."""

    place: OldPlace
    roles: Sequence[Role]
    settings: NewSkip | None
    gathered: Gathered

    def absolute(self, path: Sequence[str]) -> tuple[str, ...]:
        """A path in the document as a path in the composed config."""
        short = self.place.path
        if tuple(path[: len(short)]) == short:
            return (*self.place.absolute, *path[len(short) :])
        return tuple(path)

    def new(self, path: Sequence[str]) -> str | None:
        """The new node for an old one: None when it is not old, empty when there is none."""
        absolute = self.absolute(path)
        if absolute[: len(releases.ROLLOUT_PLACE)] != releases.ROLLOUT_PLACE:
            return None
        rest = absolute[len(releases.ROLLOUT_PLACE) :]
        if not rest or not (rest[0] in releases.FLAT_KEYS or rest[0] == releases.NESTED_BLOCK):
            return None
        generation = releases.FLAT if rest[0] in releases.FLAT_KEYS else releases.NESTED
        key = rest[0] if generation is releases.FLAT else ".".join(rest[1:])
        for name, old_key in generation.keys.items():
            if key == old_key and name != "steps" and self.roles and self._same(name):
                return f"{MANAGER.place[0]}.{self.roles[0]}.{name}"
        return ""

    def _same(self, name: Field) -> bool:
        if self.settings is None:
            return False
        value = getattr(self.settings, name)
        return value is KEPT or (value is None and name != "dump_dir")

    def moved(self, text: str, node: Node) -> str:
        """The text of a value that moves: relative references become absolute."""
        path = self._path_of(node)

        def replace(target: tuple[str, ...], relative: bool) -> str | None:
            new = self.new(target)
            return new or (releases.dotted(target) if relative else None)

        return interpolation.rewrite(text, path, replace)

    def lost(self, text: str, node: Node) -> bool:
        """Whether a value that moves refers to an old setting that nothing takes the place of."""
        return any(self.new(target) == "" for target in interpolation.references(text, self._path_of(node)))

    def _path_of(self, node: Node) -> tuple[str, ...]:
        for key, value in self.gathered.nodes.values():
            if value is node:
                flat = any(key is one for one, _ in self.place.flat)
                return (*self.place.absolute, *(() if flat else (releases.NESTED_BLOCK,)), key.value)
        return self.place.absolute


def points_at_old(text: str) -> Remark:
    """An interpolation that points at a node which verl 0.9 does not have, without one in its place."""
    return Remark(
        "interpolation-to-old-setting",
        f"{text!r} points at an old setting, and no key of verl 0.9 holds that value",
        "write the value out, or point it at skip.<role>.<field>",
    )
