"""A pair of frozen acts is a refund and the sale that follows it: a correction or an exchange.

The sale is never sent before the refund is signed; there is no record of pairs beside the sales, so
the two states show how far a pair is. Source: exactly-once.md ("Who retries"); decision 0220.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from pos_app.domain.money.payment import PaymentMethod
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ports import SaleRepository
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState


@dataclass(frozen=True, slots=True)
class FrozenPair:
    """Both acts as they are stored; the server adds the copy of the refund."""

    refund: Sale
    new: Sale

    @property
    def is_exchange(self) -> bool:
        return self.new.is_exchange

    @property
    def next_part(self) -> Sale:
        """The act that is sent next when a person says so."""
        return self.new if self.refund.state is SaleState.DONE else self.refund


class PairStage(StrEnum):
    REFUNDING = "refunding"
    NOT_BEGUN = "not_begun"
    """Surely nothing was issued: the refund was refused, or nobody waited for it any more."""
    IN_DOUBT = "in_doubt"
    """Nobody knows whether one of the two receipts was issued."""
    HALF = "half"
    """The refund is issued, and the sale waits for a person."""
    ISSUING = "issuing"
    DONE = "done"
    GIVEN_UP = "given_up"
    """The refund will never be issued, or the lines of the sale went into a cart."""


_S = SaleState
_STAGES = {
    _S.FROZEN: PairStage.REFUNDING,
    _S.SENDING: PairStage.REFUNDING,
    _S.REFUSED: PairStage.NOT_BEGUN,
    _S.DOUBT: PairStage.IN_DOUBT,
    _S.CANCELLING: PairStage.GIVEN_UP,
    _S.CANCELLED: PairStage.GIVEN_UP,
}
"""The stages by the state of the refund, until it is issued."""
_STAGES_OF_NEW = {
    _S.FROZEN: PairStage.ISSUING,
    _S.SENDING: PairStage.ISSUING,
    _S.REFUSED: PairStage.HALF,
    _S.DOUBT: PairStage.IN_DOUBT,
    _S.DONE: PairStage.DONE,
    _S.CANCELLING: PairStage.GIVEN_UP,
    _S.CANCELLED: PairStage.GIVEN_UP,
}


_SHOWN_AS_CASH = frozenset({PaymentMethod.CARD, PaymentMethod.CHECK, PaymentMethod.MOBILE_MONEY})
"""The methods that need a copy too where payments are restricted."""


def stage_of(pair: FrozenPair) -> PairStage:
    if pair.refund.state is SaleState.DONE:
        return _STAGES_OF_NEW[pair.new.state]
    return _STAGES[pair.refund.state]


def copy_follows(
    methods: Collection[PaymentMethod], *, of_every: bool, restricted_payments: bool
) -> bool:
    """Whether a copy of a refund by these methods follows it, for the customer to sign. The server
    adds it by the same rule (fiscal.md 6.4). of_every, restricted_payments: the shop's settings."""
    if of_every or PaymentMethod.CASH in methods:
        return True
    return restricted_payments and not _SHOWN_AS_CASH.isdisjoint(methods)


def pair_with(sales: SaleRepository, sale: Sale) -> FrozenPair | None:
    if sale.follows is not None:
        return FrozenPair(sales.sale(sale.follows), sale)
    new = sales.follower(sale.key)
    return None if new is None else FrozenPair(sale, new)


def unfinished_pairs(sales: SaleRepository) -> Sequence[FrozenPair]:
    """The pairs whose sale is unfinished, the oldest first."""
    return [FrozenPair(sales.sale(one.follows or ""), one) for one in sales.followers()]
