"""YAML that looks like old settings and is not: nothing changes, and nothing is said."""

from __future__ import annotations

import pytest

from skip_config import migrate_text

NOTHING_TO_DO = {
    "empty file": "",
    "blank lines": "\n\n",
    "only a comment": "# skip rollout, see the notes on skip\n",
    "comment on a key of the same prefix": "# actor_rollout_ref.rollout.skip_tokenizer_init: true\n",
    "text that looks like a comment": 'a: "x # skip_rollout: true"\nb: |\n  # skip_dump_dir: /data\n',
    "only markers": "---\n...\n---\n",
    "a scalar": "skip_rollout: is a text here",
    "a list": "- skip_rollout\n- skip\n",
    "new settings": "skip:\n  rollout_tq:\n    enable: true\n    steps: [1]\n",
    "tokenizer switch of the same prefix": "actor_rollout_ref:\n  rollout:\n    skip_tokenizer_init: true\n",
    "flat key elsewhere": "trainer:\n  skip_rollout: true\n",
    "flat key at the root": "skip_rollout: true\n",
    "flat key under the actor": "actor_rollout_ref:\n  actor:\n    skip_rollout: true\n",
    "flat key one level too deep": "actor_rollout_ref:\n  rollout:\n    extra:\n      skip_rollout: true\n",
    "rollout of another parent, in a list": "- serving:\n    rollout:\n      skip_rollout: true\n",
    "skip of the actor": "actor_rollout_ref:\n  actor:\n    skip: {enable: true, max_dump_step: 1}\n",
    "skip of a delivery tool": "rollout:\n  strategy: canary\n  skip: {enable: true}\n",
    "skip with an action of another tool": "rollout:\n  skip: {enable: true, action: abort}\n",
    "list named skip": "rollout:\n  skip: [one, two]\n",
    "folder named rollout": "skip: {enable: true}\n",
    "scalar named rollout": "actor_rollout_ref:\n  rollout: skip\n",
    "null rollout": "actor_rollout_ref:\n  rollout:\n",
    "null root": "actor_rollout_ref:\n",
    "interpolated rollout": "actor_rollout_ref:\n  rollout: ${other.rollout}\n",
    "text that mentions the keys": "note: |\n  actor_rollout_ref:\n    rollout:\n      skip_rollout: true\n",
    "quoted text that mentions a key": 'note: "skip_rollout: true"\n',
    "key as a value": "key: skip_rollout\n",
    "escaped interpolation": "note: \\${actor_rollout_ref.rollout.skip.enable}\n",
    "interpolation of the whole rollout": "copy: ${actor_rollout_ref.rollout}\n",
    "interpolation of a look-alike": "copy: ${actor_rollout_ref.rollout.skip_tokenizer_init}\n",
    "relative interpolation of new settings": "skip:\n  rollout: {enable: true}\n  rollout_tq: ${.rollout}\n",
    "resolver with a text that looks like a path": "a: ${oc.env:actor_rollout_ref,skip}\n",
    "other program's tag": "a: !reference [rollout, skip]\n",
    "dotted key of another path": "trainer.skip_rollout: true\n",
    "keys that are numbers": "1: {skip: 2}\n? [a]\n: skip\n",
    "recursive alias": "a: &a\n  b: *a\n",
    "anchors and merges": "a: &a {x: 1}\nb: {<<: *a}\n",
    "helm template left empty": "rollout: {}\nskip: {}\n",
    "gen_batch_size where nobody asked": "data:\n  train_batch_size: 8\n",
    "generated file of another program": "rollout: 1\n",
}
FILENAMES = {
    "folder named rollout": "charts/rollout/values.yaml",
    "generated file of another program": "_generated_client.yaml",
}


@pytest.mark.parametrize("name", NOTHING_TO_DO)
def test_untouched(name: str) -> None:
    """The text comes out as it went in, without a finding."""
    text = NOTHING_TO_DO[name]
    result = migrate_text(text, filename=FILENAMES.get(name, "conf/run.yaml"))
    assert result.text == text
    assert not result.changed
    assert not result.diagnostics


@pytest.mark.parametrize("name", NOTHING_TO_DO)
def test_untouched_with_byte_order_mark(name: str) -> None:
    """A byte-order mark is no change."""
    result = migrate_text("\ufeff" + NOTHING_TO_DO[name], filename=FILENAMES.get(name, "conf/run.yaml"))
    assert not result.changed
    assert not result.diagnostics
