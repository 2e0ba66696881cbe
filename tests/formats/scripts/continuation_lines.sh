#!/usr/bin/env bash
#: args
set -xeuo pipefail
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.rollout.skip.enable=True \
    actor_rollout_ref.rollout.skip.dump_dir=/mnt/keep \
    actor_rollout_ref.rollout.skip.max_dump_step=4 \
    trainer.nnodes=1
