"""The config that a command about dumps was given: a file with overrides, or what Hydra composes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from skip_config import releases
from skip_config.diagnostics import Diagnostic
from skip_config.files import reason
from skip_config.reading import read_regular
from skip_config.rollout_cache.commands import commands_in
from skip_config.rollout_cache.config import Command, ConfigError, composed
from skip_config.source import Source
from skipcfg.reading import decode
from skipcfg.streams import name


class Given(NamedTuple):
    """What the user named.

    Args:
        arguments: A file and overrides, or only overrides together with `config_name`.
        config_dir, config_name: For Hydra to compose.
    """

    arguments: Sequence[str]
    config_dir: str | None = None
    config_name: str | None = None

    @property
    def shown(self) -> str:
        """The config as the user would name it in the next command."""
        if self.config_dir is not None and self.config_name is not None:
            return f"--config-dir {_word(self.config_dir)} --config-name {_word(self.config_name)}"
        return _word(self.arguments[0]) if self.arguments else "CONFIG"

    @property
    def overrides(self) -> Sequence[str]:
        """What is given besides the file."""
        return self.arguments if self.config_name is not None else self.arguments[1:]

    @property
    def words(self) -> str:
        """The config with the overrides, as the user would write them in the next command."""
        return " ".join([self.shown, *map(_word, self.overrides)])


def _word(text: str) -> str:
    return shlex.quote(name(text))


def commands(given: Given) -> list[Command]:
    """The configs that are meant.

    Raises:
        ConfigError: There is none.
    """
    if given.config_dir is not None or given.config_name is not None:
        if given.config_dir is None or given.config_name is None:
            raise ConfigError("--config-dir and --config-name go together: add the other one")
        return [composed(Path(given.config_dir), given.config_name, given.arguments)]
    if not given.arguments:
        raise ConfigError("name a config file, or --config-dir and --config-name")
    return commands_in(source_of(given.arguments[0]), given.arguments[1:])


def source_of(path: str) -> Source:
    """Read a file.

    Raises:
        ConfigError: It cannot be read, or is not UTF-8.
    """
    try:
        data = read_regular(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {reason(error)}") from error
    source = decode(data, path)
    if isinstance(source, Diagnostic):
        raise ConfigError(f"{path}: {source.message}; {source.help}")
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
    keys = [str(key) for key in rollout]
    return [
        releases.dotted((*releases.ROLLOUT_PLACE, key))
        for key in keys
        if key in releases.FLAT_KEYS or key == releases.NESTED_BLOCK
    ]
