"""The state of the shift's screen: its page, what was typed, and what is confirmed. Widgets keep no
state of their own.

Sources: till.md ("Shift"), mock-17, mock-18.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from enum import Enum, auto
from typing import Literal

from pos_app.cashier.services.till_services import TillServices
from pos_app.documents.blocks import Document
from pos_app.documents.shift_papers import CashSlip, cash_paper, report_paper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import parse_amount
from pos_app.domain.receipt import shift_report
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.self_test import Finding
from pos_app.selling.shift import telling
from pos_app.selling.shift.cash import CashMove, CashRow, MoveKind, check_whole
from pos_app.selling.shift.count import Count, CountField, CountForm, CountKind, check_counted
from pos_app.selling.shift.report import differences, signed_ids
from pos_app.selling.shift.shift import (
    Differences,
    FloatIs,
    OwedPaper,
    Shift,
    Span,
    StoredCount,
    cash_move,
    check_closing,
    check_move,
    close_shift,
    holds_much,
    open_with,
    stay_of,
    usual_stay,
    with_lying,
    with_reasons,
)

CASH_REASONS = ("change", "coins", "unknown")
OTHER_REASONS = ("wrong_amount", "no_slip", "unknown")
"""The ready-made reasons of a difference in cash, and of one in another method, as parts of text
ids."""
Lack = Literal["amount", "reason", "count", "number"]
"""What is to be typed or corrected before a shift can be opened or closed, a drawer be counted, or
cash be moved."""


class ShiftPageKind(Enum):
    HOME = auto()
    """The open shift, or the float of a new one."""
    FLOAT = auto()
    MOVE = auto()
    X = auto()
    CHECK = auto()
    COUNT = auto()
    DIFFERENCE = auto()
    DONE = auto()
    CLOSED = auto()
    PAST = auto()


MOST_CLOSED = 2000
"""The most shifts that are listed: two a day for almost three years."""
CLOSING = (ShiftPageKind.CHECK, ShiftPageKind.COUNT, ShiftPageKind.DIFFERENCE, ShiftPageKind.DONE)
_UNDER_WAY = CLOSING[:3]


class OpenThing(Enum):
    """Things that are left open when a shift is closed. They do not prevent the close."""

    CART = auto()
    """The open cart, which stays open."""
    HELD = auto()
    WAITING = auto()
    DOUBT = auto()
    REFUSED = auto()
    UNPRINTED = auto()


class ShiftModel:
    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.page = ShiftPageKind.HOME
        self.shift: Shift | None = None
        self.left_cash = Money.ZERO
        self.findings: tuple[Finding, ...] = ()
        self.float_text: str | None = None
        """The typed float; while it is None, the float is what was left."""
        self.float_count = Count(self.form)
        self.move_kind = MoveKind.OUT
        self.move_amount = ""
        self.move_reason = ""
        self.drawer_holds: Money | None = None
        """What the drawer holds, while it is asked whether more than that is taken out."""
        self.done: Shift | CashMove | None = None
        """What was just done: the opened shift, or the cash that was moved. It ends when another
        page is opened, or the screen is left."""
        self.facts: telling.ShiftFacts | None = None
        self.report: shift_report.ShiftReport | None = None
        self.server: shift_report.FromServer | None = None
        self.asks_server = False
        self.shows_rows = False
        self.days_back = 0
        self.closed: Sequence[Shift] = ()
        self.past: Shift | None = None
        self.stored: StoredCount | None = None
        """The draft of the count, or the confirmed count."""
        self.counts: Sequence[StoredCount] = ()
        self.reasons: dict[str, str] = {}
        self._explained: dict[str, tuple[int, Money]] = {}
        """The count and the difference that each reason was given for."""
        self.stays: str | None = None
        """The typed sum that stays, or None before."""
        self.moved = telling.MovedAfter()
        """What moved after the count whose difference is shown."""
        self._told_moved: tuple[int, Mapping[str, Money]] | None = None
        """The count after which something moved, and what, once a close was refused for it."""
        self.error: Invalid | None = None
        self.printed = ""
        """The state of the shown report's last paper: "", "waits" (for the server's part),
        "asked", "printed", "owed", "failed" or "pdf"."""
        self.under_way: set[DeliveryWay] = set()
        """The ways in which the shown report is being handed over."""
        self.shown_report = object()
        """Another one for each report that is opened, so that what becomes of a paper is told of
        its own."""

    # --- facts -----------------------------------------------------------------------------------

    @property
    def form(self) -> CountForm:
        shift = self.services.settings.shift
        return CountForm(shift.terminals, shift.bundle, shift.roll)

    @property
    def has_shifts(self) -> bool:
        """Whether shifts were on when the till was started; until it ends its sales belong to
        them."""
        return self.services.started_with.has_shifts

    @property
    def now(self) -> datetime:
        return self.services.till.clock.now()

    def come_back(self) -> None:
        """Go on when somebody opens the screen. A close goes on only for a person who may close,
        with figures read anew. After another's count it goes on only for people who may see
        cash."""
        self.read()
        if self.page not in _UNDER_WAY:
            return
        is_counted, may_close = (
            self.page is ShiftPageKind.DIFFERENCE,
            self.services.may(Act.CLOSE_SHIFT),
        )
        if self.shift is None or not may_close or (is_counted and self.counted is None):
            self.page = ShiftPageKind.HOME
        elif is_counted:
            self.announce()

    def read(self) -> None:
        """Read the open shift, and what the last one left. A float that is being typed or counted
        ends where a shift is open by now, also by its first sale."""
        repository = self.services.shifts
        self.shift = repository.open_shift()  # where shifts are off, an open one is still closed
        if self.shift is not None:
            self.float_text = None
            if self.page is ShiftPageKind.FLOAT:
                self.page = ShiftPageKind.HOME
        last = repository.last_closed()
        self.left_cash = Money.ZERO if last is None else last.stays

    @property
    def much_cash(self) -> Money | None:
        """The drawer's limit if the drawer holds more, else None."""
        limit = Money(self.services.settings.shift.drawer_limit)
        return limit if holds_much(self.services.shifts, limit) else None

    @property
    def span(self) -> Span:
        """The time of the open shift; without shifts a day, from midnight to midnight."""
        if self.shift is not None:
            return Span(self.shift)
        return Span(None, beginning_of(self.day), beginning_of(self.day + timedelta(days=1)))

    @property
    def day(self) -> date:
        return day_of(self.now) - timedelta(days=self.days_back)

    def open_things(self) -> Mapping[OpenThing, int]:
        services = self.services
        counts = services.sales.counts()
        status = services.server.status
        jobs: Sequence[DeliveryJob] = status.jobs if status is not None else ()
        cart = services.till.carts.open_cart(training=False)
        found = {
            OpenThing.CART: int(cart is not None and not cart.cart.is_empty),
            OpenThing.HELD: len(services.till.carts.suspended()),
            OpenThing.WAITING: counts[SaleState.FROZEN] + counts[SaleState.SENDING],
            OpenThing.DOUBT: counts[SaleState.DOUBT],
            OpenThing.REFUSED: counts[SaleState.REFUSED],
            OpenThing.UNPRINTED: len(jobs),
        }
        return {what: many for what, many in found.items() if many}

    @property
    def has_nothing_to_check(self) -> bool:
        """Whether nothing is open and no confirmed count waits, so that the check asks nothing."""
        is_counted = self.counted is not None and self.counted.confirmed_at is not None
        return not is_counted and not self.open_things()

    # --- the float -------------------------------------------------------------------------------

    @property
    def float_amount(self) -> Money:
        """The float: what was left, unless another one was typed. Raises Invalid for the field
        "float"."""
        text = self.float_text
        amount = self.left_cash if text is None else _amount(text, "float")
        return amount if amount == self.left_cash else check_whole(amount, "float")

    def open_shift(self) -> None:
        """Open a shift with the float that was left, typed or counted. Raises Invalid for "float"
        or "count"; NotAllowed, DiskFull."""
        services = self.services
        if self.page is ShiftPageKind.FLOAT:
            check_counted(self.float_count)
            how, amount = FloatIs.COUNTED, self.float_count.cash
        else:
            amount = self.float_amount
            how = FloatIs.LEFT if amount == self.left_cash else FloatIs.TYPED
        open_with(services.shifts, amount, how, by=services.cashier, at=self.now)
        self.read()
        self.done = self.shift

    def begin_float(self) -> None:
        """Begin the count of the float, or go on with the stored one. Raises database errors."""
        self.float_count = self.services.shifts.float_count(self.form)
        self.page, self.error = ShiftPageKind.FLOAT, None

    # --- cash in and out -------------------------------------------------------------------------

    def begin_move(self, kind: MoveKind) -> None:
        """Show the page of such a move, with what was typed for one that was left."""
        if kind is not self.move_kind:
            self.move_amount = self.move_reason = ""
        self.move_kind, self.page, self.done = kind, ShiftPageKind.MOVE, None
        self.error = self.drawer_holds = None

    @property
    def amount_to_move(self) -> Money:
        """Raises Invalid for "amount"."""
        return _amount(self.move_amount, "amount")

    def ask_drawer(self) -> None:
        """Ask about an amount above what the drawer holds by its own reckoning, which may be wrong.
        Whoever may not see that sum is not asked. Raises Invalid for "amount", and what databases
        raise."""
        services = self.services
        if self.move_kind.brings or self.shift is None or not services.sees_turnover:
            return
        facts = telling.read_facts(services.shifts, services.till.carts, self.span)
        there = facts.drawer.expected
        self.drawer_holds = there if self.amount_to_move > there else None

    def confirm_move(self) -> CashMove:
        """Confirm the typed move of cash. Raises Invalid for "amount" or "reason"; DiskFull."""
        services = self.services
        amount = self.amount_to_move
        moved = cash_move(
            services.shifts,
            self.move_kind,
            amount,
            reason=self.move_reason,
            by=services.cashier,
            at=self.now,
        )
        self.done, self.page = moved, ShiftPageKind.HOME
        self.move_amount = self.move_reason = ""
        self.read()
        return moved

    def slip_of(self, moved: CashMove) -> Document:
        slip = CashSlip(moved.kind.value, moved.amount, moved.reason, moved.by, moved.at, moved.bag)
        return cash_paper(slip, shop=self.shop, language=self.language)

    # --- the count -------------------------------------------------------------------------------

    @property
    def count(self) -> Count:
        if self.page is ShiftPageKind.FLOAT:
            return self.float_count
        return Count(self.form) if self.stored is None else self.stored.count

    @property
    def walk(self) -> tuple[CountField, ...]:
        """The fields that Enter leads through; a float has only cash."""
        walk = self.form.walk
        if self.page is ShiftPageKind.FLOAT:
            return tuple(one for one in walk if one.kind is CountKind.PIECES)
        return walk

    def begin_count(self) -> None:
        """Begin a count, or go on with the stored one, even after a kill. Raises DiskFull."""
        if self.shift is None:
            return
        services = self.services
        self.stored = services.shifts.draft(self.shift, self.form, by=services.cashier, at=self.now)
        self.page, self.error = ShiftPageKind.COUNT, None

    def type_count(self, name: str, text: str) -> None:
        """Take what was typed, and save it. What can't be saved now counts all the same: the press
        that confirms the count stores all of it. Raises Invalid for the field; DiskFull."""
        count = self.count.with_typed(name, text)
        if self.page is ShiftPageKind.FLOAT:
            self.float_count = count
            self.services.shifts.keep_float_count(count)
        elif self.stored is not None:
            self.stored = replace(self.stored, count=count)
            self.services.shifts.keep_count(self.stored)

    def confirm_count(self) -> None:
        """Confirm the count. Raises Invalid for "count"; NotAllowed, DiskFull."""
        assert self.stored is not None
        check_counted(self.stored.count)
        services = self.services
        self._tell_difference(
            services.shifts.confirm_count(self.stored, by=services.cashier, at=self.now)
        )

    @property
    def counted(self) -> StoredCount | None:
        """The newest confirmed count, if the present person confirmed it or may see cash."""
        services = self.services
        counts = services.shifts.counts(self.shift) if self.shift is not None else ()
        if not counts:
            return None
        return counts[-1] if services.sees_turnover or counts[-1].by == services.cashier else None

    def go_on(self) -> None:
        """Go on with a confirmed count that was left, also after the till was killed."""
        counted = self.counted
        if counted is not None:
            self._tell_difference(counted)

    def _tell_difference(self, stored: StoredCount) -> None:
        """Show what a count comes to. What was typed before is still there, but for the reason of a
        difference that another count changed."""
        assert self.shift is not None
        if self.stored is not None and self.stored.id == stored.id:
            stored = replace(stored, lying=self.stored.lying)
        self.stored, self.counts = stored, self.services.shifts.counts(self.shift)
        self.page, self.server = ShiftPageKind.DIFFERENCE, None
        self.shows_rows = False
        self.announce()
        for method, (count, amount) in self._explained.items():
            if count != stored.id and amount != self._difference_of(method):
                self.reasons.pop(method, None)
        self.make_report()

    def explain(self, method: str, reason: str) -> None:
        """Give the reason of a difference."""
        assert self.stored is not None
        self.reasons[method] = reason
        self._explained[method] = self.stored.id, self._difference_of(method)

    def _difference_of(self, method: str) -> Money:
        amounts = {one.method: one.amount for one in self.drawer_differences.rows}
        return amounts.get(method, Money.ZERO)

    def recount(self) -> None:
        self.begin_count()

    # --- what is told ----------------------------------------------------------------------------

    def announce(self) -> None:
        """Read the sums anew; drop the server's answer if other receipts are signed by now."""
        services, before = self.services, self.facts
        self.facts = telling.read_facts(services.shifts, services.till.carts, self.span)
        if before is None or signed_ids(before.sales) != signed_ids(self.facts.sales):
            self.server = None
        if self.page is ShiftPageKind.DIFFERENCE and self.stored is not None:
            self.moved = telling.moved_after(services.shifts, self.facts, self.stored)
            if not self.moved.many:
                self.stored = replace(self.stored, lying={})
        self.make_report()

    @property
    def offers_moved(self) -> bool:
        """Whether something moved after the count that nobody has added to what was counted."""
        return self.stored is not None and self.moved.amounts != self.stored.lying

    def count_moved(self) -> None:
        """Add what moved after the count to what was counted: it lies there, as somebody says."""
        assert self.stored is not None
        self.stored = replace(self.stored, lying=self.moved.amounts)
        self.make_report()

    def make_report(self) -> None:
        if self.facts is None:
            return
        if self.page is ShiftPageKind.PAST:
            assert self.report is not None
            self.report = replace(self.report, server=self.server)
            return
        if self.page is ShiftPageKind.DIFFERENCE and self.stored is not None:
            counted = self.stored.cash
            drawer: shift_report.CountedDrawer | None = telling.drawer_counted(
                self.facts,
                self.drawer_differences.rows,
                counted=counted,
                earlier=[one.count.cash for one in self.counts[:-1]],
                stays=self._stays_or_none(),
            )
        else:
            drawer = telling.drawer_now(self.facts) if self.shift is not None else None
        self.report = telling.report_of(
            self.facts,
            till=self.services.settings.till.name,
            by=self.services.cashier,
            at=self.now,
            server=self.server,
            drawer=drawer,
            is_closed=self.page in (ShiftPageKind.DIFFERENCE, ShiftPageKind.DONE)
            or self.shift is None,
        )

    def begin_x(self, days_back: int = 0) -> None:
        """days_back: without shifts, 0 for today. Raises DiskFull."""
        self.days_back, self.done = days_back, None
        services = self.services
        self._show_report(ShiftPageKind.X)
        self.server = None
        services.shifts.note_x(by=services.cashier, at=self.now)
        self.announce()

    # --- closed shifts ---------------------------------------------------------------------------

    @property
    def has_closed(self) -> bool:
        return self.services.shifts.last_closed() is not None

    def begin_closed(self) -> None:
        self.closed = self.services.shifts.closed(at_most=MOST_CLOSED)
        self.page, self.done = ShiftPageKind.CLOSED, None

    def differences_of(self, shift: Shift) -> Sequence[shift_report.Difference]:
        drawer = self.services.shifts.z_of(shift.id).drawer
        return () if drawer is None else drawer.differences

    def open_past(self, shift: Shift) -> None:
        """Show the Z of a closed shift, and the rows of its expected cash. The server's part that
        was missing at the close can be asked for now. Raises NotFound."""
        services = self.services
        z = services.shifts.z_of(shift.id)
        self.facts = telling.read_facts(services.shifts, services.till.carts, Span(shift))
        self.past, self.report, self.server, self.asks_server = shift, z, z.server, False
        self._show_report(ShiftPageKind.PAST)

    @property
    def rows(self) -> Sequence[CashRow]:
        if self.facts is None:
            return ()
        drawer = self.facts.drawer
        return [row for part in shift_report.CashPart for row in drawer.of(part)]

    @property
    def drawer_differences(self) -> Differences:
        if self.facts is None or self.stored is None:
            return Differences()
        found = differences(self.facts.drawer, self.facts.sales, self.stored.count)
        return with_reasons(with_lying(found, self.stored.lying), self.reasons)

    # --- the end ---------------------------------------------------------------------------------

    def _stays_or_none(self) -> Money:
        try:
            return self.stays_amount
        except Invalid:
            return Money.ZERO

    @property
    def stays_amount(self) -> Money:
        """The cash that stays in the drawer: as typed, else as much as was there at the beginning.
        Raises Invalid for "stays"."""
        if self.stored is None or self.shift is None:
            return Money.ZERO
        if self.stays is None:
            return usual_stay(self.shift, self.stored)
        return stay_of(self.stored, _amount(self.stays, "stays"))

    def check(self) -> None:
        """Check whether the shift can be closed as it is. Raises as `close`."""
        check_closing(self.drawer_differences)
        _ = self.stays_amount

    @property
    def lacks(self) -> Lack | None:
        """What `check` wants; None for nothing."""
        try:
            self.check()
        except (Invalid, NotAllowed) as error:
            return "amount" if isinstance(error, Invalid) and error.field == "stays" else "reason"
        return None

    @property
    def method_without_reason(self) -> str:
        """The first method whose difference has no reason that says something; "" for none."""
        drawer_differences = self.drawer_differences
        rows = (*drawer_differences.unexplained, *drawer_differences.hardly_explained)
        return next((row.method for row in rows), "")

    @property
    def move_lacks(self) -> Lack | None:
        """What a move of cash wants, as `lacks`."""
        try:
            check_move(self.move_kind, self.amount_to_move, self.move_reason)
        except Invalid as error:
            return "reason" if error.field == "reason" else "amount"
        return None

    @property
    def float_lacks(self) -> Lack | None:
        """What the float of a new shift wants, as `lacks`."""
        try:
            _ = self.float_amount
        except Invalid:
            return "amount"
        return None

    def close(self, way: DeliveryWay) -> Shift:
        """End the shift as it is shown. way: how its Z is handed over; a printed Z is owed from
        here on. Raises Invalid, NotAllowed (figures_moved, unexplained; once moved_after_count),
        DiskFull."""
        assert self.shift is not None
        assert self.stored is not None
        stays, shown = self.stays_amount, self.facts
        self.announce()
        assert self.facts is not None
        assert self.report is not None
        told, self._told_moved = self._told_moved, (self.stored.id, self.moved.amounts)
        if shown is None or not self.facts.tells_as(shown):
            raise NotAllowed("figures_moved")
        if self.offers_moved and told != self._told_moved:
            raise NotAllowed("moved_after_count")
        closed = close_shift(
            self.services.shifts,
            self.shift,
            self.stored,
            self.drawer_differences,
            stays=stays,
            z=self.report,
            by=self.services.cashier,
            at=self.now,
            owed=self._owed_z(way),
        )
        self.shift, self.reasons, self.stays = None, {}, None
        self.move_amount = self.move_reason = ""
        self._show_report(ShiftPageKind.DONE)
        self.left_cash = closed.stays
        return closed

    # --- papers ----------------------------------------------------------------------------------

    def _show_report(self, page: ShiftPageKind) -> None:
        self.page, self.shows_rows, self.printed = page, False, ""
        self.shown_report, self.under_way = object(), set()

    def _owed_z(self, way: DeliveryWay) -> OwedPaper | None:
        paper = self.paper()
        if paper is None or way is DeliveryWay.PDF:
            return None
        return OwedPaper(self.services.till.new_key(), paper, way is DeliveryWay.A4)

    @property
    def language(self) -> ReceiptLanguage:
        store = self.services.catalogue.store()
        return ReceiptLanguage.CYRILLIC if store is None else store.language

    @property
    def shop(self) -> tuple[str, ...]:
        store = self.services.catalogue.store()
        return () if store is None else (store.name,)

    def paper(self) -> Document | None:
        return None if self.report is None else self.paper_of(self.report)

    def paper_of(self, report: shift_report.ShiftReport) -> Document:
        return report_paper(report, shop=self.shop, language=self.language)


def _amount(text: str, field: str) -> Money:
    try:
        return parse_amount(text)
    except Invalid as error:
        raise error.at(field) from error
