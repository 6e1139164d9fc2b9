"""The lines, ways and document of a refund before it is confirmed, by keys, taps and scans."""

from __future__ import annotations

from decimal import Decimal

from pos_app.cashier.refund.model import Missing
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import REFUND, RefundPlace
from pos_app.domain.receipt.fiscal_document import FiscalLine
from tests.gui.parts import in_front
from tests.gui.patience import until
from tests.gui.refund import screens
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.sweep import each
from tests.unit.fiscalization.plans.book import line

BREAD, YOGHURT = screens.LINES[:2]


async def opened(
    shop: Shop, sell_in: SellIn, *lines: FiscalLine, **paid: str
) -> tuple[Hands, RefundScreen]:
    screens.show(shop, screens.sold(*lines, **paid))  # type: ignore[arg-type]
    hands = sell_in(shop)
    await shop.serve()
    hands.window.frame.open(REFUND, RefundPlace(screens.NUMBER, HOME))
    screen: RefundScreen = in_front(hands.window.frame, "refund.title")
    await until(lambda: screen.model.draft is not None)
    return hands, screen


async def test_keys_stay_among_the_lines_and_lead_to_the_first_wrong_one(
    shop: Shop, sell_in: SellIn
) -> None:
    hands, screen = await opened(shop, sell_in, BREAD, YOGHURT, cash="546.95")
    model = screen.model
    hands.press("Up")
    hands.type("9")
    assert model.typed_texts == {0: "9"}
    hands.press("Down", "Down")
    hands.type("8")
    assert model.typed_texts == {0: "9", 1: "8"}
    hands.press("Enter")
    assert (model.current, model.missing) == (0, Missing.QUANTITY)
    hands.press("Esc", "Down")
    hands.press("F12", "Enter")
    assert (model.current, model.missing) == (0, Missing.QUANTITY)
    hands.press("Esc", "Space")
    assert model.typed_texts == {1: "8"}, "a line that is ticked off has no wrong quantity any more"


async def test_a_way_that_is_not_possible_and_an_unknown_pib_are_refused(
    shop: Shop, sell_in: SellIn
) -> None:
    hands, screen = await opened(shop, sell_in, BREAD, YOGHURT, card="500.00", cash="46.95")
    model, refused = screen.model, hands.shop.tones.played
    before = model.draft, model.document
    faults = [one.fault is not None for one in model.ways]
    assert faults.index(True) + 1 < len(faults)
    for key in (f"Alt+{faults.index(True) + 1}", "Alt+9", "F5"):
        count = len(refused)
        hands.press(key)
        assert (model.draft, model.document) == before
        assert refused[count:] == ["no"], key


@each(
    ("sold", "taken"),
    [
        (line("Крем-банане/ком", "Е", "5", "50.00", sku=99_002), Decimal(3)),
        (line("Сир домаћи/kg", "Е", "2.500", "100.00", sku=99_002), Decimal("0.003")),
    ],
)
async def test_the_label_of_a_scale_means_what_was_sold_where_the_catalogue_lacks_it(
    shop: Shop, sell_in: SellIn, sold: FiscalLine, taken: Decimal
) -> None:
    hands, screen = await opened(shop, sell_in, sold, cash=str(sold.total))
    hands.scan("2099002000031")
    assert screen.model.draft is not None
    assert screen.model.draft.taken == {0: taken}
