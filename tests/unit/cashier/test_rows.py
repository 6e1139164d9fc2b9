"""The cart in words: rows with old and new prices, facts, tax, badges."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from pos_app.cashier.attention.cases.case import when
from pos_app.cashier.receipts.words import ReceiptRowWords
from pos_app.cashier.sale import typed
from pos_app.cashier.sale.picker_rows import list_row_of, tile_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.rows import CartState
from pos_app.cashier.words import cart_texts
from pos_app.cashier.words.article_texts import initials
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine
from pos_app.domain.receipt.request import FrozenArticle
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark
from pos_app.selling.receipts.own_sales import OwnSale
from pos_app.selling.sale.state import SaleState
from tests.sweep import each

WORDS = Texts()
NOW = datetime(2026, 11, 20, tzinfo=UTC)
RATES = TaxRates(datetime(2020, 1, 1, tzinfo=UTC), {"Ђ": Decimal(20), "Е": Decimal(10)})


FIFTH = Percent(Decimal(20))


def line(number: int = 1, price: str = "349.99", quantity: str = "1", **more: object) -> CartLine:
    frozen = FrozenArticle("Кафа", TaxLabel.DJ, str(more.pop("unit", "ком")))
    weighed = bool(more.pop("by_weight", False))
    article = CartArticle(f"a{number}", number, frozen, Money(price), weighed)
    made = CartLine(number, article, Quantity(quantity), Money(price))
    return replace(made, **more)  # type: ignore[arg-type]


@each(
    ("row", "price_now", "told"),
    [
        (line(quantity="2"), None, ("349,99", None, "699,98", None, None, "")),
        (line(discount=FIFTH), None, ("279,99", "349,99", "279,99", "349,99", "−20\u00a0%", "")),
        (line(quantity="3", discount=Money(50)), None,  # what one costs then, as on the receipt
         ("333,32", "349,99", "999,97", "1.049,97", "−50,00", "")),
        (replace(line(quantity="2"), price=Money(300)), None,
         ("300,00", "349,99", "600,00", "699,98", None, "")),
        (line(), Money(360), ("349,99", None, "349,99", None, None, "сада 360,00")),
    ],
)  # fmt: skip
def test_a_row_tells_prices_and_what_they_were(
    row: CartLine, price_now: Money | None, told: tuple[str | None, ...]
) -> None:
    one = cart_texts.cart_row(row, WORDS, is_current=True, price_now=price_now)
    prices = (one.unit_price, one.old_unit_price, one.total, one.old_total)
    assert (*prices, one.discount, one.note) == told
    assert (one.state, one.unit) == (CartState.CURRENT, "ком")


def test_facts_and_tax() -> None:
    cart = Cart((line(1, discount=Percent(Decimal(20))), line(2)))
    tax = cart_texts.tax_of(cart, cart.totals, (RATES,), NOW)
    assert tax == Money("105.00")
    bread = CartArticle("a2", 2, FrozenArticle("Хлеб", TaxLabel.E, "ком"), Money("113.36"), False)
    both = Cart((line(1, price="643.95"), line(2, price="113.36", article=bread)))
    as_printed = cart_texts.tax_of(both, both.totals, (RATES,), NOW)
    assert as_printed == Money("117.64"), "107.33 + 10.31: the sum of the lines as printed"
    facts = cart_texts.cart_facts(cart, WORDS, total=cart.total, tax=tax)
    assert facts == (("Ставке", "2"), ("Попуст", "−70,00"), ("ПДВ", "105,00"))
    assert cart_texts.tax_of(cart, cart.totals, (), NOW) is None
    other = TaxRates(RATES.valid_from, {"Г": Decimal(0)})  # has no rate of the cart's label
    assert cart_texts.tax_of(cart, cart.totals, (other,), NOW) is None
    plain = Cart((line(2),))
    assert cart_texts.cart_facts(plain, WORDS, total=plain.total, tax=None) == (("Ставке", "1"),)


def test_badges_count_pieces_and_weighed_lines() -> None:
    weighed = [line(2, quantity="1.56", by_weight=True), line(3, quantity="0.4", by_weight=True)]
    pieces = [line(1, quantity="2"), line(4, quantity="3")]
    cart = Cart((*pieces, *weighed, line(5, removed=True)))
    of = {"a1": "p1", "a2": "p2", "a3": "p2", "a4": "p1", "a5": "p5"}
    assert cart_texts.badges(cart, of) == {"p1": "5", "p2": "2"}


# --- in January a row or a case of the year before says its day and its year ---------------------


JANUARY = datetime(2027, 1, 4, 10, tzinfo=UTC)
DECEMBER = datetime(2026, 12, 31, 22, 15, tzinfo=UTC)
NEW_YEAR = datetime(2026, 12, 31, 23, 15, tzinfo=UTC)
"""It is 2027 in Belgrade then."""


def time_of(at: datetime, *, one_day: bool = False) -> str:
    sale = OwnSale(
        key="k" * 32,
        cashier="Мира",
        at=at,
        number=None,
        kind=None,
        total=Money(5),
        payments=(),
        state=SaleState.FROZEN,
        request_id=None,
    )
    words = ReceiptRowWords(Texts("sr-Cyrl"), JANUARY, one_day, lambda _: False)
    return words.row(sale).time


def test_a_row_of_the_year_before_has_its_day() -> None:
    assert time_of(DECEMBER) == "31.12.26."
    assert time_of(NEW_YEAR) == "1.1."
    assert time_of(DECEMBER, one_day=True) == "31.12.26.", "own sales are of any day"
    assert time_of(JANUARY) == "11:00"


def test_a_case_of_the_year_before_has_its_year() -> None:
    texts = Texts("sr-Cyrl")
    assert when(DECEMBER, texts, now=JANUARY) == "31.12.2026. у 23:15"
    assert when(NEW_YEAR, texts, now=JANUARY) == "01.01. у 00:15"


ROW = CatalogueRow(
    product_id="p",
    article_id="a",
    articles=1,
    sku=2088,
    ean=None,
    name="Сир млади домаћи",
    subtitle="",
    label=TaxLabel.E,
    price=Money(899),
    highest=Money(899),
    unit="kg",
    by_weight=True,
    asks_price=False,
    pinned=True,
    category_ids=("d13944cb-1308-521d-8521-098b301dca12",),
    picture=None,
    edits=EditMark.NONE,
)


@each(
    ("name", "letters"),
    [
        ("Хлеб бели Сава 500 g", "Хб"), ("Бурек са месом 250 g", "Бм"), ("Переца", "Пе"),
        ("Вода минерална 1,5 l", "Вм"), ("Јогурт 2,8 % 1 l", "Јо"), ("Јаја M 10 комада", "Јк"),
        ("7 Days", "Da"), ("7", "7"), ("кифла", "Ки"),
    ],
)  # fmt: skip
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_rows_and_tiles_of_the_picker() -> None:
    row = list_row_of(ROW, Texts(), query="sir dom")
    assert row.hits == ((0, 3), (10, 13))
    assert (row.code, row.price, row.unit, row.variants) == ("2088", "899,00", "kg", "")
    two = replace(ROW, articles=2, article_id=None, highest=Money(990), asks_price=True)
    tile, alone = tile_of(two, Texts()), tile_of(replace(two, articles=1), Texts())
    assert (tile.price, tile.per_unit) == ("од 899,00", "за 1\u00a0kg"), "the cheapest has its unit"
    assert (alone.price, alone.per_unit) == ("слободна цена", "")


@each(
    ("text", "times", "code", "number", "cash"),
    [
        ("", None, False, False, None),
        ("3*", Quantity(3), False, False, None),
        ("0,412*", Quantity("0.412"), False, False, None),
        ("0.412*", Quantity("0.412"), False, False, None),
        ("2088", None, True, True, Money(2088)),
        (" 2000 ", None, True, True, Money(2000)),
        ("2000,5", None, False, True, Money("2000.50")),
        ("0,", None, False, True, Money(0)),
        ("sir", None, False, False, None),
        ("sir 250", None, False, False, None),
        ("٣", None, False, False, None),
    ],
)
def test_the_table(
    text: str, times: Quantity | None, code: bool, number: bool, cash: Money | None
) -> None:
    is_code, is_number = typed.is_code(text), typed.is_number(text)
    assert (is_code, is_number, typed.amount(text)) == (code, number, cash)
    assert typed.multiplier(text) == times
    with pytest.raises(Invalid):
        typed.multiplier("0*")
