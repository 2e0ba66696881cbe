ARGS=()
for one in actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2 trainer.nnodes=1; do
  ARGS+=("$one")
done
python3 -m verl.trainer.main_ppo "${ARGS[@]}"
