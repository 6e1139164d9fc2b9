"""The plan of a row: what it would change, and which of its cells can't be so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import NamedTuple

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.product_draft import DraftField

_F = DraftField


class RowKind(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    JOINED = "joined"
    """It adds further barcodes to the article of a row above it."""
    BAD = "bad"


class Question(StrEnum):
    """What a sheet leaves open and a person says once for all of its rows."""

    LABEL = "label"
    """The tax label of new articles of which no cell tells one: a TaxLabel's letter."""
    ZERO = "zero"
    """The label that a rate of 0 % means, where several have it."""
    POINT = "point"
    """Whether "1.234" is a thousand: "yes" or "no"."""


@dataclass(frozen=True, slots=True)
class SheetAnswers:
    """What a person said of a sheet, and of each further file of its shape.

    fields: the fields of columns, by their places; "" for one that is not imported. said: answers
    to questions; one that is not there is open.
    """

    fields: Mapping[int, str] = field(default_factory=dict)
    said: Mapping[Question, str] = field(default_factory=dict)

    def with_field(self, place: int, name: str) -> SheetAnswers:
        """The same, and a column is this field; another column that was said to be it is not."""
        others = {at: one for at, one in self.fields.items() if not name or one != name}
        return replace(self, fields={**others, place: name})

    def with_answer(self, question: Question, answer: str) -> SheetAnswers:
        """The same, and a question is answered so."""
        return replace(self, said={**self.said, question: answer})


NOTHING_SAID_OF_SHEET = SheetAnswers()


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that can't be so. row: as spreadsheets count, the head is 1. column: its head."""

    row: int
    column: str
    text: str
    why: Invalid


class FieldChange(NamedTuple):
    """A field of an article that a row changes, as people read it. column: its head."""

    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RowPlan:
    """What a row would change. typed: fields of the form, as they would be typed.

    name: of the article; one that is changed as the catalogue has it now.
    """

    row: int
    kind: RowKind
    name: str
    product_id: str = ""
    article_id: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    variant_of: str = ""
    """Of a new variant: the name of its product, which is made where there is none."""
    bad: tuple[BadCell, ...] = ()
    changes: tuple[FieldChange, ...] = ()
    """Of an article that is changed; name and price come first."""
    new_categories: Mapping[str, str] = field(default_factory=dict)
    """Names by id of those in this row that there are not yet."""
    lacks: tuple[str, ...] = ()
    """Of a bad row: heads of columns that a new article needs and the sheet does not have."""
    odd: tuple[BadCell, ...] = ()
    """Cells that can be so, and are perhaps not meant: a person sees them before the import."""

    @property
    def has_no_price(self) -> bool:
        """Whether it makes an article for which no price is told, nor that the cashier types it."""
        is_told = self.typed.get(_F.PRICE) or self.typed.get(_F.OPEN_PRICE)
        return self.kind is RowKind.NEW and not is_told

    @property
    def is_renamed(self) -> bool:
        return self.kind is RowKind.CHANGED and _F.NAME in self.typed
