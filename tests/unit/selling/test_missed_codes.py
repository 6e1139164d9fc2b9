"""Which codes that found no article are settled by what is scanned after them."""

from __future__ import annotations

from pos_app.domain.article.barcodes import WhyUnknown
from pos_app.selling.sale.missed_codes import UnknownCode, without_known
from tests.sweep import each

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
