"""Options that several commands share, and the values that they take."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Role(str, Enum):
    """Values of --role."""

    AUTO = "auto"
    ROLLOUT = "rollout"
    ROLLOUT_TQ = "rollout_tq"
    BOTH = "both"
    ASYNC_ROLLOUT = "async_rollout"


class OneRole(str, Enum):
    """Values of --role where one role is meant."""

    AUTO = "auto"
    ROLLOUT = "rollout"
    ROLLOUT_TQ = "rollout_tq"
    ASYNC_ROLLOUT = "async_rollout"


class Format(str, Enum):
    """Values of --format."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class PlainFormat(str, Enum):
    """Values of --format where there are no findings to point at."""

    TEXT = "text"
    JSON = "json"


class Base(str, Enum):
    """Values of --base."""

    AUTO = "auto"
    NONE = "none"


class Runtime(str, Enum):
    """Values of --runtime."""

    INSTALLED = "installed"


class Included(str, Enum):
    """Values of --include."""

    RECORDS = "records"
    COMMENTS = "comments"
    DOCS = "docs"


Paths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Files and folders; - reads standard input.", show_default=False)
]
FormatOption = Annotated[
    Format | None,
    typer.Option("--format", help="How to print the findings; github by itself inside GitHub Actions, else text."),
]
PlainFormatOption = Annotated[PlainFormat, typer.Option("--format", help="How to print the result.")]
Names = list[str] | None
StdinName = Annotated[
    str | None, typer.Option("--stdin-filename", metavar="NAME", help="Name that tells the kind of standard input.")
]

IfRelevant = Annotated[
    bool,
    typer.Option(
        "--if-relevant", help="Pass over named files that do not mention rollout skip, as in folders; for hooks."
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes; by default as many as help.")
]
