"""Questions that several rules ask a config. Each answer is None when only another layer knows it."""

from __future__ import annotations

from skip_config import releases
from skip_config.acceptance import accepted
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING, Opaque
from skip_config.releases import MANAGER, Field, Role
from skip_config.rules import Hit
from skip_config.view import View, is_set_here

SKIP = MANAGER.place[0]
Path = tuple[str, ...]


def known(view: View, path: Path) -> tuple[bool, object]:
    """Whether a value is known, and the value."""
    value = view.value(*path)
    return value is not MISSING and not isinstance(value, Opaque), value


def truth(view: View, path: Path) -> bool | None:
    """Whether Python takes a value for true; None when it is not known."""
    is_known, value = known(view, path)
    return bool(value) if is_known else None


def whole(value: object) -> int | None:
    """A whole number, or None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number(value: object) -> int | float | None:
    """A number, or None for anything else."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def is_on(view: View, role: Role) -> bool:
    """Whether a role is surely on."""
    value = view.value(SKIP, role, "enable")
    return value is not MISSING and accepted("enable", value) is True


def roles_on(view: View) -> list[Role]:
    """The roles that are surely on."""
    return [role for role in releases.ROLES if is_on(view, role)]


def steps_of(view: View, role: Role) -> list[int] | None:
    """The steps of a role as the runtime holds them; None when they are not known or refused."""
    path = (SKIP, role, "steps")
    if view.value(*path) is MISSING:
        return None
    steps = accepted("steps", view.value(*path))
    if not isinstance(steps, list) or any(isinstance(step, Opaque) for step in steps):
        return None
    return steps


def text_of(view: View, role: Role, name: Field) -> str | None:
    """A text field of a role as the runtime holds it; None when it is not known or refused."""
    value = view.value(SKIP, role, name)
    text = None if value is MISSING else accepted(name, value)
    return text if isinstance(text, str) else None


def exact_refill(view: View) -> tuple[bool | None, str, Path]:
    """Whether the V1 trainer overrides `data.gen_batch_size` to 1, why, and the setting that makes it so.

    `_init_dataloader` of `verl/trainer/ppo/v1/trainer_base.py` (0.9.0, 0.9.1): in any mode but `sync`,
    with group filtering, or with `sync_refill_failed_groups`.
    """
    known_mode, mode = known(view, releases.TRAINER_MODE)
    if known_mode and mode != releases.SYNC:
        return True, f"{releases.dotted(releases.TRAINER_MODE)} is {shown(mode)}", releases.TRAINER_MODE
    causes = ((*releases.FILTER_GROUPS, "enable"), (*releases.SAMPLER, "sync_refill_failed_groups"))
    answers = [truth(view, path) for path in causes]
    for path, answer in zip(causes, answers, strict=True):
        if answer:
            return True, f"{releases.dotted(path)} is on", path
    settled = known_mode and all(answer is False or view.composed for answer in answers)
    return (False if settled else None), "", ()


def has_custom_sampler(view: View) -> bool | None:
    """Whether a sampler of the user's takes the place of verl's, with checks of its own."""
    paths = [(*releases.SAMPLER, "custom_sampler", name) for name in ("path", "name")]
    answers = [truth(view, path) for path in paths]
    if False in answers or (view.composed and None in answers):
        return False
    return True if answers == [True, True] else None


def shown(value: object) -> str:
    """A value as YAML would have it, on one line and not too long."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Opaque):
        return value.text
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        text = f"[{', '.join(shown(item) for item in value[:8])}{', …' if len(value) > 8 else ''}]"
    else:
        text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def blamed(view: View, *paths: Path) -> Path | None:
    """The first of the settings that the file itself writes; None when all are another layer's."""
    return next((path for path in paths if is_set_here(view, *path)), None)


def hit(
    view: View,
    path: Path,
    message: str,
    help: str | None = None,
    *,
    severity: Severity | None = None,
    near: Path | None = None,
    of_key: bool = False,
) -> Hit:
    """A finding at the place of a setting.

    Args:
        view: The config.
        path: The setting.
        message, help, severity: See `Hit`.
        near: A setting to point at when the file does not write `path`.
        of_key: Whether to point at the key instead of the value.
    """
    span = view.place(*path, of_key=of_key)
    if span is None and near is not None:
        span = view.place(*near)
    return Hit(path, message, span, help, severity)


def name_of(path: Path) -> str:
    """A path as messages write it."""
    return releases.dotted(path)
