"""A last sale that failed does not look like a success, and a button leads to its solution."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pos_app.cashier.texts.lookup import Language
from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.state import StateKind
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.state import SaleState
from tests.fakes.delivery_jobs import undelivered_paper
from tests.fakes.fiscal_server import Fault
from tests.gui.acts import acted
from tests.gui.inside import inside
from tests.gui.parts import lines_of, notices_in, only
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop

LOOK = 10_000
"""A time longer than between two requests of the till for the server's status."""
ONE, TWO = "ABCD1234-ABCD1234-1", "ABCD1234-ABCD1234-2"
SOLVE = "Реши"


async def sell(hands: Hands, *faults: Fault) -> None:
    hands.shop.server.faults.extend(faults)
    hands.type(BREAD)
    hands.press("Enter")
    hands.shop.pause()
    hands.type("200")
    hands.pad("+")
    await look_on(hands)


async def look_on(hands: Hands) -> None:
    """Let the till ask for the server's status."""
    hands.shop.clock.go_on(LOOK)
    await hands.shop.serve()
    await seen()


async def not_come(hands: Hands, number: str = ONE, **more: object) -> None:
    """Let the server report that the paper of a receipt was not printed."""
    now = hands.shop.clock.now()
    hands.shop.server.jobs = (undelivered_paper(number, now, **more),)  # type: ignore[arg-type]
    await look_on(hands)


def told(hands: Hands) -> tuple[str, StateKind, bool]:
    """The strip's words, its kind, and whether it has its own ground and button."""
    strip = hands.cart.strip
    assert strip.isVisible()
    words, _ = strip.accessibleDescription().rsplit(". ", 1)
    return words, strip.kind, strip.calls


def large(hands: Hands) -> str:
    """The notice over the empty cart as a screen reader reads it, "" without one."""
    return "".join(notices_in(hands.cart.large))


# --- a paper that did not come -------------------------------------------------------------------


NOT_COME = (
    (JobMethod.THERMAL, JobState.WAITING, "Издат, није одштампан"),
    (JobMethod.THERMAL, JobState.RUNNING, "Издат, није одштампан"),
    (JobMethod.A4, JobState.FAILED, "Издат, није одштампан"),
    (JobMethod.THERMAL, JobState.UNPROVEN, "Издат, можда није одштампан"),
    (JobMethod.EMAIL, JobState.FAILED, "Издат, није послат имејлом"),
    (JobMethod.EMAIL, JobState.UNPROVEN, "Издат, можда није послат"),
)


async def test_a_receipt_whose_paper_did_not_come_is_amber_and_leads_to_its_case(
    hands: Hands,
) -> None:
    """Over an empty cart a notice says why, and the change stays large."""
    await sell(hands)
    for method, state, _ in NOT_COME:
        await not_come(hands, method=method, state=state)
        assert large(hands).startswith("Рачун је издат"), (method, state)
    await not_come(hands, method=JobMethod.EMAIL)  # it goes on by itself
    assert large(hands) == ""
    await not_come(hands, TWO)  # another receipt's paper
    assert large(hands) == ""
    await not_come(hands, trouble="paper_out")
    assert large(hands).startswith("Рачун је издат, али није одштампан Узрок: нема папира.")
    await not_come(hands, trouble="away")
    assert "Узрок: штампач се не јавља. Кад се отклони, рачун се штампа сам." in large(hands)
    assert only(hands.cart.large, AmountLabel).isVisible()
    said = hands.cart.large.accessibleName()
    assert said.startswith("Кусур 141,00.")
    assert "Издат, није одштампан" in said
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == "job 1"
    hands.press("Esc")
    hands.type(MILK)
    hands.press("Enter")
    for method, state, words in NOT_COME:
        await not_come(hands, method=method, state=state)
        assert told(hands) == (words, StateKind.DECIDE, True), (method, state)
        assert hands.cart.strip.accessibleDescription().startswith(f"{words}.")
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == "job 1"
    hands.shop.server.jobs = ()  # paper was put in, and the receipt was printed
    await look_on(hands)
    inside(hands.window).open_case("job 1")
    assert inside(hands.window).attention.case_view is None, "it leads to what waits"
    hands.press("Esc")
    assert told(hands)[1:] == (StateKind.DONE, False)


@pytest.mark.parametrize(
    ("sizes", "language", "hints", "step"),
    [
        ({"width": 1024, "touch": 15, "text": 150}, "en", False, TypeStep.TOTAL),
        ({"width": 1366}, "sr-Cyrl", True, TypeStep.CHANGE),
    ],
    ids=["a smaller figure", "room for all"],
)
async def test_over_an_empty_cart_a_notice_takes_only_the_room_that_it_needs(
    shop: Shop,
    sell_in: SellIn,
    sizes: dict[str, int],
    language: Language,
    hints: bool,
    step: TypeStep,
) -> None:
    hands = sell_in(shop, **sizes)
    await sell(hands)
    await not_come(hands)
    hands.window.change(language=language)
    await seen()
    over = hands.cart.large
    assert (hands.window.texts("cart.empty") in lines_of(over)) is hints
    assert only(over, AmountLabel).height() == over.theme.metrics.line(step)


# --- an operation on a receipt -------------------------------------------------------------------


OPERATIONS = {
    Operation.REFUND: ("Рефундација · издато · −842,50", "Враћено −843,00"),
    Operation.COPY: ("Копија рачуна · издато · 842,50", "Износ 842,50"),
    Operation.ADVANCE: ("Уплата на аванс · издато · 842,50", "Готовина 842,50"),
    Operation.CLOSE: ("Затварање аванса · издато · 842,50", "Готовина 842,50"),
}


async def test_after_a_restart_an_operation_is_not_told_as_a_sale(
    shop: Shop, sell_in: SellIn
) -> None:
    for operation, (said, at_the_right) in OPERATIONS.items():
        acted(shop.till, operation, rounding="-0.50" if operation is Operation.REFUND else "0")
        await shop.serve()
        hands = sell_in(shop)
        await look_on(hands)
        what, _, total = said.split(" · ")
        assert hands.cart.large.accessibleName().startswith(f"{at_the_right}. {what} · издат")
        assert at_the_right.rsplit(maxsplit=1)[-1] in lines_of(hands.cart.large)
        hands.type(MILK)
        hands.press("Enter")
        words, *state = told(hands)
        assert words.startswith(said)
        assert state == [StateKind.DONE, False]
        hands.tap(hands.cart.strip)
        assert hands.notice().startswith(what)
        assert total in hands.notice()
        hands.press("Esc")
        hands.press("Del")
        hands.press("F6")
        hands.window.close()


async def test_an_operation_that_was_refused_leads_to_where_it_is_ended(hands: Hands) -> None:
    """The operation was confirmed on another screen, and is the last one from then on."""
    await sell(hands)
    act = acted(hands.shop.till)
    hands.shop.server.faults.append(Fault.FIX)
    await look_on(hands)
    assert large(hands).startswith("Рачун није издат Захтев је сачуван")
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == act.key


# --- a sale that was refused, or is in doubt -----------------------------------------------------


async def test_a_refused_sale_has_its_ground_its_words_and_a_way_to_be_solved(hands: Hands) -> None:
    """The one that was pressed is shown, whatever else waits."""
    await sell(hands, Fault.FIX)
    first = hands.sold()
    hands.button(SOLVE).setFocus()
    hands.press("Enter")  # by keyboard alone
    assert inside(hands.window).attention.model.current_id == first.key
    hands.press("Esc")
    await sell(hands, Fault.FIX)
    assert large(hands).startswith("Рачун није издат Продаја је сачувана")
    assert only(hands.cart.large, AmountLabel).isVisible()
    refused = hands.sold()
    hands.type(MILK)
    hands.press("Enter")
    assert told(hands)[0].startswith("Није издат")
    assert told(hands)[1:] == (StateKind.FAILED, True)
    assert hands.cart.strip.accessibleName() == "Последњи рачун износ 58,99"
    inside(hands.window).open("attention")
    assert inside(hands.window).attention.model.current_id == first.key  # the first that waits
    hands.press("Esc")
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == refused.key
    hands.tap_words("Исправи")
    await look_on(hands)
    assert hands.shop.database.sales.sale(refused.key).state is SaleState.CANCELLED


async def test_a_doubt_leads_to_its_case_and_calls_once_it_does_not_end_by_itself(
    hands: Hands,
) -> None:
    """The large form leads where the strip leads; a press that is drawn away is none."""
    large_form, left = hands.cart.large, Qt.MouseButton.LeftButton
    hands.tap(large_form)
    assert (inside(hands.window).is_in("attention"), hands.notice()) == (False, "")
    assert large_form.focusPolicy() is Qt.FocusPolicy.NoFocus, "there is nothing to press"
    await sell(hands, Fault.IN_DOUBT)
    doubt = hands.sold()
    assert (doubt.state, large(hands)) == (SaleState.DOUBT, "")
    assert "проверава се" in large_form.accessibleName()
    QTest.mousePress(large_form, left, pos=large_form.rect().center())
    QTest.mouseRelease(large_form, left, pos=QPoint(-40, -40))
    assert not inside(hands.window).is_in("attention")
    for way in ("touch", "keyboard"):
        if way == "touch":
            hands.tap(only(large_form, AmountLabel))
        else:
            large_form.setFocus(Qt.FocusReason.TabFocusReason)
            hands.press("Enter")
        await seen()
        assert inside(hands.window).attention.model.current_id == doubt.key
        assert not any("је у реду" in line for line in lines_of(inside(hands.window).attention))
        hands.press("Esc")
    assert "attention" not in hands.shop.tones.played
    hands.shop.clock.go_on(YOUNG)
    await look_on(hands)
    assert large(hands).startswith("Не зна се да ли је рачун издат")
    assert "attention" in hands.shop.tones.played
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == doubt.key


async def test_a_receipt_in_large_tells_what_its_strip_tells(hands: Hands) -> None:
    await sell(hands)
    hands.tap(hands.cart.large)
    told_by_large = hands.notice()
    assert told_by_large.startswith(f"Рачун {ONE}")
    hands.press("Esc")
    hands.type(MILK)
    hands.press("Enter")
    hands.tap(hands.cart.strip)
    assert hands.notice() == told_by_large


# --- the bottom line -----------------------------------------------------------------------------


def bottom(hands: Hands) -> str:
    return hands.window.status.accessibleDescription()


async def test_the_bottom_line_has_the_printer_while_it_keeps_papers_back(hands: Hands) -> None:
    await sell(hands)
    for trouble, words in (
        ("away", "Штампач се не јавља"),
        ("paper_out", "Штампач нема папира"),
        ("stuck", "Штампач не штампа"),
    ):
        assert "Штамп" not in bottom(hands)
        await not_come(hands, TWO, trouble=trouble)  # another receipt than the last
        assert f" · {words} · " in bottom(hands)
        assert bottom(hands).endswith("Продаја и рачуни раде; папир се не штампа")
        assert hands.shop.tones.played[-1] == "attention"
        hands.shop.tones.played.clear()
        await look_on(hands)
        assert hands.shop.tones.played == []  # it has already called once
        hands.shop.server.jobs = ()
        await look_on(hands)
        assert "Штамп" not in bottom(hands)
    await not_come(hands, state=JobState.UNPROVEN)
    assert " · Штампа 1 папир тражи одлуку · " in bottom(hands)
    hands.shop.server.running = False  # what it told is no state of the printer any more
    await look_on(hands)
    assert "Штамп" not in bottom(hands)
