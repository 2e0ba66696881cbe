"""Files to migrate, as they are before and after."""

from __future__ import annotations

from pathlib import Path

from skip_config import migrate_text
from skip_config.writing import SUFFIX

OLD = """\
defaults: [ppo_trainer, _self_]
actor_rollout_ref:
  rollout:
    n: 4
    skip:
      enable: true
      dump_dir: /data/rollouts
      max_dump_step: 2
""" + "".join(f"# line {number} of a file that takes more than one block on disk\n" for number in range(300))

NEW = migrate_text(OLD, filename="config.yaml").text


def leftovers(folder: Path) -> list[Path]:
    """Temporary files that a run left behind."""
    return [path for path in folder.rglob("*") if path.name.endswith(SUFFIX)]
