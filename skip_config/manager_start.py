"""What the manager of verl 0.9 reads beside `skip` when it starts, whichever role is on.

It follows the constructors in `verl/utils/skip/rollout_skip.py`: all three roles are built at the start,
and each names its dump directory after the batch size and the number of responses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skip_config.releases import GEN_BATCH_SIZE, TRAIN_BATCH_SIZE, dotted

if TYPE_CHECKING:
    from omegaconf import DictConfig

SECTIONS = ("actor_rollout_ref", "data", "trainer")
"""Sections of every complete config; without them all, the rest is still to come."""

RESPONSES = "actor_rollout_ref.rollout.n"
MODE = "trainer.v1.trainer_mode"


class Obstacle(NamedTuple):
    """A key outside `skip` that keeps the manager from starting, and why."""

    key: str
    why: str


def obstacle(config: DictConfig) -> Obstacle | None:
    """The first thing outside `skip` that stops the manager of a complete config, or None."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    if any(section not in config for section in SECTIONS):
        return None
    key = MODE
    try:
        mode = config.trainer.v1.trainer_mode
        key = RESPONSES
        _whole(OmegaConf.select(config, key, default=0))
        key = dotted(GEN_BATCH_SIZE)
        size = OmegaConf.select(config, key)
        if size is None:
            key = dotted(TRAIN_BATCH_SIZE)
            size = OmegaConf.select(config, key, default=0)
        _whole(size)
        key = f"trainer.v1.{mode}.parameter_sync_step"
        _whole(OmegaConf.select(config, key, default=1))
    except OmegaConfBaseException as error:
        return Obstacle(key, str(error).splitlines()[0])
    except (AttributeError, TypeError, ValueError, OverflowError):
        # The value stays out of the message: it may come from the environment.
        return Obstacle(key, "it is not set" if key == MODE else "it is not a whole number")
    return None


def _whole(value: object) -> None:
    int(value)  # type: ignore[call-overload]  # as the runtime does; it raises for what is no number
