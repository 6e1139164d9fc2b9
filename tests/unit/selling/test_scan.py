"""What a scan means for the cart, and the codes that found no article."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from pos_app.adapters.gs1 import read_gs1
from pos_app.domain.article import barcodes
from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import WhyUnknown
from pos_app.domain.article.scale_labels import PriceCode, ScaleRules, WeightCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.catalogue.codes import read_code
from pos_app.selling.sale import sell
from pos_app.selling.sale.missed_codes import UnknownCode, without_known
from pos_app.selling.sale.scan import (
    ChooseArticle,
    NotInCart,
    PriceShown,
    ScanPurpose,
    TookOff,
    scan,
)
from pos_app.selling.sale.sell import AskPrice, AskQuantity, ItemAdded
from tests.fakes import till
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till_clock import StandingClock
from tests.sweep import each

SERVICE = till.article("Услуга", None, sku=7)
CRATE = "8600123450151"
PAPER = "9771234567898"
LOAF, BUNCH, BOX = "08600123450144", "98600123450147", "18600123450158"
RULES = barcodes.CodeRules(ScaleRules(), read_gs1)


@dataclass
class Shelf:
    codes: dict[str, list[FoundArticle]] = field(default_factory=dict)

    def by_code(self, code: barcodes.ArticleCode) -> tuple[FoundArticle, ...]:
        return tuple(self.codes.get(code.code, []))

    def by_scale(self, code: WeightCode | PriceCode) -> tuple[Article, ...]:
        return tuple(one.article for one in self.codes.get(str(code.sku), []))


SHELF = Shelf(
    {
        "90": [FoundArticle(till.BREAD)],
        "94": [FoundArticle(till.BANANA)],
        "7": [FoundArticle(SERVICE)],
        CRATE: [FoundArticle(till.MILK, Quantity(12))],
        LOAF: [FoundArticle(till.BREAD)],
        BUNCH: [FoundArticle(till.BANANA)],
        BOX: [FoundArticle(till.MILK, Quantity(12))],
        PAPER: [FoundArticle(till.BREAD)],
        "twice": [FoundArticle(till.BREAD), FoundArticle(till.MILK)],
    }
)


class Scanner:
    """A till with a shelf, which remembers the cart."""

    def __init__(self) -> None:
        self.till = till.till_of(MemoryTill(), StandingClock())
        self.basket = sell.start(till=self.till, cashier=till.CASHIER)

    def __call__(self, code: str, times: str | None = None, **more: Any) -> Any:
        told = scan(
            till=self.till,
            catalogue=SHELF,  # type: ignore[arg-type]
            ticket=self.basket,
            code=read_code(code, RULES, SHELF),  # type: ignore[arg-type]
            times=None if times is None else Quantity(times),
            **more,
        )
        self.basket = getattr(told, "ticket", self.basket)
        assert self.till.carts.open_cart(training=False) == self.basket
        return told


@pytest.fixture
def scanned() -> Scanner:
    return Scanner()


@pytest.mark.parametrize(
    ("code", "times", "quantity", "total"),
    [
        ("90", None, "1", "58.99"),
        (" 90 ", "3", "3", "176.97"),
        (CRATE, None, "12", "1679.88"),
        (CRATE, "2", "24", "3359.76"),
        ("94", "0.412", "0.412", "78.28"),
        ("2100094014124", None, "1.412", "268.27"),
        ("2100094014124", "2", "2.824", "536.53"),
        ("2600094003505", None, "1.842", "350.00"),
        ("2600094003505", "2", "3.684", "700.00"),
        (f"{PAPER}05", None, "1", "58.99"),
        (f"01{LOAF}", None, "1", "58.99"),
        (f"01{LOAF}", "3", "3", "176.97"),
        (f"01{LOAF}3103000500", None, "1", "58.99"),  # what a loaf weighs sells nothing
        (f"01{LOAF}303", None, "3", "176.97"),
        (f"02{BOX}372", None, "24", "3359.76"),
        (f"01{BUNCH}3103001412", None, "1.412", "268.27"),
        (f"01{BUNCH}3103001412", "2", "2.824", "536.53"),
        (f"01{BUNCH}3922035000", None, "1.842", "350.00"),
        (f"01{BUNCH}31030014123922035000", None, "1.842", "350.00"),  # the price stands
    ],
)
def test_a_code_puts_an_article_into_the_cart(
    scanned: Scanner, code: str, times: str | None, quantity: str, total: str
) -> None:
    told = scanned(code, times)
    assert isinstance(told, ItemAdded)
    assert (told.line.quantity, told.ticket.cart.total) == (Quantity(quantity), Money(total))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("94", AskQuantity(till.BANANA)),
        ("7", AskPrice(SERVICE)),
        ("twice", ChooseArticle((FoundArticle(till.BREAD), FoundArticle(till.MILK)))),
        ("nobody", UnknownCode("nobody")),
        (f"01{BUNCH}", AskQuantity(till.BANANA)),
        (f"02{BUNCH}3705", AskQuantity(till.BANANA)),  # five pieces are no five kilograms
        (f"01{BUNCH}305", AskQuantity(till.BANANA)),
        ("977300000000405", UnknownCode("9773000000004")),
        ("860012345014405", UnknownCode("860012345014405")),
        ("(01)08600123450198", UnknownCode("8600123450198", barcodes.WhyUnknown.CHECK_DIGIT)),
        ("(01)08600123450199", UnknownCode("8600123450199")),
        ("2100000014125", UnknownCode("2100000014125")),
        ("2100094014125", UnknownCode("2100094014125", barcodes.WhyUnknown.CHECK_DIGIT)),
    ],
)
def test_what_can_not_be_added_changes_nothing(scanned: Scanner, code: str, told: object) -> None:
    before = scanned.basket
    assert scanned(code) == told
    assert scanned.basket == before


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("90", PriceShown(till.BREAD, Money("58.99"))),
        ("7", PriceShown(SERVICE, None)),
        (CRATE, PriceShown(till.MILK, Money("139.99"), Money("1679.88"))),
        ("2100094014124", PriceShown(till.BANANA, Money("189.99"), Money("268.27"))),
        ("2600094003505", PriceShown(till.BANANA, Money("189.99"), Money("350.00"))),
    ],
)
def test_a_price_is_shown_without_adding_and_storno_takes_one_off(
    scanned: Scanner, code: str, shown: object
) -> None:
    assert scanned(code, purpose=ScanPurpose.SHOW_PRICE) == shown
    assert scanned.basket.cart.is_empty
    scanned("90", "2")
    taken = scanned("90", purpose=ScanPurpose.TAKE_OFF)
    assert isinstance(taken, TookOff)
    assert taken.ticket.cart.lines[0].quantity == Quantity.ONE
    assert scanned("94", purpose=ScanPurpose.TAKE_OFF) == NotInCart(till.BANANA)


EAN = "8609951101730"
CUT, CHECK, GS1 = WhyUnknown.CUT, WhyUnknown.CHECK_DIGIT, WhyUnknown.GS1
CASES = [
    ("8609951", CUT, EAN, True),
    ("101730", CUT, EAN, True),
    ("2100094014125", CHECK, "2100094014124", True),
    ("018609951101730172712311", GS1, EAN, True),
    ("https://shop.rs/gtin/08609951101730", GS1, EAN, True),
    ("0" + EAN, None, EAN, True),
    ("lot-0016", CUT, "lot-0017", False),
    ("8609", CUT, EAN, False),
    ("8609951", None, EAN, False),
    ("https://shop.rs/gtin/08609951101730", GS1, "8600000000021", False),
    ("2100094014125", CHECK, "2100094024124", False),
]


@each("case", CASES)
def test_a_code_is_settled_by_its_own_goods_alone(
    case: tuple[str, WhyUnknown | None, str, bool],
) -> None:
    missed, why, known, is_settled = case
    assert (without_known((UnknownCode(missed, why),), known) == ()) is is_settled
