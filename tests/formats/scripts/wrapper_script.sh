#: files run_ppo.sh
bash ./run_ppo.sh actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2 trainer.nnodes=1
