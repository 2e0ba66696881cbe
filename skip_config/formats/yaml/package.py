"""Where Hydra places a file in the composed config."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import NamedTuple

from skip_config import releases

_PACKAGE = re.compile(r"^#\s*@package\s+(\S+)\s*$", re.MULTILINE)
_GROUP = "_group_"


class Package(NamedTuple):
    """Where Hydra places a file in the composed config.

    Args:
        path: The path; empty for the root.
        stated: Whether the file says so itself, rather than its folder.
    """

    path: tuple[str, ...] = ()
    stated: bool = False


def package_of(text: str, filename: str) -> Package:
    """The path at which Hydra places the file, by its `# @package` line or by its folder.

    Only the folders that verl uses are known (`rollout/`, `actor_rollout_ref/`): where a file of
    another group ends up depends on the defaults list that names it.
    """
    header = _PACKAGE.search(_leading_comments(text))
    name = header[1] if header else _GROUP
    if name == "_global_":
        return Package((), True)
    parts = tuple(name.removeprefix("_global_.").split("."))
    if parts[0] != _GROUP:
        return Package(parts, True)
    folders = PurePath(filename).parent.parts
    place = releases.ROLLOUT_PLACE
    if folders[-2:] == place or folders[-1:] == place[-1:]:
        return Package((*place, *parts[1:]), folders[-2:] == place)
    if folders[-1:] == place[:1]:
        return Package((*place[:1], *parts[1:]), True)
    return Package(parts[1:])


def _leading_comments(text: str) -> str:
    match = re.match(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*(?:[ \t]*#[^\r\n]*)?", text)
    return match[0] if match else ""
