#: env MODE=replay
#: env MODE=fresh
args=()
if [ "$MODE" = replay ]; then
  args+=( actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.dump_dir=/a actor_rollout_ref.rollout.skip.max_dump_step=3 )
else
  args+=( actor_rollout_ref.rollout.skip.enable=False )
fi
python3 -m verl.trainer.main_ppo "${args[@]}"
