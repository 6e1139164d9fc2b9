"""The facets of a signed receipt, by which the list of receipts finds it.

A facet is a value that many receipts share: a kind, a method of payment, a cashier, the requesting
program, a buyer, an article. Data that only one receipt has (number, amount, time) are no facets.
Two facets are the same if their sort and their text are equal. A facet is found by its words.
Source: till.md ("Receipts", "Search").
"""

from __future__ import annotations

import hashlib
import re
from enum import IntEnum
from functools import lru_cache

from pos_app.domain.article.article import article_key
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BUYER_KINDS
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.request import ReceiptKind
from pos_app.domain.text.search_text import fold
from pos_app.lazy_dataclass import dataclass

_UNIT = re.compile(r"/[^\W\d]{1,5}[23]?$")
"""The unit at the end of a printed line's name. It is cut off, because nobody searches for it."""
_MOST_KNOWN = 1_000
"""The number of articles whose facets are kept in memory, because computing them is most of the
work on a line."""
_MOST_DIGITS = 18
"""The most digits of a counter that a database can hold."""


class FacetSort(IntEnum):
    """The sorts of facets; these numbers are stored."""

    KIND = 1
    PAYMENT = 2
    CASHIER = 3
    PROGRAM = 4
    BUYER = 5
    E_INVOICE = 6
    ARTICLE = 7
    NUMBER_HEAD = 8
    """The UIDs that begin a number (`number_parts`). The list stores them as it stores facets."""


@dataclass(frozen=True, slots=True)
class Facet:
    """text: identifies the facet within its sort. words: the words by which a search finds it,
    folded; "" if it can only be chosen."""

    sort: FacetSort
    text: str
    words: str = ""


def facets_of(document: FiscalDocument, *, program: str) -> tuple[Facet, ...]:
    """Return all facets of a signed receipt, each once. program: the origin of its request."""
    found = [
        kind_facet(document.kind),
        Facet(FacetSort.CASHIER, document.cashier, fold(document.cashier)),
        Facet(FacetSort.PROGRAM, program),
        *map(payment_facet, methods_of(document)),
        *(_article_facet(line.sku, line.gtin, line.name) for line in document.lines),
    ]
    if document.buyer is not None:
        found.append(buyer_facet(document.buyer))
    if document.asks_e_invoice:
        found.append(E_INVOICE)
    return tuple(dict.fromkeys(found))


E_INVOICE = Facet(FacetSort.E_INVOICE, "")


def kind_facet(kind: ReceiptKind) -> Facet:
    return Facet(FacetSort.KIND, f"{kind.invoice_type} {kind.transaction_type}")


def payment_facet(method: PaymentMethod) -> Facet:
    return Facet(FacetSort.PAYMENT, method.value)


def buyer_facet(buyer: str) -> Facet:
    """Return the facet of a buyer in wire form, "10:104982316".

    The files that are searched never contain the number of a natural person. Such a buyer's facet
    has a hash of the number, so it is found only by the whole number.
    """
    code, _, value = buyer.partition(":")
    kind = BUYER_KINDS.get(code)
    if kind is None or kind.personal:
        digest = hashlib.sha256(value.encode()).hexdigest()[:32]
        return Facet(FacetSort.BUYER, f"{code}#{digest}")
    return Facet(FacetSort.BUYER, buyer, fold(value))


def shown_buyer(facet_text: str) -> str:
    """Return the buyer as the list shows it: the wire form, but only the code for a natural
    person."""
    return facet_text.partition("#")[0]


def persons_called(typed: str) -> tuple[Facet, ...]:
    """Return the facets that natural persons with the typed number would have, one for each kind of
    number."""
    return tuple(
        buyer_facet(f"{code}:{typed.strip()}")
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


def sold_article(line: FiscalLine) -> tuple[str, str]:
    """Return the `article_key` of a line's article, and the article's name without the unit."""
    return _sold(line.sku, line.gtin, line.name)


@lru_cache(maxsize=_MOST_KNOWN)
def _sold(sku: int | None, gtin: str | None, name: str) -> tuple[str, str]:
    name = _UNIT.sub("", name)
    return article_key(sku, gtin, name), name


def article_of(facet_text: str) -> str:
    """Return the `article_key` of the article that a facet's text stands for."""
    code, ean, name = facet_text.split("\n", 2)
    return article_key(int(code) if code else None, ean, _UNIT.sub("", name))


@lru_cache(maxsize=_MOST_KNOWN)
def _article_facet(sku: int | None, gtin: str | None, name: str) -> Facet:
    code, ean = str(sku or ""), gtin or ""
    words = [fold(_UNIT.sub("", name)), code, fold(ean), ean.lstrip("0")]
    found = dict.fromkeys(" ".join(words).split())
    return Facet(FacetSort.ARTICLE, f"{code}\n{ean}\n{name}", " ".join(found))
