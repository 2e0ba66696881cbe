#: args small
#: args big
#: args
args=( trainer.total_training_steps=6 )
case "${1:-}" in
  small) args+=( actor_rollout_ref.rollout.skip.max_dump_step=1 actor_rollout_ref.rollout.skip.action=repeat ) ;;
  big)
    args+=(
      actor_rollout_ref.rollout.skip.max_dump_step=6
    )
    ;;
esac
args+=( actor_rollout_ref.rollout.skip.enable=False )
python3 -m verl.trainer.main_ppo "${args[@]}"
