launch() { eval "python3 -m verl.trainer.main_ppo $1"; }
launch "actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2"
