#: env D=/e
CMD="python3 -m verl.trainer.main_ppo \
  actor_rollout_ref.rollout.skip.enable=True \
  actor_rollout_ref.rollout.skip.dump_dir='${D}' \
  actor_rollout_ref.rollout.skip.max_dump_step=5"
eval "$CMD"
