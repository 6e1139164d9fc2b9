"""Limits the large lists that are sent at once: each keeps a connection to the database for
minutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from pos_app.platform_api.database.engine import READERS
from pos_app.platform_api.errors import TooManyLists

MOST_LISTS = READERS // 2
MOST_OF_AN_ACCOUNT = MOST_LISTS // 2


class ListPlaces:
    """The limit of one worker. An account has at most half of it, so that others always find
    room."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, account_id: str) -> Iterator[None]:
        """Count a list while inside. Raises TooManyLists at once where the limit is reached."""
        mine = self._taken[account_id]
        if mine >= MOST_OF_AN_ACCOUNT or self._taken.total() >= MOST_LISTS:
            whose = "of this account " if mine >= MOST_OF_AN_ACCOUNT else ""
            raise TooManyLists(f"Too many lists {whose}are being sent: try again later")
        self._taken[account_id] += 1
        try:
            yield
        finally:
            self._taken[account_id] -= 1
            if not self._taken[account_id]:
                del self._taken[account_id]
