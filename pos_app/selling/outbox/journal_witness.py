"""The till and the server's journal as each other's witnesses.

Before anything is sent the till names the row of the journal that it saw last, and the server names
the till's last sale. A journal that lacks that row was put back from a copy, and so was a till that
lacks that sale. Then sales that were tried before are only looked up and reported, never simply
sent. Carts that came out of the copy are suspended under new keys, because they may have been sold
already.
Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.server_status import JournalCompared, JournalMark
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ports import SaleRepository
from pos_app.selling.sale.sale import RememberedJournal, RestoredCopy
from pos_app.selling.server.monitor import ServerMonitor
from pos_app.selling.server.ports import FiscalServer

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class WitnessResult:
    """The result of comparing. agreed: the outbox may send. restored: all is to be read anew."""

    agreed: bool
    restored: bool = False


_AGREED = WitnessResult(agreed=True)


class JournalWitness:
    """Asks the server at the start, and again whenever its journal has moved on or its status
    reports a restore that the till does not know."""

    def __init__(
        self, *, sales: SaleRepository, server: FiscalServer, monitor: ServerMonitor, clock: Clock
    ) -> None:
        self._sales = sales
        self._server = server
        self._monitor = monitor
        self._clock = clock
        self._seen: JournalMark | None = None

    async def ask(self) -> WitnessResult:
        """Compare the journals; nothing may be sent before both agree. Raises MachineError."""
        facts = self._monitor.view.facts
        if facts is None or (facts.journal == self._seen and not self._is_of_another()):
            return _AGREED
        known = self._sales.remembered()
        compared = await self._server.witness(known)
        if not isinstance(compared, JournalCompared):
            self._monitor.distrust()
            return WitnessResult(agreed=False)
        restored = self._restored_copy(compared, known)
        if restored is None:
            self._sales.remember_journal(compared.journal)
        else:
            _log.warning(
                "restored from a copy: %s",
                "the journal" if restored.is_journal else "the till",
                extra={
                    "fields": {"epoch": compared.epoch, "last_sequence": compared.last_sequence}
                },
            )
            self._sales.act_on_restore(restored, at=self._clock.now())
        self._seen = compared.journal
        return WitnessResult(agreed=True, restored=restored is not None)

    def _is_of_another(self) -> bool:
        status = self._monitor.view.status
        if status is None or status.restored is None:
            return False
        return status.restored.epoch != self._sales.remembered().epoch

    def _restored_copy(
        self, compared: JournalCompared, known: RememberedJournal
    ) -> RestoredCopy | None:
        """Return the copy that must have been put back, or None if each side continues what the
        other remembers.

        Until the next sale is accepted, the journal keeps naming the sale that the till lacks. The
        till acts on it only once; otherwise each move of the journal would suspend the carts that
        were begun since.
        """
        is_journal = not compared.agrees or compared.epoch != known.epoch
        if not is_journal and not self._is_lacking(compared, known):
            return None
        return RestoredCopy(
            compared.journal,
            compared.epoch,
            compared.last_sequence or 0,
            compared.last_key,
            is_journal,
            is_behind=not compared.agrees,
        )

    def _is_lacking(self, compared: JournalCompared, known: RememberedJournal) -> bool:
        if compared.last_sequence is None or compared.last_key == known.acted_key:
            return False
        return self._sales.key_of(compared.last_sequence) != compared.last_key
