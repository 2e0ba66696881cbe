build() {
  ARGS=(
    actor_rollout_ref.rollout.skip.enable=True
    actor_rollout_ref.rollout.skip.max_dump_step=2
  )
}
launch() { python3 -m verl.trainer.main_ppo "${ARGS[@]}" "$@"; }
build
launch trainer.nnodes=1
