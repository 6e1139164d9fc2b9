"""A shift pressed in a real window: opened, sold in, counted and closed."""

from __future__ import annotations

from uuid import uuid4

from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.report_page import PDF_KEY
from pos_app.cashier.shift.view import ShiftScreen
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.shift_report import ShiftReport, Sum
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.sale.sale import Sale
from tests.fakes.receipt_files import NotingViewer
from tests.gui.parts import in_front, lines_of, page_in_front
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"


def screen_of(real: RealTill) -> ShiftScreen:
    screen: ShiftScreen = in_front(real.hands.window.frame, "shift.title")
    return screen


async def rested(real: RealTill) -> None:
    """Wait until the large button takes keys and the server has answered."""
    screen = screen_of(real)
    page = screen.page
    assert page is not None
    await real.until(lambda: not page.big.rests and not screen.model.asks_server)


async def opened(real: RealTill, amount: str) -> ShiftScreen:
    """Press Ctrl+D, type the float, press Enter."""
    await real.press("Ctrl+D")
    screen = screen_of(real)
    await real.type(amount)
    await real.press("Enter")
    assert screen.model.shift is not None
    return screen


async def the_paper_of_cash_is_opened_as_pdf(real: RealTill) -> None:
    """A paper to sign exists also where nothing prints. That no program opens it is told once."""
    viewer = real.hands.window.frame.viewer
    assert isinstance(viewer, NotingViewer)
    screen = await opened(real, "1000")
    await real.type("s")
    await real.type("500")
    await real.press("Enter")
    await real.until(lambda: len(viewer.files) == 1)
    assert viewer.files[0].read_bytes().startswith(b"%PDF")
    viewer.opens = False
    await real.type("x")
    await rested(real)
    await real.type(PDF_KEY)
    await real.until(lambda: "ниједан програм" in " ".join(lines_of(screen)))
    assert screen.model.printed == ""


def has_code_of_bread(real: RealTill) -> None:
    """Add an article whose EAN is the code of the bread."""
    (bread,) = real.core.catalogue.by_code(ArticleCode(BREAD))
    create_for_code(
        real.services.editor,
        product_id=str(uuid4()),
        name="Друго",
        label=TaxLabel.DJ,
        price=Money(5),
        code=str(bread.article.sku),
        by="Мира",
        at=real.services.till.clock.now(),
    )


async def test_a_shift_is_closed_and_its_amounts_lead_to_their_receipts(real: RealTill) -> None:
    """1,000 in the drawer, bread for cash; the drawer is counted, and 59 are missing. The tax of
    the Z is that of its receipts, and the category is that of the bread, though another article has
    the bread's code as its EAN."""
    async with real.at_work():
        has_code_of_bread(real)
        screen = await opened(real, "1000")
        shift = screen.model.shift
        assert shift is not None
        await real.press("Esc")
        sale = await real.sold(BREAD)
        await real.press("Ctrl+D", "Enter", "Enter", "Enter")  # no 5.000, no 2.000
        await real.type("1")
        await real.press("F12")
        await rested(real)
        page = page_in_front(real.hands.window.frame, "shift.step.difference")
        await real.tap(page.reasons["cash"].chips["coins"])
        await real.press("Enter", "Enter")  # to what stays, and the close
        assert screen_of(real).model.page is ShiftPageKind.DONE
        z = real.core.database.shifts.z_of(shift.id)
        assert z.server is not None
        assert Money.total(one.total for one in z.server.labels) == z.takings.turnover == sale.total
        assert z.server.categories == (Sum("Пекара", sale.total),)
        await read_again(real, z, sale)
        await the_paper_of_cash_is_opened_as_pdf(real)


async def read_again(real: RealTill, z: ShiftReport, sale: Sale) -> None:
    """Open the shift from the list: its Z, and an amount that leads to its receipt."""
    await real.press("Enter", "Ctrl+D", "Alt+2", "Enter")
    screen = screen_of(real)
    model = screen.model
    assert (model.page, model.report) == (ShiftPageKind.PAST, z)
    await real.press("Alt+0", "Down")
    taken = sale.money_taken.tendered.cash
    assert Money.total(one.amount for one in model.rows) == Money(1000) + taken
    assert sale.receipt is not None
    assert model.rows[1].what == sale.receipt.fiscal_number
    await real.type("r")
    receipts = in_front(real.hands.window.frame, "receipts.title")
    await real.until(lambda: receipts.model.opened is not None)
    assert receipts.model.opened is not None
    assert receipts.model.opened.overview.number == sale.receipt.fiscal_number
    await real.press("Ctrl+D")
    assert (
        screen_of(real).model.page is ShiftPageKind.HOME
    )  # nothing stays behind after the screen was left
    await real.press("Esc")
