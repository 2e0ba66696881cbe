"""`skipcfg cache convert`: put the dumps of older releases where verl 0.9 looks for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skip_config import releases
from skip_config.files import reason
from skip_config.releases import Role, dotted
from skip_config.rollout_cache.config import Command, ConfigError
from skip_config.rollout_cache.conversion import NotPossibleError, Task, prepare, settings_of
from skip_config.rollout_cache.convert import OutsideError, Placement, carry_out
from skip_config.rollout_cache.old_dumps import absent, goes_round, last_dumped
from skip_config.rollout_cache.run import RefusedError
from skip_config.translate import translate
from skipcfg.report import counted
from skipcfg.run_config import Given, commands
from skipcfg.streams import err, fail, name, out
from skipcfg.strip import ranges, shortened

_MOST_LINES = 20
_DONE = {"link": "linked", "copy": "copied", "keep": "kept", "leave": "left out"}
_PLANNED = {"link": "to link", "copy": "to copy", "keep": "kept", "leave": "left out"}


class Options(NamedTuple):
    """How to convert.

    Args:
        dry_run: Write nothing.
        copy: Copy where a hard link would do.
        total_steps: T, where the config does not say.
        output: `text` or `json`.
    """

    dry_run: bool
    copy: bool
    total_steps: int | None
    output: str


def cache_convert(given: Given, options: Options) -> int:
    """Convert the dumps of a config. Returns the exit code."""
    as_json = options.output == "json"
    try:
        found = commands(given)
        if len(found) > 1:
            places = ", ".join(command.where for command in found)
            raise ConfigError(f"the script launches in {len(found)} ways ({places}): name a file of one")
        [command] = found
        for remark in command.remarks:
            err(f"note: {remark}")
        task = prepare(command, options.total_steps, options.copy)
        done = list(carry_out(task.steps, task.directory, task.run.base)) if not options.dry_run else task.steps
    except (ConfigError, OutsideError, OSError) as error:
        return fail(_reason(error), as_json)
    except (RefusedError, NotPossibleError) as error:
        return fail(str(error), as_json, code=1)
    if as_json:
        out(json.dumps(_as_dict(task, done, options)) + "\n")
    else:
        out("".join(line + "\n" for line in _text(task, done, options)))
    return _tell(task, done, options, command, given)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {reason(error)}" if error.filename else reason(error)
    return str(error)


# ------------------------------------------------------------------------ results


def _as_dict(task: Task, done: Sequence[Placement], options: Options) -> dict[str, object]:
    return {
        "version": 1,
        "role": task.run.role,
        "from": str(task.found.old.place),
        "directory": str(task.directory),
        "dry_run": options.dry_run,
        "steps": [
            {
                "step": one.step,
                "from_step": one.dump.step,
                "from": str(one.dump.file),
                "path": str(one.target),
                "action": one.action,
                "why": one.why or None,
            }
            for one in done
        ],
        "settings": settings_of(task),
    }


def _text(task: Task, done: Sequence[Placement], options: Options) -> Iterator[str]:
    release = {"flat": "verl 0.6-0.7", "nested": "verl 0.8"}[task.found.old.kind]
    yield f"from  {name(str(task.found.old.place))} ({release})"
    yield f"to    {name(str(task.directory))} (skip.{task.run.role})"
    words = _PLANNED if options.dry_run else _DONE
    lines = list(_lines(done, words))
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield f"  … and {len(lines) - _MOST_LINES} more lines; --format json lists every step"
    settings = settings_of(task)
    if settings is not None:
        yield ""
        yield "settings with which verl 0.9 does what the old release did with them:"
        yield from _block(task.run.role, settings)


def _lines(done: Sequence[Placement], words: dict[str, str]) -> Iterator[str]:
    same: dict[tuple[str, str], list[int]] = {}
    others: dict[tuple[str, str, int], list[int]] = {}
    for one in done:
        if one.step == one.dump.step:
            same.setdefault((one.action, one.why), []).append(one.step)
        else:
            others.setdefault((one.action, one.why, one.dump.step), []).append(one.step)
    for (action, why), steps in same.items():
        yield f"  {words[action]}: {ranges(steps)}" + (f" ({name(why)})" if why else "")
    for (action, why, source), steps in others.items():
        yield f"  {words[action]}: step {source} also as {shortened(steps)}" + (f" ({name(why)})" if why else "")


def _block(role: Role, settings: dict[str, object]) -> Iterator[str]:
    """YAML; a JSON string is a YAML string."""
    yield "skip:"
    yield f"  {role}:"
    for key, value in settings.items():
        shown = json.dumps(value, ensure_ascii=True) if not isinstance(value, str) or key == "dump_dir" else value
        yield f"    {key}: {shown}"
    if role == "rollout":
        yield f"{releases.USE_V1[0]}:"
        yield f"  {releases.USE_V1[1]}: false"


# ------------------------------------------------------------------ words for people


def _tell(task: Task, done: Sequence[Placement], options: Options, command: Command, given: Given) -> int:
    errors = list(_errors(task))
    for error in errors:
        err(f"error: {error}")
    for warning in _warnings(task, done, command):
        err(f"warning: {warning}")
    made = sum(one.action in ("link", "copy") for one in done)
    kept = sum(one.action == "keep" for one in done)
    verb = "would be put in place" if options.dry_run else "put in place"
    err(f"{counted(made, 'step')} {verb}, {kept} there already.")
    if errors:
        err(f"Next: follow the error above, then: {_again(given, options)}")
    elif options.dry_run and made:
        err(f"Next: to put them in place: {_again(given, options)}")
    elif task.old is not None:
        err(f"Next: put the settings above in place of the old ones; what a run will load: skipcfg plan {given.words}")
    else:
        err(f"Next: to see what a run will load: skipcfg plan {given.words}")
    return 1 if errors else 0


def _again(given: Given, options: Options) -> str:
    flags = ["--copy"] if options.copy else []
    flags += [f"--total-steps {options.total_steps}"] if options.total_steps is not None else []
    return " ".join(["skipcfg cache convert", *flags, given.words])


def _errors(task: Task) -> Iterator[str]:
    around = goes_round(task.old, task.total_steps)
    if around and task.total_steps is None:
        yield (
            f"the old settings went round the first {around} batches; to put them in place for later steps as well, "
            "say how many there are: --total-steps N"
        )
    if around:
        lacking = absent((dump.step for dump in task.found.dumps if dump.problem is None), around)
        if lacking:
            yield f"of the first {around} dumps, {ranges(lacking)} cannot be used, so the round is not complete"


def _warnings(task: Task, done: Sequence[Placement], command: Command) -> Iterator[str]:
    from omegaconf import OmegaConf

    config = command.config
    last = last_dumped(task.old)
    unused = [dump.step for dump in task.found.dumps if last is not None and dump.step > last]
    if unused:
        yield f"dumps {shortened(unused)} are left out: the old settings never read beyond {last}"
    half = [one.step for one in done if one.action == "keep" and "lacks" in one.why]
    if half:
        yield f"steps {shortened(half)} are there, but not complete: remove them, and run this again"
    if task.run.role == "async_rollout":
        yield "the steps of skip.async_rollout count prompts in the order in which they are fed, not training steps"
    elif OmegaConf.select(config, dotted(releases.USE_V1)) is None:
        yield (
            f"verl 0.9's default trainer asks skip.rollout_tq, which cannot read these dumps: "
            f"launch with {dotted(releases.USE_V1)}=False to use them"
        )
    frequency = OmegaConf.select(config, dotted(_TEST_FREQ))
    if task.found.old.kind == "nested" and isinstance(frequency, int) and frequency > 0:
        yield (
            f"{dotted(_TEST_FREQ)} is {frequency}, and verl 0.8 counted each validation batch as a step too: "
            f"a dump behind the first validation may be of a validation batch, or belong to an earlier step"
        )
    if task.old is not None and settings_of(task) is None and not goes_round(task.old, task.total_steps):
        problem = translate(task.old, task.total_steps).problem
        reason = problem.message if problem else "the old ones cannot be translated"
        yield f"no settings are printed: {reason}; --total-steps N says how many training steps there are"
    if task.old is None and task.found.old.kind == "nested" and len(task.found.dumps) > 1:
        yield (
            "the config holds no old settings, so each dump keeps its step; if they were repeat with max_dump_step 2 "
            "or more, run this on the old config instead"
        )


_TEST_FREQ = ("trainer", "test_freq")
