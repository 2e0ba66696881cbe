"""What lies under a config file: the slice of verl's own defaults that the rules ask for."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from skip_config import defaults
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


@lru_cache(maxsize=8)
def base(name: str) -> MappingView:
    """The defaults of one of `releases.PRIMARY_CONFIGS`, as far as the rules ask for them.

    Args:
        name: Its name, without suffix.
    """
    return MappingView(cast("dict[object, object]", defaults.base(name)), composed=False)
