"""Whatever system call fails, a file is afterwards wholly old or wholly new, and the user is told."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reliability.tree import NEW, OLD, leftovers

pytestmark = pytest.mark.reliability

ERRORS = [errno.EIO, errno.ENOSPC, errno.EACCES]


@pytest.fixture(scope="module")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fault injector, compiled with the system's C compiler."""
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    source = Path(__file__).with_name("faults.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Migrate the folder in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "skipcfg", "migrate", "--jobs", "1", str(folder)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("error", ERRORS, ids=[errno.errorcode[code] for code in ERRORS])
def test_each_system_call_fails_in_turn(preload: Path, tmp_path: Path, error: int) -> None:
    """Each call on the two files and their folder fails once; nothing is half written, nothing is silent."""
    names = []
    for number in range(1, 1000):
        folder = tmp_path / str(number)
        folder.mkdir()
        files = [folder / "a.yaml", folder / "b.yaml"]
        for file in files:
            file.write_text(OLD)
        log = tmp_path / f"{number}.log"
        done = run(
            folder,
            LD_PRELOAD=str(preload),
            FAULT_DIR=str(folder),
            FAULT_AT=str(number),
            FAULT_ERRNO=str(error),
            FAULT_LOG=str(log),
        )
        assert "Traceback" not in done.stderr, done.stderr
        texts = [file.read_text() for file in files]
        assert set(texts) <= {OLD, NEW}
        if not log.exists():
            assert texts == [NEW, NEW]
            assert done.returncode == 0
            break
        names.append(log.read_text().strip())
        if texts != [NEW, NEW]:
            assert done.returncode == 2, (names[-1], done.stdout, done.stderr)
            assert "error:" in done.stderr
        assert run(folder).returncode == 0
        assert [file.read_text() for file in files] == [NEW, NEW]
        assert not leftovers(folder)
    else:
        pytest.fail("the injector never came to an end")
    assert {"open64", "write", "fsync", "rename"} <= set(names)
    print(f"{len(names)} faults injected with {errno.errorcode[error]}: {', '.join(sorted(set(names)))}")
