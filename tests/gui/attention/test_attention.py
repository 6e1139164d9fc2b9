"""Deciding the cases of Attention, with real keys and taps, over a real till.db."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from pos_app.cashier.acts.act_in_front import REFUSED_IN_FRONT
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import measure
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.cashier.window.screens import ATTENTION, CasePlace
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import states
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import Alarm
from pos_app.domain.setup.processor import CURES
from pos_app.errors import NotDelivered, Refused
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from pos_app.selling.sale import sell
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.people_here import sign_in
from tests.gui.acts import acted
from tests.gui.attention import cases
from tests.gui.attention.conftest import MANAGER, Caring
from tests.gui.attention.doubts import verification_url
from tests.gui.attention.screens import SCENES
from tests.gui.parts import only, visible_parts
from tests.gui.payment.shop import CASHIER, Shop
from tests.sweep import each, sampled

CURED = {
    "1500": ("тражи ПИН", "Унесите ПИН"),
    "2100": ("тражи ПИН", "Унесите ПИН"),
    "1300": ("није у читачу", "Вратите картицу"),
    "2110": ("Картица је закључана", "позовите подршку и прочитајте: 2110"),
    "2230": ("не одговара верзији процесора", "позовите подршку и прочитајте: 2230"),
    "2210": ("потребно је очитавање", "на интернет"),
    "2400": ("још није подешен", "Позовите подршку"),
}
"""The words for the fault and its remedy, by the code of the processor."""
ADDRESS = "Адреса за проверу рачуна"
AGAIN = "Пошаљи поново без измене"
Step = Callable[[Caring], Awaitable[object]]


async def a_doubt_is_looked_up_and_declared_absent_by_name(care: Caring) -> None:
    """No answer of the server is a dead end, and what is typed survives events."""
    sale = await cases.doubtful(care.shop)
    await cases.waiting(care.shop, "1236.00")
    await care.opened()
    assert care.rows() == [
        "Не зна се да ли је рачун издат 842,50",
        "Продаја чека процесор 1.236,00",
    ]
    assert care.waiting() == 2
    assert "порастао са 8652 на 8653" in care.said
    care.shop.doubts.faults.append(NotDelivered(what="nobody there"))
    care.tap("Потражи поново")
    await care.until(lambda: care.news.startswith("Сервер се не јавља"))
    care.shop.doubts.is_silent = True  # it goes away after the look-up
    care.tap("Потражи поново")
    await care.until(lambda: care.news == "Рачун ни сада није пронађен.")
    assert care.shop.doubts.told == [("lookup", sale.receipt_id, "")]
    assert care.button("Потражи поново").isEnabled()
    care.shop.doubts.is_silent = False
    care.tap("Рачун не постоји")
    assert care.field(MANAGER).error() == "Упишите име управника"
    assert care.state(sale) is SaleState.DOUBT
    care.press("Ana")
    await cases.waiting(care.shop, "10.00")
    await care.refreshed()
    assert care.field(MANAGER).text() == "Ana"
    assert QApplication.focusWidget() is care.field(MANAGER).edit
    assert len(care.rows()) == 3
    care.shop.server.faults.clear()
    care.tap("Рачун не постоји")
    await care.until(lambda: care.state(sale) is SaleState.DONE)
    assert care.shop.doubts.told[-1] == ("absent", sale.receipt_id, "Ana")
    assert care.shop.server.ledger.count(sale.key) == 1


async def the_processors_paper_is_scanned(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    care.screen.receipt_scanned(verification_url(total="1.00", counter=7))
    await care.until(lambda: care.field(ADDRESS).error() == "Тај рачун није од ове продаје.")
    assert care.state(sale) is SaleState.DOUBT
    assert care.button("Скенирајте QR код").isEnabled()
    assert care.screen.receipt_scanned(care.shop.doubts.right)
    await care.until(lambda: care.state(sale) is SaleState.DONE)
    await care.refreshed()
    assert care.rows() == []
    assert care.case_view.attention_case.kind == "solved"
    assert only(care.case_view, NoticePanel).property("colour") == "tint", "blue waits"
    assert care.shop.server.ledger.count(sale.key) == 1
    care.tap("Прикажи решено")
    assert any("842,50" in row for row in care.rows())
    care.press("Esc")
    assert care.rows() == []
    care.frame.go_home()
    await care.refreshed()
    assert care.screen.case_view is None


async def the_address_is_typed_and_enter_checks_it(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    care.screen.setFocus(Qt.FocusReason.OtherFocusReason)
    assert QApplication.focusWidget() is care.field(ADDRESS).edit
    check = care.steps.buttons["find"]
    assert (check.kind, check.spec.words) == (ButtonKind.PLAIN, "Скенирајте QR код")
    care.press("https://suf")
    assert (check.kind, check.spec.words) == (ButtonKind.FILLED, "Провери рачун")
    care.press("Enter")
    await care.until(lambda: care.field(ADDRESS).error().startswith("Ово није адреса"))
    await care.until(lambda: check.kind is ButtonKind.PLAIN)
    care.field(ADDRESS).set_text(care.shop.doubts.right)
    assert (check.kind, care.field(ADDRESS).error()) == (ButtonKind.FILLED, "")
    care.press("Enter")
    await care.until(lambda: care.state(sale) is SaleState.DONE)


async def items_stay_in_other_words_and_sizes_until_esc(care: Caring) -> None:
    """So does what is typed; in large type the notice scrolls with the steps."""
    await cases.doubtful(care.shop)
    await care.opened()
    care.steps.fields["address"].set_text("https://suf")
    care.tap("Прикажи ставке")
    assert care.case_view.lines is not None
    assert care.case_view.lines.view.model().rowCount() == 1
    assert "Прикажи ставке" not in care.buttons, "one key leads back"
    care.change(language="en", metrics=measure(touch_mm=15, width=1024, text_percent=150))
    assert care.rows() == ["Not known whether it was issued 842,50"]
    assert care.steps.fields["address"].text() == "https://suf"
    assert care.case_view.lines is not None
    care.screen.setFocus(Qt.FocusReason.OtherFocusReason)
    care.press("Esc")
    assert care.case_view.lines is None
    assert not care.is_left
    care.press("Esc")
    assert care.is_left
    care.change(language="sr-Cyrl", metrics=measure())


@each("step", [
    a_doubt_is_looked_up_and_declared_absent_by_name, the_processors_paper_is_scanned,
    the_address_is_typed_and_enter_checks_it, items_stay_in_other_words_and_sizes_until_esc,
])  # fmt: skip
async def test_a_receipt_in_doubt(care: Caring, step: Step) -> None:
    await care.anew()
    await step(care)


async def a_refused_sale_is_corrected_in_a_new_cart(care: Caring) -> None:
    """The server's words are opened by a button, and shown as plain text."""
    sale = await cases.refused(care.shop)
    await care.opened()
    labels = care.window.findChildren(QLabel)
    (said,) = [one for one in labels if one.text() == '"items[0].sku" 90 does not exist']
    assert not said.isVisible()
    QTest.mouseClick(only(care.steps, Details).button, Qt.MouseButton.LeftButton)
    assert said.isVisible()
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    care.screen.setFocus(Qt.FocusReason.OtherFocusReason)
    care.press("Enter")
    await care.until(lambda: care.taken)
    assert [(one.key, one.state) for one in care.taken] == [(sale.key, SaleState.CANCELLED)]
    basket = sell.start(till=care.shop.till, cashier=CASHIER)
    again = sell.take_back(till=care.shop.till, ticket=basket, sale=care.taken[0])
    assert again.cart.total == Money("310.00")
    assert again.key != sale.key
    await care.refreshed()
    assert care.rows() == []
    sell.void(till=care.shop.till, ticket=again, reason="test")


async def a_refused_sale_is_sent_again_as_it_is_and_arrows_choose_a_case(care: Caring) -> None:
    sale = await cases.refused(care.shop)
    await cases.doubtful(care.shop)
    await care.opened()
    first = care.case_view.attention_case.id
    care.tap("Сервер је одбио продају")
    care.press("Down")
    assert care.case_view.attention_case.id != first
    care.press("Up")
    assert care.case_view.attention_case.id == first
    for key, row in (("End", -1), ("Home", 0)):
        care.press(key)
        assert care.case_view.attention_case.id == [*care.side.rows][row]
    care.tap("Сервер је одбио продају")
    care.tap("Пошаљи поново")
    await care.until(lambda: care.state(sale) is SaleState.DONE)


async def the_lines_of_an_earlier_correction_wait_for_a_press(care: Caring) -> None:
    sale = await cases.refused(care.shop)
    care.shop.outbox.cancel(sale.key, reason="correction")
    await cases.settle(care.shop)
    await care.opened()
    assert care.taken == []
    care.tap("Врати ставке у корпу")
    assert [one.key for one in care.taken] == [sale.key]


@each(
    "step",
    (
        a_refused_sale_is_corrected_in_a_new_cart,
        the_lines_of_an_earlier_correction_wait_for_a_press,
        a_refused_sale_is_sent_again_as_it_is_and_arrows_choose_a_case,
    ),
)
async def test_a_sale_that_the_server_refused(care: Caring, step: Step) -> None:
    await care.anew()
    await step(care)


async def test_the_head_of_a_group_has_the_figure_of_the_bell(care: Caring) -> None:
    """A sale that is being sent has a row, and is counted by neither."""
    await cases.settle(care.shop)
    for price in ("58.99", "129.99", "310.00"):
        cases.sold(care.shop, price)
    care.window.show()
    care.screen.refresh()
    assert len(care.rows()) == 3
    assert care.waiting() == 2
    words = [one.text() for one in visible_parts(care.side, Label)]
    assert words[words.index("Чека и наставља само") + 1] == "2"


async def test_a_cart_never_changes_behind_the_cashiers_back(care: Caring) -> None:
    await cases.refused(care.shop)
    await care.opened()
    care.shop.server.running = False
    care.tap("Исправи")
    care.window.hide()
    care.shop.server.running = True
    await care.until(lambda: care.shop.store.sales.last(1)[0].state is SaleState.CANCELLED)
    assert care.taken == []
    assert care.waiting() == 1


async def test_a_corrected_sale_that_was_left_waits_for_a_press(care: Caring) -> None:
    """Attention is opened again for another reason, with the next customer's goods in the cart."""
    sale = await cases.refused(care.shop)
    await care.opened()
    care.shop.server.running = False
    care.tap("Исправи")
    care.press("Esc")
    assert care.is_left
    care.shop.server.running = True
    await care.until(lambda: care.state(sale) is SaleState.CANCELLED)
    care.frame.open_waiting()
    assert care.taken == []
    await care.opened()
    care.tap("Врати ставке у корпу")
    assert [one.key for one in care.taken] == [sale.key]


@each("code", CURES)
async def test_each_code_that_a_person_cures_is_told_in_its_own_words(
    care: Caring, code: str
) -> None:
    await care.anew()
    await cases.to_be_cured(care.shop, code)
    await care.opened()
    assert "Процесор не издаје рачуне." not in care.said
    for words in CURED[code]:
        assert words in care.said


def alarm(of: Callable[[Shop], Alarm]) -> Step:
    return lambda care: cases.alarmed(care.shop, of(care.shop))


def pair(operation: Operation = Operation.CLOSE, **more: bool) -> Step:
    return lambda care: cases.half_pair(care.shop, operation, **more)


def act(fault: Fault, operation: Operation = Operation.REFUND) -> Step:
    return lambda care: cases.act_refused(care.shop, fault, operation)


def by_hand(fault: Fault) -> Step:
    """A refund of a receipt that the journal does not hold."""

    async def begin(care: Caring) -> None:
        acted(care.shop.till, target=None)
        care.shop.server.faults.append(fault)
        await cases.settle(care.shop, 6)

    return begin


async def unreadable(care: Caring) -> None:
    await cases.unreadable(care.shop)


async def dropped(care: Caring) -> None:
    await cases.unreadable(care.shop, dropped=True)


async def yet_issued(care: Caring) -> None:
    """An operation that was put away and yet issued."""
    of = await cases.act_refused(care.shop, Fault.WAIT)
    care.shop.server.sign(of.key)
    care.shop.outbox.cancel(of.key, reason="seen")
    await cases.settle(care.shop)


async def here(care: Caring) -> None:
    await cases.half_done_here(care.shop)


async def half_in_doubt(care: Caring) -> None:
    await cases.half_done_here(care.shop, was_refused=False)


async def undone(care: Caring) -> None:
    of = await cases.half_done_here(care.shop)
    care.shop.server.open = ()
    care.shop.server.reversed.add(of.key)
    await cases.settle(care.shop)


async def not_started(care: Caring) -> None:
    """The server can't be started: it found a journal of a newer version."""
    care.shop.server.running = False
    await cases.settle(care.shop)
    care.shop.outbox.take_server_fault(cases.newer_journal())


REFUSED_REFUND = "Рефундација: није издато 842,50"
SAFE = "издаје се {} која се позива на ABCD1234-ABCD1234-8660; {}"
BACK = SAFE.format("Промет-Продаја на 842,50", "новац остаје у каси")
OPEN = SAFE.format("Аванс-Продаја на 9.000,00", "аванс је потом отворен као пре")
COPY = "само начин уручења, текст на рачуну или касир"
TOLD: list[tuple[Step, str, str]] = [
    (not_started, "Сервер не ради", "уписала новија верзија|Потврђене продаје су сачуване у каси"),
    (alarm(cases.late_receipt), "Рачун је накнадно издат 842,50", "8651 треба рефундирати"),
    (alarm(cases.foreign_traffic), "Рачуни којих овде нема", "копија овог рачунара|!све ту"),
    (alarm(cases.answer_differs), "Одговор процесора се разликује", "requestedBy, buyer"),
    (alarm(cases.catalogue_damaged), "Датотека каталога је оштећена", "датотека се склања"),
    (unreadable, "Издат, али нечитљив 310,00", "препишите број рачуна|+Виђено"),
    (dropped, "Продаја одбачена, а рачун издат 310,00", "кад сервер опет буде могао|+Виђено"),
    (act(Fault.WAIT, Operation.CLOSE), "Затварање аванса: није издато 842,50", f"+{AGAIN}"),
    (act(Fault.CURE, Operation.ADVANCE), "Уплата на аванс: није издато 842,50", f"+{AGAIN}"),
    (act(Fault.FIX, Operation.COPY), "Копија рачуна: није издато 842,50", f"-{AGAIN}"),
    (act(Fault.FIX), REFUSED_REFUND, f"-{AGAIN}|+Погледај рачун"),
    (by_hand(Fault.FIX), REFUSED_REFUND, f"-{AGAIN}|-Погледај рачун|ручну рефундацију изнова"),
    (by_hand(Fault.WAIT), REFUSED_REFUND, f"+{AGAIN}|-Погледај рачун|!рефундацију изнова"),
    (yet_issued, "Рефундација: одбачено, а рачун издат 842,50", "управник је|!рефундирајте"),
    (undone, "Поништена рефундација 842,50", f"здати рачун је поништен|-{AGAIN}"),
    (pair(), "Недовршено затварање 12.000,00", f"Облик вредности није добар|{OPEN}"),
    (pair(Operation.REFUND), "Недовршена рефундација 842,50", f"{BACK}|{COPY}|!други купац"),
    (pair(Operation.ISSUE), "Недовршена рефундација 842,50", f"{BACK}|{COPY}|!други купац"),
    (pair(is_reversal=True), "Недовршено затварање 9.000,00", "+Пошаљи поново|-Поништи издато"),
    (here, "Недовршена рефундација 842,50", "!Исправку шаље програм|-Рачун не постоји"),
    (half_in_doubt, "Рефундација: можда је издато 842,50", "да ли је издата и Копија-Рефундација"),
]
"""A case, its row, and what is said."""


@each(("begin", "row", "words"), TOLD)
async def test_what_a_case_tells(care: Caring, begin: Step, row: str, words: str) -> None:
    await care.anew()
    await begin(care)
    await care.opened()
    await care.until(lambda: not care.tasks.names)
    assert (care.rows(), care.waiting()) == ([row], 1)
    for one in words.split("|"):
        sign, rest = one[0], one[1:]
        if sign in "+-":
            assert (rest in care.buttons) is (sign == "+"), (one, care.buttons)
        else:
            said, is_there = (rest, False) if sign == "!" else (one, True)
            assert (said in care.said) is is_there, (one, care.said)


def foreign_doubt(care: Caring) -> Awaitable[object]:
    return cases.tell_open(care.shop, cases.foreign(care.shop))


OWNER, REVERSE = "Власник", "Власник|Поништи издато|Издај поништење"
ANSWERS: list[tuple[Step, str, tuple[str, str, str]]] = [
    (alarm(cases.late_receipt), "Власник|Виђено", ("seen", "4", OWNER)),
    (alarm(cases.answer_differs), "Власник|Виђено", ("seen", "9", OWNER)),
    (foreign_doubt, "Управник|Рачун не постоји", ("absent", "9f0c2d54-foreign", "Управник")),
    (pair(), "Власник|Пошаљи поново", ("again", "949d27ba-close", OWNER)),
    (pair(), REVERSE, ("reverse", "949d27ba-close", OWNER)),
    (pair(Operation.REFUND), REVERSE, ("reverse", "949d27ba-refund", OWNER)),
    (pair(Operation.ISSUE), REVERSE, ("reverse", "949d27ba-issue", OWNER)),
]


@each(("begin", "taps", "sent"), ANSWERS)
async def test_what_an_answer_sends(
    care: Caring, begin: Step, taps: str, sent: tuple[str, str, str]
) -> None:
    """Nothing is sent before the last tap."""
    await care.anew()
    await begin(care)
    await care.opened()
    for name in taps.split("|"):
        assert care.shop.doubts.told == []
        await care.until(lambda: not care.tasks.names)
        care.tap(name)
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [sent]


async def test_what_came_out_of_a_copy_is_told_and_ended_by_a_manager(care: Caring) -> None:
    await cases.put_back(care.shop)
    await care.opened()
    carts, element, copy = (
        "Корпе из резервне копије",
        "Нови безбедносни елемент",
        "Враћена је старија резервна копија",
    )
    assert sorted(care.rows()) == sorted([carts, element, copy])
    care.side.rows["carts set aside"].click()
    assert "58,99 (20.11.2026. 10:30, Касир 3)" in care.said
    care.tap("Виђено")
    await care.until(lambda: carts not in care.rows())
    care.side.rows["element NEWC4RD1"].click()
    care.tap("Власник")
    care.tap("Прихвати елемент")
    await care.until(lambda: care.rows() == [copy])
    assert "каса памти новије" in care.said
    care.tap("Власник")
    care.tap("Затвори упозорење")
    await care.until(lambda: care.rows() == [])
    told = [("element", "NEWC4RD1", "Власник"), ("closed", "", "Власник")]
    assert care.shop.doubts.told == told


async def test_sales_that_a_till_from_a_copy_lacks_are_told_until_a_manager_looked(
    care: Caring,
) -> None:
    """The journal has four sales of this till that its file, put back from before them, lacks."""
    care.shop.server.sequences[4] = "f" * 32
    care.shop.server.grow(1)
    await cases.settle(care.shop)
    await care.opened()
    assert care.rows() == ["На овој каси недостају продаје"]
    assert care.waiting() == 1
    for words in (
        "недостају најмање 4 потврђене продаје за које сервер зна (бр. 1–4)",
        "папире из фиоке",
        "Ништа не бришите",
    ):
        assert words in care.said
    care.tap("Власник")
    care.tap("Затвори упозорење")
    await care.until(lambda: care.rows() == [])
    care.shop.server.grow(1)
    await cases.settle(care.shop)
    await care.refreshed()
    assert care.rows() == []


async def told_when_solved(care: Caring, of: Sale) -> str:
    """What the row says of a sale among those that were solved."""
    await care.refreshed()
    care.tap("Прикажи решено")
    care.side.rows[of.key].click()
    said = care.said
    care.press("Esc")
    return said


async def a_sale_that_is_dropped_goes_back_to_the_customer(care: Caring) -> None:
    sale = cases.sold(care.shop, "58.99", cash="200.00")
    care.shop.server.faults.append(Fault.FIX)
    await cases.settle(care.shop, 6)
    await care.opened()
    assert "новац се враћа купцу" in care.said
    drop = care.steps.buttons["drop"]
    assert (drop.spec.words, drop.kind) == ("Изаберите разлог", ButtonKind.PLAIN)
    drop.click()
    assert care.steps.fields["reason"].error() == "Изаберите разлог"
    care.steps.fill("reason", "купац је одустао")
    assert (drop.spec.words, drop.kind) == ("Одбаци продају", ButtonKind.DANGER)
    care.steps.buttons["drop"].click()
    await care.until(lambda: care.state(sale) is SaleState.CANCELLED)
    said = await told_when_solved(care, sale)
    assert "Вратите купцу 58,99, ако већ нисте: готовина." in said
    assert "Ако кусур 141,01 није дат, вратите и њега." in said
    assert "остаје забележена као поништена" in said


async def a_refund_that_was_in_doubt_is_paid_out(care: Caring) -> None:
    act = acted(care.shop.till, rounding="-0.50")
    care.shop.server.faults.append(Fault.IN_DOUBT)
    await cases.settle(care.shop, 6)
    care.shop.server.sign(act.key)
    care.shop.clock.go_on(10_000)
    await cases.settle(care.shop, 12)
    await care.opened()
    assert "Дајте купцу 843,00, ако већ нисте: готовина." in await told_when_solved(care, act)


async def a_refund_whose_copy_a_manager_sends_again_is_paid_out(care: Caring) -> None:
    """The row of the decision, which is shown then, says so too."""
    act = await cases.half_done_here(care.shop)
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)
    care.shop.doubts.ends = care.shop.server.sign(act.key)
    care.tap("Власник")
    care.tap("Пошаљи поново")
    await care.until(lambda: care.state(act) is SaleState.DONE)
    await care.refreshed()
    assert "Одлука: Власник" in care.said
    assert "Дајте купцу 842,50, ако већ нисте: готовина." in care.said


async def a_refund_of_a_correction_whose_copy_is_sent_again_moves_no_money(care: Caring) -> None:
    act = await cases.half_done_here(care.shop, act=cases.correcting(care.shop).refund)
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)
    care.shop.doubts.ends = care.shop.server.sign(act.key)
    care.tap("Власник")
    care.tap("Пошаљи поново")
    await care.until(lambda: care.state(act) is SaleState.DONE)
    await care.refreshed()
    assert "Одлука: Власник" in care.said
    assert "Дајте купцу" not in care.said


GOES_BACK = "Ако сте за ово примили 842,50, вратите купцу: готовина."


async def a_payment_that_was_put_away_goes_back(care: Caring) -> None:
    """Its row says so before it is dismissed; begun anew it has what was given."""
    act = await cases.act_refused(care.shop, Fault.FIX, Operation.ADVANCE)
    await care.opened()
    assert f"сервер то потврђује. {GOES_BACK}" in care.said
    care.tap("Поништи захтев")
    await care.until(lambda: care.state(act) is SaleState.CANCELLED)
    assert GOES_BACK in await told_when_solved(care, act)


async def what_was_given_for_an_undone_closing_goes_back(care: Caring) -> None:
    """The row that waits says so, and once it was seen the row of the decision; both never do."""
    act = await cases.half_done_here(care.shop, Operation.CLOSE)
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)
    care.shop.doubts.ends = states.REVERSED
    for name in ("Власник", "Поништи издато", "Издај поништење"):
        care.tap(name)
    await care.until(lambda: "Одлука: Власник" in care.said)
    assert GOES_BACK in care.said
    care.shop.server.open = ()
    care.shop.server.reversed.add(act.key)
    await care.until(lambda: care.state(act) is SaleState.REFUSED)
    await care.refreshed()
    assert care.rows() == ["Поништено затварање 842,50"]
    assert care.case_view.attention_case.id == act.key
    assert care.said.count(GOES_BACK) == 1
    care.tap("Прикажи решено")
    assert not any(one.startswith("Поништено затварање") for one in care.rows())
    care.press("Esc")
    care.side.rows[act.key].click()
    care.tap("Виђено")
    await care.until(lambda: care.state(act) is SaleState.CANCELLED)
    await care.refreshed()
    care.tap("Прикажи решено")
    assert len([one for one in care.rows() if one.startswith("Поништено затварање")]) == 1
    care.tap("Поништено затварање")
    assert GOES_BACK in care.said
    assert "Одлука: Власник" in care.said


async def a_payment_that_its_own_screen_put_away_stays_given(care: Caring) -> None:
    act = await cases.act_refused(care.shop, Fault.FIX, Operation.ADVANCE)
    care.shop.outbox.cancel(act.key, reason=REFUSED_IN_FRONT)
    await cases.settle(care.shop)
    await care.opened()
    said = await told_when_solved(care, act)
    assert "остало је уз аванс" in said
    assert "рачуна се у" not in said, "the advance may be given back by now"
    assert "вратите купцу" not in said


async def an_exchange_that_was_in_doubt_moves_its_difference(care: Caring) -> None:
    pair = await cases.exchange_half_done(care.shop)
    care.shop.outbox.try_again(pair.new.key)
    await cases.settle(care.shop, 20)
    await care.opened()
    told = await told_when_solved(care, pair.new)
    assert "Наплатите 158,00, ако већ нисте: готовина. Дајте купцу кусур 1,00," in told


@each("step", [
    a_sale_that_is_dropped_goes_back_to_the_customer, a_refund_that_was_in_doubt_is_paid_out,
    a_refund_whose_copy_a_manager_sends_again_is_paid_out, a_payment_that_was_put_away_goes_back,
    what_was_given_for_an_undone_closing_goes_back,
    a_refund_of_a_correction_whose_copy_is_sent_again_moves_no_money,
    a_payment_that_its_own_screen_put_away_stays_given,
    an_exchange_that_was_in_doubt_moves_its_difference,
])  # fmt: skip
async def test_what_the_hand_does_with_the_money_of_what_ended(care: Caring, step: Step) -> None:
    await care.anew()
    await step(care)


async def what_was_not_sent_while_somebody_waited_is_sent_again(care: Caring) -> None:
    """A refund that waited for the server in vain while the cashier stood there."""
    care.shop.server.running = False
    act = acted(care.shop.till, rounding="-0.50")
    await cases.settle(care.shop, 40)
    care.shop.server.running = True
    await cases.settle(care.shop, 4)
    assert care.state(act) is SaleState.REFUSED
    await care.opened()
    assert care.rows() == ["Рефундација: није издато 842,50"]
    assert (care.waiting(), care.screen.model.decisions) == (1, 1)
    assert "није био спреман док се чекало" in care.said
    assert "Рачун за ово сигурно није издат" in care.said
    assert "дајте 843,00 кад се изда" in care.said
    assert not any("Исправи" in one or "ставк" in one for one in care.buttons)
    assert not care.case_view.show_lines.isVisible()
    care.tap(AGAIN)
    await cases.settle(care.shop)
    assert care.state(act) is SaleState.DONE
    assert care.shop.server.ledger.count(act.key) == 1


async def what_was_refused_for_good_is_cancelled_by_what_says_so(care: Caring) -> None:
    act = await cases.act_refused(care.shop, Fault.FIX)
    await care.opened()
    assert care.rows() == ["Рефундација: није издато 842,50"]
    assert AGAIN not in care.buttons
    care.tap("Погледај рачун")
    await care.until(lambda: care.viewer.files)
    assert care.viewer.files[-1].name == f"{act.target}.pdf"
    assert "Или поништите захтев" in care.said
    care.tap("Поништи захтев")
    await cases.settle(care.shop)
    assert care.state(act) is SaleState.CANCELLED
    assert care.taken == []
    await care.until(lambda: care.rows() == [])
    care.tap("Прикажи решено")
    assert "Рефундација: није издато 842,50" in care.rows()


async def a_refund_whose_copy_waits_for_the_processor_needs_nobody(care: Caring) -> None:
    act = acted(care.shop.till)
    care.shop.server.faults.append(Fault.IN_DOUBT)
    await cases.settle(care.shop, 6)
    care.shop.server.half_signed.add(act.key)
    care.shop.server.kept[act.key].state = states.RequestState.RELEASED
    await cases.settle(care.shop, 40)
    await care.opened()
    assert care.rows() == ["Рефундација: други рачун чека 842,50"]
    assert care.screen.model.decisions == 0
    care.tap("Рефундација: други рачун чека")
    assert "Један од два рачуна је издат, а други чека процесор." in care.said
    assert not any("не постоји" in one for one in care.buttons)
    care.shop.server.sign(act.key)
    await cases.settle(care.shop, 20)
    assert care.state(act) is SaleState.DONE


@each(
    "step",
    (
        what_was_not_sent_while_somebody_waited_is_sent_again,
        what_was_refused_for_good_is_cancelled_by_what_says_so,
        a_refund_whose_copy_waits_for_the_processor_needs_nobody,
    ),
)
async def test_an_operation_on_a_receipt(care: Caring, step: Step) -> None:
    await care.anew()
    await step(care)


def decided(care: Caring) -> list[tuple[str, str | None, str]]:
    """The decisions in the table of acts: what about, of which sale, its amount."""
    since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    rows = care.shop.services.acts.acts(since=since, until=until)
    return [
        (one.subject, one.sale_key, one.before) for one in rows if one.done is NotedAct.DECISION
    ]


async def refused(care: Caring, *, by_scan: bool = False) -> None:
    """Declare the case in front absent, or scan its paper, which the server refuses."""
    what = "The request is released: there is no doubt about it."
    care.shop.doubts.faults.append(Refused("no_doubt", what=what, reply_code="40900001"))
    if by_scan:
        assert care.screen.receipt_scanned(care.shop.doubts.right)
    else:
        care.tap("Рачун не постоји")


async def settled(care: Caring) -> None:
    await care.until(lambda: not care.room.running)
    await care.refreshed()


async def test_it_opens_the_case_it_was_asked_for_or_nothing_acts_before_one_is_chosen(
    care: Caring,
) -> None:
    """The case of a half-done pair has another id than its sale."""
    await care.anew()
    refused = await cases.refused(care.shop)
    act = await cases.half_done_here(care.shop)
    await care.opened()
    assert care.room.model.current_id == refused.key
    for key, is_there in ((act.key, True), ("0" * 32, False)):
        care.frame.go_home()
        care.frame.open(ATTENTION, CasePlace(key))
        await care.refreshed()
        current = care.room.model.current
        assert current is not None
        assert (current.sale_key == key) is is_there
    care.press("Enter")
    care.press("Enter")
    assert care.state(refused) is SaleState.REFUSED
    assert "изаберите" in care.news.lower()


async def two_of_other_programs(care: Caring) -> tuple[str, str]:
    first = replace(cases.foreign(care.shop), receipt_id="1f0c2d54-foreign", total=Money("100.00"))
    second = replace(first, receipt_id="2f0c2d54-foreign", total=Money("700.00"))
    await cases.tell_open(care.shop, first, second)
    await care.opened()
    assert care.room.model.current_id == first.receipt_id
    return first.receipt_id, second.receipt_id


NOT_ACCEPTED = "Сервер то није прихватио: ово је у међувремену решено."


async def a_refusal_is_told_at_its_case_and_ends_with_it(care: Caring) -> None:
    """The first doubt was ended before this decision on it came to the server."""
    for by_scan in (False, True):
        await care.anew()
        _, second = await two_of_other_programs(care)
        await refused(care, by_scan=by_scan)
        await settled(care)
        errors = [one.error() for one in care.case_view.findChildren(Field)]
        assert NOT_ACCEPTED in (errors if by_scan else [care.news])
        care.shop.server.open = care.shop.server.open[1:]
        await care.until(lambda: care.room.model.current_id == second)  # noqa: B023
        await care.refreshed()
        assert NOT_ACCEPTED not in care.said
        assert not [one for one in care.case_view.findChildren(Field) if one.error()]


async def a_case_that_ended_before_anybody_looked_holds_up_no_enter(care: Caring) -> None:
    """The case that came in its place was shown to nobody before."""
    care.room.model.acted_id = ""
    _, second = await two_of_other_programs(care)
    care.frame.go_home()
    assert care.waiting() == 2
    care.shop.server.open = care.shop.server.open[1:]
    await care.until(lambda: care.waiting() == 1)
    care.frame.open(ATTENTION)
    await care.refreshed()
    assert care.room.model.current_id == second
    assert not care.room.model.came_by_itself


async def one_that_comes_after_its_case_is_told_at_no_other(care: Caring) -> None:
    _, second = await two_of_other_programs(care)
    await refused(care)
    care.shop.server.open = care.shop.server.open[1:]
    await cases.settle(care.shop)
    await settled(care)
    assert care.room.model.current_id == second
    assert "Сервер то није прихватио" not in care.said


async def one_that_comes_while_another_case_is_shown_names_its_own(care: Caring) -> None:
    await cases.doubtful(care.shop, "100.00", cash="100.00")
    await cases.doubtful(care.shop, "700.00", cash="700.00")
    await care.opened()
    care.shop.doubts.faults.append(NotDelivered(what="nobody there"))
    care.tap("Рачун не постоји")
    care.press("Down")
    await settled(care)
    assert "Не зна се да ли је рачун издат · 100,00: Сервер се не јавља" in care.said
    care.press("Up")
    assert "Сервер се не јавља" not in care.said


async def a_decision_names_its_request_in_the_acts(care: Caring) -> None:
    sale = await cases.doubtful(care.shop, "100.00", cash="100.00")
    await care.opened()
    care.tap("Рачун не постоји")
    await care.until(lambda: care.state(sale) is SaleState.DONE)
    subject, key, before = decided(care)[-1]
    assert (key, before) == (sale.key, "100.00")
    assert sale.receipt_id is not None
    assert sale.receipt_id in subject


async def a_doubt_of_a_sale_that_is_to_be_cancelled_does_not_offer_to_send_it(care: Caring) -> None:
    sale = await cases.doubtful(care.shop, "100.00", cash="100.00")
    care.shop.store.sales.request_cancel(sale.key, reason="одустао", at=care.shop.clock.now())
    await care.opened()
    assert "пошаљи поново" not in care.said
    care.tap("Рачун не постоји, поништи продају")
    await care.until(lambda: care.state(sale) is SaleState.CANCELLED)


async def a_decided_doubt_of_another_program_goes_at_once(care: Caring) -> None:
    """The server's state is asked anew at once, not within the five seconds of an idle till."""
    foreign = cases.foreign(care.shop)
    await cases.tell_open(care.shop, foreign)
    await care.opened()
    assert care.rows() == ["Рачун другог програма у сумњи 77,00"]
    assert MANAGER not in care.said, "nobody types another person's name where people sign in"
    for _ in range(3):
        await care.shop.outbox.step()
    care.tap("Рачун не постоји")
    while care.room.running:  # noqa: ASYNC110 - a step of the outbox goes on with the clock
        await asyncio.sleep(0.002)
    assert care.shop.doubts.told == [("absent", foreign.receipt_id, "Ненад Костић")]
    for _ in range(3):
        await care.shop.outbox.step()
    await care.refreshed()
    assert care.rows() == []
    subject, _, before = decided(care)[-1]
    assert foreign.receipt_id in subject
    assert before == "77.00"


REFUSALS: Sequence[Step] = (
    a_refusal_is_told_at_its_case_and_ends_with_it,
    a_case_that_ended_before_anybody_looked_holds_up_no_enter,
    one_that_comes_after_its_case_is_told_at_no_other,
    one_that_comes_while_another_case_is_shown_names_its_own,
    a_decision_names_its_request_in_the_acts,
    a_doubt_of_a_sale_that_is_to_be_cancelled_does_not_offer_to_send_it,
    a_decided_doubt_of_another_program_goes_at_once,
)


@pytest.mark.usefixtures("signed_in")
@each("step", REFUSALS)
async def test_a_decision_and_its_refusal(care: Caring, step: Step) -> None:
    await care.anew()
    await step(care)


@pytest.mark.parametrize("is_same", sampled([True, False]))
async def test_a_decision_that_is_not_taken_leaves_no_row(care: Caring, *, is_same: bool) -> None:
    """The server has not answered the decision before: its key is pressed twice, or that of another
    case."""
    sign_in(care.shop.services)
    people = care.shop.services.people
    people.keep_rights(people.rights().with_cell(Act.DECIDE, Role.CASHIER, Leave.MAY))
    await cases.alarmed(care.shop, cases.late_receipt(care.shop), cases.foreign_traffic(care.shop))
    await care.opened()
    care.press("Enter")
    care.tap("Виђено")
    if not is_same:
        care.press("Down", "Enter")
    care.tap("Виђено")
    await settled(care)
    assert (len(care.shop.doubts.told), len(decided(care))) == (1, 1)
    care.press("Enter")
    care.tap("Виђено")
    await care.until(lambda: len(care.shop.doubts.told) == 2)
    assert len(decided(care)) == 2


NO = "Остави како јесте"
HARMLESS = {
    "act_refused": {"again", "show"}, "correct_or_drop": {"again", "correct", "show"},
    "take_back": {"end"}, "closed_without_goods": {"end"}, "credit_owed": {"end"},
    "half_correction": {"go_on"}, "half_exchange": {"go_on"}, "unbegun_correction": {"go_on"},
    "unbegun_exchange": {"go_on"}, "delivery_failed": {"again"}, "delivery_waits": {"again"},
    "papers_wait": {"print_all"}, "papers_failed": {"print_all"}, "drawer_shut": {"again"},
    "server_fails": {"end"}, "carts_set_aside": {"end"}, "public_notice": {"end"},
    "public_taken": {"end"}, "version_not_installed": {"end"},
    "new_version": {"install", "later"}, "card_pin": {"end"}, "price_labels": {"open"},
    "joining_to_decide": {"open"}, "edits_to_decide": {"open"},
    "labels_of_tomorrow": {"open"},
    "labels_of_today": {"open"},
}  # fmt: skip
"""The acts that may have the focus at first, by the kind of their case."""


@pytest.mark.parametrize("scene", [one for one in SCENES if one != "wrong"])  # types a name
async def test_the_first_enter_does_nothing_that_can_t_be_taken_back(
    care: Caring, signed_in: None, scene: str
) -> None:
    await care.opened()
    await SCENES[scene](care.shop, care.screen)
    await care.refreshed()
    care.shop.doubts.told.clear()
    for one in care.screen.model.cases:
        care.screen.choose(one.id)
        steps = care.case_view.steps
        names = {button: name for name, button in steps.buttons.items()} if steps else {}
        first = QApplication.focusWidget()
        if isinstance(first, Button) and names.get(first) not in {
            None,
            *HARMLESS.get(one.kind, ()),
        }:
            care.press("Enter")
            if QApplication.focusWidget() is first:
                first.click()  # as the till's window does it
            assert care.shop.doubts.told == [], one.kind
            now = QApplication.focusWidget()
            assert now is not None
            assert now.accessibleName() == NO, one.kind
