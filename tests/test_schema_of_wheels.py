"""The schema's classes have the fields, defaults and checks of the classes in the wheels."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from skip_config import schema
from tests.stubbed_verl import manager_of
from tests.wheel_cache import MANAGER_RELEASES

pytestmark = pytest.mark.wheels

CLASSES = ["RolloutSkipConfig", "AsyncRolloutSkipConfig", "RolloutTqSkipConfig", "SkipManagerConfig"]
VALUES = [
    None,
    True,
    False,
    0,
    1,
    1.5,
    "",
    "cache",
    "repeat",
    "random",
    "CACHE",
    "~/x",
    [],
    [1],
    [True],
    ["1"],
    (1,),
    {},
]


def fields_of(cls: Any) -> list[tuple[str, str, object]]:
    """Name, type and default of each field, a nested class by its own name and fields."""
    return [(field.name, _type(field.type), _default(field)) for field in dataclasses.fields(cls)]


def _type(annotation: object) -> str:
    return (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else str(annotation)
    )


def _default(field: dataclasses.Field[Any]) -> object:
    value = field.default if field.default is not dataclasses.MISSING else field.default_factory()  # type: ignore[misc]
    return fields_of(value) if dataclasses.is_dataclass(value) else value


def outcome(cls: Any, name: str, value: object) -> bool:
    """Whether the class takes the value."""
    try:
        cls(**{name: value})
    except (AssertionError, ValueError, TypeError):
        return False
    return True


@pytest.mark.parametrize("version", MANAGER_RELEASES)
@pytest.mark.parametrize("name", CLASSES)
def test_fields(version: str, name: str) -> None:
    theirs = getattr(manager_of(version).config, name)
    assert fields_of(getattr(schema, name)) == fields_of(theirs)


@pytest.mark.parametrize("version", MANAGER_RELEASES)
@pytest.mark.parametrize("name", CLASSES[:3])
@pytest.mark.parametrize("field", ["enable", "dump_dir", "steps", "action"])
def test_post_init(version: str, name: str, field: str) -> None:
    theirs = getattr(manager_of(version).config, name)
    ours = getattr(schema, name)
    assert [outcome(ours, field, v) for v in VALUES] == [outcome(theirs, field, v) for v in VALUES]


@pytest.mark.parametrize("version", MANAGER_RELEASES)
def test_actions(version: str) -> None:
    theirs = manager_of(version).actions
    assert [(one.name, one.value) for one in schema.SkipAction] == [(one.name, one.value) for one in theirs]
