"""Units and categories: changed here, at another till and at the platform of both.

The judge knows which of them people meant, by words that are given once; what an article is
measured by; and that an article's price outlives all of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.till import bulk_acts
from pos_app.domain.article.product import Unit
from pos_app.errors import Invalid, NotAllowed, NotFound, RemoteError
from pos_app.selling.catalogue import bulk_change, bulk_plan
from pos_app.selling.catalogue.bulk_act import EndingName
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.names import instead, may_replace, new_name
from pos_app.selling.synchronisation.catalogue_edits import EditSide, NewEdit
from pos_app.selling.synchronisation.own_names import Named, NameKind
from tests.shop.catalogue_acts import (
    ASKED,
    ENDS_AFTER,
    FEW_RUNS,
    HERE,
    MANAGER,
    PLACES,
    PLANNED,
    THERE,
    Change,
    PriceActs,
)
from tests.shop.ledger import Fault
from tests.shop.platform import Killed

OTHER, ELSEWHERE = "at another till", "other"
KINDS = st.sampled_from(NameKind)
MEASURES = {"kg": "kilograms", "kg.": "kilograms", "g": "grams", "gr": "grams"}
"""Each other unit counts pieces, as no unit does."""
SYMBOLS = ("kg", "ком", "kg.", "пак", "g", "gr", "кут")


@dataclass
class Meant:
    """A unit or category. names: given to it, with who gave each. ended_by: who deleted it, or may
    have. symbol: of a unit. is_sure: whether nothing else decides whether it is there."""

    kind: NameKind
    names: list[tuple[str, str]]
    symbol: str = ""
    ended_by: set[str] = field(default_factory=set)
    is_sure: bool = True

    def judge(self, names: set[str]) -> None:
        is_there = [name for _, name in self.names if name in names]
        by = {side for side, _ in self.names} | self.ended_by
        if not self.ended_by and not is_there:
            raise Fault(f"{self.kind} {self.names} is gone, and nobody deleted it")
        if len(by) > 1 or not self.is_sure:
            return
        if self.ended_by and is_there:
            raise Fault(f"{self.kind} {self.names} is there, and was deleted")
        if not self.ended_by and is_there != [self.names[-1][1]]:
            raise Fault(f"{self.kind} {self.names} is {is_there}")


class NameActs(PriceActs):
    def __init__(self) -> None:
        super().__init__()
        self.meant_names: list[Meant] = []
        self.words = 0

    @property
    def other(self) -> Path:
        """The data folder of another till of the same platform."""
        folder = self.world.folder / ELSEWHERE
        if not folder.exists():
            (folder / "catalogue").mkdir(parents=True)
            shutil.copy2(self.world.data / "settings.toml", folder)
            self._synchronise(OTHER)
        return folder

    def _synchronise(self, side: str, **more: Any) -> None:
        self.world.open_platform()
        with suppress(RemoteError, Killed):
            folder = self.world.data if side == HERE else self.other
            self.world.platform.synchronise(folder, **more)

    @contextmanager
    def _till(self, side: str) -> Iterator[tuple[SqliteCatalogueEditor, Catalogue]]:
        if side == HERE:
            yield self._editor, self.core.catalogue
            return
        path = catalogue_file(self.other)
        with (
            SqliteCatalogueEditor(path, now=lambda: self.now) as editor,
            closing(SqliteCatalogue(path, now=lambda: self.now)) as catalogue,
        ):
            yield editor, catalogue

    def _word(self) -> str:
        self.words += 1
        return f"реч {self.words}"

    def _meant_of(self, name: str) -> Meant:
        of_it = [one for one in self.meant_names if name in {given for _, given in one.names}]
        return of_it[0] if of_it else Meant(NameKind.UNIT, [])

    # --- at one of the tills ---------------------------------------------------------------------

    @rule(side=st.sampled_from((HERE, HERE, OTHER)), kind=KINDS, symbol=st.sampled_from(SYMBOLS),
          place=PLACES)  # fmt: skip
    def name_is_made(self, side: str, kind: NameKind, symbol: str, place: int) -> None:
        """It is given to an article, too."""
        named = new_name(kind, self._word(), symbol, position=0)
        with self._till(side) as (editor, _), suppress(Invalid):
            editor.add_name(named, by=MANAGER, at=self.now)
            meant = Meant(kind, [(side, named.name)], MEASURES.get(symbol, symbol))
            self.meant_names.append(meant)
            same = [
                one for one in self.meant_names if one.kind is kind and one.symbol == meant.symbol
            ]
            if kind is NameKind.UNIT and len(same) > 1:
                for one in same:  # they become one, however spelled, once both tills know them
                    one.ended_by.add(OTHER)
                    one.is_sure = False
        if side == HERE:
            self.article_gets_a_name(place, kind, -1)

    @rule(place=PLACES, kind=KINDS, number=PLACES)
    def article_gets_a_name(self, place: int, kind: NameKind, number: int) -> None:
        row, names = self._some(place), self._names(self.core.catalogue, kind)
        if row is None or row.sku is None or not names:
            return
        one = names[number % len(names)]
        value: Any = one.id if kind is NameKind.UNIT else (one.id,)
        changes = {"sale_unit_id" if kind is NameKind.UNIT else "categories": value}
        ids = row.product_id, row.product_id
        edit = NewEdit.changing(*ids, changes, by=MANAGER, at=self.now)
        self._editor.record(edit, plans_are_meant=True)  # the form asks for that
        self.articles.touched[row.sku].add(HERE)
        if isinstance(one, Unit):
            self.articles.mean(HERE, row.sku, "measure", MEASURES.get(one.symbol, ""))

    def unit_came(self, sku: int, unit_id: object) -> None:
        symbols = {one.id: one.symbol for one in self.core.catalogue.units()}
        symbol = symbols.get(str(unit_id), "")
        self.articles.mean(THERE, sku, "measure", MEASURES.get(symbol, ""))

    @rule(side=st.sampled_from((HERE, OTHER, THERE)), kind=KINDS, number=PLACES, ends=st.booleans())
    def name_is_changed(self, side: str, kind: NameKind, number: int, ends: bool) -> None:
        """It is renamed, or deleted: at a till only one that no article has."""
        word = self._word()
        if side == THERE:
            name = self._change_name_there(kind, number, None if ends else word)
        else:
            name = self._change_name(side, kind, number, None if ends else word)
        if name and ends:
            self._meant_of(name).ended_by.add(side)
        elif name:
            self._meant_of(name).names.append((side, word))

    def _change_name(self, side: str, kind: NameKind, number: int, word: str | None) -> str:
        """Rename or delete at a till; return the earlier name, "" where nothing is changed."""
        with self._till(side) as (editor, catalogue), suppress(Invalid, NotAllowed):
            if names := self._names(catalogue, kind):
                one = names[number % len(names)]
                if word is None:
                    editor.delete_name(one, by=MANAGER, at=self.now)
                else:
                    editor.change_name(one, replace(one, name=word), by=MANAGER, at=self.now)
                if any(edit.id == one.id and edit.is_unanswered for edit in editor.name_edits()):
                    self._meant_of(one.name).is_sure = False  # the platform forgets its answer
                return one.name
        return ""

    def _change_name_there(self, kind: NameKind, number: int, word: str | None) -> str:
        there = self._listed(kind)
        if not there:
            return ""
        one = there[number % len(there)]
        path = f"/{_path(kind)}/{one['id']}"
        if word is None:
            self.world.platform.asked("DELETE", path)
        elif self.world.platform.asked("PATCH", path, {"name": word}) is None:
            return ""
        return str(one["name"])

    @rule(kind=KINDS, number=PLACES, into=PLACES, ends_after=ENDS_AFTER, is_regretted=st.booleans(),
          symbols=st.permutations(SYMBOLS))  # fmt: skip
    def names_are_merged(
        self,
        kind: NameKind,
        number: int,
        into: int,
        ends_after: int,
        is_regretted: bool,
        symbols: list[str],
    ) -> None:
        """is_regretted: it is taken back, whether it was cut or not. symbols: of two that are made
        where there are no two."""
        catalogue = self.core.catalogue
        if len(self._names(catalogue, kind)) < 2:
            for place, symbol in enumerate(symbols[:2]):
                self.name_is_made(HERE, kind, symbol, place)
        names = self._names(catalogue, kind)
        if len(names) < 2 or self._editor.bulk_act() is not None:
            return
        old, new = names[number % len(names)], names[into % len(names)]
        ids = catalogue.products_having(kind, old.id)
        if old is new or not ids or not may_replace(old, new):
            return
        before, last = self._looks(), self._editor.last_change()
        lines = [*bulk_change.preview(catalogue, ids, instead(kind, old.id, new.id))]
        rows = [bulk_plan.row_of(one) for one in lines if one.changes]
        ends = EndingName(kind, old.id, old.name, new.name)
        self.begin_bulk(self.changing(rows, len(ids), ends), Change({}, self.now, {}), ends_after)
        meant = self._meant_of(old.name)
        is_whole = self._editor.bulk_act() is None
        meant.is_sure = meant.is_sure and is_whole
        meant.ended_by.add(HERE)
        if is_whole:
            renamed = {product: _merged(one, old.name, new.name) for product, one in before.items()}
            self._compare(renamed)
        told = self._editor.last_change()
        if is_regretted and told is not None and told != last:
            with suppress(NotAllowed):
                self._bulk(lambda editor: bulk_acts.begin_taking_back(editor, told, by=MANAGER), 0)
                meant.ended_by.discard(HERE)
                self._compare(before)

    def _looks(self) -> dict[str, Any]:
        """Each article's own price, its unit and its categories, by their names."""
        catalogue = self.core.catalogue
        units, categories = (
            {one.id: one.name for one in self._names(catalogue, kind)} for kind in NameKind
        )
        looks = {}
        for row in self._rows().values():
            product = self._editor.product(row.product_id)
            assert product is not None
            has = sorted(categories.get(one, one) for one in product.categories)
            unit = product.sale_unit_id
            looks[row.product_id] = product.price, unit and units.get(unit, unit), has
        return looks

    def _compare(self, wanted: dict[str, Any]) -> None:
        for product_id, looks in self._looks().items():
            if looks != wanted[product_id]:
                raise Fault(f"{product_id} is {looks}, and was to be {wanted[product_id]}")

    def _names(self, catalogue: Catalogue, kind: NameKind) -> list[Named]:
        return [one.named for one in catalogue.counted_names(kind)]

    def _listed(self, kind: NameKind) -> list[dict[str, Any]]:
        self.world.open_platform()
        listed: list[dict[str, Any]] = self.world.platform.asked("GET", f"/{_path(kind)}")
        return listed

    @rule(planned=PLANNED, ends_after=st.sampled_from((0, 0, 1, 3, 5)))
    def other_till_synchronises(self, planned: Any, ends_after: int) -> None:
        self._synchronise(OTHER, planned=planned, ends_after=ends_after)

    @rule(ours=st.booleans())
    def names_are_decided(self, ours: bool) -> None:
        self._decide(HERE, EditSide.OURS if ours else EditSide.THEIRS)

    def _decide(self, side: str, chosen: EditSide) -> bool:
        """Answer what a person is asked; tell whether anything was."""
        with self._till(side) as (editor, _):
            asked = [one for one in editor.name_edits() if one.needs_person]
            for one in asked:
                if one.ours is None and one.base is not None and chosen is EditSide.THEIRS:
                    self._meant_of(one.base.name).is_sure = False
                with suppress(NotFound):
                    editor.decide_name(one, chosen, by=MANAGER, at=self.now)
        return bool(asked)

    # --- at rest ---------------------------------------------------------------------------------

    def rest_of_catalogues(self) -> None:
        """Synchronise both tills until nothing waits. A deletion waits as long as a person is asked
        about the change by which an article got another unit or category."""
        super().rest_of_catalogues()
        if not self.words:
            return
        if not self.world.platform.was_opened:
            self._judge_names()
            return
        for run in range(FEW_RUNS + 1):
            open_edits = False
            for side in (HERE, OTHER):
                self._synchronise(side, accept_removals=True)
                open_edits |= self._decide(side, EditSide.THEIRS)
                with self._till(side) as (editor, _):
                    is_asked = bool(editor.edits(ASKED))
                    open_edits |= any(
                        not one.stays and not (is_asked and one.is_deletion)
                        for one in editor.name_edits()
                    )
            if not open_edits:
                break
            if run == FEW_RUNS:
                raise Fault("units and categories wait for ever")
        self._synchronise(HERE)
        for side in (HERE, OTHER):
            for kind in NameKind:
                self._agree(side, kind)
        self._judge_names()

    def _agree(self, side: str, kind: NameKind) -> None:
        """A unit that was deleted there stays at a till as long as an article has it."""
        there = {one["id"]: one["name"] for one in self._listed(kind)}
        with self._till(side) as (editor, catalogue):
            stays = {one.id for one in editor.name_edits()}
            ours = {
                one.named.id: one.named.name
                for one in catalogue.counted_names(kind)
                if one.named.id not in stays and (one.named.id in there or not one.rows)
            }
        theirs = {one: name for one, name in there.items() if one not in stays}
        if ours != theirs:
            raise Fault(f"{kind}: {ours} {side}, {theirs} at the platform")

    def _judge_names(self) -> None:
        for kind in NameKind:
            names = {one.name for one in self._names(self.core.catalogue, kind)}
            for one in self.meant_names:
                if one.kind is kind:
                    one.judge(names)

    def _ours(self) -> dict[int, Any]:
        ours = super()._ours()
        units = {one.id: one.symbol for one in self.core.catalogue.units()}
        for sku, row in self._rows().items():
            product = self._editor.product(row.product_id)
            assert product is not None
            symbol = units.get(product.sale_unit_id or "", "")
            if row.unit != symbol:
                raise Fault(f"article {sku} is sold by {row.unit}, and its unit is {symbol}")
            ours[sku] |= _held(product.sale_unit_id, symbol, product.categories)
        return ours

    def _theirs_as_ours(self, products: dict[int, dict[str, Any]]) -> dict[int, Any]:
        """A unit that was deleted there is listed no more; an article that has it keeps it."""
        theirs = super()._theirs_as_ours(products)
        units = {one.id: one.symbol for one in self.core.catalogue.units()}
        units |= {one["id"]: one["symbol"] for one in self._listed(NameKind.UNIT)}
        for sku, one in products.items():
            symbol = units.get(one["saleUnitId"], "")
            theirs[sku] |= _held(one["saleUnitId"], symbol, one["categories"])
        return theirs


def _held(unit_id: str | None, symbol: str, categories: Iterable[str]) -> dict[str, Any]:
    measure = MEASURES.get(symbol, "")
    return {"unit": unit_id, "measure": measure, "categories": sorted(categories)}


def _merged(looks: Any, old: str, new: str) -> Any:
    price, unit, categories = looks
    names = {new if one == old else one for one in categories}
    return price, new if unit == old else unit, sorted(names)


def _path(kind: NameKind) -> str:
    return "units" if kind is NameKind.UNIT else "categories"
