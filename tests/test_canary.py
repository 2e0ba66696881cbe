"""The release canary: silent for the newest release that is known, and exact about what another one changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from canary.__main__ import main
from canary.facts import differences, known, of_tree
from tests.wheel_cache import wheel

pytestmark = pytest.mark.wheels

CONFIG = "trainer/config/_generated_ppo_trainer.yaml"
CLASSES = "utils/skip/config.py"

CHANGES = {
    "another place": (
        CONFIG,
        "\nskip:\n",
        "\nreuse:\n",
        "config skip.rollout.enable: skipcfg knows False, and this verl",
    ),
    "a new key": (
        CONFIG,
        "  rollout_tq:\n    enable: false\n",
        "  rollout_tq:\n    enable: false\n    compress: true\n",
        "config skip.rollout_tq.compress: skipcfg knows nothing, and this verl has True",
    ),
    "another default": (CONFIG, "action: cache", "action: repeat", "config skip.rollout.action: skipcfg knows 'cache'"),
    "another target": (CONFIG, "skip.SkipManagerConfig", "skip.Manager", "config skip._target_: skipcfg knows"),
    "another default elsewhere": (
        CONFIG,
        "use_v1: true",
        "use_v1: false",
        "config trainer.use_v1: skipcfg knows True, and this verl has False",
    ),
    "an old key again": (
        CONFIG,
        "    skip_tokenizer_init: true\n",
        "    skip_tokenizer_init: true\n    skip_rollout: false\n",
        "keys of old releases: skipcfg knows none, and this verl has actor_rollout_ref.rollout.skip_rollout",
    ),
    "another key that speaks of skip": (
        CONFIG,
        "    skip_tokenizer_init: true\n",
        "    skip_tokenizer_init: true\n    skip_generation: false\n",
        "this verl has skip_first, skip_generation, skip_tokenizer_init",
    ),
    "a new field": (
        CLASSES,
        "    enable: bool = False\n",
        "    enable: bool = False\n    compress: bool = True\n",
        "field RolloutSkipConfig.compress: skipcfg knows nothing, and this verl has bool = True",
    ),
    "another type": (
        CLASSES,
        "steps: list[int] = field(default_factory=list)",
        "steps: str = ''",
        "field RolloutSkipConfig.steps: skipcfg knows list[int] = list, and this verl has str = ''",
    ),
    "another action": (
        CLASSES,
        'self.action in {"cache", "repeat"}',
        'self.action in {"cache", "repeat", "random"}',
        "actions that RolloutSkipConfig accepts: skipcfg knows cache, repeat, and this verl has cache, random, repeat",
    ),
    "another name of an action": (
        "utils/skip/base_skip.py",
        '    REPEAT = "repeat"',
        '    REPEAT = "repeat"\n    LAST = "last"',
        "names of SkipAction: skipcfg knows",
    ),
    "another action that is served": (
        "utils/skip/rollout_skip.py",
        "[SkipAction.CACHE, SkipAction.REPEAT]",
        "[SkipAction.CACHE, SkipAction.REPEAT, SkipAction.RANDOM]",
        "actions that the skips support: skipcfg knows cache, repeat, and this verl has cache, random, repeat",
    ),
    "another role": (
        "experimental/agent_loop/agent_loop.py",
        'SkipManager.annotate(role="rollout")',
        'SkipManager.annotate(role="agent")',
        "role agent: skipcfg knows nothing, and this verl has asked by a trainer",
    ),
    "another trainer mode": (
        "trainer/ppo/v1/trainer_sync.py",
        'register_trainer("sync")',
        'register_trainer("lockstep")',
        "trainer modes: skipcfg knows colocate_async, separate_async, sync, and this verl has colocate_async, lockstep",
    ),
    "another strategy": (
        "trainer/ppo/v1/replay_buffer.py",
        'in ["drop", "wait"], (',
        'in ["drop", "wait", "mix"], (',
        "off-policy strategies: skipcfg knows drop, wait, and this verl has drop, mix, wait",
    ),
    "another default of the fully asynchronous trainer": (
        "experimental/fully_async_policy/config/fully_async_ppo_trainer.yaml",
        "staleness_threshold: 0.1",
        "staleness_threshold: 0.5",
        "fully asynchronous config async_training.staleness_threshold: skipcfg knows 0.1, and this verl has 0.5",
    ),
}


def test_silent_for_the_release_that_is_known() -> None:
    assert differences(known(), of_tree(wheel("0.9.1"))) == []


def test_exact_for_the_release_before() -> None:
    """0.9.0 differs in one default, and asks for no TransferQueue."""
    changes = differences(known(), of_tree(wheel("0.9.0")))
    assert changes == [
        "config algorithm.filter_groups.metric: skipcfg knows 'reward', and this verl has None",
        "TransferQueue: skipcfg knows '>=0.1.10', and this verl has nothing",
    ]


def test_names_the_difference_of_an_older_generation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--folder", str(wheel("0.8.0"))]) == 1
    said = capsys.readouterr().out
    assert "config skip.rollout.enable: skipcfg knows False, and this verl has nothing" in said
    assert "this verl has actor_rollout_ref.rollout.skip.enable, actor_rollout_ref.rollout.skip.dump_dir" in said
    assert said.splitlines()[-1].startswith("Next: ")


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(wheel("0.9.1"), tmp_path_factory.mktemp("canary") / "verl-0.9.1"))


@pytest.fixture(params=CHANGES.values(), ids=list(CHANGES))
def changed(request: pytest.FixtureRequest, copied: Path) -> Iterator[tuple[Path, str]]:
    """A verl in which one thing differs, and the line that says so."""
    name, before, after, line = request.param
    file = copied / "verl" / name
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))
    yield copied, line
    file.write_text(text)


def test_each_kind_of_change_is_seen(changed: tuple[Path, str]) -> None:
    folder, line = changed
    assert any(line in one for one in differences(known(), of_tree(folder)))


def test_a_new_primary_config_is_seen(copied: Path) -> None:
    new = copied / "verl" / "trainer" / "config" / "ppo_other_trainer.yaml"
    new.write_text("defaults: [ppo_trainer]\n")
    changes = differences(known(), of_tree(copied))
    new.unlink()
    assert len(changes) == 1
    assert "ppo_other_trainer" in changes[0]


def test_a_release_that_changes_nothing_still_wants_its_row(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    info = copied / "verl-0.9.1.dist-info"
    later = info.rename(copied / "verl-0.9.2.dist-info")
    code = main(["--folder", str(copied)])
    later.rename(info)
    assert code == 1
    assert "skip_config/releases.py does not list 0.9.2" in capsys.readouterr().out


def test_downloads_what_it_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-m", "canary", "0.9.1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "verl 0.9.1: as skipcfg knows it\n")


@pytest.mark.parametrize("arguments", [["0.0.0"], ["--folder", "."]], ids=["no such release", "no wheel"])
def test_what_cannot_be_compared_is_no_change(arguments: list[str]) -> None:
    """Exit 2, so that a broken network is not reported as a new verl."""
    done = subprocess.run([sys.executable, "-m", "canary", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
