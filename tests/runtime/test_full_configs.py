"""verl's own full configs, migrated, compose with Hydra and start the real manager of 0.9.1."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from skip_config import migrate_text
from tests.runtime.real import NEWEST, Runtime
from tests.wheel_cache import wheel

pytestmark = pytest.mark.runtime

SHIPPED = {
    "0.6.0": ("ppo_trainer", "ppo_megatron_trainer"),
    "0.6.1": ("ppo_trainer", "ppo_megatron_trainer"),
    "0.7.0": ("ppo_trainer", "ppo_megatron_trainer"),
    "0.7.1": ("ppo_trainer", "ppo_megatron_trainer", "ppo_torchtitan_trainer", "ppo_veomni_trainer"),
    "0.8.0": ("ppo_trainer", "ppo_megatron_trainer", "ppo_torchtitan_trainer", "ppo_veomni_trainer"),
}
# The manager reads this key when it starts, and no release before 0.9 has it.
OVERRIDES = ["+trainer.v1.trainer_mode=sync"]
OFF = {"enable": False, "dump_dir": "~/.verl/rollout_dump", "steps": [], "action": "cache"}
DEFAULTS = {"rollout": OFF, "rollout_tq": OFF, "async_rollout": OFF}


@pytest.mark.parametrize(("version", "name"), [(version, name) for version, names in SHIPPED.items() for name in names])
def test_migrated(real: Callable[[str], Runtime], tmp_path: Path, version: str, name: str) -> None:
    filename = f"_generated_{name}.yaml"
    text = (wheel(version) / "verl" / "trainer" / "config" / filename).read_text(encoding="utf-8")
    migration = migrate_text(text, filename=filename)
    assert migration.changed
    (tmp_path / filename).write_text(migration.text, encoding="utf-8")
    question = {
        "ask": "compose",
        "directory": str(tmp_path),
        "name": filename.removesuffix(".yaml"),
        "overrides": OVERRIDES,
    }
    assert real(NEWEST).ask(question) == {"accepted": DEFAULTS}
