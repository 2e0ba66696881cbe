#!/bin/bash
#SBATCH --job-name=x
#SBATCH --nodes=2
set -e
export HYDRA_FULL_ERROR=1
read -r -d '' TRAIN <<'EOS' || true
python3 -m verl.trainer.main_ppo \
  actor_rollout_ref.rollout.skip.enable=True \
  actor_rollout_ref.rollout.skip.dump_dir=$SCRATCH/x \
  actor_rollout_ref.rollout.skip.max_dump_step=2
EOS
#: env SCRATCH=/s
export SCRATCH
srun bash -c "$TRAIN"
