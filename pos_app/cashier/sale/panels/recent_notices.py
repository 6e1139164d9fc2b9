"""What was told lately: a question stands over the place of notices, so it says that itself."""

from __future__ import annotations

from pos_app.cashier.sale.questions import Notice, ScansWaiting

JUST_MS = 3_000
"""What was told so shortly before a question came may not have been read."""


class RecentNotices:
    """Notices that came while a question stands, or just before it."""

    def __init__(self) -> None:
        self._came: list[tuple[int, Notice]] = []

    def note(self, notice: Notice, *, at: int) -> None:
        """One came, at that tick. Of scans that wait the question tells by itself."""
        if not isinstance(notice, ScansWaiting):
            self._came.append((at, notice))

    def forget_read(self, *, at: int) -> None:
        """The first question opens now: what came longer ago was seen beneath."""
        self._came = [(then, one) for then, one in self._came if at - then <= JUST_MS]

    def of(self, unread: tuple[Notice, ...]) -> tuple[Notice, ...]:
        """What the question says, of all that stands."""
        self._came = [(then, one) for then, one in self._came if one in unread]
        return tuple(one for _, one in self._came)
