run() {
  local name=$1; shift
  python3 -m verl.trainer.main_ppo trainer.experiment_name="$name" trainer.total_training_steps=3 "$@"
}
run a actor_rollout_ref.rollout.skip_rollout=True
run b actor_rollout_ref.rollout.skip_rollout=False
run c
