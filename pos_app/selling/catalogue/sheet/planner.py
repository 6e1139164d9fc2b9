"""Plans what each row of a sheet would change, and writes nothing.

A row is read as if its cells were typed into the form. A faulty cell is named with its row, its
column and the reason; an empty cell leaves the field as it is.
Source: till.md (Catalogue: import/export with a preview that names each bad cell).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from pos_app.domain.article.barcodes import CodeRules
from pos_app.domain.article.product import code_taken
from pos_app.domain.article.scale_labels import ScaleRules
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.selling.catalogue import editing, product_draft
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor
from pos_app.selling.catalogue.made_ids import id_of_product_above, id_of_row
from pos_app.selling.catalogue.other_measure import other_measure
from pos_app.selling.catalogue.sheet import row_plan
from pos_app.selling.catalogue.sheet.cell_reading import CellReader, codes_in, full_ean
from pos_app.selling.catalogue.sheet.earlier_rows import EarlierRow, EarlierRows
from pos_app.selling.catalogue.sheet.heads import (
    HEADS,
    VARIANT_OF,
    SheetColumns,
    field_of_head,
    letters_of,
)
from pos_app.selling.catalogue.sheet.known_codes import KnownCode, KnownCodes
from pos_app.selling.catalogue.sheet.open_questions import OpenQuestions
from pos_app.selling.catalogue.sheet.products_in_rows import ProductRow
from pos_app.selling.catalogue.sheet.row_texts import RowTexts
from pos_app.selling.catalogue.sheet.systems import System, asks_for_tax
from pos_app.selling.cells import UNENDED
from pos_app.selling.synchronisation.catalogue_edits import owner_in

_F = product_draft.DraftField
_SAME_NAMES = 100
"""The most hits of a name that are searched for exactly that name."""
_BARS = (_F.EAN, _F.BARCODES)
_MANY_LINES = frozenset({_F.EAN, _F.BARCODES, _F.DESCRIPTION})
_CODES = frozenset({_F.SKU, _F.EAN, _F.BARCODES})
_NAMING = frozenset({_F.SKU, _F.NAME})
_SUMS = frozenset({"ukupno", "svega", "sveukupno", "total", "suma", "zbir"})
"""The first word, folded, of a row of sums."""
_CODE_READERS: Mapping[product_draft.DraftField, Callable[[str], object]] = {
    _F.SKU: product_draft.read_sku,
    _F.EAN: product_draft.read_ean,
    _F.MANUFACTURER_SKU: str.strip,
}
_NO_ARTICLE = "row_without_article"
_TOLD_IN_ORDER = (
    _F.NAME,
    _F.PRICE,
    *(one for one in product_draft.DraftField if one not in (_F.NAME, _F.PRICE)),
)


class _Faults(list[row_plan.BadCell]):
    """The bad cells of a row. lacks: heads of needed columns that the sheet does not have."""

    def __init__(self) -> None:
        super().__init__()
        self.lacks: list[str] = []


class SheetPlanner:
    """Reads rows one after the other; it knows which codes earlier rows of the sheet had.

    known: the codes of all articles. sheet_key: the key of the file, so that planning it again
    makes the same new products. at: when it is read. label: the tax label of every row, or None to
    read each cell. answers: a person's answers about this sheet. point: the result of
    `decimal_sign` for the prices.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        editor: CatalogueEditor,
        heads: Sequence[str],
        columns: SheetColumns,
        *,
        system: System | None,
        known: Iterable[KnownCode],
        sheet_key: str,
        label: TaxLabel | None,
        rates: Mapping[TaxLabel, Decimal],
        at: datetime,
        answers: row_plan.SheetAnswers = row_plan.NOTHING_SAID_OF_SHEET,
        point: str = "",
        rules: CodeRules | None = None,
        head_rows: Iterable[Sequence[str]] = (),
    ) -> None:
        """system: the other system that the sheet is of, if that is certain. rates: today's, in
        percent. head_rows: the rows of which the heads are joined, as they stand. rules: those by
        which the till reads codes, or None for a shop without any."""
        self._rules = rules or CodeRules(ScaleRules(()))
        self._catalogue, self._editor = catalogue, editor
        self._heads = list(heads)
        self.columns, self._columns = columns, columns.fields
        self._system = system
        self._texts = RowTexts(heads, columns, system)
        by_sheet = asks_for_tax(system, columns.fields) if label is None else {}
        self.questions = OpenQuestions(answers, by_sheet=by_sheet, rates=rates)
        self._unsold = answers.by_question.get(row_plan.Question.UNSOLD) == "yes"
        self._less_exact = tuple(
            at for at in self.columns.less_exact if field_of_head(heads[at]) == _F.TAX_LABEL
        )
        self._head_rows = [[fold(head) for head in row] for row in (heads, *head_rows)]
        self._key, self._at = sheet_key, at
        self._label = label
        self._default = answers.by_question.get(row_plan.Question.LABEL, "")
        self._reader = CellReader(catalogue, rates, answers=answers, point=point)
        self.unread = tuple(self._unread()) if label is None else ()
        """The tax columns that are not read, because another is more exact, as bad cells of row
        0."""
        self.left_out: list[row_plan.BadCell] = []
        """Rows without an article, such as sums at the end."""
        self.lacking: dict[str, int] = {}
        """The number of bad rows whose new articles need a missing column, by its head."""
        self._earlier = EarlierRows()
        self._known = KnownCodes(catalogue, known)
        self._made: dict[str, str] = {}
        """Products of variants that earlier rows make, by folded name."""

    def plan(self, source: ProductRow) -> row_plan.RowPlan | None:
        """Plan the changes of a row, or return None for one without an article."""
        number, cells = source.number, source.cells
        try:
            values = self._texts.of(cells)
        except Invalid as error:
            at = self._bad(number, error.field, "", error)
            return row_plan.RowPlan(number, row_plan.RowKind.BAD, "", bad=(at,))
        if not values or self._repeats_heads(cells) or self._is_left_out(source, values):
            return None
        if bad := tuple(self._of_many_lines(number, values, cells)):
            name = _first_line(values.get(_F.NAME, ""))
            return row_plan.RowPlan(number, row_plan.RowKind.BAD, name, bad=bad)
        below_article = bool(_NAMING & self._names) and self._system is None
        joined = self._earlier.joined_by(values, below_article=below_article)
        if joined is not None and not self._is_known_alone(values, joined):
            return self._joins(number, values, joined)
        extra = self._split_codes(values)
        if self._label is not None:
            values[_F.TAX_LABEL] = self._label.value
        if source.variant_of:
            values |= {VARIANT_OF: source.variant_of, _F.VARIANT_NAME.value: source.variant}
            values.pop(_F.NAME, None)
        has_letters = self._texts.with_letters(values)
        before = self.questions.noted()
        row = self._planned(number, values, extra, cells, has_letters=has_letters)
        self.questions.keep_if_settled(before, row.bad)
        ids = {"product_id": row.product_id, "article_id": row.article_id}
        self._earlier.add(number, values, **ids)
        return row

    def _planned(
        self,
        number: int,
        values: dict[str, str],
        extra: Sequence[str],
        cells: Sequence[str],
        *,
        has_letters: bool,
    ) -> row_plan.RowPlan:
        """Plan a row with an article of its own. extra: further barcodes in the cell of its EAN.
        has_letters: its code has letters, and stands as the maker's."""
        name = values.get(_F.NAME, "")
        variant_of = values.pop(VARIANT_OF, "")
        bad = _Faults()
        typed = self._typed_fields(number, values, bad)
        edited, is_new = self._owner(
            number, values, typed, bad, variant_of, has_letters=has_letters
        )
        drafted, before = None, dict[str, str]()
        if edited is not None:
            stands = edited.typed_fields
            self._add_codes(typed, extra, stands, has_letters=has_letters)
            self._add_tax(number, values, typed, edited, bad)
            if not is_new:
                given = editing.with_plan_off(edited, typed, at=self._at)
                typed = {key: text for key, text in given.items() if stands[key].strip() != text}
                before = {key: stands[key] for key in typed}
            drafted = self._read(number, values, edited, typed, bad, is_new=is_new)
        if bad or edited is None or drafted is None:
            return row_plan.RowPlan(
                number, row_plan.RowKind.BAD, name, bad=tuple(bad), lacks=tuple(bad.lacks)
            )
        owner = edited.owner
        ids = (edited.product.id, owner.id)
        if not is_new and not _is_another(edited, drafted):
            return row_plan.RowPlan(number, row_plan.RowKind.SAME, owner.name, *ids, typed)
        kind = row_plan.RowKind.NEW if is_new else row_plan.RowKind.CHANGED
        named = f"{variant_of} · {typed[_F.VARIANT_NAME]}" if is_new and variant_of else name
        return row_plan.RowPlan(
            number,
            kind,
            named if is_new else owner.name,
            *ids,
            typed,
            variant_of if is_new else "",
            changes=() if is_new else self._changes(edited, drafted),
            odd=self._odd(number, values, typed, cells),
            new_names=self._reader.new_names(typed),
            before=before,
        )

    def of_variants(self, row: row_plan.RowPlan) -> Iterator[row_plan.RowPlan]:
        """Yield changes of variants that come with a row: a new price of a product takes the place
        of their planned prices, unless the sheet has a column for these."""
        is_new_price = row.kind is row_plan.RowKind.CHANGED and _F.PRICE in row.typed_fields
        if not is_new_price or _F.PLANNED_PRICE in self._names:
            return
        ids = (row.product_id, row.article_id)
        product = editing.open_for_edit(self._catalogue, self._editor, *ids)
        if product is None:
            return
        price = product_draft.read_price(row.typed_fields[_F.PRICE])
        if price == product.owner.price:
            return
        for plan in editing.plans_of_variants(product, self._editor, at=self._at):
            now = editing.open_for_edit(
                self._catalogue, self._editor, row.product_id, plan.article_id
            )
            if now is not None:
                yield self._without_plan(row.row, now, price)

    def _without_plan(
        self, number: int, now: editing.Edited, price: Money | None
    ) -> row_plan.RowPlan:
        """Plan that a variant costs what its product is to cost. price: this."""
        ids, stands = (now.product.id, now.owner.id), now.typed_fields
        typed = {str(name): "" for name in product_draft.OF_PLAN if stands[name]}
        drafted = product_draft.read_draft(
            typed, stands, now.marks, article_id=now.owner.id, at=self._at
        )
        told = replace(now, owner=replace(now.owner, price=price))
        return row_plan.RowPlan(
            number,
            row_plan.RowKind.CHANGED,
            f"{now.product.name} · {now.owner.variant_name or now.owner.name}",
            *ids,
            typed,
            changes=self._changes(told, drafted),
            before={name: stands[_F(name)] for name in typed},
        )

    def remarks(self) -> list[row_plan.BadCell]:
        """What is told once of the sheet."""
        return self._texts.remarks()

    # --- rows without an article of their own ----------------------------------------------------

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(self._columns.values())

    def _repeats_heads(self, cells: Sequence[str]) -> bool:
        """Whether a row repeats a row of the heads, as on a further page."""
        folded = [fold(cell) for cell in cells]
        filled = [at for at, cell in enumerate(folded) if cell]
        return len(filled) > 1 and any(
            folded[: len(heads)] == heads[: len(folded)] for heads in self._head_rows
        )

    def _is_left_out(self, source: ProductRow, values: Mapping[str, str]) -> bool:
        """Whether a row is told and not imported."""
        number, first = source.number, next(iter(values.values()))
        name = source.variant_of or values.get(_F.NAME, first)
        if self._texts.is_sold(source.cells):
            if source.is_article:
                return self._has_no_article(number, values)
            self.left_out.append(row_plan.BadCell(number, "", name, Invalid(_NO_ARTICLE)))
            return True
        self.questions.asked[row_plan.Question.UNSOLD] += 1
        if not self._unsold:
            self.left_out.append(row_plan.BadCell(number, "", name, Invalid("not_sold")))
        return not self._unsold

    def _has_no_article(self, number: int, values: Mapping[str, str]) -> bool:
        """Whether a row is a sum, a group's name or a page's foot; it is listed, not imported."""
        first = next(iter(values.values()))
        words = fold(first).split()
        is_sum = bool(words) and words[0] in _SUMS and not {_F.EAN, _F.TAX_LABEL} & values.keys()
        alone = set(values) <= {_F.NAME} and len(self._names & {_F.SKU, _F.EAN, _F.PRICE}) > 1
        is_foot = set(values) == {_F.SKU} and not first.isdigit() and len(self._names) > 1
        if is_sum or alone or is_foot:
            self.left_out.append(row_plan.BadCell(number, "", first, Invalid(_NO_ARTICLE)))
        return is_sum or alone or is_foot

    def _split_codes(self, values: dict[str, str]) -> list[str]:
        """Leave the first code in the cell of the EAN; return the others as further barcodes."""
        if _F.EAN not in values:
            return []
        first, *others = codes_in(values[_F.EAN])
        values[_F.EAN] = first
        return others

    def _add_codes(
        self,
        typed_fields: dict[str, str],
        extra: Sequence[str],
        before: Mapping[str, str],
        *,
        has_letters: bool,
    ) -> None:
        """Add barcodes to those that the article has; an EAN among them stays, and so does a
        maker's code where the row has only a code with letters."""
        if has_letters and before[_F.MANUFACTURER_SKU]:
            typed_fields.pop(_F.MANUFACTURER_SKU)
        text_lines = typed_fields.get(_F.BARCODES, before[_F.BARCODES]).splitlines()
        there = {text_line.partition(" ")[0] for text_line in text_lines} | {before[_F.EAN]}
        added = [code for one in extra if (code := full_ean(one)) not in there]
        if added:
            typed_fields[_F.BARCODES] = "\n".join([*text_lines, *added])
        if before[_F.EAN] and typed_fields.get(_F.EAN) in there:
            typed_fields.pop(_F.EAN)

    def _is_known_alone(self, values: Mapping[str, str], joined: EarlierRow) -> bool:
        """Whether a row has only an EAN, which another article has already."""
        if values.get(_F.SKU) or len(values) > 1:
            return False
        known = self._known.owner(_F.EAN, values.get(_F.EAN, ""))
        return known is not None and known.article_id != joined.article_id

    def _joins(self, number: int, values: dict[str, str], first: EarlierRow) -> row_plan.RowPlan:
        """Plan a row that adds its barcodes to the article of an earlier one."""
        name = values.get(_F.NAME, "")
        extra = [one for one in self._split_codes(values) if one]
        bad: list[row_plan.BadCell] = []
        typed = self._typed_fields(
            number, {key: values[key] for key in _BARS if key in values}, bad
        )
        codes = [*([typed[_F.EAN]] if _F.EAN in typed else []), *extra]
        codes += typed.get(_F.BARCODES, "").splitlines()
        if first.is_bad and not bad:
            why = Invalid("row_of_bad", row=first.number)
            bad.append(
                row_plan.BadCell(number, self._head_of(_F.EAN), codes[0] if codes else "", why)
            )
        for code in codes:
            why_not = None if bad else self._why_no_code(number, code, first)
            if why_not is not None:
                bad.append(row_plan.BadCell(number, self._head_of(_F.EAN), code, why_not))
        ids = (first.product_id, first.article_id)
        if bad:
            return row_plan.RowPlan(number, row_plan.RowKind.BAD, name, bad=tuple(bad))
        kind = row_plan.RowKind.SAME if self._has_codes(ids, codes) else row_plan.RowKind.JOINED
        added: dict[str, str] = {_F.BARCODES: "\n".join(codes)}
        odd = tuple(self._labels(number, added))
        return row_plan.RowPlan(number, kind, name, *ids, added, odd=odd)

    def _why_no_code(self, number: int, text_line: str, first: EarlierRow) -> Invalid | None:
        code = text_line.partition(" ")[0]
        try:
            product_draft.read_ean(code)
        except Invalid as error:
            return error
        earlier = self._earlier.first_with(_F.EAN, code, number)
        if earlier != number:
            return Invalid("row_twice", row=earlier)
        taken = self._known.owner(_F.EAN, code) or self._known.owner_of_barcode(code)
        if taken is not None and taken.article_id != first.article_id:
            return self._of_other(taken)
        return None

    def _has_codes(self, ids: tuple[str, str], codes: Sequence[str]) -> bool:
        now = editing.open_for_edit(self._catalogue, self._editor, *ids)
        if now is None:
            return False
        there = {one.partition(" ")[0] for one in now.typed_fields[_F.BARCODES].splitlines()}
        return {one.partition(" ")[0] for one in codes} <= there | {now.typed_fields[_F.EAN]}

    def _of_many_lines(
        self, number: int, values: Mapping[str, str], cells: Sequence[str]
    ) -> Iterator[row_plan.BadCell]:
        """Yield the cells of a row that hold rows below, in columns that are not imported too, and
        those that have several lines where a field has one."""
        for index, cell in enumerate(cells):
            if UNENDED in cell:
                head = self._heads[index] if index < len(self._heads) else letters_of(index)
                yield row_plan.BadCell(number, head, _first_line(cell), Invalid("quote_open"))
        for name, text in values.items():
            is_broken = len(text.splitlines()) > 1 and UNENDED not in text
            if name not in _MANY_LINES and is_broken:
                yield self._bad(number, name, _first_line(text), Invalid("several_lines"))

    # --- parts -----------------------------------------------------------------------------------

    def _bad(self, number: int, name: str, text: str, why: Invalid) -> row_plan.BadCell:
        return row_plan.BadCell(number, self._head_of(name), text, why)

    def _odd(
        self,
        number: int,
        values: Mapping[str, str],
        typed_fields: Mapping[str, str],
        cells: Sequence[str],
    ) -> tuple[row_plan.BadCell, ...]:
        """A row's new prices that are perhaps not meant, and taxes that another column
        contradicts."""
        prices = (
            (name, typed_fields[name])
            for name in (_F.PRICE, _F.PLANNED_PRICE)
            if name in typed_fields
        )
        doubted = (
            (name, product_draft.price_doubt(product_draft.read_price(text)))
            for name, text in prices
        )
        odd = [
            self._bad(number, name, values[name], why) for name, why in doubted if why is not None
        ]
        odd += self._zeros(number, values, typed_fields)
        odd += self._labels(number, typed_fields)
        if self._less_exact and self._label is None and _F.TAX_LABEL in values:
            odd += self._other_labels(number, self._reader.label(values[_F.TAX_LABEL]), cells)
        return tuple(odd)

    def _labels(self, number: int, typed_fields: Mapping[str, str]) -> Iterator[row_plan.BadCell]:
        """Yield a doubt about each field with a code that means something else, too."""
        for field, why in product_draft.label_doubts(typed_fields, self._rules).items():
            yield self._bad(number, field, why.values["barcode"], why)

    def _zeros(
        self, number: int, values: Mapping[str, str], typed_fields: Mapping[str, str]
    ) -> Iterator[row_plan.BadCell]:
        """Yield a doubt where an EAN got back the leading zeros that a spreadsheet had taken."""
        full, code = typed_fields.get(_F.EAN, ""), values.get(_F.EAN, "")
        if full != code and full.lstrip("0") == code:
            why = Invalid("ean_zeros", ean=full)
            yield self._bad(number, _F.EAN, code, why)

    def _unread(self) -> Iterator[row_plan.BadCell]:
        head = self._head_of(_F.TAX_LABEL)
        why = Invalid("unread", head=head)
        for index in self._less_exact:
            yield row_plan.BadCell(0, self._heads[index], letters_of(index), why)

    def _other_labels(
        self, number: int, label: TaxLabel, cells: Sequence[str]
    ) -> Iterator[row_plan.BadCell]:
        head = self._head_of(_F.TAX_LABEL)
        for index in self._less_exact:
            cell = cells[index].strip() if index < len(cells) else ""
            try:
                other = self._reader.label(cell)
            except Invalid:
                continue
            if other is not label:
                why = Invalid("other_label", head=head, label=label.value)
                yield row_plan.BadCell(number, self._heads[index], cell, why)

    def _head_of(self, name: str) -> str:
        at = next((at for at, one in self._columns.items() if one == name), None)
        return HEADS[name][0] if at is None else self._heads[at]

    def _typed_fields(
        self, number: int, values: Mapping[str, str], bad: list[row_plan.BadCell]
    ) -> dict[str, str]:
        """The cells as texts of the form, with ids for the names of units and categories."""
        typed: dict[str, str] = {}
        for name, text in values.items():
            try:
                typed[name] = self._reader.typed_text(name, text)
            except Invalid as error:
                self.questions.note(error, text)
                bad.append(self._bad(number, name, text, error))
        return typed

    def _add_tax(
        self,
        number: int,
        values: Mapping[str, str],
        typed_fields: dict[str, str],
        edited: editing.Edited,
        bad: _Faults,
    ) -> None:
        """Add the tax to prices without it, once a person or the file has said that they are."""
        label = TaxLabel(typed_fields.get(_F.TAX_LABEL) or edited.owner.tax_label)
        for name in (_F.PRICE, _F.PLANNED_PRICE):
            try:
                if price := typed_fields.get(name):
                    typed_fields[name] = self.questions.with_tax(price, label)
            except Invalid as error:
                bad.append(self._bad(number, name, values[name], error))

    def _owner(
        self,
        number: int,
        values: Mapping[str, str],
        typed_fields: dict[str, str],
        bad: _Faults,
        variant_of: str,
        *,
        has_letters: bool,
    ) -> tuple[editing.Edited | None, bool]:
        """The article of the row, found by its code, or by its EAN where the row has no code; else
        a new one. A new code beside an EAN in use names two articles: `_read` says so."""
        codes = self._codes_of(number, values, typed_fields, bad, has_letters=has_letters)
        if codes is None:
            return None, False
        names = (one for one in (_F.SKU, _F.MANUFACTURER_SKU, _F.EAN) if one in codes)
        article = next((found for one in names if (found := self._of_code(one, codes))), None)
        if article is not None:
            opened = editing.open_for_edit(
                self._catalogue, self._editor, article.product_id, article.article_id
            )
            return opened, False
        if not codes:
            opened = self._without_codes(variant_of or values.get(_F.NAME, ""), typed_fields)
            if opened is not None:
                return opened, False
        if variant_of:
            return self._new_variant(number, variant_of, typed_fields, bad), True
        return self._new(number, typed_fields, bad), True

    def _codes_of(
        self,
        number: int,
        values: Mapping[str, str],
        typed_fields: Mapping[str, str],
        bad: _Faults,
        *,
        has_letters: bool,
    ) -> dict[product_draft.DraftField, str] | None:
        """The codes that identify a row's article, or None where one is bad or an earlier row has
        it."""
        codes: dict[product_draft.DraftField, str] = {}
        for name, read in _CODE_READERS.items():
            if name not in typed_fields or (name is _F.MANUFACTURER_SKU and not has_letters):
                continue
            column = _F.SKU if name is _F.MANUFACTURER_SKU else name
            try:
                code = str(read(typed_fields[name]))
            except Invalid as error:
                bad.append(self._bad(number, column, values[name], error))
                return None
            earlier = self._earlier.first_with(name, code, number)
            if earlier != number:
                why = Invalid("row_twice", row=earlier)
                bad.append(self._bad(number, column, values[name], why))
                return None
            codes[name] = code
        return codes

    def _of_code(
        self, name: product_draft.DraftField, codes: Mapping[product_draft.DraftField, str]
    ) -> KnownCode | None:
        """The article of a code. An EAN finds one only where the row has no number of its own."""
        is_second = name is _F.EAN and _F.SKU in codes
        return None if is_second else self._known.owner(name, codes[name])

    def _without_codes(self, name: str, typed_fields: Mapping[str, str]) -> editing.Edited | None:
        """The only article of exactly that name. In a sheet with codes it has neither code nor EAN,
        since another one of that name may be meant."""
        found = self._named(name)
        product = self._catalogue.product(found[0]) if len(found) == 1 else None
        if product is None:
            return None
        variant = typed_fields.get(_F.VARIANT_NAME, "")
        owners = product.variants if variant else (product,)
        same = [one for one in owners if (one.variant_name or "").strip() == variant]
        by_name = self._system is not None or not _CODES & self._names
        if len(same) != 1 or not (by_name or (same[0].sku is None and same[0].ean is None)):
            return None
        return editing.open_for_edit(self._catalogue, self._editor, product.id, same[0].id)

    def _named(self, name: str) -> list[str]:
        rows = self._catalogue.page(name, limit=_SAME_NAMES) if name else ()
        return [row.product_id for row in rows if row.name == name]

    def _new_variant(
        self, number: int, variant_of: str, typed_fields: dict[str, str], bad: _Faults
    ) -> editing.Edited | None:
        if _F.VARIANT_NAME not in typed_fields:
            self._missing(number, _F.VARIANT_NAME, bad)
            return None
        found = self._named(variant_of)
        if len(found) > 1:
            why = Invalid("name_twice")
            bad.append(self._bad(number, VARIANT_OF, variant_of, why))
            return None
        made = id_of_row(self._key, number)
        product = self._catalogue.product(found[0]) if found else None
        if product is None:
            if not self._has_label(typed_fields):
                self._new(number, {**typed_fields, _F.NAME: variant_of}, bad)
                return None
            parent_id = self._made.setdefault(
                fold(variant_of), id_of_product_above(self._key, number)
            )
            label = TaxLabel(typed_fields[_F.TAX_LABEL])
            product = replace(
                editing.blank_product(
                    parent_id, label=label, unit_id=self._reader.piece, sku=None
                ).product,
                name=variant_of,
            )
        return editing.blank_variant(product, made)

    def _missing(self, number: int, name: product_draft.DraftField, bad: _Faults) -> None:
        """Note that a new article needs this field: at its cell, or once for the missing column."""
        head = self._head_of(name)
        if name not in self._columns.values():
            self.lacking[head] = self.lacking.get(head, 0) + 1
            bad.lacks.append(head)
        elif not any(one.column == head for one in bad):
            why = Invalid("new_needs")
            bad.append(row_plan.BadCell(number, head, "", why))

    def _has_label(self, typed_fields: dict[str, str]) -> bool:
        """Whether a new article has a label: its own, or a person's answer for all."""
        if self._default:
            typed_fields.setdefault(_F.TAX_LABEL, self._default)
        return _F.TAX_LABEL in typed_fields

    def _new(
        self, number: int, typed_fields: dict[str, str], bad: _Faults
    ) -> editing.Edited | None:
        had_label = _F.TAX_LABEL in typed_fields or any(
            one.column == self._head_of(_F.TAX_LABEL) for one in bad
        )
        self._has_label(typed_fields)
        missing = [name for name in (_F.NAME, _F.TAX_LABEL) if name not in typed_fields]
        if not had_label:
            self.questions.asked[row_plan.Question.LABEL] += 1
        for name in missing:
            self._missing(number, name, bad)
        if missing:
            return None
        product_id = id_of_row(self._key, number)
        return editing.blank_product(
            product_id,
            label=TaxLabel(typed_fields[_F.TAX_LABEL]),
            unit_id=self._reader.piece,
            sku=None,
        )

    def _read(
        self,
        number: int,
        values: Mapping[str, str],
        edited: editing.Edited,
        typed_fields: Mapping[str, str],
        bad: list[row_plan.BadCell],
        *,
        is_new: bool,
    ) -> product_draft.Drafted | None:
        """Read the cells of a row; faults and doubts of the form are added to `bad`."""
        is_product = is_new and not edited.is_variant
        before = {**edited.typed_fields, _F.NAME: ""} if is_product else edited.typed_fields
        drafted = None
        try:
            drafted = product_draft.read_draft(
                typed_fields,
                before,
                edited.marks,
                article_id=edited.owner.id,
                at=self._at,
                has_years=True,
            )
        except product_draft.DraftFaults as error:
            faulty = {one.column for one in bad}
            for name, why in error.by_field.items():
                self.questions.asked[row_plan.Question.POINT] += why.kind == "thousand"
                has_cell = name in values
                if has_cell and self._head_of(name) in faulty:
                    continue
                bad.append(
                    self._bad(number, name, values[name], why)
                    if has_cell
                    else row_plan.BadCell(number, HEADS[name][0], "", why)
                )
        for name in (_F.SKU, _F.EAN):
            taken = self._known.owner(name, typed_fields[name]) if name in typed_fields else None
            if taken is not None and taken.article_id != edited.owner.id:
                bad.append(self._bad(number, name, values[name], self._of_other(taken)))
        if not is_new:
            bad += self._measured(number, values, edited, typed_fields)
        return drafted

    def _measured(
        self,
        number: int,
        values: Mapping[str, str],
        edited: editing.Edited,
        typed_fields: Mapping[str, str],
    ) -> Iterator[row_plan.BadCell]:
        """Yield the cell of a unit that measures otherwise, while prices stay, until a person says
        that these are meant."""
        if self.questions.answers.get(row_plan.Question.MEASURE) == "yes":
            return
        asked = other_measure(edited, typed_fields, self._reader.symbols, self._editor)
        if asked is not None:
            of_price = _F.PLANNED_PRICE if asked.price is None else _F.PRICE
            price = next(one for one in (asked.price, asked.planned) if one is not None)
            kind = "price_measure" if asked.symbol else "price_counted"
            head = self._head_of(of_price)
            why = Invalid(kind, head=head, price=amount_text(price), unit=asked.symbol)
            self.questions.note(why, "")
            yield self._bad(number, _F.UNIT, values.get(_F.UNIT, ""), why)

    def _of_other(self, taken: KnownCode) -> Invalid:
        product = self._catalogue.product(taken.product_id)
        owner = owner_in(product, taken.article_id) if product is not None else None
        return code_taken("", taken.sku, owner.name if owner is not None else "")

    # --- what is told of a change ----------------------------------------------------------------

    def _changes(
        self, edited: editing.Edited, drafted: product_draft.Drafted
    ) -> tuple[row_plan.FieldChange, ...]:
        before, plan = edited.typed_fields, drafted.plan or edited.plan
        if drafted.drops_plan and plan is not None:
            before[_F.PRICE], plan = product_draft.amount_typed(plan.price), None
        owner = replace(edited.owner, **drafted.changes)
        after = product_draft.as_typed(owner, drafted.marks or edited.marks, plan)
        return tuple(
            row_plan.FieldChange(
                self._head_of(name),
                self._reader.shown_text(name, before[name]),
                self._reader.shown_text(name, after[name]),
            )
            for name in _TOLD_IN_ORDER
            if before[name] != after[name]
        )


def _first_line(text: str) -> str:
    return next(iter(text.replace(UNENDED, "").strip().splitlines()), "")


def _is_another(edited: editing.Edited, drafted: product_draft.Drafted) -> bool:
    """Whether a draft changes something."""
    if drafted.marks is not None or drafted.drops_plan:
        return True
    if drafted.plan is not None and drafted.plan != edited.plan:
        return True
    return any(getattr(edited.owner, name) != new for name, new in drafted.changes.items())
