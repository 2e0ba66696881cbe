import pytest
from hydra import compose, initialize_config_module


@pytest.fixture
def config():
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose(
            config_name="ppo_trainer",
            overrides=[
                "data.train_batch_size=8",
                "skip.rollout.enable=True",  # the switch
                "skip.rollout_tq.enable=True",
                "skip.rollout.steps=[1,2,3]",
                "skip.rollout_tq.steps=[1,2,3]",
                "skip.rollout.action=repeat",
                "skip.rollout_tq.action=repeat",
                "trainer.total_training_steps=3",
            ],
        )
