"""What is installed here, whether it fits together, and where dumps would go."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from skip_config import __version__, verl_tree
from skip_config.releases import (
    DEFAULT_DUMP_DIR,
    MANAGER,
    QUEUE_SAVES,
    QUEUE_WANTED,
    RELEASES,
    dotted,
)

FITTING = "pip install 'hydra-core>=1.3.2,<1.4' 'omegaconf>=2.3,<2.4'"
"""The pair that verl 0.9.1's configs compose with."""

PLUGIN = "SkipConfigSearchPathPlugin"
_PLUGIN_MODULE = "hydra_plugins.skip_config"

ROOM = 10 * 2**30
"""Bytes from which there is room: one step of 1,024 prompts, 8 responses, 1,024 tokens takes about 0.4 GB."""

_IN_MEMORY = frozenset({"tmpfs", "ramfs"})
_OF_A_CONTAINER = frozenset({"overlay", "aufs"})
_NETWORK = re.compile(
    r"nfs\d?|cifs|smb\w*|lustre|ceph|glusterfs|beegfs\w*|gpfs|9p|afs|fuse\.(sshfs|s3fs|juicefs|gcsfuse|rclone|ceph\w*|glusterfs)"
)


class Status(str, Enum):
    """`OK`: fits. `WARN`: runs and may disappoint. `PROBLEM`: does not run."""

    OK = "ok"
    WARN = "warn"
    PROBLEM = "problem"


class Check(NamedTuple):
    """One thing that was looked at.

    Args:
        name: What, in kebab-case.
        status: Whether it fits.
        found: What there is, in one sentence.
        version: Its version, where it has one.
        advice: What to do; None when there is nothing to do.
    """

    name: str
    status: Status
    found: str
    version: str | None = None
    advice: str | None = None


def checks(dump_dir: str = DEFAULT_DUMP_DIR) -> Iterator[Check]:
    """Look at everything, in the order in which one thing needs the other.

    Args:
        dump_dir: Where dumps would go, as a config writes it.
    """
    verl = verl_tree.installed()
    yield _python()
    yield Check("skipcfg", Status.OK, f"knows verl {RELEASES[0]} to {RELEASES[-1]}", __version__)
    yield from _hydra(verl is not None)
    yield _plugin()
    if verl is None:
        found = "not installed here, which is fine where configs are only migrated and checked"
        yield Check("verl", Status.OK, found)
    else:
        yield _verl(verl)
    yield _queue(verl is not None)
    yield _dump_dir(dump_dir)


def _python() -> Check:
    number = ".".join(str(part) for part in sys.version_info[:3])
    return Check("python", Status.OK, sys.executable, number)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """`1.4.0rc3` -> (1, 4, 0): enough to compare releases, without a dependency."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"(?:a|b|rc|\.dev|\+)", text)[0]))


def _hydra(with_verl: bool) -> Iterator[Check]:
    hydra, omegaconf = _version("hydra-core"), _version("omegaconf")
    for name, found in (("hydra-core", hydra), ("omegaconf", omegaconf)):
        if found is None:
            yield Check(name, Status.PROBLEM, "not installed", None, FITTING)
    if hydra is None or omegaconf is None:
        return
    new_hydra, new_omegaconf = _numbers(hydra) >= (1, 4), _numbers(omegaconf) >= (2, 4)
    if new_hydra:
        text = f"refuses verl {RELEASES[-1]}'s own configs (\"Parent traversal ('..') … is not supported\")"
        yield Check("hydra-core", Status.PROBLEM if with_verl else Status.WARN, text, hydra, FITTING)
    else:
        yield Check("hydra-core", Status.OK, f"composes verl {RELEASES[-1]}'s configs", hydra)
    if new_hydra == new_omegaconf:
        yield Check("omegaconf", Status.OK, f"fits hydra-core {hydra}", omegaconf)
    else:
        wanted = "2.4 or newer" if new_hydra else "2.3"
        yield Check("omegaconf", Status.PROBLEM, f"hydra-core {hydra} needs omegaconf {wanted}", omegaconf, FITTING)


def _plugin() -> Check:
    try:
        found, complaints = _ask_hydra()
    except Exception as error:  # whatever any plugin on this machine does; it is told, and ends no check
        text = f"Hydra cannot compose here: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        return Check("hydra-plugin", Status.PROBLEM, text, None, "mend or uninstall what the error names")
    if not found:
        why = f": {complaints[0]}" if complaints else ""
        advice = "pip install --force-reinstall skipcfg, in the environment of this Python"
        return Check("hydra-plugin", Status.PROBLEM, f"Hydra does not find skipcfg's plugin{why}", None, advice)
    return Check("hydra-plugin", Status.OK, "Hydra finds it: +skip=both_cache and the other presets compose")


def _ask_hydra() -> tuple[bool, list[str]]:
    """Whether Hydra lists the plugin and composes a preset, and what Hydra warned of."""
    from hydra import compose, initialize
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.plugins import Plugins
    from hydra.plugins.search_path_plugin import SearchPathPlugin

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        listed = any(one.__name__ == PLUGIN for one in Plugins.instance().discover(SearchPathPlugin))
        if listed and not GlobalHydra.instance().is_initialized():
            with initialize(version_base="1.3", config_path=None):
                compose(overrides=["+skip=both_cache"])
    said = (str(one.message).strip() for one in caught)
    return listed, [text.splitlines()[-1].strip() for text in said if _PLUGIN_MODULE in text]


def _verl(verl: verl_tree.Verl) -> Check:
    try:
        generation = verl_tree.generation_of(verl_tree.shipped_config(verl.folder))
    except (OSError, ValueError) as error:
        text = f"its shipped config cannot be read: {getattr(error, 'strerror', None) or error}"
        return Check("verl", Status.WARN, text, verl.version, f"reinstall verl; it lies in {verl.folder}")
    if generation is None:
        text = "its shipped config has no rollout-skip settings that skipcfg knows"
        advice = f"upgrade skipcfg; this one knows verl {RELEASES[0]} to {RELEASES[-1]}"
        return Check("verl", Status.WARN, text, verl.version, advice)
    if generation is not MANAGER:
        keys = ", ".join(dotted((*generation.place, key)) for key in generation.keys.values())
        advice = f"upgrade to verl {MANAGER.since} or newer before the configs are migrated: this one refuses skip.*"
        return Check("verl", Status.WARN, f"reads {keys}", verl.version, advice)
    text = "reads skip.rollout, skip.rollout_tq and skip.async_rollout, which skipcfg migrate writes"
    if verl.version and _numbers(verl.version) > _numbers(RELEASES[-1]):
        advice = f"upgrade skipcfg; this one knows verl up to {RELEASES[-1]}, and later ones may differ"
        return Check("verl", Status.WARN, text, verl.version, advice)
    return Check("verl", Status.OK, text, verl.version)


def _queue(with_verl: bool) -> Check:
    found = _version("TransferQueue")
    advice = f"pip install 'TransferQueue>={QUEUE_WANTED}'"
    if found is None:
        if with_verl:
            text = f"not installed; verl {MANAGER.since}'s default trainer, which reads skip.rollout_tq, needs it"
            return Check("transfer-queue", Status.WARN, text, None, advice)
        return Check("transfer-queue", Status.OK, "not installed here, and nothing needs it without verl")
    if _numbers(found) < _numbers(QUEUE_SAVES):
        text = "cannot save checkpoints, which colocate_async and separate_async need"
        return Check("transfer-queue", Status.PROBLEM if with_verl else Status.WARN, text, found, advice)
    if _numbers(found) < _numbers(QUEUE_WANTED):
        text = f"can save checkpoints, and verl {RELEASES[-1]} asks for {QUEUE_WANTED} or newer"
        return Check("transfer-queue", Status.WARN, text, found, advice)
    return Check("transfer-queue", Status.OK, "can save checkpoints", found)


# ---------------------------------------------------------------------- where dumps go


def _dump_dir(text: str) -> Check:
    folder = Path(os.path.abspath(os.path.expanduser(text)))
    existing = next(one for one in (folder, *folder.parents) if os.path.lexists(one))
    elsewhere = "name another directory in skip.<role>.dump_dir"
    if not existing.is_dir():
        return Check("dump-dir", Status.PROBLEM, f"{folder}: {existing} is no directory", None, elsewhere)
    if not os.access(existing, os.W_OK | os.X_OK):
        text = f"{folder}: you may not write to {existing}"
        return Check("dump-dir", Status.PROBLEM, text, None, f"{elsewhere}, or change its permissions")
    free = shutil.disk_usage(existing).free
    kind = file_system(existing)
    there = "there, writable" if existing == folder else "not there yet, can be made"
    shown = f"{folder}: {there}, {_size(free)} free" + (f" on {kind}" if kind else "")
    if kind in _IN_MEMORY:
        advice = f"it lies in memory and is gone after a restart; {elsewhere}"
        return Check("dump-dir", Status.WARN, shown, None, advice)
    if kind in _OF_A_CONTAINER:
        advice = f"it goes when the container goes; mount a volume there, or {elsewhere}"
        return Check("dump-dir", Status.WARN, shown, None, advice)
    if free < ROOM:
        advice = f"make room, or {elsewhere}: one step of 8,192 responses takes about 0.4 GB"
        return Check("dump-dir", Status.WARN, shown, None, advice)
    if kind is not None and _NETWORK.fullmatch(kind):
        return Check("dump-dir", Status.OK, f"{shown} (network: other machines see it too)")
    return Check("dump-dir", Status.OK, shown)


def file_system(folder: Path, table: Path = Path("/proc/self/mountinfo")) -> str | None:
    """The kind of file system that a folder lies on, such as `ext4`, `tmpfs` or `nfs4`; None where nothing says.

    Args:
        folder: An existing folder.
        table: Mounts in the form of Linux (`proc_pid_mountinfo(5)`).
    """
    try:
        lines = table.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # not Linux: nothing says
        return None
    real = folder.resolve()
    best: tuple[int, str] | None = None
    for line in lines:
        left, separator, right = line.partition(" - ")
        if not separator:
            continue
        point = Path(re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), left.split(" ")[4]))
        if real.is_relative_to(point) and (best is None or len(point.parts) >= best[0]):
            best = (len(point.parts), right.split(" ")[0])
    return best[1] if best else None


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count < 1e12 else f"{count / 1e12:.1f} TB"
