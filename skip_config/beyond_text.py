"""Checks that ask more than the text: the file system here, and the verl that is installed here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import kind_of
from skip_config.layers import over_defaults
from skip_config.legacy import MISSING, Opaque
from skip_config.releases import MANAGER, ROLES, dotted
from skip_config.rules.asking import SKIP, roles_on, text_of
from skip_config.source import Source
from skip_config.trainer import is_for_verl, trainer_mode
from skip_config.view import View

SECONDS = 120
"""How long the installed verl may take; its imports take about five seconds."""

_BLOCK_ERRORS = frozenset({"no-such-key", "wrong-type", "unsupported-action"})

_PROBE = """
import json, sys
skip = json.load(sys.stdin)
result = {}
try:
    from importlib.metadata import version
    result["verl"] = version("verl")
    from omegaconf import OmegaConf
    from verl.utils.config import omega_conf_to_dataclass
    from verl.utils.skip.config import SkipManagerConfig
except Exception as error:
    from importlib.metadata import PackageNotFoundError
    absent = isinstance(error, PackageNotFoundError)
    result["cannot"] = "verl is not installed" if absent else f"{type(error).__name__}: {error}"
else:
    try:
        omega_conf_to_dataclass(OmegaConf.create({"skip": skip}).skip, dataclass_type=SkipManagerConfig)
    except BaseException as error:
        result["refused"] = f"{type(error).__name__}: {error}".splitlines()[0]
try:
    import transfer_queue
    result["queue"] = version("TransferQueue")
    result["saves"] = all(callable(getattr(transfer_queue, n, None)) for n in ("save_checkpoint", "load_checkpoint"))
except Exception:
    result["queue"] = None
print("\\n" + json.dumps(result))
"""


def check_paths(source: Source) -> list[Diagnostic]:
    """See whether the dump directories of the roles that are on can be written here.

    Args:
        source: A YAML file; other kinds have nothing to say.
    """
    found = []
    for view in _views(source):
        for role in roles_on(view):
            path = (SKIP, role, "dump_dir")
            text = text_of(view, role, "dump_dir")
            reason = None if text is None or view.place(*path) is None else _obstacle(text)
            if reason:
                message = f"{dotted(path)} is {text!r}, and {reason}"
                # RolloutTqSkip.prepare_data lets the error out, RolloutSkip.prepare_data prints it.
                severity = Severity.ERROR if role == "rollout_tq" else Severity.WARNING
                remark = Remark("dump-dir-not-writable", message, "choose another directory")
                found.append(at(source, view.place(*path), remark, severity, key=dotted(path)))
    return found


def _obstacle(text: str) -> str | None:
    """Why a directory cannot be made or written, or None. Nothing is made."""
    folder = Path(os.path.expanduser(text)).absolute()
    existing = next((one for one in (folder, *folder.parents) if os.path.lexists(one)), folder)
    if not existing.is_dir():
        return f"{existing} is no directory"
    if not os.access(existing, os.W_OK | os.X_OK):
        return f"{existing} cannot be written" if existing == folder else f"it cannot be made in {existing}"
    return None


def ask_installed(source: Source, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Run verl's own conversion on the blocks of a file and compare it with our verdict.

    Args:
        source: A YAML file; other kinds have nothing to say.
        found: What the rules found in it.
    """
    result: list[Diagnostic] = []
    for view in _views(source):
        if view.value(*MANAGER.place) is MISSING:
            continue
        answer = _probe(_block(view))
        if "cannot" in answer:
            message = f"verl's own conversion could not be run with {sys.executable}: {answer['cannot']}"
            remark = Remark("runtime-not-run", message, "run skipcfg with the Python that runs verl")
            result.append(at(source, None, remark, Severity.WARNING))
            continue
        result += _disagreement(source, answer, any(one.name in _BLOCK_ERRORS for one in found))
        if trainer_mode(view) in (releases.COLOCATE_ASYNC, releases.SEPARATE_ASYNC):
            result += _queue(source, view, answer)
    return result


def _disagreement(source: Source, answer: dict[str, Any], ours: bool) -> list[Diagnostic]:
    theirs = answer.get("refused")
    if bool(theirs) == ours:
        return []
    what = f"refuses it: {theirs}" if theirs else "accepts it"
    message = f"verl {answer.get('verl')} {what}, and skipcfg {'does not' if ours else 'finds nothing wrong'}"
    remark = Remark("runtime-disagrees", message, "this is a bug of skipcfg; please report it with the file")
    return [at(source, None, remark, Severity.ERROR, key=SKIP)]


def _queue(source: Source, view: View, answer: dict[str, Any]) -> list[Diagnostic]:
    if answer.get("queue") is None or answer.get("saves"):
        return []
    mode = dotted(releases.TRAINER_MODE)
    message = f"{mode} saves the queue with each checkpoint, and TransferQueue {answer['queue']} cannot"
    remark = Remark("transfer-queue-too-old", message, f"pip install 'TransferQueue>={releases.QUEUE_WANTED}'")
    return [at(source, view.place(*releases.TRAINER_MODE), remark, Severity.ERROR, key=mode)]


def _probe(block: object) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROBE],
            input=json.dumps(block),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"cannot": f"it took more than {SECONDS} seconds"}
    except (ValueError, IndexError):
        return {"cannot": "the subprocess gave no answer"}
    return answer


def _block(view: View) -> object:
    """The block as plain values; what only the runtime knows is left out."""
    block = view.value(*MANAGER.place)
    if not isinstance(block, dict):
        return _plain(block)
    result: dict[str, object] = {}
    for key in view.keys(SKIP):
        value = view.value(SKIP, key)
        if isinstance(value, dict) and key in ROLES:
            inner = {name: view.value(SKIP, key, name) for name in view.keys(SKIP, key)}
            result[key] = {name: _plain(one) for name, one in inner.items() if _is_known(one)}
        elif _is_known(value):
            result[key] = _plain(value)
    return result


def _is_known(value: object) -> bool:
    if isinstance(value, list):
        return all(_is_known(item) for item in value)
    return not isinstance(value, Opaque) or value.text == "???"


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.text if isinstance(value, Opaque) else value


def _views(source: Source) -> Iterator[View]:
    if kind_of(source.filename, source.text) != "yaml":
        return
    from skip_config.formats.yaml.places import content
    from skip_config.formats.yaml.tree import UnreadableError, parse
    from skip_config.formats.yaml.view import view_of

    try:
        documents = parse(source.text)
    except UnreadableError:  # told by the rules already
        return
    for document in documents:
        root = content(document)
        if root is not None:
            view = over_defaults(view_of(root, source))
            if is_for_verl(view):
                yield view
