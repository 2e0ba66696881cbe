"""The real runtimes of verl: one long-lived process per release, questions in, answers out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from skip_config.runtime import RERUN
from tests.wheel_cache import built_once, run_or_fail, wheel

TORCH = "torch==2.13.0"
NEWEST = "0.9.1"
QUEUE = "TransferQueue"
BUNCH = 40
"""Questions that are put at once: few enough that neither pipe fills up (64 KiB) while the other side waits."""
WORKER = Path(__file__).with_name("worker.py")


@cache
def environment() -> Path:
    """Python of an environment with torch, verl and its queue, built once by pip as it is configured here."""
    packages = [TORCH, f"verl=={NEWEST}", QUEUE]

    def build(place: Path) -> None:
        venv.create(place, with_pip=True)
        python = str(place / "bin" / "python")
        run_or_fail([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *packages])

    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return built_once("-".join(["runtime", python, *packages]).replace("==", "-"), build) / "bin" / "python"


class Outcome(NamedTuple):
    """What a runtime did.

    Args:
        batches: Per run, the number of the batch that the trainer got at each step.
        dumps: Per run, the dumps that exist afterwards: place and batch.
    """

    batches: list[list[int]]
    dumps: list[dict[int, int]]


class Refusal(NamedTuple):
    """What the runtime said when it stopped."""

    text: str


class Runtime:
    """One release of verl, running."""

    def __init__(self, version: str) -> None:
        self.version = version
        ahead = [] if version == NEWEST else [str(wheel(version))]
        self.process = subprocess.Popen(
            [str(environment()), str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(ahead)},
            text=True,
        )

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Put one question and wait for the answer."""
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put questions and return the answers in order."""
        return list(self.start_all(questions))

    def start_all(self, questions: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Put questions and yield the answers in order; the next bunch is always under way already."""
        bunches = [questions[start : start + BUNCH] for start in range(0, len(questions), BUNCH)]
        self._put(bunches[0] if bunches else [])
        return self._answers(bunches)

    def _answers(self, bunches: Sequence[Sequence[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
        _, stdout = _pipes(self.process)
        for index, bunch in enumerate(bunches):
            lines = [stdout.readline() for _ in bunch]
            if not all(lines):
                raise RuntimeError(f"the worker of verl {self.version} ended with {self.process.wait()}")
            self._put(bunches[index + 1] if index + 1 < len(bunches) else [])
            yield from map(json.loads, lines)

    def _put(self, questions: Sequence[dict[str, Any]]) -> None:
        stdin, _ = _pipes(self.process)
        stdin.writelines(json.dumps(question) + "\n" for question in questions)
        stdin.flush()

    def two_runs(
        self, configs: Sequence[str], total_steps: Sequence[int], dumps: Sequence[dict[int, int]], role: str = "rollout"
    ) -> list[Outcome | Refusal]:
        """A first run and a rerun of each config, which has `@DIRECTORY@` where the dump directory goes."""
        answers = self.ask_all(
            [
                {
                    "ask": "two_runs",
                    "config": config,
                    "total_steps": last,
                    "dumps": there,
                    "offsets": [0, RERUN],
                    "role": role,
                }
                for config, last, there in zip(configs, total_steps, dumps, strict=True)
            ]
        )
        return [
            Refusal(answer["refused"])
            if "refused" in answer
            else Outcome(answer["runs"], [dict(map(tuple, left)) for left in answer["dumps"]])
            for answer in answers
        ]

    def close(self) -> None:
        stdin, stdout = _pipes(self.process)
        stdin.close()
        self.process.wait()
        stdout.close()


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout
