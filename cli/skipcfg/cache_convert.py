"""`skipcfg cache convert`: put the dumps of older releases where verl 0.9 looks for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from skip_config import releases
from skip_config.legacy import LegacySkip
from skip_config.releases import MANAGER, Role, dotted
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.config import Command, ConfigError, unknown_for
from skip_config.rollout_cache.convert import OutsideError, Placement, carry_out, confined, placements
from skip_config.rollout_cache.old_dumps import (
    Found,
    absent,
    dump_dir_of,
    find,
    goes_round,
    last_dumped,
    legacy_settings,
    targets,
)
from skip_config.rollout_cache.run import (
    OldRun,
    RefusedError,
    Run,
    choose_role,
    flat_run,
    manager_block,
    nested_run,
    read,
)
from skip_config.translate import NewSkip, first_steps, translate
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


class NotPossibleError(Exception):
    """The dumps cannot serve this config. The text says why, and what would help."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be converted.

    Args:
        run: How verl 0.9 will read it.
        old: The old settings; None when the config is migrated already.
        found: Dumps of the older release.
        directory: Where they go; inside the dump directory.
        steps: What becomes of each step.
        total_steps: T.
    """

    run: Run
    old: LegacySkip | None
    found: Found
    directory: Path
    steps: list[Placement]
    total_steps: int | None


WHY_NOT_TQ = (
    "dumps of older releases cannot serve skip.rollout_tq: it reads trajectories with the keys and tags of the "
    f"transfer queue ({layout.TQ_BATCH}), and the old dumps have neither. They can serve skip.rollout, which the "
    f"older trainer of verl 0.9 asks: add {dotted(releases.USE_V1)}=False to the run and to this command"
)


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
        task = prepare(command, options)
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
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def prepare(command: Command, options: Options) -> Task:
    """Find out what is to be done; writes nothing.

    Raises:
        ConfigError, RefusedError, NotPossibleError, OutsideError: It cannot be done.
    """
    from omegaconf import OmegaConf

    config = command.config
    old = legacy_settings(config)
    role = _role(command, old)
    unknown = [*unknown_for(command, role), *((k, v) for k, v in command.unknown if _is_old(k))]
    if unknown:
        listed = ", ".join(f"{key}={value}" for key, value in unknown)
        raise ConfigError(f"only the shell knows {listed}; add what it was as overrides behind the file")
    place = (*MANAGER.place, role, MANAGER.keys["dump_dir"])
    if old is not None and OmegaConf.select(config, dotted(place)) is None:
        OmegaConf.update(config, dotted(place), dump_dir_of(old), force_add=True)
    run = read(config, role)
    total_steps = run.total_steps or options.total_steps
    candidates = [nested_run(config, _old_dir(old, run)), flat_run(config, _old_dir(old, run))]
    if old is not None:
        candidates.sort(key=lambda one: one.kind != old.generation)
    directory = confined(run.directory, run.base)
    found = _first_with_dumps(candidates)
    if found is None:
        looked = " and ".join(name(str(one.place)) for one in candidates)
        raise NotPossibleError(f"no dumps of verl 0.6 to 0.8 belong to this config; looked for {looked}")
    steps = placements(targets(found, old, total_steps), directory, options.copy)
    return Task(run, old, found, directory, steps, total_steps)


def _is_old(key: str) -> bool:
    return key.startswith(dotted(releases.ROLLOUT_PLACE) + ".skip")


def _old_dir(old: LegacySkip | None, run: Run) -> str:
    return run.dump_dir if old is None else dump_dir_of(old)


def _first_with_dumps(candidates: Sequence[OldRun]) -> Found | None:
    for old in candidates:
        confined(old.place, old.dump_dir)
    return next((found for found in map(find, candidates) if found.dumps), None)


def _role(command: Command, old: LegacySkip | None) -> Role:
    """`rollout` or `async_rollout`: the roles whose files are those of older releases."""
    from omegaconf import OmegaConf

    config = command.config
    if choose_role(config) == "async_rollout":
        return "async_rollout"
    if OmegaConf.select(config, dotted(releases.USE_V1)):
        raise NotPossibleError(WHY_NOT_TQ)
    if OmegaConf.select(config, dotted(releases.USE_V1)) is None and old is None:
        block = manager_block(config)
        if block is not None and block.rollout_tq.enable and not block.rollout.enable:
            raise NotPossibleError(WHY_NOT_TQ)
    return "rollout"


# ------------------------------------------------------------------------ results


def _settings(task: Task) -> dict[str, object] | None:
    """The settings of the role with which verl 0.9 does what the old release did, when that is known."""
    if task.old is None:
        return None
    translation = translate(task.old, task.total_steps)
    new = translation.settings
    if task.total_steps is not None and goes_round(task.old, task.total_steps):
        new = NewSkip(steps=first_steps(task.total_steps), action="cache")
    if new is None or not isinstance(new.steps, tuple):
        return None
    action = new.action if isinstance(new.action, str) else task.old.action
    return {
        "enable": True,
        "dump_dir": task.run.dump_dir,
        "steps": list(new.steps),
        "action": action if action in releases.SUPPORTED_ACTIONS else MANAGER.defaults["action"],
    }


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
        "settings": _settings(task),
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
    settings = _settings(task)
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
    file = name(given.arguments[0]) if given.arguments and given.config_name is None else "CONFIG"
    if errors:
        err("Next: follow the error above, and run skipcfg cache convert again; what is there stays.")
    elif options.dry_run and made:
        err(f"Next: skipcfg cache convert {file} without --dry-run.")
    elif task.old is not None:
        err("Next: put the settings above in place of the old ones; skipcfg plan shows what a run will load.")
    else:
        err(f"Next: skipcfg plan {file} shows what a run will load.")
    return 1 if errors else 0


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
    if task.old is None and task.found.old.kind == "nested" and len(task.found.dumps) > 1:
        yield (
            "the config holds no old settings, so each dump keeps its step; if they were repeat with max_dump_step 2 "
            "or more, run this on the old config instead"
        )


_TEST_FREQ = ("trainer", "test_freq")
