#: env ROOT=/r
python3 -m verl.trainer.main_ppo \
  "actor_rollout_ref.rollout.skip.enable=True" \
  "actor_rollout_ref.rollout.skip.dump_dir=${ROOT}/x" \
  "actor_rollout_ref.rollout.skip.max_dump_step=30" \
  "trainer.nnodes=1"
