for n in 1 2; do
  ARGS="actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=$n"
  python3 -m verl.trainer.main_ppo $ARGS
done
