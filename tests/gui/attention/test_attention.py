"""Deciding the cases of Attention, with real keys and taps, over a real till.db."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.model import CaseNews
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import states
from pos_app.domain.receipt.operations import Operation
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
from tests.gui.attention.conftest import Caring
from tests.gui.attention.doubts import verification_url
from tests.gui.payment.shop import CASHIER
from tests.sweep import sampled, turns

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
MANAGER = "Име управника"


def buttons_of_case(care: Caring) -> list[str]:
    assert care.case_view is not None
    buttons = care.case_view.findChildren(QAbstractButton)
    return [one.accessibleName() or one.text() for one in buttons if one.isVisible()]


def state(care: Caring, key: str) -> SaleState:
    return care.shop.store.sales.sale(key).state


async def test_nothing_waits_and_that_is_said(care: Caring) -> None:
    await care.opened()
    assert care.screen.case_view is None
    assert care.waiting() == 0
    shown = [label.text() for label in care.window.findChildren(QLabel) if label.isVisible()]
    assert "Све је у реду" in shown
    care.press("Esc")
    assert care.is_left


async def test_a_doubt_shows_who_must_act_and_what_was_found(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await cases.waiting(care.shop, "1236.00")
    await care.opened()
    assert care.rows() == [
        "Не зна се да ли је рачун издат 842,50",
        "Продаја чека процесор 1.236,00",
    ]
    assert care.waiting() == 2
    assert "порастао са 8652 на 8653" in shown(care)


async def test_a_server_that_can_t_start_says_why_and_is_started_by_enter(care: Caring) -> None:
    care.shop.server.running = False
    await cases.settle(care.shop)
    care.shop.outbox.take_server_fault(cases.newer_journal())
    await care.opened()
    assert care.rows() == ["Сервер не ради"]
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "Податке је уписала новија верзија програма." in shown
    assert "позовите подршку и прочитајте: /home/kasa" in shown
    assert "Потврђене продаје су сачуване у каси" in shown
    care.press("Enter")
    assert care.shop.keeper.asked == 1
    await care.until(lambda: care.case_view.news_text() == "Сервер се покреће.")
    care.shop.server.running = True
    care.shop.outbox.take_server_fault(None)
    await care.until(lambda: care.screen.case_view is None)


async def test_an_alarm_is_seen_by_a_manager_with_a_name(care: Caring) -> None:
    await cases.alarmed(care.shop, cases.late_receipt(care.shop), cases.foreign_traffic(care.shop))
    await care.opened()
    assert care.rows() == ["Рачун је накнадно издат 842,50", "Рачуни којих овде нема"]
    assert care.waiting() == 2
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "ABCD1234-ABCD1234-8651 на 842,50 издат је данас у 10:21" in shown
    assert "ABCD1234-ABCD1234-8651 треба рефундирати" in shown
    care.press("Enter")
    assert care.shop.doubts.told == []
    care.tap("Власник")
    care.tap("Виђено")
    await care.until(lambda: care.rows() == ["Рачуни којих овде нема"])
    assert care.shop.doubts.told == [("seen", "4", "Власник")]
    assert care.waiting() == 1
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    for cause in ("из старије копије", "други програм", "негде ради копија овог рачунара"):
        assert cause in shown
    assert "Продаје ове касе су све ту" not in shown


@pytest.mark.parametrize("is_same", sampled([True, False]))
async def test_a_decision_that_is_not_taken_leaves_no_row(care: Caring, is_same: bool) -> None:
    """The server has not answered the decision before: its key is pressed twice, or that of another
    case."""
    sign_in(care.shop.services)
    people = care.shop.services.people
    people.keep_rights(people.rights().with_cell(Act.DECIDE, Role.CASHIER, Leave.MAY))
    await cases.alarmed(care.shop, cases.late_receipt(care.shop), cases.foreign_traffic(care.shop))
    await care.opened()
    care.press("Enter")
    if not is_same:
        care.press("Down")
    care.press("Enter")
    await care.until(lambda: not care.room.running)
    await care.refreshed()
    assert len(care.shop.doubts.told) == 1
    assert decisions(care) == 1
    care.press("Enter")
    await care.until(lambda: len(care.shop.doubts.told) == 2)
    assert decisions(care) == 2


def decisions(care: Caring) -> int:
    """The number of decisions in the table of acts."""
    since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    rows = care.shop.services.acts.acts(since=since, until=until)
    return sum(one.done is NotedAct.DECISION for one in rows)


async def test_an_answer_that_differs_is_told_with_its_members(care: Caring) -> None:
    await cases.alarmed(care.shop, cases.answer_differs(care.shop))
    await care.opened()
    assert care.rows() == ["Одговор процесора се разликује"]
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert (
        "Код 2 рачуна одговор процесора се разликује у: requestedBy, buyer. Рачуни су издати"
        in shown
    )
    assert "ABCD1234-ABCD1234-8655" in shown
    care.tap("Власник")
    care.tap("Виђено")
    await care.until(lambda: care.waiting() == 0)
    assert care.shop.doubts.told == [("seen", "9", "Власник")]


async def test_a_damaged_catalogue_is_told_until_it_is_mended(care: Caring) -> None:
    await cases.alarmed(care.shop, cases.catalogue_damaged(care.shop))
    await care.opened()
    assert care.rows() == ["Датотека каталога је оштећена"]
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "оштећена датотека се склања" in shown
    await cases.alarmed(care.shop)
    await care.until(lambda: care.waiting() == 0)


async def test_what_came_out_of_a_copy_is_told_and_ended_by_a_manager(care: Caring) -> None:
    await cases.put_back(care.shop)
    await care.opened()
    rows = [
        "Корпе из резервне копије",
        "Нови безбедносни елемент",
        "Враћена је старија резервна копија",
    ]
    assert sorted(care.rows()) == sorted(rows)
    care.side.rows["carts set aside"].click()
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "58,99 (20.11.2026. 10:30, Касир 3)" in shown
    care.tap("Видео сам")
    await care.until(lambda: rows[0] not in care.rows())
    care.side.rows["element NEWC4RD1"].click()
    care.tap("Власник")
    care.tap("Прихвати елемент")
    await care.until(lambda: care.rows() == [rows[2]])
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "каса памти новије" in shown
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
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "недостају најмање 4 потврђене продаје за које сервер зна (бр. 1–4)" in shown
    assert "папире из фиоке" in shown
    assert "Ништа не бришите" in shown
    care.tap("Власник")
    care.tap("Затвори упозорење")
    await care.until(lambda: care.rows() == [])
    care.shop.server.grow(1)
    await cases.settle(care.shop)
    await care.refreshed()
    assert care.rows() == []


PERHAPS = "Рачун 8653 можда није одштампан 2.110,00"


async def test_what_was_not_printed_has_two_answers(care: Caring) -> None:
    perhaps, refused, waits = cases.not_printed(care.shop)
    await cases.undelivered(care.shop, perhaps, refused, waits)
    await care.opened()
    rows = [PERHAPS, "Рачун 8652 није послат 310,00", "Рачун 8654 чека штампу 12.896,50"]
    assert care.rows() == rows
    assert care.waiting() == 3
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "ABCD1234-ABCD1234-8653: не зна се да ли је одштампан (веза је прекинута)" in shown
    care.tap("Папир је ту")
    await care.until(lambda: care.rows() == rows[1:])
    care.tap("Пошаљи поново")
    under_way = ["Рачун 8652 се шаље поново 310,00"]
    await care.until(lambda: sorted(care.rows()) == sorted([*under_way, *rows[2:]]))
    assert care.shop.doubts.told == [("seen", "3", CASHIER), ("again", "2", CASHIER)]
    failed_again = replace(refused, changed_at=care.shop.clock.now())
    await cases.undelivered(care.shop, failed_again)
    care.screen.refresh()
    await care.until(lambda: care.rows() == rows[1:2])


@pytest.mark.parametrize(
    ("method", "job_state"),
    turns(
        [states.JobMethod.THERMAL, states.JobMethod.EMAIL, states.JobMethod.A4],
        [states.JobState.UNPROVEN, states.JobState.FAILED, states.JobState.WAITING],
    ),
)
async def test_each_way_of_delivery_has_its_row_and_answers(
    care: Caring, job_state: states.JobState, method: states.JobMethod
) -> None:
    paper = method is not states.JobMethod.EMAIL
    row, answers = {
        states.JobState.UNPROVEN: (0, ("Папир је ту", "Порука је стигла")),
        states.JobState.FAILED: (1, ("Није потребно", "Није потребно")),
        states.JobState.WAITING: (2, ("Није потребно", "Није потребно")),
    }[job_state]
    like, *_ = cases.not_printed(care.shop)
    await cases.undelivered(care.shop, replace(like, method=method, state=job_state))
    await care.opened()
    rows = (
        ("можда није одштампан", "није одштампан", "чека штампу")
        if paper
        else ("можда није послат", "није послат", "чека слање")
    )
    assert care.rows() == [f"Рачун 8653 {rows[row]} 2.110,00"]
    again = "Одштампај поново" if paper else "Пошаљи поново"
    as_file = paper and job_state is states.JobState.WAITING
    pdf = "PDF уместо папира" if as_file else "Отвори као PDF"
    to_another = [] if paper else ["Пошаљи на ову адресу"]
    assert buttons_of_case(care) == [again, answers[0 if paper else 1], *to_another, pdf]


@pytest.mark.parametrize(
    ("left_off", "title"),
    sampled(
        [
            (1, "Још 1 рачун није стигао до купца"),
            (3, "Још 3 рачуна нису стигла до купца"),
            (12, "Још 12 рачуна није стигло до купца"),
        ]
    ),
)
async def test_what_the_server_only_counted_is_told_below_and_rings_no_bell(
    care: Caring, left_off: int, title: str
) -> None:
    care.shop.server.jobs_left_off = left_off
    await cases.undelivered(care.shop, cases.not_printed(care.shop)[0])
    await care.opened()
    assert care.rows() == [PERHAPS, title]
    assert care.waiting() == 1
    care.side.rows["more jobs"].click()
    assert buttons_of_case(care) == []
    assert "долазе на њихово место" in shown(care)


async def test_a_row_takes_its_answers_itself(care: Caring) -> None:
    await cases.undelivered(care.shop, *cases.not_printed(care.shop))
    await care.opened()
    side = care.side.rows
    shown_in = {
        row_id: [one.accessibleName() for one in row.findChildren(QAbstractButton)]
        for row_id, row in side.items()
    }
    assert shown_in == {
        "job 3": [
            "Одштампај поново: Рачун 8653 можда није одштампан",
            "Папир је ту: Рачун 8653 можда није одштампан",
        ],
        "job 2": ["Пошаљи поново: Рачун 8652 није послат", "PDF: Рачун 8652 није послат"],
        "job 4": ["Одштампај поново: Рачун 8654 чека штампу", "PDF: Рачун 8654 чека штампу"],
    }
    care.viewer.opens = None
    care.tap("PDF: Рачун 8654")
    await care.until(lambda: care.viewer.files == [Path("/shown/r-4.pdf")])
    await care.until(lambda: care.case_view.news_text().startswith("PDF се отвара"))
    assert care.screen.model.current_id == "job 4"
    care.tap("Одштампај поново: Рачун 8654")
    await care.until(lambda: "Рачун 8654 се штампа поново 12.896,50" in care.rows())
    care.tap("Папир је ту: Рачун 8653")
    await care.until(lambda: "job 3" not in care.side.rows)
    assert care.shop.doubts.told == [("again", "4", CASHIER), ("seen", "3", CASHIER)]


async def test_a_paper_of_the_till_is_no_receipt_to_be_opened(care: Caring) -> None:
    like, *_ = cases.not_printed(care.shop)
    await cases.undelivered(care.shop, replace(like, number=None, receipt_id=None, total=None))
    await care.opened()
    assert care.rows() == ["Можда је одштампано"]
    assert buttons_of_case(care) == ["Одштампај поново", "Папир је ту"]


@pytest.mark.parametrize(
    ("opens", "said"),
    [(True, "PDF се отвара."), (False, "Позовите подршку и прочитајте: /shown/r-3.pdf")],
)
async def test_a_receipt_that_did_not_come_out_is_opened_as_a_file(
    care: Caring, opens: bool, said: str
) -> None:
    care.viewer.opens = opens
    await cases.undelivered(care.shop, cases.not_printed(care.shop)[0])
    await care.opened()
    care.tap("Отвори као PDF")
    await care.until(lambda: said_in(care.case_view).endswith(said))
    await care.refreshed()
    assert said_in(care.case_view).endswith(said)
    assert care.viewer.files == [Path("/shown/r-3.pdf")]
    assert care.shop.receipt_files.asked == [("r-3", CASHIER)]
    assert care.rows() == [PERHAPS]  # a file answers nothing


def said_in(case: CaseView) -> str:
    """The words at the bottom, without the positions where a path may break."""
    return case.news_text().replace("\u200b", "")


async def test_a_receipt_that_does_not_come_is_not_opened(care: Caring) -> None:
    care.shop.receipt_files.fault = Refused(what="Receipt not found")
    await cases.undelivered(care.shop, cases.not_printed(care.shop)[0])
    await care.opened()
    told: list[CaseNews] = []
    care.room.reported.connect(told.append)
    care.tap("Отвори као PDF")
    await care.until(lambda: told)
    assert told[0].is_trouble
    assert care.viewer.files == []


async def test_who_was_refused_today_is_a_quiet_line(care: Caring) -> None:
    care.shop.doubts.refused = cases.refused_callers(care.shop)
    await care.shop.outbox.step()
    await care.opened()
    await care.until(lambda: len(care.rows()) == 2)
    assert care.waiting() == 0
    assert care.screen.case_view is None
    care.tap("Одбијен је програм")
    await care.until(lambda: care.screen.case_view is not None)
    shown = " ".join(one.text() for one in care.case_view.findChildren(QLabel) if one.isVisible())
    assert "Веб-страница https://erp.example.rs је тражила" in shown
    assert "Данас 2 пута." in shown
    assert "управник дозвољава https://erp.example.rs" in shown


async def test_the_processors_paper_is_scanned(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    assert care.screen.receipt_scanned(care.shop.doubts.right)
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)
    await care.refreshed()
    assert care.rows() == []
    assert care.case_view.attention_case.kind == "solved"
    assert care.shop.server.ledger == [sale.key]
    care.frame.go_home()
    await care.refreshed()
    assert care.screen.case_view is None


async def test_the_address_is_typed_and_enter_checks_it(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    care.screen.setFocus(Qt.FocusReason.OtherFocusReason)
    assert QApplication.focusWidget() is care.field(ADDRESS).edit
    care.press("https://suf", "Enter")
    await care.until(lambda: care.field(ADDRESS).error().startswith("Ово није адреса"))
    care.field(ADDRESS).set_text(care.shop.doubts.right)
    care.press("Enter")
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)


async def test_the_paper_of_another_sale_is_refused_in_words(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    care.screen.receipt_scanned(verification_url(total="1.00", counter=7))
    await care.until(lambda: care.field(ADDRESS).error() == "Тај рачун није од ове продаје.")
    assert state(care, sale.key) is SaleState.DOUBT
    assert care.button("Провери рачун").isEnabled()


async def test_looking_again_tells_what_came_of_it(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    care.tap("Потражи поново")
    await care.until(lambda: care.case_view.news_text() == "Рачун ни сада није пронађен.")
    assert ("lookup", "receipt-1", "") in care.shop.doubts.told
    assert care.button("Потражи поново").isEnabled()


async def test_no_answer_of_the_server_is_no_dead_end(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    care.shop.doubts.faults.append(NotDelivered(what="nobody there"))
    care.tap("Потражи поново")
    await care.until(lambda: care.case_view.news_text().startswith("Сервер се не јавља"))
    assert care.button("Потражи поново").isEnabled()


async def test_a_manager_declares_it_absent_by_name(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    care.tap("Рачун не постоји")
    assert care.field(MANAGER).error() == "Упишите име управника"
    assert state(care, sale.key) is SaleState.DOUBT
    care.press("Ana")
    care.tap("Рачун не постоји")
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)
    assert care.shop.doubts.told[-1] == ("absent", "receipt-1", "Ana")
    assert care.shop.server.ledger == [sale.key]


async def test_a_finger_alone_declares_it_absent(care: Caring) -> None:
    sale = await cases.doubtful(care.shop)
    await care.opened()
    care.tap("Власник")
    care.tap("Рачун не постоји")
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)
    assert care.shop.doubts.told[-1] == ("absent", "receipt-1", "Власник")


async def test_a_refused_sale_is_corrected_in_a_new_cart(care: Caring) -> None:
    sale = await cases.refused(care.shop)
    await care.opened()
    care.screen.setFocus(Qt.FocusReason.OtherFocusReason)
    care.press("Enter")
    await care.until(lambda: care.taken)
    taken = care.taken[0]
    assert (taken.key, taken.state) == (sale.key, SaleState.CANCELLED)
    basket = sell.start(till=care.shop.till, cashier=CASHIER)
    again = sell.take_back(till=care.shop.till, ticket=basket, sale=taken)
    assert again.cart.total == Money("310.00")
    assert again.key != sale.key
    await care.refreshed()
    assert care.rows() == []


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


async def test_lines_of_an_earlier_correction_wait_for_a_press(care: Caring) -> None:
    await cases.refused(care.shop)
    care.shop.outbox.cancel(care.shop.store.sales.last(1)[0].key, reason="correction")
    await cases.settle(care.shop)
    await care.opened()
    assert care.taken == []
    care.tap("Врати ставке у корпу")
    assert len(care.taken) == 1


async def test_a_refused_sale_is_dropped_with_a_reason(care: Caring) -> None:
    sale = await cases.refused(care.shop)
    await care.opened()
    care.tap("Одбаци продају")
    assert care.field("Разлог").error() == "Изаберите или упишите разлог"
    care.field("Разлог").edit.setFocus()
    QTest.keyClicks(care.field("Разлог").edit, "1")  # nobody would know later what a digit meant
    care.tap("Одбаци продају")
    assert care.field("Разлог").error() == "Изаберите или упишите разлог"
    care.tap("Купац је одустао")
    care.tap("Одбаци продају")
    await care.until(lambda: state(care, sale.key) is SaleState.CANCELLED)
    assert care.shop.store.sales.sale(sale.key).cancel_reason == "Купац је одустао"
    assert care.taken == []


async def test_a_refused_sale_is_sent_again_as_it_is(care: Caring) -> None:
    sale = await cases.refused(care.shop)
    await care.opened()
    care.tap("Пошаљи поново")
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)


@pytest.mark.parametrize("code", sampled(CURES))
async def test_each_code_that_a_person_cures_is_told_in_its_own_words(
    care: Caring, code: str
) -> None:
    await cases.to_be_cured(care.shop, code)
    await care.opened()
    told = shown(care)
    assert "Процесор не издаје рачуне." not in told
    happened, press = CURED[code]
    assert happened in told
    assert press in told


async def test_the_servers_words_are_shown_as_plain_text(care: Caring) -> None:
    await cases.refused(care.shop)
    await care.opened()
    labels = care.window.findChildren(QLabel)
    assert '"items[0].sku" 90 does not exist' in [label.text() for label in labels]
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


async def test_items_and_back_again(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    care.tap("Прикажи ставке")
    assert care.case_view.lines is not None
    assert care.case_view.lines.view.model().rowCount() == 1
    care.screen.toggle_keys()  # F1 in the window, and back
    care.screen.toggle_keys()
    focused = care.window.focusWidget()
    assert focused is not None
    assert focused.isVisible(), "what is typed goes into no field that nobody sees"
    care.press("Esc")
    assert care.case_view.lines is None
    assert not care.is_left
    care.press("Esc")
    assert care.is_left


@pytest.mark.parametrize(
    ("dropped", "row", "press"),
    [
        (False, "Издат, али нечитљив 310,00", "препишите број рачуна"),
        (True, "Продаја одбачена, а рачун издат 310,00", "кад сервер опет буде могао да прочита"),
    ],
)
async def test_an_issued_receipt_that_can_t_be_read_is_told_until_it_was_seen(
    care: Caring, dropped: bool, row: str, press: str
) -> None:
    sale = await cases.unreadable(care.shop, dropped=dropped)
    assert sale.state is SaleState.DONE
    await care.opened()
    assert (care.rows(), care.waiting()) == ([row], 1)
    assert sale.receipt is not None
    said = shown(care)
    assert sale.receipt.fiscal_number in said
    assert press in said
    care.tap("Видео сам")
    await care.refreshed()
    assert (care.rows(), care.waiting()) == ([], 0)


async def test_what_was_solved_today(care: Caring) -> None:
    await cases.solved(care.shop)
    await care.opened()
    care.tap("Прикажи решено")
    assert care.rows() == ["Рачун 1 120,00"]
    care.press("Esc")
    assert care.rows() == []


async def test_up_and_down_choose_a_case(care: Caring) -> None:
    await cases.refused(care.shop)
    await cases.doubtful(care.shop)
    await care.opened()
    first = care.case_view.attention_case.id
    care.tap("Сервер је одбио продају")
    care.press("Down")
    assert care.case_view.attention_case.id != first
    care.press("Up")
    assert care.case_view.attention_case.id == first


async def test_what_is_typed_survives_events(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    care.field(MANAGER).setFocus()
    care.press("Ana")
    await cases.waiting(care.shop, "10.00")
    await care.refreshed()
    assert care.field(MANAGER).text() == "Ana"
    assert QApplication.focusWidget() is care.field(MANAGER).edit
    assert len(care.rows()) == 2


async def test_selling_goes_on_while_a_receipt_is_in_doubt(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    sale = cases.sold(care.shop)
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)
    assert care.waiting() == 1


async def test_another_programs_doubt_is_answered_too(care: Caring) -> None:
    foreign = cases.foreign(care.shop)
    await cases.tell_open(care.shop, foreign)
    care.window.show()
    care.screen.refresh()
    assert care.rows() == ["Рачун другог програма у сумњи 77,00"]
    care.tap("Управник")
    care.tap("Рачун не постоји")
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [("absent", foreign.receipt_id, "Управник")]
    await care.until(lambda: not care.tasks.names)


async def test_other_words_at_once(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    care.change(language="sr-Latn")
    assert care.rows() == ["Ne zna se da li je račun izdat 842,50"]
    care.change(language="en")
    assert care.rows() == ["Not known whether it was issued 842,50"]


async def test_what_is_typed_and_shown_is_there_in_other_words_and_sizes(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    steps = care.steps
    steps.fields["address"].set_text("https://suf")
    care.case_view.toggle_lines()
    care.change(language="en", metrics=measure(touch_mm=15))
    assert care.steps is not steps
    assert care.steps.fields["address"].text() == "https://suf"
    assert care.case_view.lines is not None
    care.case_view.show_lines.click()
    assert care.case_view.lines is None


@pytest.mark.parametrize("touch", sampled([9, 12]))
async def test_everything_fits_and_has_a_name(care: Caring, touch: TouchMm) -> None:
    await cases.doubtful(care.shop)
    await cases.refused(care.shop)
    care.change(metrics=measure(touch_mm=touch, width=1024))
    care.window.resize(1024, 734)
    await care.opened()
    for _ in range(2):
        controls = [
            one
            for kind in (QAbstractButton, QLineEdit)
            for one in care.window.findChildren(kind)
            if one.isVisible()
        ]
        assert [one for one in controls if not one.accessibleName()] == []
        for one in controls:
            assert not one.visibleRegion().isEmpty(), one.accessibleName()
            assert one.visibleRegion().boundingRect().height() == one.height(), one.accessibleName()
        care.tap("Не зна се да ли је рачун издат")
        await care.refreshed()


async def test_articles_to_be_completed_are_listed_and_hide_nothing(care: Caring) -> None:
    cases.sold_unknown(care.shop, "4006381333931")
    await cases.settle(care.shop)
    await care.opened()
    assert care.rows() == ["1 артикал за допуну"]
    assert care.screen.case_view is None
    care.tap("1 артикал за допуну")
    names = [one.accessibleName() for one in care.case_view.findChildren(QWidget)]
    told = "4006381333931, Разна роба · ознака Е · 1 продаја"
    assert any(name.startswith(told) for name in names)


# --- operations on receipts ----------------------------------------------------------------------


AGAIN = "Пошаљи поново без измене"


async def act_left_in_front(care: Caring) -> Sale:
    """A refund that waited for the server in vain while the cashier stood there."""
    care.shop.server.running = False
    act = acted(care.shop.till, rounding="-0.50")
    await cases.settle(care.shop, 40)
    care.shop.server.running = True
    await cases.settle(care.shop, 4)
    return care.shop.store.sales.sale(act.key)


async def test_what_was_not_sent_while_somebody_waited_is_sent_again(care: Caring) -> None:
    act = await act_left_in_front(care)
    assert act.state is SaleState.REFUSED
    await care.opened()
    assert care.rows() == ["Рефундација: није издато 842,50"]
    assert (care.waiting(), care.screen.model.decisions) == (1, 1)
    assert "није био спреман док се чекало" in shown(care)
    assert "Рачун за ово сигурно није издат" in shown(care)
    assert "дајте 843,00 кад се изда" in shown(care)
    assert not any("Исправи" in one or "ставк" in one for one in buttons_of_case(care))
    assert not care.case_view.show_lines.isVisible()
    care.tap(AGAIN)
    await cases.settle(care.shop)
    assert care.shop.store.sales.sale(act.key).state is SaleState.DONE
    assert care.shop.server.ledger == [act.key]


async def test_what_was_refused_for_good_is_seen_and_put_away(care: Caring) -> None:
    act = await cases.act_refused(care.shop, Fault.FIX)
    await care.opened()
    assert care.rows() == ["Рефундација: није издато 842,50"]
    assert AGAIN not in buttons_of_case(care)
    care.tap("Погледај рачун")
    await care.until(lambda: care.viewer.files)
    assert care.viewer.files[-1].name == f"{act.target}.pdf"
    care.tap("Видео сам")
    await cases.settle(care.shop)
    assert care.shop.store.sales.sale(act.key).state is SaleState.CANCELLED
    assert care.taken == []
    await care.until(lambda: care.rows() == [])
    care.tap("Прикажи решено")
    assert care.rows() == ["Рефундација: није издато 842,50"]


@pytest.mark.parametrize("fault", sampled([Fault.FIX, Fault.WAIT]))
async def test_a_refund_by_hand_has_no_receipt_to_show(care: Caring, fault: Fault) -> None:
    """The journal does not hold it: it is sent again where that is allowed, or put away."""
    act = acted(care.shop.till, target=None)
    care.shop.server.faults.append(fault)
    await cases.settle(care.shop, 6)
    await care.opened()
    assert "Погледај рачун" not in buttons_of_case(care)
    assert (AGAIN in buttons_of_case(care)) == (fault is not Fault.FIX)
    told = shown(care)
    assert "Погледајте рачун" not in told
    assert "На рачуну се види" not in told
    assert ("Почните ручну рефундацију изнова" in told) == (fault is Fault.FIX)
    care.tap("Видео сам")
    await cases.settle(care.shop)
    assert care.shop.store.sales.sale(act.key).state is SaleState.CANCELLED


@pytest.mark.parametrize(
    ("fault", "operation", "words"),
    sampled(
        [
            (Fault.WAIT, Operation.CLOSE, "Затварање аванса: није издато"),
            (Fault.CURE, Operation.ADVANCE, "Уплата на аванс: није издато"),
            (Fault.FIX, Operation.COPY, "Копија рачуна: није издато"),
        ],
        few=2,
    ),
)
async def test_each_refusal_of_an_operation_has_its_words(
    care: Caring, fault: Fault, operation: Operation, words: str
) -> None:
    await cases.act_refused(care.shop, fault, operation)
    await care.opened()
    assert [row.removesuffix(" 842,50") for row in care.rows()] == [words]
    assert (AGAIN in buttons_of_case(care)) == (fault is not Fault.FIX)
    assert "Видео сам" in buttons_of_case(care)
    assert (
        "родај"
        not in shown(care).replace("Да ли је продаја сачувана", "").partition("Нове продаје")[0]
    )


async def test_a_refund_whose_copy_waits_for_the_processor_needs_nobody(care: Caring) -> None:
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
    assert "Један од два рачуна је издат, а други чека процесор." in shown(care)
    assert not any("не постоји" in one for one in buttons_of_case(care))
    care.shop.server.sign(act.key)
    await cases.settle(care.shop, 20)
    assert care.shop.store.sales.sale(act.key).state is SaleState.DONE


async def test_an_undone_refund_says_so(care: Caring) -> None:
    act = await cases.half_done_here(care.shop)
    care.shop.server.open = ()
    care.shop.server.reversed.add(act.key)
    await cases.settle(care.shop)
    await care.opened()
    assert care.rows() == ["Рефундација: није издато 842,50"]
    assert "операција није обављена" in shown(care)
    assert "издати рачун је поништен" in shown(care).lower()
    assert AGAIN not in buttons_of_case(care)
    care.tap("Видео сам")
    await cases.settle(care.shop)
    assert care.shop.store.sales.sale(act.key).state is SaleState.CANCELLED


async def test_an_operation_that_was_put_away_and_yet_issued_is_told(care: Caring) -> None:
    act = await cases.act_refused(care.shop, Fault.WAIT)
    care.shop.server.sign(act.key)
    care.shop.outbox.cancel(act.key, reason="seen")
    await cases.settle(care.shop)
    await care.opened()
    assert care.rows() == ["Рефундација: одбачено, а рачун издат 842,50"]
    assert "рефундирајте" not in shown(care)
    assert "управник је исправља" in shown(care)


# --- half-done pairs -----------------------------------------------------------------------------


async def paired(care: Caring, operation: Operation = Operation.CLOSE, **more: bool) -> None:
    """Show the case of a half-done pair."""
    await cases.half_pair(care.shop, operation, **more)
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)


def shown(care: Caring) -> str:
    labels = care.case_view.findChildren(QLabel)
    return " ".join(label.text() for label in labels if label.isVisible())


async def test_a_half_done_pair_says_what_is_signed_and_what_was_refused(care: Caring) -> None:
    await paired(care)
    assert care.rows() == ["Недовршено затварање 12.000,00"]
    assert (care.waiting(), care.screen.model.decisions) == (1, 1)
    assert "Издата је Аванс-Рефундација 8660 на 9.000,00." in shown(care)
    assert "Промет-Продаја на 12.000,00, процесор је одбио" in shown(care)
    assert "Облик вредности није добар." in shown(care)
    assert "2806 The value has a wrong format (buyerId)." in shown(care)
    assert "Исправку шаље програм који је рачун тражио" in shown(care)
    told = [label.text() for label in care.case_view.findChildren(QLabel)]
    assert any(text.endswith("949d27ba-close") for text in told)


async def test_a_half_done_refund_of_this_till_is_ended_like_that_of_others(care: Caring) -> None:
    """One receipt is surely issued: nobody is asked whether it is absent."""
    act = await cases.half_done_here(care.shop)
    assert act.receipt_id is not None
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)
    assert care.rows() == ["Недовршена рефундација 842,50"]
    assert care.waiting() == 1
    assert not any("Нема га" in one or "не постоји" in one for one in buttons_of_case(care))
    assert "Исправку шаље програм" not in shown(care)
    care.tap("Власник")
    care.shop.doubts.ends = "signed"
    care.tap("Пошаљи поново")
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [("again", act.receipt_id, "Власник")]


async def test_of_a_pair_of_this_till_it_is_told_which_receipt_is_in_doubt(care: Caring) -> None:
    await cases.half_done_here(care.shop, was_refused=False)
    await care.opened()
    await care.until(lambda: "8660" in shown(care))
    assert care.rows() == ["Рефундација: можда је издато 842,50"]
    assert "Издата је Промет-Рефундација 8660 на 842,50" in shown(care)
    assert "не зна се да ли је издата и Копија-Рефундација на 842,50" in shown(care)


async def test_a_pair_that_the_server_can_t_read_is_shown_and_hides_no_other(care: Caring) -> None:
    shop = care.shop
    shop.server.open = (
        cases.half_done_unread(shop),
        replace(cases.foreign(shop), total=None),
        cases.half_done(shop, Operation.REFUND),
    )
    await cases.settle(shop)
    await care.opened()
    await care.until(lambda: "Позовите подршку" in shown(care))
    assert care.rows() == [
        "Операција није довршена",
        "Рачун другог програма у сумњи",
        "Недовршена рефундација 842,50",
    ]
    assert care.case_view.steps is None
    for row, words in zip(
        care.screen.model.cases,
        ("Позовите подршку", "Потражи поново", "Управник бира"),
        strict=True,
    ):
        care.side.rows[row.id].click()
        assert words in shown(care) or words in buttons_of_case(care)


async def test_a_manager_has_the_refused_receipt_sent_again(care: Caring) -> None:
    await paired(care)
    care.tap("Пошаљи поново")
    assert care.shop.doubts.told == []
    assert care.field(MANAGER).edit.hasFocus()
    care.press("A", "n", "a")
    care.shop.doubts.ends = states.RequestState.NEEDS_HUMAN
    care.tap("Пошаљи поново")
    said = "Процесор је поново одбио. Ништа ново није издато."
    await care.until(lambda: care.case_view.news_text() == said)
    assert care.shop.doubts.told == [("again", "949d27ba-close", "Ana")]
    assert care.rows() == ["Недовршено затварање 12.000,00"]


async def test_who_works_here_decides_under_that_name_alone(care: Caring) -> None:
    """Nobody types another person's name where people sign in."""
    sign_in(care.shop.services)
    here = care.shop.services.here
    here.person = care.shop.services.people.people()[0]
    await paired(care)
    assert MANAGER not in shown(care)
    assert "Власник" not in buttons_of_case(care)
    care.tap("Пошаљи поново")
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [("again", "949d27ba-close", "Ненад Костић")]


@pytest.mark.parametrize(
    ("operation", "words", "after"),
    sampled(
        [
            (Operation.CLOSE, "Аванс-Продаја на 9.000,00", "аванс је потом отворен као пре"),
            (Operation.REFUND, "Промет-Продаја на 842,50", "новац остаје у каси"),
            (Operation.ISSUE, "Промет-Продаја на 842,50", "новац остаје у каси"),
        ],
        few=2,
    ),
)
async def test_undoing_is_confirmed_and_says_what_will_be_signed(
    care: Caring, operation: Operation, words: str, after: str
) -> None:
    await paired(care, operation)
    assert f"издаје се {words} која се позива на ABCD1234-ABCD1234-8660; {after}" in shown(care)
    care.tap("Власник")
    care.tap("Поништи издато")
    assert "Да, издај" in buttons_of_case(care)
    assert f"Биће издата {words} са ПИБ-ом продавца" in shown(care)
    care.tap("Одустани")
    assert "Да, издај" not in buttons_of_case(care)
    assert care.shop.doubts.told == []
    care.tap("Поништи издато")
    care.tap("Да, издај")
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [("reverse", f"949d27ba-{operation}", "Власник")]


async def test_what_a_manager_undid_is_told_at_once_and_stands_under_solved(care: Caring) -> None:
    """Also while the server's last status still has the pair."""
    await paired(care, Operation.REFUND)
    care.shop.doubts.ends = states.REVERSED
    for name in ("Власник", "Поништи издато", "Да, издај"):
        care.tap(name)
    await care.until(lambda: care.rows() == [])
    assert care.shop.server.open
    assert "Рачун 8660 је поништен, и све је као пре операције. Одлука: Власник," in shown(care)
    assert "Операција није довршена" not in shown(care)
    assert care.case_view.steps is None
    care.tap("Прикажи решено")
    assert care.rows() == ["Поништена рефундација 842,50"]


async def test_the_name_that_was_missed_is_not_asked_for_once_it_is_there(care: Caring) -> None:
    await paired(care)
    care.tap("Пошаљи поново")
    assert care.field(MANAGER).error() == "Упишите име управника"
    care.tap("Власник")
    assert care.field(MANAGER).error() == ""


@pytest.mark.parametrize("operation", sampled([Operation.REFUND, Operation.ISSUE]))
async def test_a_copy_is_corrected_in_nothing_that_the_refund_tells(
    care: Caring, operation: Operation
) -> None:
    await paired(care, operation)
    assert "само начин предаје, текст на рачуну или касир" in shown(care)
    assert "други купац" not in shown(care)


async def test_while_it_runs_nothing_is_pressed_twice(care: Caring) -> None:
    await paired(care)
    care.tap("Власник")
    care.tap("Поништи издато")
    care.steps.show_running("again")
    assert not care.button("Да, издај").isEnabled()
    care.tap("Одустани")
    for name in ("Пошаљи поново", "Поништи издато"):
        assert not care.button(name).isEnabled()
    care.steps.show_running("")
    assert care.button("Пошаљи поново").isEnabled()


async def test_a_reversal_that_was_refused_is_sent_again(care: Caring) -> None:
    await paired(care, is_reversal=True)
    assert "Оно што је поништава, Аванс-Продаја на 9.000,00" in shown(care)
    assert buttons_of_case(care).count("Пошаљи поново") == 1
    assert "Поништи издато" not in buttons_of_case(care)


async def test_without_an_answer_the_pair_stays_as_it_is(care: Caring) -> None:
    await paired(care)
    care.shop.doubts.faults.append(NotDelivered(what="nobody there"))
    care.tap("Власник")
    care.tap("Пошаљи поново")
    await care.until(lambda: "ништа није промењено" in care.case_view.news_text())
    assert care.rows() == ["Недовршено затварање 12.000,00"]
    told = next(
        one for one in care.case_view.findChildren(QLabel) if "ништа није промењено" in one.text()
    )
    assert told.isVisible()
    below = care.steps.mapTo(care.case_view, care.steps.rect().bottomLeft()).y()
    assert 0 <= told.mapTo(care.case_view, told.rect().topLeft()).y() - below < 40, "beside its key"


@pytest.mark.parametrize(
    ("ends", "taps", "told", "said"),
    sampled(
        [
            (
                states.REVERSED,
                ["Поништи издато", "Да, издај"],
                "reverse",
                "Поништено је: све је као",
            ),
            (
                states.RequestState.NEEDS_HUMAN,
                ["Пошаљи поново"],
                "again",
                "Процесор је поново одбио.",
            ),
        ]
    ),
)
async def test_an_act_is_done_though_the_server_goes_away_before_it_tells_more(
    care: Caring, ends: str, taps: list[str], told: str, said: str
) -> None:
    await paired(care)
    care.shop.doubts.ends = ends
    care.shop.doubts.is_silent = True
    for name in ("Власник", *taps):
        care.tap(name)
    heard: list[CaseNews] = []
    care.room.reported.connect(heard.append)
    await care.until(lambda: heard)
    assert care.shop.doubts.told == [(told, "949d27ba-close", "Власник")]
    assert heard[0].words.startswith(said)


async def test_a_look_up_is_told_though_the_server_goes_away_after_it(care: Caring) -> None:
    await cases.doubtful(care.shop)
    await care.opened()
    care.shop.doubts.is_silent = True
    care.tap("Потражи поново")
    await care.until(lambda: care.case_view.news_text() == "Рачун ни сада није пронађен.")
    assert [one[0] for one in care.shop.doubts.told] == ["lookup"]


@pytest.mark.usefixtures("no_manager")
async def test_only_a_manager_ends_a_pair(care: Caring) -> None:
    await paired(care)
    care.tap("Пошаљи поново")
    await care.until(lambda: "управник" in care.case_view.news_text().lower())
    assert care.shop.doubts.told == []


async def test_before_the_server_told_more_the_row_is_there_with_its_words(care: Caring) -> None:
    await cases.half_pair(care.shop)
    care.shop.doubts.foreign.clear()
    await care.opened()
    assert care.rows() == ["Операција није довршена 12.000,00"]
    assert care.case_view.steps is None
    assert "Један од два повезана рачуна је издат" in shown(care)


@pytest.mark.parametrize("act", ["absent", "scan"])
async def test_a_refusal_is_told_at_its_case_and_ends_with_it(care: Caring, act: str) -> None:
    """The first doubt was ended before this decision on it came to the server."""
    sign_in(care.shop.services)
    care.shop.services.here.person = care.shop.services.people.people()[0]
    first = replace(cases.foreign(care.shop), receipt_id="1f0c2d54-foreign", total=Money("100.00"))
    second = replace(first, receipt_id="2f0c2d54-foreign", total=Money("700.00"))
    await cases.tell_open(care.shop, first, second)
    await care.opened()
    assert care.room.model.current_id == first.receipt_id
    english = "The request is released: there is no doubt about it."
    care.shop.doubts.faults.append(Refused("no_doubt", what=english, reply_code="40900001"))
    if act == "absent":
        care.tap("Рачун не постоји")
    else:
        assert care.screen.receipt_scanned(care.shop.doubts.right)
    await care.until(lambda: not care.room.running)
    await care.refreshed()
    told = "Сервер то није прихватио: ово је у међувремену решено."
    errors = [one.error() for one in care.case_view.findChildren(Field)]
    assert told in (errors if act == "scan" else [care.case_view.news_text()])
    care.shop.server.open = (second,)
    await care.until(lambda: care.room.model.current_id == second.receipt_id)
    await care.refreshed()
    assert told not in shown(care)
    assert not [one for one in care.case_view.findChildren(Field) if one.error()]


async def test_a_refusal_that_comes_after_its_case_is_told_at_no_other(care: Caring) -> None:
    sign_in(care.shop.services)
    care.shop.services.here.person = care.shop.services.people.people()[0]
    first = replace(cases.foreign(care.shop), receipt_id="1f0c2d54-foreign")
    second = replace(first, receipt_id="2f0c2d54-foreign", total=Money("700.00"))
    await cases.tell_open(care.shop, first, second)
    await care.opened()
    care.shop.doubts.faults.append(Refused("no_doubt", what="no doubt", reply_code="40900001"))
    care.tap("Рачун не постоји")
    await cases.tell_open(care.shop, second)
    await care.until(lambda: not care.room.running)
    await care.refreshed()
    assert care.room.model.current_id == second.receipt_id
    assert "Сервер то није прихватио" not in shown(care)


async def test_a_refusal_that_comes_while_another_case_is_shown_names_its_own(care: Caring) -> None:
    sign_in(care.shop.services)
    care.shop.services.here.person = care.shop.services.people.people()[0]
    await cases.doubtful(care.shop, "100.00", cash="100.00")
    await cases.doubtful(care.shop, "700.00", cash="700.00")
    await care.opened()
    care.shop.doubts.faults.append(NotDelivered(what="nobody there"))
    care.tap("Рачун не постоји")
    care.press("Down")
    await care.until(lambda: not care.room.running)
    await care.refreshed()
    assert "Не зна се да ли је рачун издат · 100,00: Сервер се не јавља" in shown(care)
    care.press("Up")
    assert "Сервер се не јавља" not in shown(care)


async def test_a_refused_decision_speaks_the_language_of_the_window(care: Caring) -> None:
    sign_in(care.shop.services)
    care.shop.services.here.person = care.shop.services.people.people()[0]
    await cases.doubtful(care.shop, "100.00", cash="100.00")
    await care.opened()
    kinds = ("no_doubt", "processor_holds", "not_refused_pair")
    for kind in kinds:
        english = "The request is released: there is no doubt about it."
        care.shop.doubts.faults.append(Refused(kind, what=english, reply_code="40900001"))
        care.tap("Рачун не постоји")
        await care.until(lambda: not care.room.running)
        await care.refreshed()
        assert "released" not in care.case_view.news_text(), kind
        assert care.case_view.news_text() != care.frame.ui.texts(
            care.case_view.attention_case.foot
        ), kind


async def test_a_decision_names_its_request_in_the_acts(care: Caring) -> None:
    sign_in(care.shop.services)
    care.shop.services.here.person = care.shop.services.people.people()[0]
    sale = await cases.doubtful(care.shop, "100.00", cash="100.00")
    await care.opened()
    care.tap("Рачун не постоји")
    await care.until(lambda: state(care, sale.key) is SaleState.DONE)
    foreign = cases.foreign(care.shop)
    await cases.tell_open(care.shop, foreign)
    await care.opened()
    care.tap("Рачун не постоји")
    await care.until(lambda: len(care.shop.doubts.told) == 2)
    rows = care.shop.services.acts.acts(
        since=datetime(2000, 1, 1, tzinfo=UTC), until=datetime(2100, 1, 1, tzinfo=UTC)
    )
    mine, other = [one for one in rows if one.done is NotedAct.DECISION]
    assert (mine.sale_key, mine.before) == (sale.key, "100.00")
    assert sale.receipt_id is not None
    assert sale.receipt_id in mine.subject
    assert foreign.receipt_id in other.subject
    assert other.before == "77.00"


async def test_a_decided_doubt_of_another_program_goes_at_once(care: Caring) -> None:
    """The server's state is asked anew at once, not within the five seconds of an idle till."""
    sign_in(care.shop.services)
    care.shop.services.here.person = care.shop.services.people.people()[0]
    foreign = cases.foreign(care.shop)
    await cases.tell_open(care.shop, foreign)
    await care.opened()
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
