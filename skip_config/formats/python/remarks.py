"""Old settings in Python code that are reported and left alone: imports, reads, and loops of one's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.python.positions import Module
from skip_config.formats.python.scopes import Scopes
from skip_config.formats.python.tokens import Assigned, chain_of, key_of
from skip_config.formats.python.trees import TreeMove, is_mapping
from skip_config.formats.python.values import READERS
from skip_config.releases import FLAT, NESTED, dotted
from skip_config.source import Span

_MANAGER_MARKS: Final = ("SkipManager", "skip_manager", "super().fit(")
_CONFIG_WORDS: Final = ("rollout", "config", "cfg", "conf")
_NESTED_ONLY: Final = frozenset({NESTED.keys["steps"], *releases.NESTED_DIALECT} - {"action"})


def remarks(module: Module, scopes: Scopes, trees: Sequence[TreeMove]) -> list[Diagnostic]:
    """What code says about old settings outside of settings that move."""
    written = [
        token.statement or token.span for token in scopes.tokens.values() if isinstance(token.spelling, Assigned)
    ]
    written += [module.span(tree.node) for tree in trees]
    found: list[Diagnostic] = []
    for node in module.nodes:
        found += _of(module, node, written)
    if found or any(token.is_old for token in scopes.tokens.values()) or trees:
        found += _own_loops(module)
    return found


def _of(module: Module, node: ast.AST, written: Sequence[Span]) -> Iterator[Diagnostic]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from _import(module, node)
    elif isinstance(node, ast.Call):
        yield from _call(module, node)
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        yield from _read(module, node, written)
    elif isinstance(node, ast.Compare):
        yield from _membership(module, node)
    if is_mapping(node):
        yield from _loose_dict(module, node, written)


# -------------------------------------------------------------------- imports


def _import(module: Module, node: ast.Import | ast.ImportFrom) -> Iterator[Diagnostic]:
    if isinstance(node, ast.Import):
        names = [one.name for one in node.names]
    else:
        names = [f"{node.module}.{one.name}" for one in node.names] if node.module and not node.level else []
    for name in names:
        gone = next((one for one in releases.REMOVED_NAMES if name == one or name.startswith(one + ".")), None)
        if gone is None:
            continue
        guarded = any(isinstance(one, ast.Try) and _catches_import_error(one) for one in module.ancestors(node))
        remark = Remark(
            "removed-import",
            f"{gone} is gone since verl {releases.MANAGER.since}, whose trainers call a skip manager themselves",
            "remove the import and what uses it, and set skip.rollout_tq.* (skip.rollout.* with trainer.use_v1=False)",
        )
        severity = Severity.WARNING if guarded else Severity.ERROR
        yield at(module.source, module.span(node), remark, severity, key=gone)
        return


def _catches_import_error(node: ast.Try) -> bool:
    caught = {
        one.id
        for handler in node.handlers
        if handler.type
        for one in ast.walk(handler.type)
        if isinstance(one, ast.Name)
    }
    return bool(caught & {"ImportError", "ModuleNotFoundError", "Exception"}) or any(
        not one.type for one in node.handlers
    )


# ---------------------------------------------------------------------- reads


def _call(module: Module, node: ast.Call) -> Iterator[Diagnostic]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    texts = [
        one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else None for one in node.args[:2]
    ]
    if name in ("get", "pop", "setdefault") and isinstance(node.func, ast.Attribute) and texts and texts[0] is not None:
        yield from _get(module, node, node.func.value, texts[0])
    elif name in ("getattr", "hasattr", "delattr", "select") and len(texts) > 1 and texts[1] is not None:
        key = _named(module, node.args[0], texts[1])
        if key is not None:
            yield _read_quietly(module, node, key, name)
    elif name != "dict":
        yield from _keywords(module, node, name)


def _keywords(module: Module, node: ast.Call, name: str) -> Iterator[Diagnostic]:
    """Old keys as keywords: of verl's dataclass, or of something that sounds like a rollout config."""
    callee = module.text(node.func).lower()
    for keyword in node.keywords:
        if keyword.arg not in releases.FLAT_KEYS or not any(word in callee for word in _CONFIG_WORDS):
            continue
        remark = Remark(
            "old-setting",
            f"{keyword.arg} is given to {name}(), and verl {releases.MANAGER.since}'s rollout config has no such key",
            "remove it, and set skip.rollout_tq.* of the trainer's config",
        )
        severity = Severity.ERROR if name == "RolloutConfig" else Severity.WARNING
        yield at(module.source, module.span(keyword), remark, severity, key=keyword.arg)


def _get(module: Module, node: ast.Call, receiver: ast.expr, name: str) -> Iterator[Diagnostic]:
    key = _named(module, receiver, name)
    if key is not None:
        yield _read_quietly(module, node, key, "get")
    elif name == releases.GEN_BATCH_SIZE[-1] and len(node.args) > 1:
        default = node.args[1]
        if isinstance(default, ast.Constant) and default.value is None:
            return
        text, fallback = module.text(receiver), module.text(default)
        remark = Remark(
            "default-never-used",
            f"{dotted(releases.GEN_BATCH_SIZE)} is null since verl {releases.MANAGER.since}, so .get() returns None "
            f"and never {fallback}",
            f"write {text}.get({module.text(node.args[0])}) or {fallback}",
        )
        yield at(module.source, module.span(node), remark, Severity.WARNING, key=dotted(releases.GEN_BATCH_SIZE))


def _named(module: Module, receiver: ast.expr, name: str) -> str | None:
    """The old key that a name stands for, looked up in `receiver`."""
    if not name.replace(".", "").isidentifier():
        return None
    chain = chain_of(receiver)
    names = chain[1] if chain else []
    found = key_of([*names, *name.split(".")], ())
    if found is not None and _is_old(found[1]):
        return found[1]
    text = module.text(receiver).lower()
    if name in releases.FLAT_KEYS and any(word in text for word in _CONFIG_WORDS):
        return dotted((*FLAT.place, name))
    inside = names[-1:] == [releases.NESTED_BLOCK] and "rollout" in text
    return dotted((*NESTED.place, name)) if inside and name in releases.NESTED_KEYS else None


def _is_old(key: str) -> bool:
    return any(key == place or key.startswith(place + ".") for place in (dotted(FLAT.place), dotted(NESTED.place)))


def _read_quietly(module: Module, node: ast.expr, key: str, how: str) -> Diagnostic:
    remark = Remark(
        "removed-key-read",
        f"{key} is gone in verl 0.9, so {how}() finds nothing there and what depends on it is off, silently",
        f"read {_new(key)} instead, or leave it to verl's skip manager and remove this",
    )
    return at(module.source, module.span(node), remark, Severity.WARNING, key=key)


def _new(key: str) -> str:
    name = key.rpartition(".")[2]
    for generation in (FLAT, NESTED):
        for field, old in generation.keys.items():
            if old == name:
                return f"skip.rollout_tq.{field}"
    return "skip.rollout_tq"


def _read(module: Module, node: ast.Attribute | ast.Subscript, written: Sequence[Span]) -> Iterator[Diagnostic]:
    parent = module.parents.get(node)
    if isinstance(parent, (ast.Attribute, ast.Subscript)) and parent.value is node and _chain_key(parent):
        return  # the longer chain tells it
    key = _chain_key(node)
    span = module.span(node)
    if key is None or _within(span, written):
        return
    called = isinstance(parent, ast.Attribute) and parent.attr in ("get", "pop", "setdefault")
    if called and key in (dotted(FLAT.place), dotted(NESTED.place)):
        return  # told where it is called
    stored = isinstance(node.ctx, (ast.Store, ast.Del))
    full = key_of(chain_of(node)[1], ())  # type: ignore[index]
    remark = Remark(
        "removed-key-read",
        f"{key} is {'set' if stored else 'read'} here, and verl 0.9 does not have it"
        + (": this raises" if full is not None else ""),
        f"use {_new(key)} instead, or leave it to verl's skip manager and remove this",
    )
    yield at(module.source, span, remark, Severity.ERROR if full is not None else Severity.WARNING, key=key)


def _chain_key(node: ast.expr) -> str | None:
    """The old key that an attribute or item chain names, as far as one can see."""
    chain = chain_of(node)
    if chain is None:
        return None
    names = chain[1]
    if names[-1] in READERS:
        return None
    found = key_of(names, ())
    if found is not None:
        return found[1] if _is_old(found[1]) else None
    if "rollout" not in names[:-1]:
        return None
    if names[-1] in releases.FLAT_KEYS:
        return dotted((*FLAT.place, names[-1]))
    inside = len(names) > 2 and names[-3:-1] == ["rollout", releases.NESTED_BLOCK]
    return dotted((*NESTED.place, names[-1])) if inside and names[-1] in releases.NESTED_KEYS else None


def _membership(module: Module, node: ast.Compare) -> Iterator[Diagnostic]:
    left = node.left
    if isinstance(left, ast.Constant) and isinstance(left.value, str) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        key = _named(module, node.comparators[0], left.value)
        if key is not None:
            yield _read_quietly(module, node, key, "in")


def _loose_dict(module: Module, node: ast.AST, written: Sequence[Span]) -> Iterator[Diagnostic]:
    """A dict with old keys whose place in the config cannot be seen."""
    if _within(module.span(node), written):
        return
    keys = node.keys if isinstance(node, ast.Dict) else [keyword.arg for keyword in node.keywords]  # type: ignore[attr-defined]
    names = [key.value if isinstance(key, ast.Constant) else key for key in keys]
    old = [name for name in names if isinstance(name, str) and (name in releases.FLAT_KEYS or name in _NESTED_ONLY)]
    if old:
        remark = Remark(
            "old-setting",
            f"a dict with {', '.join(old)}, of which one cannot see where in the config it goes: left alone",
            "if it is for verl's rollout config, set skip.rollout_tq.* at the top of the config instead",
        )
        yield at(module.source, module.span(node), remark, Severity.WARNING, key=old[0])


def _within(span: Span, places: Sequence[Span]) -> bool:
    return any(place.start <= span.start and span.end <= place.end for place in places)


# ------------------------------------------------------------------ own loops


def _own_loops(module: Module) -> Iterator[Diagnostic]:
    """Trainers with a `fit()` of their own that never calls the manager."""
    for node in module.nodes:
        if not isinstance(node, ast.ClassDef) or not any("Trainer" in module.text(base) for base in node.bases):
            continue
        for method in node.body:
            if not isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) or method.name != "fit":
                continue
            if not any(mark in module.text(node) for mark in _MANAGER_MARKS):
                yield at(module.source, _name_span(module, method), _loop(node.name), Severity.WARNING)


def _name_span(module: Module, method: ast.FunctionDef | ast.AsyncFunctionDef) -> Span:
    start = module.source.text.index(method.name, module.span(method).start)
    return Span(start, start + len(method.name))


def _loop(name: str) -> Remark:
    return Remark(
        "loop-without-manager",
        f"{name}.fit() is a training loop of its own that never calls verl 0.9's skip manager: nothing will be skipped "
        "there",
        "call super().fit(), or bracket each step as verl.trainer.ppo.ray_trainer does with its SkipManager",
    )
