"""Parse Python, and find the place of each node in the file's text."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from skip_config.source import Source, Span

_BLANKS: Final = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*)*")


class UnreadableError(Exception):
    """The text is not Python that this interpreter can parse.

    Args:
        message: What is wrong, in one line.
        offset: The place in the text.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed file.

    Args:
        source: The file.
        tree: Its syntax tree.
        nodes: Its nodes, parents first.
        parents: For each node, the one that it is part of.
    """

    source: Source
    tree: ast.Module
    nodes: list[ast.AST] = field(default_factory=list)
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)

    def span(self, node: ast.AST) -> Span:
        """The place of an expression or a statement, without parentheses around it."""
        return Span(
            self._offset(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self._offset(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def outer(self, node: ast.AST) -> Span:
        """The place of an element of a list or a dict, with the parentheses around it."""
        text = self.source.text
        span = self.span(node)
        while True:
            before = text[: span.start].rstrip()
            behind = _BLANKS.match(text, span.end)
            close = behind.end() if behind else span.end
            if not before.endswith("(") or text[close : close + 1] != ")":
                return span
            span = Span(len(before) - 1, close + 1)

    def text(self, node: ast.AST) -> str:
        """A node as the file writes it."""
        return self.source.text[slice(*self.span(node))]

    def _offset(self, line: int, column: int) -> int:
        start = self.source.line_starts[line - 1]
        if column == 0 or self.source.text.isascii():
            return start + column
        # Columns of `ast` count bytes of UTF-8; a line is at least as many bytes as characters.
        piece = self.source.text[start : start + column]
        return start + len(piece.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node is part of, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that a node is part of."""
        return next((one for one in (node, *self.ancestors(node)) if isinstance(one, ast.stmt)), None)


def parse(source: Source) -> Module:
    """Parse a file.

    Raises:
        UnreadableError: It is not Python of this interpreter's version.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the file's own, such as an invalid escape
            tree = ast.parse(source.text)
    except SyntaxError as error:
        line = min(max(error.lineno or 1, 1), len(source.line_starts))
        span = source.line_span(source.line_starts[line - 1])
        offset = min(span.start + max((error.offset or 1) - 1, 0), span.end)
        raise UnreadableError(f"not Python: {error.msg}", offset) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(f"not Python: {str(error) or type(error).__name__}", 0) from None
    module = Module(source, tree)
    module.nodes.append(tree)
    for node in module.nodes:  # grows while it is gone through
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.expr_context, ast.operator)):
                module.parents[child] = node
                module.nodes.append(child)
    return module
