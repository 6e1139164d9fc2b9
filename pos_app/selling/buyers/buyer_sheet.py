"""The buyers' book as a sheet: what is written of each firm, and what is read of a row.

A row is read whole or refused, with the column that is wrong. A natural person is refused; the
number of a refused row is repeated nowhere. Source: till.md ("Settings").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.text.email_address import checked_address
from pos_app.domain.text.instant import day_of
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import LONGEST_BUYER_NAME, KnownBuyer, tidy_name
from pos_app.selling.cells import UNENDED, Cell, unescaped
from pos_app.selling.file_work import FileWork

ID, NAME, EMAIL = "ПИБ или ИД купца", "Назив", "Имејл"
HEADS = (ID, NAME, EMAIL, "Рачуна", "Последњи рачун")
_READ_AS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "number": (ID, "ПИБ", "ИД купца", "Порески број", "ИД", "PIB kupca", "tax id", "tax number",
         "buyer id", "id"),
    "name": (NAME, "Назив фирме", "Назив купца", "Купац", "Фирма", "Пословно име", "name",
           "company", "customer"),
    "email": (EMAIL, "Е-пошта", "Мејл", "И-мејл", "e-mail", "email", "mail"),
})  # fmt: skip
"""The heads by which a column is known, in either script and case; the first is written."""
_HEADS_OF = MappingProxyType({field: heads[0] for field, heads in _READ_AS.items()})
_FIELDS = {fold(head): field for field, heads in _READ_AS.items() for head in heads}
HEADS_WITHIN = 30
"""The rows in which the heads are looked for."""
MOST_BUYERS = 20_000
"""The most firms of a sheet: so many are written while a cashier looks."""
TOLD = 200
"""The refused rows that are told; all of them are counted."""


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """row: its number in the spreadsheet. column: the head of the wrong cell."""

    row: int
    column: str
    why: Invalid


@dataclass(frozen=True, slots=True)
class SheetOfBuyers:
    """What a sheet has: the firms of its good rows, the first refused ones, and how many were
    refused."""

    buyers: tuple[KnownBuyer, ...]
    refused: tuple[RefusedRow, ...] = ()
    refused_many: int = 0


class BuyerSheets(Protocol):
    """Writes and reads sheets of buyers in a process of its own."""

    def write(self, buyers: Sequence[KnownBuyer], path: Path) -> FileWork:
        """Write CSV or XLSX by the name of the file, which appears only whole. Its result is a
        FileDone."""
        ...

    def read(self, path: Path) -> FileWork:
        """Read a sheet. Its result is a SheetOfBuyers."""
        ...


def number_text(buyer: BuyerId) -> str:
    """The number of a firm as a person types it: a PIB stands without the code of its kind."""
    return buyer.value if buyer.code == "10" else str(buyer)


def sheet_row(buyer: KnownBuyer) -> Sequence[Cell]:
    """The row of a firm below `HEADS`."""
    last = None if buyer.last_at is None else day_of(buyer.last_at)
    return (number_text(buyer.id), buyer.name, buyer.email, buyer.receipts, last)


def read_sheet(rows: Iterable[Sequence[str]]) -> SheetOfBuyers:
    """Read the rows of a sheet, with those above the heads. Raises Invalid (kind: no_buyer_column,
    buyers_many)."""
    numbered = enumerate(rows, 1)
    columns = _columns(numbered)
    buyers = dict[BuyerId, KnownBuyer]()
    refused, many = list[RefusedRow](), 0
    for row, cells in numbered:
        texts = {field: _text(cells, at) for field, at in columns.items()}
        if not any(texts.values()):
            continue
        try:
            if any(UNENDED in cell for cell in cells):
                raise Invalid("quote_open", field="number")
            buyer = checked_buyer(texts["number"], texts.get("name", ""), texts.get("email", ""))
            if buyer.id in buyers:
                raise Invalid("buyer_twice", field="number")
        except Invalid as error:
            many += 1
            if many <= TOLD:
                refused.append(RefusedRow(row, _HEADS_OF[error.field], error))
            continue
        buyers[buyer.id] = buyer
        if len(buyers) > MOST_BUYERS:
            raise Invalid("buyers_many", most=MOST_BUYERS)
    return SheetOfBuyers(tuple(buyers.values()), tuple(refused), many)


def _columns(numbered: Iterator[tuple[int, Sequence[str]]]) -> Mapping[str, int]:
    """Return the columns of the fields by the row of heads, behind which the firms stand."""
    for row, cells in numbered:
        columns = dict[str, int]()
        for at, head in enumerate(cells):
            if (field := _FIELDS.get(fold(head))) is not None:
                columns.setdefault(field, at)
        if "number" in columns:
            return columns
        if row >= HEADS_WITHIN:
            break
    raise Invalid("no_buyer_column")


def _text(cells: Sequence[str], at: int) -> str:
    return unescaped(cells[at]).strip() if at < len(cells) else ""


def checked_buyer(number: str, name: str, email: str) -> KnownBuyer:
    """The firm of three typed texts. Raises Invalid, whose field is "number", "name" or "email"."""
    buyer_id = _id(number)
    if len(name.strip()) > LONGEST_BUYER_NAME:
        raise Invalid("buyer_name_long", field="name", longest=LONGEST_BUYER_NAME)
    address = email.strip()
    if address:
        try:
            checked_address(address)
        except Invalid as error:
            raise Invalid("buyer_email", field="email") from error
    return KnownBuyer(buyer_id, tidy_name(name), address)


def _id(text: str) -> BuyerId:
    """The buyer of a cell: a PIB of nine digits, or an id in its wire form."""
    bare = "".join(text.split())
    if not bare:
        raise Invalid("buyer_missing", field="number")
    if bare.isdigit() and ":" not in bare:
        bare = f"10:{bare}"
    try:
        buyer = BuyerId.parse(bare)
    except Invalid as error:
        raise Invalid("buyer_number", field="number") from error
    if buyer.is_personal:
        raise Invalid("personal_buyer", field="number")
    return buyer
