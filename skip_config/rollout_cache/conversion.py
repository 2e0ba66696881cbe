"""Which dumps of older releases serve a config under verl 0.9, at which steps, and with which settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skip_config import releases
from skip_config.legacy import LegacySkip
from skip_config.releases import MANAGER, Role, dotted
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.config import Command, ConfigError, unknown_for
from skip_config.rollout_cache.convert import Placement, confined, placements
from skip_config.rollout_cache.old_dumps import Found, dump_dir_of, find, goes_round, legacy_settings, targets
from skip_config.rollout_cache.run import OldRun, Run, choose_role, flat_run, manager_block, nested_run, read
from skip_config.translate import NewSkip, first_steps, translate


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


def prepare(command: Command, given_total: int | None, copy: bool) -> Task:
    """Find out what is to be done; writes nothing.

    Args:
        command: The config, old or migrated.
        given_total: T, used where the config does not say.
        copy: Whether to copy where a hard link would do.

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
    total_steps = run.total_steps or given_total
    candidates = [nested_run(config, _old_dir(old, run)), flat_run(config, _old_dir(old, run))]
    if old is not None:
        candidates.sort(key=lambda one: one.kind != old.generation)
    directory = confined(run.directory, run.base)
    found = _first_with_dumps(candidates)
    if found is None:
        looked = " and ".join(str(one.place) for one in candidates)
        raise NotPossibleError(
            f"no dumps of verl 0.6 to 0.8 belong to this config; looked for {looked}. "
            "Add the overrides of the run that made them, or name its config"
        )
    steps = placements(targets(found, old, total_steps), directory, copy)
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


def settings_of(task: Task) -> dict[str, object] | None:
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
        "enable": translation.on is not False,
        "dump_dir": task.run.dump_dir,
        "steps": list(new.steps),
        "action": action if action in releases.SUPPORTED_ACTIONS else MANAGER.defaults["action"],
    }
