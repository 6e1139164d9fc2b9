"""Half-done pairs of receipts, and unfinished corrections and exchanges: one case each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from pos_app.cashier.attention.model import CaseNews
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import CORRECTION
from pos_app.domain.receipt import states
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import NotDelivered
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, unfinished_pairs
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.gui.attention import cases
from tests.gui.attention.conftest import MANAGER, Caring
from tests.gui.parts import in_front, visible_parts
from tests.gui.payment.shop import Shop
from tests.sweep import each

CLOSING = "Недовршено затварање 12.000,00"


async def paired(care: Caring, operation: Operation = Operation.CLOSE, **more: bool) -> None:
    """Show the case of a half-done pair, at a till that has nothing else."""
    await care.anew()
    await cases.half_pair(care.shop, operation, **more)
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)


async def a_manager_has_the_refused_receipt_sent_again(care: Caring) -> None:
    """The name that was missed is not asked for once it is there."""
    await paired(care)
    care.tap("Пошаљи поново")
    assert care.shop.doubts.told == []
    assert care.field(MANAGER).error() == "Упишите име управника"
    assert care.field(MANAGER).edit.hasFocus()
    care.tap("Власник")
    assert care.field(MANAGER).error() == ""
    care.field(MANAGER).set_text("Ana")
    care.tap("Пошаљи поново")
    said = "Процесор је поново одбио. Ништа ново није издато."
    await care.until(lambda: care.news == said)
    assert care.shop.doubts.told == [("again", "949d27ba-close", "Ana")]
    assert care.rows() == [CLOSING]


async def undoing_is_confirmed_and_nothing_is_pressed_twice_while_it_runs(care: Caring) -> None:
    await paired(care)
    care.tap("Власник")
    care.tap("Поништи издато")
    assert "Биће издата Аванс-Продаја на 9.000,00 са ПИБ-ом продавца" in care.said
    care.steps.show_running("again")
    assert not care.button("Издај поништење").isEnabled()
    safe, act = care.button("Остави како јесте"), care.button("Издај поништење")
    assert isinstance(act, Button)
    apart = act.theme.metrics.s6
    await care.until(
        lambda: act.x() - safe.geometry().right() - 1 == apart
    )  # safe first, red apart
    assert act.spec.icon != "check"
    care.tap("Остави како јесте")
    assert "Издај поништење" not in care.buttons
    for name in ("Пошаљи поново", "Поништи издато"):
        assert not care.button(name).isEnabled()
    care.steps.show_running("")
    assert care.button("Пошаљи поново").isEnabled()
    assert care.shop.doubts.told == []


async def without_an_answer_the_pair_stays_as_it_is(care: Caring) -> None:
    await paired(care)
    care.shop.doubts.faults.append(NotDelivered(what="nobody there"))
    care.tap("Власник")
    care.tap("Пошаљи поново")
    await care.until(lambda: "ништа није промењено" in care.news)
    assert care.rows() == [CLOSING]


async def an_act_is_done_though_the_server_goes_away_before_it_tells_more(care: Caring) -> None:
    for ends, taps, told, said in (
        (states.RequestState.NEEDS_HUMAN, ("Пошаљи поново",), "again", "Процесор је поново одбио."),
        (
            states.REVERSED,
            ("Поништи издато", "Издај поништење"),
            "reverse",
            "Поништено је: све је као",
        ),
    ):
        await paired(care)
        care.shop.doubts.ends, care.shop.doubts.is_silent = ends, True
        for name in ("Власник", *taps):
            care.tap(name)
        heard: list[CaseNews] = []
        care.room.reported.connect(heard.append)
        await care.until(lambda: heard)  # noqa: B023
        assert care.shop.doubts.told == [(told, "949d27ba-close", "Власник")]
        assert heard[0].say(care.frame.ui.texts).startswith(said)


async def what_a_manager_undid_is_told_at_once_and_stands_under_solved(care: Caring) -> None:
    """Also while the server's last status still has the pair."""
    await paired(care, Operation.REFUND)
    care.shop.doubts.ends = states.REVERSED
    for name in ("Власник", "Поништи издато", "Издај поништење"):
        care.tap(name)
    await care.until(lambda: care.rows() == [])
    assert care.shop.server.open
    assert "Рачун 8660 је поништен, и све је као пре операције. Одлука: Власник," in care.said
    assert "Операција није довршена" not in care.said
    assert care.case_view.steps is None
    care.tap("Прикажи решено")
    assert "Поништена рефундација 842,50" in care.rows()


async def only_what_is_offered_is_told(care: Caring) -> None:
    """Of this till's own pair no request is corrected here, and a reversal is not undone."""
    await paired(care)
    every = "Управник бира: послати поново, поништити издато или исправити захтев."
    assert every in care.said
    await paired(care, Operation.REFUND, is_reversal=True)
    assert "поништити издато" not in care.said
    await care.anew()
    await cases.half_done_here(care.shop)
    await care.opened()
    await care.until(lambda: care.case_view.steps is not None)
    assert "Управник бира: послати поново или поништити издато." in care.said


@each("step", [
    only_what_is_offered_is_told, a_manager_has_the_refused_receipt_sent_again,
    without_an_answer_the_pair_stays_as_it_is,
    undoing_is_confirmed_and_nothing_is_pressed_twice_while_it_runs,
    what_a_manager_undid_is_told_at_once_and_stands_under_solved,
    an_act_is_done_though_the_server_goes_away_before_it_tells_more,
])  # fmt: skip
async def test_a_half_done_pair(care: Caring, step: Callable[[Caring], Awaitable[None]]) -> None:
    await step(care)


@pytest.mark.usefixtures("no_manager")
async def test_only_a_manager_ends_a_pair(care: Caring) -> None:
    await paired(care)
    care.tap("Пошаљи поново")
    care.tap("Пошаљи поново")  # the yes of the question
    await care.until(lambda: "управник" in care.news.lower())
    assert care.shop.doubts.told == []


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
