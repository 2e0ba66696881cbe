BASE=(actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2)
python3 -m verl.trainer.main_ppo "${BASE[@]}" trainer.use_v1=False
python3 -m verl.trainer.main_ppo "${BASE[@]}"
