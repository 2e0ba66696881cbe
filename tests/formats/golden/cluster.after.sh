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
	skip.rollout.enable=True \\
	skip.rollout.steps="[$(seq -s, 1 ${STEPS})]" \\
	skip.rollout.action=repeat \\
	skip.rollout.dump_dir="$PWD/rollouts" \\
	trainer.total_training_steps=${STEPS} \\
	trainer.nnodes=\${NNODES:-2}
EOT

srun apptainer exec --nv "$IMAGE" bash "worker_$SLURM_JOB_ID.sh"

srun --ntasks=1 apptainer exec --nv "$IMAGE" bash -c "
    set -e
    python3 -m recipe.dapo.main_dapo \
        skip.rollout.enable=True \
        skip.rollout_tq.enable=True \
        skip.rollout.steps='[1,2,3]' \
        skip.rollout_tq.steps='[1,2,3]' \
        trainer.nnodes=1
"
sed -i 's/skip_rollout=True/skip_rollout=False/' "worker_$SLURM_JOB_ID.sh"
