"""A worker and a beat as processes."""

from tests.tasks.processes import processes  # noqa: F401  (fixture)
