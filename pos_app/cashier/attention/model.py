"""What waits and what is in doubt, as it was read last. No widget, no words.

Sources: till.md ("Attention", Promise 3), exactly-once.md (steps 10 and 12), look.md (Screens, 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pos_app.cashier.attention.decided_pairs import DecidedPairs
from pos_app.cashier.attention.incomplete_articles import completing_row
from pos_app.cashier.attention.restored import rows_of_copies
from pos_app.cashier.attention.rows import (
    CORRECTION,
    Group,
    Row,
    alarm_row,
    caller_rows,
    correction_is_over,
    drawer_row,
    foreign_row,
    is_of,
    job_row,
    more_sales_row,
    more_undelivered_row,
    repeated_row,
    server_row,
    storage_rows,
    to_take_back,
    waits_for_taking_back,
)
from pos_app.cashier.services import TillServices
from pos_app.cashier.storage_faults import Where, where_of
from pos_app.domain.cart import CartLine
from pos_app.domain.instant import day_of
from pos_app.domain.server_status import DeliveryJob, ReceiptInDoubt, RefusedCaller
from pos_app.domain.states import IN_DOUBT
from pos_app.errors import MachineError
from pos_app.selling.attention import (
    DOUBTS,
    OF_JOB,
    QUIET,
    UNDER_WAY,
    AttentionItem,
    AttentionKind,
    attention,
)
from pos_app.selling.drawer import DrawerShut
from pos_app.selling.incomplete_articles import to_complete
from pos_app.selling.sale import Sale, SoldUnknown
from pos_app.selling.sale_state import SaleState

LATEST = 300
"""So many of the last sales are looked through for what was solved today."""
MOST_ROWS = 50
"""So many sales that need a person, and that go on, have rows; the others are counted."""
_NEEDS_PERSON = (SaleState.REFUSED, SaleState.DOUBT)
_GOES_ON = (SaleState.FROZEN, SaleState.SENDING, SaleState.CANCELLING)
_ORDER = tuple(Group)
_READS = "attention"


class AttentionModel:
    """How things stand, as read last; `load` reads anew."""

    def __init__(self, services: TillServices) -> None:
        self._services = services
        self._doubts: tuple[ReceiptInDoubt, ...] = ()
        self._callers: tuple[RefusedCaller, ...] = ()
        self._seen: set[int] = set()
        self._ended: set[str] = set()
        self._answered: set[DeliveryJob] = set()
        self._repeated: dict[int, DeliveryJob] = {}
        """What a person wanted once more, by its id, while its end is not known."""
        self.drawer: DrawerShut | None = None
        self.decided = DecidedPairs(services.decisions, services.till.clock)
        """Half-done pairs that a manager ended at this till."""
        self._completing: Row | None = None
        self._had: dict[str, bool] = {}
        self._corrections: set[str] = set()
        self._by_sale: dict[str, Sale] = {}
        self.rows: tuple[Row, ...] = ()
        self.solved: tuple[Row, ...] = ()
        self.current_id = ""

    # --- facts -----------------------------------------------------------------------------------

    def load(self, *, thorough: bool = True) -> None:
        """Read how things stand. thorough: also what was solved today, which costs more.

        Where the sales can't be read, that is what is told.
        """
        faults = self._services.faults
        try:
            self._load(thorough=thorough)
        except MachineError as error:
            faults.met(Where.TILL, error, by=_READS, at=self._services.till.clock.now())
            self.rows, self.solved = tuple(storage_rows(faults)), ()
            self._keep_current()
        else:
            faults.over(Where.TILL, by=_READS)

    def _load(self, *, thorough: bool) -> None:
        sales = self._services.sales
        to_decide = sales.waiting(*_NEEDS_PERSON, at_most=MOST_ROWS)
        going_on = sales.waiting(*_GOES_ON, at_most=MOST_ROWS)
        waiting = sorted((*to_decide, *going_on), key=lambda sale: sale.sequence)
        to_be_seen = sales.done_to_be_seen()
        self._by_sale = {sale.key: sale for sale in (*waiting, *to_be_seen)}
        told = attention(
            waiting,
            server=self._services.server,
            done_to_be_seen=to_be_seen,
            young_doubts=self._services.outbox.young_doubts,
        )
        latest = sales.last(LATEST) if thorough else ()
        rows = storage_rows(self._services.faults)
        rows += [self._row(item) for item in (*told.needs_you, *told.goes_on)]
        rows += self._left_off(to_decide, going_on)
        rows += [to_take_back(sale) for sale in self._corrected((*waiting, *latest))]
        rows += [drawer_row(self.drawer)] if self.drawer is not None else []
        rows += self._foreign()
        rows += filter(None, [server_row(self._services.server)])
        rows += self._copies()
        rows += self._alarms()
        rows += self._jobs()
        rows += caller_rows(self._callers, now=self._services.till.clock.now())
        if thorough:
            self._completing = self._read_completing()
        rows += filter(None, [self._completing])
        self.rows = tuple(sorted(rows, key=lambda row: _ORDER.index(row.group)))
        if thorough:
            self.solved = tuple(self._solved(latest))
        self._keep_current()

    def count(self) -> int:
        """How many things wait; what is quiet is none of them."""
        return sum(row.left_off or 1 for row in self.rows if row.what not in QUIET)

    @property
    def is_under_way(self) -> bool:
        """Whether something is being done at this moment that rings no bell."""
        return any(row.what in UNDER_WAY for row in self.rows)

    @property
    def decisions(self) -> int:
        """How many need a person."""
        return sum(row.left_off or 1 for row in self.rows if row.group is Group.NEEDS_YOU)

    @property
    def current(self) -> Row | None:
        """The row whose case is shown."""
        everything = (*self.rows, *self.solved)
        return next((row for row in everything if row.id == self.current_id), None)

    def choose(self, row_id: str) -> None:
        """Show another case."""
        self.current_id = row_id

    def has(self, row_id: str) -> bool:
        """Whether there is such a row."""
        return any(row.id == row_id for row in self.rows)

    def lines(self, row: Row) -> Sequence[CartLine]:
        """What was sold; nothing for what another program asked for."""
        if row.sale is None:
            return ()
        return self._services.till.carts.cart_of(row.sale.cart_id).cart.active

    @property
    def has_doubts(self) -> bool:
        """Whether the server is to be asked what it found out."""
        asked = DOUBTS | {AttentionKind.HALF_DONE}
        return any(row.what in asked for row in self.rows)

    # --- what the server knows --------------------------------------------------------------------

    async def ask_doubts(self) -> None:
        """What the server found out about its doubts. Raises RemoteError."""
        self._doubts = tuple(await self._services.doubt_desk.doubts())

    async def ask_callers(self) -> None:
        """Whom the server refused. Raises RemoteError."""
        self._callers = tuple(await self._services.doubt_desk.refused_callers())

    async def ask_repeated(self) -> tuple[DeliveryJob, ...]:
        """Those that came out since they were wanted once more. Raises RemoteError."""
        over = [
            job
            for job in tuple(self._repeated.values())
            if await self._services.doubt_desk.is_job_over(job.id)
        ]
        return tuple(job for job in over if self._repeated.pop(job.id, None) is not None)

    def was_repeated(self, job: DeliveryJob) -> None:
        """A person wants it once more: it is under way, whatever was told before."""
        self._answered.add(job)
        self._repeated[job.id] = job

    def was_answered(self, job: DeliveryJob) -> None:
        """A person answered it: what was told before is over."""
        self._answered.add(job)

    def was_ended(self, row: Row) -> None:
        """A manager has answered it at the server."""
        self._ended.add(row.id)

    def was_seen(self, alarm_id: int) -> None:
        """A manager has seen that alarm."""
        self._seen.add(alarm_id)

    # --- parts -----------------------------------------------------------------------------------

    def _row(self, item: AttentionItem) -> Row:
        sale = self._by_sale[item.key]
        doubt = self._doubt_of(item)
        receipt_id = item.receipt_id or (doubt.receipt_id if doubt else None)
        return Row(
            id=item.key,
            what=item.what,
            total=item.total,
            since=item.frozen_at,
            sale=sale,
            item=item,
            doubt=doubt,
            receipt_id=receipt_id,
        )

    def _left_off(self, to_decide: Sequence[Sale], going_on: Sequence[Sale]) -> Iterable[Row]:
        """What has no row of its own because too much waits."""
        counts = self._services.sales.counts()
        for what, states, shown in (
            (AttentionKind.MORE_TO_DECIDE, _NEEDS_PERSON, to_decide),
            (AttentionKind.MORE_WAITING, _GOES_ON, going_on),
        ):
            left_off = sum(counts[state] for state in states) - len(shown)
            yield from filter(None, [more_sales_row(what, shown, left_off)])

    def _doubt_of(self, item: AttentionItem) -> ReceiptInDoubt | None:
        if item.what not in DOUBTS:
            return None
        mine = (one for one in self._doubts if is_of(one, item))
        return next(mine, None)

    def _corrected(self, seen: Iterable[Sale]) -> list[Sale]:
        """Sales that are cancelled by now to be corrected, among those known to be meant so."""
        self._corrections |= {sale.key for sale in seen if sale.drop_reason == CORRECTION}
        sales = [self._services.sales.sale(key) for key in self._corrections]
        self._corrections = {sale.key for sale in sales if not correction_is_over(sale)}
        waiting = [sale for sale in sales if waits_for_taking_back(sale)]
        return sorted(waiting, key=lambda sale: sale.sequence)

    def _copies(self) -> Iterable[Row]:
        """What came out of a copy, and another element; not what a manager has answered."""
        carts, now = self._services.till.carts.set_aside(), self._services.till.clock.now()
        rows = tuple(rows_of_copies(self._services.server.status, carts, now=now))
        self._ended &= {row.id for row in rows}
        return (row for row in rows if row.id not in self._ended)

    def _alarms(self) -> Iterable[Row]:
        """What nobody has seen yet, as the server told last."""
        status = self._services.server.status
        told = status.alarms if status else ()
        return (alarm_row(alarm) for alarm in told if alarm.id not in self._seen)

    def _jobs(self) -> Iterable[Row]:
        """What is not printed or sent, as the server told last; what was answered since is not
        told, or is under way until it is known how it ended."""
        status = self._services.server.status
        for job in status.jobs if status is not None else ():
            if job.state in OF_JOB and job not in self._answered:
                self._repeated.pop(job.id, None)
                yield job_row(job)
        yield from map(repeated_row, self._repeated.values())
        if status is not None:
            yield from filter(None, [more_undelivered_row(status.jobs, status.jobs_left_off)])

    def _read_completing(self) -> Row | None:
        """As it was read last while the catalogue can't be read."""
        try:
            return completing_row(self._to_complete())
        except MachineError as error:
            if where_of(error) is Where.TILL:
                raise
            return self._completing

    def _to_complete(self) -> tuple[SoldUnknown, ...]:
        """Sold for codes that the catalogue lacks."""
        services = self._services
        return to_complete(
            sales=services.sales, catalogue=services.catalogue, rules=services.weight_rules()
        )

    def _foreign(self) -> Iterable[Row]:
        """Doubts that no sale of this till is behind; young ones are told as little as its own."""
        status = self._services.server.status
        told = status.open if status else ()
        known = {doubt.receipt_id: doubt for doubt in self._doubts}
        young = self._services.outbox.young_doubts
        told = tuple(receipt for receipt in told if receipt.receipt_id not in young)
        sales = self._services.sales
        for receipt in told:
            is_over = self.decided.has(receipt.receipt_id) or receipt.state not in IN_DOUBT
            if not is_over and not sales.is_mine(key=receipt.key, receipt_id=receipt.receipt_id):
                yield foreign_row(receipt, known.get(receipt.receipt_id))

    def _solved(self, latest: Iterable[Sale]) -> Iterable[Row]:
        """Today's decisions on pairs; then sales that had waited for somebody, the newest first."""
        yield from self.decided.of_today()
        today = day_of(self._services.till.clock.now())
        for sale in latest:
            if sale.answered_at is None or day_of(sale.answered_at) != today:
                continue
            if not waits_for_taking_back(sale) and self._had_trouble(sale):
                yield Row(sale.key, AttentionKind.SOLVED, sale.total, sale.answered_at, sale)

    def _had_trouble(self, sale: Sale) -> bool:
        """Whether an ended sale was ever refused, in doubt, sent again or dropped."""
        if sale.key not in self._had:
            trouble = {SaleState.DOUBT, SaleState.REFUSED, SaleState.CANCELLING}
            events = self._services.sales.history(sale.key)
            again = sale.attempts > 1 or any(event.new in trouble for event in events)
            self._had[sale.key] = again
        return self._had[sale.key]

    def _keep_current(self) -> None:
        if self.current is None:
            shown = (row.id for row in self.rows if row.group is not Group.FOR_KNOWING)
            self.current_id = next(shown, "")
