"""A sale, its look-up, its refund, an advance with two tax labels and the list of the newest
receipts, by a client that is generated from the document of the shop's server.

The client is made beside this file by openapi-generator:
    curl -o openapi.json http://127.0.0.1:9999/openapi.json
    openapi-generator-cli generate -i openapi.json -o . -g python --additional-properties \
      packageName=fiscal
    pip install -r requirements.txt

Arguments: a key of at most 50 characters, and amounts, each of which is sold and paid exactly.
"""

import sys

from fiscal import (
    Article,
    DefaultApi,
    IssueRequest,
    Item,
    Payments,
    PaymentsOrNone,
    Receipt,
    ReceiptDelivery,
    RefundRequest,
)

key, *amounts = sys.argv[1:]
api = DefaultApi()
paper = ReceiptDelivery(pdf=False)


def line(name: str, label: str, price: float) -> Item:
    return Item(quantity=2, unit_price=price, article=Article(name=name, tax_rate_label=label))


sale = IssueRequest(
    invoice_type="normal",
    transaction_type="sale",
    payments=Payments(cash=200),
    items=[line("Сто", "Ђ", 58.99)],
    receipt_delivery=paper,
)
receipt = api.issue(sale, idempotency_key=f"{key}-sale")
print("sale", receipt.invoice_number, receipt.total_amount)
found = Receipt.from_dict(api.look_up(f"key:{key}-sale"))
print("found", found.invoice_number, found.total_amount)
back = RefundRequest(
    buyer_id="10:123456788", payments=PaymentsOrNone(cash=117.98), receipt_delivery=paper
)
refunded = api.refund(receipt.invoice_number, back, idempotency_key=f"{key}-refund")
print("refund", *(one.invoice_number for one in refunded))
advance = IssueRequest(
    invoice_type="advance",
    transaction_type="sale",
    unknown_amount_advance=True,
    payments=Payments(cash=3000),
    advance_specification={"Ђ": 2000, "Е": 1000},
    items=[line("Сто", "Ђ", 0), line("Хлеб", "Е", 0)],
    receipt_delivery=paper,
)
print("advance", api.issue(advance, idempotency_key=f"{key}-advance").invoice_number)
listed = api.list_receipts(invoice_type=["normal", "advance"], limit=2)
print("listed", *(one.invoice_number for one in listed.receipts))
for amount in amounts:
    sale.payments = Payments(cash=float(amount))
    sale.items = [line("Сто", "Ђ", float(amount))]
    sale.items[0].quantity = 1
    receipt = api.issue(sale, idempotency_key=f"{key}-{amount}")
    print("exact", receipt.invoice_number, receipt.total_amount)
