if [ -z "${NO_SKIP:-}" ]; then
  SKIP_OPTS=(actor_rollout_ref.rollout.skip_rollout=True actor_rollout_ref.rollout.skip_dump_dir=/a)
else
  SKIP_OPTS=(actor_rollout_ref.rollout.skip_rollout=False)
fi
python3 -m verl.trainer.main_ppo trainer.total_training_steps=2 "${SKIP_OPTS[@]}"
