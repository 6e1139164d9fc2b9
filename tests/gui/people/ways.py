"""The ways to each act that the table of rights knows, by key and by finger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from PySide6.QtWidgets import QAbstractButton

from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.correction.view import CorrectionScreen
from pos_app.cashier.frame import HOME
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.sale.panels.numbers import LinePricePanel
from pos_app.cashier.screens import REFUND, RefundPlace
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.shift.model import Page
from pos_app.cashier.shift.view import ShiftScreen
from pos_app.domain.operations import Operation
from pos_app.selling.people.acts import Done
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.server.drawer_openings import OpeningOutcome
from tests.gui.inside import inside
from tests.gui.people.crew import Crew, Way
from tests.gui.refund.test_by_hand import FOREIGN
from tests.gui.window.shop import BREAD

BREAD_EAN = "8609910700134"
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
Step = Callable[[Crew], Awaitable[object]]


def keys(*names: str) -> Step:
    async def press(crew: Crew) -> None:
        for name in names:
            if len(name) > 1 and name not in ("20", "300", "200"):
                await crew.real.press(name)
            else:
                await crew.real.type(name)

    return press


async def nothing(_: Crew) -> None:
    """It begins at the sale as it is."""


async def shut(crew: Crew) -> None:
    """The drawer is not asked to open any more: one press at a time."""
    openings = crew.real.services.openings
    await crew.real.until(
        lambda: all(
            one.outcome is not OpeningOutcome.ASKED for one in openings.openings(since=LONG_AGO)
        )
    )


async def bread(crew: Crew, many: int = 2) -> None:
    for _ in range(many):
        await crew.real.scan(BREAD_EAN)


async def begun(crew: Crew) -> None:
    """Two loaves, of which the payment was opened."""
    await bread(crew)
    await keys("F12", "Esc")(crew)


def bar(cap: str, *after: str) -> Step:
    """A finger on the action bar, then keys."""

    async def act(crew: Crew) -> None:
        await crew.real.tap(inside(crew.real.hands.window).work_area.sale.bar.keys[cap])
        await keys(*after)(crew)

    return act


def menu(key: str, *after: str) -> Step:
    """A finger on an item of the menu, where it is offered, then keys."""

    async def act(crew: Crew) -> None:
        await crew.real.press("F9")
        words = crew.words(f"more.{key}_words")
        found = [
            one
            for one in crew.real.hands.window.findChildren(QAbstractButton)
            if one.isVisible() and one.accessibleName().startswith(words)
        ]
        if not found:
            return
        await crew.real.tap(found[0])
        await keys(*after)(crew)

    return act


def in_turn(*steps: Step) -> Step:
    async def act(crew: Crew) -> None:
        for step in steps:
            await step(crew)

    return act


# --- how often it was done -----------------------------------------------------------------------


def lowered(crew: Crew) -> int:
    cart = crew.model.cart.ticket.cart
    return int(cart.total < cart.full)


def priced(crew: Crew) -> int:
    return sum(one.price != one.article.price for one in crew.model.cart.active_lines)


def less(crew: Crew) -> int:
    """Pieces of the two loaves that are gone."""
    return 2 - sum(int(one.quantity.amount) for one in crew.model.cart.active_lines)


def gone(crew: Crew) -> int:
    return len(crew.model.cart.removed_lines)


def dropped(crew: Crew) -> int:
    return int(crew.model.cart.ticket.cart.is_empty)


def opened(crew: Crew) -> int:
    return len(crew.real.services.openings.openings(since=LONG_AGO))


def in_training(crew: Crew) -> int:
    return int(crew.model.cart.ticket.kind is DocumentKind.TRAINING)


def is_in(kind: type) -> Callable[[Crew], int]:
    """Whether a screen is open with nothing in front of it."""

    def count(crew: Crew) -> int:
        top = crew.frame.top
        if not isinstance(top, kind) or crew.frame.cover_name:
            return 0
        if isinstance(top, RefundScreen | CorrectionScreen):
            return int(top.model.can_type)
        assert isinstance(top, SettingsScreen | CatalogueScreen | ReportsScreen)
        return int(top.model.is_open)

    return count


def sees_cash(crew: Crew) -> int:
    top = crew.frame.top
    report = top.model.report if isinstance(top, ShiftScreen) else None
    is_told = report is not None and report.drawer is not None and top.model.page is Page.X
    return int(is_told and not crew.frame.cover_name)


def moved(crew: Crew) -> int:
    shift = crew.real.services.shifts.open_shift()
    return 0 if shift is None else len(crew.real.services.shifts.moves(shift))


def copies(crew: Crew) -> int:
    found = crew.real.core.database.sales.last(50)
    return sum(one.operation is Operation.COPY for one in found)


# --- by finger -----------------------------------------------------------------------------------


async def price_part(crew: Crew) -> None:
    await crew.real.press("F4")
    panel = inside(crew.real.hands.window).work_area.panel
    assert isinstance(panel, LinePricePanel)
    await crew.real.by_hand(crew.real.hands.choose, panel.segment, 2)
    await keys("300", "Enter")(crew)


async def scan_bread(crew: Crew) -> None:
    await crew.real.scan(BREAD_EAN)


async def tap_bread(crew: Crew) -> None:
    await crew.real.by_hand(crew.real.hands.tap_article, BREAD)


def in_row(button: str) -> Step:
    async def act(crew: Crew) -> None:
        await crew.real.by_hand(crew.real.hands.tap_cart, button, 0)

    return act


async def kind_of_training(crew: Crew) -> None:
    top = inside(crew.real.hands.window).top
    number = list(DocumentKind).index(DocumentKind.TRAINING)
    await crew.real.by_hand(crew.real.hands.choose, top.segment, number)


# --- a receipt -----------------------------------------------------------------------------------


async def receipt(crew: Crew) -> None:
    """One that was sold before, open in the list."""
    if crew.sold is None:
        crew.sold = await crew.real.sold(BREAD_EAN)
        await crew.clear()
    receipt = crew.sold.receipt
    assert receipt is not None
    assert receipt.verification_url is not None
    await crew.real.press("F7")
    await crew.real.scan(receipt.verification_url)
    screen = crew.frame.top
    assert isinstance(screen, ReceiptsScreen)
    await crew.real.until(
        lambda: (
            screen.model.opened is not None
            and screen.model.opened.overview.number == receipt.fiscal_number
            and screen.model.can_act
        )
    )


def letter_by_finger(letter: str) -> Step:
    async def act(crew: Crew) -> None:
        screen = crew.frame.top
        assert isinstance(screen, ReceiptsScreen)
        await crew.real.tap(screen.opened.acts.keys[letter])

    return act


async def scanned_at_the_sale(crew: Crew) -> None:
    """Its notice stands there, with what the server told."""
    await receipt(crew)
    await crew.clear()
    assert crew.sold is not None
    assert crew.sold.receipt is not None
    assert crew.sold.receipt.verification_url is not None
    await crew.real.scan(crew.sold.receipt.verification_url)
    button = crew.words("notice.receipt_copy_it")
    await crew.real.until(lambda: crew.real.hands.button(button).isEnabled())


def in_notice(*words: str) -> Step:
    async def act(crew: Crew) -> None:
        for one in words:
            await crew.real.tap_words(crew.words(f"notice.receipt_{one}"))

    return act


async def copied(crew: Crew) -> None:
    """Enter says what it does, the next one does it."""
    screen = crew.frame.top
    assert isinstance(screen, ReceiptsScreen)
    await crew.real.press("Enter")
    await crew.real.until(lambda: not screen.opened.acts.main.rests)
    await crew.real.press("Enter")


async def refund_by_hand(crew: Crew) -> None:
    place = RefundPlace(FOREIGN.number, HOME, FOREIGN)
    await crew.real.by_hand(crew.frame.open, REFUND, place)


async def with_shift(crew: Crew) -> None:
    """A shift is open, and its screen."""
    await crew.real.press("Ctrl+D")
    screen = crew.frame.top
    assert isinstance(screen, ShiftScreen)
    if screen.model.shift is None:
        await crew.real.press("Enter")
    assert screen.model.shift is not None


def shift_key(letter: str) -> Step:
    async def act(crew: Crew) -> None:
        screen = crew.frame.top
        assert isinstance(screen, ShiftScreen)
        await crew.real.tap(screen.page.buttons[letter])

    return act


async def paid_out(crew: Crew) -> None:
    """Unless its page was refused: the same keys mean something else before it."""
    screen = crew.frame.top
    assert isinstance(screen, ShiftScreen)
    if screen.model.page is not Page.MOVE:
        return
    await keys("200", "Enter")(crew)
    await crew.real.type("mleko")
    await crew.real.press("Enter")


PRICE_KEYS = ("F4", "20", "Enter")
REMOVED, LESS = (Done.LINE_REMOVED,), (Done.LINE_LESS,)
WAYS = (
    Way(Act.DISCOUNT, "line, key", bread, keys(*PRICE_KEYS), lowered, (Done.DISCOUNT,)),
    Way(Act.DISCOUNT, "line, finger", bread, bar(*PRICE_KEYS), lowered, (Done.DISCOUNT,)),
    Way(
        Act.DISCOUNT, "whole, key", in_turn(bread, keys("F12")), keys(*PRICE_KEYS), lowered,
        (Done.CART_DISCOUNT,),
    ),
    Way(Act.PRICE, "finger", bread, price_part, priced, (Done.PRICE,)),
    Way(
        Act.REMOVE_WHILE_PAYING, "line, key", begun, keys("Del"),
        gone, REMOVED,
    ),
    Way(Act.REMOVE_WHILE_PAYING, "quantity, key", begun, keys("F3", "1", "Enter"), less, LESS),
    Way(Act.REMOVE_WHILE_PAYING, "minus, finger", begun, in_row("minus"), less, LESS),
    Way(
        Act.REMOVE_WHILE_PAYING, "line, finger", begun, in_row("remove"), gone, REMOVED,
    ),
    Way(Act.REMOVE_WHILE_PAYING, "void, scan", in_turn(begun, menu("off")), scan_bread, less, LESS),
    Way(
        Act.REMOVE_WHILE_PAYING, "void, finger", in_turn(begun, menu("off")), tap_bread, less, LESS
    ),
    Way(
        Act.DROP_CART, "menu, key", bread, menu("drop", "1", "Enter"), dropped,
        (Done.CART_DROPPED,),
    ),
    Way(Act.DRAWER, "key", shut, keys("F10"), opened, (Done.DRAWER,)),
    Way(Act.DRAWER, "menu, finger", shut, menu("drawer"), opened, (Done.DRAWER,)),
    Way(Act.TRAINING, "finger", nothing, kind_of_training, in_training),
    Way(Act.CATALOGUE, "finger", nothing, menu("catalogue"), is_in(CatalogueScreen),
        is_hidden=True),
    Way(Act.REPORTS, "finger", nothing, menu("reports"), is_in(ReportsScreen), is_hidden=True),
    Way(Act.SETTINGS, "finger", nothing, menu("settings"), is_in(SettingsScreen),
        is_hidden=True),
    Way(Act.REFUND, "list, key", receipt, keys("r"), is_in(RefundScreen)),
    Way(Act.REFUND, "list, finger", receipt, letter_by_finger("R"), is_in(RefundScreen)),
    Way(
        Act.REFUND, "scan, finger", scanned_at_the_sale, in_notice("refund_it"),
        is_in(RefundScreen),
    ),
    Way(Act.REFUND, "correction, key", receipt, keys("i"), is_in(CorrectionScreen)),
    Way(Act.REFUND_BY_HAND, "place", nothing, refund_by_hand, is_in(RefundScreen)),
    Way(Act.REPRINT, "copy, key", receipt, copied, copies, (Done.COPY,)),
    Way(
        Act.REPRINT, "copy, finger", scanned_at_the_sale, in_notice("copy_it", "issue_copy"),
        copies, (Done.COPY,),
    ),
    Way(
        Act.CASH_IN_OUT, "key", with_shift, in_turn(keys("i"), paid_out), moved,
        (Done.CASH_OUT,),
    ),
    Way(
        Act.CASH_IN_OUT, "finger", with_shift, in_turn(shift_key("I"), paid_out), moved,
        (Done.CASH_OUT,),
    ),
    Way(
        Act.X_REPORT, "key", with_shift, keys("x"), sees_cash, (Done.X_REPORT,), is_hidden=True,
        rows_without=(Done.X_REPORT,),
    ),
    Way(
        Act.X_REPORT, "finger", with_shift, shift_key("X"), sees_cash, (Done.X_REPORT,),
        is_hidden=True, rows_without=(Done.X_REPORT,),
    ),
)  # fmt: skip
