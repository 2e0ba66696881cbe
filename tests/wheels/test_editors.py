"""docs/editors.md shows what the real YAML language server says, word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skip_config import json_schema
from tests.wheels.hydra_envs import REPOSITORY
from tests.wheels.yaml_language_server import VERSION, Session

pytestmark = pytest.mark.wheels

PAGE = (REPOSITORY / "docs" / "editors.md").read_text()
MODELINE = "# yaml-language-server: $schema=verl-skip.schema.json\n"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "verl-skip.schema.json").write_text(json.dumps(json_schema.overlay()))
    session = Session(tmp_path)
    yield session
    session.close()


def transcript(session: Session) -> list[str]:
    """What the page shows, in its order."""
    text = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[-1]
    file = session.open("config.yaml", text)
    keys = session.open("keys.yaml", f"{MODELINE}skip:\n  rollout_tq:\n    \n")
    values = session.open("values.yaml", f"{MODELINE}skip:\n  rollout_tq:\n    action: \n")
    line = text.splitlines().index("    dump_dir: ${oc.env:HOME}/dumps") + 1
    hover = session.hover(file, line, 5).splitlines()
    return [
        "\n".join(session.problems(file)),
        "\n".join(one.rstrip() for one in session.completions(keys, 4, 5)),
        "\n".join(session.completions(values, 4, 13)),
        "\n".join(one for one in hover if one and not one.startswith("Source: ")),  # which it adds now and then
    ]


def test_the_page_shows_what_the_server_says(session: Session) -> None:
    shown = [block.rstrip("\n") for block in re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]
    assert f"yaml-language-server {VERSION} (npm)" in PAGE
    assert shown == transcript(session)
