"""A composed config as plain containers: resolved as far as the config itself goes, and no further."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from skip_config.legacy import Opaque
from skip_config.view import MAX_ITEMS, MappingView

if TYPE_CHECKING:
    from omegaconf import DictConfig

MAX_DEPTH = 200
MAX_VALUES = 500_000
"""Levels and values that are read; verl's own config has 9 levels and 1,000 values."""

_RESOLVER = re.compile(r"\$\{\s*([\w.]+)\s*:")
_PURE = frozenset({"oc.select", "oc.create", "oc.dict.keys", "oc.dict.values"})
"""Resolvers that ask nothing outside the config."""

_MARK = re.compile("\ue000(\\d+);")
"""Stands for a value that is not to be looked up, wherever interpolations carry it."""


class TooLargeError(ValueError):
    """A config has more levels or values than are read."""


def plain_view(cfg: DictConfig | Mapping[str, object]) -> MappingView:
    """The view of a composed config.

    Args:
        cfg: A `DictConfig` or a mapping. What cannot be resolved, or is not to be, becomes an `Opaque`.

    Raises:
        TooLargeError: It is beyond `MAX_DEPTH` or `MAX_VALUES`.
    """
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    reader = _Reader()
    try:
        raw: object = OmegaConf.to_container(cfg, resolve=False) if isinstance(cfg, DictConfig) else cfg
        guarded = reader.guard(raw, MAX_DEPTH)
        try:
            config = OmegaConf.create(guarded)
        except (OmegaConfBaseException, ValueError):  # something that OmegaConf cannot hold: nothing is resolved
            config = None
        return MappingView(reader.resolve(config, guarded, MAX_DEPTH))
    except RecursionError:
        raise TooLargeError(f"nested deeper than {MAX_DEPTH} levels") from None


@dataclass(slots=True)
class _Reader:
    """Reads one config.

    Args:
        texts: What the marks stand for.
        count: Values read so far.
    """

    texts: list[str] = field(default_factory=list)
    count: int = 0

    def guard(self, node: object, depth: int) -> Any:
        """A copy in which nothing that asks the environment can be resolved."""
        self.count += 1
        if self.count > MAX_VALUES:
            raise TooLargeError(f"more than {MAX_VALUES} values")
        if depth == 0:
            raise TooLargeError(f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(node, Mapping):
            return {str(key): self.guard(value, depth - 1) for key, value in node.items()}
        if isinstance(node, (list, tuple)):
            return [self.guard(item, depth - 1) for item in node[:MAX_ITEMS]]
        if isinstance(node, str):
            if any(name not in _PURE for name in _RESOLVER.findall(node)):
                self.texts.append(node)
                return f"\ue000{len(self.texts) - 1};"
            return node
        if node is None or isinstance(node, (bool, int, float)):
            return node
        return {}  # bytes, paths and other objects: as wrong for a setting as a mapping

    def resolve(self, node: Any, raw: object, depth: int) -> Any:
        """The values of a container of OmegaConf's, or of `raw` itself where there is none."""
        if isinstance(raw, dict):
            return {key: self._value(node, key, value, depth) for key, value in raw.items()}
        if isinstance(raw, list):
            return [self._value(node, index, value, depth) for index, value in enumerate(raw)]
        return self._named(raw)

    def _value(self, node: Any, key: Any, raw: object, depth: int) -> object:
        if isinstance(raw, (dict, list)):
            return self.resolve(None if node is None else node[key], raw, depth)
        if raw == "???":
            return Opaque("???")
        if not isinstance(raw, str) or "${" not in raw:
            return self._named(raw)
        if node is None or depth == 0:
            return Opaque(raw)
        from omegaconf import OmegaConf
        from omegaconf.errors import OmegaConfBaseException

        try:
            value = node[key]
            if OmegaConf.is_config(value):  # the interpolation of a whole mapping
                inner = OmegaConf.to_container(value, resolve=False)
                self.count += 1
                return self.resolve(value, inner, min(depth - 1, 20))
            return self._named(value)
        except (OmegaConfBaseException, RecursionError, ValueError):
            return Opaque(raw)

    def _named(self, value: object) -> object:
        if isinstance(value, str) and _MARK.search(value):
            return Opaque(_MARK.sub(lambda match: self.texts[int(match[1])], value))
        return value


class Refused(NamedTuple):
    """Why a block is refused once its interpolations are resolved.

    Args:
        name: `unresolved-interpolation` or `wrong-type`.
        path: The key below the block.
        message: What OmegaConf or `__post_init__` says, in one line.
    """

    name: str
    path: tuple[str, ...]
    message: str


def refused_once_resolved(cfg: DictConfig, key: str) -> Refused | None:
    """Why verl refuses a block whose interpolations it resolves first, or None.

    Its entry points call `OmegaConf.resolve` before the manager converts the block. Here a block that
    takes a value from outside the config is resolved, and not converted.

    Args:
        cfg: The composed config.
        key: The block's key at its root.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from skip_config.schema import SkipManagerConfig

    reader = _Reader()
    name = "unresolved-interpolation"
    try:
        config = OmegaConf.create(reader.guard(OmegaConf.to_container(cfg, resolve=False), MAX_DEPTH))
        block = config[key]
        if not OmegaConf.is_config(block) or not block:
            return None
        OmegaConf.resolve(block)
        name = "wrong-type"
        if not _MARK.search(json.dumps(OmegaConf.to_container(block), default=str, ensure_ascii=False)):
            plain = OmegaConf.create(OmegaConf.to_container(block))  # detached, as the manager has it
            OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(SkipManagerConfig), plain))
    except (OmegaConfBaseException, ValueError) as error:
        path = (getattr(error, "full_key", None) or "").partition("[")[0].split(".")
        below = tuple(part for part in path if part and part != key)
        return Refused(name, below, str(error).splitlines()[0])
    return None
