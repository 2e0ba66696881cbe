JOB = """#!/bin/bash
#SBATCH --nodes=2
set -e
srun python3 -m verl.trainer.main_ppo \\
    data.train_batch_size=8 \\
    actor_rollout_ref.rollout.skip_rollout=True \\
    actor_rollout_ref.rollout.skip_dump_dir=/scratch/dumps \\
    trainer.total_training_steps=2
"""
