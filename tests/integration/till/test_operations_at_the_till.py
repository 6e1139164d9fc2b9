"""Operations on receipts from the till's client to the real server, and what its answers mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.outbox.answer_effects import after_looking_up, after_sending
from pos_app.selling.server.answers import Issued, RefusedByServer
from pos_app.selling.server.ports import OutgoingSale
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import running

PAPER = {"receiptDelivery": {"pdf": False}}


def outgoing(number: int, operation: Operation, target: str | None, body: Any) -> OutgoingSale:
    return OutgoingSale(
        f"{number:032x}",
        number,
        "Мира",
        json.dumps(body).encode(),
        operation=operation,
        target=target,
    )


async def test_a_refund_a_copy_and_a_closing(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        till = FiscalHttp(api)
        await till.prove()

        async def done(number: int, operation: Operation, target: str | None, body: Any) -> Issued:
            answer = await till.issue(outgoing(number, operation, target, body))
            assert isinstance(answer, Issued), answer
            found = await till.look_up(f"{number:032x}")
            assert found == answer
            told = after_sending(answer, operation)
            assert told == after_looking_up(found, None, operation)
            return answer

        sold = await done(1, Operation.ISSUE, None, SALE)
        assert sold.further == ()
        total = sold.receipt.total_amount
        assert total is not None
        copy = await done(2, Operation.COPY, sold.receipt_id, PAPER)
        assert copy.further == ()
        back = {"payments": {"cash": float(total.amount)}, "buyerId": "10:101234567", **PAPER}
        refund = await done(3, Operation.REFUND, sold.receipt_id, back)
        ((_, signed_copy),) = refund.further
        assert refund.receipt.invoice_counter_extension == "ПР"
        assert signed_copy.invoice_counter_extension == "КР"
        again = await till.issue(outgoing(4, Operation.REFUND, sold.receipt_id, back))
        assert isinstance(again, RefusedByServer)
        advance = await done(
            5, Operation.ISSUE, None, SALE | {"invoiceType": "advance", "payments": {"cash": 10}}
        )
        await done(6, Operation.ADVANCE, advance.receipt_id, {"payments": {"cash": 5}, **PAPER})
        rest = {"payments": {"cash": float(total.amount) - 15}, "buyerId": "10:101234567", **PAPER}
        closed = await done(7, Operation.CLOSE, advance.receipt_id, rest)
        told = after_sending(closed, Operation.CLOSE).receipt
        assert told is not None
        assert told.fiscal_number == closed.further[0][1].invoice_number
