JOB = """#!/bin/bash
#SBATCH --nodes=2
set -e
srun python3 -m verl.trainer.main_ppo \\
    data.train_batch_size=8 \\
    skip.rollout_tq.enable=True \\
    'skip.rollout_tq.steps=[1,2]' \\
    skip.rollout_tq.action=repeat \\
    skip.rollout_tq.dump_dir=/scratch/dumps \\
    trainer.total_training_steps=2
"""
