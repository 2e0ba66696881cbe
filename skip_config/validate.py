"""Check configs as verl 0.9 would, and find what it would accept and then ignore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from skip_config import formats
from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at
from skip_config.releases import MANAGER, dotted
from skip_config.rules import all_rules
from skip_config.source import Source
from skip_config.trainer import is_for_verl
from skip_config.view import MappingView, View

if TYPE_CHECKING:
    from omegaconf import DictConfig


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
    if formats.kind_of(source.filename, source.text) != "yaml":
        return []
    from skip_config.formats import yaml as yaml_format
    from skip_config.formats.yaml.places import content
    from skip_config.formats.yaml.tree import UnreadableError, parse
    from skip_config.formats.yaml.view import YamlView

    try:
        documents = parse(source.text)
    except UnreadableError as error:
        return [yaml_format.unreadable(source, error)]
    found: list[Diagnostic] = []
    for document in documents:
        root = content(document)
        if root is not None:
            found += _old_settings(source, yaml_format.old_keys(root, source))
            found += _check(YamlView(root), source)
    return sorted(found, key=lambda one: (one.line or 0, one.column or 0))


def _old_settings(source: Source, keys: list[tuple[str, tuple[int, int]]]) -> list[Diagnostic]:
    from skip_config.source import Span

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
    found = []
    for rule in all_rules():
        for hit in rule.check(view):
            remark = Remark(rule.name, hit.message, hit.help or rule.mend)
            found.append(at(source, hit.span, remark, rule.severity, key=dotted(hit.path)))
    return found


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
        return [Diagnostic("wrong-type", Severity.ERROR, message, key=MANAGER.place[0])]
    config = cfg if isinstance(cfg, DictConfig) else OmegaConf.create(dict(cfg))

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
    return _check(view, Source("", "config"))
