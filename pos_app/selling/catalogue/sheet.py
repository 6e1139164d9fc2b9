"""The catalogue as a sheet of rows and columns: what its heads mean, and what a row would change.

A row is read as if its cells were typed into the form. A cell that can't be so is named with its
row, its column and why; an empty cell leaves the field as it is. Only `save_row` writes.
Source: till.md (Catalogue: import/export with a preview that names each bad cell).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID, uuid5

from pos_app.characters import is_blank
from pos_app.domain.barcodes import ArticleCode
from pos_app.domain.money import Money
from pos_app.domain.number_text import plain_amount_text
from pos_app.domain.product import USUAL_UNITS, ProductType, Unit, code_taken
from pos_app.domain.search_text import fold
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor, ProductReader
from pos_app.selling.catalogue.editing import (
    Edited,
    add_typed,
    add_variant_typed,
    blank_product,
    blank_variant,
    open_for_edit,
    save_typed,
)
from pos_app.selling.catalogue.product_draft import (
    YES,
    Drafted,
    DraftFaults,
    DraftField,
    as_typed,
    barcodes_in_line,
    barcodes_of_line,
    price_doubt,
    read_draft,
    read_ean,
    read_price,
    read_sku,
)
from pos_app.selling.synchronisation.catalogue_edits import owner_in

_F = DraftField
VARIANT_OF = "variant_of"
"""The column of the product that a row is a variant of, by its name."""
_TYPES = {"product": "производ", "service": "услуга", "digital": "дигитално"}

HEADS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    _F.SKU: ("Шифра", "code", "sku", "item code", "sifra artikla"),
    _F.NAME: ("Назив", "name", "naziv artikla", "artikal", "item"),
    VARIANT_OF: ("Варијанта артикла", "variant of", "glavni artikal"),
    _F.VARIANT_NAME: ("Варијанта", "variant", "naziv varijante"),
    _F.PLANNED_PRICE: ("Планирана цена", "planned price", "nova cena"),
    _F.PLANNED_FROM: ("Планирана од", "planned from", "vazi od"),
    _F.PLANNED_UNTIL: ("Планирана до", "planned until", "vazi do"),
    _F.PRICE: (
        "Цена", "price", "cena sa pdv", "cena s pdv", "cena sa porezom", "price with vat",
        "price incl vat", "gross price", "retail price", "selling price", "prodajna cena",
        "prodajna cena sa pdv", "cena prodajna", "mpc", "mp cena", "cena mp", "mpc sa pdv",
        "maloprodajna cena", "maloprodajna cena sa pdv", "cijena", "prodajna cijena",
        "maloprodajna cijena", "cijena sa pdv",
    ),
    _F.TAX_LABEL: (
        "Порез", "tax", "poreska oznaka", "oznaka poreza", "tax label", "pdv", "stopa",
        "poreska stopa", "stopa poreza", "stopa pdv", "stopa pdv a", "pdv stopa", "poreska grupa",
        "tarifa", "poreska tarifa", "tax rate", "vat", "vat rate", "taxratelabel",
    ),
    _F.EAN: ("ЕАН", "ean", "barkod", "bar kod", "barcode", "gtin"),
    _F.UNIT: ("Јединица", "unit", "jm", "jed", "jedinica mere"),
    _F.CATEGORIES: ("Категорија", "category", "kategorije", "categories", "grupa", "group",
                    "naziv grupe", "grupa artikala", "robna grupa"),
    _F.BARCODES: ("Остали бар-кодови", "further barcodes", "barkodovi"),
    _F.MANUFACTURER_SKU: ("Шифра произвођача", "makers code", "manufacturer sku"),
    _F.SUBTITLE: ("Кратак опис", "subtitle", "podnaslov"),
    _F.DESCRIPTION: ("Опис", "description"),
    _F.PRODUCT_TYPE: ("Врста", "kind", "type"),
    _F.WEIGHT: ("Тежина", "weight", "tezina kg", "weight kg"),
    _F.DIMENSIONS: ("Димензије", "dimensions", "size"),
    _F.PER_BASE_UNIT: ("Количина у основној јединици", "quantity per base unit"),
    _F.BASE_UNIT: ("Основна јединица", "base unit"),
    _F.OPEN_PRICE: ("Цену уписује касир", "open price"),
    _F.PINNED: ("Омиљено", "favourite", "pinned"),
})  # fmt: skip
"""The first head of each is written; any of them is read, in either script, whatever its case."""

_BY_HEAD = {fold(head): name for name, heads in HEADS.items() for head in heads}
_OF_CURRENCY = frozenset({"rsd", "din", "dinara", "dinar"})
"""Words of a head that say no more than the currency."""
_OF_ARTICLE: frozenset[str] = frozenset({_F.SKU, _F.EAN, _F.NAME})
"""One of them says which article a row is about."""
_OF_LABEL = frozenset({
    "poreska oznaka", "oznaka poreza", "tax label", "taxratelabel", "poreska grupa", "tarifa",
    "poreska tarifa",
})  # fmt: skip
_OF_RATE = frozenset({
    "stopa", "poreska stopa", "stopa poreza", "stopa pdv", "stopa pdv a", "pdv stopa", "tax rate",
    "vat rate",
})  # fmt: skip
"""Heads of the tax, folded: a label says all, a rate nearly so, a mere "tax" may be its amount."""
_LABELS = {
    "ђ": TaxLabel.DJ, "đ": TaxLabel.DJ, "dj": TaxLabel.DJ, "o pdv": TaxLabel.DJ,
    "opsta": TaxLabel.DJ, "opsta stopa": TaxLabel.DJ,
    "е": TaxLabel.E, "e": TaxLabel.E, "p pdv": TaxLabel.E,
    "posebna": TaxLabel.E, "posebna stopa": TaxLabel.E,
    "г": TaxLabel.G, "g": TaxLabel.G, "bez pdv": TaxLabel.G,
    "а": TaxLabel.A, "a": TaxLabel.A, "nije u pdv": TaxLabel.A,
}  # fmt: skip
"""As people write a label: also the Latin letters that look like it, and the name of its rate in
the law. The last are folded."""
_CURRENCY = re.compile(
    r"^(rsd|рсд|din|дин)\b\.?|(?<=[\d\s.,–-])(rsd|рсд|din|дин)\.?$", re.IGNORECASE
)
_WHOLE = re.compile(r"(?<=[0-9])[.,] ?[-–—]{1,2}$")
_BLANKS = re.compile("[ \u00a0\u2009\u202f]")
_SPACED = re.compile(rf"[0-9]{{1,3}}({_BLANKS.pattern}[0-9]{{3}})+([.,][0-9]{{0,2}})?")
_RATE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4})?")
_SAME_NAMES = 100
"""So many hits of a name are looked through for those that have exactly that name."""
_YES, _NO = frozenset({"1", "da", "yes", "true", "x"}), frozenset({"0", "ne", "no", "false"})
_MADE_HERE = UUID("5b0c1f0e-6f0a-5c9c-9a53-0d0f6a1f2b11")


def id_of_category(name: str) -> str:
    """That of a category made here: the same for one name, in either script."""
    return str(uuid5(_MADE_HERE, f"category/{fold(name)}"))


"""Names the ids of new products: the same row of the same file is the same product."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


class RowKind(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    BAD = "bad"


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


class Columns(NamedTuple):
    """Which column is which field. less_exact: places of further columns of the tax, not read;
    unknown: those of columns whose head nobody understood."""

    fields: Mapping[int, str]
    less_exact: tuple[int, ...]
    unknown: tuple[int, ...]


def field_of_head(head: str) -> str | None:
    """Which field a column of this head is; None for a head that is not known.

    "MPC (RSD)" and "Цена, дин." are prices: the currency says nothing more.
    """
    words = fold(head).split()
    found = _BY_HEAD.get(" ".join(words))
    return found or _BY_HEAD.get(" ".join(one for one in words if one not in _OF_CURRENCY))


def columns_of(heads: Sequence[str]) -> Columns:
    """A column of an unknown head is left out, and told.

    Raises Invalid when nothing says which article a row is about, or two columns are one field;
    but of several columns of the tax the one with the most exact head is read.
    """
    places: dict[str, list[int]] = {}
    unknown = []
    for place, head in enumerate(heads):
        name = field_of_head(head)
        if name is not None:
            places.setdefault(name, []).append(place)
        elif head.strip():
            unknown.append(place)
    tax = places.get(_F.TAX_LABEL, [])
    tax.sort(key=lambda place: _exactness(heads[place]))
    less_exact: tuple[int, ...] = ()
    if len(tax) > 1 and _exactness(heads[tax[0]]) < _exactness(heads[tax[1]]):
        less_exact = tuple(sorted(tax[1:]))
        del tax[1:]
    for first, *others in places.values():
        if others:
            raise _twice(heads, first, others[0])
    if not _OF_ARTICLE & places.keys():
        raise Invalid(
            "no column is a code, an EAN or a name; the heads stand in one of the first five rows",
            kind="no_heads",
        )
    fields = {first: name for name, (first,) in places.items()}
    return Columns(dict(sorted(fields.items())), less_exact, tuple(unknown))


def row_of_heads(rows: Sequence[Sequence[str]]) -> int:
    """Which of the first rows has the heads, from 0: titles may stand above them."""
    if rows and _known_heads(rows[0]) & _OF_ARTICLE:
        return 0
    found = (
        at for at, row in enumerate(rows)
        if (known := _known_heads(row)) & _OF_ARTICLE and len(known) > 1
    )  # fmt: skip
    return next(found, 0)


def _known_heads(row: Sequence[str]) -> set[str]:
    return {name for head in row if (name := field_of_head(head)) is not None}


def _exactness(head: str) -> int:
    """Of a head of the tax: 0 is the most exact."""
    return next((at for at, some in enumerate((_OF_LABEL, _OF_RATE)) if fold(head) in some), 2)


def _twice(heads: Sequence[str], first: int, second: int) -> Invalid:
    one, other = heads[first], heads[second]
    at_one, at_other = _letters_of(first), _letters_of(second)
    return Invalid(
        f'two columns mean the same: "{one}" ({at_one}) and "{other}" ({at_other}); leave one',
        kind="head_twice", one=one, other=other, at_one=at_one, at_other=at_other,
    )  # fmt: skip


def _letters_of(place: int) -> str:
    """A column as spreadsheets name it: 0 is A, 26 is AA."""
    letters = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        letters = chr(ord("A") + letter) + letters
        place -= 1
    return letters


class KnownCode(NamedTuple):
    """The codes of an article."""

    sku: int | None
    ean: str | None
    product_id: str
    article_id: str


class SheetPlanner:
    """Reads rows one after the other; it knows which codes earlier rows of the sheet had.

    known: the codes of all articles, so that a row asks the catalogue for no more than its own
    product. sheet_key: of the file, so that planning it again makes the same new products. label:
    of every row, whatever its cell says; None: as the cells say.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        editor: CatalogueEditor,
        heads: Sequence[str],
        *,
        known: Iterable[KnownCode],
        sheet_key: str,
        label: TaxLabel | None,
        rates: Mapping[TaxLabel, Decimal],
    ) -> None:
        """rates: of today, in percent, by which a sheet may name labels. Raises Invalid, as
        `columns_of`."""
        self._catalogue = catalogue
        self._editor = editor
        self._heads = list(heads)
        self._columns, self._less_exact, self._unknown = columns_of(heads)
        self._key = sheet_key
        self._label = label
        self._rates = rates
        units = catalogue.units() or USUAL_UNITS  # they are added with the first import
        self._units = _unit_words(units)
        self._piece = next((one.id for one in units if one.is_piece), None)
        self._categories = {
            fold(one.category.name): one.category.id for one in catalogue.categories()
        }
        self._symbols = {one.id: one.symbol for one in units}
        self._names = {one.category.id: one.category.name for one in catalogue.categories()}
        self._new_categories: dict[str, str] = {}
        self.unread = (*self._not_understood(), *(self._unread() if label is None else ()))
        """Columns that are not read: nobody understands their head, or another says it more
        exactly; row is 0."""
        self.lacking: dict[str, int] = {}
        """How many rows of new articles are bad because the sheet has no column for what they
        need, by the head that it would have."""
        self._seen: dict[str, int] = {}
        self._skus: dict[str, KnownCode | None] = {}
        self._eans: dict[str, KnownCode | None] = {}
        """None where several articles have it: then the catalogue says which one comes first."""
        for one in known:
            for table, code in ((self._skus, one.sku), (self._eans, one.ean)):
                if code is not None:
                    table[str(code)] = None if str(code) in table else one
        self._made: dict[str, str] = {}
        """By folded name: products of variants that earlier rows make."""

    def plan(self, number: int, cells: Sequence[str]) -> RowPlan | None:
        """What a row would change; None for an empty row."""
        told = {
            name: cells[place].strip()
            for place, name in self._columns.items()
            if place < len(cells) and cells[place].strip()
        }
        if not told:
            return None
        told = {name: _unescaped(text) for name, text in told.items()}
        if self._label is not None:
            told[_F.TAX_LABEL] = self._label.value
        name = told.get(_F.NAME, "")
        variant_of = told.pop(VARIANT_OF, "")
        bad: list[BadCell] = []
        typed = self._typed(number, told, bad)
        edited, is_new = self._owner(number, told, typed, bad, variant_of)
        drafted = None
        if edited is not None:
            if not is_new:
                before = edited.typed
                typed = {key: text for key, text in typed.items() if before[key].strip() != text}
            drafted = self._read(number, told, edited, typed, bad, is_new=is_new)
        if bad or edited is None or drafted is None:
            return RowPlan(number, RowKind.BAD, name, bad=tuple(bad))
        owner = edited.owner
        ids = (edited.product.id, owner.id)
        if is_new:
            shown = f"{variant_of} · {typed[_F.VARIANT_NAME]}" if variant_of else name
            return RowPlan(
                number, RowKind.NEW, shown, *ids, typed, variant_of,
                odd=self._odd(number, told, typed, cells), new_categories=self._made_by(typed),
            )  # fmt: skip
        if not _is_another(edited, drafted):
            return RowPlan(number, RowKind.SAME, owner.name, *ids, typed)
        return RowPlan(
            number, RowKind.CHANGED, owner.name, *ids, typed,
            changes=self._changes(edited, drafted),
            odd=self._odd(number, told, typed, cells), new_categories=self._made_by(typed),
        )  # fmt: skip

    # --- parts -----------------------------------------------------------------------------------

    def _bad(self, number: int, name: str, text: str, why: Invalid) -> BadCell:
        return BadCell(number, self._head_of(name), text, why)

    def _odd(
        self,
        number: int,
        told: Mapping[str, str],
        typed: Mapping[str, str],
        cells: Sequence[str],
    ) -> tuple[BadCell, ...]:
        """The new prices of a row that are perhaps not meant, and taxes that another column says
        otherwise."""
        prices = ((name, typed[name]) for name in (_F.PRICE, _F.PLANNED_PRICE) if name in typed)
        doubted = ((name, price_doubt(read_price(text))) for name, text in prices)
        odd = [self._bad(number, name, told[name], why) for name, why in doubted if why is not None]
        if self._less_exact and self._label is None and _F.TAX_LABEL in told:
            odd += self._other_labels(number, read_label(told[_F.TAX_LABEL], self._rates), cells)
        return tuple(odd)

    def _not_understood(self) -> Iterator[BadCell]:
        for place in self._unknown:
            why = Invalid("not imported: this head is not known", kind="unknown_head")
            yield BadCell(0, self._heads[place], _letters_of(place), why)

    def _unread(self) -> tuple[BadCell, ...]:
        head = self._head_of(_F.TAX_LABEL)
        why = Invalid(f'not read: the tax is in the column "{head}"', kind="unread", head=head)
        return tuple(
            BadCell(0, self._heads[place], _letters_of(place), why) for place in self._less_exact
        )

    def _other_labels(
        self, number: int, label: TaxLabel, cells: Sequence[str]
    ) -> Iterator[BadCell]:
        """Cells of unread columns that mean another label than the one that was read."""
        head = self._head_of(_F.TAX_LABEL)
        for place in self._less_exact:
            cell = cells[place].strip() if place < len(cells) else ""
            try:
                other = read_label(cell, self._rates)
            except Invalid:
                continue
            if other is not label:
                why = Invalid(
                    f'the column "{head}" says {label.value}, and that counts',
                    kind="other_label", head=head, label=label.value,
                )  # fmt: skip
                yield BadCell(number, self._heads[place], cell, why)

    def _head_of(self, name: str) -> str:
        at = next((at for at, one in self._columns.items() if one == name), None)
        return HEADS[name][0] if at is None else self._heads[at]

    def _typed(self, number: int, told: Mapping[str, str], bad: list[BadCell]) -> dict[str, str]:
        """The cells as the form has them: names of units and categories as their ids."""
        typed: dict[str, str] = {}
        for name, text in told.items():
            try:
                if isinstance(text, _Formula):
                    raise Invalid("formulas are not read; paste the values", kind="formula")
                typed[name] = self._as_typed(name, text)
            except Invalid as error:
                bad.append(self._bad(number, name, text, error))
        return typed

    def _as_typed(self, name: str, text: str) -> str:
        match name:
            case _F.TAX_LABEL:
                return read_label(text, self._rates).value
            case _F.PRICE | _F.PLANNED_PRICE:
                return price_typed(text)
            case _F.UNIT | _F.BASE_UNIT:
                unit = self._units.get(fold(text))
                if unit is None:
                    raise Invalid("there is no such unit", kind="no_unit")
                return unit
            case _F.CATEGORIES:
                parts = (part.strip() for part in self._parts(text))
                return "\n".join(dict.fromkeys(self._category(part) for part in parts if part))
            case _F.BARCODES:
                return barcodes_of_line(text)
            case _F.PRODUCT_TYPE:
                return _product_type(text)
            case _F.OPEN_PRICE | _F.PINNED:
                return _yes_or_no(text)
            case _:
                return text

    def _parts(self, text: str) -> list[str]:
        """Names of categories in one cell; a name may have a comma itself."""
        if fold(text) in self._categories:
            return [text]
        return text.split(";" if ";" in text else ",")

    def _category(self, text: str) -> str:
        """The category of that name; one that there is not is made with the row that names it."""
        word = fold(text)
        if is_blank(text) or not word:
            raise Invalid("this is no name of a category", kind="no_category")
        if word not in self._categories:
            made = id_of_category(text)
            self._categories[word] = made
            self._new_categories[made] = text
            self._names[made] = text
        return self._categories[word]

    def _made_by(self, typed: Mapping[str, str]) -> dict[str, str]:
        named = typed.get(_F.CATEGORIES, "").splitlines()
        return {one: self._new_categories[one] for one in named if one in self._new_categories}

    def _owner(
        self,
        number: int,
        told: Mapping[str, str],
        typed: Mapping[str, str],
        bad: list[BadCell],
        variant_of: str,
    ) -> tuple[Edited | None, bool]:
        """The article that the row is about, found by its code, or by its EAN where the row has no
        code; else a new one. A new code beside an EAN in use names two articles: `_read` says so.
        """
        codes: dict[DraftField, str] = {}
        for name, read in ((_F.SKU, read_sku), (_F.EAN, read_ean)):
            if name not in typed:
                continue
            try:
                code = str(read(typed[name]))
            except Invalid as error:
                bad.append(self._bad(number, name, told[name], error))
                return None, False
            earlier = self._seen.setdefault(f"{name} {code}", number)
            if earlier != number:
                why = Invalid("an earlier row has this code", kind="row_twice", row=earlier)
                bad.append(self._bad(number, name, told[name], why))
                return None, False
            codes[name] = code
        by = _F.SKU if _F.SKU in codes else _F.EAN
        article = self._by_code(by, codes[by]) if codes else None
        if article is not None:
            opened = open_for_edit(
                self._catalogue, self._editor, article.product_id, article.article_id
            )
            return opened, False
        if not codes:
            opened = self._without_codes(variant_of or told.get(_F.NAME, ""), typed)
            if opened is not None:
                return opened, False
        if variant_of:
            return self._new_variant(number, variant_of, typed, bad), True
        return self._new(number, typed, bad), True

    def _by_code(self, name: DraftField, code: str) -> KnownCode | None:
        table = self._skus if name is _F.SKU else self._eans
        found = table.get(code)
        return found if found or code not in table else self._look_up(name, code)

    def _without_codes(self, name: str, typed: Mapping[str, str]) -> Edited | None:
        """The only article of exactly that name that has neither code nor EAN."""
        found = self._named(name)
        product = self._catalogue.product(found[0]) if len(found) == 1 else None
        if product is None:
            return None
        variant = typed.get(_F.VARIANT_NAME, "")
        owners = product.variants if variant else (product,)
        same = [one for one in owners if (one.variant_name or "").strip() == variant]
        if len(same) != 1 or same[0].sku is not None or same[0].ean is not None:
            return None
        return open_for_edit(self._catalogue, self._editor, product.id, same[0].id)

    def _named(self, name: str) -> list[str]:
        """The products of exactly that name."""
        rows = self._catalogue.page(name, limit=_SAME_NAMES) if name else ()
        return [row.product_id for row in rows if row.name == name]

    def _look_up(self, name: DraftField, code: str) -> KnownCode | None:
        for found in self._catalogue.by_code(ArticleCode(code)):
            one = found.article
            if (str(one.sku) if name is _F.SKU else one.ean) == code:
                return KnownCode(one.sku, one.ean, one.product_id, one.id)
        return None

    def _new_variant(
        self, number: int, variant_of: str, typed: Mapping[str, str], bad: list[BadCell]
    ) -> Edited | None:
        """A variant of the product of that name; where there is none, of one that is made."""
        if _F.VARIANT_NAME not in typed:
            self._missing(number, _F.VARIANT_NAME, bad)
            return None
        found = self._named(variant_of)
        if len(found) > 1:
            why = Invalid("several articles have this name", kind="name_twice")
            bad.append(self._bad(number, VARIANT_OF, variant_of, why))
            return None
        made = str(uuid5(_MADE_HERE, f"{self._key}/{number}"))
        product = self._catalogue.product(found[0]) if found else None
        if product is None:
            if _F.TAX_LABEL not in typed:
                self._new(number, {**typed, _F.NAME: variant_of}, bad)
                return None
            parent_id = self._made.setdefault(
                fold(variant_of), str(uuid5(_MADE_HERE, f"{self._key}/{number}/product"))
            )
            label = TaxLabel(typed[_F.TAX_LABEL])
            product = replace(
                blank_product(parent_id, label=label, unit_id=self._piece, sku=None).product,
                name=variant_of,
            )
        return blank_variant(product, made)

    def _missing(self, number: int, name: DraftField, bad: list[BadCell]) -> None:
        """A new article needs this: told of its cell, or once of the column that is not there."""
        head = self._head_of(name)
        if name not in self._columns.values():
            self.lacking[head] = self.lacking.get(head, 0) + 1
        elif not any(one.column == head for one in bad):
            why = Invalid("a new article needs this", kind="new_needs")
            bad.append(BadCell(number, head, "", why))

    def _new(self, number: int, typed: Mapping[str, str], bad: list[BadCell]) -> Edited | None:
        missing = [name for name in (_F.NAME, _F.TAX_LABEL) if name not in typed]
        for name in missing:
            self._missing(number, name, bad)
        if missing:
            return None
        product_id = str(uuid5(_MADE_HERE, f"{self._key}/{number}"))
        return blank_product(
            product_id, label=TaxLabel(typed[_F.TAX_LABEL]), unit_id=self._piece, sku=None
        )

    def _read(
        self,
        number: int,
        told: Mapping[str, str],
        edited: Edited,
        typed: Mapping[str, str],
        bad: list[BadCell],
        *,
        is_new: bool,
    ) -> Drafted | None:
        """What the cells of a row say; what the form would say of them is added to `bad`."""
        is_product = is_new and not edited.is_variant
        before = {**edited.typed, _F.NAME: ""} if is_product else edited.typed
        drafted = None
        try:
            drafted = read_draft(typed, before, edited.marks, article_id=edited.owner.id)
        except DraftFaults as error:
            faulty = {one.column for one in bad}
            for name, why in error.by_field.items():
                has_cell = name in told
                if has_cell and self._head_of(name) in faulty:
                    continue
                bad.append(
                    self._bad(number, name, told[name], why)
                    if has_cell
                    else BadCell(number, HEADS[name][0], "", why)
                )
        for name in (_F.SKU, _F.EAN):
            taken = self._by_code(name, typed[name]) if name in typed else None
            if taken is not None and taken.article_id != edited.owner.id:
                bad.append(self._bad(number, name, told[name], self._of_other(taken)))
        return drafted

    def _of_other(self, taken: KnownCode) -> Invalid:
        product = self._catalogue.product(taken.product_id)
        owner = owner_in(product, taken.article_id) if product is not None else None
        return code_taken("", taken.sku, owner.name if owner is not None else "")

    # --- what is told of a change ----------------------------------------------------------------

    def _changes(self, edited: Edited, drafted: Drafted) -> tuple[FieldChange, ...]:
        before = edited.typed
        owner = replace(edited.owner, **drafted.changes)
        after = as_typed(owner, drafted.marks or edited.marks, drafted.plan or edited.plan)
        return tuple(
            FieldChange(self._head_of(name), self._told(name, before[name]),
                        self._told(name, after[name]))
            for name in _TOLD_IN_ORDER if before[name] != after[name]
        )  # fmt: skip

    def _told(self, name: str, typed: str) -> str:
        """A field of the form as people read it."""
        match name:
            case _F.UNIT | _F.BASE_UNIT:
                text = self._symbols.get(typed, "")
            case _F.CATEGORIES:
                known = (self._names.get(one, "") for one in typed.splitlines())
                text = ", ".join(one for one in known if one)
            case _F.PRODUCT_TYPE:
                text = _TYPES.get(typed, "")
            case _F.OPEN_PRICE | _F.PINNED:
                text = "да" if typed else "не"
            case _:
                text = "; ".join(typed.splitlines())
        return text if len(text) <= _MOST_TOLD else f"{text[: _MOST_TOLD - 1]}…"


def _is_another(edited: Edited, drafted: Drafted) -> bool:
    """Whether a draft changes something. A sheet takes no planned price off."""
    if drafted.marks is not None or (drafted.plan is not None and drafted.plan != edited.plan):
        return True
    return any(getattr(edited.owner, name) != new for name, new in drafted.changes.items())


def read_label(text: str, rates: Mapping[TaxLabel, Decimal]) -> TaxLabel:
    """The label that a person means by a letter, a rate or the name of a rate. rates: of today, in
    percent. Raises Invalid.

    | written                         | rates Ђ 20, Е 10, Г and А 0 | Ђ 22, Е 8, Г 5, А 0 |
    | Ђ, đ, О-ПДВ, општа              | Ђ                           | Ђ     |
    | 20, 20 %, 20,00%, 20.00, 0.2    | Ђ                           | label |
    | 22, 22 %, 0.22                  | label                       | Ђ     |
    | Е, e, посебна                   | Е                           | Е     |
    | 10 %, 10.00                     | Е                           | label |
    | Г, без ПДВ                      | Г                           | Г     |
    | А, није у ПДВ                   | А                           | А     |
    | 0, 0 %                          | label_zero: it is Г or А    | А     |
    """
    typed = text.strip()
    found = _LABELS.get(typed.lower()) or _LABELS.get(fold(typed))
    number = typed.rstrip("% ").replace(",", ".")
    if found is None and _RATE.fullmatch(number):
        meant = _labels_at(Decimal(number), rates)
        if set(meant) == {TaxLabel.G, TaxLabel.A}:
            raise Invalid("0 % is Г or А", kind="label_zero")
        found = meant[0] if len(meant) == 1 else None
    if found is None:
        raise Invalid("a tax label is Ђ, Е, Г or А", kind="label")
    return found


def _labels_at(number: Decimal, rates: Mapping[TaxLabel, Decimal]) -> list[TaxLabel]:
    """Those with that rate; 0.2 is what a spreadsheet has behind "20 %"."""
    return [label for label, rate in rates.items() if number in (rate, rate / 100)]


def price_typed(text: str) -> str:
    """A price of a sheet as a cashier would type it; what is no price stays as it is.

    | written                         | typed    |
    | 58,99 RSD, din. 58,99           | 58,99    |
    | 12 345,00                       | 12345,00 |
    | 100,-                           | 100,00   |
    | 1.234,-                         | 1.234,00 |
    | 1.234 RSD                       | 1.234, which is refused: it may be a thousand |
    """
    plain = _CURRENCY.sub("", text).strip() or text  # nothing would take a price away
    plain = _WHOLE.sub(",00", plain)
    return _BLANKS.sub("", plain) if _SPACED.fullmatch(plain) else plain


def _product_type(text: str) -> str:
    words = {fold(word): kind for kind, word in _TYPES.items()}
    wanted = words.get(fold(text), fold(text))
    if wanted not in {one.value for one in ProductType}:
        raise Invalid("a kind is product, service or digital", kind="product_type")
    return wanted


def _yes_or_no(text: str) -> str:
    word = fold(text)
    if word not in _YES | _NO:
        raise Invalid("this is yes or no", kind="yes_or_no")
    return YES if word in _YES else ""


# --- the other way -------------------------------------------------------------------------------

Cell = str | int | Decimal | None
WRITTEN = (
    _F.SKU, _F.NAME, VARIANT_OF, _F.VARIANT_NAME, _F.PRICE, _F.TAX_LABEL, _F.EAN, _F.UNIT,
    _F.CATEGORIES, _F.BARCODES, _F.PLANNED_PRICE, _F.PLANNED_FROM, _F.PLANNED_UNTIL,
    _F.MANUFACTURER_SKU, _F.SUBTITLE, _F.DESCRIPTION, _F.PRODUCT_TYPE, _F.WEIGHT, _F.DIMENSIONS,
    _F.BASE_UNIT, _F.PER_BASE_UNIT, _F.OPEN_PRICE, _F.PINNED,
)  # fmt: skip
"""The columns of an exported sheet, in their order."""
_TOLD_IN_ORDER = (
    _F.NAME, _F.PRICE, *(one for one in DraftField if one not in (_F.NAME, _F.PRICE))
)  # fmt: skip
_MOST_TOLD = 60
"""Letters of a value that are told."""


def head_row() -> tuple[str, ...]:
    return tuple(HEADS[name][0] for name in WRITTEN)


def sheet_rows(
    catalogue: Catalogue, editor: CatalogueEditor, product_ids: Iterable[str]
) -> Iterator[tuple[Cell, ...]]:
    """A row for each article of these products. Numbers stay numbers."""
    articles = _ArticleCells(catalogue)
    for product_id in product_ids:
        product = catalogue.product(product_id)
        if product is None:
            continue
        owners = product.variants if product.has_variants else (product, *product.variants)
        for owner in owners:
            marks, plan = catalogue.marks(owner.id), editor.plan_of(owner.id)
            cells = articles.cells(Edited(product, owner, marks, plan))
            yield tuple(cells[name] for name in WRITTEN)


class _ArticleCells:
    """An article as the cells of a sheet: ids of units and categories by their names."""

    def __init__(self, catalogue: Catalogue) -> None:
        known = _unit_words(catalogue.units())
        self._units = {
            one.id: one.symbol if known[fold(one.symbol)] == one.id else one.name
            for one in catalogue.units()
        }
        self._names = {one.category.id: one.category.name for one in catalogue.categories()}

    def cells(self, edited: Edited) -> dict[str, Cell]:
        typed, owner = edited.typed, edited.owner
        cells: dict[str, Cell] = {name: typed.get(name) or None for name in WRITTEN}
        plan = edited.plan
        cells[_F.SKU] = owner.sku
        cells[VARIANT_OF] = edited.product.name if edited.is_variant else None
        cells[_F.PRICE] = owner.price.amount if owner.price is not None else None
        cells[_F.PLANNED_PRICE] = plan.price.amount if plan is not None else None
        cells[_F.WEIGHT] = owner.weight
        cells[_F.PER_BASE_UNIT] = owner.quantity_per_base_unit
        cells[_F.UNIT] = self._units.get(owner.sale_unit_id or "")
        cells[_F.BASE_UNIT] = self._units.get(owner.base_unit_id or "")
        cells[_F.PRODUCT_TYPE] = _TYPES.get(typed[_F.PRODUCT_TYPE])
        known = [name for one in owner.categories if (name := self._names.get(one))]
        between = "; " if any("," in name for name in known) else ", "
        cells[_F.CATEGORIES] = between.join(known) or None
        cells[_F.BARCODES] = barcodes_in_line(typed[_F.BARCODES]) or None
        cells[_F.OPEN_PRICE] = "да" if edited.marks.open_price else None
        cells[_F.PINNED] = "да" if edited.marks.pinned else None
        return cells


def _unit_words(units: Sequence[Unit]) -> dict[str, str]:
    """Units by their names and symbols; of two with one word it is the first."""
    found: dict[str, str] = {}
    for one in units:
        for word in (one.symbol, one.name):
            found.setdefault(fold(word), one.id)
    return found


class _Formula(str):
    """What a cell works out: it is never read."""

    __slots__ = ()


def without_formula(text: str) -> str:
    """A text that a program would take for a formula, with an apostrophe in front."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_SIGNS) else text


def _unescaped(cell: str) -> str:
    """What we, or another careful program, wrote with an apostrophe in front."""
    if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_SIGNS):
        return cell[1:]
    return _Formula(cell) if cell.startswith("=") else cell


def plain(cell: Cell) -> str:
    """A cell of a text file: numbers with a comma; a text that a program would take for a formula
    is kept a text by an apostrophe."""
    match cell:
        case None:
            return ""
        case int():
            return str(cell)
        case Decimal():
            is_amount = cell == cell.quantize(Decimal("0.01"))
            return (
                plain_amount_text(Money(cell)).replace(".", "")
                if is_amount
                else (f"{cell.normalize():f}".replace(".", ","))
            )
        case _:
            return without_formula(cell)


# --- the changes of a row ------------------------------------------------------------------------


def save_row(
    reader: ProductReader, editor: CatalogueEditor, row: RowPlan, *, piece: str | None, by: str,
    at: datetime,
) -> None:  # fmt: skip
    """Make the changes that were planned for a row, all or none of them. Raises Invalid where it
    can't be done any more, and what the catalogue raises.

    reader: with what earlier rows wrote. piece: the unit of new articles.
    """
    with editor.together():
        if row.new_categories:
            editor.add_categories(row.new_categories)
        if row.kind is RowKind.NEW and row.variant_of:
            _add_variant(reader, editor, row, by=by, at=at)
        elif row.kind is RowKind.NEW:
            blank = blank_product(row.product_id, label=_label_in(row), unit_id=piece, sku=None)
            add_typed(editor, blank, row.typed, by=by, at=at)
        else:
            save_typed(editor, row.product_id, row.article_id, row.typed, by=by, at=at)


def _add_variant(
    reader: ProductReader, editor: CatalogueEditor, row: RowPlan, *, by: str, at: datetime
) -> None:
    """A new variant; its product is made by the first of them where there is none."""
    product = reader.product(row.product_id)
    if product is None:
        blank = blank_product(row.product_id, label=_label_in(row), unit_id=None, sku=None)
        add_typed(editor, blank, {DraftField.NAME.value: row.variant_of}, by=by, at=at)
        product = reader.product(row.product_id)
    if product is None or any(one.id == row.article_id for one in product.variants):
        raise Invalid("this variant was added already", kind="article_gone")
    add_variant_typed(editor, blank_variant(product, row.article_id), row.typed, by=by, at=at)


def _label_in(row: RowPlan) -> TaxLabel:
    return TaxLabel(row.typed[DraftField.TAX_LABEL])
