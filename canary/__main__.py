"""`python -m canary [RELEASE]`: exit 0 when skipcfg knows that verl, 1 with what changed, 2 when it cannot tell."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from canary.facts import differences, known, of_tree
from skip_config.releases import RELEASES


class NotAvailableError(Exception):
    """There is no wheel to compare with; the text says why."""


def main(arguments: Sequence[str]) -> int:
    """Compare a release with what skipcfg knows. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m canary", description=__doc__)
    parser.add_argument("release", nargs="?", help="of verl; by default the newest")
    parser.add_argument("--folder", type=Path, help="an unpacked wheel, instead of downloading one")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        try:
            folder = given.folder or download(given.release, Path(temporary))
            version = version_of(folder)
            changes = differences(known(), of_tree(folder))
        except (NotAvailableError, OSError, ValueError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    print("".join(f"{line}\n" for line in report(version, changes)), end="")
    return 1 if changes or version not in RELEASES else 0


def report(version: str, changes: Sequence[str]) -> list[str]:
    """What to tell, and what to do next."""
    lines = [f"verl {version}: {len(changes)} changes", *(f"- {change}" for change in changes)]
    if version not in RELEASES:
        lines.append(f"- skip_config/releases.py does not list {version}")
    if len(lines) == 1:
        return [f"verl {version}: as skipcfg knows it"]
    return [*lines, "Next: CONTRIBUTING.md says how a release is added."]


def download(release: str | None, folder: Path) -> Path:
    """Get a wheel with pip as it is configured here, and unpack it.

    Raises:
        NotAvailableError: pip does not find it.
    """
    wanted = f"verl=={release}" if release else "verl"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    done = subprocess.run([*pip, "--dest", str(folder), wanted], capture_output=True, text=True, check=False)
    archives = sorted(folder.glob("*.whl"))
    if done.returncode or not archives:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise NotAvailableError(f"pip cannot download {wanted}: {said}")
    with zipfile.ZipFile(archives[0]) as archive:
        archive.extractall(folder)
    return folder


def version_of(folder: Path) -> str:
    """The release of an unpacked wheel.

    Raises:
        NotAvailableError: The folder holds none.
    """
    for info in sorted(folder.glob("verl-*.dist-info")):
        return info.name.removeprefix("verl-").removesuffix(".dist-info")
    raise NotAvailableError(f"{folder} holds no unpacked wheel of verl")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
