"""Threads beside the test's own."""

from tests.threads import aside  # noqa: F401  (fixture)
