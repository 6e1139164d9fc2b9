"""What the sale's screen knows beside its model: it outlives the widgets that show it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pos_app.cashier.sale.catalogue_pages import FAVOURITES_CHIP, RowWindow
from pos_app.cashier.sale.notices import SaleNotice, ScansWaiting
from pos_app.cashier.sale.questions import Question

JUST_MS = 3_000
"""What was told so shortly before a question came may not have been read."""


class RecentNotices:
    """Notices that came while a question is open, or just before it: the question covers the place
    of notices, so it shows them itself."""

    def __init__(self) -> None:
        self._came: list[tuple[int, SaleNotice]] = []

    def note(self, notice: SaleNotice, *, at: int) -> None:
        """One came, at that tick. The question shows waiting scans in a line of their own."""
        if not isinstance(notice, ScansWaiting):
            self._came.append((at, notice))

    def forget_read(self, *, at: int) -> None:
        """The first question opens now: what came longer ago was seen beneath."""
        self._came = [(then, one) for then, one in self._came if at - then <= JUST_MS]

    def of(self, unread: tuple[SaleNotice, ...]) -> tuple[SaleNotice, ...]:
        """What the question says, of all that is not read."""
        self._came = [(then, one) for then, one in self._came if one in unread]
        return tuple(one for _, one in self._came)


@dataclass
class ScreenState:
    """as_list: rows of the picker instead of tiles."""

    as_list: bool
    text: str = ""
    """What is typed in the search."""
    rows: RowWindow | None = None
    """What the picker shows, once there is a picker."""
    chip_before: str = FAVOURITES_CHIP
    """The category that an ended search brings back."""
    scrolled: int = 0
    """Of the picker, in pixels."""
    pad_wanted: bool = False
    past: set[str] = field(default_factory=set)
    """Keys of last sales after which another was begun: their change was given out."""
    recent: RecentNotices = field(default_factory=RecentNotices)
    begun: Question | None = None
    """The question whose first text, typed before it was asked, was taken over."""
    told_in_payment: SaleNotice | None = None
    """The notice that the payment shows."""
