python3 -m verl.trainer.main_ppo \
  trainer.nnodes=1 \
  actor_rollout_ref.rollout.skip.enable=False \
  actor_rollout_ref.rollout.skip.max_dump_step=1
