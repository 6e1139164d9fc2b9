"""What each row of a sheet would change; nothing is written here.

A row is read as if its cells were typed into the form. A cell that can't be so is named with its
row, its column and why; an empty cell leaves the field as it is.
Source: till.md (Catalogue: import/export with a preview that names each bad cell).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from pos_app.domain.barcodes import ArticleCode
from pos_app.domain.product import code_taken
from pos_app.domain.search_text import fold
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor
from pos_app.selling.catalogue.editing import Edited, blank_product, blank_variant, open_for_edit
from pos_app.selling.catalogue.made_ids import id_of_product_above, id_of_row
from pos_app.selling.catalogue.product_draft import (
    Drafted,
    DraftFaults,
    DraftField,
    as_typed,
    price_doubt,
    read_draft,
    read_ean,
    read_price,
    read_sku,
)
from pos_app.selling.catalogue.sheet.cell_reading import CellReader
from pos_app.selling.catalogue.sheet.cells import unescaped
from pos_app.selling.catalogue.sheet.heads import HEADS, VARIANT_OF, columns_of, letters_of
from pos_app.selling.catalogue.sheet.row_plan import BadCell, FieldChange, RowKind, RowPlan
from pos_app.selling.synchronisation.catalogue_edits import owner_in

_F = DraftField
_SAME_NAMES = 100
"""So many hits of a name are looked through for those that have exactly that name."""
_TOLD_IN_ORDER = (
    _F.NAME, _F.PRICE, *(one for one in DraftField if one not in (_F.NAME, _F.PRICE))
)  # fmt: skip


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
        self._reader = CellReader(catalogue, rates)
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
        told = {name: unescaped(text) for name, text in told.items()}
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
                odd=self._odd(number, told, typed, cells),
                new_categories=self._reader.new_categories(typed),
            )  # fmt: skip
        if not _is_another(edited, drafted):
            return RowPlan(number, RowKind.SAME, owner.name, *ids, typed)
        return RowPlan(
            number, RowKind.CHANGED, owner.name, *ids, typed,
            changes=self._changes(edited, drafted),
            odd=self._odd(number, told, typed, cells),
            new_categories=self._reader.new_categories(typed),
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
            odd += self._other_labels(number, self._reader.label(told[_F.TAX_LABEL]), cells)
        return tuple(odd)

    def _not_understood(self) -> Iterator[BadCell]:
        for place in self._unknown:
            why = Invalid("not imported: this head is not known", kind="unknown_head")
            yield BadCell(0, self._heads[place], letters_of(place), why)

    def _unread(self) -> tuple[BadCell, ...]:
        head = self._head_of(_F.TAX_LABEL)
        why = Invalid(f'not read: the tax is in the column "{head}"', kind="unread", head=head)
        return tuple(
            BadCell(0, self._heads[place], letters_of(place), why) for place in self._less_exact
        )

    def _other_labels(
        self, number: int, label: TaxLabel, cells: Sequence[str]
    ) -> Iterator[BadCell]:
        """Cells of unread columns that mean another label than the one that was read."""
        head = self._head_of(_F.TAX_LABEL)
        for place in self._less_exact:
            cell = cells[place].strip() if place < len(cells) else ""
            try:
                other = self._reader.label(cell)
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
                typed[name] = self._reader.typed(name, text)
            except Invalid as error:
                bad.append(self._bad(number, name, text, error))
        return typed

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
        made = id_of_row(self._key, number)
        product = self._catalogue.product(found[0]) if found else None
        if product is None:
            if _F.TAX_LABEL not in typed:
                self._new(number, {**typed, _F.NAME: variant_of}, bad)
                return None
            parent_id = self._made.setdefault(
                fold(variant_of), id_of_product_above(self._key, number)
            )
            label = TaxLabel(typed[_F.TAX_LABEL])
            product = replace(
                blank_product(parent_id, label=label, unit_id=self._reader.piece, sku=None).product,
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
        product_id = id_of_row(self._key, number)
        return blank_product(
            product_id, label=TaxLabel(typed[_F.TAX_LABEL]), unit_id=self._reader.piece, sku=None
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
            FieldChange(self._head_of(name), self._reader.told(name, before[name]),
                        self._reader.told(name, after[name]))
            for name in _TOLD_IN_ORDER if before[name] != after[name]
        )  # fmt: skip


def _is_another(edited: Edited, drafted: Drafted) -> bool:
    """Whether a draft changes something. A sheet takes no planned price off."""
    if drafted.marks is not None or (drafted.plan is not None and drafted.plan != edited.plan):
        return True
    return any(getattr(edited.owner, name) != new for name, new in drafted.changes.items())
