"""Start runs on the lab's machines."""

from __future__ import annotations

import shlex
import subprocess
import sys


class Launcher:
    ENTRY = [sys.executable, "-m", "verl.trainer.main_ppo"]

    def __init__(self, folder: str, debug: bool = False) -> None:
        self.command = list(self.ENTRY)
        self.command += [
            f"trainer.default_local_dir={folder}",
            'actor_rollout_ref.rollout.name="vllm"',
        ]
        if debug:
            self.reuse()

    def reuse(self) -> None:
        # The first two steps are enough to see the loss move.
        self.command.extend(
            [
                "skip.rollout_tq.enable=True",  # needs 0.8
                "skip.rollout_tq.dump_dir=/scratch/übung",
            ]
        )
        self.command.append('skip.rollout_tq.steps=[1,2]')

    def run(self) -> None:
        print("running", shlex.join(self.command))
        subprocess.run(self.command, check=True)


Launcher("/scratch/run", debug=True).run()
