python3 -m verl.trainer.main_ppo \
  ~actor_rollout_ref.rollout.skip.enable
echo after
