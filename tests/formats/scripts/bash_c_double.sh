#: env N=4
srun bash -c "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=$N actor_rollout_ref.rollout.skip.dump_dir=\"/a b\""
