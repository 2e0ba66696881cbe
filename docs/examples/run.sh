#!/usr/bin/env bash
# verl 0.8: GRPO. The first three rollouts are saved and reused while the reward is worked on.
set -xeuo pipefail

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_batch_size=1024 \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.skip.enable=True \
    actor_rollout_ref.rollout.skip.dump_dir="$HOME/rollouts" \
    actor_rollout_ref.rollout.skip.max_dump_step=3 \
    trainer.total_epochs=15 "$@"
