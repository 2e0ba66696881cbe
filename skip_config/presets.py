"""What the presets of the config group `skip` are made of, and the schema for the ConfigStore of a program.

A preset must not carry the classes of `schema` into verl: its skip manager merges `config.skip` over its
own dataclasses, and OmegaConf refuses any other class there (verl 0.9.1, `verl/utils/config.py`). So a
preset has typed fields in plain mappings. They also pickle without this package, for Ray's workers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skip_config import releases
from skip_config.releases import MANAGER

if TYPE_CHECKING:
    from hydra.core.config_store import ConfigStore
    from omegaconf import DictConfig
    from omegaconf.nodes import ValueNode

SCHEMA = "skip_config_schema"
"""Name of the schema in the ConfigStore."""


def register(store: ConfigStore | None = None, *, name: str = SCHEMA, group: str | None = None) -> None:
    """Store the schema of the `skip` block under a name of your own, for a program that is not verl's.

    Put it where your settings are with `- <name>@skip` (or `- <group>: <name>`) in a defaults list. In
    verl's own programs use the presets instead: its skip manager accepts no other classes than its own.

    Args:
        store: The store; `ConfigStore.instance()` when None.
        name: Name of the config.
        group: Config group that it belongs to, such as `skip`; none by default.
    """
    from hydra.core.config_store import ConfigStore

    from skip_config.schema import SkipManagerConfig

    (store or ConfigStore.instance()).store(name=name, node=SkipManagerConfig, group=group, provider="skip_config")


def build(name: str) -> DictConfig:
    """Build one of the configs that the Hydra plugin promises.

    Args:
        name: `skip_config_schema` (the dataclasses), `skip_config_types` (their types, no values) or
            `skip_config_defaults` (their types and defaults); the presets are made from the last two.

    Raises:
        ConfigCompositionException: The program composes a config of a verl before 0.9.
    """
    return _BUILDERS[name]()


def _schema() -> DictConfig:
    from omegaconf import DictConfig

    from skip_config.schema import SkipManagerConfig

    return DictConfig(SkipManagerConfig)


def _types() -> DictConfig:
    _refuse_old_verl()
    return _block(with_values=False)


def _defaults() -> DictConfig:
    return _block(with_values=True)


_BUILDERS: dict[str, Callable[[], DictConfig]] = {
    SCHEMA: _schema,
    "skip_config_types": _types,
    "skip_config_defaults": _defaults,
}


def _block(with_values: bool) -> DictConfig:
    """The block as plain mappings with typed leaves.

    Without values, merging it gives plain values their types and leaves them as they are. That matters
    for the lists: OmegaConf 2.3 takes over the element type of a list only from one without a value.
    """
    from omegaconf import MISSING, DictConfig, OmegaConf, StringNode

    from skip_config.schema import roles

    target = MANAGER.target if with_values else MISSING
    content: dict[str, object] = {"_target_": StringNode(target, is_optional=False)}
    for role, role_class in roles().items():
        defaults = role_class()
        fields = {name: _leaf(getattr(defaults, name), with_values) for name in releases.FIELDS}
        content[role] = DictConfig(fields, ref_type=dict[str, Any], is_optional=False)
    block = DictConfig(content)
    OmegaConf.set_struct(block, True)
    return block


def _leaf(default: object, with_value: bool) -> ValueNode | Any:
    from omegaconf import MISSING, BooleanNode, ListConfig, StringNode

    value: Any = default if with_value else MISSING
    if isinstance(default, bool):
        return BooleanNode(value, is_optional=False)
    if isinstance(default, list):
        return ListConfig(value, element_type=int, ref_type=list[int], is_optional=False)
    return StringNode(value, is_optional=False)


def _refuse_old_verl() -> None:
    """Raise when the program composes a config of a verl that has no `skip` block: it would be ignored."""
    from hydra.errors import ConfigCompositionException

    found = _old_verl()
    if found is not None:
        raise ConfigCompositionException(
            f"The presets of the group 'skip' need verl {MANAGER.since} or newer, and this program runs an older one "
            f"({found}): it reads {releases.dotted(releases.NESTED.place)} ({releases.NESTED.since}) or "
            f"{releases.dotted((*releases.FLAT.place, releases.FLAT.keys['enable']))} (before), and would ignore "
            f"{releases.dotted(MANAGER.place)}. Set the old keys, or upgrade verl."
        )


def _old_verl() -> Path | None:
    """Where the verl that this program uses lies, if it is one without the skip manager."""
    module = sys.modules.get("verl")
    packages = [Path(folder) for folder in getattr(module, "__path__", ())]
    folders = _config_folders()
    packages += [parent for folder in folders for parent in folder.parents]
    folders += [package / "trainer" / "config" for package in packages]
    return next((folder for folder in folders if _has_old_rollout(folder)), None)


def _config_folders() -> list[Path]:
    """The folders on the search path of the running program, as far as Hydra tells: without `hydra.searchpath`."""
    from hydra.core.global_hydra import GlobalHydra

    hydra = GlobalHydra.instance()
    if not hydra.is_initialized():
        return []
    return [Path(source.path) for source in hydra.config_loader().get_sources() if source.scheme() == "file"]


def _has_old_rollout(folder: Path) -> bool:
    file = folder / "rollout" / "rollout.yaml"
    if not file.is_file():
        return False
    text = file.read_text(encoding="utf-8", errors="replace")
    return any(key in text for key in (releases.FLAT.keys["enable"], releases.NESTED.keys["steps"]))
