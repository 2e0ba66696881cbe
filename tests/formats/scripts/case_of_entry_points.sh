#: env ALGO=ppo
#: env ALGO=old
case $ALGO in
  ppo) V1=True ;;
  *) V1=False ;;
esac
python3 -m verl.trainer.main_ppo trainer.use_v1=$V1 actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2
