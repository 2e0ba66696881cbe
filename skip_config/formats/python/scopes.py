"""Lists and dicts of settings that Python code puts together, piece by piece and branch by branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, Literal, NamedTuple

from skip_config.formats.override_plan import Launch, Path
from skip_config.formats.overrides import Override, recognise
from skip_config.formats.python.texts import Text
from skip_config.formats.python.tokens import Token
from skip_config.formats.shell.reach import module_of

_MOST_PATHS: Final = 64
_DEEPEST: Final = 12
_END: Final = 1 << 60


class Guard(NamedTuple):
    """A condition: that `branch` of the statement or expression at `node` is taken."""

    node: int
    branch: int


Guards = tuple[Guard, ...]


class Name(NamedTuple):
    """A variable, by the offset of the scope that it belongs to (0 for the module)."""

    scope: int
    name: str


class Item(NamedTuple):
    """A part of a list, a dict or a command line.

    Args:
        at: Offset in the file.
        guards: Under which it is there.
        token: The setting that it is.
        word: The text of another word.
        names: The variables that it may stand for: the first that has a value is meant.
    """

    at: int
    guards: Guards = ()
    token: Token | None = None
    word: str = ""
    names: tuple[Name, ...] = ()


Items = tuple[Item, ...]


class Event(NamedTuple):
    """Something that happens to a variable: it is set to items, or gets them added."""

    kind: Literal["set", "add"]
    items: Items
    at: int
    guards: Guards


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that come together.

    Args:
        launch: For the plan.
        places: Of all their tokens.
        units: Of the functions or, outside of any, the statements that they stand in.
    """

    launch: Launch
    places: frozenset[int]
    units: frozenset[int]


@dataclass(slots=True)
class Scopes:
    """What the code puts together. Filled while it is read.

    Args:
        tokens: All settings, by place.
        events: What happens to each variable, in the order of the file.
        roots: Lists, dicts and calls that no variable is set to.
        command_lines: The texts that are command lines.
        branches: For each node of a `Guard`, the number of its branches and whether one is always taken.
    """

    tokens: dict[int, Token] = field(default_factory=dict)
    events: dict[Name, list[Event]] = field(default_factory=dict)
    roots: list[Items] = field(default_factory=list)
    command_lines: list[Text] = field(default_factory=list)
    branches: dict[int, tuple[int, bool]] = field(default_factory=dict)

    def groups(self, *, every: bool = False) -> list[Group]:
        """Everything that comes together and holds an old setting, or with `every` a new one."""
        if not any(_matters(token, every) for token in self.tokens.values()):
            return []
        holders = {name: (Item(_END, names=(name,)),) for name in self.events}
        used = {name for items in self.roots for name in self._names_in(items)}
        used |= {other for name, items in holders.items() for other in self._names_in(items) - {name}}
        whole = [*self.roots, *(items for name, items in holders.items() if name not in used)]
        groups = [group for items in whole if (group := self._group(items, every)) is not None]
        covered = {place for group in groups for place in group.places}
        for place, token in self.tokens.items():
            if place in covered or not _matters(token, every):
                continue
            # A variable that is used before this is added to it, and not afterwards.
            holder = next(
                (one for one in holders.values() if any(item.token is token for item, _ in self._all(one))), None
            )
            left = self._group(holder or (Item(place, token=token),), every)
            if left is not None:
                groups.append(left)
                covered |= left.places
        return groups

    def module(self) -> str | None:
        """What the code launches first."""
        lists = [*self.roots, *(event.items for events in self.events.values() for event in events)]
        return next((name for items in lists if (name := module_of([item.word for item in items]))), None)

    def _names_in(self, items: Items) -> set[Name]:
        return {name for _, trail in self._all(items) for name in trail}

    def _all(self, items: Items) -> list[tuple[Item, tuple[Name, ...]]]:
        return list(self._expand(items, None, (), 0))

    def _expand(
        self, items: Iterable[Item], taken: Mapping[int, int] | None, trail: tuple[Name, ...], depth: int
    ) -> Iterator[tuple[Item, tuple[Name, ...]]]:
        """The items with variables followed; `taken` says which branches (None: all)."""
        for item in items:
            if taken is not None and not _active(item.guards, taken):
                continue
            name = next((one for one in item.names if one in self.events), None)
            yield item, (*trail, name) if name else trail
            if name is None or depth > _DEEPEST or len(trail) > _DEEPEST:
                continue
            held: list[Event] = []
            for event in self.events[name]:
                if event.at >= item.at and name.scope == self._scope_of(item, name):
                    continue
                if taken is not None and not _active(event.guards, taken):
                    continue
                if event.kind == "set" and taken is not None:
                    held.clear()
                held.append(event)
            for event in held:
                inner = [one._replace(guards=(*item.guards, *event.guards, *one.guards)) for one in event.items]
                yield from self._expand(inner, taken, (*trail, name), depth + 1)

    @staticmethod
    def _scope_of(item: Item, name: Name) -> int:
        """The scope that an item stands in, as its first candidate for a variable tells."""
        return item.names[0].scope if item.names else name.scope

    def _group(self, items: Items, every: bool) -> Group | None:
        everything = [item for item, _ in self._all(items)]
        if not any(item.token and _matters(item.token, every) for item in everything):
            return None
        paths: dict[tuple[int, ...], Path] = {}
        module = None
        for taken in self._choices(everything):
            run = [item for item, _ in self._expand(items, taken, (), 0)]
            seen: dict[int, None] = {}
            overrides = []
            for item in run:
                token = item.token
                if token is not None and token.place not in seen:
                    seen[token.place] = None
                    overrides.append(Override(token.place, token.prefix, token.key, token.value))
            paths.setdefault(tuple(seen), tuple(overrides))
            module = module or module_of([item.word for item in run if item.token is None and not item.names])
        tokens = {item.token.place: item.token for item in everything if item.token}
        launch = Launch(tuple(paths.values()), module)
        return Group(launch, frozenset(tokens), frozenset(token.unit for token in tokens.values()))

    def _choices(self, items: Iterable[Item]) -> Iterator[dict[int, int]]:
        nodes = list(dict.fromkeys(guard.node for item in items if item.token for guard in item.guards))
        options = []
        for node in nodes:
            count, total = self.branches.get(node, (1, False))
            options.append([*range(count), *(() if total else (-1,))])
        for index, choice in enumerate(product(*options)):
            if index >= _MOST_PATHS:
                return
            yield dict(zip(nodes, choice, strict=True))


def _active(guards: Guards, taken: Mapping[int, int]) -> bool:
    return all(taken.get(guard.node, guard.branch) == guard.branch for guard in guards)


def _matters(token: Token, every: bool) -> bool:
    meaning = recognise(token.key)
    return meaning is not None and (meaning.kind in ("old", "gen-batch-size") or (every and meaning.kind == "new"))
