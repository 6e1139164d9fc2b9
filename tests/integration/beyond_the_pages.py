"""Requests that the pages for integrators describe without showing them, with their answers."""

BEYOND = {
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
