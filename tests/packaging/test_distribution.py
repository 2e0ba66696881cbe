"""What is built: the names it installs, the same bytes each time, and the lowest versions it claims to work with."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).parents[2]
TOP_LEVEL = {"skip_config", "skipcfg", "hydra_plugins"}


def checkout(folder: Path) -> Path:
    """A copy of what the repository holds, without anything that lies around."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def build(source: Path, out: Path, *kinds: str) -> list[Path]:
    """Build distributions with an isolated build environment."""
    subprocess.run([sys.executable, "-m", "build", *kinds, "--outdir", out, source], check=True, capture_output=True)
    return sorted(out.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the repository as it is."""
    folder = tmp_path_factory.mktemp("build")
    return build(checkout(folder / "source"), folder / "out", "--wheel")[0]


def test_it_installs_exactly_these_top_level_names(wheel: Path) -> None:
    """Nothing called `cli`, `tests` or `docs` lands in site-packages."""
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == TOP_LEVEL


def test_it_is_typed_and_brings_its_data(wheel: Path) -> None:
    """`py.typed` and the config group are part of it; the namespace package has no `__init__.py`."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {"skip_config/py.typed", "skipcfg/py.typed"} <= set(names)
    assert any(name.startswith("skip_config/conf/skip/") and name.endswith(".yaml") for name in names)
    assert "hydra_plugins/__init__.py" not in names


def test_the_same_bytes_each_time_and_from_the_sdist(wheel: Path, tmp_path: Path) -> None:
    """Built again, and built from the source distribution, the wheel is the same file."""
    again = build(checkout(tmp_path / "again"), tmp_path / "out", "--wheel")[0]
    assert again.read_bytes() == wheel.read_bytes()
    sdist = build(checkout(tmp_path / "third"), tmp_path / "sdist", "--sdist")[0]
    shutil.unpack_archive(sdist, tmp_path / "unpacked", filter="data")
    source = next((tmp_path / "unpacked").iterdir())
    assert build(source, tmp_path / "from-sdist", "--wheel")[0].read_bytes() == wheel.read_bytes()


def lowest() -> list[str]:
    """The lowest version that `pyproject.toml` allows of each dependency, as a requirement."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert block
    return [line.replace(">=", "==") for line in re.findall(r'"([^"]+)"', block[1])]


def test_it_works_with_the_lowest_versions_it_allows(wheel: Path, tmp_path: Path) -> None:
    """Installed beside the lowest versions, the tests of the formats, the command line and the plugin pass."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, *lowest(), f"{wheel}[test]"], check=True, capture_output=True)
    source = checkout(tmp_path / "source")
    tests = ["tests/cli", "tests/formats/yaml", "tests/test_hydra_plugin.py", "tests/formats/test_shell_rewrite.py"]
    done = subprocess.run(
        [python, "-m", "pytest", "-q", *tests], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
