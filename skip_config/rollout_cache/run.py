"""What a composed config says about the dumps of one run, read as verl's own classes read it.

Each expression follows the constructor of the class that it is named after, so that a null, a `???` or
an absent key has the effect that it has there. Opens no file; only `~` and the working directory count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from skip_config import releases
from skip_config.releases import MANAGER, Role, dotted
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.layout import Naming, naming
from skip_config.trainer import role_in_use
from skip_config.view import MappingView

if TYPE_CHECKING:
    from omegaconf import DictConfig


class RefusedError(Exception):
    """verl would stop with these settings, or they are not known here. The text says which and why."""


@dataclass(frozen=True, slots=True)
class Run:
    """One role's settings, as its class holds them once the run has started.

    Args:
        role: Which role.
        enable, steps, action: Its settings.
        dump_dir: As the config has it.
        base: The same with `~` expanded and links resolved.
        naming: What the directory below is called.
        parts: Directories per step (`rollout_tq`); 1 for the other roles.
        parts_key: The setting that `parts` comes from.
        total_steps: T, when the config states it.
    """

    role: Role
    enable: bool
    steps: tuple[int, ...]
    action: str
    dump_dir: str
    base: Path
    naming: Naming
    parts: int
    parts_key: str
    total_steps: int | None

    @property
    def directory(self) -> Path:
        """Where the steps lie."""
        return self.naming.below(self.base)


@dataclass(frozen=True, slots=True)
class OldRun:
    """Where an older release keeps the dumps of the same run.

    Args:
        kind: `flat` or `nested`.
        place: The file of `flat`, the directory of the steps of `nested`.
        dump_dir: The directory that the setting names.
    """

    kind: Literal["flat", "nested"]
    place: Path
    dump_dir: Path


def choose_role(config: DictConfig, requested: str = "auto") -> Role:
    """The role whose dumps matter: the one asked for, the trainer's, the only one that is on, or 0.9's default."""
    if requested != "auto":
        return next(role for role in releases.ROLES if role == requested)
    used = role_in_use(view_of(config))
    if used is not None:
        return used
    block = manager_block(config)
    on: list[Role] = [role for role in releases.ROLES if block is not None and getattr(block, role).enable]
    return on[0] if len(on) == 1 else "rollout_tq"


def view_of(config: DictConfig) -> MappingView:
    """What tells the trainer, as the rules see it."""
    data: dict[object, object] = {}
    bases = _select(config, ("defaults",), None)
    if bases is not None:
        data["defaults"] = [one for one in bases if isinstance(one, str)]
    if _select(config, releases.ASYNC_TRAINING, None) is not None:
        data[releases.ASYNC_TRAINING[0]] = {}
    use_v1 = _select(config, releases.USE_V1, None)
    if use_v1 is not None:
        data[releases.USE_V1[0]] = {releases.USE_V1[1]: use_v1}
    return MappingView(data)


def manager_block(config: DictConfig) -> Any:
    """The `skip` block as the runtime converts it, or None when it refuses it or there is none."""
    try:
        return _converted(config)
    except RefusedError:
        return None


def _converted(config: DictConfig) -> Any:
    from omegaconf import OmegaConf

    from skip_config.schema import SkipManagerConfig

    with refusals():
        block = OmegaConf.select(config, dotted(MANAGER.place))
        merged = OmegaConf.merge(OmegaConf.structured(SkipManagerConfig), block or {})
        # Interpolations of the block point into the whole config, so it takes its place there.
        whole = OmegaConf.merge(config)
        OmegaConf.update(whole, dotted(MANAGER.place), merged, merge=False, force_add=True)
        return OmegaConf.to_object(OmegaConf.select(whole, dotted(MANAGER.place)))


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the runtime would raise into a `RefusedError`."""
    from omegaconf.errors import OmegaConfBaseException

    try:
        yield
    except (OmegaConfBaseException, ValueError, TypeError, OverflowError) as error:
        raise RefusedError(
            str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        ) from error


def read(config: DictConfig, role: Role) -> Run:
    """Read the settings of a role.

    Raises:
        RefusedError: The runtime would stop with this config.
    """
    own = getattr(_converted(config), role)
    parts, parts_key = _parts(config, role)
    return Run(
        role,
        own.enable,
        tuple(own.steps),
        own.action,
        own.dump_dir,
        _expanded(own.dump_dir),
        _naming(config, role),
        parts,
        parts_key,
        _total_steps(config),
    )


def _naming(config: DictConfig, role: Role) -> Naming:
    """`RolloutSkip.__init__` of verl 0.9.1, and for the V1 trainer what it sets before."""
    names = _trainer(config)
    with refusals():
        experiment = names.get(layout.EXPERIMENT_NAME[-1], layout.NO_EXPERIMENT)
        project = names.get(layout.PROJECT_NAME[-1], layout.NO_PROJECT)
        n = _whole(_select(config, layout.ROLLOUT_N, 0), layout.ROLLOUT_N)
        key, size = _batch_size(config, role)
        return naming(
            experiment,
            project,
            (key, size),
            n,
            _select(config, layout.PROMPT_LENGTH, 0),
            _select(config, layout.RESPONSE_LENGTH, 0),
        )


def _batch_size(config: DictConfig, role: Role) -> tuple[str, int]:
    forced = forced_single(config) if role == "rollout_tq" else None
    if forced:
        return f"{dotted(releases.GEN_BATCH_SIZE)}, set to 1 because {forced}", 1
    path = releases.GEN_BATCH_SIZE
    size = _select(config, path, None)
    if size is None:
        path = releases.TRAIN_BATCH_SIZE
        size = _select(config, path, 0)
    return dotted(path), _whole(size, path)


def forced_single(config: DictConfig) -> str | None:
    """Why the V1 trainer sets `data.gen_batch_size` to 1, or None (`trainer_base.py` of verl 0.9.1)."""
    mode = trainer_mode(config)
    if mode != releases.SYNC:
        return f"{dotted(releases.TRAINER_MODE)} is {mode}"
    for path in (layout.FILTER_ENABLE, layout.REFILL):
        if bool(_select(config, path, False)):
            return f"{dotted(path)} is on"
    return None


def trainer_mode(config: DictConfig) -> str:
    """`trainer.v1.trainer_mode`, verl 0.9's default where the config leaves it out."""
    return str(_select(config, releases.TRAINER_MODE, releases.SYNC))


def _parts(config: DictConfig, role: Role) -> tuple[int, str]:
    """`RolloutTqSkip.__init__` of verl 0.9.1."""
    path = (*releases.TRAINER_V1, trainer_mode(config), layout.SYNC_STEP)
    parts = _whole(_select(config, path, 1), path)
    if role != "rollout_tq":  # the manager starts all roles, so the value has to be a number all the same
        return 1, ""
    if parts < 1:
        raise RefusedError(f"{dotted(path)} is {parts}, and a step cannot have fewer parts than 1")
    return parts, dotted(path)


def _total_steps(config: DictConfig) -> int | None:
    value = _select(config, releases.TOTAL_STEPS, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _trainer(config: DictConfig) -> Any:
    from omegaconf import DictConfig

    trainer = _select(config, layout.EXPERIMENT_NAME[:1], None)
    return trainer if isinstance(trainer, DictConfig) else {}


def _select(config: DictConfig, path: tuple[str, ...], default: object) -> Any:
    from omegaconf import OmegaConf

    with refusals():
        return OmegaConf.select(config, dotted(path), default=default)


def _whole(value: object, path: tuple[str, ...]) -> int:
    try:
        return int(cast("Any", value))
    except (TypeError, ValueError, OverflowError) as error:
        raise RefusedError(f"{dotted(path)} is {value!r}, and verl wants a whole number there") from error


def _expanded(dump_dir: str) -> Path:
    """`Path(dump_dir).expanduser().resolve()`, as the runtime does."""
    try:
        return Path(dump_dir).expanduser().resolve()
    except (RuntimeError, OSError, ValueError) as error:  # no such user; a loop of links; a null byte
        raise RefusedError(f"the dump directory {dump_dir!r} cannot be resolved: {error}") from error


# ------------------------------------------------------------------ older releases


def flat_run(config: DictConfig, dump_dir: str) -> OldRun:
    """Where verl 0.6 to 0.7 keeps the dump of this run: `~` is not expanded there.

    Raises:
        RefusedError: The old runtime would stop with this config.
    """
    data = _select(config, releases.GEN_BATCH_SIZE[:1], None)
    names = data if data is not None else {}
    with refusals():
        experiment = names.get(layout.EXPERIMENT_NAME[-1], "")
        project = names.get(layout.PROJECT_NAME[-1], "")
    base = Path(dump_dir)
    place = layout.flat_file(base, experiment, project, _old_batch_size(config), _old_n(config))
    return OldRun("flat", place, base)


def nested_run(config: DictConfig, dump_dir: str) -> OldRun:
    """Where verl 0.8 keeps the dumps of this run.

    Raises:
        RefusedError: The old runtime would stop with this config.
    """
    names = _trainer(config)
    with refusals():
        named = naming(
            names.get(layout.EXPERIMENT_NAME[-1], ""),
            names.get(layout.PROJECT_NAME[-1], ""),
            ("", _old_batch_size(config)),
            _old_n(config),
            _select(config, layout.PROMPT_LENGTH, 0),
            _select(config, layout.RESPONSE_LENGTH, 0),
        )
    base = _expanded(dump_dir)
    return OldRun("nested", named.below(base), base)


def _old_batch_size(config: DictConfig) -> int:
    # A null is what verl 0.9 added: the old config that the dumps belong to had no such key.
    size = _select(config, releases.GEN_BATCH_SIZE, None)
    if size is None:
        size = _select(config, releases.TRAIN_BATCH_SIZE, 0)
    return _whole(size, releases.GEN_BATCH_SIZE)


def _old_n(config: DictConfig) -> int:
    return _whole(_select(config, layout.ROLLOUT_N, 0), layout.ROLLOUT_N)
