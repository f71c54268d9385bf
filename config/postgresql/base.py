"""The database backend that the settings name."""

import select
from typing import override

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Finds out between two requests whether the server has hung up, without a round trip."""

    @override
    def is_usable(self) -> bool:
        """Whether the connection still works.

        A server says nothing unasked: where there is something to read, it has hung up or is about to. Then,
        after an error and within a transaction, it is asked.
        """
        if self.connection is None or self.errors_occurred or not self._is_idle():
            return super().is_usable()
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return super().is_usable() if poll.poll(0) else True

    def _is_idle(self) -> bool:
        return bool(self.connection.pgconn.transaction_status == TransactionStatus.IDLE)
