"""`validate --runtime installed` beside a real verl: the two agree, whatever they think of the block."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from skip_config import beyond_text, validate_text
from skip_config.source import Source
from tests.runtime.real import environment

pytestmark = pytest.mark.runtime

ROLE = "defaults: [ppo_trainer, _self_]\nskip:\n  rollout_tq:\n    enable: true\n    dump_dir: /data/x\n    "
MODE = "trainer:\n  v1:\n    trainer_mode: separate_async\n"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (f"{ROLE}steps: [1, 2]\n", False),
        (f"{ROLE}steps: 3\n", True),
        (f"{ROLE}step: [1]\n", True),
        (f"{ROLE}steps: [1]\n    action: repeat\n{MODE}", False),
    ],
)
def test_the_installed_verl_agrees(text: str, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beyond_text, "sys", SimpleNamespace(executable=str(environment())))
    found = validate_text(text, filename="config.yaml")
    block = beyond_text._block(next(beyond_text._views(Source(text, "config.yaml"))))
    answer = beyond_text._probe(block)
    assert answer["verl"] == "0.9.1"
    assert ("refused" in answer) == refused
    assert beyond_text.ask_installed(Source(text, "config.yaml"), found) == []


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should our verdict be another one some day."""
    monkeypatch.setattr(beyond_text, "sys", SimpleNamespace(executable=str(environment())))
    (told,) = beyond_text.ask_installed(Source(f"{ROLE}steps: 3\n", "config.yaml"), [])
    assert told.name == "runtime-disagrees"
