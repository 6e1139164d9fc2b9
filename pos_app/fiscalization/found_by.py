"""What a signed receipt is found by in the list of receipts: the parts of its number, its methods
of payment, its buyer, and the words of its articles. Source: till.md ("Receipts", "Search").
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BUYER_KINDS
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.request import article_key, name_and_unit
from pos_app.domain.text.search_text import fold
from pos_app.lazy_dataclass import dataclass

_MOST_KNOWN = 2_000
"""The number of articles that are kept in memory, because folding is most of the work on a line."""
_MOST_DIGITS = 18
"""The most digits of a counter that a database can hold."""


@dataclass(frozen=True, slots=True)
class PrintedArticle:
    """An article as a receipt printed it. text: its code, EAN and printed name, by which equal ones
    are known. key: its `article_key`. name: without the unit, for which nobody
    searches. words: folded."""

    text: str
    key: str
    name: str
    words: str


def printed_article(line: FiscalLine) -> PrintedArticle:
    return _printed(line.sku, line.gtin, line.name)


@lru_cache(maxsize=_MOST_KNOWN)
def _printed(sku: int | None, gtin: str | None, printed: str) -> PrintedArticle:
    code, ean, name = str(sku or ""), gtin or "", name_and_unit(printed)[0]
    words = dict.fromkeys(" ".join([fold(name), code, fold(ean), ean.lstrip("0")]).split())
    return PrintedArticle(
        f"{code}\n{ean}\n{printed}", article_key(sku, gtin, printed), name, " ".join(words)
    )


def kept_buyer(buyer: str) -> str:
    """Return a buyer in wire form, "10:104982316", as the files that are searched keep it.

    They never contain the number of a natural person. A hash stands for it, so such a buyer is
    found only by the whole number.
    """
    code, _, value = buyer.partition(":")
    kind = BUYER_KINDS.get(code)
    if kind is None or kind.personal:
        return f"{code}#{hashlib.sha256(value.encode()).hexdigest()[:32]}"
    return buyer


def words_of_buyer(kept: str) -> str:
    """Return the folded words by which a kept buyer is found, "" for a natural person."""
    return "" if "#" in kept.partition(":")[0] else fold(kept.partition(":")[2])


def shown_buyer(kept: str) -> str:
    """Return a kept buyer as the list shows it: the wire form, but only the code for a natural
    person."""
    return kept.partition("#")[0]


def persons_called(typed_text: str) -> tuple[str, ...]:
    """Return how natural persons with the typed number would be kept, one for each kind of
    number."""
    return tuple(
        kept_buyer(f"{code}:{typed_text.strip()}")
        for code, kind in BUYER_KINDS.items()
        if kind.personal
    )


def methods_of(document: FiscalDocument) -> tuple[PaymentMethod, ...]:
    """Return the methods of payment that have an amount, in the order of the codebook."""
    paid = {method for method, amount in document.payments if amount}
    return tuple(method for method in PaymentMethod if method in paid)


def number_parts(number: str) -> tuple[str, int | None]:
    """Split a fiscal number into its two UIDs and its counter: "A-B-8597" -> ("A-B", 8597). For a
    number of another form the first part is the whole number, and the counter None."""
    head, _, digits = number.rpartition("-")
    is_counter = digits.isascii() and digits.isdigit() and not digits.startswith("0")
    if head and is_counter and len(digits) <= _MOST_DIGITS:
        return head, int(digits)
    return number, None


def number_of(head: str, counter: int | None) -> str:
    """Join the parts that `number_parts` returned."""
    return head if counter is None else f"{head}-{counter}"
