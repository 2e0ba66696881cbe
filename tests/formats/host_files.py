"""Pairs of files before and after, and what their commands are when something else than skipcfg reads them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from skip_config.migrate import Migration, migrate_source
from skip_config.request import Request
from skip_config.source import Source
from tests.formats.shell_oracle import Run, difference, launched

PAIRS = Path(__file__).parent / "hosts"
ROLLOUT = "actor_rollout_ref.rollout"
LAUNCH = "python3 -m verl.trainer.main_ppo"


class Pair(NamedTuple):
    """A file that was migrated by hand."""

    name: str
    before: Path
    after: Path
    request: Request

    def source(self) -> Source:
        return Source.decode(self.before.read_bytes(), str(self.before.relative_to(PAIRS / self.name / "before")))


def pairs(*prefixes: str) -> list[Pair]:
    """The pairs whose names start with one of `prefixes`."""
    found = []
    for folder in sorted(PAIRS.iterdir()):
        if not folder.name.startswith(prefixes):
            continue
        options = folder / "request.json"
        given = json.loads(options.read_text()) if options.exists() else {}
        request = Request(total_steps=given.get("total_steps"), include=frozenset(given.get("include", ())))
        for before in sorted(path for path in (folder / "before").rglob("*") if path.is_file()):
            after = folder / "after" / before.relative_to(folder / "before")
            found.append(Pair(folder.name, before, after, request))
    return found


def migrated(text: str, filename: str, *include: str, total_steps: int | None = None) -> Migration:
    return migrate_source(Source(text, filename), Request(total_steps=total_steps, include=frozenset(include)))


def assert_pair(pair: Pair) -> Migration:
    """The file becomes what stands beside it, and stays that."""
    migration = migrate_source(pair.source(), pair.request)
    assert migration.text == pair.after.read_bytes().decode(), [one.message for one in migration.diagnostics]
    assert not migrate_source(migration.result, pair.request).changed
    return migration


def assert_same_meaning(
    before: Sequence[str], after: Sequence[str], programs: Path, folder: Path, run: Run | None = None
) -> None:
    """Scripts, in pairs, launch the same with the settings translated."""
    assert len(before) == len(after) > 0
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        first = launched(old, run or Run(), programs, folder / f"before-{index}")
        second = launched(new, run or Run(), programs, folder / f"after-{index}")
        assert first, f"launches nothing: {old}"
        assert difference(first, second, Request()) is None


# ------------------------------------------------------- readers of other people


def yaml_scripts(text: str) -> list[str]:
    """Every command of a YAML file as a script, lists of words joined as their program would do it."""
    return [script for document in yaml.safe_load_all(text) for script in _scripts(document, {})]


def _scripts(node: Any, variables: Mapping[str, str]) -> Iterator[str]:
    if isinstance(node, dict):
        given = {**variables, **{str(key): str(value) for key, value in (node.get("envs") or {}).items()}}
        lists = [node[key] for key in ("entrypoint", "command", "args") if isinstance(node.get(key), list)]
        words = [str(word) for one in lists for word in one]
        if any("main_ppo" in word for word in words):
            yield shlex.join(words).replace("$$", "$")
            return
        for value in node.values():
            yield from _scripts(value, given)
    elif isinstance(node, list):
        for value in node:
            yield from _scripts(value, variables)
    elif isinstance(node, str) and "main_ppo" in node:
        yield "".join(f"{key}={shlex.quote(value)}\n" for key, value in variables.items()) + node


def notebook_scripts(text: str) -> list[str]:
    """The shell parts of a notebook's code cells."""
    found = []
    for cell in json.loads(text)["cells"]:
        content = "".join(cell["source"])
        if cell["cell_type"] != "code" or "main_ppo" not in content:
            continue
        if content.startswith("%%bash"):
            found.append(content.partition("\n")[2])
        else:
            found += re.findall(r"!((?:[^\\\n]|\\\n|\\.)*)", content)
    return found


def fences(text: str) -> list[str]:
    """The shell fences of a Markdown document, without their indentation."""
    found = re.findall(r"^([ >]*)(?:```|~~~)(?:bash|sh)\b[^\n]*\n(.*?)^\1(?:```|~~~)", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{re.escape(prefix)}", "", body, flags=re.MULTILINE) for prefix, body in found]


def docker_script(text: str) -> str:
    """What a build and a run of a Dockerfile would start, one command after another."""
    text = re.sub(r"\\\n(?:[ \t]*#[^\n]*\n)*", " ", re.sub(r"^[ \t]*#[^\n]*\n", "", text, flags=re.MULTILINE))
    lines: list[str] = []
    entry: list[str] = []
    instructions = iter(text.splitlines())
    for line in instructions:
        name, _, rest = line.partition(" ")
        rest = re.sub(r"^(--\S+\s+)+", "", rest)
        if name in ("ENV", "ARG"):
            lines.append(f"export {rest}")
        elif name == "ENTRYPOINT":
            entry = json.loads(rest)
        elif rest.startswith("["):
            lines.append(shlex.join([*(entry if name == "CMD" else []), *json.loads(rest)]))
        elif rest.startswith("<<"):
            end = rest.removeprefix("<<")
            lines += iter(lambda: next(instructions), end)
        elif name in ("RUN", "CMD"):
            lines.append(rest)
    return "\n".join(lines) + "\n"


def make_runs(text: str, target: str, programs: Path, folder: Path, **env: str) -> list[list[str]]:
    """What the launchers are given when make really builds a target."""
    make = shutil.which("make")
    assert make is not None
    folder.mkdir()
    (folder / "Makefile").write_text(text.replace("\r\n", "\n"), newline="")
    script = f"{make} -s -f {folder / 'Makefile'} {target}\n"
    return launched(script, Run({"HOME": "/h", "USER": "me", **env}), programs, folder / "run")


def bash_reads(text: str) -> bool:
    return subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True, check=False).returncode == 0
