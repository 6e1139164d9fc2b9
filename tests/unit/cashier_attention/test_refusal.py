"""Reading what the server said about a refused sale."""

from __future__ import annotations

import pytest

from pos_app.cashier.attention.case_texts import refusal_words
from pos_app.cashier.attention.refusal_details import RefusalDetails, refusal_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.states import AnswerClass
from pos_app.selling.sale import PendingReason

FIX = AnswerClass.FIX


@pytest.mark.parametrize(
    ("code", "pfr", "path", "item", "field", "known"),
    [
        ("40090001", "", "items[0].sku", 1, "sku", ""),
        ("40090001", "", "items[11].article.taxRateLabel", 12, "label", ""),
        ("40090001", "", "buyerId", None, "buyer", ""),
        ("40090001", "", "payments.card", None, "payments", ""),
        ("40090001", "", "receiptDelivery.thermalPrinter", None, "delivery", ""),
        ("40012310", "2310", "", None, "", "2310"),
        ("40012310", "", "", None, "", "2310"),
        ("40090001", "", "", None, "", ""),
        ("40090001", "", "strange", None, "", ""),
    ],
)
def test_field_and_code_are_found(
    code: str, pfr: str, path: str, item: int | None, field: str, known: str
) -> None:
    told = '"buyerId" in a message is words alone'
    reason = PendingReason(FIX, code, told, pfr, field=path)
    assert refusal_of(reason) == RefusalDetails(item, field, known, told)


@pytest.mark.parametrize(
    ("refusal", "serbian", "english"),
    [
        (
            RefusalDetails(1, "sku", "", ""),
            "Ставка 1: шифра артикла не постоји.",
            "Item 1: the item code does not exist.",
        ),
        (RefusalDetails(2, "", "", ""), "Ставка 2.", "Item 2."),
        (
            RefusalDetails(None, "buyer", "2806", ""),
            "Поље: број купца. Облик вредности није добар.",
            "Field: buyer's number. A value has a wrong form.",
        ),
        (RefusalDetails(None, "", "", "x"), "", ""),
    ],
)
def test_a_refusal_in_plain_words(refusal: RefusalDetails, serbian: str, english: str) -> None:
    words = Texts()
    assert refusal_words(refusal, words) == serbian
    words.change("en")
    assert refusal_words(refusal, words) == english
