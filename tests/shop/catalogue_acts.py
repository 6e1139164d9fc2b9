"""Acts on the articles, at the till and at the platform, and what must be true of both at rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import RemoteError
from pos_app.selling.catalogue.catalogue import CatalogueRow, create_for_code
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState, NewEdit
from pos_app.selling.synchronisation.run import SyncEnd
from tests.shop.ledger import Fault
from tests.shop.lines import FATES_OF_PROCESSOR
from tests.shop.platform import Killed
from tests.shop.world import World

HERE, THERE = "here", "there"
MANAGER = "Ана"
FEW_RUNS = 5
"""A run sends at most so much that the next ones have little left."""
_ON_THE_WAY = frozenset({EditState.WAITING, EditState.SENDING})
_ASKED = frozenset({EditState.CONFLICT, EditState.REFUSED})
PLACES = st.integers(0, 7)
PRICES = st.integers(100, 99_999).map(lambda paras: Money(f"{paras // 100}.{paras % 100:02}"))
PLANNED = st.lists(st.sampled_from(FATES_OF_PROCESSOR), max_size=3).map(tuple)


@dataclass
class MeantArticles:
    """What people meant of articles. values: each field's values in their order, with the side
    that gave them, by article code. maybe: those that hold in place of the last one where something
    else had changed the article. deleted: the sides that deleted an article. touched: the sides
    that changed one."""

    values: defaultdict[tuple[int, str], list[tuple[str, object]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    maybe: dict[tuple[int, str], list[object]] = field(default_factory=dict)
    deleted: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    touched: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    known: set[int] = field(default_factory=set)

    def mean(
        self, side: str, sku: int, name: str, value: object, or_else: Iterable[object] = ()
    ) -> None:
        self.values[sku, name].append((side, value))
        self.maybe[sku, name] = [*or_else]
        self.touched[sku].add(side)
        self.known.add(sku)

    def delete(self, side: str, sku: int) -> None:
        self.deleted[sku].add(side)
        self.touched[sku].add(side)

    def judge(self, ours: dict[int, Any], theirs: dict[int, Any], asked: set[int]) -> None:
        """Compare both sides, and each with what was meant. asked: the codes of articles about
        which a person is asked."""
        for sku in sorted((self.known | ours.keys() | theirs.keys()) - asked):
            here, there = ours.get(sku), theirs.get(sku)
            if here != there:
                raise Fault(f"article {sku} is {here} here and {there} there, and nobody is asked")
            if here is None and not self.deleted[sku]:
                raise Fault(f"article {sku} is gone, and nobody deleted it")
            if here is not None and self.deleted[sku] >= self.touched[sku] > set():
                raise Fault(f"article {sku} is there, and was deleted")
            for name, value in () if here is None else here.items():
                self._is_meant(sku, name, value)

    def _is_meant(self, sku: int, name: str, value: object) -> None:
        meant = self.values[sku, name]
        if not meant:
            return
        sides = {side for side, _ in meant}
        last = [meant[-1][1], *self.maybe[sku, name]]
        valid = [one for _, one in meant] if len(sides) > 1 else last
        if value not in valid:
            raise Fault(f"{name} of article {sku} is {value}, and was to be {valid}")


class CatalogueActs(RuleBasedStateMachine):
    """Rules of a machine over `world`."""

    world: World
    rate: float
    run: Callable[[Coroutine[Any, Any, Any]], Any]
    clock_is_set: Callable[[int], None]

    def __init__(self) -> None:
        super().__init__()
        self.articles = MeantArticles()

    @property
    def now(self) -> datetime:
        return self.world.clock.now()

    @property
    def _editor(self) -> SqliteCatalogueEditor:
        return self.world.till_core.editor

    def _rows(self) -> dict[int, CatalogueRow]:
        page = self.world.till_core.catalogue.page(limit=200)
        return {one.sku: one for one in page if one.sku is not None}

    def _some(self, place: int) -> CatalogueRow | None:
        rows = sorted(self._rows().items())
        return rows[place % len(rows)][1] if rows else None

    # --- at the till -----------------------------------------------------------------------------

    @rule(place=PLACES, price=PRICES)
    def manager_changes_a_price(self, place: int, price: Money) -> None:
        self._change(place, "price", price)

    @rule(place=PLACES, name=st.sampled_from(("Нов", "Други", "Трећи")))
    def manager_changes_a_name(self, place: int, name: str) -> None:
        self._change(place, "name", name)

    def _change(self, place: int, name: str, value: Any) -> None:
        row = self._some(place)
        if row is None or row.sku is None:
            return
        edit = NewEdit.changing(
            row.product_id, row.product_id, {name: value}, by=MANAGER, at=self.now
        )
        self._editor.record(edit)
        self.articles.mean(HERE, row.sku, name, value)

    @rule(price=PRICES)
    def manager_adds(self, price: Money) -> None:
        number = len(self.articles.known)
        create_for_code(
            self._editor,
            product_id=str(UUID(int=1 << 100 | number)),
            name=f"Овде {number}",
            label=TaxLabel.E,
            price=price,
            by=MANAGER,
            at=self.now,
        )
        found = [sku for sku, row in self._rows().items() if row.name == f"Овде {number}"]
        self.articles.mean(HERE, found[0], "price", price)

    @rule(place=st.integers(2, 7))
    def manager_deletes(self, place: int) -> None:
        row = self._some(place)
        if row is None or row.sku is None or row.ean is not None:
            return
        self._editor.record(NewEdit.deleting(row.product_id, by=MANAGER, at=self.now))
        self.articles.delete(HERE, row.sku)

    @rule(ours=st.booleans())
    def manager_decides(self, ours: bool) -> None:
        side = EditSide.OURS if ours else EditSide.THEIRS
        for edit in self._editor.edits(frozenset({EditState.CONFLICT})):
            sides = {one.field: side for one in edit.conflicts}
            self._editor.decide(edit.id, sides, at=self.now)

    # --- at the platform -------------------------------------------------------------------------

    def _theirs(self) -> dict[int, dict[str, Any]]:
        self.world.open_platform()
        return self.world.platform.products()

    @rule(place=PLACES, price=PRICES)
    def platform_changes_a_price(self, place: int, price: Money) -> None:
        self._change_there(place, "price", price)

    @rule(place=PLACES, name=st.sampled_from(("Њихов", "Други", "Пети")))
    def platform_changes_a_name(self, place: int, name: str) -> None:
        self._change_there(place, "name", name)

    def _change_there(self, place: int, name: str, value: Any) -> None:
        there = sorted(self._theirs().items())
        if there:
            sku, product = there[place % len(there)]
            sent = value.amount if isinstance(value, Money) else value
            if self.world.platform.asked("PATCH", f"/products/{product['id']}", {name: sent}):
                self.articles.mean(THERE, sku, name, value)

    @rule(price=PRICES)
    def platform_adds(self, price: Money) -> None:
        self.world.open_platform()
        sku = 7000 + len(self.articles.known)
        body = {"name": f"Тамо {sku}", "taxRateLabel": "Е", "price": price.amount, "sku": sku}
        if self.world.platform.asked("POST", "/products", body | {"productType": "product"}):
            self.articles.mean(THERE, sku, "price", price)

    @rule(place=st.integers(2, 7))
    def platform_deletes(self, place: int) -> None:
        there = sorted(self._theirs().items())
        if not there:
            return
        sku, product = there[place % len(there)]
        if product["ean"] is None:
            self.world.platform.asked("DELETE", f"/products/{product['id']}")
            self.articles.delete(THERE, sku)

    @rule()
    def platform_is_killed(self) -> None:
        self.world.open_platform()
        self.world.platform.close(is_killed=True)

    @rule(planned=PLANNED, ends_after=st.sampled_from((0, 0, 0, 1, 2, 3, 5)))
    def synchronises(self, planned: Any, ends_after: int) -> None:
        self.world.open_platform()
        with suppress(RemoteError, Killed):
            self.world.platform.synchronise(self.world.data, planned=planned, ends_after=ends_after)

    # --- at rest ---------------------------------------------------------------------------------

    def rest_of_catalogues(self) -> None:
        """End what is open, and judge both sides. A history without the platform has one side."""
        if not self.world.platform.was_opened:
            if self.articles.known:
                ours = self._ours()
                self.articles.judge(ours, ours, set())
            return
        self.world.open_platform()
        self._synchronise_whole()
        asked = set(self._asked_codes())
        self.articles.judge(self._ours(), self._theirs_as_ours(), asked)

    def _synchronise_whole(self) -> None:
        """Synchronise until nothing waits; what vanished together is removed, as a person decides
        who is asked about it."""
        runs, is_asked = 0, False
        while True:
            platform = self.world.platform
            report = platform.synchronise(self.world.data, accept_removals=is_asked)
            waits, runs = self._editor.edits(_ON_THE_WAY), runs + 1
            is_asked = bool(report.brought.held_back)
            if report.end in (SyncEnd.DONE, SyncEnd.WAITING) and not (waits or is_asked):
                return
            if runs == FEW_RUNS:
                raise Fault(f"the platform is never synchronised: {report.end}, {waits}")

    def _asked_codes(self) -> Iterable[int]:
        by_id = {one.product_id: sku for sku, one in self._rows().items()}
        by_id |= {one["id"]: sku for sku, one in self._theirs().items()}
        for edit in self._editor.edits(_ASKED):
            if edit.product_id in by_id:
                yield by_id[edit.product_id]

    def _own_price(self, row: CatalogueRow | Article) -> Money:
        """The article's own price, whatever is planned."""
        product = self._editor.product(row.product_id)
        assert product is not None
        assert product.price is not None
        return product.price

    def _ours(self) -> dict[int, Any]:
        return {
            sku: {"name": one.name, "price": self._own_price(one)}
            for sku, one in self._rows().items()
        }

    def _theirs_as_ours(self) -> dict[int, Any]:
        return {
            sku: {"name": one["name"], "price": Money(Decimal(str(one["price"])))}
            for sku, one in self._theirs().items()
        }
