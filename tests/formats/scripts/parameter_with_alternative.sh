#: env REPLAY=1
#: args
python3 -m verl.trainer.main_ppo ${REPLAY:+actor_rollout_ref.rollout.skip.enable=True} ${REPLAY:+"actor_rollout_ref.rollout.skip.max_dump_step=2"} trainer.nnodes=1
