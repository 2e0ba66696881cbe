#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=04:00:00

IMAGE=verl.sif
STEPS=${STEPS:-40}

cat > "worker_$SLURM_JOB_ID.sh" <<EOT
#!/bin/bash
export NODE_RANK=\$SLURM_NODEID
python3 -m verl.trainer.main_ppo \\
	trainer.use_v1=False \\
	actor_rollout_ref.rollout.skip_rollout=True \\
	actor_rollout_ref.rollout.skip_dump_dir="$PWD/rollouts" \\
	trainer.total_training_steps=${STEPS} \\
	trainer.nnodes=\${NNODES:-2}
EOT

srun apptainer exec --nv "$IMAGE" bash "worker_$SLURM_JOB_ID.sh"

srun --ntasks=1 apptainer exec --nv "$IMAGE" bash -c "
    set -e
    python3 -m recipe.dapo.main_dapo \
        actor_rollout_ref.rollout.skip.enable=True \
        actor_rollout_ref.rollout.skip.max_dump_step=3 \
        trainer.nnodes=1
"
sed -i 's/skip_rollout=True/skip_rollout=False/' "worker_$SLURM_JOB_ID.sh"
