"""The life of a sale at the till, from confirm to its receipt: a table of states.

Source: exactly-once.md ("Who retries", "Answers have a class"). `till.db` holds the same table and
rejects every other move.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from pos_app.errors import NotAllowed


class SaleState(StrEnum):
    FROZEN = "frozen"
    """The sale waits to be sent, for the first time or again with the same key."""
    SENDING = "sending"
    """The sale is being sent. This state is committed before the first byte leaves."""
    DONE = "done"
    REFUSED = "refused"
    """The sale is surely not signed, and is not sent again by itself: a person corrects it, drops
    it or has it sent again."""
    DOUBT = "doubt"
    """A receipt may exist: the sale is looked up by its key, never sent."""
    CANCELLING = "cancelling"
    """A person dropped the sale; the server has not confirmed that nothing is or will be signed."""
    CANCELLED = "cancelled"
    """The server confirmed that nothing was and nothing will be signed."""


_S = SaleState

BEGINNING = _S.FROZEN

MOVES: dict[SaleState, frozenset[SaleState]] = {
    # DOUBT: a copy was put back, so a sale that was tried before is looked up first, a REFUSED one
    # too. REFUSED: its confirmation was perhaps shown as failed, or it is kept in front and was
    # not sent while somebody waited, so a person decides whether it is sent.
    _S.FROZEN: frozenset({_S.SENDING, _S.CANCELLING, _S.DOUBT, _S.REFUSED}),
    # FROZEN: surely not signed, to be tried again. DOUBT: no clear answer, or the till was killed.
    _S.SENDING: frozenset({_S.DONE, _S.REFUSED, _S.FROZEN, _S.DOUBT}),
    # FROZEN: the cause was removed elsewhere; the same key is tried again.
    _S.REFUSED: frozenset({_S.CANCELLING, _S.FROZEN, _S.DOUBT}),
    # FROZEN: it is surely absent. REFUSED: it was reported after a restore, and nobody can sign it
    # as it is.
    _S.DOUBT: frozenset({_S.DONE, _S.FROZEN, _S.REFUSED}),
    # DOUBT: the server did not cancel; the look-up finds what exists.
    _S.CANCELLING: frozenset({_S.CANCELLED, _S.DOUBT}),
    _S.DONE: frozenset(),
    _S.CANCELLED: frozenset(),
}

ENDED = frozenset({_S.DONE, _S.CANCELLED})
UNENDED = tuple(state for state in SaleState if state not in ENDED)


def check_move(old: SaleState, new: SaleState) -> None:
    """Raise NotAllowed unless the table has the move."""
    if new not in MOVES[old]:
        raise NotAllowed("sale_moved_on", old=str(old), new=str(new))


def check_state(state: SaleState, allowed: Collection[SaleState]) -> None:
    """Raise NotAllowed unless a person's act is possible for a sale in this state."""
    if state not in allowed:
        raise NotAllowed("not_in_this_state", state=str(state))
