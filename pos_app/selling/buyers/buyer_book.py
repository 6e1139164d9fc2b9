"""The buyers' book: the firms that were on receipts of this till, so that a name or a part of the
number finds them again.

It holds no natural person. Each till has a book of its own. Sources: till.md ("Payment"),
fiscal.md 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

LONGEST_BUYER_NAME = 100
FEWEST_SIGNS = 3
"""The letters and digits from which on a typed text is looked for."""


@dataclass(frozen=True, slots=True)
class KnownBuyer:
    """A firm of the book. name, email: "" while nobody said them. receipts: how many receipts it
    was on. last_at: when it was on the last one, UTC, or None where it was on none.

    Raises Invalid (kind: personal) for a natural person.
    """

    id: BuyerId
    name: str = ""
    email: str = ""
    receipts: int = 0
    last_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.id.is_personal:
            raise Invalid("personal_buyer")

    @classmethod
    def on_receipt(
        cls, buyer: BuyerId | None, *, name: str = "", email: str = ""
    ) -> KnownBuyer | None:
        """What the book takes of a receipt's buyer; nothing of a natural person."""
        if buyer is None or buyer.is_personal:
            return None
        return cls(buyer, tidy_name(name), email)


class BuyerBook(Protocol):
    """The firms that this till knows. `SaleRepository.move` takes the firm of a sale in with the
    receipt: a name that is known stays, an address stays where a later sale or a manager since gave
    it. Each change survives a power cut. Raises DiskFull, DatabaseBusy, DatabaseDamaged."""

    def find(self, query: str, *, at_most: int) -> Sequence[KnownBuyer]:
        """Return the firms of which each word of the query begins a word of the name, in either
        script, or is a part of the number; the one that was on a receipt last comes first. An empty
        query finds all."""
        ...

    def count(self) -> int: ...

    def buyer(self, buyer_id: BuyerId) -> KnownBuyer | None: ...

    def names_of(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Return the names of those of the ids, in wire form, that have one."""
        ...

    def change(
        self, buyer_id: BuyerId, *, name: str | None = None, email: str | None = None
    ) -> None:
        """Change what is given of a firm that the book has."""
        ...

    def take_in(self, buyers: Sequence[KnownBuyer]) -> int:
        """Add firms, all or none, and return how many of them are new. Of one that the book has
        the name and the address change, where they are not empty."""
        ...

    def remove(self, buyer_id: BuyerId) -> None: ...


def tidy_name(typed_text: str, *, longest: int = LONGEST_BUYER_NAME) -> str:
    """A typed name on one line, without signs that nobody sees, and no longer than that."""
    seen = "".join(sign if sign.isprintable() else " " for sign in typed_text)
    return " ".join(seen.split())[:longest].strip()


def is_searched(typed_text: str) -> bool:
    """Whether so much is typed that the book is looked through."""
    return len(fold(typed_text).replace(" ", "")) >= FEWEST_SIGNS
