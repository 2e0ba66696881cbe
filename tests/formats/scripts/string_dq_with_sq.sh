#: env D=/q
EXTRA="trainer.note='x' actor_rollout_ref.rollout.skip.dump_dir='$D' actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2"
eval python3 -m verl.trainer.main_ppo $EXTRA
