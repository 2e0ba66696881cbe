"""Check configs as verl 0.9 would, and find what it would accept and then ignore."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, cast

from skip_config import formats
from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at
from skip_config.releases import MANAGER, dotted
from skip_config.rules import Rule, all_rules, runtime_refuses
from skip_config.source import Source, Span
from skip_config.trainer import is_for_verl
from skip_config.view import MappingView, View

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from skip_config.formats.yaml.tree import Node

SKIP = MANAGER.place[0]


def validate_text(text: str, *, filename: str) -> list[Diagnostic]:
    """Check the text of one file.

    Args:
        text: The whole text; a leading U+FEFF is allowed.
        filename: Name of the file, which tells its kind; it need not exist.

    Returns:
        The findings by line. Nothing in the text makes it raise.
    """
    bom = text.startswith("\ufeff")
    return validate_source(Source(text[1:] if bom else text, filename, bom))


def validate_source(source: Source) -> list[Diagnostic]:
    """Check one file."""
    kind = formats.kind_of(source.filename, source.text)
    if kind is None:
        return []
    from skip_config.formats.embedded.check import check_embedded

    commands = check_embedded(source, kind)
    if kind != "yaml":
        return commands
    from skip_config.formats import yaml as yaml_format
    from skip_config.formats.yaml.loadable import unloadable
    from skip_config.formats.yaml.places import content
    from skip_config.formats.yaml.tree import UnreadableError, parse
    from skip_config.formats.yaml.view import YamlView

    try:
        documents = parse(source.text)
    except UnreadableError as error:
        return [yaml_format.unreadable(source, error)]
    found: list[Diagnostic] = commands
    for document in documents:
        root = content(document)
        if root is not None:
            found += _old_settings(source, yaml_format.old_keys(root, source))
            view = YamlView(root)
            stumbled = unloadable(root) if is_for_verl(view) else None
            found += _check(view, source) if stumbled is None else [_not_loaded(source, *stumbled)]
    return sorted(found, key=lambda one: (one.line or 0, one.column or 0))


def _not_loaded(source: Source, node: Node, why: str) -> Diagnostic:
    remark = Remark("cannot-load", f"OmegaConf cannot load this: {why}", "remove it, or write it as a plain value")
    return at(source, Span(node.start, node.end), remark, Severity.ERROR)


def _old_settings(source: Source, keys: list[tuple[str, tuple[int, int]]]) -> list[Diagnostic]:
    return [
        at(
            source,
            Span(*span),
            Remark(
                "old-setting",
                f"{name} is a setting of an older verl: verl 0.9 does not have it",
                f"skipcfg migrate {source.filename}",
            ),
            Severity.ERROR,
            key=name,
            fix=Fix.SAFE,
        )
        for name, span in keys
    ]


def _check(view: View, source: Source) -> list[Diagnostic]:
    if not is_for_verl(view):
        return []
    found = [diagnostic for rule in all_rules() for diagnostic in _findings(rule, view, source)]
    if not any(diagnostic.severity is Severity.ERROR for diagnostic in found):
        found += _findings(runtime_refuses.RULE, view, source)
    return found


def _findings(rule: Rule, view: View, source: Source) -> list[Diagnostic]:
    return [
        at(source, hit.span, Remark(rule.name, hit.message, hit.help or rule.mend), rule.severity, key=dotted(hit.path))
        for hit in rule.check(view)
    ]


def validate_config(cfg: DictConfig | Mapping[str, object]) -> list[Diagnostic]:
    """Check a composed config.

    Args:
        cfg: A `DictConfig` or a mapping. Interpolations are resolved where they can be.

    Returns:
        The findings, without positions. Nothing in the config makes it raise.
    """
    from omegaconf import DictConfig, ListConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from skip_config.legacy import Opaque

    if not isinstance(cfg, (Mapping, DictConfig)):
        message = f"the config is {type(cfg).__name__}, not a mapping"
        return [Diagnostic("wrong-type", Severity.ERROR, message, key=SKIP)]
    try:
        config = cfg if isinstance(cfg, DictConfig) else OmegaConf.create(dict(cfg))
    except (OmegaConfBaseException, ValueError) as error:
        message = str(error).splitlines()[0]
        return [Diagnostic("cannot-load", Severity.ERROR, f"OmegaConf refuses the config: {message}", key=SKIP)]

    def plain(node: object) -> object:
        if isinstance(node, DictConfig):
            return {str(key): plain(value(node, key)) for key in node}
        if isinstance(node, ListConfig):
            return [plain(value(node, index)) for index in range(len(node))]
        return node

    def value(node: DictConfig | ListConfig, key: Any) -> object:
        if OmegaConf.is_missing(node, key):
            return Opaque("???")
        try:
            return node[key]
        except OmegaConfBaseException as error:
            return Opaque(str(error).splitlines()[0])

    view = MappingView(cast("Mapping[object, object]", plain(config)))
    if not is_for_verl(view):
        return []
    unresolved = _unresolved(config) if SKIP in config.keys() else _NO_BLOCK  # noqa: SIM118 - `in` denies ???
    return [unresolved] if unresolved else _check(view, Source("", "config"))


_NO_BLOCK = Diagnostic(
    "skip-missing",
    Severity.ERROR,
    "the composed config has no skip block, which verl 0.9 reads unconditionally",
    key=SKIP,
    help="compose with verl 0.9's own defaults, or add the block: skipcfg generate writes it in full",
)


def _unresolved(config: DictConfig) -> Diagnostic | None:
    """What keeps the block from being resolved, as verl's entry points resolve it before the start."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    if OmegaConf.is_missing(config, SKIP):
        return None
    copy = deepcopy(config)
    OmegaConf.set_readonly(copy, False)
    try:
        block = copy[SKIP]
        if OmegaConf.is_config(block):
            OmegaConf.resolve(block)
    except OmegaConfBaseException as error:
        key = getattr(error, "full_key", None) or SKIP
        message = str(error).splitlines()[0]
        return Diagnostic(
            "unresolved-interpolation",
            Severity.ERROR,
            f"{key} cannot be resolved: {message}",
            key=str(key),
            help="set what the interpolation points at, or write the value itself",
        )
    return None
