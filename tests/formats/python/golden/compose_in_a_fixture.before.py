import pytest
from hydra import compose, initialize_config_module


@pytest.fixture
def config():
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose(
            config_name="ppo_trainer",
            overrides=[
                "data.train_batch_size=8",
                "actor_rollout_ref.rollout.skip.enable=True",  # the switch
                "actor_rollout_ref.rollout.skip.action=repeat",
                "trainer.total_training_steps=3",
            ],
        )
