ARGS=( \
  actor_rollout_ref.rollout.skip_rollout=True \
  trainer.total_training_steps=2 )
python3 -m verl.trainer.main_ppo "${ARGS[@]}"
