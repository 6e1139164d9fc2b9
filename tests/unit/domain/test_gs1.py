"""GS1 messages: which scan is one, and what it says of the pack."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from pos_app.adapters.gs1 import read_gs1
from pos_app.domain.article import barcodes, gs1
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import ScaleRules
from tests.sweep import each

RULES = barcodes.CodeRules(ScaleRules(), read_gs1, keeps_batch=True)
EAN, GTIN = "8600123450144", "08600123450144"
WEIGHED = "98600123450147"
"""A GTIN of goods of various measure, which begins with 9."""
FNC1 = gs1.FNC1
CUT = ("3", "31", "310", "3103", "310300141", "392", "3922", "17", "1726", "10", "30")
"""Elements that break off."""


def meant(text: str) -> barcodes.ScannedCode:
    return barcodes.classify(text, RULES)


@each(
    ("text", "said"),
    [
        (f"01{GTIN}", {}),
        (f"]d201{GTIN}", {}),
        (f"]C1\x1d01{GTIN}", {}),
        (f"\x1d01{GTIN}", {}),
        (f"(01){GTIN}", {}),
        (f"(01) {GTIN} (10) A/7", {"batch": "A/7"}),
        (f"(01){GTIN}(10)A(7)(21)S", {"batch": "A(7)", "serial": "S"}),
        (f"https://id.gs1.org/01/{GTIN}?utm", {}),
        (f"(10)A/7(01){GTIN}", {"batch": "A/7"}),
        (f" \x1d10A/7\x1d01{GTIN}\x1d\r", {"batch": "A/7"}),
        (f"01{GTIN}10A/7\x1d17261231", {"batch": "A/7", "good_until": date(2026, 12, 31)}),
        (f"10A/7\x1d01{GTIN}21S-9", {"batch": "A/7", "serial": "S-9"}),
        (f"01{GTIN}17260200", {"good_until": date(2026, 2, 28)}),
        (f"01{GTIN}15270115", {"good_until": date(2027, 1, 15)}),
        (f"01{GTIN}1527011517270120", {"good_until": date(2027, 1, 20)}),
        (f"01{GTIN}3012", {"count": 12}),
        (f"02{GTIN}3724", {"count": 24}),
        (f"01{GTIN}39329411250", {"price": Decimal("12.50")}),
        (f"01{GTIN}39329781250", {}),  # euro
        (f"https://id.gs1.org/01/{GTIN}", {}),
        (f"https://id.gs1.org/01/{GTIN}/", {}),
        (f"https://maxi.example/01/{EAN}/10/A7/?21=S/", {"batch": "A7", "serial": "S/"}),
        (f"https://maxi.example/p/01/{EAN}/10/A7?17=261231&utm=x",
         {"batch": "A7", "good_until": date(2026, 12, 31)}),
    ],
)  # fmt: skip
def test_what_a_message_says(text: str, said: dict[str, Any]) -> None:
    assert meant(text) == Gs1Message(GTIN, **said)
    drops = replace(RULES, keeps_batch=False)
    bare = {name: value for name, value in said.items() if name not in ("batch", "serial")}
    assert barcodes.classify(text, drops) == Gs1Message(GTIN, **bare), "where nobody keeps them"


@each(
    ("text", "weight", "price"),
    [
        (f"01{WEIGHED}3103001412", "1.412", None),
        (f"01{WEIGHED}3100000002", "2", None),
        (f"01{WEIGHED}310300141239220039870", "1.412", "398.70"),
        (f"01{WEIGHED}3920350", None, "350"),
        (f"\x1d310300141201{WEIGHED}", "1.412", None),
        (f"]d2310300141201{WEIGHED}", "1.412", None),
    ],
)
def test_weight_and_price(text: str, weight: str | None, price: str | None) -> None:
    told = meant(text)
    assert isinstance(told, Gs1Message)
    assert (told.gtin, told.code) == (WEIGHED, WEIGHED)
    assert (told.weight, told.price) == tuple(one and Decimal(one) for one in (weight, price))


@each(
    "code",
    [
        EAN, f"0{EAN}", "4006381333931", "96385074",  # elements 400 and 96, too
        f"{EAN}9712",
        "(500) g", "(10)A/7",  # brackets without a GTIN
        "0186001234501451",  # a wrong check digit, and no sign that it is a message
        "0186001234",
    ],
)  # fmt: skip
def test_what_only_looks_like_one_is_an_articles_code(code: str) -> None:
    assert meant(code) == barcodes.ArticleCode(code)


@each(
    ("text", "why", "code"),
    [
        ("]C110A7", barcodes.WhyUnknown.GS1, "]C110A7"),  # it names no article
        ("\x1d10A7", barcodes.WhyUnknown.GS1, "10A7"),
        *(
            (code, barcodes.WhyUnknown.GS1, code)
            for code in (
                f"01{GTIN}17260231",  # a day that no calendar has
                f"(01){GTIN}(17)260231",
                f"01{GTIN}5",  # an element that nobody defined
                f"https://maxi.example/01/{GTIN}/about",
                f"https://maxi.example/01/{GTIN}?17=260231",
            )
        ),
        *(
            (code, barcodes.WhyUnknown.CUT, code.replace(FNC1, " ").strip())
            for code in (
                *(f"01{GTIN}{rest}" for rest in CUT),
                *(f"{sign}01{GTIN}10A7{FNC1}{rest}" for sign in ("]C1", FNC1, "") for rest in CUT),
                *(f"(01){GTIN}({rest}" for rest in ("", "3", "3103", "3103)", "3103)00141", "10)")),
                f"(01){GTIN}(10)A(7)(17)2612",
                *(
                    f"https://id.gs1.org/01/{GTIN}{rest}"
                    for rest in (
                        "/1",
                        "/10",
                        "/10/",
                        "?1",
                        "?17",
                        "?17=",
                        "?17=2612",
                        "?3103=00141",
                        "/10/A7?17=261231&3",
                    )
                ),
            )
        ),
        ("(01)08600123450145", barcodes.WhyUnknown.CHECK_DIGIT, "8600123450145"),
        (f"01{GTIN}3103000000", barcodes.WhyUnknown.NOTHING_WEIGHED, f"01{GTIN}3103000000"),
        (f"01{GTIN}3000", barcodes.WhyUnknown.NOTHING_WEIGHED, f"01{GTIN}3000"),
    ],
)
def test_a_message_that_sells_nothing(text: str, why: barcodes.WhyUnknown, code: str) -> None:
    assert meant(text) == barcodes.Unknown(code, why)


@each(
    ("text", "code"), [(f"]E0{EAN}", EAN), ("]C02088", "2088"), ("]d2", ""), (EAN, EAN), ("]", "]")]
)
def test_what_names_the_kind_of_bar_code_is_no_part_of_it(text: str, code: str) -> None:
    assert gs1.without_aim(text) == code
    below = {
        GTIN: EAN, "00000096385074": "96385074", WEIGHED: WEIGHED,
        "00036000291452": "0036000291452",
    }  # fmt: skip
    assert {gtin: Gs1Message(gtin).code for gtin in below} == below, "the code below the bars"


@each(
    ("code", "shown"),
    [
        ("]d201086099511017301727123110", "8609951101730"),
        ("(01)08609951101730(17)27123110", "8609951101730"),
        ("0108609951101731", "0108609951101731"),
        ("]d210LOT\x1d17", "10LOT 17"),
        ("LOT-17", "LOT-17"),
    ],
)
def test_a_code_is_shown_as_it_stands_on_the_pack(code: str, shown: str) -> None:
    assert barcodes.shown_code(code) == shown
