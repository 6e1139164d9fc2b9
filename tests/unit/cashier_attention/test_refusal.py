"""Reading the server's words about a refused sale."""

from __future__ import annotations

import pytest

from pos_app.cashier.attention.cases.sale_cases import item_and_field, refusal_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.sale.sale import PendingReason

FIX = AnswerClass.FIX


@pytest.mark.parametrize(
    ("path", "item", "field"),
    [
        ("items[0].sku", 1, "sku"),
        ("items[11].article.taxRateLabel", 12, "label"),
        ("items[1]", 2, ""),
        ("buyerId", None, "buyer"),
        ("payments.card", None, "payments"),
        ("receiptDelivery.thermalPrinter", None, "delivery"),
        ("", None, ""),
        ("strange", None, ""),
    ],
)
def test_a_path_names_line_and_field(path: str, item: int | None, field: str) -> None:
    assert item_and_field(path) == (item, field)


@pytest.mark.parametrize(
    ("path", "code", "pfr", "serbian", "english"),
    [
        (
            "items[0].sku",
            "40090001",
            "",
            "Ставка 1: шифра артикла не постоји.",
            "Item 1: the item code does not exist.",
        ),
        ("items[1]", "40090001", "", "Ставка 2.", "Item 2."),
        (
            "buyerId",
            "40012806",
            "2806",
            "Поље: број купца. Облик вредности није добар.",
            "Field: buyer's number. A value has a wrong form.",
        ),
        ("", "40012806", "", "Облик вредности није добар.", "A value has a wrong form."),
        ("", "40090001", "", "", ""),
        ("strange", "40012999", "2999", "", ""),
    ],
)
def test_a_refusal_in_plain_words(
    path: str, code: str, pfr: str, serbian: str, english: str
) -> None:
    message = '"items[7].quantity" in a message is for people'
    reason = PendingReason(FIX, code, message, pfr, field=path)
    assert refusal_words(reason, Texts()) == serbian
    assert refusal_words(reason, Texts("en")) == english
