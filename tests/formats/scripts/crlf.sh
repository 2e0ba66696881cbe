python3 -m verl.trainer.main_ppo \
  actor_rollout_ref.rollout.skip.enable=True \
  actor_rollout_ref.rollout.skip.max_dump_step=2 \
  actor_rollout_ref.rollout.n=1
OPTS=(
  actor_rollout_ref.rollout.skip.enable=True
  actor_rollout_ref.rollout.n=2
)
python3 -m verl.trainer.main_ppo trainer.total_training_steps=2 "${OPTS[@]}" actor_rollout_ref.rollout.skip.action=repeat
