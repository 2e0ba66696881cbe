"""Values of YAML scalars as OmegaConf's loader reads them: `yes` is true, `010` is 8, `1e3` a float.

The rules are those of `omegaconf._utils.get_yaml_loader` (2.3; `omegaconf._yaml` since 2.4), a private
function that costs an import of OmegaConf: PyYAML's YAML 1.1 resolvers, with a wider float and without
dates. A test compares the two.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import yaml
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.resolver import Resolver

from skip_config.legacy import Opaque, Value
from skip_config.numbers import is_too_large

if TYPE_CHECKING:
    from skip_config.formats.yaml.nodes import Node

_FLOAT = re.compile(
    r"""^(?:
     [-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*(?:[eE][-+]?[0-9]+)?
    |[-+]?[0-9]+(?:_[0-9]+)*[eE][-+]?[0-9]+
    |\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?
    |[-+]?[0-9]+(?:_[0-9]+)*(?::[0-5]?[0-9])+\.[0-9_]*
    |[-+]?\.(?:inf|Inf|INF)
    |\.(?:nan|NaN|NAN))$""",
    re.X,
)
_PREFIX = "tag:yaml.org,2002:"
_STR = _PREFIX + "str"
_CONSTRUCTOR = SafeConstructor()


def _plain_tag(text: str) -> str:
    for tag, pattern in Resolver.yaml_implicit_resolvers.get(text[:1], ()):
        if tag != _PREFIX + "timestamp" and pattern.match(text):
            return str(tag)
    return _PREFIX + "float" if _FLOAT.match(text) else _STR


@lru_cache(maxsize=4096)
def _construct(tag: str, text: str) -> Any:
    construct = SafeConstructor.yaml_constructors.get(tag)
    if construct is None:
        raise ConstructorError(None, None, f"the tag {tag} is not allowed", None)
    return construct(_CONSTRUCTOR, yaml.ScalarNode(tag, text))


def scalar(node: Node) -> Any:
    """The Python value of a scalar node.

    Raises:
        ValueError: Its tag is not one that a safe loader constructs, or does not fit its text.
    """
    if node.tag is None or node.tag == "!":
        tag = _plain_tag(node.value) if node.style is None and node.tag is None else _STR
    else:
        tag = node.tag
    if tag == _STR:
        return node.value
    try:
        return _construct(tag, node.value)
    except (ConstructorError, ValueError, KeyError, AttributeError) as error:
        raise ValueError(f"{node.value!r} cannot be read as {tag.removeprefix(_PREFIX)}") from error


def is_text(plain: str) -> bool:
    """Whether a YAML text is a plain scalar that stands for itself: no number, no bool, no alias, no list."""
    return plain[:1] not in tuple("\"'[{*&!|>") and _plain_tag(plain) == _STR


def setting(node: Node) -> Value:
    """The value of a node as an old setting: interpolations and `???` become `Opaque`.

    Collections inside a list or a mapping are not followed (a setting never has them, and aliases
    could make them endless): an inner one is an empty mapping.

    Raises:
        ValueError: A scalar in it cannot be constructed, or is binary data.
    """
    node = node.resolved()
    if node.kind == "mapping":
        return {}
    if node.kind == "sequence":
        return [setting(item) if item.resolved().kind == "scalar" else {} for item in node.items]
    value = scalar(node)
    if is_too_large(value):
        return node.value
    if isinstance(value, str) and is_opaque(value):
        return Opaque(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        raise ValueError("binary data is no setting")
    return str(value)


def holds_nothing(node: Node) -> bool:
    """Whether a node is a null scalar; one whose tag no safe loader takes is something."""
    try:
        return node.kind == "scalar" and scalar(node) is None
    except ValueError:
        return False


def is_opaque(text: str) -> bool:
    """Whether a text is an interpolation or `???`: only the composed config knows its value."""
    return "${" in text or text == "???"
