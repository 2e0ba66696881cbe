"""Run Python code with a `subprocess` that only notes, and keep what reached it: the judge of a migration."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import yaml


@dataclass
class Ran:
    """What a file did.

    Args:
        commands: The arguments of every command, each as a list of words.
        names: The module's names afterwards.
    """

    commands: list[list[str]] = field(default_factory=list)
    names: dict[str, Any] = field(default_factory=dict)


class Recorder:
    """Stands for a config: keeps what is assigned to it, at any depth."""

    def __init__(self) -> None:
        object.__setattr__(self, "kept", {})

    def __getattr__(self, name: str) -> Any:
        return self.kept.setdefault(name, Recorder())

    def __setattr__(self, name: str, value: Any) -> None:
        self.kept[name] = value

    def __getitem__(self, name: str) -> Any:
        return self.kept.setdefault(name, Recorder())

    def __setitem__(self, name: str, value: Any) -> None:
        self.kept[name] = value

    def tree(self) -> dict[str, Any]:
        return {key: one.tree() if isinstance(one, Recorder) else one for key, one in self.kept.items()}


def run(text: str) -> Ran:
    """Run a file's text."""
    ran = Ran()
    with _noting(ran):
        exec(compile(text, "file.py", "exec"), ran.names)
    return ran


@contextmanager
def _noting(ran: Ran) -> Iterator[None]:
    import shlex

    def note(command: Any, **_: Any) -> None:
        ran.commands.append(shlex.split(command) if isinstance(command, str) else [str(one) for one in command])

    stand_in = types.ModuleType("subprocess")
    for name in ("run", "call", "check_call", "Popen"):
        setattr(stand_in, name, note)
    real = sys.modules["subprocess"]
    sys.modules["subprocess"] = stand_in
    try:
        yield
    finally:
        sys.modules["subprocess"] = real


def skip_of(words: list[str]) -> dict[str, dict[str, Any]]:
    """The settings of each role that a command gets; a later override wins."""
    found: dict[str, dict[str, Any]] = {}
    for word in words:
        key, sign, value = word.partition("=")
        parts = key.split(".")
        if sign and parts[0] == "skip" and len(parts) == 3:
            found.setdefault(parts[1], {})[parts[2]] = yaml.safe_load(value)
    return found


def others(words: list[str]) -> list[str]:
    """The words of a command that are no settings, old or new, nor options that go with one each."""
    settings = ("skip.", "actor_rollout_ref.rollout.skip")
    return [word for word in words if word != "--set" and not word.lstrip("+~").startswith(settings)]
