"""The config that a command about dumps was given: a file with overrides, or what Hydra composes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from skip_config import releases
from skip_config.diagnostics import Diagnostic
from skip_config.rollout_cache.config import Command, ConfigError, commands_in, composed
from skip_config.source import Source
from skipcfg.reading import decode


class Given(NamedTuple):
    """What the user named.

    Args:
        arguments: A file and overrides, or only overrides together with `config_name`.
        config_dir, config_name: For Hydra to compose.
    """

    arguments: Sequence[str]
    config_dir: str | None = None
    config_name: str | None = None


def commands(given: Given) -> list[Command]:
    """The configs that are meant.

    Raises:
        ConfigError: There is none.
    """
    if given.config_dir is not None or given.config_name is not None:
        if given.config_dir is None or given.config_name is None:
            raise ConfigError("--config-dir and --config-name go together")
        return [composed(Path(given.config_dir), given.config_name, given.arguments)]
    if not given.arguments:
        raise ConfigError("name a config file, or --config-dir and --config-name")
    return commands_in(source_of(given.arguments[0]), given.arguments[1:])


def source_of(name: str) -> Source:
    """Read a file.

    Raises:
        ConfigError: It cannot be read, or is not UTF-8.
    """
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{name}: {getattr(error, 'strerror', None) or error}") from error
    source = decode(data, name)
    if isinstance(source, Diagnostic):
        raise ConfigError(f"{name}: {source.message}")
    return source


def old_keys(command: Command) -> list[str]:
    """Old settings in the config, which verl 0.9 does not read, as an override would name them."""
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        rollout = OmegaConf.select(command.config, releases.dotted(releases.ROLLOUT_PLACE))
    except OmegaConfBaseException:
        return []
    if not isinstance(rollout, DictConfig):
        return []
    names = [str(key) for key in rollout]
    return [
        releases.dotted((*releases.ROLLOUT_PLACE, name))
        for name in names
        if name in releases.FLAT_KEYS or name == releases.NESTED_BLOCK
    ]
