"""A folder that holds verl: its release, and which generation of settings it reads. Nothing of it is imported."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from skip_config.releases import FLAT, MANAGER, NESTED, SHIPPED_CONFIG, Generation


class Verl(NamedTuple):
    """A verl that a program here would import.

    Args:
        version: Its release; None where neither its metadata nor its own file says.
        folder: Of the package.
    """

    version: str | None
    folder: Path


def installed() -> Verl | None:
    """The verl that `import verl` would find, or None; it may be installed or a source tree on the path."""
    spec = find_spec("verl")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        return None
    folder = Path(places[0])
    try:
        return Verl(version("verl"), folder)
    except PackageNotFoundError:
        return Verl(_own_version(folder), folder)


def _own_version(folder: Path) -> str | None:
    try:
        return (folder / "version" / "version").read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):  # a tree without that file: its release is not known
        return None


def shipped_config(folder: Path) -> dict[str, object]:
    """The composed config that a verl ships.

    Args:
        folder: Of the package `verl`.

    Raises:
        OSError, ValueError: It is not there, or is no YAML mapping.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        found = yaml.load(folder.joinpath(*SHIPPED_CONFIG).read_bytes(), Loader=loader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    if not isinstance(found, dict):
        raise ValueError(f"{SHIPPED_CONFIG[-1]} is no mapping")
    return found


def generation_of(config: Mapping[str, object]) -> Generation | None:
    """The generation whose settings a composed config has: the keys tell, not the version.

    `0.8.0.dev` was the version of both flat and nested trees, `0.9.0.dev` of nested and manager ones.
    """
    for generation in (MANAGER, NESTED):
        block = at(config, generation.place)
        if isinstance(block, Mapping) and block:
            return generation
    rollout = at(config, FLAT.place)
    return FLAT if isinstance(rollout, Mapping) and set(FLAT.defaults) & set(rollout) else None


def at(config: object, path: tuple[str, ...]) -> object:
    """The value at a path, or None."""
    for part in path:
        config = config.get(part) if isinstance(config, Mapping) else None
    return config
