#: env D=/d
srun --nodes=1 --ntasks=1 -w node1 \
    bash -c "cd /tmp; \
    python3 -m verl.trainer.main_ppo \
      actor_rollout_ref.rollout.skip.enable=True \
      actor_rollout_ref.rollout.skip.dump_dir=\"$D/a b\" \
      actor_rollout_ref.rollout.skip.max_dump_step=18 \
      trainer.nnodes=1" 2>&1 | tee out.log
