"""A till without a window that sells, copies the receipt and refunds another one by hand.

    python -m tests.e2e.copying_till --data DIR --total 3

Its own file says which acts are done and so which comes next; a till that was killed goes on. It
speaks as `advancing_till`, and ends with 0 once `total` rounds are done.
"""

from __future__ import annotations

import sys
from collections import Counter

from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.errors import RemoteError
from pos_app.selling.receipts.confirm import confirm_copy
from pos_app.selling.receipts.refund_by_hand import HandDraft, confirm_refund_by_hand
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.e2e import advancing_till
from tests.e2e.robot import CASHIER, articles, sell

ROUND = (Operation.ISSUE, Operation.COPY, Operation.REFUND)
_BUYER = BuyerId.parse("11:1234567890123")
_NO_PAPER = ReceiptDelivery()


class Copier(advancing_till.Cashier):
    """Makes one round after the other: a sale, its copy, and by hand a refund whose referent has
    the number of the round."""

    async def _is_done(self) -> bool:
        done = self._done()
        return all(done[operation] >= self._total for operation in ROUND)

    def _done(self) -> Counter[Operation]:
        return Counter(one.operation for one in self._ended())

    def _ended(self) -> list[Sale]:
        sales = self._core.database.sales.last(10_000)
        return [one for one in sales if one.state is SaleState.DONE]

    async def _act(self) -> None:
        done = self._done()
        match min(ROUND, key=lambda operation: done[operation]):
            case Operation.ISSUE:
                sell(self._core, articles(self._core), items=1)
            case Operation.COPY:
                await self._copy()
            case _:
                self._refund(done[Operation.REFUND] + 1)

    async def _copy(self) -> None:
        sold = next(one for one in self._ended() if one.operation is Operation.ISSUE)
        assert sold.receipt is not None
        try:
            shown = await self._core.receipts.receipt(sold.receipt.fiscal_number)
        except RemoteError:
            await self._rest()
            return
        copy = confirm_copy(
            till=self._core.till, overview=shown.overview, delivery=_NO_PAPER, cashier=CASHIER
        )
        self._sent(copy)

    def _refund(self, number: int) -> None:
        draft = HandDraft(
            number=f"ABCD1234-ABCD1234-{number}",
            day="20.11.2025.",
            time="11:42",
            goods="Враћена роба",
            amounts={TaxLabel.DJ: "120,00"},
        )
        refund = confirm_refund_by_hand(
            till=self._core.till,
            draft=draft,
            buyer=_BUYER,
            delivery=_NO_PAPER,
            cashier=CASHIER,
            in_whole_dinars=True,
        )
        self._sent(refund)


def main(words: list[str] | None = None) -> int:
    return advancing_till.main(words, cashier=Copier)


if __name__ == "__main__":
    sys.exit(main())
