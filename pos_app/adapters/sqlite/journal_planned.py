"""A planned receipt as the journal keeps it: its own form, which no protocol shares.

Once a receipt is accepted its plan is frozen; a newer version of the product reads what an older
one wrote, so members are only ever added here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pos_app.domain.discount import Percent
from pos_app.domain.esir_part import AdvanceFigures, EsirPart, LoweredLine, ReceiptReference
from pos_app.domain.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.instant import from_text
from pos_app.domain.money import Money, Quantity
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.tax import TaxLabel
from pos_app.domain.warning import ReceiptWarning, WarningCode
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from pos_app.wire.strict_json import dumps, loads

Members = dict[str, Any]


def planned_to_json(planned: PlannedReceipt) -> bytes:
    """The plan, absent members left out."""
    return dumps(
        _present(
            {
                "document": _document(planned.document),
                "esir": _esir(planned.esir),
                "delivery": _delivery(planned.delivery),
                "order": planned.order and _order(planned.order),
                "follows": planned.follows,
                "reversal": planned.is_reversal or None,
                "warnings": [[one.code.value, one.message, one.field] for one in planned.warnings]
                or None,
            }
        )
    )


def planned_from_json(body: bytes) -> PlannedReceipt:
    members: Members = loads(body)  # type: ignore[assignment]
    order = members.get("order")
    return PlannedReceipt(
        document=_document_of(members["document"]),
        esir=_esir_of(members.get("esir", {})),
        delivery=_delivery_of(members.get("delivery", {})),
        order=None if order is None else _order_of(order),
        follows=_whole(members.get("follows")),
        is_reversal=members.get("reversal", False),
        warnings=tuple(
            ReceiptWarning(WarningCode(code), message, field)
            for code, message, field in members.get("warnings", ())
        ),
    )


# --- the document ------------------------------------------------------------------------------


def _document(document: FiscalDocument) -> Members:
    return _present(
        {
            "type": document.invoice_type.value,
            "transaction": document.transaction_type.value,
            "lines": [_line(line) for line in document.lines],
            "payments": [[method.value, amount.amount] for method, amount in document.payments],
            "cashier": document.cashier,
            "esir_number": document.esir_number,
            "buyer": document.buyer,
            "cost_centre": document.cost_centre,
            "referent_number": document.referent_number,
            "referent_time": _iso(document.referent_time),
            "pos_time": _iso(document.pos_time),
        }
    )


def _document_of(members: Members) -> FiscalDocument:
    return FiscalDocument(
        invoice_type=InvoiceType(members["type"]),
        transaction_type=TransactionType(members["transaction"]),
        lines=_lines_of(members["lines"]),
        payments=tuple(
            (PaymentMethod(method), Money(amount)) for method, amount in members["payments"]
        ),
        cashier=members["cashier"],
        esir_number=members.get("esir_number"),
        buyer=members.get("buyer"),
        cost_centre=members.get("cost_centre"),
        referent_number=members.get("referent_number"),
        referent_time=_moment(members.get("referent_time")),
        pos_time=_moment(members.get("pos_time")),
    )


def _line(line: FiscalLine) -> Members:
    return _present(
        {
            "name": line.name,
            "label": line.label.value,
            "quantity": line.quantity.amount,
            "unit_price": line.unit_price.amount,
            "total": line.total.amount,
            "gtin": line.gtin,
            "sku": line.sku,
            "origin": line.origin,
        }
    )


def _lines_of(lines: list[Members]) -> tuple[FiscalLine, ...]:
    return tuple(
        FiscalLine(
            name=line["name"],
            label=TaxLabel(line["label"]),
            quantity=Quantity(line["quantity"]),
            unit_price=Money(line["unit_price"]),
            total=Money(line["total"]),
            gtin=line.get("gtin"),
            sku=_whole(line.get("sku")),
            origin=_whole(line.get("origin")),
        )
        for line in lines
    )


# --- what goes with it -------------------------------------------------------------------------


def _order(order: AdvanceOrder) -> Members:
    return _present(
        {
            "lines": [_line(line) for line in order.lines],
            "known": order.is_known,
            "lowered": _lowered(order.lowered),
        }
    )


def _order_of(members: Members) -> AdvanceOrder:
    return AdvanceOrder(_lines_of(members["lines"]), members["known"], lowered=_lowered_of(members))


def _lowered(lines: tuple[LoweredLine, ...]) -> list[list[Any]] | None:
    rows = [
        [line.name, line.before.amount, line.after.amount, line.percent and line.percent.value]
        for line in lines
    ]
    return rows or None


def _lowered_of(members: Members) -> tuple[LoweredLine, ...]:
    return tuple(
        LoweredLine(name, Money(before), Money(after), Percent(rate) if rate else None)
        for name, before, after, rate in members.get("lowered", ())
    )


def _esir(esir: EsirPart) -> Members:
    figures, last = esir.advance, esir.last_advance
    return _present(
        {
            "lowered": _lowered(esir.lowered),
            "text": esir.additional_text or None,
            "advance": figures
            and [figures.paid.amount, figures.vat.amount, figures.remaining.amount],
            "last_advance": last and [last.number, _iso(last.time)],
            "unchecked": esir.is_unchecked or None,
            "reversal": esir.is_reversal or None,
        }
    )


def _esir_of(members: Members) -> EsirPart:
    figures, last = members.get("advance"), members.get("last_advance")
    return EsirPart(
        lowered=_lowered_of(members),
        additional_text=members.get("text", ""),
        advance=None if figures is None else AdvanceFigures(*(Money(part) for part in figures)),
        last_advance=None if last is None else ReceiptReference(last[0], from_text(last[1])),
        is_unchecked=members.get("unchecked", False),
        is_reversal=members.get("reversal", False),
    )


def _delivery(delivery: ReceiptDelivery) -> Members:
    return _present(
        {
            "thermal": delivery.thermal or None,
            "a4": delivery.a4 or None,
            "email": delivery.email,
            "pdf": delivery.pdf or None,
            "base64_pdf": delivery.base64_pdf or None,
        }
    )


def _delivery_of(members: Members) -> ReceiptDelivery:
    return ReceiptDelivery(**members)


def _present(members: Mapping[str, Any]) -> Members:
    return {name: value for name, value in members.items() if value is not None}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else from_text(text)


def _whole(number: Any) -> int | None:
    return None if number is None else int(number)
