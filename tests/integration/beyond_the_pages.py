"""Requests that the pages for integrators describe without showing them, with their answers."""

BEYOND = {
    "requests": r"""
A total that the lines do not come to:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 7f41d0a93e6b2c59' -d '{
    "invoiceType": "normal", "transactionType": "sale",
    "payments": {"card": 100}, "totalAmount": 100,
    "items": [{"sku": 1, "quantity": 3, "unitPrice": 33.33}],
    "receiptDelivery": {"pdf": false}
  }'
```

`400`:

```json
{
  "code": 40090001,
  "class": "fix",
  "message": "\"totalAmount\" 100.00 differs from the sum of the items 99.99",
  "validation": {"body": {"keys": ["totalAmount"], "…": "…"}},
  "…": "…"
}
```
""",
    "refusals": r"""
A key that belongs to another body:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 5e2f9c1a7b3d4860' -d '{
    "invoiceType": "normal", "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [{"sku": 1, "quantity": 1, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": true}
  }'
```

`409`:

```json
{
  "code": 40900001,
  "class": "fix",
  "message": "This key stands for another body, nothing was signed for this body.",
  "…": "…"
}
```
""",
    "operations": r"""
A line without `sku` is refunded by its place on the receipt, from 0:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/U7X75A79-U7X75A79-1/refund \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: d3907f5c6a1be248' -d '{
    "buyerId": "10:123456788", "payments": {"card": 58.99},
    "items": [{"line": 0, "quantity": 1}], "receiptDelivery": {"pdf": true}
  }'
```

`200`:

```json
[
  {
    "invoiceCounterExtension": "ПР", "invoiceNumber": "U7X75A79-U7X75A79-5",
    "totalAmount": 58.99, "…": "…"
  }
]
```

Two members are ignored:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 2c41d7f06be98a35' -d '{
    "invoiceType": "normal", "transactionType": "sale",
    "payments": {"cash": 200, "wireTransfer": 0},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99, "discount": 10}],
    "receiptDelivery": {"pdf": false}
  }'
```

`200`:

```json
{
  "totalAmount": 117.98,
  "warnings": [
    {
      "code": "unknown_member",
      "message": "\"payments.wireTransfer\" is not known and …; did you mean \"wiretransfer\"?",
      "field": "payments.wireTransfer"
    },
    {
      "code": "unknown_member",
      "message": "\"items[0].discount\" is not known there and …: nothing is taken off for it. …",
      "field": "items[0].discount"
    }
  ],
  "…": "…"
}
```

A further refund is refused, because nothing is left:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/U7X75A79-U7X75A79-1/refund \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 72ae15c9d80f3b64' -d '{
    "buyerId": "10:123456788", "payments": {"card": 58.99},
    "items": [{"line": 0, "quantity": 1}], "receiptDelivery": {"pdf": true}
  }'
```

`400`:

```json
{
  "code": 40090001,
  "class": "fix",
  "message": "U7X75A79-U7X75A79-1 is refunded already, nothing of it is left",
  "validation": {"params": {"keys": ["Id"], "…": "…"}},
  "…": "…"
}
```
""",
    "advances": r"""
A new shop, whose processor refuses:

    pos-app demo --data pair-shop --prepare
    pos-app processor --data pfr --port 9998 --control-port 9996
    POS_APP_PROCESSOR__URL=http://127.0.0.1:9998 pos-app server --data pair-shop

An advance on a chair:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 3f0e7b92c6d1a854' -d '{
    "invoiceType": "advance", "transactionType": "sale",
    "payments": {"card": 2000},
    "items": [{
      "quantity": 1, "unitPrice": 5000, "article": {"name": "Столица", "taxRateLabel": "Ђ"}
    }],
    "receiptDelivery": {"pdf": false}
  }'
```

`200`:

```json
{"invoiceNumber": "U7X75A79-U7X75A79-1", "totalAmount": 2000, "…": "…"}
```

The processor signs one receipt normally and refuses the next. Close the advance, look that up, and
correct the sale:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/U7X75A79-U7X75A79-1/close \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 6ad2f18b905c37e4' -d '{
    "payments": {"cash": 3000}, "receiptDelivery": {"pdf": false}
  }'
```

`500`:

```json
{
  "code": 50010002,
  "class": "unknown",
  "message": "Half done: U7X75A79-U7X75A79-2 is signed, what belongs to it is not yet (…). …",
  "receiptId": "949d27ba-ac62-5087-9953-4af210ea1401",
  "signed": ["U7X75A79-U7X75A79-2"],
  "…": "…"
}
```

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/key:6ad2f18b905c37e4
```

`202`:

```json
{
  "receiptId": "949d27ba-ac62-5087-9953-4af210ea1401",
  "state": "needs_human",
  "signed": ["U7X75A79-U7X75A79-2"]
}
```

```sh
curl http://127.0.0.1:9999/till/doubts/949d27ba-ac62-5087-9953-4af210ea1401/correct \
  -H 'Content-Type: application/json' -H 'X-Pos-Install: INSTALL_ID' -H 'X-Pos-Token: TOKEN' -d '{
    "by": "Милан",
    "request": {
      "payments": {"card": 3000}, "buyerId": "10:123456788", "receiptDelivery": {"pdf": false}
    }
  }'
```

`200`:

```json
[
  {
    "invoiceCounterExtension": "АР", "invoiceNumber": "U7X75A79-U7X75A79-2",
    "totalAmount": 2000, "…": "…"
  },
  {
    "invoiceCounterExtension": "ПП", "invoiceNumber": "U7X75A79-U7X75A79-3",
    "totalAmount": 5000, "…": "…"
  }
]
```

The chair is returned for cash, and the processor refuses the copy:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/U7X75A79-U7X75A79-3/refund \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: c04b95e7d3f8126a' -d '{
    "buyerId": "10:123456788", "payments": {"cash": 5000}, "receiptDelivery": {"pdf": false}
  }'
```

`500`:

```json
{
  "code": 50010002,
  "receiptId": "46772d90-5544-5220-a95b-7096f530dbff",
  "signed": ["U7X75A79-U7X75A79-4"],
  "…": "…"
}
```

The manager keeps the money in the drawer and has the refund undone:

```sh
curl http://127.0.0.1:9999/till/doubts/46772d90-5544-5220-a95b-7096f530dbff/reverse \
  -H 'Content-Type: application/json' -H 'X-Pos-Install: INSTALL_ID' \
  -H 'X-Pos-Token: TOKEN' -d '{"by": "Милан"}'
```

`200`:

```json
{"state": "reversed", "signed": ["U7X75A79-U7X75A79-4", "U7X75A79-U7X75A79-5"]}
```

The old key keeps this outcome:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/U7X75A79-U7X75A79-3/refund \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: c04b95e7d3f8126a' -d '{
    "buyerId": "10:123456788", "payments": {"cash": 5000}, "receiptDelivery": {"pdf": false}
  }'
```

`500`:

```json
{
  "code": 50010002,
  "message": "Reversed: U7X75A79-U7X75A79-4 is signed and U7X75A79-U7X75A79-5 undoes it; …",
  "signed": ["U7X75A79-U7X75A79-4", "U7X75A79-U7X75A79-5"],
  "state": "reversed",
  "…": "…"
}
```

```sh
curl http://127.0.0.1:9999/fiscalization/receipts/key:c04b95e7d3f8126a
```

`202`:

```json
{"state": "reversed", "signed": ["U7X75A79-U7X75A79-4", "U7X75A79-U7X75A79-5"], "…": "…"}
```
""",
    "moving": r"""
A coffee whose label is still a Latin letter:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 0b9d5c7ea1f24863' -d '{
    "invoiceType": "normal", "transactionType": "sale",
    "payments": {"cash": 150},
    "items": [{"quantity": 1, "unitPrice": 150, "article": {"name": "Кафа", "taxRateLabel": "E"}}],
    "receiptDelivery": {"pdf": false}
  }'
```

`400`:

```json
{
  "code": 40090001,
  "message": "\"items[0].article.taxRateLabel\" must be …: \"E\" is Latin, …",
  "…": "…"
}
```

With the Cyrillic one, under the same key:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 0b9d5c7ea1f24863' -d '{
    "invoiceType": "normal", "transactionType": "sale",
    "payments": {"cash": 150},
    "items": [{"quantity": 1, "unitPrice": 150, "article": {"name": "Кафа", "taxRateLabel": "Е"}}],
    "receiptDelivery": {"pdf": false}
  }'
```

`200`:

```json
{"invoiceNumber": "U7X75A79-U7X75A79-2", "totalAmount": 150, "…": "…"}
```

A coffee in the format of another API is refused, and the missing members are named:

```sh
curl http://127.0.0.1:9999/fiscalization/receipts \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: f2a60b7cd1943e58' -d '{
    "invoiceType": "Normal", "transactionType": "Sale",
    "payment": [{"amount": 150, "paymentType": "Cash"}],
    "items": [{"name": "Кафа", "quantity": 1, "unitPrice": 150, "labels": ["E"]}]
  }'
```

`400`:

```json
{
  "code": 40090001,
  "class": "fix",
  "message": "\"payments\" is required",
  "validation": {"body": {"keys": ["payments", "receiptDelivery"], "…": "…"}},
  "…": "…"
}
```
""",
}
"""Page -> what is sent after its own requests, written as on the page."""
