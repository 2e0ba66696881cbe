"""What old settings do that Hydra lets through: the error is in the README and in the questions, word for word."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from skip_config.releases import RELEASES
from tests.runtime.real import environment
from tests.wheel_cache import MANAGER_RELEASES, wheel

pytestmark = pytest.mark.runtime

ROOT = Path(__file__).parents[2]
PROGRAM = """\
import sys
from hydra import compose, initialize_config_dir
from verl.utils.config import omega_conf_to_dataclass
with initialize_config_dir(sys.argv[1], version_base=None):
    config = compose("ppo_trainer", overrides=["actor_rollout_ref.rollout.name=vllm", *sys.argv[2:]])
try:
    omega_conf_to_dataclass(config.actor_rollout_ref.rollout)  # as the rollout workers do
except Exception as error:
    print(error)
else:
    print("built")
"""


def said(version: str, *overrides: str) -> str:
    """What building the rollout workers' config comes to."""
    place = wheel(version)
    done = subprocess.run(
        [str(environment()), "-c", PROGRAM, str(place / "verl" / "trainer" / "config"), *overrides],
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("version", MANAGER_RELEASES)
def test_a_plus_only_puts_the_end_off(version: str) -> None:
    error = "\n".join(said(version, "+actor_rollout_ref.rollout.skip.enable=True").splitlines()[:2])
    for page in ("README.md", "README.zh-CN.md", "docs/faq.md"):
        assert f"```text\n{error}\n```\n" in (ROOT / page).read_text(encoding="utf-8")
    assert said(version).splitlines()[-1] == "built"


@pytest.mark.parametrize("version", RELEASES[RELEASES.index("0.8.0") :])
def test_the_flat_settings(version: str) -> None:
    assert "unexpected keyword argument 'skip_rollout'" in said(version, "+actor_rollout_ref.rollout.skip_rollout=True")
