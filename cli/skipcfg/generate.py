"""`skipcfg generate`: write `generated_configs/`, or show what is stale in it."""

from __future__ import annotations

from pathlib import Path

from skip_config import files, generated
from skip_config.files import Found, PathError
from skipcfg.diff import unified
from skipcfg.report import counted
from skipcfg.streams import err, fail, out


def generate(folder: str, check: bool) -> int:
    """Write the files of `folder` that are not as they should be; with `check`, print a diff instead.

    Returns:
        The exit code: 1 when `check` finds a stale file.
    """
    wanted = {Path(folder, name): text for name, text in generated.files().items()}
    try:
        stale = {path: before for path in wanted if (before := _read(path)) != wanted[path].encode()}
        for path, before in stale.items():
            if check:
                out(unified(str(path), (before or b"").decode("utf-8", "replace"), wanted[path]))
            else:
                _write(path, before, wanted[path].encode())
    except PathError as error:
        return fail(str(error), as_json=False)
    if check and stale:
        err(f"{counted(len(stale), 'file is', 'files are')} stale in {folder}.")
        err(f"Next: skipcfg generate {folder} writes them anew.")
        return 1
    verb = "checked, none stale" if check else f"in {folder}, {len(stale)} written"
    err(f"{counted(len(wanted), 'file')} {verb}.")
    return 0


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PathError(str(path), files.reason(error)) from error


def _write(path: Path, before: bytes | None, after: bytes) -> None:
    if before is not None:
        files.write(Found(path, str(path), named=True), before, after)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(after)
    except OSError as error:
        raise PathError(str(path), files.reason(error)) from error
