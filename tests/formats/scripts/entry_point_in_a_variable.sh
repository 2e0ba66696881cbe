ENTRY=verl.trainer.main_ppo
python3 -m $ENTRY actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2
