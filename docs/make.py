"""`python -m docs.make`: write what the docs quote from the program: outputs, command-line reference, session.

Everything here is made by running skipcfg; tests/test_docs.py fails when a page shows something else.
"""

from __future__ import annotations

import html
import inspect
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import typer
from rich.console import Console
from rich.text import Text
from skipcfg.app import app
from typer.models import OptionInfo, ParameterInfo

from tests.console import Command, File, agrees, run_here, steps

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
ELSEWHERE = frozenset({"editors.md", "hydra.md", "rollout-cache.md"})
"""Pages whose commands need more than the examples, and have a test of their own."""

REFERENCE = DOCS / "command-line.md"
SESSION = DOCS / "session.svg"
SESSION_COMMANDS = (
    "skipcfg migrate docs/examples/run.sh --diff",
    "skipcfg migrate docs/examples/run.sh",
    "skipcfg validate docs/examples/run.sh",
)
_FENCE = re.compile(r"(^```console\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)
_WIDTH = 110
_STYLES = (("$ ", "bold"), ("-", "red"), ("+", "green"), ("@@", "cyan"), ("Next:", "bold blue"))


def pages() -> list[Path]:
    """The pages whose commands are run in a copy of docs/examples."""
    docs = (page for page in sorted(DOCS.glob("*.md")) if page.name not in ELSEWHERE)
    return [*sorted(ROOT.glob("README*.md")), *docs]


def fresh(folder: Path) -> Path:
    """A folder as a reader has it: the examples, and a home directory that is always the same."""
    shutil.copytree(DOCS / "examples", folder / "docs" / "examples")
    os.environ.update(HOME="/home/you", COLUMNS="100", NO_COLOR="1")
    os.environ.pop("GITHUB_ACTIONS", None)
    return folder


def played(page: str, folder: Path) -> Iterator[tuple[Command, str]]:
    """Each command of skipcfg on a page with what it printed; the page's files are written on the way."""
    for step in steps(page):
        if isinstance(step, File):
            (folder / step.name).write_text(step.text)
        elif step.line.startswith("skipcfg "):
            yield step, run_here(step.line, folder)


def refreshed(page: str, folder: Path) -> str:
    """The page with the output of today below each command; what still agrees stays as it is."""
    printed = played(page, folder)

    def rewritten(fence: re.Match[str]) -> str:
        body = ""
        for part in re.split(r"^(?=\$ )", fence[2], flags=re.MULTILINE):
            if part.startswith("$ skipcfg "):
                step, output = next(printed)
                body += part if agrees(step.output, output) else f"$ {step.line}\n{output}"
            else:
                body += part
        return fence[1] + body + fence[3]

    return _FENCE.sub(rewritten, page)


def reference() -> str:
    """The page with every command, argument and option, read from the parser itself."""
    lines = [
        "# Command line",
        "",
        "<!-- Made by `python -m docs.make`. Do not edit: change cli/skipcfg/app.py instead. -->",
        "",
        "Exit codes: **0** done, no error; **1** findings; **2** could not run. Results go to standard output, words",
        "for people to standard error. With `--format json`, standard output is one JSON object whatever happens.",
    ]
    for name, callback in sorted(_commands(app, "skipcfg")):
        parameters = [_Parameter(*one) for one in _parameters(callback)]
        words = [one.usage for one in parameters if one.argument]
        lines += ["", f"## {name}", "", inspect.getdoc(callback) or ""]
        lines += ["", "```text", " ".join([name, "[OPTIONS]", *words]), "```"]
        lines += ["", "| | |", "|---|---|", *(one.row for one in parameters)] if parameters else []
    return "\n".join(lines) + "\n"


def _commands(group: typer.Typer, name: str) -> Iterator[tuple[str, Callable[..., int]]]:
    for command in group.registered_commands:
        if command.callback and not command.hidden:
            yield f"{name} {command.name or command.callback.__name__}", command.callback
    for inner in group.registered_groups:
        if inner.typer_instance:
            yield from _commands(inner.typer_instance, f"{name} {inner.name or inner.typer_instance.info.name}")


def _parameters(callback: Callable[..., int]) -> Iterator[tuple[str, ParameterInfo, tuple[str, ...], object, bool]]:
    hints = get_type_hints(callback, include_extras=True)
    for name, parameter in inspect.signature(callback).parameters.items():
        # Of `Annotated[...] | None`, what is annotated is one level down.
        annotated = next(one for one in (hints[name], *get_args(hints[name])) if hasattr(one, "__metadata__"))
        info = next(one for one in annotated.__metadata__ if isinstance(one, ParameterInfo))
        yield name, info, tuple(_choices(annotated)), parameter.default, "list[" in str(annotated)


def _choices(annotation: Any) -> Iterator[str]:
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        yield from (str(one.value) for one in annotation)
    for inner in get_args(annotation):
        yield from _choices(inner)


class _Parameter(NamedTuple):
    """An argument or option of a command, as its declaration says."""

    name: str
    info: ParameterInfo
    choices: tuple[str, ...]
    default: object
    several: bool

    @property
    def argument(self) -> bool:
        return not isinstance(self.info, OptionInfo)

    @property
    def usage(self) -> str:
        name = str(self.info.metavar or self.name.upper())
        if self.several and name.isalpha():  # where one word stands for all of them
            name += "..."
        return name if self.default is inspect.Parameter.empty or name.startswith("[") else f"[{name}]"

    @property
    def row(self) -> str:
        if self.argument:
            return f"| `{self.usage}` | {self.info.help} |"
        # In `Annotated`, Typer takes the first flag for what used to be the default.
        first = [self.info.default] if isinstance(self.info.default, str) else []
        flags = ", ".join(f"`{flag}`" for flag in (*first, *(self.info.param_decls or ())))
        value = (self.info.metavar or "|".join(self.choices)).replace("|", "\\|")
        default = getattr(self.default, "value", self.default)
        end = f" Default: `{default}`." if isinstance(default, str) else ""
        return f"| {flags}{f' `{value}`' if value else ''} | {self.info.help}{end} |"


def session() -> str:
    """What a terminal shows when the commands of the session are typed."""
    with tempfile.TemporaryDirectory() as folder:
        place = fresh(Path(folder))
        return "\n".join(f"$ {command}\n{run_here(command, place)}" for command in SESSION_COMMANDS)


def drawn(text: str) -> str:
    """The session as an SVG picture that loads nothing from elsewhere."""
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=_WIDTH, file=nowhere, force_terminal=True, legacy_windows=False)
        for line in text.splitlines():
            style = next((style for start, style in _STYLES if line.startswith(start)), "")
            console.print(Text(line, style), soft_wrap=False)
        svg = console.export_svg(title="skipcfg", unique_id="session")
    svg = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->", "", svg, flags=re.DOTALL)
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines()).replace("Fira Code", "ui-monospace")


def shown(svg: str) -> str:
    """The words in such a picture, without its line breaks and blanks."""
    body = svg[svg.index('class="session-matrix"') :]
    return "".join(html.unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", body))).split())


def main() -> None:
    """Write all of it."""
    REFERENCE.write_text(reference())
    SESSION.write_text(drawn(session()))
    for page in pages():
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(refreshed(page.read_text(), fresh(Path(folder))))


if __name__ == "__main__":
    main()
