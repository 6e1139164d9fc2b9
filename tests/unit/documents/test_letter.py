"""The text of a mail with a receipt, in both scripts; nothing in it becomes markup."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from pos_app.documents.letter import receipt_letter
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt import SignedReceipt
from tests.sweep import each

RECEIPT = SignedReceipt(
    sdc_time=datetime(2026, 11, 20, 9, 30, 5, tzinfo=UTC),
    sdc_time_text="2026-11-20T10:30:05+01:00",
    invoice_counter="42/42ПП",
    invoice_number="ABCD1234-EFGH5678-42",
    signed_by="ABCD1234",
    encrypted_internal_data="",
    total_amount=Money(Decimal("1234.50")),
    verification_url="https://suf.purs.gov.rs/v/?vl=A0FB%2B",
)


def test_it_names_number_time_amount_and_where_to_verify() -> None:
    letter = receipt_letter(
        RECEIPT, shop="Пекара Ђ", language=ReceiptLanguage.CYRILLIC, not_fiscal=False
    )
    assert letter.subject == "Рачун ABCD1234-EFGH5678-42, Пекара Ђ"
    assert letter.file_name == "racun-ABCD1234-EFGH5678-42.pdf"
    assert letter.text == (
        "Поштовани,\n\nу прилогу је Ваш рачун.\n\n"
        "Број рачуна: ABCD1234-EFGH5678-42\n"
        "Време: 20.11.2026. 10:30:05\n"
        "Износ: 1.234,50 РСД\n"
        "Провера рачуна: https://suf.purs.gov.rs/v/?vl=A0FB%2B\n\n"
        "Хвала на поверењу.\nПекара Ђ\n"
    )
    assert '<a href="https://suf.purs.gov.rs/v/?vl=A0FB%2B">' in letter.html


def test_it_is_written_in_the_script_of_the_paper_and_tells_what_is_known() -> None:
    letter = receipt_letter(
        RECEIPT, shop="Пекара Ђ", language=ReceiptLanguage.LATIN, not_fiscal=True
    )
    assert letter.subject == "Račun ABCD1234-EFGH5678-42, Пекара Ђ"
    assert "Ovo nije fiskalni račun." in letter.text
    assert "Iznos: 1.234,50 RSD" in letter.text
    bare = replace(RECEIPT, total_amount=None, verification_url=None)
    letter = receipt_letter(bare, shop="", language=ReceiptLanguage.LATIN, not_fiscal=False)
    assert "Iznos" not in letter.text + letter.html
    assert "Provera" not in letter.text + letter.html


@each(
    "url", ["javascript:alert(1)", "http://example.rs", 'https://a.rs/"><script>alert(1)</script>']
)
def test_nothing_becomes_markup(url: str) -> None:
    evil = replace(RECEIPT, verification_url=url, invoice_number="<b>../x</b>")
    letter = receipt_letter(
        evil, shop="<script>", language=ReceiptLanguage.CYRILLIC, not_fiscal=False
    )
    assert "<script" not in letter.html
    assert "<b>" not in letter.html
    assert ("<a " in letter.html) is url.startswith("https://")
    assert letter.file_name == "racun--b-x-b-.pdf"
