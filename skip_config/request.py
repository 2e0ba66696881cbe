"""What the user asked of a migration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RoleRequest = Literal["auto", "rollout", "rollout_tq", "both", "async_rollout"]


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked of a migration.

    Args:
        role: Which roles get the settings; `auto` goes by what the file shows.
        total_steps: Number of training steps, used where the file does not state it.
        unsafe: Whether to apply the nearest setting where no exact one exists.
        include: Which of `records`, `docs` and `comments` are edited too.
        insert_gen_batch_size: Whether `data.gen_batch_size: null` is inserted in every YAML file and
            not only in `_generated_*.yaml`.
    """

    role: RoleRequest = "auto"
    total_steps: int | None = None
    unsafe: bool = False
    include: frozenset[str] = frozenset()
    insert_gen_batch_size: bool = False
