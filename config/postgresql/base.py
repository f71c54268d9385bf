"""The database backend that the settings name."""

import select
from typing import override

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Finds out between two requests whether the server has hung up, without a round trip."""

    @override
    def is_usable(self) -> bool:
        """Whether the connection still works.

        A server says nothing unasked: where there is something to read, it has hung up or is about to. Then,
        and after an error, it is asked.
        """
        if self.connection is None or self.connection.closed or self.errors_occurred:
            return super().is_usable()
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return super().is_usable() if poll.poll(0) else True
