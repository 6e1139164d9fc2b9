"""A proforma as PDF, on rolls and on A4."""

from __future__ import annotations

import pytest

from pos_app.adapters.pdf.receipts import A4, ROLL_58, ROLL_80, PdfReceipts
from pos_app.adapters.pdf.sheets import Sheet
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.receipt.request import InvoiceType
from tests.integration.paper.conftest import MM, Sign, codes_on, drawn, look_at
from tests.unit.documents import papers

SHEETS = pytest.mark.parametrize("sheet", [ROLL_80, ROLL_58, A4], ids=["80 mm", "58 mm", "A4"])
PAYEE = IpsPayee(BankAccount.parse("840-955845-10"), "Trgovina Ljubica\nBeograd")
HEADER = ("Продавница „Љубица“", "Булевар краља Александра 12")


@SHEETS
def test_a_proforma_has_a_second_code_to_pay_by(sign: Sign, sheet: Sheet) -> None:
    asked = papers.request(invoice_type=InvoiceType.PROFORMA)
    signed = sign(asked)
    shop = ShopPaper(not_fiscal=True, payee=PAYEE, header=HEADER)
    (page,) = look_at(drawn(PdfReceipts(shop, sheet=sheet), signed, asked))
    receipts, pays = codes_on(page)

    assert receipts.text == signed.verification_url
    assert pays.text.startswith("K:PR|V:01|C:1|R:840000000095584510|N:Trgovina Ljubica\nBeograd|")
    assert f"|I:RSD354,10|SF:221|S:Predračun {signed.invoice_number}|RO:97" in pays.text
    assert page.text.index("NBS IPS QR") > page.text.index("ОВО НИЈЕ ФИСКАЛНИ РАЧУН")

    margin = round((sheet.margin - 0.3) * MM)
    width, height = page.picture.size
    for box in ((0, 0, margin, height), (width - margin, 0, width, height)):
        assert page.picture.crop(box).getextrema() == (255, 255)
