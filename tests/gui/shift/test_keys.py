"""The keys of the shift in a real window over a server in memory: a count by Enter and star, cash
in and out, the X, the papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from pos_app.cashier.shift.model import OpenThing, ShiftPageKind
from pos_app.cashier.shift.rows import ShiftRowWords
from pos_app.cashier.shift.view import ShiftScreen
from pos_app.cashier.shift.words import drawer_lines
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.theme import ThemedWidget
from pos_app.cashier.ui.views import ROW
from pos_app.cashier.window.screens import ATTENTION, SHIFT
from pos_app.documents.blocks import Document, Lines
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import MINUS, amount_text
from pos_app.errors import NotDelivered, RemoteError
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs, Shift
from pos_app.settings.shapes import PrinterSettings
from tests.gui.parts import in_front, is_page_in_front, lines_of, page_in_front, visible_parts
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop, copied
from tests.sweep import sampled

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
    for key in ("Ctrl+D", "Enter", "Enter"):
        hands.press(key)
    assert screen_of(hands).model.page is ShiftPageKind.COUNT
    return screen_of(hands)


def said(paper: Document) -> str:
    return "\n".join(
        line for block in paper.blocks if isinstance(block, Lines) for line in block.text
    )


async def ended(hands: Hands) -> None:
    await seen()
    await hands.window.tasks.close()


# --- the count -----------------------------------------------------------------------------------


async def test_eight_notes_are_counted_by_twenty_five_keys(till: Hands) -> None:
    begun(till)
    screen = counting(till)
    pressed = 0
    for pieces in ("10", "19", "21", "14", "27", "58", "31", "29"):
        till.type(pieces)
        till.press("Enter")
        pressed += len(pieces) + 1
    till.press("F12")
    assert pressed + 1 <= 25
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    assert screen.model.drawer_differences.rows[0].counted == Money(129330)
    await ended(till)


async def test_a_cyrillic_keyboard_opens_the_shift(till: Hands) -> None:
    """If no layout of the machine is Latin, the key is Д."""
    begun(till)
    till.keys.layout = "rs-cyrillic"
    till.press("Ctrl+D")
    assert screen_of(till).model.page is ShiftPageKind.HOME
    await ended(till)


async def test_a_star_puts_bundles_and_rolls_beside(till: Hands) -> None:
    """`2*` puts two of them beside, and the caret stays for the pieces."""
    begun(till)
    screen = counting(till)
    till.type("2*")
    till.type("3")
    till.press("Enter")
    assert screen.model.count.cash == Money(5000 * 203)
    till.press("Up")
    till.press("Backspace")
    assert screen.model.count.cash == Money(5000 * 200)
    await ended(till)


async def test_nothing_is_filled_in_and_no_sum_is_told_before(till: Hands) -> None:
    begun(till, 4321)
    await sold(till)
    counting(till)
    page = screen_of(till).page
    assert page is not None
    labels = [one.accessibleName() for one in visible_parts(page, ThemedWidget)]
    told = " ".join((*labels, *(one.text() for one in visible_parts(page, Label))))
    assert "5.000" in told
    assert "4.321" not in told
    assert "58,99" not in told
    assert all(not field.text() for field in page.fields.values())  # type: ignore[attr-defined]
    await ended(till)


async def test_a_terminals_slip_cheques_and_vouchers_follow_the_coins(till: Hands) -> None:
    begun(till, 0)
    screen = counting(till)
    till.type("0")
    for _ in range(14):
        till.press("Enter")
    for amount in ("100", "20", "3"):
        till.type(amount)
        till.press("Enter")
    assert screen.model.page is ShiftPageKind.DIFFERENCE  # after the last one Enter confirms
    assert [(one.method, str(one.counted)) for one in screen.model.drawer_differences.rows] == [
        ("cash", "0.00"),
        ("card", "100.00"),
        ("check", "20.00"),
        ("voucher", "3.00"),
    ]
    await ended(till)


# --- the close -----------------------------------------------------------------------------------


async def rested(hands: Hands) -> None:
    screen = screen_of(hands)
    while screen.page is None or screen.page.big.rests or screen.model.asks_server:
        await seen()


@pytest.mark.long
async def test_a_manager_closes_the_shift_of_somebody_else(till: Hands, papers: Papers) -> None:
    """The count agrees; the Z is printed, and the screen shows the cash to take out and to
    leave."""
    shift = begun(till, 1000)
    taken = await sold(till)
    counting(till)
    for _ in range(2):
        till.press("Enter")
    till.type("1")
    for _ in range(11):
        till.press("Enter")
    till.type(str(int(taken.amount)))  # in coins of one dinar
    till.press("F12")
    await seen()
    model = screen_of(till).model
    assert not model.drawer_differences.rows[0].amount
    await rested(till)
    till.type("500")
    till.press("Enter")
    assert model.page is ShiftPageKind.DONE
    await seen()
    closed = till.shop.database.shifts.last_closed()
    assert closed is not None
    assert (closed.id, closed.opened_by, closed.closed_by) == (shift.id, "Милош Илић", "Касир 3")
    assert (closed.stays, closed.taken) == (Money(500), Money(500) + taken)
    ((paper, on_a4),) = papers.printed
    assert not on_a4
    assert f"Износи се{amount_text(closed.taken).rjust(31)}" in said(paper)
    till.press("Enter")
    assert till.window.frame.is_home
    await ended(till)


async def test_a_difference_wants_a_reason_and_more_than_was_counted_does_not_stay(
    till: Hands,
) -> None:
    begun(till, 1000)
    screen = counting(till)
    till.type("0")
    till.press("F12")
    page = page_in_front(till.window.frame, "shift.step.difference")
    await rested(till)
    till.press("Enter")
    assert "нема разлог" in page.trouble.text()
    field = page.reason_fields["cash"]
    till.tap(field.edit)
    for nothing in ("x", " .", "-"):
        till.type(nothing)
        till.press("Enter")
        assert screen.model.page is ShiftPageKind.DIFFERENCE, nothing
        assert field.error() == "Разлог има бар 3 слова или цифре"
    field.edit.selectAll()
    till.type("pogresan kusur")
    assert field.error() == ""
    till.tap(page.stays.edit)
    till.type("5")
    assert "Не може остати више" in page.stays.error()
    till.press("Enter")
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    till.press("Backspace")
    till.type("0")
    await rested(till)
    till.press("Enter")
    assert screen.model.page is ShiftPageKind.DONE
    z = till.shop.database.shifts.z_of(1)
    assert z.drawer is not None
    assert z.drawer.differences[0].reason == "pogresan kusur"
    await ended(till)


async def test_what_was_typed_for_a_difference_is_there_again_after_the_way_back(
    till: Hands,
) -> None:
    begun(till, 1000)
    screen = counting(till)
    till.press("Enter")
    till.type("1")
    till.press("F12")
    page = page_in_front(till.window.frame, "shift.step.difference")
    await rested(till)
    till.press("Enter")
    assert page.trouble.text() == "Једна разлика још нема разлог. Изаберите разлог, или га упишите."
    till.tap(page.reason_fields["cash"].edit)
    till.type("pogresan kusur")
    till.tap(page.stays.edit)
    till.type("500")
    for way in (["v"], ["v", "Enter", "v"]):  # from the check, and from a count that was begun anew
        for key in way:
            till.press(key) if len(key) > 1 else till.type(key)
        assert screen.model.page is ShiftPageKind.CHECK
        till.type("n")
        assert screen.model.page is ShiftPageKind.DIFFERENCE
        page = page_in_front(till.window.frame, "shift.step.difference")
        assert page.reason_fields["cash"].text() == "pogresan kusur"
        assert page.stays.text() == "500"
        await rested(till)
    till.window.frame.set_language("en")
    page = page_in_front(till.window.frame, "shift.step.difference")
    assert page.reason_fields["cash"].text() == "pogresan kusur"
    await rested(till)
    till.press("Enter")
    assert screen_of(till).model.page is ShiftPageKind.DONE
    closed = till.shop.database.shifts.z_of(1)
    assert closed.drawer is not None
    assert closed.drawer.differences[0].reason == "pogresan kusur"
    await ended(till)


async def test_another_count_wants_a_reason_of_its_own(till: Hands) -> None:
    begun(till, 1000)
    counting(till)
    till.type("0")
    till.press("F12")
    page = page_in_front(till.window.frame, "shift.step.difference")
    await rested(till)
    till.tap(page.reason_fields["cash"].edit)
    till.type("pogresan kusur")
    till.tap(page.again)
    till.type("1")
    till.press("F12")
    page = page_in_front(till.window.frame, "shift.step.difference")
    assert page.reason_fields["cash"].text() == ""
    await ended(till)


async def test_a_refused_close_leaves_nothing_behind_once_the_shift_is_closed(till: Hands) -> None:
    """The refusal ends with what it refused: on the page, and at the sale."""
    begun(till, 1000)
    screen = counting(till)
    till.type("0")
    till.press("F12")
    page = page_in_front(till.window.frame, "shift.step.difference")
    await rested(till)
    till.press("Enter")
    assert "нема разлог" in page.trouble.text()
    till.tap(page.reason_fields["cash"].edit)
    till.type("x")
    till.press("Enter")
    assert page.trouble.text() == "", "another refusal stands at its field"
    page.reason_fields["cash"].edit.selectAll()
    till.type("pogresan kusur")
    await rested(till)
    till.press("Enter")
    assert screen.model.page is ShiftPageKind.DONE
    assert "нема разлог" not in " ".join(lines_of(screen))
    till.press("Enter")
    assert till.window.frame.is_home
    assert till.notice() == ""
    await ended(till)


async def test_what_is_open_has_a_key_each_and_blocks_nothing(till: Hands) -> None:
    begun(till)
    till.shop.server.running = False
    await sold(till)
    till.scan("8609910700134")
    till.press("F6")
    till.press("Ctrl+D")
    till.press("Enter")
    screen = screen_of(till)
    assert screen.model.open_things() == {OpenThing.HELD: 1, OpenThing.WAITING: 1}
    till.press("Alt+2")
    assert till.window.frame.top_name == ATTENTION
    till.press("Ctrl+D")
    assert screen_of(till).model.page is ShiftPageKind.CHECK
    till.press("Alt+1")
    assert till.window.frame.is_home
    till.press("Ctrl+D")
    till.press("Enter")
    assert screen_of(till).model.page is ShiftPageKind.COUNT
    await ended(till)


# --- cash in and out, X --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "kind", "done"),
    sampled([
        ("u", MoveKind.IN, NotedAct.CASH_IN), ("i", MoveKind.OUT, NotedAct.CASH_OUT),
        ("s", MoveKind.DROP, NotedAct.CASH_OUT), ("c", MoveKind.CHANGE, NotedAct.CASH_IN),
    ], few=2),
)  # fmt: skip
async def test_cash_moves_with_its_paper(
    till: Hands, papers: Papers, key: str, kind: MoveKind, done: NotedAct
) -> None:
    shift = begun(till)
    till.press("Ctrl+D")
    till.type(key)
    till.type("250")
    till.press("Enter")
    if kind in (MoveKind.IN, MoveKind.OUT):
        assert is_page_in_front(till.window.frame, f"shift.move.{kind}")  # the reason is asked for
        till.type("mleko")
        till.press("Enter")
    assert is_page_in_front(till.window.frame, "shift.title")
    (moved,) = till.shop.database.shifts.moves(shift)
    assert (moved.kind, moved.amount) == (kind, Money(250))
    await seen()
    ((paper, _),) = papers.printed
    assert "250,00" in said(paper)
    assert ("Кеса број" in said(paper)) == (kind is MoveKind.DROP)
    assert papers.opened == 1
    now = till.shop.clock.now()
    acts = till.shop.database.acts.acts(since=shift.opened_at, until=now.replace(year=2099))
    assert [one.after for one in acts if one.done is done] == ["250.00"]
    await ended(till)


async def test_much_cash_is_asked_about_quietly_until_it_goes_to_the_safe(till: Hands) -> None:
    """The shift says so while selling goes on; moving cash to the safe ends it."""
    begun(till, 100_001)
    till.press("Ctrl+D")
    told = "У фиоци је више од 100.000,00"
    assert told in lines_told(till)
    till.type("s")
    till.type("60000")
    till.press("Enter")
    assert told not in lines_told(till)
    await ended(till)


def lines_told(hands: Hands) -> str:
    return " ".join(one.text() for one in visible_parts(screen_of(hands), Label))


async def test_no_amount_is_told_at_its_field(till: Hands) -> None:
    begun(till)
    till.press("Ctrl+D")
    till.type("s")
    till.press("Enter")
    page = page_in_front(till.window.frame, "shift.move.drop")
    assert page.amount.error()
    till.press("Esc")
    assert is_page_in_front(till.window.frame, "shift.title")
    await ended(till)


async def test_a_reason_says_something(till: Hands, papers: Papers) -> None:
    shift = begun(till)
    till.press("Ctrl+D")
    till.type("i")
    page = page_in_front(till.window.frame, "shift.move.out")
    till.type("250")
    till.press("Enter")
    for more in ("x", "..", "y"):
        till.type(more)
        till.press("Enter")
        assert page.reason.error() == "Разлог има бар 3 слова или цифре"
        assert page.reason.edit.hasFocus()
    assert till.shop.database.shifts.moves(shift) == []
    assert papers.printed == []
    till.type("7")
    till.press("Enter")
    (moved,) = till.shop.database.shifts.moves(shift)
    assert moved.reason == "x..y7"
    await ended(till)


async def test_an_x_takes_two_keys(till: Hands, papers: Papers) -> None:
    shift = begun(till)
    taken = await sold(till)
    till.press("Ctrl+D")
    till.type("x")
    screen = screen_of(till)
    assert is_page_in_front(till.window.frame, "shift.x")
    report = screen.model.report
    assert report is not None
    assert report.drawer is not None
    assert report.drawer.expected == Money(1000) + taken
    assert not report.is_closed
    till.press("Alt+0")
    assert screen.model.rows[0].amount == Money(1000)
    await seen()
    till.type("p")
    await seen()
    assert papers.printed[0][0].title == f"X ИЗВЕШТАЈ {shift.id}"
    acts = till.shop.database.acts.acts(
        since=shift.opened_at, until=till.shop.clock.now().replace(year=2099)
    )
    assert NotedAct.X_REPORT in [one.done for one in acts]
    await ended(till)


async def test_what_went_to_the_safe_stands_beside_what_was_paid_out(
    till: Hands, papers: Papers
) -> None:
    """The sum is as it was on the page of the difference and on paper."""
    begun(till, 10_000)
    till.press("Ctrl+D")
    for key, amount in (("i", "450"), ("s", "5000"), ("u", "300"), ("c", "2000")):
        till.type(key)
        till.type(amount)
        till.press("Enter")
        if key in "iu":
            till.type("mleko")
            till.press("Enter")
    parts = [
        ("Затечено на почетку", "10.000,00"),
        ("Унето", "300,00"),
        ("Ситнина из сефа", "2.000,00"),
        ("Изнето", "-450,00"),
        ("Предато у сеф", "-5.000,00"),
        ("Очекивано у фиоци", "6.850,00"),
    ]
    till.type("x")
    shown = [one.replace(MINUS, "-") for one in lines_of(screen_of(till))]
    for name, amount in parts:
        assert (name, amount) in list(pairwise(shown)), shown
    await seen()
    till.type("p")
    await seen()
    told = [" ".join(line.split()) for line in said(papers.printed[-1][0]).splitlines()]
    assert all(f"{name} {amount}" in told for name, amount in parts), told
    await ended(till)


async def test_a_paper_that_did_not_come_is_told(till: Hands, papers: Papers) -> None:
    papers.fault = NotDelivered(what="The local server can't be reached.")
    begun(till)
    till.press("Ctrl+D")
    till.type("x")
    await seen()
    till.type("p")
    await seen()
    page = page_in_front(till.window.frame, "shift.x")
    assert "Папир излази сам" in page.words_label.text()
    await ended(till)


# --- the float, and tills without shifts ---------------------------------------------------------


async def test_a_float_is_taken_as_it_was_left_or_counted(till: Hands) -> None:
    shift = begun(till, 0)
    counting(till)
    till.type("0")
    till.press("F12")
    await rested(till)
    till.press("Enter")
    assert till.shop.database.shifts.open_shift() is None
    till.press("Enter")
    till.press("Ctrl+D")
    till.press("Alt+1")
    assert screen_of(till).model.page is ShiftPageKind.FLOAT
    till.type("2")
    till.press("F12")
    opened = till.shop.database.shifts.open_shift()
    assert opened is not None
    assert opened.id != shift.id
    assert (opened.cash_float, opened.float_is) == (Money(10000), FloatIs.COUNTED)
    await ended(till)


@pytest.mark.long
async def test_the_count_of_a_float_is_there_again_after_a_kill(
    till: Hands, shop_data: Path, tmp_path: Path, sell_in: Callable[[Shop], Hands]
) -> None:
    """The files of a running till equal those of a killed one. A shift that is opened ends the
    stored count."""
    till.press("Ctrl+D")
    till.press("Alt+1")
    till.type("2")
    till.press("Enter")
    till.type("3")
    await ended(till)
    shop = Shop(copied(shop_data, tmp_path / "after"), first_key=100)
    second = sell_in(shop)
    second.window.frame.open(SHIFT)
    screen = screen_of(second)
    home = page_in_front(second.window.frame, "shift.title")
    second.tap(home.buttons["Alt+1"])
    assert (screen.model.page, screen.model.count.cash) == (ShiftPageKind.FLOAT, Money(16000))
    page = page_in_front(second.window.frame, "shift.count_float")
    assert page.fields["pieces.note.2000"].text() == "3"
    second.press("F12")
    opened = shop.database.shifts.open_shift()
    assert opened is not None
    assert (opened.cash_float, opened.float_is) == (Money(16000), FloatIs.COUNTED)
    assert shop.database.shifts.float_count(screen.model.form).typed_texts == {}
    await ended(second)
    shop.close()


@pytest.mark.long
async def test_a_count_that_was_confirmed_is_gone_on_with_after_a_kill(
    till: Hands, shop_data: Path, tmp_path: Path, sell_in: Callable[[Shop], Hands]
) -> None:
    """The files of a running till equal those of a killed one."""
    begun(till, 5000)
    counting(till)
    till.type("1")
    till.press("F12")
    assert screen_of(till).model.page is ShiftPageKind.DIFFERENCE
    await ended(till)
    shop = Shop(copied(shop_data, tmp_path / "after"), first_key=100)
    second = sell_in(shop)
    second.window.frame.open(SHIFT)
    screen = screen_of(second)
    assert is_page_in_front(second.window.frame, "shift.title")
    second.press("Enter")
    check = page_in_front(second.window.frame, "shift.step.check")
    assert check.go_on is not None
    assert "Фиока је бројана: 20.11.2026. 10:30, Касир 3" in lines_told(second)
    second.tap(check.go_on)
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    await rested(second)
    second.press("Enter")
    assert screen.model.page is ShiftPageKind.DONE
    drawer = shop.database.shifts.z_of(1).drawer
    assert drawer is not None
    assert (drawer.counts, drawer.counted) == (1, Money(5000))
    await ended(second)
    shop.close()


@pytest.fixture
def plain(shop_data: Path) -> Iterator[Shop]:
    made = Shop(shop_data, has_shifts=False)
    yield made
    made.close()


async def test_a_till_without_shifts_has_a_z_of_today(
    plain: Shop, sell_in: Callable[[Shop], Hands]
) -> None:
    papers, hands = printing(plain), sell_in(plain)
    await sold(hands)
    hands.press("Ctrl+D")
    hands.press("Enter")
    screen = screen_of(hands)
    assert is_page_in_front(hands.window.frame, "shift.day_of", day="20.11.2026.")
    assert screen.model.report is not None
    assert screen.model.report.drawer is None
    await seen()
    hands.type("p")
    await seen()
    assert papers.printed[0][0].title == "Z ИЗВЕШТАЈ"
    assert "Дан:                         20.11.2026." in said(papers.printed[0][0])
    await ended(hands)


async def test_a_till_without_shifts_has_the_z_of_yesterday_after_midnight(
    plain: Shop, sell_in: Callable[[Shop], Hands]
) -> None:
    papers, hands = printing(plain), sell_in(plain)
    await sold(hands)
    total = plain.database.sales.last(1)[0].total
    plain.clock.go_on(14 * 3_600_000)  # half past midnight
    hands.press("Ctrl+D")
    for key, day, unsigned in (("j", "20", total), ("Enter", "21", Money(0))):
        hands.type(key) if len(key) == 1 else hands.press(key)
        report = screen_of(hands).model.report
        assert report is not None
        assert report.takings.unsigned.amount == unsigned
        assert f"Z, {day}.11.2026." in " ".join(lines_of(screen_of(hands)))
        await seen()
        hands.type("p")
        await seen()
        assert f" {day}.11.2026." in said(papers.printed[-1][0])
        hands.press("Esc")
    await ended(hands)


# --- closed shifts -------------------------------------------------------------------------------


async def closed_with(hands: Hands, reason: str) -> Money:
    """Close a shift with 1,000 and bread for cash, of which only the 1,000 are found; returns the
    difference."""
    begun(hands, 1000)
    taken = await sold(hands)
    await rested_close(hands, "1", reason)
    return taken


async def rested_close(hands: Hands, thousands: str, reason: str) -> None:
    screen = counting(hands)
    for _ in range(2):
        hands.press("Enter")
    hands.type(thousands)
    hands.press("F12")
    page = page_in_front(hands.window.frame, "shift.step.difference")
    await rested(hands)
    hands.tap(page.reason_fields["cash"].edit)
    hands.type(reason)
    hands.press("Enter")
    assert screen.model.page is ShiftPageKind.DONE
    await seen()


async def test_a_closed_shift_is_read_amount_by_amount_and_its_z_comes_again(
    till: Hands, papers: Papers
) -> None:
    missing = await closed_with(till, "kusur")
    printed = len(papers.printed)
    till.press("Enter")
    till.press("Ctrl+D")
    till.press("Alt+2")  # a field is typed in
    screen = screen_of(till)
    page = page_in_front(till.window.frame, "shift.closed")
    row = page.list.view.model().index(0, 0).data(ROW)
    assert isinstance(row, ShiftRowWords)
    assert row.upper.startswith("Z 1 · 20.11.2026. 10:30 – ")
    assert "Милош Илић" in row.lower
    assert "Касир 3" in row.lower
    assert (row.amount, row.beside) == (amount_text(-missing), "Готовина")
    till.press("Enter")
    model = screen.model
    assert model.page is ShiftPageKind.PAST
    z = till.shop.database.shifts.z_of(1)
    assert model.report == z
    told = [one.label for one in drawer_lines(z, till.window.texts)]
    assert "Разлика, Готовина" in told
    till.type("p")
    await seen()
    again, _ = papers.printed[-1]
    assert len(papers.printed) == printed + 1
    assert said(again) == said(papers.printed[printed - 1][0])  # the same Z as before
    till.press("Alt+0")
    assert z.drawer is not None
    assert Money.total(one.amount for one in model.rows) == z.drawer.expected
    till.press("Down")
    till.type("r")
    assert (
        model.page is ShiftPageKind.PAST
    )  # the server of this shop signs nothing: there is no receipt
    till.press("Esc")
    page = page_in_front(till.window.frame, "shift.closed")
    row_of_it = page.list.view.visualRect(page.list.view.model().index(0, 0)).center()
    till.tap(page.list.view.viewport(), row_of_it)  # it was shown already
    assert is_page_in_front(till.window.frame, "shift.z", n=1)
    await ended(till)


@pytest.mark.long
async def test_closed_shifts_are_read_by_finger(till: Hands) -> None:
    await closed_with(till, "kusur")
    till.press("Enter")
    begun(till, 1000)
    await rested_close(till, "2", "visak")
    till.press("Enter")
    till.press("Ctrl+D")
    screen = screen_of(till)
    till.tap(page_in_front(till.window.frame, "shift.title").buttons["Alt+2"])
    page = page_in_front(till.window.frame, "shift.closed")
    assert [one.id for one in screen.model.closed] == [2, 1]
    below = page.list.view.visualRect(page.list.view.model().index(1, 0)).center()
    for _ in range(2):  # the first press shows it, the second opens it
        till.tap(page.list.view.viewport(), below)
    assert screen.model.past is not None
    assert screen.model.past.id == 1
    past = page_in_front(till.window.frame, "shift.z", n=1)
    till.tap(past.rows)
    assert past.drawer.rows.isVisible()
    till.press("Esc")
    assert is_page_in_front(till.window.frame, "shift.closed")
    till.press("Esc")
    assert is_page_in_front(till.window.frame, "shift.title")
    await ended(till)


def test_the_way_back_says_where_it_leads(till: Hands) -> None:
    """Esc leads from a page of the shift to the shift, and from there to the sale."""
    texts = till.window.texts
    begun(till)
    till.press("Ctrl+D")
    screen = screen_of(till)

    def says() -> str:
        return str(screen.head.button.spec.words)

    shift, sale = texts("shift.title"), texts("att.back")
    assert says() == sale
    for letter in ("x", "i"):
        till.type(letter)
        assert says() == shift
        till.press("F1")
        assert says() == shift, "the keys are left first"
        till.press("Esc")
        till.press("Esc")
        assert screen.model.page is ShiftPageKind.HOME
        assert says() == sale
    till.press("Enter")
    assert (screen.model.page, says()) == (ShiftPageKind.CHECK, shift)
    till.press("Enter")
    assert (screen.model.page, says()) == (ShiftPageKind.COUNT, sale)
    till.press("Esc")
    assert till.window.frame.is_home
