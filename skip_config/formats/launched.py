"""What a command launches, by its words: the Python module, and the config that it composes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+\Z", re.ASCII)
_DEFAULT: Final = re.compile(r"\$\{\w+:?-([\w.]+)\}\Z", re.ASCII)
_SCRIPT: Final = re.compile(r"(?:(?:.*/)?((?:verl|recipe)/[\w/]+)|(?:.*?/)?([\w/-]+))\.py\Z", re.ASCII)
_WRAPPER_MODULES: Final = ("torch.", "accelerate.", "ray.", "debugpy", "cProfile", "pdb", "coverage", "deepspeed.")
_CONFIG_NAME: Final = re.compile(r"(?:--config-name|-cn)(?:=(.*)|)\Z", re.DOTALL)
_OF_VERL: Final = re.compile(r"(?:fully_async_|one_step_off_)?ppo(?:_\w+)?_trainer(?:\.yaml)?\Z", re.ASCII)


def module_of(words: Sequence[str]) -> str | None:
    """The Python module, or script, that a command launches."""
    for index, word in enumerate(words):
        if word in ("-m", "--module"):
            following = next((one for one in words[index + 1 :] if one), "")
            default = _DEFAULT.match(following)
            following = default[1] if default else following
            if _MODULE.match(following) and not following.startswith(_WRAPPER_MODULES):
                return following
        elif word.endswith(".py") and (script := _SCRIPT.match(word)):
            return (script[1] or script[2]).strip("/").replace("/", ".")
    return None


def config_of(words: Sequence[str]) -> str | None:
    """The name of the primary config that a command names, unless it is one that verl ships."""
    for index, word in enumerate(words):
        option = _CONFIG_NAME.match(word)
        if option:
            following = words[index + 1] if index + 1 < len(words) else ""
            name = (following if option[1] is None else option[1]).strip("'\"")
            return name if name and not _OF_VERL.match(name) else None
    return None
