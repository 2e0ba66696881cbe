"""The errors that people search for are in the README and in the questions, word for word as Hydra prints them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.wheel_cache import wheel

pytestmark = pytest.mark.wheels

ROOT = Path(__file__).parents[2]
OLD = "actor_rollout_ref.rollout"
PROGRAM = """\
import hydra, sys
hydra.main(config_path=sys.argv.pop(1), config_name="ppo_trainer", version_base=None)(print)()
"""


@pytest.mark.parametrize(
    ("version", "override", "pages"),
    [
        ("0.9.0", f"{OLD}.skip.enable=True", ["README.md", "README.zh-CN.md"]),
        ("0.9.1", f"{OLD}.skip.enable=True", ["README.md", "README.zh-CN.md"]),
        ("0.8.0", f"{OLD}.skip_rollout=True", ["README.md", "README.zh-CN.md"]),
        ("0.9.1", f"{OLD}.skip_rollout=True", ["README.md", "README.zh-CN.md"]),
        ("0.8.0", "skip.rollout.enable=True", ["docs/faq.md"]),
    ],
)
def test_the_page_has_what_hydra_prints(version: str, override: str, pages: list[str], tmp_path: Path) -> None:
    config = wheel(version) / "verl" / "trainer" / "config"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(config), override],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    error = done.stderr[: done.stderr.index("\nSet the environment variable")].strip()
    assert error.startswith("Could not override")
    for page in pages:
        assert f"```text\n{error}\n```\n" in (ROOT / page).read_text(encoding="utf-8")
