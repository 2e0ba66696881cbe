"""The text of `generated_configs/_generated_*.yaml`: the slice of verl's config that the rules read, per launch."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from skip_config import defaults
from skip_config.defaults import LAUNCHES, RELEASE, Launch

Path = tuple[str, ...]

_WIDTH = 100


def files() -> dict[str, str]:
    """The generated files: name -> text."""
    return {f"_generated_{launch.name}.yaml": text_of(launch) for launch in LAUNCHES}


def text_of(launch: Launch) -> str:
    """The file of one launch: a header that says how it was made, then the slice with its docs as comments."""
    docs = defaults.docs()
    return "\n".join([*_header(launch), *_mapping(defaults.launch(launch.name), (), docs)]) + "\n"


def _header(launch: Launch) -> Iterator[str]:
    words = [f"python -m {launch.module}", *launch.arguments]
    command = " \\\n#     ".join(words)
    yield "# Made by `skipcfg generate`. Do not edit: change skip_config/defaults.py or skip_config/schema.py instead."
    yield f"# What the skip and streaming rules read of the config that verl {RELEASE} composes for"
    yield f"#   {command}"
    yield f"# (primary config {launch.primary})."


def _mapping(values: dict[str, Any], path: Path, docs: dict[Path, str]) -> Iterator[str]:
    indent = "  " * len(path)
    for key, value in values.items():
        here = (*path, key)
        for line in textwrap.wrap(docs.get(here, ""), _WIDTH):
            yield f"{indent}# {line}"
        if isinstance(value, dict) and value:
            yield f"{indent}{key}:"
            yield from _mapping(value, here, docs)
        else:
            yield f"{indent}{key}: {_scalar(value)}"


def _scalar(value: object) -> str:
    import yaml

    text = yaml.safe_dump(value, default_flow_style=True)
    return text.removesuffix("...\n").strip()
