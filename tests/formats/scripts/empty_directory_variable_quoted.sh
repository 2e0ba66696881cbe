#: env DUMP_DIR=
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2 "actor_rollout_ref.rollout.skip.dump_dir='${DUMP_DIR}'"
