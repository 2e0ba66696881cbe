COMMON=(
  actor_rollout_ref.rollout.skip.enable=True
  actor_rollout_ref.rollout.skip.dump_dir=/old
  actor_rollout_ref.rollout.skip.max_dump_step=40
)
python3 -m verl.trainer.main_ppo "${COMMON[@]}" actor_rollout_ref.rollout.skip.dump_dir=/new actor_rollout_ref.rollout.skip.max_dump_step=1
python3 -m verl.trainer.main_ppo "${COMMON[@]}" actor_rollout_ref.rollout.skip.enable=False
