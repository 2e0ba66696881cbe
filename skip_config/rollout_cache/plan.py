"""Which steps of the coming run load a dump, and which generate. Pure: settings and a directory's state go in."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skip_config.releases import Role
from skip_config.rollout_cache.run import Run
from skip_config.rollout_cache.state import ABSENT, DumpState, StepState

Outcome = Literal["load", "generate-and-save", "generate"]


_NONE: Final = -1
"""verl's `_find_latest_step` and `_resolve_load_step_v1` say `-1` for none, so a dump of step -1 counts as none."""


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """What the manager does at one step.

    Args:
        step: Which.
        outcome: `load` a dump, `generate-and-save` one, or `generate` as if there were no manager.
        from_step: Whose dump is loaded.
        path: Directory that is loaded from or saved to.
        trouble: Why it will not work as it should, or None.
        stops: Whether that stops the run.
        new: Whether the dump that is loaded is one that this very run saves before.
    """

    step: int
    outcome: Outcome
    from_step: int | None = None
    path: Path | None = None
    trouble: str | None = None
    stops: bool = False
    new: bool = False


def plan(run: Run, state: DumpState, steps: Iterable[int]) -> list[PlannedStep]:
    """Follow a run through its steps, dumps that it saves on the way included.

    Args:
        run: Its settings.
        state: Its dump directory at the start.
        steps: The steps that come up, in order.
    """
    walk = _Walk(run, state)
    listed = frozenset(run.steps) if run.enable else frozenset()
    return [walk.at(step) if step in listed else PlannedStep(step, "generate") for step in steps]


class _Walk:
    """A run on its way: what is in the directory changes with each step."""

    def __init__(self, run: Run, state: DumpState) -> None:
        self.run = run
        self.state = state
        self.directory = run.directory
        self.available = list(state.available)
        self.complete = {step for step, one in state.steps.items() if one.complete}
        self.readable = {step for step, one in state.steps.items() if one.readable}
        self.saved: set[int] = set()

    def at(self, step: int) -> PlannedStep:
        if self.run.role != "rollout_tq" and self.run.action == "cache":
            return self.load(step, step) if step in self.complete else self.save(step)
        source: int | None = step if step in self.complete else None
        if source is None and self.run.action == "repeat":
            source = nearest(self.available, step)
        return self.save(step) if source in (None, _NONE) else self.load(step, source)

    def load(self, step: int, source: int) -> PlannedStep:
        path = self.directory / str(source)
        there = self.state.steps.get(source, ABSENT)
        trouble = None
        if source not in self.complete and source not in self.readable:
            name = self.state.odd.get(source, "")
            trouble = f"verl takes {name!r} for step {source} and then looks for {source}/, where there is nothing"
        elif source not in self.saved and there.empty:
            trouble = f"{source}/{there.empty[0]} is empty and cannot be loaded"
        return PlannedStep(step, "load", source, path, trouble, trouble is not None, source in self.saved)

    def save(self, step: int) -> PlannedStep:
        there = self.state.steps.get(step, ABSENT)
        path = self.directory / str(step)
        blocked = self.state.blocked or there.blocked
        if blocked:
            if there.keeps_data and not self.state.blocked:
                self.readable.add(step)
                self.saved.add(step)
            # `rollout` and `async_rollout` catch the error and go on without a dump.
            return PlannedStep(
                step,
                "generate-and-save",
                None,
                path,
                f"it cannot be saved: {blocked}",
                self.run.role == "rollout_tq",
            )
        self.complete.add(step)
        self.readable.add(step)
        self.saved.add(step)
        if step not in self.available:
            insort(self.available, step)
        trouble = _mixture(self.run.role, there, self.run.parts)
        return PlannedStep(step, "generate-and-save", None, path, trouble)


def _mixture(role: Role, there: StepState, parts: int) -> str | None:
    if role != "rollout_tq" or not there.present:
        return None
    return f"{there.present} of {parts} parts are there already and are kept, so the dump will mix two runs"


def nearest(available: list[int], step: int) -> int | None:
    """The step that `repeat` takes: the largest below, else the smallest above (`_find_latest_step`)."""
    index = bisect_left(available, step)
    if index:
        return available[index - 1]
    return next((one for one in available if one > step), None)


def eligible(run: Run, total_steps: int | None) -> tuple[int, ...]:
    """The steps to speak of: 1 to T, or the listed ones that can come up when T is not known."""
    if total_steps is not None:
        return tuple(range(1, total_steps + 1))
    return tuple(sorted({step for step in run.steps if step > 0}))
