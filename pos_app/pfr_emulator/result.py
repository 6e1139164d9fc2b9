"""The answer to a signed invoice (InvoiceResult of protocol v3), with its QR code."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO

import segno
from PIL import Image

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.forms import USUAL, Forms
from pos_app.pfr_emulator.invoice import Invoice
from pos_app.pfr_emulator.journal import Signed, counter_extension, write_journal
from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.pfr_emulator.options import Options, Taxpayer
from pos_app.pfr_emulator.rates import RateGroup
from pos_app.pfr_emulator.seal import Seal, SealedFacts
from pos_app.pfr_emulator.tax import TaxItem, tax_items

_MESSAGES = {"sr-Cyrl-RS": "Успешно", "en-US": "Success"}

MODULE_PX = 4
_MASK = 3
"""The fixed mask: trying all eight takes 24 ms instead of 6, and readers accept any."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """The signer: the seller, the device's code (vendor-product-serial) and its options."""

    taxpayer: Taxpayer
    mrc: str
    options: Options


def invoice_number(facts: SealedFacts) -> str:
    return f"{facts.requested_by}-{facts.signed_by}-{facts.total_counter}"


def compose_result(
    invoice: Invoice,
    *,
    facts: SealedFacts,
    seal: Seal,
    group: RateGroup,
    issuer: Issuer,
    language: str,
    forms: Forms,
) -> dict[str, object]:
    taxes = tax_items(invoice.items, group.labels())
    counter = f"{facts.type_counter}/{facts.total_counter}{counter_extension(invoice)}"
    signed = Signed(at=facts.at, number=invoice_number(facts), counter=counter)
    return {
        "requestedBy": forms.requester(facts.requested_by),
        "sdcDateTime": forms.time(facts.at),
        "invoiceCounter": counter,
        "invoiceCounterExtension": counter_extension(invoice),
        "invoiceNumber": signed.number,
        "taxItems": [_tax_item(tax) for tax in taxes],
        "verificationUrl": seal.url,
        "journal": _journal(invoice, signed, taxes, issuer, forms),
        "messages": _MESSAGES[language],
        "signedBy": facts.signed_by,
        "encryptedInternalData": b64encode(seal.internal).decode(),
        "signature": b64encode(seal.signature).decode(),
        "totalCounter": facts.total_counter,
        "transactionTypeCounter": facts.type_counter,
        "totalAmount": facts.total,
        "taxGroupRevision": group.group_id,
        **_seller(issuer),
    }


def ledger_entry(
    invoice: Invoice,
    facts: SealedFacts,
    *,
    document: dict[str, object],
    request_id: str | None,
    answer: str,
) -> LedgerEntry:
    return LedgerEntry(
        request_id=request_id,
        requested_by=facts.requested_by,
        signed_by=facts.signed_by,
        invoice_type=invoice.kind,
        transaction_type=invoice.direction,
        type_counter=facts.type_counter,
        total_counter=facts.total_counter,
        number=invoice_number(facts),
        total=invoice.total,
        signed_at=facts.at,
        content_hash=json_text.content_hash(document),
        with_qr=invoice.with_qr,
        request=json_text.encode(document),
        answer=answer,
    )


def answer_text(result: str, *, with_qr: bool, forms: Forms = USUAL) -> str:
    answer = json_text.decode(result.encode())
    assert isinstance(answer, dict)
    image = b64encode(qr_gif(str(answer["verificationUrl"]))).decode() if with_qr else None
    return json_text.encode(forms.shaped({**answer, "verificationQRCode": image}))


def _journal(
    invoice: Invoice, signed: Signed, taxes: tuple[TaxItem, ...], issuer: Issuer, forms: Forms
) -> str | None:
    if not invoice.with_journal:
        return None
    return write_journal(
        invoice, signed=signed, taxes=taxes, taxpayer=issuer.taxpayer, header=forms.journal_header
    )


def _tax_item(tax: TaxItem) -> Mapping[str, object]:
    return {
        "categoryType": tax.label.kind,
        "categoryName": tax.label.category,
        "label": tax.label.label,
        "rate": tax.label.rate,
        "amount": tax.amount,
    }


def _seller(issuer: Issuer) -> dict[str, object]:
    return {
        "businessName": issuer.taxpayer.business_name,
        "tin": issuer.taxpayer.tin,
        "locationName": issuer.taxpayer.location_name,
        "address": issuer.taxpayer.address,
        "district": issuer.taxpayer.district,
        "mrc": issuer.mrc,
    }


def qr_gif(url: str) -> bytes:
    """Draw the code as a PFR sends it: GIF89a, level L, 4 px a module, byte mode, no quiet zone.
    Equal text gives equal bytes."""
    code = segno.make(url, error="l", mode="byte", mask=_MASK, micro=False, boost_error=False)
    side = len(code.matrix)
    dots = bytes(0 if dark else 255 for row in code.matrix for dark in row)
    small = Image.frombytes("L", (side, side), dots)
    image = small.resize((side * MODULE_PX, side * MODULE_PX), Image.Resampling.NEAREST)
    out = BytesIO()
    # Pillow writes the older GIF87a unless the image needs 89a, as for a comment.
    image.convert("1").save(out, "GIF", comment=b"PFR")
    return out.getvalue()
