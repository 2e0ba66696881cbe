"""What a YAML file means, read with OmegaConf's own loader and nothing of skipcfg."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import yaml
from omegaconf import OmegaConf

FLAT = ("skip_rollout", "skip_dump_dir", "skip_use_default_dir")


def loader() -> Any:
    """The loader class that OmegaConf uses, wherever its version keeps it."""
    try:
        from omegaconf._utils import get_yaml_loader
    except ImportError:
        from omegaconf._yaml import get_yaml_loader
    return get_yaml_loader()


def documents(text: str) -> list[Any]:
    """The documents of a text. Raises `yaml.YAMLError` where OmegaConf could not load it."""
    return list(yaml.load_all(text.removeprefix("\ufeff"), Loader=loader()))


def loads(text: str) -> bool:
    """Whether OmegaConf takes every document of a text."""
    try:
        for document in documents(text):
            OmegaConf.create(document if isinstance(document, (dict, list)) else {})
    except Exception:
        return False
    return True


def elsewhere(document: Any) -> Any:
    """A document without its old and new rollout-skip settings, and without parents that they leave empty."""
    if not isinstance(document, dict):
        return document
    document = deepcopy(document)
    document.pop("skip", None)
    for path in (("actor_rollout_ref", "rollout"), ("rollout",)):
        _clean(document, path)
    return in_order(document)


def in_order(value: Any) -> Any:
    """A value whose comparison also sees the order of keys, and the types of numbers."""
    if isinstance(value, dict):
        return [(in_order(key), in_order(one)) for key, one in value.items()]
    if isinstance(value, list):
        return ["list", *(in_order(one) for one in value)]
    return (type(value).__name__, repr(value))


def _clean(parent: dict[str, Any], path: tuple[str, ...]) -> None:
    child = parent.get(path[0])
    if not isinstance(child, dict) or not child:
        return
    if path[1:]:
        _clean(child, path[1:])
    else:
        for key in (*FLAT, "skip"):
            child.pop(key, None)
    if not child:
        del parent[path[0]]
