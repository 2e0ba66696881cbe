"""What Python code says about old settings without setting any: told with a place and a mend, and left alone."""

from __future__ import annotations

import pytest

from skip_config import migrate_text

OLD = "actor_rollout_ref.rollout"

REPORTED = [
    pytest.param("from verl.utils.rollout_skip import RolloutSkip", ("removed-import", "error", 1, 1), id="import of a class"),
    pytest.param("import verl.utils.rollout_skip as r", ("removed-import", "error", 1, 1), id="import of the module"),
    pytest.param("from verl.utils import rollout_skip", ("removed-import", "error", 1, 1), id="import from the package"),
    pytest.param("from verl.workers.config import RolloutConfig, SkipConfig", ("removed-import", "error", 1, 1), id="import of the dataclass"),
    pytest.param("try:\n    from verl.utils.rollout_skip import RolloutSkip\nexcept ImportError:\n    pass", ("removed-import", "warning", 2, 5), id="import that may fail"),
    pytest.param('x = c.OLD.get("skip_rollout", False)', ("removed-key-read", "warning", 1, 5), id="get"),
    pytest.param('x = c.rollout.get("skip_rollout", False)', ("removed-key-read", "warning", 1, 5), id="get in a worker's config"),
    pytest.param('x = c.OLD.skip.get("enable")', ("removed-key-read", "warning", 1, 5), id="get in the block"),
    pytest.param('x = getattr(c.OLD, "skip_dump_dir", "/x")', ("removed-key-read", "warning", 1, 5), id="getattr"),
    pytest.param('if "skip_rollout" in c.OLD: pass', ("removed-key-read", "warning", 1, 4), id="in"),
    pytest.param('x = OmegaConf.select(c, "OLD.skip.enable")', ("removed-key-read", "warning", 1, 5), id="select"),
    pytest.param("if c.OLD.skip.enable: pass", ("removed-key-read", "error", 1, 4), id="attribute"),
    pytest.param('if c["actor_rollout_ref"].rollout["skip_rollout"]: pass', ("removed-key-read", "error", 1, 4), id="item"),
    pytest.param("if worker.rollout.skip_rollout: pass", ("removed-key-read", "warning", 1, 4), id="attribute of a worker's config"),
    pytest.param("del c.OLD.skip_rollout", ("removed-key-read", "error", 1, 5), id="deleted"),
    pytest.param("RolloutConfig(n=4, skip_rollout=True)", ("old-setting", "error", 1, 20), id="keyword of RolloutConfig"),
    pytest.param('n = c.data.get("gen_batch_size", c.data.train_batch_size)', ("default-never-used", "warning", 1, 5), id="gen_batch_size"),
    pytest.param('x = {"skip_rollout": True, "skip_dump_dir": "/x"}', ("old-setting", "warning", 1, 5), id="a dict without place"),
    pytest.param('x.startswith("OLD.skip.enable=")', ("pattern-names-old-setting", "warning", 1, 15), id="pattern"),
    pytest.param('KEY = "OLD.skip.enable"', ("old-setting", "warning", 1, 8), id="a key alone"),
    pytest.param('print("OLD.skip.enable=True is on")', ("old-setting", "note", 1, 8), id="message"),
    pytest.param('"""Sets OLD.skip.enable=True."""', ("old-setting", "note", 1, 9), id="docstring"),
    pytest.param('p.add_argument("--x", help="adds OLD.skip.enable=True")', ("old-setting", "note", 1, 34), id="help"),
    pytest.param("x = 1  # OLD.skip.enable=True", ("old-setting", "note", 1, 10), id="comment"),
    pytest.param('T = """\nrollout:\n  skip_rollout: true\n"""', ("old-setting", "note", 3, 1), id="YAML in a text"),
    pytest.param('for k, v in d.items(): c.append(f"OLD.skip.{k}={v}")', ("old-setting", "error", 1, 35), id="a key that is put together"),
    pytest.param('c = ["OLD.skip_rollout=True"]', ("needs-total-steps", "error", 1, 6), id="T is not known"),
    pytest.param('X = "OLD.skip.enable=True"', ("cannot-rewrite", "error", 1, 5), id="one text for two settings"),
    pytest.param('rows = [("OLD.skip.enable=True", 3)]', ("cannot-rewrite", "error", 1, 10), id="an element of a row"),
    pytest.param('c = ["OLD.skip.enable=True"\ndef', ("cannot-parse", "error", 1, 5), id="not Python"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), REPORTED)
def test_it_is_told_and_left_alone(text: str, told: tuple[str, str, int, int]) -> None:
    text = text.replace("OLD", OLD)
    migration = migrate_text(text, filename="x.py")
    assert migration.text == text
    assert [(one.name, one.severity.value, one.line, one.column) for one in migration.diagnostics] == [told]
    assert told[1] == "note" or told[0] == "cannot-parse" or migration.diagnostics[0].help


def test_a_loop_of_ones_own_is_told_where_skipping_is_asked_for() -> None:
    text = (
        "from verl.utils.rollout_skip import RolloutSkip\n"
        "class Mine(RayPPOTrainer):\n"
        "    def fit(self):\n"
        "        self.step()\n"
        "class Theirs(RayPPOTrainer):\n"
        "    def fit(self):\n"
        "        super().fit()\n"
    )
    told = [(one.name, one.line) for one in migrate_text(text, filename="x.py").diagnostics]
    assert told == [("removed-import", 1), ("loop-without-manager", 3)]


def test_settings_that_come_together_are_rewritten_together_or_not_at_all() -> None:
    text = f'def go(n):\n    c = ["{OLD}.skip.enable=True"]\n    c.append(f"{OLD}.skip.max_dump_step={{n}}")\n'
    assert not migrate_text(text, filename="x.py").changed


def test_what_stands_apart_keeps_nothing_from_being_rewritten() -> None:
    text = f'from verl.utils.rollout_skip import RolloutSkip\nC = ["{OLD}.skip.enable=False"]\n'
    migration = migrate_text(text, filename="x.py")
    assert migration.text == text.replace(f"{OLD}.skip", "skip.rollout")
    assert [one.severity.value for one in migration.diagnostics] == ["error", "note"]


@pytest.mark.parametrize("name", ["third_party/verl/trainer/ppo/ray_trainer.py", "verl/utils/rollout_skip.py"])
def test_modules_of_a_vendored_verl_are_one_note(name: str) -> None:
    migration = migrate_text("from verl.utils.rollout_skip import RolloutSkip\n", filename=name)
    assert [(one.name, one.severity.value) for one in migration.diagnostics] == [("vendored", "note")]


def test_comments_are_rewritten_when_they_are_included() -> None:
    from skip_config.formats import Request
    from skip_config.migrate import migrate_source
    from skip_config.source import Source

    text = f'C = [\n    "-m", "verl.trainer.main_ppo",\n    # "{OLD}.skip.enable=False",\n]\n# python x.py {OLD}.skip_dump_dir=/x\n'
    result = migrate_source(Source(text, "x.py"), Request(include=frozenset({"comments"}))).text
    assert result == text.replace(f"{OLD}.skip.enable", "skip.rollout_tq.enable").replace(
        f"{OLD}.skip_dump_dir", "skip.rollout_tq.dump_dir"
    )
