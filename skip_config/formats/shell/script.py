"""What a shell script holds that overrides can come from: commands, variables, functions, comments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from skip_config.formats.shell.words import Token
from skip_config.source import Span


class Guard(NamedTuple):
    """A condition under which something runs: that `branch` of the `if`, `case` or `&&` at `node` is taken."""

    node: int
    branch: int


Guards = tuple[Guard, ...]


class Atom(NamedTuple):
    """A part of a command's argument list, or of a variable's value.

    Args:
        kind: `word`: a word, with `token` when it is an override. `variable`: what `text` holds.
            `arguments`: the positional parameters (`@`, `*` or a number in `text`). `output`: what a
            program prints.
        text: See `kind`; a word's text without quotes.
        at: Offset in the file.
        guards: Under which it is there, beside those of what it is part of.
        token: The override.
        quoted: Whether a variable stands in quotes, so that its value stays one word.
        word: The number of the word that it is part of, in its command.
    """

    kind: Literal["word", "variable", "arguments", "output"]
    text: str
    at: int
    guards: Guards = ()
    token: Token | None = None
    quoted: bool = False
    word: int = 0


class Command(NamedTuple):
    """A command: its words, the name first, and where it stands.

    Args:
        atoms: Name and arguments, in order; variables set for it (`A=b command`) come before.
        name: The name as written.
        at: Offset in the file.
        guards: Under which it runs.
        function: The function whose body it is in, or None.
    """

    atoms: tuple[Atom, ...]
    name: str
    at: int
    guards: Guards = ()
    function: str | None = None


class Definition(NamedTuple):
    """A value given to a variable; `@` for the positional parameters (`set --`).

    Args:
        name: The variable.
        appends: Whether it keeps what it had, and gets this added.
        atoms: The value.
        at: Offset in the file.
        guards: Under which it happens.
        function: The function whose body it stands in, or None.
        scalar: Whether the value is one text, and no array.
        element: Whether it is one element of an array, as in `a[0]=b`.
    """

    name: str
    appends: bool
    atoms: tuple[Atom, ...]
    at: int
    guards: Guards = ()
    function: str | None = None
    scalar: bool = False
    element: bool = False


@dataclass(slots=True)
class Script:
    """A script, read. Filled by `read`, and not changed afterwards.

    Args:
        commands: In the order of the file.
        definitions: By variable.
        functions: Names of the functions that the script defines.
        branches: For each node of a `Guard`, the number of its branches and whether one is always taken.
        comments: Places of the comments.
        broken: Places that the parser cannot read.
        flaws: The same, and places inside of words where something is missing or too much.
        unclosed: Places of quotes that are never closed.
        patterns: Places of commands whose arguments are patterns (`sed`, `grep`).
        prose: Places of text that is only printed.
        foreign: Places of text that is no list of arguments: conditions, code of other languages.
        texts: Variables that are set once, in any run, to a plain text.
    """

    commands: list[Command] = field(default_factory=list)
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    branches: dict[int, tuple[int, bool]] = field(default_factory=dict)
    comments: list[Span] = field(default_factory=list)
    broken: list[Span] = field(default_factory=list)
    flaws: list[Span] = field(default_factory=list)
    unclosed: list[Span] = field(default_factory=list)
    patterns: list[Span] = field(default_factory=list)
    prose: list[Span] = field(default_factory=list)
    foreign: list[Span] = field(default_factory=list)
    texts: dict[str, str | None] = field(default_factory=dict)
    _places: dict[int, list[Atom]] = field(default_factory=dict, init=False, repr=False)
    _holders: dict[int, list[Definition]] = field(default_factory=dict, init=False, repr=False)

    def atoms_at(self, place: int) -> list[Atom]:
        """The atoms of the override at a place: as many as the times that it is handed on."""
        if not self._places:
            for atom in self.atoms():
                if atom.token:
                    self._places.setdefault(atom.token.place, []).append(atom)
        return self._places.get(place, [])

    def holders_of(self, place: int) -> list[Definition]:
        """The definitions whose value the override at a place is part of."""
        if not self._holders and self.definitions:
            for definition in (one for definitions in self.definitions.values() for one in definitions):
                for at in dict.fromkeys(atom.token.place for atom in definition.atoms if atom.token):
                    self._holders.setdefault(at, []).append(definition)
        return self._holders.get(place, [])

    def atoms(self) -> list[Atom]:
        """Every atom of the script, in the order of the file."""
        found = [atom for command in self.commands for atom in command.atoms]
        found += [
            atom for definitions in self.definitions.values() for definition in definitions for atom in definition.atoms
        ]
        return sorted(found, key=lambda atom: atom.at)
