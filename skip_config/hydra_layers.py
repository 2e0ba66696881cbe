"""Compose a config with Hydra itself, check it, and say which layer set each value last.

Hydra keeps no record of that. Its own config loader says in which order the layers come
(`compute_defaults_list`, the interface that `hydra --info defaults` prints); each layer is then read as
text, and the last one that writes a path is the one to point at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.yaml.places import content
from skip_config.formats.yaml.tree import UnreadableError, parse
from skip_config.formats.yaml.view import YamlView
from skip_config.releases import dotted
from skip_config.source import Source, Span

COMMAND_LINE = "<command line>"
"""Stands for the file of what an override set."""


class Found(NamedTuple):
    """A finding with the file that it is in."""

    path: str
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Layer:
    """One config file of a composed config, with the place at which Hydra put it."""

    source: Source
    view: YamlView


@dataclass(frozen=True, slots=True)
class Setter:
    """What set a value: a place in a file, or an override.

    Args:
        path: The file, or `COMMAND_LINE`.
        shown: For messages: `file:line`, or the override.
        source: The file's text.
        span: The place in it.
    """

    path: str
    shown: str
    source: Source | None = None
    span: Span | None = None


def compose(folder: str, name: str, overrides: Sequence[str]) -> list[Found]:
    """Compose a config and check it.

    Args:
        folder: Hydra's `--config-dir`.
        name: Hydra's `--config-name`.
        overrides: As on the command line.

    Returns:
        The findings. What stops Hydra is one of them.
    """
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    primary = os.path.join(folder, f"{name.removesuffix('.yaml')}.yaml")
    if not os.path.isdir(folder):
        return [_failed(primary, f"--config-dir {folder}: no such folder", None)]
    try:
        with initialize_config_dir(os.path.abspath(folder), **_version_base()):
            config = hydra_compose(name.removesuffix(".yaml"), list(overrides))
            loader = GlobalHydra.instance().config_loader()
            layers = _layers(loader, name.removesuffix(".yaml"), overrides)
    except (HydraException, OmegaConfBaseException, RecursionError) as error:
        return [_failed(primary, _reason(error), _nearest(error))]
    return _check(config, layers, overrides, primary)


def _version_base() -> dict[str, Any]:
    """Hydra 1.3 warns when `version_base` is left out, 1.4 when it is given."""
    import hydra

    return {"version_base": None} if hydra.__version__.startswith("1.3.") else {}


def _check(config: Any, layers: Sequence[Layer], overrides: Sequence[str], primary: str) -> list[Found]:
    from skip_config.validate import validate_config

    found = []
    for one in validate_config(config):
        path = tuple((one.key or "").split("."))
        setters = _setters(path, layers, overrides)
        found.append(_placed(one, setters, primary))
    return found


def _placed(one: Diagnostic, setters: Sequence[Setter], primary: str) -> Found:
    if not setters:
        return Found(primary, one)
    last, *others = reversed(setters)
    history = [f"set by the override {last.shown}"] if last.source is None else []
    history += [f"over {', '.join(setter.shown for setter in others)}"] if others else []
    message = f"{one.message} ({', '.join(history)})" if history else one.message
    remark = Remark(one.name, message, one.help)
    if last.source is None:
        return Found(last.path, Diagnostic(one.name, one.severity, message, key=one.key, help=one.help, fix=one.fix))
    return Found(last.path, at(last.source, last.span, remark, one.severity, key=one.key, fix=one.fix))


def _setters(path: tuple[str, ...], layers: Sequence[Layer], overrides: Sequence[str]) -> list[Setter]:
    """What set a path, or something around it, from the first to the last."""
    found = []
    for layer in layers:
        for length in range(len(path), 0, -1):
            span = layer.view.place(*path[:length])
            if span is not None:
                if length == len(path) or not isinstance(layer.view.value(*path[:length]), dict):
                    line, _ = layer.source.position(span.start)
                    name = layer.source.filename
                    found.append(Setter(name, f"{_short(name)}:{line}", layer.source, span))
                break
    name = dotted(path)
    for override in overrides:
        key = override.lstrip("+~").partition("=")[0].partition("@")[0]
        if key and (name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.")):
            found.append(Setter(COMMAND_LINE, override))
    return found


def _short(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def _layers(loader: Any, name: str, overrides: Sequence[str]) -> list[Layer]:
    from hydra.types import RunMode

    defaults = loader.compute_defaults_list(config_name=name, overrides=list(overrides), run_mode=RunMode.RUN)
    places = [element.path for element in loader.get_search_path().get_path() if element.path]
    layers = []
    for one in defaults.defaults:
        source = _read(places, one.config_path)
        if source is None:  # a structured config, or one of Hydra's own
            continue
        try:
            root = content(parse(source.text)[0]) if source.text.strip() else None
        except (UnreadableError, IndexError):
            continue
        if root is not None:
            package = tuple(part for part in (one.package or "").split(".") if part and part != "_global_")
            layers.append(Layer(source, YamlView(root, package)))
    return layers


def _read(places: Sequence[str], config: str | None) -> Source | None:
    """The text of a config, from the first place of the search path that has it."""
    if not config:
        return None
    for place in places:
        scheme, _, rest = place.rpartition("://")
        file: Any
        if scheme == "pkg":
            try:
                file = resources.files(rest.replace("/", ".")).joinpath(f"{config}.yaml")
            except ModuleNotFoundError:
                continue
        elif scheme in ("", "file"):
            file = Path(rest, f"{config}.yaml")
        else:
            continue
        if file.is_file():
            try:
                return Source.decode(file.read_bytes(), _short(str(file)))
            except (OSError, UnicodeDecodeError):
                return None
    return None


_MEND = "mend what Hydra names, then run skipcfg validate again"
_FROM_VERL = (
    "if it is one of verl's, add the override hydra.searchpath=[pkg://verl.trainer.config] where verl is installed, or "
    "hydra.searchpath=[file://DIR] with a folder that holds it"
)


def _failed(path: str, message: str, key: str | None) -> Found:
    remark = Remark("composition-failed", message, _FROM_VERL if "Could not load" in message else _MEND)
    return Found(path, at(Source("", path), None, remark, Severity.ERROR, key=key))


def _reason(error: BaseException) -> str:
    """Hydra's own words on one line, without its advice about environment variables."""
    if isinstance(error, RecursionError):
        return "Hydra cannot compose it: the configs include one another without end"
    if "Parent traversal" in str(error):
        import hydra

        return (
            f"hydra-core {hydra.__version__} refuses the '..' in defaults lists that verl's own configs have: "
            "use hydra-core 1.3 with verl"
        )
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    wanted = [line for line in lines if not line.startswith(("Set the environment", "Config search path", "provider="))]
    return f"Hydra cannot compose it: {'; '.join(wanted[:4])}" if wanted else f"Hydra: {type(error).__name__}"


def _nearest(error: BaseException) -> str | None:
    key = re.search(r"Could not (?:override|append|delete)[^']*'([\w.@/]+)'", str(error))
    return key[1] if key else None
