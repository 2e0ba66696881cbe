"""The words of commands and the values of variables, down to what each one contributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from skip_config.formats.overrides import HINTS
from skip_config.formats.shell.programs import ECHOES
from skip_config.formats.shell.script import Atom, Command, Definition, Guard, Guards, Script
from skip_config.formats.shell.view import View
from skip_config.formats.shell.words import read_override
from skip_config.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LOST_CONTINUATION: Final = re.compile(r"\\[ \t]+(?:#[^\n]*)?(?=\n[ \t]+[+~]*['\"]?[A-Za-z_]\w*(?:\.[\w.@/-]+)+['\"]?=)")
"""A backslash that was to go on in the next line, and does not, for what follows it on its own."""

EXPANSIONS: Final = frozenset({"simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"})

_COMMENT_WORD: Final = re.compile(r"`#[^`\n]*`")
"""A comment between continued lines: a command substitution that holds nothing else."""

_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_SEVERAL: Final = re.compile(r"\s(?:\+{0,2}|~)[A-Za-z_]\w*(?:\.[\w@/-]+)+=", re.ASCII)
_PROGRAM: Final = re.compile(r"\s-m\s+[\w$.{}:-]+|\bpython|\.py\b|\.sh\b", re.ASCII)
_STARTS_MODULE: Final = re.compile(r"(?:^|\s)-m\s+[A-Za-z_]\w*(?:\.\w+)+|\S\.py(?:\s|$)", re.ASCII)
_DEEPEST: Final = 5


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


_MOST_OPEN: Final = 40
"""Lines on which a backtick has no partner; the parser's time doubles with every other one of some of them."""


class Reader:
    """Walks statements; what it finds goes into `script`."""

    def __init__(self, hints: tuple[str, ...], walk: Callable[[Reader, View, str | None], Arguments]) -> None:
        self.walk = walk
        self.hints = hints
        self.script = Script()
        self.conditions: dict[str, int] = {}
        self.depth = 0

    def read(self, view: View, guards: Guards, function: str | None, *, captured: bool = False) -> None:
        # Every character as one byte, so that offsets in bytes are offsets in characters; the shell takes
        # whatever is not ASCII for a part of a word, and so does this.
        data = view.text if view.text.isascii() else _NOT_ASCII.sub("x", view.text)
        if "`#" in data:
            comments = (word.span() for word in _COMMENT_WORD.finditer(data))
            self.script.comments += [view.span(start + 1, end - 1) for start, end in comments]
            data = _COMMENT_WORD.sub(lambda word: " " * len(word[0]), data)
        if "\\ " in data or "\\\t" in data:
            data = LOST_CONTINUATION.sub(lambda lost: " " * (len(lost[0]) - 1) + "\\", data)
        if data.count("`") > _MOST_OPEN and sum(line.count("`") % 2 for line in data.split("\n")) > _MOST_OPEN:
            self.script.unclosed.append(view.span(data.index("`"), data.index("`") + 1))
            data = data.replace("`", "x")
        self.depth += 1
        root = _parser().parse(data.encode()).root_node
        if root.has_error and (self.depth == 1 or any(hint in data for hint in HINTS)):
            self.flawed(view, root)
        self.walk(self, view, function).statement(root, guards, captured)
        self.depth -= 1

    def flawed(self, view: View, root: Node) -> None:
        """Note what the parser could not read; something that is missing, at what it is missing from."""
        for node in _flaws(root):
            whole = node.parent if node.is_missing and node.parent is not None else node
            place = view.span(whole.start_byte, whole.end_byte)
            self.script.flaws.append(place)
            if self.depth == 1 and node.is_missing and node.type in ("'", '"'):
                self.script.unclosed.append(place)

    def resolve(self, name: str) -> str | None:
        return self.script.texts.get(name)

    def unless(self, name: str, expansion: str) -> Guard:
        """The condition of `${name:+…}` or `${name:-…}`: the same for each use of the variable."""
        node = self.conditions.setdefault(name, -1 - len(self.conditions))
        self.script.branches[node] = (2, True)
        return Guard(node, 0 if name and "+" in expansion.partition(name)[2][:2] else 1)

    def define(self, definition: Definition, text: str | None) -> None:
        self.script.definitions.setdefault(definition.name, []).append(definition)
        texts = self.script.texts
        texts[definition.name] = None if definition.name in texts or definition.guards or definition.function else text


class Arguments:
    """The part of a walk over one view that takes words apart; statements come on top of it.

    Args:
        reader: Where findings go.
        view: The text.
        function: The function that the text stands in.
    """

    def __init__(self, reader: Reader, view: View, function: str | None) -> None:
        self.reader = reader
        self.script = reader.script
        self.view = view
        self.function = function
        self.guards: Guards = ()
        self.split = False

    def text(self, node: Node) -> str:
        return self.view.text[node.start_byte : node.end_byte]

    def at(self, node: Node) -> int:
        return self.view.starts[node.start_byte]

    def span(self, node: Node) -> Span:
        return self.view.span(node.start_byte, node.end_byte)

    def statement(self, node: Node, guards: Guards, captured: bool = False) -> None:
        """Walk a statement; `captured` when what it prints is used, not only shown."""
        raise NotImplementedError

    def word(self, node: Node, *, words: bool = False) -> list[Atom]:
        """The atoms of one word; `words` when it is the value of a variable, which may hold several."""
        start, end = node.start_byte, node.end_byte
        text = self.view.text[start:end]
        at = self.view.starts[start]
        if "$" not in text and "`" not in text and not any(hint in text for hint in self.reader.hints):
            bare = text.strip("'\"")
            if not (any(char in text for char in "'\"") and _PROGRAM.search(text)):
                return [Atom("word", bare, at)]
        if not (words and node.type in ("string", "raw_string")) and not _SEVERAL.search(text, 1):
            token = read_override(self.view, start, end, self.reader.resolve)
            if token is not None:
                return [Atom("word", text, at, token=token), *self.output(node)]
        return self.parts(node, words)

    def parts(self, node: Node, words: bool) -> list[Atom]:
        """The atoms of a word that is no override itself."""
        kind = node.type
        if kind in ("string", "raw_string"):
            return self.quoted(node, words)
        if kind == "simple_expansion":
            return [self.variable(self.text(node).lstrip("$"), node)]
        if kind == "expansion":
            return self.expansion(node)
        if kind == "command_substitution":
            return self.substitution(node)
        if kind == "concatenation":
            text = self.text(node).replace('"', "").replace("'", "")
            glued = self.glued(node)
            if glued:
                return glued
            whole = [] if any(hint in text for hint in self.reader.hints) else [Atom("word", text, self.at(node))]
            return [*whole, *(atom for child in node.named_children for atom in self.parts(child, words))]
        return [Atom("word", self.text(node), self.at(node))]

    def glued(self, node: Node) -> list[Atom]:
        """An override directly behind a variable, whose value ends in a blank: `"${OPTS}a.b=c"`."""
        first = node.named_children[0]
        if first.type not in ("expansion", "simple_expansion"):
            return []
        token = read_override(self.view, first.end_byte, node.end_byte, self.reader.resolve)
        if token is None or "." not in token.key:
            return []
        text = self.view.text[first.end_byte : node.end_byte]
        return [*self.parts(first, False), Atom("word", text, token.place, token=token)]

    def quoted(self, node: Node, words: bool) -> list[Atom]:
        text = self.text(node)
        inner = text[1:-1]
        if any(hint in inner for hint in self.reader.hints) or _PROGRAM.search(" " + inner):
            layer = "single" if node.type == "raw_string" else "double"
            verbatim = [Span(one.start_byte, one.end_byte) for one in node.named_children if one.type in EXPANSIONS]
            start, end = node.start_byte + 1, node.end_byte - 1
            view = self.view.inside(start, end, layer, verbatim, words)  # type: ignore[arg-type]
            if self.reader.depth < _DEEPEST:
                return self.text_inside(view, self.guards)
        atoms = [Atom("word", inner, self.at(node))] if "$" not in inner else []
        for child in node.named_children:
            if child.type in EXPANSIONS:
                atoms += [atom._replace(quoted=True) for atom in self.parts(child, words)]
        return atoms

    def text_inside(self, view: View, guards: Guards) -> list[Atom]:
        """Read a text as a script of its own; its words when it starts no program that is known."""
        commands = self.script.commands
        before, comments = len(commands), len(self.script.comments)
        self.reader.read(view, guards, self.function, captured=True)
        inner = commands[before:]
        if not view.words and any(_STARTS_MODULE.search(_plain_words(command)) for command in inner):
            return []
        if not view.words:
            del self.script.comments[comments:]  # a word that starts with # is a word
        del commands[before:]
        return [atom for command in inner for atom in command.atoms]

    def variable(self, name: str, node: Node) -> Atom:
        if name in ("@", "*") or name.isdigit():
            return Atom("arguments", name, self.at(node))
        return Atom("variable", name, self.at(node))

    def expansion(self, node: Node) -> list[Atom]:
        """`${name}`, and the words of `${name:+…}` and `${name:-…}`, which are there or not."""
        atoms: list[Atom] = []
        name = ""
        for child in node.named_children:
            if child.type in ("variable_name", "special_variable_name"):
                name = self.text(child)
                atoms.append(self.variable(name, node))
            elif child.type == "subscript":
                inner = child.child_by_field_name("name")
                atoms += [] if inner is None else [self.variable(self.text(inner), node)]
            elif child.type in ("word", "concatenation", "string", "raw_string", "expansion", "simple_expansion"):
                guard = self.reader.unless(name, self.text(node))
                atoms += [one._replace(guards=(*one.guards, guard)) for one in self.word(child)]
        return atoms

    def substitution(self, node: Node) -> list[Atom]:
        """What `$(echo …)` prints is known; what another program prints is not."""
        commands = self.script.commands
        before = len(commands)
        outer, self.split = self.split, True
        for child in node.named_children:
            self.statement(child, self.guards, True)
        self.split = outer
        inner = commands[before:]
        printed = [atom for command in inner if command.name in ECHOES for atom in command.atoms[1:]]
        if printed or inner:
            commands[before:] = [one for one in inner if one.name not in ECHOES]
        printed += [
            Atom("variable", f"{one.name}()", self.at(node))
            for one in inner
            if f"{one.name}()" in self.script.definitions
        ]
        return printed or [Atom("output", "", self.at(node))]

    def output(self, node: Node) -> list[Atom]:
        """Commands inside a value, as in `a.b=$(python3 …)`."""
        if "$(" in self.text(node) and any(hint in self.text(node).partition("$(")[2] for hint in self.reader.hints):
            for child in _substitutions(node):
                self.substitution(child)
        return []


def _plain_words(command: Command) -> str:
    return " ".join(atom.text for atom in command.atoms if atom.kind == "word")


def _flaws(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            yield node
        elif node.has_error:
            stack += reversed(node.children)


def _substitutions(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "command_substitution":
            yield child
        else:
            yield from _substitutions(child)
