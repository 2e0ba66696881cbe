VLLM_USE_V1=1 CUDA_VISIBLE_DEVICES=0,1 \
python3 -u -m verl.trainer.main_ppo \
  actor_rollout_ref.rollout.skip.enable=True \
  actor_rollout_ref.rollout.skip.max_dump_step=2
