"""Every test of the command line runs in an empty folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Skipcfg, in_process


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "GITHUB_ACTIONS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def skipcfg(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Skipcfg:
    """Runs `skipcfg` with arguments and gives its exit code and outputs."""
    return in_process(capsysbinary, monkeypatch)
