"""The plan of a run as text: where its dumps are looked for, and a strip with what happens at each step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skip_config.releases import MANAGER, dotted
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.config import Command
from skip_config.rollout_cache.neighbours import Neighbour
from skip_config.rollout_cache.plan import PlannedStep
from skip_config.rollout_cache.run import Run
from skip_config.rollout_cache.state import DumpState
from skipcfg.report import counted
from skipcfg.streams import name
from skipcfg.strip import shortened, strip

MOST_TROUBLES = 5
"""Steps in trouble that are told one by one."""

LEGEND = {
    "L": "load the dump of the same step",
    "l": "load the dump of another step",
    "n": "load a dump that this run saves on the way",
    "S": "generate and save",
    "s": "generate; saving fails",
    ".": "generate",
    "!": "stop with an error",
}
"""Character of the strip -> what happens at such a step."""


class Planned(NamedTuple):
    """The plan of one command."""

    command: Command
    run: Run
    state: DumpState
    steps: list[PlannedStep]
    total_steps: int | None
    near: list[Neighbour]


def text(planned: Planned, where: str) -> Iterator[str]:
    """The lines; `where` names the command in a script of several."""
    run = planned.run
    if where:
        yield f"== {where}"
    yield from _settings(run)
    yield from _whereabouts(run)
    yield ""
    yield from _steps(planned)
    yield from _there(planned)
    for neighbour in planned.near:
        yield from _neighbour(neighbour, run)


def _settings(run: Run) -> Iterator[str]:
    place = dotted((*MANAGER.place, run.role))
    listed = sorted(set(run.steps))
    yield f"{place}: {'on' if run.enable else 'off'}, action {run.action}, steps {shortened(listed) or 'none'}"


def _whereabouts(run: Run) -> Iterator[str]:
    yield f"directory: {name(str(run.directory))}"
    rows = [(run.dump_dir, dotted((*MANAGER.place, run.role, MANAGER.keys["dump_dir"])))]
    rows += [(part.text, part.key) for part in run.naming.parts]
    if run.role == "rollout_tq":
        rows.append((counted(run.parts, "part"), f"per step: {run.parts_key}"))
    width = max(len(name(text)) for text, _ in rows)
    for text, key in rows:
        yield f"  {name(text):<{width}}  {key}"


def _steps(planned: Planned) -> Iterator[str]:
    if not planned.steps:
        yield "no step: skip lists none that can come up"
        return
    marks = {one.step: _mark(one) for one in planned.steps}
    first, last = (1, max(marks))
    yield from strip(marks, first, last, ".")
    used = set(marks.values())
    if len(marks) < last:
        used.add(".")
    for mark, meaning in LEGEND.items():
        if mark in used:
            steps = [step for step, one in marks.items() if one == mark]
            yield f"  {mark}  {meaning}" + (f": {shortened(steps)}" if steps and mark != "." else "")
    sources: dict[int, list[int]] = {}
    for one in planned.steps:
        if one.outcome == "load" and one.from_step is not None and one.from_step != one.step:
            sources.setdefault(one.from_step, []).append(one.step)
    for source, steps in list(sources.items())[:MOST_TROUBLES]:
        yield f"     step {source} serves {shortened(steps)}"
    if len(sources) > MOST_TROUBLES:
        yield f"     and {len(sources) - MOST_TROUBLES} more steps serve others"


def _mark(one: PlannedStep) -> str:
    if one.stops:
        return "!"
    if one.outcome == "load":
        return "n" if one.new else "L" if one.from_step == one.step else "l"
    if one.outcome == "generate-and-save":
        return "s" if one.trouble and "cannot be saved" in one.trouble else "S"
    return "."


def _there(planned: Planned) -> Iterator[str]:
    state, run = planned.state, planned.run
    files = f"{layout.DATA_FILE[run.role]} and {layout.META}"
    yield ""
    if not state.exists:
        yield "the directory does not exist yet"
        return
    complete = sorted(step for step, one in state.steps.items() if one.complete)
    yield f"complete there ({files}): {shortened(complete) or 'none'}"
    incomplete = [(step, one) for step, one in sorted(state.steps.items()) if not one.complete]
    for step, one in incomplete[:MOST_TROUBLES]:
        more = " …" if len(one.missing) > 3 else ""
        yield f"incomplete there: {step}, which lacks {', '.join(one.missing[:3])}{more}"
    if len(incomplete) > MOST_TROUBLES:
        rest = [step for step, _ in incomplete[MOST_TROUBLES:]]
        yield f"incomplete there too: {shortened(rest)}"


def _neighbour(neighbour: Neighbour, run: Run) -> Iterator[str]:
    if neighbour.fits:
        what = "dumps"
    elif neighbour.kind == "nested":
        what = "dumps of verl 0.8"
    else:
        what = f"{neighbour.data}, which skip.{run.role} does not read"
    yield f"nearest with {what}: {name(neighbour.path)}"
    for one in neighbour.differences:
        yield f"  there {name(one.found)}, here {name(one.wanted)}  ({one.keys})"
