"""`skipcfg plan`: which steps would load a dump and which would generate, and where the dumps are looked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skip_config import releases
from skip_config.releases import MANAGER, dotted
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.config import Command, ConfigError, unknown_for
from skip_config.rollout_cache.neighbours import Neighbour, neighbours
from skip_config.rollout_cache.plan import PlannedStep, eligible, plan
from skip_config.rollout_cache.run import RefusedError, Run, choose_role, manager_block, read, view_of
from skip_config.rollout_cache.state import DumpState, read_state
from skip_config.trainer import role_in_use
from skipcfg.report import counted
from skipcfg.run_config import Given, commands, old_keys
from skipcfg.streams import err, fail, name, out
from skipcfg.strip import ranges, shortened, strip

_MOST_STEPS = 1_000_000
_MOST_TROUBLES = 5

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


def plan_command(given: Given, role: str, total_steps: int | None, output: str) -> int:
    """Show what the coming run will do with its dumps. Returns the exit code."""
    as_json = output == "json"
    try:
        found = commands(given)
    except ConfigError as error:
        return fail(str(error), as_json)
    if as_json and len(found) > 1:
        places = ", ".join(command.where for command in found)
        return fail(
            f"the script launches in {len(found)} ways ({places}); JSON tells one plan: name a file of one", True
        )
    code = 0
    for command in found:
        for remark in command.remarks:
            err(f"note: {remark}")
        try:
            planned = _plan(command, role, total_steps, given)
        except (ConfigError, RefusedError) as error:
            code = max(code, _refused(error, command, role, as_json))
            continue
        if as_json:
            out(json.dumps(as_dict(planned)) + "\n")
        else:
            out("\n".join(_text(planned, command.where if len(found) > 1 else "")) + "\n")
        code = max(code, _tell(planned, given))
    return code


def _plan(command: Command, requested: str, given_total: int | None, given: Given) -> Planned:
    role = choose_role(command.config, requested)
    unknown = unknown_for(command, role)
    if unknown:
        listed = ", ".join(f"{key}={value}" for key, value in unknown)
        keys = " ".join(f"{key}=…" for key, _ in unknown)
        raise ConfigError(f"only the shell knows {listed}; add what it will be: skipcfg plan {given.shown} {keys}")
    run = read(command.config, role)
    total = given_total if run.total_steps is None else run.total_steps
    if total is not None and total > _MOST_STEPS:
        raise ConfigError(f"{total} training steps: more than {_MOST_STEPS} are not planned")
    problems: list[str] = []
    state = read_state(run.directory, role, run.parts, problems)
    for problem in problems:
        err(f"warning: {problem}")
    steps = plan(run, state, eligible(run, total))
    return Planned(command, run, state, steps, total, [] if _loads(steps) else neighbours(run))


def _loads(steps: Sequence[PlannedStep]) -> bool:
    """Whether a dump is used that is there already."""
    return any(one.outcome == "load" and not one.new for one in steps)


def _refused(error: Exception, command: Command, role: str, as_json: bool) -> int:
    if isinstance(error, ConfigError):
        return fail(str(error), as_json)
    message = f"verl 0.9 would stop: {error}"
    if as_json:
        out(json.dumps({"version": 1, "role": _shown(command, role), "directory": None, "steps": [], "error": message}))
        out("\n")
    err(f"error: {message}")
    err("Next: skipcfg validate on the same file says what is wrong.")
    return 1


def _shown(command: Command, requested: str) -> str | None:
    try:
        return choose_role(command.config, requested)
    except RefusedError:
        return None


def as_dict(planned: Planned) -> dict[str, object]:
    """The plan as `--format json` prints it."""
    return {
        "version": 1,
        "role": planned.run.role,
        "directory": str(planned.run.directory),
        "steps": [
            {
                "step": one.step,
                "outcome": one.outcome,
                "from_step": one.from_step,
                "path": None if one.path is None else str(one.path),
            }
            for one in planned.steps
        ],
    }


# --------------------------------------------------------------------------- text


def _text(planned: Planned, where: str) -> Iterator[str]:
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
    for source, steps in list(sources.items())[:_MOST_TROUBLES]:
        yield f"     step {source} serves {shortened(steps)}"
    if len(sources) > _MOST_TROUBLES:
        yield f"     and {len(sources) - _MOST_TROUBLES} more steps serve others"


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
    for step, one in incomplete[:_MOST_TROUBLES]:
        more = " …" if len(one.missing) > 3 else ""
        yield f"incomplete there: {step}, which lacks {', '.join(one.missing[:3])}{more}"
    if len(incomplete) > _MOST_TROUBLES:
        rest = [step for step, _ in incomplete[_MOST_TROUBLES:]]
        yield f"incomplete there too: {shortened(rest)}"


# ------------------------------------------------------------------ words for people


def _tell(planned: Planned, given: Given) -> int:
    code = 0
    old = old_keys(planned.command)
    if old:
        err(f"error: {', '.join(old)}: settings of an older verl, which verl 0.9 does not read")
        code = 1
    for remark in _warnings(planned):
        err(f"warning: {remark}")
    troubles = [one for one in planned.steps if one.trouble]
    for one in troubles[:_MOST_TROUBLES]:
        err(f"{'error' if one.stops else 'warning'}: step {one.step}: {name(one.trouble or '')}")
    if len(troubles) > _MOST_TROUBLES:
        err(f"and {len(troubles) - _MOST_TROUBLES} more steps like these")
    if any(one.stops for one in troubles):
        code = 1
    err(_next_step(planned, old, given))
    return code


def _warnings(planned: Planned) -> Iterator[str]:
    run = planned.run
    if run.enable and not any(step > 0 for step in run.steps):
        yield f"{dotted((*MANAGER.place, run.role, 'steps'))} lists no step that comes up, so nothing is skipped"
    elif planned.total_steps is None:
        never = sorted({step for step in run.steps if step < 1})
        if never:
            yield f"steps {ranges(never)} never come up"
    key = dotted((*MANAGER.place, run.role, "dump_dir"))
    if not run.dump_dir.startswith(("/", "~")):
        yield f"{key} is relative: the process resolves it against its own working directory, another one under Ray"
    if str(run.base).startswith(layout.RAY_SESSIONS):
        yield f"{key} lies below {layout.RAY_SESSIONS}*, which Ray clears away"
    if not run.directory.is_relative_to(run.base) or ".." in run.directory.relative_to(run.base).parts:
        yield "the names of the run lead out of the dump directory"
    block = manager_block(planned.command.config)
    others = [role for role in releases.ROLES if role != run.role and block is not None and getattr(block, role).enable]
    if run.enable and others and role_in_use(view_of(planned.command.config)) is None:
        yield f"nothing here says which trainer runs this; --role {others[0]} shows the plan of the other role"
    if not run.enable and others:
        yield f"skip.{', skip.'.join(others)} is on, but this run asks skip.{run.role}"


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


def _next_step(planned: Planned, old: Sequence[str], given: Given) -> str:
    if old:
        return f"Next: skipcfg migrate {given.shown}"
    if any(one.stops for one in planned.steps):
        return "Next: remove the steps named above from the directory, so that the run makes them anew."
    if not planned.run.enable:
        return f"Next: switch {dotted((*MANAGER.place, planned.run.role, 'enable'))} on to save and reuse rollouts."
    if any(one.kind == "nested" for one in planned.near):
        return f"Next: skipcfg cache convert {given.shown} --dry-run shows what old dumps can be put in place."
    if planned.near:
        return "Next: set the keys above to what the dumps were made with, or let the run make new ones."
    return "Next: launch; the run does what is shown above."
