"""What a command gets from its input: pipelines, here-documents and here-strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skip_config.formats.shell.arguments import EXPANSIONS, Arguments
from skip_config.formats.shell.programs import ECHOES, FEEDS, READERS, RUNNERS
from skip_config.formats.shell.script import Atom, Definition, Guards
from skip_config.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_DATA_FILE: Final = re.compile(r"\.(?:ya?ml|json|py|md|txt|toml|cfg|ini)\W*$", re.IGNORECASE)


class Input(Arguments):
    """The part of a walk that follows text from one command into another."""

    def _definition(
        self, name: str, appends: bool, atoms: tuple[Atom, ...], node: Node, guards: Guards, scalar: bool = False
    ) -> Definition:
        return Definition(name, appends, atoms, self.at(node), guards, self.function, scalar)

    def pipeline(self, node: Node, guards: Guards, captured: bool) -> None:
        stages = node.named_children
        first = len(self.script.commands)
        for index, stage in enumerate(stages):
            following = {self.name_of(one) for one in stages[index + 1 :]}
            before = len(self.script.commands)
            self.statement(stage, guards, captured or bool(following & RUNNERS))
            if self.name_of(stage) in FEEDS and len(self.script.commands) > before:
                self.feed(first)

    def feed(self, first: int) -> None:
        """Hand what earlier stages of a pipeline print to the `xargs` that was read last."""
        commands = self.script.commands
        *earlier, last = commands[first:]
        printed = [atom for command in earlier if command.name in ECHOES for atom in command.atoms[1:]]
        commands[first:] = [command for command in earlier if command.name not in ECHOES]
        commands.append(last._replace(atoms=(*last.atoms, *printed)))

    def name_of(self, node: Node) -> str:
        while node.type in ("redirected_statement", "negated_command", "list") and node.named_children:
            node = node.named_children[0]
        name = node.child_by_field_name("name") if node.type == "command" else None
        return self.text(name) if name is not None else ""

    def redirected(self, node: Node, guards: Guards, captured: bool) -> None:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.named_children if body is None or child.id != body.id]
        target = next(
            (self.text(one) for one in redirects if one.type == "file_redirect" and _writes(self.text(one))), ""
        )
        before = len(self.script.commands)
        if body is not None:
            self.statement(body, guards, captured or bool(target))
        name = self.name_of(body) if body is not None else ""
        for redirect in redirects:
            if redirect.type == "heredoc_redirect":
                self.heredoc(redirect, name, target, guards, captured)
            elif redirect.type == "herestring_redirect" and redirect.named_children:
                self.supply(name, before, self.word(redirect.named_children[0], words=True), redirect, guards)

    def heredoc(self, node: Node, name: str, target: str, guards: Guards, captured: bool) -> None:
        before = len(self.script.commands)
        start = body = None
        for child in node.named_children:
            if child.type == "heredoc_start":
                start = child
            elif child.type == "heredoc_body":
                body = child
            elif child.type == "file_redirect":
                target = target or (self.text(child) if _writes(self.text(child)) else "")
            elif child.type not in ("heredoc_end", "file_descriptor"):
                # What stands behind `<<EOF` on its line hangs below the redirection.
                self.statement(child, guards, captured)
                names = {self.name_of(one) for one in (child, *child.named_children)}
                name = next((one for one in FEEDS if one in names), name)
                captured = captured or bool(names & RUNNERS)
        if start is None or body is None:
            return
        if name == "tee":
            target = "> file"
        if name in ("cat", "tee") and not target and not captured:
            self.script.prose.append(self.span(body))
            return
        if name.startswith("python") or _DATA_FILE.search(target):
            self.script.foreign.append(self.span(body))
            return
        quoted = any(char in self.text(start) for char in "'\"\\")
        name = name or next((one.name for one in reversed(self.script.commands) if one.name in READERS), "")
        words = name in FEEDS or name in READERS or (captured and not target and name == "cat")
        verbatim = [Span(child.start_byte, child.end_byte) for child in body.named_children if child.type in EXPANSIONS]
        layer = None if quoted else "heredoc"
        inner = self.view.inside(body.start_byte, body.end_byte, layer, verbatim, words)  # type: ignore[arg-type]
        self.supply(name, before - 1, self.text_inside(inner, guards), node, guards)

    def supply(self, name: str, command: int, atoms: list[Atom], node: Node, guards: Guards) -> None:
        """Give a command what it reads from its input."""
        commands = self.script.commands
        if name in READERS and commands:
            reader = next((one for one in reversed(commands) if one.name == name), commands[-1])
            variable = next((atom.text for atom in reversed(reader.atoms) if atom.kind == "word"), "")
            self.reader.define(self._definition(variable, False, tuple(atoms), node, guards), None)
        elif atoms and commands:
            index = len(commands) - 1
            commands[index] = commands[index]._replace(atoms=(*commands[index].atoms, *atoms))


def _writes(redirect: str) -> bool:
    return bool(re.match(r"(?:1|&)?>{1,2}\|?\s*[^&\s]", redirect)) and "/dev/" not in redirect
