"""The tree that YAML is read into: positions, and the two parsers of PyYAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from skip_config.formats.yaml.nodes import Node, select
from skip_config.formats.yaml.tree import MAX_DEPTH, UnreadableError, parse
from tests.strategies import OldConfig, old_configs

GOLDEN = sorted((Path(__file__).parent / "golden").iterdir())


def shape(text: str, loader: Any) -> list[Any]:
    return [None if document.root is None else described(document.root) for document in parse(text, loader)]


def described(node: Node) -> tuple[Any, ...]:
    return (
        node.kind,
        node.start,
        node.end,
        node.value,
        node.style,
        node.flow,
        node.anchor,
        node.tag,
        [(described(key), described(value)) for key, value in node.pairs],
        [described(item) for item in node.items],
    )


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.removesuffix(".yaml"))
def test_both_parsers_agree_on_files(path: Path) -> None:
    """libyaml's parser and the one in Python give the same tree, with the same offsets."""
    text = path.read_bytes().decode().removeprefix("\ufeff")
    assert shape(text, yaml.CSafeLoader) == shape(text, yaml.SafeLoader)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
@given(old_configs())
def test_both_parsers_agree(config: OldConfig) -> None:
    """The same for generated layouts."""
    assert shape(config.text, yaml.CSafeLoader) == shape(config.text, yaml.SafeLoader)


SPANS = {
    "plain": ("a: b c # d\n", "b c"),
    "quoted": ("a: 'b # c'  # d\n", "'b # c'"),
    "with anchor and tag": ("a: &x !!str b # d\n", "&x !!str b"),
    "block text without the blank lines behind": ("a: |\n  b\n  c\n\n# d\n", "|\n  b\n  c"),
    "brackets": ("a: [b, {c: d}] # e\n", "[b, {c: d}]"),
    "block list, to its last item": ("a:\n- b\n- c # d\n# e\n", "- b\n- c"),
    "block mapping, to its last value": ("a:\n  b: c # d\n  # e\n", "b: c"),
    "null": ("a: # b\n", ""),
    "null of a key alone": ("? a\n\n# b\n? c\n", ""),
    "wide characters before": ("'😀': 1\na: 你好 # d\n", "你好"),
}


@pytest.mark.parametrize("name", SPANS)
def test_spans(name: str) -> None:
    """A node covers its own characters: anchor and tag with it, comments and blank lines behind it not."""
    text, wanted = SPANS[name]
    node = select(parse(text)[0].root, "a")
    assert node is not None
    assert text[node.start : node.end] == wanted


UNREADABLE = {
    "tab as indentation": ("a:\n\tb: 1\n", "cannot-parse", 3),
    "bracket that is never closed": ("a: [b\n", "cannot-parse", 6),
    "alias without anchor": ("a: *b\n", "cannot-parse", 3),
    "anchor twice": ("a: &x 1\nb: &x 2\n", "cannot-parse", 11),
    "key twice": ("a: 1\nb: 2\na: 3\n", "duplicate-key", 10),
    "key twice, quoted once": ("a: 1\n'a': 3\n", "duplicate-key", 5),
    "control character": ("a: \x01\n", "cannot-parse", 0),
    "too deep": ("[" * (MAX_DEPTH + 1), "cannot-parse", MAX_DEPTH),
    "too deep in blocks": ("".join(" " * i + "a:\n" for i in range(MAX_DEPTH + 2)), "cannot-parse", None),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable(name: str) -> None:
    """What OmegaConf could not load is refused, with its place."""
    text, kind, offset = UNREADABLE[name]
    with pytest.raises(UnreadableError) as caught:
        parse(text)
    assert caught.value.name == kind
    if offset is not None:
        assert caught.value.start == offset


def test_keys_of_other_types_may_repeat() -> None:
    """OmegaConf refuses a doubled text; `1` and `'1'` are two keys."""
    assert parse("1: a\n'1': b\n")[0].root is not None


def test_anchors_end_with_their_document() -> None:
    """The same anchor in two documents is two anchors."""
    assert len(parse("a: &x 1\n---\na: &x 2\n")) == 2
