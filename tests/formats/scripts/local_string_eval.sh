train() {
  local extra="$1"
  local cmd="python3 -m verl.trainer.main_ppo ${extra} actor_rollout_ref.rollout.skip.max_dump_step=2"
  echo "$cmd"
  eval "$cmd"
}
train "actor_rollout_ref.rollout.skip.enable=True"
