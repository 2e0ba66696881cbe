#: env DUMP=/d
#: args
args=(trainer.nnodes=1)
[[ -n "${DUMP:-}" ]] && args+=("actor_rollout_ref.rollout.skip.enable=True" "actor_rollout_ref.rollout.skip.dump_dir=${DUMP}" "actor_rollout_ref.rollout.skip.max_dump_step=2")
python3 -m verl.trainer.main_ppo "${args[@]}"
