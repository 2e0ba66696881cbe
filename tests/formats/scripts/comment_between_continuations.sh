python3 -m verl.trainer.main_ppo \
  actor_rollout_ref.rollout.skip.enable=True \
  `# how many` \
  actor_rollout_ref.rollout.skip.max_dump_step=2
