ARGS="trainer.nnodes=1"
ARGS+=" actor_rollout_ref.rollout.skip.enable=True"
ARGS+=" actor_rollout_ref.rollout.skip.max_dump_step=2 "
ARGS="${ARGS}actor_rollout_ref.rollout.skip.dump_dir=/z"
python3 -m verl.trainer.main_ppo ${ARGS}
