"""The new `skip` block as YAML text that looks like the rest of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skip_config.formats.yaml.nodes import Document, Node, walk
from skip_config.formats.yaml.scalars import is_text
from skip_config.source import Source

_LINE_START = re.compile(r" *(?:\? +)?")


@dataclass(frozen=True, slots=True)
class Line:
    """One key of the block.

    Args:
        key: The key.
        value: Its value as YAML text; empty for a key with a block below it.
        above: Comments above it.
        behind: What stands behind the value, with its blanks.
        below: Keys inside it.
        last: Comments behind its last key.
    """

    key: str
    value: str = ""
    above: tuple[str, ...] = ()
    behind: str = ""
    below: tuple[Line, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """How a file is laid out.

    Args:
        indent: Blanks per level.
        newline: Line ending.
        spaced: Whether blank lines part its top-level keys.
        column: Column of its top-level keys, from 0.
    """

    indent: int = 2
    newline: str = "\n"
    spaced: bool = False
    column: int = 0


def style_of(source: Source, document: Document) -> Style:
    """Read the layout off a document."""
    root = document.root
    if root is None or root.kind != "mapping" or root.flow or not root.pairs:
        return Style(newline=source.newline)
    column = column_of(source, root.pairs[0][0]) or 0
    indent = 2
    for _, node in walk(root):
        if node.kind != "mapping" or node.flow:
            continue
        inner = next((v for _, v in node.pairs if v.kind == "mapping" and not v.flow and v.pairs), None)
        if inner is None:
            continue
        columns = column_of(source, inner.pairs[0][0]), column_of(source, node.pairs[0][0])
        if columns[0] is not None and columns[1] is not None:
            indent = columns[0] - columns[1]
            break
    spaced = any(
        _blank_between(source.text, before[1].end, after[0].start)
        for before, after in zip(root.pairs, root.pairs[1:], strict=False)
    )
    return Style(max(indent, 1), source.newline, spaced, column)


def column_of(source: Source, key: Node) -> int | None:
    """Column of a key of a block mapping, from 0; None when it does not stand first in its line.

    The `? ` of an explicit key belongs to it.
    """
    start = source.line_span(key.start).start
    before = source.text[start : key.start]
    if not _LINE_START.fullmatch(before):
        return None
    return len(before) - len(before.lstrip(" "))


def _blank_between(text: str, start: int, end: int) -> bool:
    lines = text[start:end].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return any(not line.strip() for line in lines[1:-1])


def render(lines: Iterable[Line], style: Style, level: int = 0) -> str:
    """The text of keys in block style, each line with its line ending."""
    pad = " " * (style.column + level * style.indent)
    inner = " " * (style.column + (level + 1) * style.indent)
    out: list[str] = []
    for line in lines:
        out += [f"{pad}{comment}{style.newline}" for comment in line.above]
        value = f" {line.value}" if line.value else ""
        out.append(f"{pad}{line.key}:{value}{line.behind}{style.newline}")
        out.append(render(line.below, style, level + 1))
        out += [f"{inner}{comment}{style.newline}" for comment in line.last]
    return "".join(out)


def render_flow(lines: Iterable[Line], *, as_json: bool = False) -> str:
    """The same keys in flow style on one line; comments cannot stand there."""
    parts = []
    for line in lines:
        value = f"{{{render_flow(line.below, as_json=as_json)}}}" if line.below else _flow_value(line.value, as_json)
        parts.append(f"{_flow_key(line.key, as_json)}: {value}")
    return ", ".join(parts)


def render_flow_lines(lines: Sequence[Line], style: Style, *, as_json: bool, comma: bool, level: int = 0) -> str:
    """The same keys in flow style, one on each line.

    Args:
        lines: The keys.
        style: `column` is that of the keys.
        as_json: Whether keys and texts are in double quotes.
        comma: Whether a comma follows the last one too.
        level: Depth of nesting.
    """
    pad = " " * (style.column + level * style.indent)
    out: list[str] = []
    for index, line in enumerate(lines):
        end = "," if comma or index + 1 < len(lines) else ""
        out += [f"{pad}{comment}{style.newline}" for comment in line.above]
        head = f"{pad}{_flow_key(line.key, as_json)}: "
        if not line.below:
            out.append(f"{head}{_flow_value(line.value, as_json)}{end}{line.behind}{style.newline}")
            continue
        out.append(f"{head}{{{line.behind}{style.newline}")
        out.append(render_flow_lines(line.below, style, as_json=as_json, comma=False, level=level + 1))
        inner = " " * (style.column + (level + 1) * style.indent)
        out += [f"{inner}{comment}{style.newline}" for comment in line.last]
        out.append(f"{pad}}}{end}{style.newline}")
    return "".join(out)


def _flow_key(key: str, as_json: bool) -> str:
    return f'"{key}"' if as_json else key


def _flow_value(value: str, as_json: bool) -> str:
    return json.dumps(value, ensure_ascii=False) if as_json and is_text(value) else value


def steps_text(steps: Sequence[int]) -> str:
    """A list of steps in flow style: two hundred lines of a diff say no more than one."""
    return f"[{', '.join(str(step) for step in steps)}]"


def quoted(value: str, *, flow: bool = False) -> str:
    """A text as a YAML scalar on one line, quoted where YAML 1.1 or the place needs it."""
    import io

    from ruamel.yaml import YAML
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    writer = YAML(typ="rt")
    writer.version = (1, 1)
    writer.width = 1 << 30
    writer.explicit_start = False
    out = io.StringIO()
    plain = not flow and "\n" not in value
    writer.dump([value if plain else DoubleQuotedScalarString(value)], out)
    return out.getvalue().partition("- ")[2].strip()
