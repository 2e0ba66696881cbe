"""`skipcfg plan`: which steps would load a dump and which would generate, and where the dumps are looked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skip_config import releases
from skip_config.formats.moved import in_braces
from skip_config.releases import MANAGER, dotted
from skip_config.request import Request
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.config import Command, ConfigError, unknown_for
from skip_config.rollout_cache.neighbours import neighbours
from skip_config.rollout_cache.plan import PlannedStep, eligible, plan
from skip_config.rollout_cache.run import RefusedError, choose_role, manager_block, read, view_of
from skip_config.rollout_cache.state import read_state
from skip_config.trainer import role_in_use
from skipcfg import next_command
from skipcfg.plan_text import MOST_TROUBLES, Planned, text
from skipcfg.run_config import Given, commands, old_keys
from skipcfg.streams import err, fail, name, out
from skipcfg.strip import ranges

_MOST_STEPS = 1_000_000


class Wanted(NamedTuple):
    """What the user asked for besides the config."""

    role: str
    total_steps: int | None


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
        old = old_keys(command)
        if old:
            code = max(code, _too_old(old, given, Wanted(role, total_steps), as_json))
            continue
        for remark in command.remarks:
            err(f"note: {remark}")
        try:
            planned = _plan(command, role, total_steps, given)
        except (ConfigError, RefusedError) as error:
            code = max(code, _refused(error, command, role, given, as_json))
            continue
        if as_json:
            out(json.dumps(as_dict(planned)) + "\n")
        else:
            out("\n".join(text(planned, command.where if len(found) > 1 else "")) + "\n")
        code = max(code, _tell(planned, given, Wanted(role, total_steps)))
    return code


def _plan(command: Command, requested: str, given_total: int | None, given: Given) -> Planned:
    role = choose_role(command.config, requested)
    unknown = unknown_for(command, role)
    if unknown:
        listed = ", ".join(f"{key}={value}" for key, value in unknown)
        keys = " ".join(f"{key}=…" for key, _ in unknown)
        raise ConfigError(f"only the shell knows {listed}; add what it will be: skipcfg plan {given.words} {keys}")
    run = read(command.config, role)
    total = given_total if run.total_steps is None else run.total_steps
    if total is not None and total > _MOST_STEPS:
        raise ConfigError(
            f"{total} training steps: more than {_MOST_STEPS} are not planned; name fewer with --total-steps"
        )
    problems: list[str] = []
    state = read_state(run.directory, role, run.parts, problems)
    for problem in problems:
        err(f"warning: {problem}")
    steps = plan(run, state, eligible(run, total))
    return Planned(command, run, state, steps, total, [] if _loads(steps) else neighbours(run))


def _loads(steps: Sequence[PlannedStep]) -> bool:
    """Whether a dump is used that is there already."""
    return any(one.outcome == "load" and not one.new for one in steps)


def _too_old(old: Sequence[str], given: Given, wanted: Wanted, as_json: bool) -> int:
    """Say that the config is one of an older verl: what 0.9 would do without these settings is of no use to anyone."""
    message = f"{in_braces(old)}: settings of an older verl, which verl 0.9 does not read"
    if as_json:
        out(json.dumps({"version": 1, "role": None, "directory": None, "steps": [], "error": message}) + "\n")
    err(f"error: {message}")
    if any(key in override for key in old for override in given.overrides):
        err("Next: leave them out of the overrides; the plan shows what verl 0.9 does with settings below skip.")
        return 1
    request = Request(role=wanted.role, total_steps=wanted.total_steps)  # type: ignore[arg-type]  # Typer checked it
    place = given.config_dir or given.arguments[0]
    err(f"Next: {next_command.migrate(request, [place])}")
    return 1


def _refused(error: Exception, command: Command, role: str, given: Given, as_json: bool) -> int:
    if isinstance(error, ConfigError):
        return fail(str(error), as_json)
    message = f"verl 0.9 would stop: {error}"
    if as_json:
        out(json.dumps({"version": 1, "role": _shown(command, role), "directory": None, "steps": [], "error": message}))
        out("\n")
    err(f"error: {message}")
    err(f"Next: to see what is wrong: skipcfg validate {given.words if given.config_name else given.shown}")
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


# ------------------------------------------------------------------ words for people


def _tell(planned: Planned, given: Given, wanted: Wanted) -> int:
    code = 0
    for remark in _warnings(planned):
        err(f"warning: {remark}")
    troubles = [one for one in planned.steps if one.trouble]
    for one in troubles[:MOST_TROUBLES]:
        err(f"{'error' if one.stops else 'warning'}: step {one.step}: {name(one.trouble or '')}")
    if len(troubles) > MOST_TROUBLES:
        err(f"and {len(troubles) - MOST_TROUBLES} more steps like these")
    if any(one.stops for one in troubles):
        code = 1
    err(_next_step(planned, given, wanted))
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


def _next_step(planned: Planned, given: Given, wanted: Wanted) -> str:
    if any(one.stops for one in planned.steps):
        return "Next: remove the steps named above from the directory, so that the run makes them anew."
    if not planned.run.enable:
        return f"Next: switch {dotted((*MANAGER.place, planned.run.role, 'enable'))} on to save and reuse rollouts."
    if any(one.kind == "nested" for one in planned.near):
        steps = f" --total-steps {wanted.total_steps}" if wanted.total_steps else ""
        return f"Next: to see which old dumps can be put in place: skipcfg cache convert --dry-run{steps} {given.words}"
    if planned.near:
        return "Next: set the keys above to what the dumps were made with, or let the run make new ones."
    return "Next: launch; the run does what is shown above."
