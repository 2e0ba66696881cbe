"""Lists and dicts of settings that Python code puts together, piece by piece and branch by branch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final, Literal, NamedTuple

from skip_config.formats.launched import config_of, module_of
from skip_config.formats.override_plan import Launch, Path
from skip_config.formats.overrides import Override, recognise
from skip_config.formats.python.texts import Text
from skip_config.formats.python.tokens import Token

_MOST_PATHS: Final = 64
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
                (one for one in holders.values() if any(item.token is token for item in self._expand(one, None))), None
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
        return {name for item in self._expand(items, None) if (name := self._held_in(item)) is not None}

    def _held_in(self, item: Item) -> Name | None:
        """The variable that an item stands for."""
        return next((one for one in item.names if one in self.events), None)

    def _expand(self, items: Iterable[Item], taken: Mapping[int, int] | None) -> Iterator[Item]:
        """The items with variables followed; `taken` says which branches (None: all).

        What a variable holds comes once, however often it is named: only where a setting stands first counts, and
        a list that doubles itself some thirty times has more parts than memory.
        """
        done: dict[Name, int] = {}
        seen: set[int] = set()
        stack = [iter(items)]
        while stack:
            item = next(stack[-1], None)
            if item is None:
                stack.pop()
                continue
            if taken is not None and not _active(item.guards, taken):
                continue
            yield item
            name = self._held_in(item)
            if name is None:
                continue
            if taken is None:
                stop = self._stop(item, name)
                held = self.events[name][done.get(name, 0) : stop]
                done[name] = max(stop, done.get(name, 0))
            else:
                held = [event for event in self._held(item, name, taken) if id(event) not in seen]
                seen |= {id(event) for event in held}
            stack += [iter(event.items) for event in reversed(held)]

    def _stop(self, item: Item, name: Name) -> int:
        """How many of the events of a variable have happened where an item names it."""
        events = self.events[name]
        if name.scope != self._scope_of(item, name):
            return len(events)
        return bisect_left(events, item.at, key=lambda event: event.at)

    def _held(self, item: Item, name: Name, taken: Mapping[int, int]) -> list[Event]:
        """What a variable holds where an item names it, when these branches are taken."""
        held: list[Event] = []
        for index in range(self._stop(item, name) - 1, -1, -1):
            event = self.events[name][index]
            if not _active(event.guards, taken):
                continue
            held.append(event)
            if event.kind == "set":
                break
        return held[::-1]

    @staticmethod
    def _scope_of(item: Item, name: Name) -> int:
        """The scope that an item stands in, as its first candidate for a variable tells."""
        return item.names[0].scope if item.names else name.scope

    def _group(self, items: Items, every: bool) -> Group | None:
        everything = list(self._expand(items, None))
        if not any(item.token and _matters(item.token, every) for item in everything):
            return None
        paths: dict[tuple[int, ...], Path] = {}
        module = config = None
        for taken in self._choices(everything):
            run = list(self._expand(items, taken))
            seen: dict[int, None] = {}
            overrides = []
            for item in run:
                token = item.token
                if token is not None and token.place not in seen:
                    seen[token.place] = None
                    overrides.append(Override(token.place, token.prefix, token.key, token.value))
            paths.setdefault(tuple(seen), tuple(overrides))
            words = [item.word for item in run if item.token is None and not item.names]
            module, config = module or module_of(words), config or config_of(words)
        tokens = {item.token.place: item.token for item in everything if item.token}
        launch = Launch(tuple(paths.values()), module, config)
        return Group(launch, frozenset(tokens), frozenset(token.unit for token in tokens.values()))

    def _choices(self, everything: Sequence[Item]) -> Iterator[dict[int, int]]:
        nodes = self._deciding(everything)
        options = []
        for node in nodes:
            count, total = self.branches.get(node, (1, False))
            options.append([*range(count), *(() if total else (-1,))])
        for index, choice in enumerate(product(*options)):
            if index >= _MOST_PATHS:
                return
            yield dict(zip(nodes, choice, strict=True))

    def _deciding(self, everything: Sequence[Item]) -> list[int]:
        """The nodes of all conditions on any way to a setting; `everything` is all that is on any way."""
        limits: dict[Name, int] = {}
        for item in everything:
            if (name := self._held_in(item)) is not None:
                limits[name] = max(limits.get(name, 0), self._stop(item, name))
        reached = {name: self.events[name][:limit] for name, limit in limits.items()}
        first: dict[Name, int] = {}  # of each variable, the first event that leads to a setting

        def leads(item: Item) -> bool:
            name = self._held_in(item)
            return item.token is not None or (name in first and self._stop(item, name) > first[name])

        changed = True
        while changed:
            changed = False
            for name, events in reached.items():
                for index, event in enumerate(events[: first.get(name)]):
                    if any(map(leads, event.items)):
                        first[name], changed = index, True
                        break
        guards = [guard for item in everything if leads(item) for guard in item.guards]
        for events in reached.values():
            guards += [guard for event in events if any(map(leads, event.items)) for guard in event.guards]
        return list(dict.fromkeys(guard.node for guard in guards))


def _active(guards: Guards, taken: Mapping[int, int]) -> bool:
    return all(taken.get(guard.node, guard.branch) == guard.branch for guard in guards)


def _matters(token: Token, every: bool) -> bool:
    meaning = recognise(token.key)
    return meaning is not None and (meaning.kind in ("old", "gen-batch-size") or (every and meaning.kind == "new"))
