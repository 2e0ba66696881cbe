#: env N=4
export N
srun --ntasks=1 bash -c 'cd . && python3 -m verl.trainer.main_ppo \
   actor_rollout_ref.rollout.skip.enable=True \
   actor_rollout_ref.rollout.skip.max_dump_step=$N \
   trainer.nnodes=1'
