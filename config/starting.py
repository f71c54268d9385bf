"""What whoever starts the service reads when it cannot start."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError


@contextmanager
def plain_refusals() -> Iterator[None]:
    """End the process with status 1 and one line on wrong settings or a database that does not answer.

    With ``--traceback`` on the command line the error is raised as it is.
    """
    try:
        yield
    except (ImproperlyConfigured, OperationalError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"Cannot start: {'; '.join(map(str.strip, str(error).splitlines()))}")
