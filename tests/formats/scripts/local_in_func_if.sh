run() {
  local extra=()
  if [[ "$1" == "skip" ]]; then
    extra+=(
      actor_rollout_ref.rollout.skip.enable=True
      actor_rollout_ref.rollout.skip.max_dump_step=3
    )
  fi
  python3 -m verl.trainer.main_ppo "${extra[@]}" trainer.nnodes=1
}
run skip
run none
