"""What skipcfg knows about verl and what a verl says, as the same table: name of a fact -> value.

A verl is read, never imported: its classes come from the syntax tree, its config from YAML.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from pathlib import Path

from skip_config import defaults, releases, schema, verl_tree
from skip_config.releases import MANAGER, dotted

Facts = dict[str, object]

SKIPS_OF_OTHERS = frozenset({"skip_first", "skip_tokenizer_init"})
"""Keys with `skip` in their name that have nothing to do with rollout skip (0.6.0 to 0.9.1)."""

_CONFIG = "config"
_ABSENT = "nothing"


def known() -> Facts:
    """The table of what skipcfg knows of the newest release."""
    facts: Facts = {_named(path): value for path, value in _leaves(defaults.base())}
    for setting in defaults.FULLY_ASYNC_SETTINGS:
        facts[f"fully asynchronous {_named(setting.path)}"] = setting.default
    facts["keys of old releases"] = ()
    for role, cls in schema.roles().items():
        facts |= _ours(cls)
        facts[f"actions that {cls.__name__} accepts"] = tuple(sorted(MANAGER.actions))
        facts[f"role {role}"] = "asked by a trainer"
    facts |= _ours(schema.SkipManagerConfig)
    facts["names of SkipAction"] = tuple(f"{one.name}={one.value}" for one in schema.SkipAction)
    facts["actions that the skips support"] = tuple(sorted(MANAGER.actions))
    facts["trainer modes"] = tuple(sorted(releases.TRAINER_MODES))
    facts["off-policy strategies"] = tuple(sorted(releases.OFF_POLICY_STRATEGIES))
    facts["primary configs"] = tuple(sorted(releases.PRIMARY_CONFIGS))
    facts["other keys that speak of skip"] = tuple(sorted(SKIPS_OF_OTHERS))
    facts["TransferQueue"] = f">={releases.QUEUE_WANTED}"
    return facts


def of_tree(folder: Path) -> Facts:
    """The table of a verl.

    Args:
        folder: What holds the package `verl`, and beside it its metadata.

    Raises:
        OSError, ValueError: The shipped config is not there or no YAML mapping.
    """
    package = folder / "verl"
    config = verl_tree.shipped_config(package)
    facts: Facts = {_named(path): value for path, value in _leaves(config) if path in _asked() or path[:1] == ("skip",)}
    facts |= _fully_async(package)
    facts["keys of old releases"] = tuple(_old_keys(config))
    facts |= _classes(_tree(package / "utils" / "skip" / "config.py"))
    facts["names of SkipAction"] = tuple(_enum(_tree(package / "utils" / "skip" / "base_skip.py"), "SkipAction"))
    facts["actions that the skips support"] = tuple(_supported(_tree(package / "utils" / "skip" / "rollout_skip.py")))
    modules = [_tree(path) for path in sorted(package.rglob("*.py")) if b"SkipManager" in path.read_bytes()]
    facts |= {f"role {role}": "asked by a trainer" for tree in modules for role in _annotated(tree)}
    trainers = [_tree(path) for path in sorted((package / "trainer" / "ppo" / "v1").glob("*.py"))]
    facts["trainer modes"] = tuple(sorted({mode for tree in trainers for mode in _registered(tree)}))
    facts["off-policy strategies"] = tuple(sorted({one for tree in trainers for one in _strategies(tree)}))
    primaries = {path.stem for path in package.glob("**/config/*ppo*trainer.yaml")}
    facts["primary configs"] = tuple(sorted(name for name in primaries if not name.startswith("_")))
    facts["other keys that speak of skip"] = tuple(sorted(_other_skips(config)))
    facts["TransferQueue"] = _queue(folder)
    return facts


def differences(ours: Facts, theirs: Facts) -> list[str]:
    """One line per fact that is not the same, in the order of `ours`."""
    lines = []
    for name in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(name, _ABSENT), theirs.get(name, _ABSENT)
        if before != after:
            lines.append(f"{name}: skipcfg knows {_shown(before)}, and this verl has {_shown(after)}")
    return lines


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value) or "none"
    return value if value == _ABSENT or (isinstance(value, str) and " " in value) else repr(value)


def _named(path: tuple[str, ...]) -> str:
    return f"{_CONFIG} {dotted(path)}"


def _leaves(node: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(node, dict) and node:
        for key, value in node.items():
            yield from _leaves(value, (*path, str(key)))
    else:
        yield path, node


def _asked() -> set[tuple[str, ...]]:
    return {setting.path for setting in defaults.SETTINGS}


def _fully_async(package: Path) -> Facts:
    """What the primary config of that trainer writes itself."""
    import yaml

    found = sorted(package.glob("**/config/fully_async_ppo_trainer.yaml"))
    config = yaml.safe_load(found[0].read_bytes()) if found else None
    asked = {setting.path for setting in defaults.FULLY_ASYNC_SETTINGS}
    return {f"fully asynchronous {_named(path)}": value for path, value in _leaves(config) if path in asked}


def _old_keys(config: object) -> Iterator[str]:
    for generation in releases.GENERATIONS[:-1]:
        for key in generation.keys.values():
            path = (*generation.place, key)
            if verl_tree.at(config, path) is not None:
                yield dotted(path)


def _other_skips(config: object) -> set[str]:
    ours = {*releases.FLAT_KEYS, releases.NESTED_BLOCK}
    return {key for path, _ in _leaves(config) for key in path if "skip" in key and key not in ours}


# ------------------------------------------------------------------------- classes


def _ours(cls: type) -> Facts:
    facts: Facts = {}
    for field in dataclasses.fields(cls):
        if field.name.startswith("_"):
            continue
        kind = getattr(field.type, "__name__", str(field.type)) if not hasattr(field.type, "__args__") else field.type
        if field.default is not dataclasses.MISSING:
            default = repr(field.default)
        else:
            default = getattr(field.default_factory, "__name__", "")
        facts[f"field {cls.__name__}.{field.name}"] = f"{kind} = {default}"
    return facts


def _tree(path: Path) -> ast.Module:
    """The syntax tree of a module; an empty one where there is no such module."""
    return ast.parse(path.read_bytes() if path.is_file() else b"")


def _classes(tree: ast.Module) -> Facts:
    facts: Facts = {}
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for node in cls.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name = f"field {cls.name}.{node.target.id}"
                facts[name] = f"{ast.unparse(node.annotation)} = {_default(node.value)}"
        accepted = _accepted(cls)
        if accepted:
            facts[f"actions that {cls.name} accepts"] = accepted
    return facts


def _default(node: ast.expr | None) -> str:
    if isinstance(node, ast.Call):  # field(default_factory=...)
        return next(
            (ast.unparse(one.value) for one in node.keywords if one.arg == "default_factory"), ast.unparse(node)
        )
    return "" if node is None else ast.unparse(node)


def _accepted(cls: ast.ClassDef) -> tuple[str, ...]:
    """The texts with which `self.action` is compared."""
    for node in ast.walk(cls):
        if isinstance(node, ast.Compare) and ast.unparse(node.left) == "self.action":
            return tuple(sorted(_texts(node.comparators[0])))
    return ()


def _texts(node: ast.AST) -> list[str]:
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _enum(tree: ast.Module, name: str) -> Iterator[str]:
    for cls in tree.body:
        if isinstance(cls, ast.ClassDef) and cls.name == name:
            for node in cls.body:
                if isinstance(node, ast.Assign):
                    yield f"{ast.unparse(node.targets[0])}={ast.literal_eval(node.value)}"


def _supported(tree: ast.Module) -> list[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "support_actions":
            return sorted(one.attr.lower() for one in ast.walk(node.value) if isinstance(one, ast.Attribute))
    return []


def _annotated(tree: ast.Module) -> Iterator[str]:
    """Roles that trainers ask: `@SkipManager.annotate(role=…)` and what is like it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("SkipManager.annotate"):
            for keyword in node.keywords:
                if keyword.arg == "role" and isinstance(keyword.value, ast.Constant):
                    yield str(keyword.value.value)


def _registered(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "register_trainer":
            yield from _texts(node.args[0]) if node.args else ()


def _strategies(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        asserted = node.test if isinstance(node, ast.Assert) else None
        if isinstance(asserted, ast.Compare) and ast.unparse(asserted.left).endswith("max_off_policy_strategy"):
            yield from _texts(asserted.comparators[0])


def _queue(folder: Path) -> str:
    """What the wheel's metadata asks of TransferQueue."""
    for info in folder.glob("verl-*.dist-info"):
        for line in PathDistribution(info).requires or ():
            match = re.match(r"TransferQueue\s*([^;\s]*)", line, re.IGNORECASE)
            if match:
                return match[1]
    return _ABSENT
