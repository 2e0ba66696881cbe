"""Settings that hold for all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("long", settings.get_profile("default"), max_examples=3000)
settings.load_profile(os.environ.get("SKIPCFG_HYPOTHESIS", "default"))
