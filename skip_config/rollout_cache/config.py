"""Get the composed config that a command starts with: from a YAML file, a launch script, or Hydra.

A file of its own seldom says everything. What stands behind it is filled in where it is certain (verl's
own primary config, named in the defaults list or launched by the script), and named where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from skip_config import defaults, releases
from skip_config.releases import MANAGER, Role, dotted
from skip_config.rollout_cache import layout
from skip_config.source import Source

if TYPE_CHECKING:
    from omegaconf import DictConfig


MOST_NODES: Final = 200_000
"""Nodes of a config with its aliases written out; verl's largest has about 1,500."""


class ConfigError(Exception):
    """There is no config to work with. The text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Command:
    """One config, and how far it can be trusted.

    Args:
        config: The config.
        where: What it stands for when a file holds several, such as `line 12`; else empty.
        unknown: Key -> its value as the script has it, which only the shell knows.
        remarks: What is not visible in the file.
    """

    config: DictConfig
    where: str = ""
    unknown: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()


def composed(config_dir: Path, config_name: str, overrides: Sequence[str] = ()) -> Command:
    """Compose a primary config with Hydra, as the launched program would.

    Raises:
        ConfigError: Hydra cannot compose it.
    """
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    if not config_dir.is_dir():
        raise ConfigError(f"--config-dir {config_dir}: no such folder; name the one that holds {config_name}")
    try:
        with initialize_config_dir(str(config_dir.resolve()), version_base=None):
            return Command(compose(config_name.removesuffix(".yaml"), overrides=list(overrides)))
    except (HydraException, OmegaConfBaseException, ValueError, RecursionError) as error:
        raise ConfigError(f"Hydra cannot compose {config_name}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# ------------------------------------------------------------------------- YAML


def command_of_yaml(source: Source, overrides: Sequence[str]) -> Command:
    """The config that a YAML file stands for, over verl's defaults where it names them.

    Raises:
        ConfigError: It cannot be read, or does not fit onto the defaults.
    """
    own = load_yaml(source)
    bases = _bases(own)
    base = next((name for name in bases if defaults_of(name)), None)
    others = [name for name in bases if name != "_self_" and not defaults_of(name)]
    remarks = []
    if others:
        remarks.append(
            f"it builds on {', '.join(others)}, whose values are not visible here: "
            "skipcfg plan --config-dir DIR --config-name NAME composes everything"
        )
    config = over(base, own)
    for override in overrides:
        apply_override(config, override)
    if base is None:
        absent = [dotted(path) for path in _NAMING if _absent(config, path)]
        if absent:
            remarks.append(
                f"{', '.join(absent)}: not set here, so verl's own fallback counts; if the run gets "
                "them from elsewhere, add them as overrides, or compose with --config-dir and --config-name"
            )
    return Command(config, remarks=tuple(remarks))


_NAMING: Final = (
    layout.EXPERIMENT_NAME,
    layout.PROJECT_NAME,
    releases.TRAIN_BATCH_SIZE,
    layout.ROLLOUT_N,
    layout.PROMPT_LENGTH,
    layout.RESPONSE_LENGTH,
)


DECIDING: Final = frozenset(
    dotted(path)
    for path in (
        *_NAMING,
        releases.GEN_BATCH_SIZE,
        releases.USE_V1,
        releases.TRAINER_MODE,
        layout.FILTER_ENABLE,
        layout.REFILL,
    )
)
"""Keys that decide where the dumps lie, beside those of `skip` itself."""


def _absent(config: DictConfig, path: tuple[str, ...]) -> bool:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        return OmegaConf.select(config, dotted(path), default=_ABSENT) is _ABSENT
    except OmegaConfBaseException:
        return False


_ABSENT: Final = object()


def load_yaml(source: Source) -> DictConfig:
    """A YAML file as OmegaConf loads it.

    Raises:
        ConfigError: It cannot, or the file is no mapping, or its aliases make it endless.
    """
    import yaml
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from skip_config.formats.yaml.scalars import setting
    from skip_config.formats.yaml.tree import UnreadableError, parse

    try:
        documents = [document for document in parse(source.text) if document.root is not None]
    except UnreadableError as error:
        line, column = source.position(error.start)
        raise ConfigError(f"{source.filename}:{line}:{column}: {error.message}") from error
    if len(documents) > 1:
        raise ConfigError(f"{source.filename} holds {len(documents)} documents, and Hydra reads files of one")
    if documents and _written_out(documents[0].root) > MOST_NODES:
        raise ConfigError(f"{source.filename}: its aliases stand for more than {MOST_NODES} values")
    root = documents[0].root if documents else None
    if root is not None and root.kind != "mapping" and not (root.kind == "scalar" and setting(root) is None):
        raise ConfigError(f"{source.filename} holds no keys with values, so it is no config: name another file")
    try:
        config = OmegaConf.create(source.text)
    except (OmegaConfBaseException, yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"{source.filename}: OmegaConf cannot load it: {_first_line(error)}") from error
    assert isinstance(config, DictConfig)
    return config


def _written_out(root: Any) -> int:
    """Number of nodes with every alias followed."""
    sizes: dict[int, int] = {}

    def size(node: Any) -> int:
        node = node.resolved()
        if id(node) not in sizes:
            sizes[id(node)] = MOST_NODES  # a loop of aliases comes back here
            children = [child for pair in node.pairs or () for child in pair] + list(node.items or ())
            sizes[id(node)] = 1 + sum(size(child) for child in children)
        return sizes[id(node)]

    return size(root)


def _bases(config: DictConfig) -> list[str]:
    from omegaconf import OmegaConf

    entries = cast("dict[str, object]", OmegaConf.to_container(config, resolve=False)).get("defaults")
    return [one.lstrip("/") for one in entries if isinstance(one, str)] if isinstance(entries, list) else []


def defaults_of(primary: str) -> dict[str, Any]:
    """What one of verl's primary configs sets; empty for any other config.

    Without what the file itself has to say: the `skip` block, and whether it chooses a trainer.
    """
    try:
        found = defaults.base(primary)
    except KeyError:
        return {}
    found.pop(MANAGER.place[0], None)
    found[releases.USE_V1[0]].pop(releases.USE_V1[1], None)
    return found


def over(base: str | None, own: DictConfig) -> DictConfig:
    """A config over the defaults of one of verl's primary configs, or alone."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    if base is None:
        return own
    try:
        return cast("DictConfig", OmegaConf.merge(defaults_of(base), own))
    except (OmegaConfBaseException, TypeError) as error:
        raise ConfigError(f"it does not fit onto verl's {base}: {_first_line(error)}") from error


def unknown_for(command: Command, role: Role) -> list[tuple[str, str]]:
    """The values that a role's dumps depend on and that only the shell knows."""
    own = dotted((*MANAGER.place, role))
    return [
        (key, text)
        for key, text in command.unknown
        if key in DECIDING or key == own or key.startswith(own + ".") or key.endswith("." + layout.SYNC_STEP)
    ]


# -------------------------------------------------------------------- overrides


def apply_override(config: DictConfig, text: str) -> None:
    """Let one Hydra override take effect on a config of a file."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        override = OverridesParser.create().parse_override(text)
        if override.is_sweep_override():
            raise ConfigError(f"{text}: Hydra takes this for several runs; give one value, or a list in brackets")
        key = override.key_or_group
        if override.is_delete():
            parent, _, last = key.rpartition(".")
            holder = OmegaConf.select(config, parent) if parent else config
            if holder is not None and last in holder:
                del holder[last]
            return
        if "/" in key or "@" in key:
            return  # a choice of a config group: what it brings is not visible here
        OmegaConf.update(config, key, cast("Any", override.value()), merge=True, force_add=True)
    except (HydraException, OmegaConfBaseException, TypeError, AttributeError) as error:
        advice = "" if "=" in text or text.startswith("~") else "; write KEY=VALUE"
        raise ConfigError(f"{text}: Hydra cannot apply it: {_first_line(error)}{advice}") from error
