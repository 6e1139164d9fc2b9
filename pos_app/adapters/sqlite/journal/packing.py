"""Packs bodies, plans and answers for the journal: compressed with a text of their common parts.

Each is a small JSON with little content of its own, so the compression gets a similar text to refer
to. The first byte is the number of that text. A text is frozen once it was released, because
content that was packed with it can be read with it alone: a better text gets the next number. The
next four bytes are a sum over all the others, which finds damage; zlib's own head and sum would
double a small content.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import esir_part
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt import ReceiptWarning, SignedReceipt, TaxItem, WarningCode
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.text.instant import from_text
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from pos_app.wire.receipt import signed_receipt_from_json, signed_receipt_to_json, taxes_from_json
from pos_app.wire.strict_json import dumps, loads

_LEVEL = 6
_RAW = -zlib.MAX_WBITS
"""zlib's own head and sum are left out."""
_HEAD = 5
_FIRST = (
    '{"invoiceType": "normal", "transactionType": "sale", "payments": {"cash": 0}, "items": [{"sku"'
    ': 1, "quantity": 1, "unitPrice": 99.99}], "receiptDelivery": {"pdf": false, "base64pdf": false'
    '}, "items": [{"sku": 1, "quantity": 1, "unitPrice": 99.99}, {"sku": '
    '[["","Г","ком",null],["","А","kg","860000000"],["","Ђ","кг",null],["","Е","ком","86000'
    '{"by":"","request":{"unknownAmountAdvance":true,"referentDocumentNumber":"","referentDocumentDT'
    '":"202","buyerId":"10:1","buyerCostCenterId":"","additionalText":"","dateAndTimeOfPos":"2026-'
    '{"payments":{"wireTransfer":,"voucher":,"check":,"mobileMoney":,"other":,"card":,"cash":'
    '{"invoiceType":"advance","transactionType":"refund","payments":{"card":'
    '{"invoiceType":"normal","transactionType":"sale","payments":{"cash":000},"items":[{"sku":1,'
    '"quantity":1,"unitPrice":99.99,"totalAmount":99.99,"article":{"name":"","taxRateLabel":"Ђ",'
    '"unit":"ком","gtin":"8600000000000"}},{"sku":2,"quantity":2,"unitPrice":'
    '}],"receiptDelivery":{"thermalPrinter":true,"a4Printer":false,"email":"","pdf":false,'
    '"base64pdf":false},"totalAmount":'
    '{"document":{"type":"copy","transaction":"refund","lines":[{"name":"'
    '"referent_number":"","referent_time":"2026-01-01T10:00:00+00:00","pos_time":"","buyer":"10:",'
    '"cost_centre":"","order":{"lines":[],"known":true},"follows":0,"reversal":true,"warnings":[["'
    '{"document":{"type":"normal","transaction":"sale","lines":[{"name":"/kom","label":"Ђ",'
    '"quantity":1,"unit_price":99.99,"total":99.99,"gtin":"8600000000000","sku":1},{"name":"/ком",'
    '"label":"Е","quantity":2,"unit_price":49.99,"total":99.98,"sku":'
    '}],"payments":[["card",000],["cash",000]],"cashier":"","esir_number":"1234/3.2.0"},'
    '"esir":{"lowered":[["","text":"","advance":[0,0,0],"last_advance":["},'
    '"delivery":{"a4":true,"email":"","pdf":true,"thermal":true}}{"esir":{},"delivery":{}}'
    "======= КОПИЈА =========-------------РЕФУНДАЦИЈА-------------АВАНС ПРОДАЈАПРЕДРАЧУН ОБУКА "
    "ОВО НИЈЕ ФИСКАЛНИ РАЧУНПренос на рачун:Ваучер:Чек:Инстант плаћање:Друго безготовинско плаћање:"
    "Платна картица:ПовраћајИД купца:Опционо поље купца:Реф. број:Реф. време:ЕСИР време:Повраћај:"
    "ЦАО АРРПКРПАКААРОПОРПП"
    '{"requestedBy":"","sdcDateTime":"2026-01-01T00:00:00.000+01:00","invoiceCounter":"1/1ПП",'
    '"invoiceCounterExtension":"ПП","invoiceNumber":"-","taxItems":[{"categoryType":0,'
    '"categoryName":"Без ПДВ","label":"А","rate":0,"amount":0},{"categoryType":0,"categoryName":'
    '"ПДВ","label":"Г","rate":0,"amount":0},{"categoryType":0,"categoryName":"О-ПДВ","label":"Ђ",'
    '"rate":20,"amount":16.6667},{"categoryType":0,"categoryName":"П-ПДВ","label":"Е","rate":10,'
    '"amount":18.1818}],"verificationUrl":"https://sandbox.suf.purs.gov.rs/v/?vl='
    "https://suf.purs.gov.rs/v/?vl=AAAAAAAAAA%2B%2F%3D%3D"
    '","journal":"============ ФИСКАЛНИ РАЧУН ============\\r\\n100000001\\r\\nПРОДАВНИЦА\\r\\n'
    "УЛИЦА \\r\\nБеоград\\r\\nКасир:                              \\r\\n"
    "ЕСИР број:                    1234/3.2.0\\r\\n-------------ПРОМЕТ ПРОДАЈА-------------\\r\\n"
    "Артикли\\r\\n========================================\\r\\n"
    "Назив   Цена         Кол.         Укупно\\r\\n /kom (Ђ)\\r\\n /ком (Е)\\r\\n"
    "        99,99          1           99,99\\r\\n       199,99          2          399,98\\r\\n"
    "----------------------------------------\\r\\nУкупан износ:                     299,97\\r\\n"
    "Готовина:                         300,00\\r\\n========================================\\r\\n"
    "Ознака       Име      Стопа        Порез\\r\\nА         Без ПДВ    0,00%          0,00\\r\\n"
    "Ђ           О-ПДВ   20,00%         16,67\\r\\nЕ           П-ПДВ   10,00%         18,18\\r\\n"
    "----------------------------------------\\r\\nУкупан износ пореза:               34,85\\r\\n"
    "========================================\\r\\nПФР време:           21.11.2026. 10:00:15\\r\\n"
    "ПФР број рачуна:     \\r\\nБројач рачуна:                     1/1ПП\\r\\n"
    "========================================\\r\\n======== КРАЈ ФИСКАЛНОГ РАЧУНА =========\\r\\n"
    '","messages":"Успешно","signedBy":"","encryptedInternalData":[49,256],"signature":[305,256],'
    '"totalCounter":1,"transactionTypeCounter":1,"totalAmount":299.97,"taxGroupRevision":1,'
    '"businessName":"","tin":"1000","locationName":"1000001-","address":"УЛИЦА ","district":"",'
    '"mrc":"00-0001-"}'
).encode()
TEXTS = {1: _FIRST}
_NOW = 1


def packed(*pieces: bytes) -> bytes:
    """Pack a content. Each part is coded in a block of its own, because the parts look
    different."""
    made = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=TEXTS[_NOW])
    first, *others = pieces
    coded = [made.compress(first)]
    for part in others:
        coded += [made.flush(zlib.Z_BLOCK), made.compress(part)]
    content = b"".join((*coded, made.flush()))
    return bytes((_NOW,)) + _sum(_NOW, content) + content


def unpacked(content: bytes) -> bytes:
    """Return the parts that `packed` got, joined. Raises ValueError, zlib.error."""
    if len(content) < _HEAD or content[1:_HEAD] != _sum(content[0], content[_HEAD:]):
        raise ValueError("it is damaged, as its sum says")
    text = TEXTS.get(content[0])
    if text is None:
        raise ValueError(f"it was packed by a later version (text {content[0]})")
    return zlib.decompressobj(_RAW, zdict=text).decompress(content[_HEAD:])


def _sum(number: int, content: bytes) -> bytes:
    return zlib.crc32(content, number).to_bytes(4, "big")


# --- answers -----------------------------------------------------------------------------------
# The verification address has the internal data and the signature too, in Base64 of another
# alignment, which no compression finds; together they are most of a receipt. So the bytes of the
# address follow the JSON, and those two members are their position in them, and their length. Data
# that can't be restored exactly stay in the JSON.


_IN_ADDRESS = ("encryptedInternalData", "signature")
_ADDRESS = "verificationUrl"
_BEGINS = "?vl="
_END = b"\0"
"""The separator between the JSON, which escapes it, and the bytes."""


def answer_packed(receipt: SignedReceipt) -> bytes:
    """Pack the answer without its absent members."""
    members = {
        name: value for name, value in signed_receipt_to_json(receipt).items() if value is not None
    }
    address, mark, found = members.get(_ADDRESS, "").partition(_BEGINS)
    sealed = _bytes_of(unquote(found))
    if not sealed or _written(sealed) != found:
        return packed(dumps(members))
    members[_ADDRESS] = address + mark
    for name in _IN_ADDRESS:
        plain = _bytes_of(members.get(name, ""))
        if plain and plain in sealed:
            members[name] = [sealed.index(plain), len(plain)]
    return packed(dumps(members) + _END, sealed)


def answer_of(content: bytes) -> SignedReceipt:
    """Return the answer that `answer_packed` got. Raises ValueError, Invalid, zlib.error for other
    content."""
    text, mark, sealed = unpacked(content).partition(_END)
    document: Any = loads(text)
    if mark:
        document[_ADDRESS] += _written(sealed)
        for name in _IN_ADDRESS:
            if isinstance(slice_of := document.get(name), list):
                start, length = slice_of
                document[name] = base64.b64encode(sealed[start : start + length]).decode()
    return signed_receipt_from_json(document)


def taxes_of(content: bytes) -> tuple[TaxItem, ...] | None:
    """Return only the taxes of the answer that `answer_packed` got, or None where the processor
    sent none. Raises as `answer_of`."""
    return taxes_from_json(loads(unpacked(content).partition(_END)[0]))


def _written(sealed: bytes) -> str:
    """Write Base64 as `quote` does, which takes each character by itself: 1,100 of them in a
    receipt."""
    text = base64.b64encode(sealed).decode()
    return text.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")


def _bytes_of(text: str) -> bytes:
    """Return the bytes of a Base64 text; none where it is written otherwise than we write it."""
    try:
        plain = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return plain if base64.b64encode(plain).decode() == text else b""


# --- plans -------------------------------------------------------------------------------------
# The form is our own, and no protocol shares it. Once a receipt is accepted its plan is frozen; a
# newer version of the product reads older plans, so members are only added.


Members = dict[str, Any]


def planned_to_json(planned: PlannedReceipt) -> bytes:
    """Write the plan without absent members."""
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


# --- a plan: the document ------------------------------------------------------------------------


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


# --- a plan: what goes with the document ---------------------------------------------------------


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


def _lowered(lines: tuple[esir_part.LoweredLine, ...]) -> list[list[Any]] | None:
    rows = [
        [line.name, line.before.amount, line.after.amount, line.percent and line.percent.value]
        for line in lines
    ]
    return rows or None


def _lowered_of(members: Members) -> tuple[esir_part.LoweredLine, ...]:
    return tuple(
        esir_part.LoweredLine(name, Money(before), Money(after), Percent(rate) if rate else None)
        for name, before, after, rate in members.get("lowered", ())
    )


def _esir(esir: esir_part.EsirPart) -> Members:
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


def _esir_of(members: Members) -> esir_part.EsirPart:
    figures, last = members.get("advance"), members.get("last_advance")
    return esir_part.EsirPart(
        lowered=_lowered_of(members),
        additional_text=members.get("text", ""),
        advance=None
        if figures is None
        else esir_part.AdvanceFigures(*(Money(part) for part in figures)),
        last_advance=None
        if last is None
        else esir_part.ReceiptReference(last[0], from_text(last[1])),
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
