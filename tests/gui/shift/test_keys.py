"""The keys of the shift in a real window over a server in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from pos_app.cashier.shift.count_page import CountPage
from pos_app.cashier.shift.difference_page import DifferencePage
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.parts import HourPlot
from pos_app.cashier.shift.rows import ShiftRowWords
from pos_app.cashier.shift.view import ShiftScreen
from pos_app.cashier.shift.words import drawer_lines
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.cashier.ui.views import ROW
from pos_app.documents.blocks import Document, Lines
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt import shift_report
from pos_app.errors import RemoteError
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs, Shift
from pos_app.settings.shapes import PrinterSettings
from tests.gui.parts import in_front, is_page_in_front, lines_of, page_in_front, visible_parts
from tests.gui.shift.screens import TOLD
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop

WIRED = PrinterSettings(kind="network", address="printer.local", drawer="pin2")


class Papers:
    """The port ServerReceiptPrinter, which keeps the papers."""

    def __init__(self) -> None:
        self.printed: list[tuple[Document, bool]] = []
        self.opened = 0
        self.fault: RemoteError | None = None

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> None:
        if self.fault is not None:
            raise self.fault
        self.printed.append((paper, on_a4))

    async def open_drawer(self, *, key: str, by: str) -> None:
        self.opened += 1


@pytest.fixture
def papers(shop: Shop) -> Papers:
    return printing(shop)


def printing(shop: Shop) -> Papers:
    """Give the shop a printer."""
    made = Papers()
    settings = shop.services.settings.having(printer=WIRED)
    shop.services = replace(shop.services, receipt_printer=made, started_with=settings)
    return made


@pytest.fixture
def till(shop: Shop, papers: Papers, sell_in: Callable[[Shop], Hands]) -> Hands:
    return sell_in(shop)


def screen_of(hands: Hands) -> ShiftScreen:
    screen: ShiftScreen = in_front(hands.window.frame, "shift.title")
    return screen


def begun(hands: Hands, amount: int = 1000) -> Shift:
    shop = hands.shop
    return shop.database.shifts.begin(
        Money(amount), FloatIs.COUNTED, by="Милош Илић", at=shop.clock.now()
    )


async def sold(hands: Hands) -> Money:
    """Sell bread for cash; returns its total."""
    hands.scan("8609910700134")
    hands.shop.pause()
    hands.pad("+")
    await seen()
    return hands.shop.database.sales.last(1)[0].money_taken.tendered.cash


def counting(hands: Hands) -> ShiftScreen:
    """Begin a count; the check passes by itself where nothing is open."""
    for key in ("Ctrl+D", "Enter"):
        hands.press(key)
    if screen_of(hands).model.open_things():
        hands.press("Enter")
    assert screen_of(hands).model.page is ShiftPageKind.COUNT
    return screen_of(hands)


def said(paper: Document) -> str:
    return "\n".join(
        line for block in paper.blocks if isinstance(block, Lines) for line in block.text
    )


async def ended(hands: Hands) -> None:
    await seen()
    await hands.window.tasks.close()


async def test_a_star_puts_bundles_beside_and_slips_cheques_and_vouchers_follow_the_coins(
    till: Hands,
) -> None:
    """`2*` puts two of them beside, and the caret stays for the pieces."""
    begun(till, 0)
    screen = counting(till)
    till.type("2*")
    till.type("3")
    till.press("Enter")
    assert screen.model.count.cash == Money(5000 * 203)
    till.press("Up")
    till.press("Backspace")
    assert screen.model.count.cash == Money(5000 * 200)
    for _ in range(14):
        till.press("Enter")
    a_wrong_figure_makes_no_sum(till)
    for amount in ("100", "20", "3"):
        till.type(amount)
        till.press("Enter")
    assert screen.model.page is ShiftPageKind.DIFFERENCE  # after the last one Enter confirms
    assert [(one.method, str(one.counted)) for one in screen.model.drawer_differences.rows] == [
        ("cash", "1000000.00"),
        ("card", "100.00"),
        ("check", "20.00"),
        ("voucher", "3.00"),
    ]
    await ended(till)


def a_wrong_figure_makes_no_sum(till: Hands) -> None:
    """Type it for the notes of 1.000, and rub it out."""
    page: CountPage = page_in_front(till.window.frame, "shift.count")
    before = page.total.text()
    assert page.big.kind is ButtonKind.FILLED
    field = page.fields["pieces.note.1000"].edit
    caret = page.focusWidget()
    till.tap(field)
    till.type("1,5")
    assert (page.big.accessibleName(), page.big.kind) == ("Исправите број", ButtonKind.PLAIN)
    assert page.total.text() == "–"
    till.tap(page.fields["pieces.note.500"].edit)
    till.press("F12")
    assert field.hasFocus()
    for _ in range(3):
        till.press("Backspace")
    assert (page.total.text(), page.big.kind) == (before, ButtonKind.FILLED)
    assert caret is not None
    till.tap(caret)


async def rested(hands: Hands) -> None:
    screen = screen_of(hands)
    while screen.page is None or screen.page.big.rests or screen.model.asks_server:
        await seen()


def difference(hands: Hands) -> DifferencePage:
    page: DifferencePage = page_in_front(hands.window.frame, "shift.step.difference")
    return page


async def test_what_moves_after_the_count_is_told_and_no_shortage_or_surplus(till: Hands) -> None:
    """The count stands, and a sale and a move of cash follow before the close."""
    shifts = till.shop.database.shifts
    begun(till, 1000)
    counting(till)
    till.press("Enter", "Enter", "#1", "F12")
    assert screen_of(till).model.drawer_differences.rows[0].amount == Money.ZERO
    till.press("Esc")
    cash = await sold(till)
    now = till.shop.clock.now()
    shifts.move(MoveKind.OUT, Money(20), reason="млеко", by="Мира", at=now)
    till.press("Ctrl+D")
    assert f"2 промене: Готовина +{amount_text(cash - Money(20))}" in " ".join(
        lines_of(screen_of(till))
    )
    await rested(till)
    till.press("#1", "F12")
    assert shifts.open_shift() is not None, "a close is refused once"
    assert "После бројања је новац" in difference(till).trouble.text()
    till.tap_words("Рачунај и то")
    assert screen_of(till).model.drawer_differences.rows[0].amount == Money.ZERO
    assert not till.buttons("Рачунај и то")
    await rested(till)
    till.press("F12")
    last = shifts.last_closed()
    assert last is not None
    assert last.taken == cash - Money(20)
    await ended(till)


PARA = "Готовина се уписује у целим динарима, без децимала"


async def test_cash_is_in_whole_dinars(till: Hands) -> None:
    """There are no coins of para, so no count would ever agree with such a sum."""
    shifts = till.shop.database.shifts
    till.press("Ctrl+D", "#1000,50", "Enter")
    page = page_in_front(till.window.frame, "shift.title")
    assert (page.float.error(), shifts.open_shift()) == (PARA, None)
    till.press("#1000", "Enter")
    shift = shifts.open_shift()
    assert shift is not None
    assert shift.cash_float == Money(1000)
    for key, kind in (("s", "drop"), ("u", "in"), ("i", "out"), ("c", "change")):
        till.type(key)
        till.press("#500,50", "Enter")
        page = page_in_front(till.window.frame, f"shift.move.{kind}")
        assert (page.amount.error(), shifts.moves(shift)) == (PARA, [])
        assert page.amount.edit.hasFocus()
        till.press("Esc")
    till.press("Esc")
    counting(till)
    till.press("#1", *("Enter",) * 14, "#0,50", "F12")  # a slip has para
    await rested(till)
    page = difference(till)
    assert page.model.drawer_differences.rows[-1].counted == Money("0.50")
    for method in ("cash", "card"):
        till.tap(page.reasons[method].chips["unknown"])
    till.press("Enter", "#100,50", "Enter")
    assert (page.stays.error(), shifts.open_shift()) == (PARA, shift)
    till.press(*("Backspace",) * 3, "Enter")
    last = shifts.last_closed()
    assert last is not None
    assert last.stays == Money(100)
    await ended(till)


async def test_para_that_an_earlier_version_took_are_told_and_closed(till: Hands) -> None:
    shop = till.shop
    shifts, now = shop.database.shifts, shop.clock.now()
    shifts.begin(Money("500.50"), FloatIs.TYPED, by="Мира", at=now)
    shifts.move(MoveKind.IN, Money("500.50"), reason="Мира", by="Мира", at=now)
    till.press("Ctrl+D")
    till.type("x")
    assert ("Унето", "500,50") in list(pairwise(lines_of(screen_of(till))))
    till.press("Esc", "Esc")
    counting(till)
    till.press(*("Enter",) * 2, "#1", "F12")
    await rested(till)
    assert difference(till).stays.text() == "500,00"
    till.press("#1", "Enter", "Enter")
    last = shifts.last_closed()
    assert last is not None
    assert (last.stays, last.taken) == (Money(500), Money(500))
    await ended(till)


async def test_closed_advances_are_no_part_of_the_categories(till: Hands) -> None:
    """They are a section of their own below the last sum, as on the paper, and goods without a
    category have the same name on both."""
    begun(till)
    till.press("Ctrl+D")
    till.type("x")
    screen, none = screen_of(till), shift_report.Sum("", Money(50))
    await rested(till)
    screen.model.server = replace(TOLD, categories=(*TOLD.categories, none))
    screen.model.make_report()
    screen.room.changed.emit()
    await seen()
    words = lines_of(screen)
    last, beside = words.index("Потписано касније, из ранијих смена"), words.index("Посебно")
    assert words.index("По категорији") < words.index("Без категорије") < last < beside
    assert words[beside + 1 :].index("Затворени аванси, рефундирано, 1") == 0
    assert "Веб-продаја, други програм, посебно" in words[beside:]
    paper = screen.model.paper()
    assert paper is not None
    assert "Без категорије" in said(paper)
    await ended(till)


async def test_a_difference_wants_a_reason_of_its_own(till: Hands) -> None:
    """What was typed for it is there again after the way back, and belongs to this count alone."""
    begun(till, 1000)
    screen = counting(till)
    till.press("Enter")
    till.type("1")
    till.press("F12")
    page, field = difference(till), difference(till).reasons["cash"].field
    assert (page.big.accessibleName(), page.big.kind) == ("Упишите разлог", ButtonKind.PLAIN)
    await rested(till)
    till.press("Enter")
    assert page.trouble.text() == "Једна разлика још нема разлог. Изаберите разлог, или га упишите."
    assert field.edit.hasFocus()
    for nothing in ("x", " .", "-"):
        till.type(nothing)
        till.press("Enter")
        assert screen.model.page is ShiftPageKind.DIFFERENCE, nothing
        assert field.error() == "Разлог има бар 3 слова или цифре, и не само цифре"
        assert page.trouble.text() == "", "another refusal stands at its field"
    field.edit.clear()
    till.type("pogresan kusur")
    assert field.error() == ""
    till.tap(page.stays.edit)
    till.type("5000")
    assert (page.stays.error(), page.taken.text()) == ("", "–")
    till.press("Enter")
    assert "Не може остати више" in page.stays.error()
    till.press("Backspace")
    await it_is_there_again_after_the_way_back(till)
    till.tap(difference(till).again)
    till.press("Enter")
    till.type("2")
    till.press("F12")
    page, screen = difference(till), screen_of(till)
    assert page.reasons["cash"].field.text() == "", "another count"
    await rested(till)
    till.press("Enter")
    assert "нема разлог" in page.trouble.text()
    till.tap(page.reasons["cash"].field.edit)
    till.type("visak")
    assert (page.big.accessibleName(), page.big.kind) == ("Закључи смену", ButtonKind.FILLED)
    await rested(till)
    till.press("Enter")
    assert screen.model.page is ShiftPageKind.DONE
    assert "нема разлог" not in " ".join(lines_of(screen))
    z = till.shop.database.shifts.z_of(1)
    assert z.drawer is not None
    assert z.drawer.differences[0].reason == "visak"
    till.press("Enter")
    assert till.window.frame.is_home
    assert till.notice() == ""
    await ended(till)


async def it_is_there_again_after_the_way_back(till: Hands) -> None:
    """From the check, and from a count that was begun anew; in another language too."""
    model = screen_of(till).model
    for begins_anew in (False, True):
        till.type("v")
        if begins_anew:
            till.press("Enter")
            till.type("v")
        assert model.page is ShiftPageKind.CHECK
        till.type("n")
        assert model.page is ShiftPageKind.DIFFERENCE
        page = difference(till)
        assert (page.reasons["cash"].field.text(), page.stays.text()) == ("pogresan kusur", "500")
        await rested(till)
    till.window.frame.set_language("en")
    assert difference(till).reasons["cash"].field.text() == "pogresan kusur"
    till.window.frame.set_language("sr-Cyrl")


async def test_more_than_the_drawer_holds_is_taken_out_after_a_question(
    till: Hands, papers: Papers
) -> None:
    """Both sums are named, the safe answer has the focus, and another amount ends the question."""
    shift = begun(till, 1000)
    till.press("Ctrl+D")
    till.type("s")
    till.type("1001")
    till.press("Enter")
    page = page_in_front(till.window.frame, "shift.move.drop")
    (asked,) = visible_parts(page, NoticePanel)
    assert "Износите 1.001,00, а по обрачуну касе у фиоци је 1.000,00." in asked.accessibleName()
    no, yes = visible_parts(asked, Button)
    assert no.hasFocus()
    assert no.geometry().right() < yes.geometry().left()
    till.press("Enter")
    assert not visible_parts(page, NoticePanel)
    assert page.amount.edit.hasFocus()
    till.press("Enter")
    till.tap(visible_parts(page, Button)[1])
    (moved,) = till.shop.database.shifts.moves(shift)
    assert moved.amount == Money(1001)
    await ended(till)


async def test_a_float_whose_count_was_put_off_is_not_opened_with_what_was_left(
    till: Hands,
) -> None:
    till.press("Ctrl+D")
    till.press("Alt+1")
    till.type("2")
    screen = screen_of(till)
    assert isinstance(screen.page, CountPage)
    till.tap(screen.page.to_sale)
    assert till.window.frame.is_home
    till.press("Ctrl+D")
    assert screen_of(till).model.page is ShiftPageKind.FLOAT
    till.press("F12")
    opened = till.shop.database.shifts.open_shift()
    assert opened is not None
    assert (opened.cash_float, opened.float_is) == (Money(10000), FloatIs.COUNTED)
    await ended(till)


async def closed(hands: Hands, pieces: str, *, reason: str = "", stays: str = "") -> None:
    """Count that many notes of 1,000, and close the shift."""
    screen = counting(hands)
    for _ in range(2):
        hands.press("Enter")
    hands.type(pieces)
    hands.press("F12")
    await seen()
    await rested(hands)
    if reason:
        hands.tap(difference(hands).reasons["cash"].field.edit)
        hands.type(reason)
    hands.type(stays)
    hands.press("F12")
    assert screen.model.page is ShiftPageKind.DONE
    await seen()


async def test_shifts_of_a_day_are_closed_and_read_again(till: Hands, papers: Papers) -> None:
    """The count of the first one agrees, and somebody else closes it."""
    first = begun(till, 1000)
    await closed(till, "1", stays="500")
    last = till.shop.database.shifts.last_closed()
    assert last is not None
    assert (last.id, last.opened_by, last.closed_by) == (first.id, "Милош Илић", "Касир 3")
    assert (last.stays, last.taken) == (Money(500), Money(500))
    ((paper, on_a4),) = papers.printed
    assert not on_a4
    assert f"Износи се{amount_text(last.taken).rjust(31)}" in said(paper)
    till.press("Enter")
    assert till.window.frame.is_home
    await a_float_is_counted(till)
    missing = await sold(till)
    await closed(till, "10", reason="kusur")
    printed = said(papers.printed[-1][0])
    till.press("Enter")
    await a_closed_shift_is_read_amount_by_amount(till, missing)
    till.type("p")
    await seen()
    assert said(papers.printed[-1][0]) == printed, "the same Z as before"
    await they_are_read_by_finger(till)
    await ended(till)


async def a_float_is_counted(till: Hands) -> None:
    till.press("Ctrl+D")
    till.press("Alt+1")
    assert screen_of(till).model.page is ShiftPageKind.FLOAT
    till.type("2")
    till.press("F12")
    opened = till.shop.database.shifts.open_shift()
    assert opened is not None
    assert (opened.id, opened.cash_float, opened.float_is) == (2, Money(10000), FloatIs.COUNTED)
    till.press("Esc")


async def a_closed_shift_is_read_amount_by_amount(till: Hands, missing: Money) -> None:
    till.press("Ctrl+D")
    till.press("Alt+2")  # a field is typed in
    model = screen_of(till).model
    assert [one.id for one in model.closed] == [2, 1]
    row = page_in_front(till.window.frame, "shift.closed").list.view.model().index(0, 0).data(ROW)
    assert isinstance(row, ShiftRowWords)
    assert row.upper.startswith("Z 2 · 20.11.2026. 10:30 – ")
    assert "Касир 3" in row.lower
    assert (row.amount, row.beside) == (amount_text(-missing), "Готовина")
    till.press("Enter")
    assert model.page is ShiftPageKind.PAST
    z = till.shop.database.shifts.z_of(2)
    assert model.report == z
    assert "Разлика, Готовина" in [one.label for one in drawer_lines(z, till.window.texts)]
    till.press("Alt+0")
    assert z.drawer is not None
    assert Money.total(one.amount for one in model.rows) == z.drawer.expected
    till.press("Down")
    till.type("r")  # the server of this shop signs nothing: there is no receipt
    assert model.page is ShiftPageKind.PAST


async def they_are_read_by_finger(till: Hands) -> None:
    """The first press shows a shift, the next one opens it."""
    till.press("Esc")
    view = page_in_front(till.window.frame, "shift.closed").list.view
    rows = [view.visualRect(view.model().index(number, 0)).center() for number in range(2)]
    till.tap(view.viewport(), rows[0])  # it was shown already
    assert is_page_in_front(till.window.frame, "shift.z", n=2)
    till.press("Esc")
    view = page_in_front(till.window.frame, "shift.closed").list.view
    for _ in range(2):
        till.tap(view.viewport(), rows[1])
    past = page_in_front(till.window.frame, "shift.z", n=1)
    till.tap(past.rows)
    assert past.drawer.rows.isVisible()
    for title in ("shift.closed", "shift.title"):
        till.press("Esc")
        assert is_page_in_front(till.window.frame, title)


@pytest.fixture
def plain(shop_data: Path) -> Iterator[Shop]:
    made = Shop(shop_data, has_shifts=False)
    yield made
    made.close()


async def test_a_till_without_shifts_has_the_zs_of_today_and_of_yesterday(
    plain: Shop, sell_in: Callable[[Shop], Hands]
) -> None:
    papers, hands = printing(plain), sell_in(plain)
    await sold(hands)
    total = plain.database.sales.last(1)[0].total

    async def is_read(key: str, day: str, unsigned: Money) -> None:
        hands.type(key) if len(key) == 1 else hands.press(key)
        assert is_page_in_front(hands.window.frame, "shift.day_of", day=day)
        report = screen_of(hands).model.report
        assert report is not None
        assert (report.takings.unsigned.amount, report.drawer) == (unsigned, None)
        assert not screen_of(hands).findChildren(HourPlot), "a single bar compares nothing"
        await seen()
        hands.type("p")
        await seen()
        paper, _ = papers.printed[-1]
        assert paper.title == "Z ИЗВЕШТАЈ"
        assert f"Дан:                         {day}" in said(paper)
        hands.press("Esc")

    hands.press("Ctrl+D")
    await is_read("Enter", "20.11.2026.", total)
    hands.press("Esc")
    plain.clock.go_on(14 * 3_600_000)  # half past midnight
    hands.press("Ctrl+D")
    await is_read("j", "20.11.2026.", total)
    await is_read("Enter", "21.11.2026.", Money(0))
    await ended(hands)


def test_the_way_back_says_where_it_leads(till: Hands) -> None:
    """Esc leads from a page of the shift to the shift, and from there to the sale."""
    texts = till.window.texts
    begun(till)
    till.press("Ctrl+D")
    screen = screen_of(till)

    def says() -> str:
        return str(screen.head.button.spec.words)

    def named() -> str:
        title, *_ = screen.head.findChildren(ElidedLabel)
        return title.text()

    shift, sale = texts("shift.title"), texts("back.sale")
    assert says() == sale
    for letter in ("x", "i"):
        till.type(letter)
        assert says() == shift
        page = texts("shift.x" if letter == "x" else "shift.move.out")
        assert named() == page
        till.press("F1")
        assert says() == page, "the keys are left first"
        assert named() == texts("ask.keys")
        till.press("Esc")
        if letter == "x":
            assert screen.head.button.hasFocus(), "nothing is filled on what is only looked at"
            assert screen.page is not None
            assert screen.page.big.isHidden()
        till.press("Esc")
        assert screen.model.page is ShiftPageKind.HOME
        assert says() == sale
    till.press("Enter")
    assert (screen.model.page, says()) == (ShiftPageKind.COUNT, shift)
    till.type("v")
    assert (screen.model.page, says()) == (ShiftPageKind.CHECK, shift)
    till.press("Enter")
    till.press("Esc")
    assert (screen.model.page, says()) == (ShiftPageKind.HOME, sale)
    till.press("Esc")
    assert till.window.frame.is_home
