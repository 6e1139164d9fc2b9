"""The plan of a row: its changes, and its bad cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import NamedTuple

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.made_ids import NewNames
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.heads import MANY_COLUMNS

_F = DraftField


class RowKind(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    JOINED = "joined"
    """A row that adds further barcodes to the article of a row above it."""
    BAD = "bad"


class Question(StrEnum):
    """A question that a sheet leaves open and a person answers for all of its rows."""

    LABEL = "label"
    """The tax label of new articles whose cells name none: a TaxLabel's letter."""
    ZERO = "zero"
    """The label of a rate of 0 %, where several have that rate."""
    POINT = "point"
    """Whether "1.234" means a thousand and more: "yes" or "no"."""
    NET = "net"
    """Whether prices have the tax in them: "yes" or "no", and then it is added."""
    UNSOLD = "unsold"
    """Whether to import what the other system does not sell: "yes" or "no"."""
    MEASURE = "measure"
    """Whether prices that stay are meant for a unit that measures otherwise: "yes" or "no"."""


@dataclass(frozen=True, slots=True)
class SheetAnswers:
    """A person's answers about a sheet, and about each further file of its shape.

    fields: the fields of columns, by the column's number; "" for one that is not imported.
    by_question: answers to questions; a missing one is open. by_tax: labels of texts that stand for
    a tax, by the text.
    """

    fields: Mapping[int, str] = field(default_factory=dict)
    by_question: Mapping[Question, str] = field(default_factory=dict)
    by_tax: Mapping[str, str] = field(default_factory=dict)

    def with_field(self, index: int, name: str) -> SheetAnswers:
        """Choose the field of a column; another column with that field loses it, unless several may
        have it."""
        stays = not name or name in MANY_COLUMNS
        others = {at: one for at, one in self.fields.items() if stays or one != name}
        return replace(self, fields={**others, index: name})

    def with_answer(self, question: Question, answer: str) -> SheetAnswers:
        return replace(self, by_question={**self.by_question, question: answer})

    def with_tax(self, text: str, label: str) -> SheetAnswers:
        return replace(self, by_tax={**self.by_tax, text: label})


NOTHING_SAID_OF_SHEET = SheetAnswers()


@dataclass(frozen=True, slots=True)
class BadCell:
    """A faulty cell. row: as spreadsheets count, the head is 1. column: its head."""

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
    """The changes of a row. typed_fields: the texts of the form's fields. name: the article's name;
    for a changed article its present name.
    """

    row: int
    kind: RowKind
    name: str
    product_id: str = ""
    article_id: str = ""
    typed_fields: Mapping[str, str] = field(default_factory=dict)
    variant_of: str = ""
    """The name of a new variant's product, which is made where there is none."""
    bad: tuple[BadCell, ...] = ()
    changes: tuple[FieldChange, ...] = ()
    """The changes of an existing article; name and price come first."""
    new_names: NewNames = NewNames()
    lacks: tuple[str, ...] = ()
    """Heads of columns that a new article needs and the sheet does not have."""
    odd: tuple[BadCell, ...] = ()
    """Cells that are valid, and perhaps not meant: a person sees them before the import."""

    before: Mapping[str, str] = field(default_factory=dict)
    """The texts that the typed fields of a changed article had when the row was planned."""

    @property
    def has_no_price(self) -> bool:
        """Whether the new article has no price, and no cell says that the cashier types one."""
        is_priced = self.typed_fields.get(_F.PRICE) or self.typed_fields.get(_F.OPEN_PRICE)
        return self.kind is RowKind.NEW and not is_priced

    @property
    def is_renamed(self) -> bool:
        return self.kind is RowKind.CHANGED and _F.NAME in self.typed_fields
