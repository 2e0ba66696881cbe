"""Settings that hold for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("default"), max_examples=5000)
settings.load_profile(__import__("os").environ.get("SKIPCFG_HYPOTHESIS", "default"))
