"""Attention: what waits for a person, what was not printed, and pairs that are half done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.acts.act_in_front import REFUSED_IN_FRONT
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import CORRECTION
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import states
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup.processor import CURES
from pos_app.errors import Refused
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, unfinished_pairs
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.people_here import sign_in
from tests.gui.acts import acted
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.attention.screens import SCENES
from tests.gui.parts import in_front, visible_parts
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
Step = Callable[[Caring], Awaitable[object]]


async def test_a_refused_sale_is_sent_again_as_it_is_and_arrows_choose_a_case(care: Caring) -> None:
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


def pair(operation: Operation = Operation.CLOSE, **more: bool) -> Step:
    return lambda care: cases.half_pair(care.shop, operation, **more)


def act(fault: Fault, operation: Operation = Operation.REFUND) -> Step:
    return lambda care: cases.act_refused(care.shop, fault, operation)


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


async def two_of_other_programs(care: Caring) -> tuple[str, str]:
    first = replace(cases.foreign(care.shop), receipt_id="1f0c2d54-foreign", total=Money("100.00"))
    second = replace(first, receipt_id="2f0c2d54-foreign", total=Money("700.00"))
    await cases.tell_open(care.shop, first, second)
    await care.opened()
    assert care.room.model.current_id == first.receipt_id
    return first.receipt_id, second.receipt_id


NOT_ACCEPTED = "Сервер то није прихватио: ово је у међувремену решено."


@pytest.mark.usefixtures("signed_in")
async def test_a_refusal_is_told_at_its_case_and_ends_with_it(care: Caring) -> None:
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


PERHAPS = "Рачун 8653 можда није одштампан 2.110,00"
READ_OUT = "Позовите подршку и прочитајте шта пише под „Детаљи“."


async def shown(care: Caring, *jobs: DeliveryJob) -> None:
    """Show these jobs, at a till that has nothing else."""
    await care.anew()
    await cases.undelivered(care.shop, *jobs)
    await care.opened()


async def asked_about_all(care: Caring) -> None:
    """Ask whether the papers of many receipts are all there."""
    await care.anew()
    await cases.many_papers(care.shop, JobState.UNPROVEN)
    await care.opened()
    await care.until(lambda: "papers_unproven" in care.side.rows)
    care.side.rows["papers_unproven"].click()
    care.tap("Сви папири су ту")


def let_one_change(care: Caring) -> None:
    """Let somebody have the first of them printed once more, so that it is uncertain again."""
    papers = care.shop.doubts.open_papers
    first, *rest = papers.unproven.papers
    others = replace(papers.unproven, papers=(*rest, replace(first, sending=2)))
    care.shop.doubts.open_papers = replace(papers, unproven=others)


async def test_a_paper_that_changed_before_the_answer_keeps_its_row(care: Caring) -> None:
    await asked_about_all(care)
    let_one_change(care)
    care.tap("Потврди да су сви ту")
    await care.until(lambda: care.shop.doubts.told == [("end_all", "37 True", CASHIER)])
    await care.until(lambda: ": Не за све" in care.news)  # another case is shown
    assert [row for row in care.rows() if "можда" in row] == [
        "Рачун 8687 можда није одштампан 4.329,00"
    ]


@each(("opens", "words"), [(True, "PDF се отвара."), (False, f"Не отвара се r-3.pdf. {READ_OUT}")])
async def test_a_receipt_that_did_not_come_out_is_opened_as_a_file(
    care: Caring, opens: bool, words: str
) -> None:
    """Of what does not wait a file answers nothing."""
    await shown(care, cases.not_printed(care.shop)[0])
    care.viewer.opens = opens
    care.tap("Отвори као PDF")
    await care.until(lambda: care.news.endswith(words))
    await care.refreshed()
    assert care.news.endswith(words)
    assert care.viewer.files == [Path("/shown/r-3.pdf")]
    files = care.shop.receipt_files
    assert (files.asked, files.instead, files.opened_instead) == ([("r-3", CASHIER)], [], [])
    assert care.rows() == [PERHAPS]


Begin = Callable[[Shop], Awaitable[FrozenPair]]
CORRECTIONS: tuple[tuple[Begin, bool], ...] = (
    (cases.correction_half_done, True),
    (cases.correction_not_begun, False),
)
EXCHANGES: tuple[Begin, ...] = (cases.exchange_half_done, cases.exchange_not_begun)


async def a_correction_is_one_case_that_leads_to_its_screen(care: Caring) -> None:
    """While it is issued nothing calls for anybody."""
    cases.correcting(care.shop)
    care.frame.count()
    assert care.frame.waiting.to_decide == 0
    await cases.settle(care.shop)
    assert care.waiting() == 0
    assert unfinished_pairs(care.shop.store.sales) == []
    for begin, is_half in CORRECTIONS:
        await care.anew()
        begun = await begin(care.shop)
        await care.opened()
        assert care.waiting() == 1
        assert care.screen.model.current.id == (begun.new if is_half else begun.refund).key
        care.press("Enter")
        assert care.frame.top_name == CORRECTION
        assert in_front(care.frame, "corr.title").model.reference == begun.refund.target


async def a_correction_is_given_up_with_both_parts(care: Caring) -> None:
    begun = await cases.correction_not_begun(care.shop)
    await care.opened()
    care.steps.buttons["end"].click()
    await care.until(lambda: care.state(begun.new) is SaleState.CANCELLED)
    assert care.state(begun.refund) is SaleState.CANCELLED
    assert care.waiting() == 0


async def what_the_server_refuses_of_a_correction_becomes_a_cart(care: Caring) -> None:
    begun = await cases.correction_half_done(care.shop, Fault.FIX)
    await care.opened()
    care.steps.buttons["correct"].click()
    await care.until(lambda: bool(care.taken))
    assert [one.key for one in care.taken] == [begun.new.key]
    lines = care.shop.till.carts.cart_of(begun.new.cart_id).cart.lines
    assert [(one.article.frozen.name, str(one.total)) for one in lines] == [("Хлеб", "842.50")]


async def an_exchange_is_one_case_that_leads_to_its_screen(care: Caring) -> None:
    for begin in EXCHANGES:
        await care.anew()
        begun = await begin(care.shop)
        await care.opened()
        assert care.waiting() == 1
        care.press("Enter")
        top = in_front(care.frame, "exch.title")
        assert top.model.pair is not None
        assert top.model.pair.new.key == begun.new.key


async def an_exchange_becomes_a_cart_and_what_was_credited_is_told(care: Caring) -> None:
    for begin, is_half in (
        (partial(cases.exchange_half_done, fault=Fault.FIX), True),
        (cases.exchange_half_done, True),
        (cases.exchange_not_begun, False),
    ):
        await care.anew()
        begun = await begin(care.shop)
        await care.opened()
        told = " ".join(one.text() for one in visible_parts(care.steps, Label))
        assert ("842,50" in told) is is_half
        care.steps.buttons["correct" if is_half else "to_cart"].click()
        await care.until(lambda: bool(care.taken))
        assert [one.key for one in care.taken] == [begun.new.key]


async def the_screen_waits_no_longer_for_a_cart_once_the_refund_is_found_signed(
    care: Caring,
) -> None:
    begun = await cases.exchange_not_begun(care.shop)
    await care.opened()
    care.press("Enter")
    top = in_front(care.frame, "exch.title")
    care.shop.server.kept[begun.refund.key].state = states.RequestState.SIGNED
    top.room.to_cart()
    assert top.model.goes_to_cart
    await care.until(lambda: care.state(begun.refund) is SaleState.DOUBT)
    assert top.model.stage is PairStage.IN_DOUBT
    assert not top.model.goes_to_cart


@each("step", [
    a_correction_is_one_case_that_leads_to_its_screen, a_correction_is_given_up_with_both_parts,
    what_the_server_refuses_of_a_correction_becomes_a_cart,
    an_exchange_is_one_case_that_leads_to_its_screen,
    an_exchange_becomes_a_cart_and_what_was_credited_is_told,
    the_screen_waits_no_longer_for_a_cart_once_the_refund_is_found_signed,
])  # fmt: skip
async def test_a_correction_or_exchange_that_is_not_finished(
    care: Caring, step: Callable[[Caring], Awaitable[None]]
) -> None:
    await care.anew()
    await step(care)
