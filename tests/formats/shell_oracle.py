"""Run a script under a real bash with stand-ins for launchers, and compare what they were given.

The difference between the run before and the run after a migration must be exactly what `translate` says
of the old overrides that really arrived, and nothing else.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from skip_config.formats.overrides import hydra_value, recognise
from skip_config.formats.shell.reach import module_of
from skip_config.legacy import LegacySkip
from skip_config.releases import MANAGER, POST_DUMP_ACTIONS
from skip_config.request import Request
from skip_config.roles import Evidence, choose_roles
from skip_config.translate import KEPT, Translation, translate

# Notes its arguments, then goes on with the command that it wraps.
_STAND_IN = r"""#!/bin/sh
me=${0##*/}
{ printf '%s\0' "$me" "$@"; printf '\1\0'; } >> "$RECORD"
case $me in
  python*|torchrun) exit 0 ;;
  sbatch)
    for one in "$@"; do
      case $one in
        --wrap=*) exec bash -c "${one#--wrap=}" ;;
        -*) ;;
        *) exec bash "$one" ;;
      esac
    done
    exec bash ;;
esac
while [ $# -gt 0 ]; do
  case ${1##*/} in
    python*|bash|sh|torchrun|ray) exec "$@" ;;
  esac
  shift
done
"""
_LAUNCHERS = ("python", "python3", "torchrun", "ray", "srun", "sbatch", "apptainer", "docker", "nohup", "tmux", "ssh")


class Run(NamedTuple):
    """One way to start a script."""

    env: Mapping[str, str] = {}
    args: Sequence[str] = ()


def stand_ins(folder: Path) -> Path:
    """Make a folder with the stand-ins, for `PATH`."""
    folder.mkdir()
    first = folder / _LAUNCHERS[0]
    first.write_text(_STAND_IN)
    first.chmod(0o755)
    for name in _LAUNCHERS[1:]:
        (folder / name).hardlink_to(first)
    tee = folder / "tee"
    tee.write_text("#!/bin/sh\nexec cat\n")
    tee.chmod(0o755)
    return folder


def launched(script: str, run: Run, programs: Path, folder: Path) -> list[list[str]]:
    """What the launchers were given when `script` ran.

    Args:
        script: Its text.
        run: How to start it.
        programs: From `stand_ins`.
        folder: The working directory; made anew.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "run_ppo.sh").write_text('python3 -m verl.trainer.main_ppo "$@"\n')
    (folder / "script.sh").write_text(script.replace("\r\n", "\n"), newline="")
    record = folder / "record"
    record.touch()
    env = {"PATH": f"{programs}:{os.defpath}", "RECORD": str(record), "LANG": "C.UTF-8", **run.env}
    subprocess.run(
        ["bash", "script.sh", *run.args],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=20,
        check=False,
    )
    records = record.read_text().split("\1\0")[:-1]
    return [one.split("\0")[:-1] for one in records]


def readable_by_bash(script: str, folder: Path) -> bool:
    """Whether `bash -n` has nothing to say."""
    path = folder / "syntax.sh"
    path.write_text(script.replace("\r\n", "\n"), newline="")
    return subprocess.run(["bash", "-n", path], capture_output=True, check=False).returncode == 0


def difference(before: list[list[str]], after: list[list[str]], request: Request) -> str | None:
    """What is wrong with the second run, given the first one."""
    if [one[0] for one in before] != [one[0] for one in after]:
        return f"other programs ran: {[one[0] for one in after]}"
    for old, new in zip(before, after, strict=True):
        if _is_trainer(old):
            wrong = _wrong_command(old, new, request)
            if wrong:
                return f"{wrong}\nbefore: {old}\nafter:  {new}"
        elif _others(old) != _others(new) and "--wrap" not in str(old) and "-c" not in old and "-lc" not in old:
            return f"{old[0]} was given {new}, not {old}"
    return None


def _is_trainer(argv: list[str]) -> bool:
    return argv[0].startswith("python") or argv[0] == "torchrun"


_WORD = re.compile(r"(\+{0,2}|~)([\w./@-]+)(?:=(.*))?\Z", re.DOTALL)


def _split(word: str) -> tuple[str, str, str | None] | None:
    match = _WORD.match(word)
    return (match[1], match[2], match[3]) if match and (match[3] is not None or match[1] == "~") else None


def _kind(word: str) -> str:
    parts = _split(word)
    meaning = recognise(parts[1]) if parts else None
    return meaning.kind if meaning else ""


def _others(argv: list[str]) -> list[str]:
    return [
        word.lstrip("+") if _kind(word) == "gen-batch-size" else word
        for word in argv
        if _kind(word) not in ("old", "new")
        and "actor_rollout_ref.rollout.skip" not in word
        and "skip.rollout" not in word
    ]


def _wrong_command(old: list[str], new: list[str], request: Request) -> str | None:
    if _others(old) != _others(new):
        return "other arguments changed"
    if any(_kind(word) == "old" for word in new):
        return "an old override is left"
    if any(_kind(word) == "new" and word[0] in "+~" for word in new):
        return "a prefix on a key that 0.9 has"
    values = {parts[1]: parts[2] for word in old if (parts := _split(word)) and parts[0] != "~"}
    translation, roles = _expected(values, old, request)
    got: dict[str, dict[str, object]] = {}
    for word in new:
        parts = _split(word)
        if parts and _kind(word) == "new":
            _, role, field = parts[1].split(".")
            got.setdefault(role, {})[field] = hydra_value(parts[2] or "")
    if translation is None:
        return None if not any(role.get("enable") for role in got.values()) else "something is on that was off"
    for role in roles:
        wrong = _wrong_role(translation, values, got.get(role, {}))
        if wrong:
            return f"skip.{role}.{wrong}"
    if "async_rollout" in got and "async_rollout" not in roles:
        return "async_rollout is set"
    return None


def _expected(
    values: Mapping[str, str | None], argv: list[str], request: Request
) -> tuple[Translation | None, Sequence[str]]:
    fields: dict[str, object] = {}
    generation = "flat"
    for key, text in values.items():
        meaning = recognise(key)
        if meaning and meaning.kind == "old" and meaning.name:
            generation = meaning.generation or generation
            value = hydra_value(text or "")
            fields[meaning.name] = (
                POST_DUMP_ACTIONS.get(str(value), value) if key.endswith("post_dump_action") else value
            )
    if not fields:
        return None, ()
    total = values.get("trainer.total_training_steps")
    steps = int(total) if total and total.isdigit() else request.total_steps
    translation = translate(LegacySkip(generation, **fields), steps)  # type: ignore[arg-type]
    v1 = values.get("trainer.use_v1")
    evidence = Evidence(module_of(argv), use_v1=None if v1 is None else v1 == "True")
    return translation, choose_roles(evidence, translation.on, request.role).roles


def _wrong_role(translation: Translation, values: Mapping[str, str | None], got: Mapping[str, object]) -> str | None:
    settings = translation.settings
    assert settings is not None, "the migration should not have been possible"
    old = {recognise(key).name: hydra_value(text or "") for key, text in values.items() if recognise(key)}  # type: ignore[union-attr]
    wanted: dict[str, object] = dict(MANAGER.defaults)
    for field in wanted:
        value = getattr(settings, field)
        if value is not None:
            wanted[field] = old[field] if value is KEPT else value
    found = dict(MANAGER.defaults) | dict(got)
    if not wanted["enable"]:
        return "enable is on" if found["enable"] else None
    for field, value in wanted.items():
        there = tuple(found[field]) if isinstance(found[field], list) else found[field]  # type: ignore[arg-type]
        last = max(there, default=0) if field == "steps" and isinstance(there, tuple) else 0
        if there != value and not (field == "steps" and values.get("trainer.total_training_steps") and last):
            return f"{field} is {there!r}, not {value!r}"
    return None
