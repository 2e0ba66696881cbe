"""Files to start from: those of the tests and examples of this repository, and the released wheels' own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skip_config.formats import kind_of
from tests.formats.case_tables import read_cases

ROOT = Path(__file__).parents[2]
LONGEST = 12_000
"""Characters of a seed: longer ones are cut, since a mutation of a short text tries as much in less time."""

TABLES = {
    "python/safe": "a.py",
    "python/unsafe": "a.py",
    "python/reported": "a.py",
    "json/rewritten": "a.json",
    "json/left": "a.json",
}

BY_HAND = {
    "a.ps1": "$a = @(\n  'actor_rollout_ref.rollout.skip.enable=True',\n"
    '  "actor_rollout_ref.rollout.skip.dump_dir=$D"\n)\n'
    "python -m verl.trainer.main_ppo @a `\n  actor_rollout_ref.rollout.skip.max_dump_step=3 `\n  trainer.use_v1=True\n",
    "a.bat": "set D=c:\\x\r\npython -m verl.trainer.main_ppo ^\r\n  actor_rollout_ref.rollout.skip_rollout=True ^\r\n"
    '  "actor_rollout_ref.rollout.skip_dump_dir=%D%" ^\r\n  trainer.total_training_steps=5\r\n',
    "Makefile": "N := 3\nA = actor_rollout_ref.rollout.skip.enable=True\ntrain:\n"
    "\t@python -m verl.trainer.main_ppo $(A) \\\n"
    "\t  actor_rollout_ref.rollout.skip.max_dump_step=$(N) \\\n\t  trainer.use_v1=True\n",
    "Dockerfile": "FROM a\nENV D=/x A=actor_rollout_ref.rollout.skip.enable=True\n"
    "RUN python -m verl.trainer.main_ppo \\\n"
    "  actor_rollout_ref.rollout.skip_dump_dir=$D \\\n  # why\n  actor_rollout_ref.rollout.skip_rollout=True\n"
    'CMD ["python", "-m", "verl.trainer.main_ppo", "actor_rollout_ref.rollout.skip.enable=True"]\n',
    "a.ipynb": '{"cells": [{"cell_type": "code", "source": ["%%bash\\n", "python -m verl.trainer.main_ppo \\\\\\n",\n'
    '  "  actor_rollout_ref.rollout.skip.enable=True\\n"]}, {"cell_type": "code", "source": "cfg = '
    '[\'actor_rollout_ref.rollout.skip_rollout=True\']"}], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}\n',
    "a.md": "# t\n\n> ```bash\n"
    "> $ python -m verl.trainer.main_ppo \\\n>   actor_rollout_ref.rollout.skip.enable=True\n> ```\n\n"
    "~~~yaml\nactor_rollout_ref:\n  rollout:\n    skip: {enable: true, max_dump_step: 2}\n~~~\n`skip_rollout: true`\n",
    "a.rst": "t\n=\n\n.. code-block:: bash\n   :caption: x\n\n   python -m verl.trainer.main_ppo \\\n"
    "     actor_rollout_ref.rollout.skip_rollout=True\n\n::\n\n  actor_rollout_ref:\n    rollout:\n"
    "      skip_rollout: true\n",
    "a.log": "[2025] actor_rollout_ref.rollout.skip.enable=True\n{'skip_rollout': True}\n",
}


class Seed(NamedTuple):
    """A text and the name that tells its kind."""

    name: str
    text: str


def seeds() -> list[Seed]:
    """All seeds, in a stable order; every kind has some."""
    found = [Seed(name, text) for name, text in BY_HAND.items()]
    for table, name in TABLES.items():
        found += [Seed(name, case.before) for case in read_cases(table)]
    for path in [*_files(ROOT / "docs" / "examples"), *_files(ROOT / "tests" / "formats"), *_wheels()]:
        if path.suffix == ".py" and "golden" not in path.parts:
            continue
        text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")[:LONGEST]
        if kind_of(path.name, text):
            found.append(Seed(path.name, text))
    return found


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _wheels() -> Iterator[Path]:
    """The YAML files of the wheels, where the tests have downloaded them."""
    from tests.wheel_cache import cache_directory

    for version in ("verl-0.7.1", "verl-0.8.0"):
        yield from sorted((cache_directory() / version).rglob("*.yaml"))
