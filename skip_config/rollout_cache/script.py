"""The configs that a launch script starts verl with: its overrides on verl's own primary config."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from skip_config import releases
from skip_config.formats.shell.reach import TooManyWordsError
from skip_config.formats.shell.variables import filled_in
from skip_config.releases import MANAGER
from skip_config.roles import is_fully_async
from skip_config.rollout_cache.config import DECIDING, Command, ConfigError, apply_override, defaults_of, over
from skip_config.source import Source

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from skip_config.formats.override_check import Command as Launched
    from skip_config.formats.override_check import Given

_CONFIG_OPTION: Final = re.compile(r"(?<!\S)(?:--config-(?:name|path|dir)|-c[npd])[= ]['\"]?([^\s'\"\\]+)")


def commands_of_script(source: Source, overrides: Sequence[str]) -> list[Command]:
    """A config for each way in which the script launches a trainer that has the manager.

    Raises:
        ConfigError: There is none, or what it gets cannot be followed.
    """
    from skip_config.formats.shell.check import commands_of
    from skip_config.formats.shell.read import read

    script = read(source, every=True)
    known = {variable: text for variable, text in script.texts.items() if text is not None}
    commands: list[Command] = []
    seen: list[object] = []
    try:
        launched = commands_of(script, DECIDING)
    except TooManyWordsError as error:
        raise ConfigError(f"the variables of a command in {source.filename} stand for {error}") from None
    for one in launched:
        if one.module != releases.MAIN_PPO and not is_fully_async(one.module):
            continue
        common = set.intersection(*({given.text for given in path} for path in one.paths or ((),)))
        for path in one.paths:
            identity = (one.module, [(given.text, given.opaque) for given in path])
            if identity not in seen:
                seen.append(identity)
                commands.append(_launched(source, one, path, overrides, known, common))
    if not commands:
        raise ConfigError(
            f"{source.filename} has no command that launches {releases.MAIN_PPO} or {releases.FULLY_ASYNC} "
            "with rollout-skip settings; name the script that does"
        )
    return commands


def _launched(
    source: Source,
    launch: Launched,
    path: Sequence[Given],
    overrides: Sequence[str],
    known: Mapping[str, str],
    common: Collection[str],
) -> Command:
    base = "fully_async_ppo_trainer" if is_fully_async(launch.module) else "ppo_trainer"
    remarks = []
    if launch.invisible:
        remarks.append(
            "arguments that the script is given ($@ and the like) are not visible here: add them as overrides"
        )
    options = [name for name in _CONFIG_OPTION.findall(source.text) if not defaults_of(name)]
    if options:
        remarks.append(
            f"the script names a config of its own ({', '.join(options)}), whose values are not visible here; "
            f"values of verl's {base} are taken in their place"
        )
    config = over(base, _empty(base))
    unknown: dict[str, str] = {}
    added = {override.lstrip("+~").partition("=")[0] for override in overrides}
    for given in path:
        text = given.text if given.opaque is None else _filled_in(given, known)
        unknown.pop(given.key, None)
        if text is not None:
            apply_override(config, text)
        elif given.opaque is not None and given.key not in added:
            unknown[given.key] = given.opaque.text
    for override in overrides:
        apply_override(config, override)
    places = [given.span for given in path if given.key.startswith(MANAGER.place[0])]
    line = source.position(places[0].start)[0] if places else 1
    own = " ".join(given.text for given in path if given.text not in common)
    where = f"line {line}" + (f" with {own}" if own else "")
    return Command(config, where, tuple(unknown.items()), tuple(remarks))


def _filled_in(given: Given, known: Mapping[str, str]) -> str | None:
    """The override with its variables written out, or None when the script does not set them to plain texts."""
    assert given.opaque is not None
    value = filled_in(given.opaque.text, known)
    return None if value is None else f"{given.prefix}{given.key}={value}"


def _empty(base: str) -> DictConfig:
    from omegaconf import OmegaConf

    return OmegaConf.create({"defaults": [base]})
