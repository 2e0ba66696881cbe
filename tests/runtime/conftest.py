from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.runtime.real import Runtime


@pytest.fixture(scope="session")
def real() -> Iterator[Callable[[str], Runtime]]:
    """The real runtime of a verl release, started when a test first asks for it."""
    running: dict[str, Runtime] = {}

    def of(version: str) -> Runtime:
        if version not in running:
            running[version] = Runtime(version)
        return running[version]

    yield of
    for runtime in running.values():
        runtime.close()
