"""Settings that hold for all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The same inputs each time, so that what makes a test fail is the change; `long` draws new ones.
settings.register_profile(
    "default",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile("long", settings.get_profile("default"), max_examples=3000, derandomize=False)
settings.load_profile(os.environ.get("SKIPCFG_HYPOTHESIS", "default"))
