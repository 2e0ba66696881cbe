"""A large tree in which few files matter: against grep for the same keys."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.many_files import peak_and_time
from benchmarks.table import Table, milliseconds

FILES = 20_000
WITH_OLD_KEYS = 200
KEYS = r"skip_rollout|skip_dump_dir|rollout\.skip|max_dump_step"

BODIES = {
    ".py": "import os\n\n\ndef f(x):\n    return x + 1\n" * 30,
    ".yaml": "".join(f"key{number}:\n  value: {number}\n" for number in range(60)),
    ".sh": "#!/bin/bash\nset -x\necho hello\n" * 30,
    ".md": "# Title\n\nSome words.\n" * 40,
    ".json": '{"a": 1}\n',
    ".txt": "words " * 400,
    ".cpp": "int main() { return 0; }\n" * 60,
    ".h": "#pragma once\n" * 30,
    ".rst": "Title\n=====\n" * 40,
    ".cfg": "[section]\nkey = value\n" * 30,
}
OLD_YAML = """\
defaults: [ppo_trainer, _self_]
actor_rollout_ref:
  rollout:
    n: 8
    skip:
      enable: true
      dump_dir: /data/rollouts
      max_dump_step: 3
"""
OLD_SCRIPT = """\
#!/bin/bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.skip.enable=True \\
    actor_rollout_ref.rollout.skip.max_dump_step=3 \\
    trainer.nnodes=1
"""


def make(folder: Path) -> None:
    """Fill a folder."""
    per_folder = 50
    kinds = list(BODIES.items())
    for number in range(FILES - WITH_OLD_KEYS):
        place = folder / f"p{number // per_folder % 20}" / f"q{number // per_folder}"
        if number % per_folder == 0:
            place.mkdir(parents=True)
        ending, body = kinds[number % len(kinds)]
        (place / f"file{number}{ending}").write_text(body)
    places = sorted(path for path in folder.glob("p*/q*"))
    for number in range(WITH_OLD_KEYS):
        name, body = ("old.yaml", OLD_YAML) if number % 2 else ("old.sh", OLD_SCRIPT)
        (places[number] / name).write_text(body)


def best_of(rounds: int, run: Callable[[], object]) -> float:
    """The best wall time in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> Table:
    """Compare `skipcfg migrate --check` with grep on the same warm tree."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder)
        grep = ["grep", "-rlE", KEYS, "."]
        seconds = best_of(5, lambda: subprocess.run(grep, cwd=folder, check=True, capture_output=True))
        command = [sys.executable, "-m", "skipcfg", "migrate", "--check", "."]
        peak = peak_and_time(command, folder)[0]
        ours = best_of(5, lambda: peak_and_time(command, folder))
    limit = 2 * seconds + 0.5
    rows = [
        ("`grep -rlE`", milliseconds(seconds), "", ""),
        ("`skipcfg migrate --check`", milliseconds(ours), f"{ours / limit:.2f} of the limit", f"{peak:.0f} MiB"),
    ]
    note = (
        f"{FILES} files, {WITH_OLD_KEYS} of them with old keys, warm; best of 5. The limit is twice grep's time and "
        f"half a second: {milliseconds(limit)}."
    )
    return Table("A large tree", note, ("", "time", "", "peak memory"), rows)
