"""Builds the reports of a shift: an X, a Z, and a day of a till without shifts.

Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import shift_report
from pos_app.domain.receipt.receipt_list import ListedReceipt, ReceiptQuery
from pos_app.errors import NotFound, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ports import Carts
from pos_app.selling.shift import cash, report
from pos_app.selling.shift.shift import ShiftRepository, Span, StoredCount

_PAGE = 200
_MARGIN = timedelta(hours=1)
"""The processor's clock may differ from the till's by so much; a receipt is matched by its id. For
a larger difference the processor's own times of the shift's receipts are searched too."""


@dataclass(frozen=True, slots=True)
class ShiftFacts:
    """A shift as the till's rows have it now. drawer: for a day it has no float, so it can't be
    compared with a count. others_since: the instant from which other programs' receipts are
    shown."""

    span: Span
    sales: Sequence[cash.ShiftSale]
    drawer: cash.DrawerSum
    acts: shift_report.ActSums
    others_since: datetime

    @property
    def opened_at(self) -> datetime:
        shift, since = self.span.shift, self.span.since
        if shift is not None:
            return shift.opened_at
        assert since is not None
        return since

    def tells_as(self, earlier: ShiftFacts) -> bool:
        """Whether a Z would show the same sales and money as for the earlier facts."""
        return self._content == earlier._content

    @property
    def _content(self) -> object:
        sales = self.sales
        return (
            report.takings_of(sales),
            report.signed_ids(sales),
            self.drawer,
            cash.expected_beside_cash(sales),
        )


@dataclass(frozen=True, slots=True)
class MovedAfter:
    """What moved after a count was confirmed. many: how many sales, refunds and moves of cash.
    amounts: by method, of cash and of what was counted beside it."""

    many: int = 0
    amounts: Mapping[str, Money] = field(default_factory=dict)


def moved_after(repository: ShiftRepository, facts: ShiftFacts, stored: StoredCount) -> MovedAfter:
    """Compare the facts with those of the moment of the count. Raises what databases raise."""
    shift, at = facts.span.shift, stored.confirmed_at
    if shift is None or at is None:
        return MovedAfter()
    methods = [
        method
        for method in (PaymentMethod.CASH, *report.COUNTED_METHODS)
        if method is PaymentMethod.CASH or stored.count.beside_cash(method) is not None
    ]
    was = {sale.key: sale for sale in repository.sales(Span(shift, until=at))}
    changes = [
        {
            method: cash.moved_by(sale, method)
            - (cash.moved_by(was[sale.key], method) if sale.key in was else Money.ZERO)
            for method in methods
        }
        for sale in facts.sales
    ]
    changes += [
        {PaymentMethod.CASH: move.moved} for move in repository.moves(shift) if move.at > at
    ]
    moved = [change for change in changes if any(change.values())]
    sums = {
        method.value: Money.total(one.get(method, Money.ZERO) for one in moved)
        for method in methods
    }
    return MovedAfter(len(moved), {method: amount for method, amount in sums.items() if amount})


def read_facts(repository: ShiftRepository, carts: Carts, span: Span) -> ShiftFacts:
    """Read the facts. Raises what databases raise."""
    sales, shift = repository.sales(span), span.shift
    moves = () if shift is None else repository.moves(shift)
    drawer = cash.drawer_sum(None if shift is None else shift.float_row, sales, moves)
    many, total = 0, Money.ZERO
    for number in repository.discounted_carts(span):
        try:
            cart = carts.cart_of(number).cart
        except NotFound:
            continue
        many, total = many + 1, total + (cart.full - cart.total)
    acts = replace(repository.acts(span), discounts=many, discounts_total=total)
    return ShiftFacts(span, sales, drawer, acts, _others_since(repository, span))


def _others_since(repository: ShiftRepository, span: Span) -> datetime:
    """Return the instant up to which the Z of the shift before shows receipts: when its server was
    asked, else when that shift was closed."""
    if span.shift is None:
        assert span.since is not None
        return span.since
    since, last = repository.reported_since(span.shift), repository.last_closed(before=span.shift)
    if last is None or last.closed_at != since:
        return since
    server = repository.z_of(last.id).server
    return since if server is None else server.until


async def ask_server(
    receipts: ServerReceipts, facts: ShiftFacts, *, until: datetime, categories: Mapping[str, str]
) -> shift_report.FromServer | None:
    """Ask the server for its part, or return None where it does not answer all of it. until: now,
    or the end of the shift or the day. categories: by article (`first_categories`)."""
    shift = facts.span.shift
    end = facts.span.until if shift is None else shift.closed_at
    until = min(until, end or until)
    moments = [one.signed_at for one in facts.sales if one.is_own and one.signed_at is not None]
    query = ReceiptQuery(
        since=min(facts.others_since, *moments, until) - _MARGIN,
        until=max(until, *moments, facts.others_since) + _MARGIN,
    )
    rows: list[ListedReceipt] = []
    after = None
    try:
        while True:
            page = await receipts.page(query, after=after, most=_PAGE, figures=True)
            rows += page.rows
            after = page.go_on
            if after is None:
                break
    except RemoteError:
        return None
    if not page.state.is_whole:
        return None
    mine = [row for row in rows if facts.others_since <= row.at < until or _is_of_sales(row, facts)]
    return report.from_server(mine, facts.sales, until=until, categories=categories)


def _is_of_sales(row: ListedReceipt, facts: ShiftFacts) -> bool:
    return any(sale.receipt_id == row.request_id for sale in facts.sales)


def report_of(
    facts: ShiftFacts,
    *,
    till: str,
    by: str,
    at: datetime,
    server: shift_report.FromServer | None,
    drawer: shift_report.CountedDrawer | None = None,
    is_closed: bool = False,
) -> shift_report.ShiftReport:
    """Build the report. drawer is None for a person who may not see it."""
    shift = facts.span.shift
    return shift_report.ShiftReport(
        number=0 if shift is None else shift.id,
        till=till,
        opened_at=facts.opened_at,
        opened_by="" if shift is None else shift.opened_by,
        told_at=at,
        told_by=by,
        is_closed=is_closed,
        takings=report.takings_of(facts.sales),
        acts=facts.acts,
        drawer=drawer,
        server=server,
    )


def drawer_now(facts: ShiftFacts) -> shift_report.CountedDrawer:
    drawer = facts.drawer
    return shift_report.CountedDrawer(
        report.parts_of(drawer), drawer.expected, rounding=drawer.rounding
    )


def drawer_counted(
    facts: ShiftFacts,
    rows: Sequence[shift_report.Difference],
    *,
    counted: Money,
    earlier: Sequence[Money],
    stays: Money,
) -> shift_report.CountedDrawer:
    """The drawer of a Z. earlier: the counts before. Raises Invalid if too much stays."""
    return shift_report.CountedDrawer(
        report.parts_of(facts.drawer),
        facts.drawer.expected,
        tuple(rows),
        counted,
        len(earlier) + 1,
        stays,
        counted - stays,
        tuple(earlier),
        facts.drawer.rounding,
    )
