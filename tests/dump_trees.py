"""Dumps as verl lays them out, for tests that need no runtime: the right names, and bytes that end like a pickle."""

from __future__ import annotations

from pathlib import Path

from skip_config.rollout_cache import layout

PARAMETERS = "GBS4_N2_in8_out16"

DATA = {"train_batch_size": 4, "max_prompt_length": 8, "max_response_length": 16}


def pickled(content: object = "") -> bytes:
    """Something that starts and ends as a pickle does; nothing may ever load it."""
    return b"\x80\x04" + repr(content).encode() + b"."


def write(place: Path, *names: str, content: object = "") -> Path:
    """A directory with files."""
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        (place / name).write_bytes(b"{}" if name == layout.META else pickled(content))
    return place


def manager_step(directory: Path, step: object) -> Path:
    """A complete step of `rollout` or `async_rollout`."""
    return write(directory / str(step), layout.GEN_BATCH, layout.META, content=step)


def queue_step(directory: Path, step: object, parts: int = 1) -> Path:
    """A complete step of `rollout_tq`."""
    for index in range(parts):
        write(directory / str(step) / str(index), layout.TQ_BATCH, layout.META, content=(step, index))
    return directory / str(step)


def nested_step(directory: Path, step: int) -> Path:
    """A complete step of verl 0.8."""
    place = directory / layout.nested_name(step)
    return write(place, layout.NEW_BATCH, layout.GEN_BATCH, layout.META, content=step)


def flat_dump(directory: Path, name: str) -> Path:
    """The one file of verl 0.6 to 0.7."""
    write(directory, name, content=name)
    return directory / name


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file below a directory with what is in it."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
