"""Receipts to lay out: written by hand, and through the journal writer of the emulator."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from pos_app.documents.blocks import Document
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
)
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.issue import priced, receipt_of
from pos_app.fiscalization.plans.shop_choices import USUAL
from pos_app.pfr_emulator.invoice import Invoice, Item, Payment, PaymentType
from pos_app.pfr_emulator.invoice import InvoiceType as PfrType
from pos_app.pfr_emulator.invoice import TransactionType as PfrDirection
from pos_app.pfr_emulator.journal import Signed, write_journal
from pos_app.pfr_emulator.options import Taxpayer
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, in_force
from pos_app.pfr_emulator.tax import tax_items

NOON = datetime(2026, 1, 5, 8, 7, 3, tzinfo=UTC)
URL = "https://suf.purs.gov.rs/v/?vl=" + "A1b%2F" * 137

SALE = """\
============ ФИСКАЛНИ РАЧУН ============
               101234567
       ТРГОВИНСКА РАДЊА "ЉУБИЦА"
           1009871-Код Љиљане
      БУЛЕВАР КРАЉА АЛЕКСАНДРА 12
             Београд-Врачар
Касир:                    Љубица Његован
ИД купца:                   10:106006802
Опционо поље купца:           20:9876543
ЕСИР број:                       123/1.0
-------------ПРОМЕТ ПРОДАЈА-------------
Артикли
========================================
Назив   Цена         Кол.         Укупно
Џем од кајсија и њоки са пршутом, љути с
ос 500g/ком (Ђ)
       120,50          2          241,00
Хлеб бели/ком (Е)
        72,50      1,560          113,10
----------------------------------------
Укупан износ:                     354,10
Инстант плаћање:                  154,10
Готовина:                         500,00
========================================
Ознака       Име      Стопа        Порез
Ђ          О-ПДВ   20,00%          40,17
Е          П-ПДВ   10,00%          10,28
----------------------------------------
Укупан износ пореза:               50,45
========================================
ПФР време:           05.01.2026. 9:07:03
ПФР број рачуна: ABCD1234-EFGH5678-12345
Бројач рачуна:             11200/12345ПП
========================================
======== КРАЈ ФИСКАЛНОГ РАЧУНА =========
"""

SHOP = ShopPaper(not_fiscal=False)


def receipt(journal: str | None = SALE, **facts: Any) -> SignedReceipt:
    """A signed receipt over 354.10 with this journal, whose lines end as processors end them."""
    return SignedReceipt(
        **{
            "sdc_time": NOON,
            "sdc_time_text": "2026-01-05T09:07:03+01:00",
            "invoice_counter": "11200/12345ПП",
            "invoice_number": "ABCD1234-EFGH5678-12345",
            "signed_by": "EFGH5678",
            "encrypted_internal_data": "AAAA",
            "verification_url": URL,
            "journal": journal and "\r\n".join(journal.splitlines()) + "\r\n",
            "total_amount": Money("354.10"),
            **facts,
        }
    )


def item(
    name: str,
    price: str,
    quantity: str = "1",
    *,
    label: TaxLabel = TaxLabel.DJ,
    unit: str = "ком",
    total: str | None = None,
) -> RequestedItem:
    return RequestedItem(
        quantity=Quantity(quantity),
        unit_price=UnitPrice(price),
        article=FrozenArticle(name, label, unit),
        total=None if total is None else Money(total),
    )


SOLD = (
    item("Џем од кајсија и њоки са пршутом, љути сос 500g", "120.50", "2"),
    item("Хлеб бели", "72.50", "1.560", label=TaxLabel.E),
)


def request(*items: RequestedItem, cash: str = "354.10", **fields: Any) -> IssueRequest:
    """A request, by default for the two articles of SALE, paid exactly, in cash."""
    return IssueRequest(
        **{
            "invoice_type": InvoiceType.NORMAL,
            "transaction_type": TransactionType.SALE,
            "items": items or SOLD,
            "payments": Payments.of({PaymentMethod.CASH: Money(cash)}),
            "delivery": ReceiptDelivery(pdf=True),
            **fields,
        }
    )


def asked_for(request: IssueRequest) -> tuple[FiscalDocument, EsirPart]:
    """The two things beside the receipt that a paper is laid out from."""
    return _paper_of(request, cashier="Љубица Његован")


def laid_out(
    signed: SignedReceipt,
    asked: IssueRequest,
    *,
    shop: ShopPaper = SHOP,
    as_view: bool = False,
    **fields: Any,
) -> Document:
    """The paper of an issue request; `fields` change its document, as a copy does."""
    document, esir = asked_for(asked)
    document = replace(document, **fields)
    return layout(receipt=signed, document=document, esir=esir, shop=shop, as_view=as_view)


def journal_of(*names: str, header: Literal["centred", "plain"] = "centred", **fields: Any) -> str:
    """A journal as the emulator writes it, of articles with these names at 10.00 each."""
    items = tuple(
        Item(name, Decimal(1), Decimal("10.00"), Decimal("10.00"), ("Ђ",)) for name in names
    )
    total = sum((one.total for one in items), Decimal(0))
    invoice = Invoice(
        **{
            "kind": PfrType.NORMAL,
            "direction": PfrDirection.SALE,
            "items": items,
            "payments": (Payment(total, PaymentType.CASH),),
            "cashier": "Пера",
            **fields,
        }
    )
    return write_journal(
        invoice,
        signed=Signed(NOON, "ABCD1234-EFGH5678-123456", "1/123456ПП"),
        taxes=tax_items(items, in_force(PRODUCTION_RATES, NOON).labels()),
        taxpayer=Taxpayer(),
        header=header,
    )


def to_be_signed() -> tuple[SignedReceipt, IssueRequest]:
    """The copy of a refund, which the buyer signs."""
    journal = journal_of("Кафа", kind=PfrType.COPY, direction=PfrDirection.REFUND)
    kinds = {"invoice_type": InvoiceType.COPY, "transaction_type": TransactionType.REFUND}
    return receipt(journal), request(**kinds)


def _paper_of(asked: IssueRequest, *, cashier: str) -> tuple[FiscalDocument, EsirPart]:
    """The journal's part of a request, also of kinds that no issue request may have."""
    planned = receipt_of(asked, priced(asked), Basis(now=NOON, cashier=cashier, rules=USUAL))
    return planned.document, planned.esir
