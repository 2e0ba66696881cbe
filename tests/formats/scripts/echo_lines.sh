echo '#!/bin/bash' > j.sh
echo 'python3 -m verl.trainer.main_ppo \' >> j.sh
echo '  actor_rollout_ref.rollout.skip.enable=True \' >> j.sh
echo '  actor_rollout_ref.rollout.skip.max_dump_step=2' >> j.sh
bash j.sh
