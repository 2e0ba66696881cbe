"""Which overrides reach which command: variables, arrays and functions followed, branch by branch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from skip_config.formats.launched import config_of, module_of
from skip_config.formats.override_plan import Launch
from skip_config.formats.override_settle import Path
from skip_config.formats.overrides import Override, hydra_value, recognise
from skip_config.formats.shell.programs import SILENT
from skip_config.formats.shell.script import Atom, Command, Definition, Guard, Guards, Script
from skip_config.formats.shell.words import Token
from skip_config.legacy import Maybe, Opaque
from skip_config.numbers import whole

_VARIABLE: Final = re.compile(r'"?\$(?:\{(\w+)\}|(\w+))"?\Z', re.ASCII)
_MOST_PATHS: Final = 64
_DEEPEST: Final = 12
_END: Final = 1 << 60

Moment = tuple[int, int]
"""When something happens: the offset of the call that leads there, and its own."""


MOST_WORDS: Final = 10_000
"""Words that one command may get: some systems take fewer, and variables that double each other make any number."""


class TooManyWordsError(Exception):
    """The variables of a command stand for more words than any command gets.

    Args:
        at: Offset of the command in the file.
    """

    def __init__(self, at: int) -> None:
        super().__init__(f"more than {MOST_WORDS:,} words")
        self.at = at


class Frame(NamedTuple):
    """The call of a function: its arguments, and when and where it happens."""

    arguments: tuple[Atom, ...]
    moment: Moment
    caller: Frame | None
    guards: Guards


@dataclass(frozen=True, slots=True)
class Reached:
    """A launch and the overrides that reach it.

    Args:
        launch: For the plan.
        at: Offset of the command in the file; None when no command of the file gets them.
        invisible: Whether more arguments come from outside the script.
    """

    launch: Launch
    at: int | None
    invisible: bool = False


def launches(
    script: Script, *, every: bool = False, deciding: Collection[str] = (), most: int = MOST_WORDS
) -> list[Reached]:
    """Every command that settings reach, and what no command of the script gets.

    Args:
        script: The script.
        every: Whether the paths hold every override, and not only those that bear on a migration.
        deciding: Further keys for whose sake the ways in which a command may run are told apart.
        most: Words of one command.

    Raises:
        TooManyWordsError: A command would get more.
    """
    reach = _Reach(script, every, deciding, most)
    found = [one for command in script.commands for one in reach.command(command)]
    reached = {override.place for one in found for path in one.launch.paths for override in path}
    old = [one for one in found if any(_matters(override) for path in one.launch.paths for override in path)]
    return old + reach.left_over(reached, found)


def surroundings(script: Script) -> tuple[str | None, Path]:
    """What the script shows about text of its that no command gets: see `launches`."""
    reach = _Reach(script)
    return reach.context([one for command in script.commands for one in reach.command(command)])


def _moves(override: Override) -> bool:
    meaning = recognise(override.key)
    return meaning is not None and meaning.kind in ("old", "new")


def _matters(override: Override) -> bool:
    meaning = recognise(override.key)
    return meaning is not None and meaning.kind in ("old", "gen-batch-size", "new")


class _Reach:
    def __init__(
        self, script: Script, every: bool = False, deciding: Collection[str] = (), most: int = MOST_WORDS
    ) -> None:
        self.script = script
        self.every = every
        self.deciding = deciding
        self.most = self.left = most
        self.timed: dict[str, list[tuple[Moment, int]]] = {}
        self.calls: dict[str, list[Command]] = {name: [] for name in script.functions}
        for command in script.commands:
            if command.name in self.calls:
                self.calls[command.name].append(command)

    # ---------------------------------------------------------------- moments

    def frames(self, function: str | None, depth: int = 0) -> list[Frame | None]:
        """Each way in which a function's body comes to run; [None] for the script itself."""
        if function is None or depth > 3:
            return [None]
        found: list[Frame | None] = []
        for call in self.calls.get(function, ())[:8]:
            if call.function == function:
                continue
            for caller in self.frames(call.function, depth + 1)[:4]:
                guards = (*call.guards, *(caller.guards if caller else ()))
                found.append(Frame(call.atoms[1:], self.moment(call.at, caller), caller, guards))
        return found or [None]

    @staticmethod
    def moment(at: int, frame: Frame | None) -> Moment:
        return (frame.moment[0] if frame else at, at)

    def moment_of(self, command: Command, frame: Frame | None) -> Moment:
        """When a command runs; a function that the script never calls by name may run at its end."""
        if command.function is not None and frame is None:
            return (_END, command.at)
        return self.moment(command.at, frame)

    def defined(self, definition: Definition) -> Moment:
        frame = self.frames(definition.function)[0] if definition.function else None
        return self.moment(definition.at, frame)

    # -------------------------------------------------------------- expansion

    def expand(
        self,
        atoms: Iterable[Atom],
        moment: Moment,
        frame: Frame | None,
        taken: Mapping[int, int] | None,
        depth: int = 0,
        guards: Guards = (),
        busy: frozenset[str] = frozenset(),
    ) -> Iterator[tuple[Atom, Guards]]:
        """Replace variables and arguments by what they hold.

        Args:
            atoms: What to expand.
            moment: When; later definitions do not count.
            frame: The call of the function that it happens in.
            taken: The branch taken at each node; None to follow all branches at once.
            depth, guards, busy: Of the recursion.

        Raises:
            TooManyWordsError: It would come to too many.
        """
        for atom in atoms:
            self.left -= 1
            if self.left < 0:
                raise TooManyWordsError(atom.at)
            mine = (*guards, *atom.guards)
            if taken is not None and not _active(atom.guards, taken):
                continue
            if atom.kind == "arguments" and frame is not None:
                number = whole(atom.text)
                given = [one for one in frame.arguments if number in (None, one.word)]
                if depth < _DEEPEST:
                    yield from self.expand(given, frame.moment, frame.caller, taken, depth + 1, mine, busy)
            elif atom.kind in ("variable", "arguments"):
                name = atom.text if atom.kind == "variable" else "@"
                definitions = self.script.definitions.get(name)
                if not definitions:
                    yield atom, mine
                elif depth < _DEEPEST * 5:
                    yield from self.content(name, moment, frame, taken, depth + 1, mine, busy)
            else:
                yield atom, mine

    def content(
        self,
        name: str,
        moment: Moment,
        frame: Frame | None,
        taken: Mapping[int, int] | None,
        depth: int,
        guards: Guards,
        busy: frozenset[str],
    ) -> Iterator[tuple[Atom, Guards]]:
        """What a variable holds at a moment."""
        if taken is None and name in busy:
            return
        if name not in self.timed:
            definitions = self.script.definitions[name]
            self.timed[name] = sorted((self.defined(one), index) for index, one in enumerate(definitions))
        timed = self.timed[name]
        held = []
        for when, index in reversed(timed):
            definition = self.script.definitions[name][index]
            if when >= moment or (taken is not None and not _active(definition.guards, taken)):
                continue
            held.append((when, definition))
            if taken is not None and not definition.appends:
                break
        for when, definition in reversed(held):
            inner = (*guards, *definition.guards)
            yield from self.expand(definition.atoms, when, frame, taken, depth, inner, busy | {name})

    # --------------------------------------------------------------- launches

    def words(
        self, command: Command, moment: Moment, frame: Frame | None, taken: Mapping[int, int] | None
    ) -> list[tuple[Atom, Guards]]:
        """What a command gets; see `expand`."""
        self.left = self.most
        try:
            return list(self.expand(command.atoms, moment, frame, taken))
        except TooManyWordsError:
            raise TooManyWordsError(command.at) from None

    def path(self, run: list[Atom]) -> Path:
        """The overrides of one run, in order."""
        return tuple(
            Override(atom.token.place, atom.token.prefix, atom.token.key, self.value(atom.token))
            for atom in run
            if atom.token and (self.every or recognise(atom.token.key))
        )

    def value(self, token: Token) -> Maybe:
        """The value of an override; which trainer runs is known also from a variable that is set once."""
        meaning = recognise(token.key)
        if meaning is None or meaning.kind != "use-v1" or not isinstance(token.value, Opaque):
            return token.value
        variable = _VARIABLE.match(token.value.text)
        text = self.script.texts.get(variable[1] or variable[2]) if variable else None
        return token.value if text is None else hydra_value(text)

    def command(self, command: Command) -> list[Reached]:
        """A command in each of the ways in which it comes to run."""
        if command.name in SILENT or command.name in self.script.functions:
            return []
        found = []
        for frame in self.frames(command.function):
            moment = self.moment_of(command, frame)
            fixed = (*command.guards, *(frame.guards if frame else ()))
            everything = self.words(command, moment, frame, None)
            if not any(atom.token and recognise(atom.token.key) for atom, _ in everything):
                continue
            runs = [
                [atom for atom, _ in self.words(command, moment, frame, taken)]
                for taken in self.branches(everything, fixed)
            ]
            lists = [[_word(atom) for atom in run] for run in runs]
            module = next((name for words in lists if (name := module_of(words))), None)
            config = next((name for words in lists if (name := config_of(words))), None)
            launch = Launch(_distinct(self.path(run) for run in runs), module, config)
            invisible = any(atom.kind in ("arguments", "output") for run in runs for atom in run)
            found.append(Reached(launch, command.at, invisible))
        return found

    def branches(self, everything: list[tuple[Atom, Guards]], fixed: Guards) -> list[dict[int, int]]:
        """Each combination of branches that decides which overrides are there."""
        certain = {guard.node: guard.branch for guard in fixed}
        open_nodes: dict[int, set[int]] = {}
        for atom, guards in everything:
            if atom.token and (recognise(atom.token.key) or atom.token.key in self.deciding):
                for guard in guards:
                    if guard.node not in certain:
                        open_nodes.setdefault(guard.node, set()).add(guard.branch)
        options: list[list[Guard]] = []
        for node, seen in open_nodes.items():
            count, total = self.script.branches.get(node, (1, False))
            rest = [] if total and len(seen) == count else [Guard(node, -1)]
            options.append([*(Guard(node, branch) for branch in sorted(seen)), *rest])
        size = 1
        for one in options:
            size *= len(one)
        if size <= _MOST_PATHS:
            return [certain | dict(chosen) for chosen in product(*options)]
        usual = certain | {one[0].node: one[0].branch for one in options}
        return [usual, *(usual | {other.node: other.branch} for one in options for other in one[1:])]

    def left_over(self, reached: set[int], found: list[Reached]) -> list[Reached]:
        """Old overrides in variables that no command of the script expands: another program gets them."""
        atoms = [
            (atom, (*definition.guards, *atom.guards))
            for definitions in self.script.definitions.values()
            for definition in definitions
            for atom in definition.atoms
            if atom.token and recognise(atom.token.key) and atom.token.place not in reached
        ]
        commands = [
            (atom, (*command.guards, *atom.guards)) for command in self.script.commands for atom in command.atoms
        ]
        atoms += [
            (atom, guards)
            for atom, guards in commands
            if atom.token and recognise(atom.token.key) and atom.token.place not in reached
        ]
        if not any(
            (one := recognise(atom.token.key)) and one.kind in ("old", "new") for atom, _ in atoms if atom.token
        ):
            return []
        atoms.sort(key=lambda one: one[0].at)
        module, before = self.context(found)
        paths = [
            (*before, *self.path([atom for atom, guards in atoms if _active(guards, taken)]))
            for taken in self.branches(atoms, ())
        ]
        return [Reached(Launch(_distinct(paths), module), None)]

    def context(self, found: list[Reached]) -> tuple[str | None, Path]:
        """The one module that the script launches, with the overrides of its command; None for several."""
        lists = [[_word(atom) for atom in command.atoms] for command in self.script.commands]
        modules = {module for words in lists if (module := module_of(words))}
        modules |= {one.launch.module for one in found if one.launch.module}
        if len(modules) != 1:
            return None, ()
        (module,) = modules
        beside = next((one.launch.paths[0] for one in found if one.launch.module == module), ())
        return module, tuple(override for override in beside if not _moves(override))


def _active(guards: Guards, taken: Mapping[int, int]) -> bool:
    return all(taken.get(guard.node, guard.branch) == guard.branch for guard in guards)


def _word(atom: Atom) -> str:
    return atom.text if atom.kind == "word" else ""


def _distinct(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Each path once; paths hold lists, which no set takes."""
    found: list[Path] = []
    for path in paths:
        if path not in found:
            found.append(path)
    return tuple(found)
