#: env N=4
CMD='python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=$N'
CMD="$CMD trainer.nnodes=1"
eval $CMD
