OPTS="actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=20 actor_rollout_ref.rollout.skip.dump_dir=/w"
python3 -m verl.trainer.main_ppo $OPTS trainer.nnodes=1
