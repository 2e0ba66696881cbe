"""The configs that a file of the user stands for."""

from __future__ import annotations

from collections.abc import Sequence

from skip_config import formats
from skip_config.rollout_cache.config import Command, ConfigError, command_of_yaml
from skip_config.rollout_cache.script import commands_of_script
from skip_config.source import Source


def commands_in(source: Source, overrides: Sequence[str] = ()) -> list[Command]:
    """The configs of a YAML file or a launch script.

    Args:
        source: The file.
        overrides: Hydra overrides that are added.

    Raises:
        ConfigError: The file cannot be read, is of another kind, or launches nothing of interest.
    """
    kind = formats.kind_of(source.filename, source.text)
    if kind == "yaml":
        return [command_of_yaml(source, overrides)]
    if kind == "shell":
        return commands_of_script(source, overrides)
    raise ConfigError(f"{source.filename} is neither YAML nor a shell script: name one of these")
