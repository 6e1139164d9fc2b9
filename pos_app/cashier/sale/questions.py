"""The questions of the sale, and the text typed into a question before the cashier left it.

A question covers the picker until it is answered or closed with Esc. If `waits` is true scans wait
for its end, visibly; else a scan closes it and is entered at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from typing import ClassVar

from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Quantity
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.sale.ticket import Ticket
from pos_app.selling.sale.unusual_amounts import Unusual


@dataclass(frozen=True, slots=True)
class WeightQuestion:
    """An article sold by weight was not weighed."""

    waits: ClassVar[bool] = True
    article: Article
    unknown_code: str = ""


@dataclass(frozen=True, slots=True)
class PriceQuestion:
    """Asks for the price of an article. quantity: typed before the article. unknown_code: the
    unknown code for which the article is sold, or ""."""

    waits: ClassVar[bool] = True
    article: Article
    quantity: Quantity | None = None
    unknown_code: str = ""


@dataclass(frozen=True, slots=True)
class VariantQuestion:
    """Asks which article: several have the code, the product has variants, or an article of open
    price is sold for an unknown code. found_articles: what the scanned code stands for with each of
    them."""

    waits: ClassVar[bool] = True
    articles: tuple[Article, ...]
    unknown_code: str = ""
    found_articles: tuple[FoundArticle, ...] = ()


@dataclass(frozen=True, slots=True)
class NextQuantity:
    waits: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class LineQuantity:
    waits: ClassVar[bool] = True
    line_id: int


@dataclass(frozen=True, slots=True)
class LinePrice:
    waits: ClassVar[bool] = True
    line_id: int


@dataclass(frozen=True, slots=True)
class UnusualAmountQuestion:
    """A number is rarely meant, as one far above the usual. agreed: carries the act out. before:
    the question that the number answered; it is asked again to correct the number. is_paid: the
    number is the sum that was taken for the cart as it is."""

    waits: ClassVar[bool] = True
    unusual: Unusual
    agreed: Callable[[], None] = field(repr=False)
    before: Question | None = None
    is_paid: bool = False


@dataclass(frozen=True, slots=True)
class VoidQuestion:
    """Asks why the sale is dropped."""

    waits: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class CartName:
    """Asks what the cart is called that is to be suspended."""

    waits: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class NewArticle:
    """A manager adds an article that the catalogue lacks. code: the scanned code, may be ""."""

    waits: ClassVar[bool] = True
    code: str = ""


@dataclass(frozen=True, slots=True)
class SuspendedCarts:
    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class RemovedLines:
    """Lists the removed lines, which can be put back."""

    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class More:
    """F9 lists the commands without a key of their own."""

    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class LanguageAndTheme:
    """Lists the other languages and the other theme."""

    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class KeysOfScreen:
    """F1 lists the keys of this screen."""

    waits: ClassVar[bool] = False


QuantityQuestion = WeightQuestion | LineQuantity | NextQuantity
Question = (
    WeightQuestion
    | PriceQuestion
    | VariantQuestion
    | NextQuantity
    | LineQuantity
    | LinePrice
    | UnusualAmountQuestion
    | VoidQuestion
    | CartName
    | NewArticle
    | SuspendedCarts
    | RemovedLines
    | More
    | LanguageAndTheme
    | KeysOfScreen
)

# --- what was typed ----------------------------------------------------------------------------

Entries = Mapping[str, str]
"""Texts by the names of their fields."""
MOST = 50
TEXT = "text"


class UnfinishedInput:
    """Typed texts by the subject of their question; the oldest is forgotten first."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Hashable, Entries] = OrderedDict()
        self._left_subjects: set[Hashable] = set()

    def of(self, question: Question, ticket: Ticket) -> Entries:
        """Return the text typed for this question; nothing for an answered question, or for the
        question whether a number is right, whose number was typed just now."""
        if isinstance(question, UnusualAmountQuestion):
            return {}
        return self._entries.get(subject_of(question, ticket), {})

    def text_of(self, subject: Hashable) -> str:
        """Return the text typed about a subject, or ""."""
        return self._entries.get(subject, {}).get(TEXT, "")

    def save(self, question: Question, ticket: Ticket, entries: Entries) -> None:
        subject = subject_of(question, ticket)
        if subject is not None:
            self._left_subjects.discard(subject)
            self._entries[subject] = dict(entries)
            self._entries.move_to_end(subject)
            if len(self._entries) > MOST:
                self.forget(next(iter(self._entries)))

    def leave(self, subject: Hashable) -> None:
        """Note that the question about this subject was closed."""
        if subject in self._entries:
            self._left_subjects.add(subject)

    def was_left(self, question: Question, ticket: Ticket) -> bool:
        """Tell whether the question's text was typed before the question was left."""
        return subject_of(question, ticket) in self._left_subjects

    def forget(self, subject: Hashable) -> None:
        self._entries.pop(subject, None)
        self._left_subjects.discard(subject)


def stands(question: Question, asked: Ticket, ticket: Ticket) -> bool:
    """Tell whether the subject of a question is still there. asked: the cart when it was asked."""
    match question:
        case LineQuantity(line_id) | LinePrice(line_id):
            is_there = any(line.id == line_id for line in ticket.cart.active)
            return is_there and ticket.key == asked.key
        case UnusualAmountQuestion(is_paid=True):
            return ticket.key == asked.key and ticket.cart == asked.cart
        case UnusualAmountQuestion(before=before):
            return before is None or stands(before, asked, ticket)
        case VoidQuestion() | CartName():
            return ticket.key == asked.key
        case _:
            return True


def is_of_item(question: Question) -> bool:
    """Tell whether a question is about the next item, which is left out without an answer."""
    match question:
        case WeightQuestion() | PriceQuestion() | VariantQuestion() | NewArticle():
            return True
        case UnusualAmountQuestion(before=before, is_paid=is_paid):
            return not is_paid if before is None else is_of_item(before)
        case _:
            return False


def article_of(question: Question | None, asked: Ticket) -> str:
    """Return the name of the article that a question is about; "" for none."""
    match question:
        case LineQuantity(line_id) | LinePrice(line_id):
            return asked.cart.line(line_id).article.frozen.name
        case UnusualAmountQuestion(before=before):
            return article_of(before, asked)
        case _:
            return ""


def subject_of(question: Question | None, ticket: Ticket) -> Hashable:
    """Return the subject of a question: the cart, and the line or article in its present state. It
    is None where nothing is typed."""
    kind = type(question).__name__
    match question:
        case WeightQuestion(article) | PriceQuestion(article):
            return kind, ticket.key, article.id
        case LineQuantity(line_id):
            return kind, ticket.key, line_id, ticket.cart.line(line_id).quantity
        case LinePrice(line_id):
            line = ticket.cart.line(line_id)
            return kind, ticket.key, line_id, line.price, line.discount
        case NextQuantity() | VoidQuestion() | CartName():
            return kind, ticket.key
        case NewArticle(code):
            return kind, code
        case UnusualAmountQuestion(before=before):
            return subject_of(before, ticket)
        case _:
            return None
