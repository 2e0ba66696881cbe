"""What lies under a config file: the slice of verl's own defaults that the rules ask for."""

from __future__ import annotations

from skip_config import releases
from skip_config.releases import FIELDS, MANAGER, ROLES
from skip_config.trainer import has_other_layers, primary_config
from skip_config.view import LayeredView, MappingView, View, nested


def over_defaults(view: View) -> View:
    """A file over the primary config of verl 0.9 that its defaults list names.

    The file alone comes back when it names none, or other configs too: they may set anything.
    """
    name = primary_config(view)
    if name is None or has_other_layers(view):
        return view
    return LayeredView(view, base(name))


def base(name: str) -> MappingView:
    """The defaults of one of `releases.PRIMARY_CONFIGS`, as far as the rules ask for them.

    Args:
        name: Its name, without suffix.
    """
    role = {name: list(value) if isinstance(value, tuple) else value for name, value in MANAGER.defaults.items()}
    skip = {(*MANAGER.place, one, name): role[name] for one in ROLES for name in FIELDS}
    return MappingView(nested({**skip, **releases.PRIMARY_CONFIGS[name].defaults}), composed=False)
