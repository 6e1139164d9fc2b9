"""Changes of a sale by the outbox: stored first, then planned with, then told to the screens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pos_app import log
from pos_app.clock import Clock
from pos_app.selling.answer_effects import AnswerEffect
from pos_app.selling.ports import SaleStore
from pos_app.selling.recent_doubts import RecentDoubts
from pos_app.selling.sale import PendingReason, QueuedSale, Sale
from pos_app.selling.schedule import Schedule

_log = log.get(__name__)


class StateWriter:
    """Writes through the port SaleStore. schedule: what follows from it; young: whom it calls."""

    def __init__(self, sales: SaleStore, clock: Clock) -> None:
        self._sales = sales
        self._clock = clock
        self._on_sale: list[Callable[[Sale], None]] = []
        self.schedule = Schedule()
        self.young = RecentDoubts(clock)

    def listen(self, on_sale: Callable[[Sale], None]) -> None:
        """Call back for each changed sale."""
        self._on_sale.append(on_sale)

    def move(self, key: str, to: AnswerEffect, *, next_try_at: datetime | None = None) -> Sale:
        """Bring a sale into the state of `to`. Raises NotAllowed, MachineError."""
        assert to.state is not None
        self.young.begin(key, to.state)
        sale = self._sales.move(
            key,
            to.state,
            at=self._clock.now(),
            reason=to.reason,
            receipt=to.receipt,
            receipt_id=to.receipt_id,
            next_try_at=next_try_at,
        )
        fields = {"key": key, "sequence": sale.sequence, "state": str(to.state)}
        _log.info("sale moved", extra={"fields": fields})
        self.tell(sale)
        return sale

    def note(
        self,
        key: str,
        reason: PendingReason | None,
        *,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> None:
        """Keep why it still waits. Raises NotAllowed once it has ended, MachineError."""
        noted = self._sales.note(
            key,
            at=self._clock.now(),
            reason=reason,
            receipt_id=receipt_id,
            next_try_at=next_try_at,
        )
        self.tell(noted)

    def tell(self, sale: Sale) -> None:
        self.young.note(sale)
        self.schedule.take(QueuedSale.of(sale))
        for listener in self._on_sale:
            listener(sale)
