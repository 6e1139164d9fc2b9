"""The ways to each act of the table of rights, by key and by tap."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import REFUND, RefundPlace
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.server.drawer_openings import OpeningOutcome
from tests.gui.attention.doubts import verification_url
from tests.gui.inside import inside
from tests.gui.parts import in_front, is_in_front, page_in_front, page_shown, visible_parts
from tests.gui.people.crew import FINGER, KEY, Crew, Way
from tests.gui.refund.opened import ID_CARD
from tests.gui.refund.test_closed_by_hand import ADVANCE
from tests.gui.window.real_till import DEAD_SECONDS
from tests.gui.window.shop import BREAD

BREAD_EAN, MILK_EAN = "8609910700134", "8609951100139"
AWAY = ("status", "invoices", "lookup")
"""The requests that an unreachable processor does not answer."""
MANY_STOPS = 60
"""The number of presses of Tab after which the search ends."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
Step = Callable[[Crew], Awaitable[object]]


def keys(*names: str) -> Step:
    async def press(crew: Crew) -> None:
        for name in names:
            if len(name) > 1 and not name.isdigit():
                await crew.real.press(name)
            else:
                await crew.real.type(name)

    return press


async def nothing(_: Crew) -> None:
    """Begin at the sale as it is."""


async def shut(crew: Crew) -> None:
    """Wait until no opening of the drawer is under way: one press at a time."""
    openings = crew.real.services.openings
    await crew.real.until(
        lambda: OpeningOutcome.ASKED not in [x.outcome for x in openings.openings(since=LONG_AGO)]
    )


async def bread(crew: Crew, many: int = 2) -> None:
    for _ in range(many):
        await crew.real.scan(BREAD_EAN)


async def begun(crew: Crew) -> None:
    """Two loaves whose payment was opened."""
    await bread(crew)
    await keys("F12", "Esc")(crew)


def bar(cap: str, *after: str) -> Step:
    """Tap a key of the action bar, then press keys."""

    async def act(crew: Crew) -> None:
        await crew.real.tap(inside(crew.real.hands.window).work_area.sale.bar.buttons[cap])
        await keys(*after)(crew)

    return act


async def reached(crew: Crew, is_it: Callable[[QWidget], bool]) -> None:
    """Press Tab until the widget has the focus."""
    for _ in range(MANY_STOPS):
        focus = QApplication.focusWidget()
        if focus is not None and is_it(focus):
            return
        await crew.real.press("Tab")
    raise AssertionError("Tab does not lead there")


def called(words: str) -> Callable[[QWidget], bool]:
    return lambda one: isinstance(one, QAbstractButton) and one.accessibleName().startswith(words)


def menu(key: str, *after: str, by: str = FINGER) -> Step:
    """Choose an item of the menu, if it is offered, then press keys."""

    async def act(crew: Crew) -> None:
        await crew.real.press("F9")
        is_it = called(crew.words(f"more.{key}_words"))
        every = visible_parts(crew.real.hands.window, QAbstractButton)
        found = [one for one in every if is_it(one)]
        if not found:
            return
        if by == FINGER:
            await crew.real.tap(found[0])
        else:
            await reached(crew, is_it)
            await crew.real.press("Enter")
        await keys(*after)(crew)

    return act


async def dropped_by_finger(crew: Crew) -> None:
    await menu("drop")(crew)
    panel = page_in_front(crew.frame, "ask.drop")
    await crew.real.tap(panel.reasons[0])
    await crew.real.tap(panel.yes)


def in_turn(*steps: Step) -> Step:
    async def act(crew: Crew) -> None:
        for step in steps:
            await step(crew)

    return act


def lowered(crew: Crew) -> int:
    cart = crew.model.cart.ticket.cart
    return int(cart.total < cart.full)


def priced(crew: Crew) -> int:
    return sum(one.price != one.article.price for one in crew.model.cart.active_lines)


def less(crew: Crew) -> int:
    return 2 - sum(int(one.quantity.amount) for one in crew.model.cart.active_lines)


def gone(crew: Crew) -> int:
    return len(crew.model.cart.removed_lines)


def dropped(crew: Crew) -> int:
    return int(crew.model.cart.ticket.cart.is_empty)


def offered(crew: Crew) -> int:
    return int(crew.model.cart.ticket.kind is DocumentKind.PROFORMA)


def opened(crew: Crew) -> int:
    return len(crew.real.services.openings.openings(since=LONG_AGO))


def in_training(crew: Crew) -> int:
    return int(crew.model.cart.ticket.kind is DocumentKind.TRAINING)


def is_in(title: str) -> Callable[[Crew], int]:
    def count(crew: Crew) -> int:
        top = crew.frame.top
        if not is_in_front(crew.frame, title) or crew.frame.cover_name:
            return 0
        can_type = title in ("refund.title", "corr.title")
        return int(top.model.can_type if can_type else top.model.is_open)

    return count


def sees_cash(crew: Crew) -> int:
    top = crew.frame.top
    report = top.model.report if is_in_front(crew.frame, "shift.title") else None
    is_told = report is not None and report.drawer is not None and top.model.page is ShiftPageKind.X
    return int(is_told and not crew.frame.cover_name)


def moved(crew: Crew) -> int:
    shift = crew.real.services.shifts.open_shift()
    return 0 if shift is None else len(crew.real.services.shifts.moves(shift))


def copies(crew: Crew) -> int:
    found = crew.real.core.database.sales.last(50)
    return sum(one.operation is Operation.COPY for one in found)


async def price_part(crew: Crew) -> None:
    await crew.real.press("F4")
    panel = page_in_front(crew.frame, "ask.price_head")
    await crew.real.by_hand(crew.real.hands.choose, panel.segment, 2)
    await keys("300", "Enter")(crew)


async def price_part_by_key(crew: Crew) -> None:
    await crew.real.press("F4")
    panel = page_in_front(crew.frame, "ask.price_head")
    for _ in range(2):
        await reached(crew, lambda one: one is panel.segment)
        await crew.real.press("Right")
    await keys("300", "Enter")(crew)


async def scan_bread(crew: Crew) -> None:
    await crew.real.scan(BREAD_EAN)


async def tap_bread(crew: Crew) -> None:
    await crew.real.by_hand(crew.real.hands.tap_article, BREAD)


def in_row(button: str) -> Step:
    async def act(crew: Crew) -> None:
        await crew.real.by_hand(crew.real.hands.tap_cart, button, 0)

    return act


def tap_kind(kind: DocumentKind) -> Step:
    async def tap(crew: Crew) -> None:
        top = inside(crew.real.hands.window).top
        number = list(DocumentKind).index(kind)
        await crew.real.by_hand(crew.real.hands.choose, top.segment, number)

    return tap


kind_of_training = tap_kind(DocumentKind.TRAINING)


async def kind_of_training_by_key(crew: Crew) -> None:
    segment = inside(crew.real.hands.window).top.segment
    for _ in range(list(DocumentKind).index(DocumentKind.TRAINING)):
        await reached(crew, lambda one: one is segment)
        await crew.real.press("Right")


async def practised(crew: Crew) -> None:
    await rested_after(crew, BREAD_EAN)
    await crew.real.press("Ctrl+Enter")
    await crew.real.ended()


async def rested_after(crew: Crew, code: str) -> None:
    """Scan a code, and wait for the time in which no key pays."""
    await crew.real.scan(code)
    clock = crew.real.services.till.clock
    scanned_at = clock.ticks()
    await crew.real.until(lambda: clock.ticks() > scanned_at + 1000 * DEAD_SECONDS)


async def without_processor(crew: Crew) -> None:
    """A loaf in the cart, and no processor."""
    await with_shift(crew)
    await crew.real.press("Esc")
    crew.real.shop.change(unreachable=AWAY)
    await crew.real.until(lambda: crew.real.services.server.signs_nothing)
    await rested_after(crew, BREAD_EAN)


async def exact_by_finger(crew: Crew) -> None:
    await crew.real.tap(inside(crew.real.hands.window).work_area.sale.bar.exact)


def last_key(crew: Crew) -> str:
    """The key of the sale that was confirmed last."""
    found = crew.real.core.database.sales.last(1)
    return found[0].key if found else ""


def confirmed(crew: Crew) -> int:
    return len(crew.real.core.database.sales.last(200))


def code_of(crew: Crew) -> str:
    return crew.sold.receipt.verification_url or ""


async def receipt(crew: Crew) -> None:
    """Open a receipt that was sold before in the list."""
    if crew.sold is None:
        crew.sold = await crew.real.sold(BREAD_EAN)
        await crew.clear()
    await crew.real.press("F7")
    await crew.real.scan(code_of(crew))
    model = in_front(crew.frame, "receipts.title").model
    await crew.real.until(
        lambda: (
            model.can_act
            and model.opened
            and model.opened.overview.verification_url == code_of(crew)
        )
    )


async def new_receipt(crew: Crew) -> None:
    crew.sold = None
    await receipt(crew)


async def refunded(crew: Crew) -> None:
    screen = in_front(crew.frame, "refund.title")
    before = last_key(crew)
    await crew.real.until(screen.left_side.lines.hasFocus)
    await crew.real.scan(ID_CARD)
    await crew.real.press("Enter")
    await crew.real.until(lambda: last_key(crew) != before)
    await crew.real.ended()


async def corrected(crew: Crew) -> None:
    screen = in_front(crew.frame, "corr.title")
    before = last_key(crew)
    model = screen.model
    await crew.real.until(lambda: model.overview is not None and bool(crew.seller_pib))
    await crew.real.press("Alt+2", "Enter")
    await crew.real.until(lambda: last_key(crew) != before)
    await crew.real.ended()


def letter_by_finger(letter: str) -> Step:
    async def act(crew: Crew) -> None:
        screen = in_front(crew.frame, "receipts.title")
        await crew.real.tap(screen.opened.acts.buttons[letter])

    return act


async def scanned_at_the_sale(crew: Crew) -> None:
    """Scan the receipt at the sale, whose notice shows the server's answer."""
    await receipt(crew)
    await crew.clear()
    await crew.real.scan(code_of(crew))
    button = crew.words("notice.receipt_copy_it")
    await crew.real.until(lambda: crew.real.hands.button(button).isEnabled())


def in_notice(*words: str) -> Step:
    async def act(crew: Crew) -> None:
        for one in words:
            await crew.real.tap_words(crew.words(f"notice.receipt_{one}"))

    return act


async def copied(crew: Crew) -> None:
    """Copy the receipt: Enter shows the act, the next Enter does it."""
    screen = in_front(crew.frame, "receipts.title")
    await crew.real.press("Enter")
    await crew.real.until(lambda: not screen.opened.acts.main.rests)
    await crew.real.press("Enter")


async def mail(crew: Crew) -> None:
    """Prepare a copy for an address."""
    await receipt(crew)
    screen = in_front(crew.frame, "receipts.title")
    await crew.real.type("e")
    await crew.real.type("kupac@primer.rs")
    await crew.real.until(lambda: not screen.opened.acts.main.rests)


async def main_by_finger(crew: Crew) -> None:
    screen = in_front(crew.frame, "receipts.title")
    await crew.real.tap(screen.opened.acts.main)


async def exchanged(crew: Crew) -> None:
    await receipt(crew)
    await crew.real.type("r")
    screen = in_front(crew.frame, "refund.title")
    await crew.real.until(lambda: not screen.model.is_asking and screen.left_side.lines.hasFocus())
    await crew.real.scan(ID_CARD)
    await crew.real.type("x")
    assert crew.frame.is_home
    await crew.real.scan(MILK_EAN)


async def foreign(crew: Crew) -> None:
    await with_shift(crew)  # else the refund opens a shift, which has a row of its own
    await crew.real.press("Esc", "F7")
    assert is_in_front(crew.frame, "receipts.title")
    await crew.real.scan(verification_url(counter=crew.foreign_number()))
    await page_shown(crew.frame, "receipts.foreign.title")


async def foreign_by_finger(crew: Crew) -> None:
    await crew.real.tap(page_in_front(crew.frame, "receipts.foreign.title").refund)


async def refunded_by_hand(crew: Crew) -> None:
    screen = in_front(crew.frame, "refund.title")
    before = last_key(crew)
    await crew.real.until(lambda: screen.hand_page.is_typing)
    await crew.real.type("1")
    await crew.real.scan(ID_CARD)
    await crew.real.press("F12", "Enter")
    await crew.real.until(lambda: last_key(crew) != before)
    await crew.real.ended()


async def closed_without_goods(crew: Crew) -> None:
    """An advance of another system was closed, and nobody sold its goods: Attention shows it."""
    real = crew.real
    number = f"XYZA1234-XYZA1234-{crew.foreign_number()}"
    place = RefundPlace(number, HOME, replace(ADVANCE, number=number), closes=True)
    await real.by_hand(crew.frame.open, REFUND, place)
    screen = in_front(crew.frame, "refund.title")
    await real.until(lambda: screen.hand_page.is_typing)
    before = last_key(crew)
    await real.type("6")
    if screen.model.way.method is None:
        await real.press("Alt+1")
    await real.press("Enter")
    assert last_key(crew) != before
    await real.until(lambda: bool(crew.model.cart.ticket.paid_before))
    closed = real.last().key
    await real.by_hand(crew.model.cart.void, "проба")
    await real.by_hand(crew.frame.open_waiting)
    attention = in_front(crew.frame, "att.title")
    await real.until(lambda: bool(attention.model.id_of(closed)))
    await real.by_hand(attention.choose, closed)


def decided(*words: str, by: str) -> Step:
    async def act(crew: Crew) -> None:
        for one in words:
            if by == FINGER:
                await crew.real.tap_words(crew.words(one))
            else:
                await reached(crew, called(crew.words(one)))
                await crew.real.press("Space")

    return act


def settled(crew: Crew) -> int:
    return -len(crew.real.core.database.sales.closed_without_goods())


async def refund_receipt(crew: Crew) -> None:
    """Open a refund that should not have been in the list."""
    await new_receipt(crew)
    await crew.real.type("r")
    await crew.real.until(lambda: is_in_front(crew.frame, "refund.title"))
    await refunded(crew)
    crew.sold = crew.real.last()
    await crew.clear()
    await receipt(crew)
    crew.sold = None
    await crew.real.until(lambda: bool(crew.seller_pib))


async def undone(crew: Crew) -> None:
    """Undo the refund: R shows the act, Enter does it."""
    screen = in_front(crew.frame, "receipts.title")
    await crew.real.type("r")
    if screen.model.doing is not None:
        await crew.real.until(lambda: not screen.opened.acts.main.rests)
        await crew.real.press("Enter")


async def undone_by_finger(crew: Crew) -> None:
    screen = in_front(crew.frame, "receipts.title")
    await crew.real.tap(screen.opened.acts.buttons["R"])
    if screen.model.doing is not None:
        await crew.real.until(lambda: not screen.opened.acts.main.rests)
        await crew.real.tap(screen.opened.acts.main)


async def with_shift(crew: Crew) -> None:
    await crew.real.press("Ctrl+D")
    screen = in_front(crew.frame, "shift.title")
    if screen.model.shift is None:
        await crew.real.press("Enter")
    if screen.model.done is not None:
        await crew.real.press("Enter", "Ctrl+D")
        screen = in_front(crew.frame, "shift.title")
    assert screen.model.shift is not None


def shift_key(letter: str) -> Step:
    async def act(crew: Crew) -> None:
        screen = in_front(crew.frame, "shift.title")
        await crew.real.tap(screen.page.buttons[letter])

    return act


async def counted(crew: Crew) -> None:
    """Count the drawer and give the reason of the difference: F12 closes."""
    await with_shift(crew)
    screen = in_front(crew.frame, "shift.title")
    if screen.model.page is not ShiftPageKind.DIFFERENCE:
        await crew.real.press("Enter", "Enter")
        await crew.real.type("0")
        await crew.real.press("F12")
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    await crew.real.until(lambda: not screen.model.asks_server)
    page = page_in_front(crew.frame, "shift.step.difference")
    if "cash" in page.reasons:
        await crew.real.tap(page.reasons["cash"].chips["coins"])
    await crew.real.until(lambda: not screen.model.asks_server and not page.big.rests)


async def close_by_finger(crew: Crew) -> None:
    screen = in_front(crew.frame, "shift.title")
    await crew.real.tap(screen.page.big)


def closed(crew: Crew) -> int:
    last = crew.real.services.shifts.last_closed()
    return 0 if last is None else last.id


async def paid_out(crew: Crew) -> None:
    """Pay out, unless the page was refused: the same keys mean something else without it."""
    screen = in_front(crew.frame, "shift.title")
    if screen.model.page is not ShiftPageKind.MOVE:
        return
    await keys("200", "Enter")(crew)
    if not screen.model.move_reason:  # it stays when the question was left
        await crew.real.type("m12")
        await crew.real.press("Enter")
    if screen.model.drawer_holds is not None:  # it is asked about, beside the safe answer
        await crew.real.press("Tab", "Enter")


def both(
    act: Act,
    name: str,
    begin: Step,
    by_key: Step,
    by_finger: Step,
    count: Callable[[Crew], int],
    *rows: NotedAct,
    **more: Any,
) -> tuple[Way, Way]:
    """The way by a key and the one by a finger."""
    key, finger = (f"{name}, {by}" if name else by for by in (KEY, FINGER))
    return (
        Way(act, key, begin, by_key, count, rows, **more),
        Way(act, finger, begin, by_finger, count, rows, **more),
    )


PRICE_BY_KEY, PRICE_BY_BAR = keys("F4", "20", "Enter"), bar("F4", "20", "Enter")
DROP = menu("drop", "1", "Enter", by=KEY)
PAYING, LESS = Act.REMOVE_WHILE_PAYING, (NotedAct.LINE_LESS,)
LOWERS, DECIDES, CLOSES = NotedAct.DISCOUNT, NotedAct.DECISION, NotedAct.SHIFT_CLOSED
TRAINS = {"rows_lifted": (NotedAct.TRAINING,), "then": practised}
SETTLED = decided("att.goods.settled", "att.goods.yes", by=KEY)
PAID_OUT = decided("att.goods.paid_out", "att.credit.yes", by=FINGER)
COPIED_THERE = in_notice("copy_it", "issue_copy")
REFUNDS = is_in("refund.title")
WAYS = (
    *both(Act.DISCOUNT, "line", bread, PRICE_BY_KEY, PRICE_BY_BAR, lowered, LOWERS),
    Way(
        Act.DISCOUNT, "whole, key", in_turn(bread, keys("F12")), PRICE_BY_KEY, lowered,
        (NotedAct.CART_DISCOUNT,),
    ),
    *both(Act.DISCOUNT, "exchange", exchanged, PRICE_BY_KEY, PRICE_BY_BAR, lowered, LOWERS),
    *both(Act.PRICE, "", bread, price_part_by_key, price_part, priced, NotedAct.PRICE),
    *both(PAYING, "line", begun, keys("Del"), in_row("remove"), gone, NotedAct.LINE_REMOVED),
    Way(PAYING, "quantity, key", begun, keys("F3", "1", "Enter"), less, LESS),
    Way(PAYING, "minus, finger", begun, in_row("minus"), less, LESS),
    Way(PAYING, "void, scan", in_turn(begun, menu("off")), scan_bread, less, LESS),
    Way(PAYING, "void, finger", in_turn(begun, menu("off")), tap_bread, less, LESS),
    *both(PAYING, "drop", begun, DROP, dropped_by_finger, dropped, NotedAct.CART_DROPPED),
    *both(PAYING, "proforma", begun, keys("Ctrl+3"), tap_kind(DocumentKind.PROFORMA), offered),
    *both(Act.DROP_CART, "menu", bread, DROP, dropped_by_finger, dropped, NotedAct.CART_DROPPED),
    *both(Act.DRAWER, "", shut, keys("F10"), menu("drawer"), opened, NotedAct.DRAWER),
    *both(
        Act.TRAINING, "", nothing, kind_of_training_by_key, kind_of_training, in_training,
        NotedAct.TRAINING, **TRAINS,
    ),
    *both(
        Act.QUEUE, "", without_processor, keys("Ctrl+Enter"), exact_by_finger, confirmed,
        NotedAct.QUEUED, told="error.not_allowed.hold",
    ),
    *(
        Way(act, by, nothing, menu(item, by=by), is_in(title), is_hidden=True)
        for act, item, title in (
            (Act.CATALOGUE, "catalogue", "cat.title"),
            (Act.REPORTS, "reports", "rep.title"),
            (Act.SETTINGS, "settings", "set.title"),
        )
        for by in (KEY, FINGER)
    ),
    *both(
        Act.REFUND, "list", new_receipt, keys("r"), letter_by_finger("R"), REFUNDS, NotedAct.REFUND,
        then=refunded,
    ),
    Way(Act.REFUND, "scan, finger", scanned_at_the_sale, in_notice("refund_it"), REFUNDS),
    Way(
        Act.REFUND, "correction, key", new_receipt, keys("i"), is_in("corr.title"),
        (NotedAct.REFUND,), then=corrected,
    ),
    *both(
        Act.REFUND_BY_HAND, "list", foreign, keys("r"), foreign_by_finger, REFUNDS, NotedAct.REFUND,
        then=refunded_by_hand,
    ),
    Way(Act.REPRINT, "copy, key", receipt, copied, copies, (NotedAct.COPY,)),
    Way(Act.REPRINT, "copy, finger", scanned_at_the_sale, COPIED_THERE, copies, (NotedAct.COPY,)),
    *both(Act.REPRINT, "mail", mail, keys("Enter"), main_by_finger, copies, NotedAct.COPY),
    Way(Act.DECIDE, "settled, key", closed_without_goods, SETTLED, settled, (DECIDES,)),
    Way(Act.DECIDE, "paid out, finger", closed_without_goods, PAID_OUT, settled, (DECIDES,)),
    *both(Act.DECIDE, "undo", refund_receipt, undone, undone_by_finger, confirmed, DECIDES),
    *both(
        Act.CASH_IN_OUT, "", with_shift, in_turn(keys("i"), paid_out),
        in_turn(shift_key("I"), paid_out), moved, NotedAct.CASH_OUT,
    ),
    *both(Act.X_REPORT, "", with_shift, keys("x"), shift_key("X"), sees_cash, NotedAct.X_REPORT),
    *both(Act.CLOSE_SHIFT, "", counted, keys("F12"), close_by_finger, closed, CLOSES),
)  # fmt: skip
