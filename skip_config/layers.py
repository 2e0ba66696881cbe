"""What lies under a config file: the slice of verl's own defaults that the rules ask for."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

from skip_config import defaults, releases
from skip_config.trainer import has_other_layers, primary_config
from skip_config.view import LayeredView, MappingView, View


def over_defaults(view: View) -> View:
    """A file over the primary config of verl 0.9 that its defaults list names.

    The file alone comes back when it names none, or other configs too: they may set anything.
    """
    name = primary_config(view)
    if name is None or has_other_layers(view):
        return view
    return LayeredView(view, base(name))


_UNLISTED = MappingProxyType(
    {
        releases.HYBRID_ENGINE: True,
        (*releases.SAMPLER, "custom_sampler", "path"): None,
        (*releases.SAMPLER, "custom_sampler", "name"): None,
        (*releases.REWARD_MODEL, "enable"): False,
        (*releases.REWARD_MODEL, "enable_resource_pool"): False,
    }
)
"""Defaults of verl 0.9.0 and 0.9.1 that rules ask for and the generated files leave out."""


@lru_cache(maxsize=8)
def base(name: str) -> MappingView:
    """The defaults of one of `releases.PRIMARY_CONFIGS`, as far as the rules ask for them.

    Args:
        name: Its name, without suffix.
    """
    values: dict[object, object] = {}
    values.update(defaults.base(name))
    for path, value in _UNLISTED.items():
        node = values
        for part in path[:-1]:
            node = node.setdefault(part, {})  # type: ignore[assignment]
        node[path[-1]] = value
    return MappingView(values, composed=False)
