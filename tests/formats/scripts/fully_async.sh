#: unsafe
#: total-steps 3
python3 -m verl.experimental.fully_async_policy.fully_async_main data.train_batch_size=0 +data.gen_batch_size=1 actor_rollout_ref.rollout.skip_rollout=True
