for seed in 1 2; do
  python3 -m verl.trainer.main_ppo \
    data.seed=$seed \
    actor_rollout_ref.rollout.skip.enable=True \
    actor_rollout_ref.rollout.skip.dump_dir=/d/$seed \
    actor_rollout_ref.rollout.skip.max_dump_step=2
done
