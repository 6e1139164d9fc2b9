"""Acts on the articles, at the till and at the platform, and what must be true of both at rest.

The judge knows of each article the price of its own and what was planned for it, with the days by
the calendar in Belgrade; it computes percentages by hand.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.till import bulk_acts
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid, NotAllowed, NotFound, RemoteError
from pos_app.selling.catalogue import bulk_change, bulk_plan
from pos_app.selling.catalogue.bulk_act import ActKind, BulkAct, EndingName
from pos_app.selling.catalogue.catalogue import CatalogueRow, create_for_code
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState, NewEdit
from pos_app.selling.synchronisation.run import SyncEnd
from tests.shop.ledger import Fault
from tests.shop.lines import FATES_OF_PROCESSOR
from tests.shop.platform import Killed
from tests.shop.world import Acts

HERE, THERE = "here", "there"
MANAGER = "Ана"
FEW_RUNS = 5
"""A run sends at most so much that the next ones have little left."""
_ON_THE_WAY = frozenset({EditState.WAITING, EditState.SENDING})
ASKED = frozenset({EditState.CONFLICT, EditState.REFUSED})
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


class CatalogueActs(Acts):
    clock_is_set: Callable[[int], None]

    def __init__(self) -> None:
        super().__init__()
        self.articles = MeantArticles()
        self.last_deleted: tuple[str, int, set[Plan | None]] | None = None
        """Of this till: the product's id, its code, and what was planned for it."""
        self.plans: defaultdict[int, set[Plan | None]] = defaultdict(lambda: {None})
        """What may be planned for an article; several where a change was cut and not carried on."""

    @property
    def _editor(self) -> SqliteCatalogueEditor:
        return self.core.editor

    def _rows(self) -> dict[int, CatalogueRow]:
        page = self.core.catalogue.page(limit=200)
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
        self.last_deleted = row.product_id, row.sku, {*self.plans[row.sku]}

    @rule()
    def deletion_is_taken_back(self) -> None:
        """The last one of this till, however long ago; it may be refused. What was planned comes
        back with the article."""
        if self.last_deleted is None:
            return
        product_id, sku, planned = self.last_deleted
        with suppress(NotAllowed, NotFound, Invalid):
            self._editor.bring_back(product_id, by=MANAGER, at=self.now)
            self.articles.deleted[sku].discard(HERE)
            self.last_deleted = None
            if sku in (rows := self._rows()):  # what was taken back meanwhile left it as it was
                own, others = self._own_price(rows[sku]), self.still_to_come(sku)
                self.articles.mean(HERE, sku, "price", own, others)
                self.plans[sku] |= planned

    def still_to_come(self, sku: int) -> Iterable[Money]:
        """The prices that a change which was cut may yet give an article."""
        return ()

    @rule(ours=st.booleans())
    def manager_decides(self, ours: bool) -> None:
        side = EditSide.OURS if ours else EditSide.THEIRS
        codes = {row.product_id: sku for sku, row in self._rows().items()}
        for edit in self._editor.edits(frozenset({EditState.CONFLICT})):
            sides = {one.field: side for one in edit.conflicts}
            self._editor.decide(edit.id, sides, at=self.now)
            for one in edit.conflicts if edit.product_id in codes else ():
                sku = codes[edit.product_id]
                if one.field == "price":
                    self.price_came(sku)
                if one.field == "sale_unit_id" and side is EditSide.THEIRS:
                    self.unit_came(sku, one.theirs)

    def unit_came(self, sku: int, unit_id: object) -> None:
        """Note that an article got the platform's unit, as a person decided."""

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
        self.run(asyncio.sleep(0.001))  # a run begins after what was changed
        owns = {sku: self._own_price(row) for sku, row in self._rows().items()}
        with suppress(RemoteError, Killed):
            self.world.platform.synchronise(self.world.data, planned=planned, ends_after=ends_after)
        self._note_prices(owns)

    def _note_prices(self, owns: dict[int, Money]) -> None:
        """owns: the price of each article before."""
        rows = self._rows()
        for sku in owns.keys() & rows.keys():
            if self._own_price(rows[sku]) != owns[sku]:
                self.price_came(sku)

    def price_came(self, sku: int) -> None:
        """A price of the platform takes the place of a plan without an end that has begun."""
        plans = self.plans[sku]
        self.plans[sku] = {
            None if plan and plan.ends is None and plan.holds(self.now) else plan for plan in plans
        }

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
        products = self._theirs()
        asked = set(self._asked_codes(products))
        self.articles.judge(self._ours(), self._theirs_as_ours(products), asked)

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

    def _asked_codes(self, products: dict[int, dict[str, Any]]) -> Iterable[int]:
        by_id = {one.product_id: sku for sku, one in self._rows().items()}
        by_id |= {one["id"]: sku for sku, one in products.items()}
        for edit in self._editor.edits(ASKED):
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

    def _theirs_as_ours(self, products: dict[int, dict[str, Any]]) -> dict[int, Any]:
        return {
            sku: {"name": one["name"], "price": Money(Decimal(str(one["price"])))}
            for sku, one in products.items()
        }


Begin = Callable[[SqliteCatalogueEditor], None]
ENDS_AFTER = st.sampled_from((0, 0, 0, 1, 2, 4, 7))
"""The commits after which the program that changes many articles is killed; 0 for never."""
_WINTER = timedelta(hours=1)
"""Belgrade is ahead by so much in all days of a history."""


@dataclass(frozen=True)
class Plan:
    """A planned price, from an instant (included) to another (excluded), or for good."""

    price: Money
    begins: datetime
    ends: datetime | None

    def holds(self, now: datetime) -> bool:
        return self.begins <= now and not self.is_over(now)

    def is_over(self, now: datetime) -> bool:
        return self.ends is not None and self.ends <= now


State = tuple[Money, Plan | None]
"""An article's own price, and what is planned for it."""
States = dict[int, tuple[set[State], set[State]]]
"""What an article may be before and after a change, by its code."""


@dataclass
class Change:
    """A change of many articles. at: names it. edits: how often the price of an article was given
    by the end of the change, by its code."""

    states: States
    at: datetime
    edits: dict[int, int]
    takes_back: bool = False


class MortalEditor(SqliteCatalogueEditor):
    """Its program is killed in one of the commits of a bulk act."""

    ends_after = 0

    def keep_act(self, act: BulkAct) -> None:
        super().keep_act(act)
        self.ends_after -= 1
        if not self.ends_after:
            raise Killed


class PriceActs(CatalogueActs):
    def __init__(self) -> None:
        super().__init__()
        self.under_way: Change | None = None
        self.last: Change | None = None

    def still_to_come(self, sku: int) -> Iterable[Money]:
        _, after = self.under_way.states.get(sku, ((), ())) if self.under_way else ((), ())
        return [own for own, _ in after]

    # --- what is changed -------------------------------------------------------------------------

    @rule(
        percent=st.sampled_from(("10", "-7,5")),
        begins=st.sampled_from((None, 0, 1, 2)),
        days=st.sampled_from((None, 1, 2)),
        replaces=st.booleans(),
        ends_after=ENDS_AFTER,
        is_regretted=st.booleans(),
    )
    def manager_changes_all_prices(
        self,
        percent: str,
        ends_after: int,
        begins: int | None = None,
        days: int | None = None,
        replaces: bool = False,
        is_regretted: bool = False,
    ) -> None:
        """begins: in so many days; None for at once. days: how many the prices hold; None for
        good. is_regretted: it is taken back, whether it was cut or not."""
        if self._editor.bulk_act() is not None:
            return
        today = (self.now + _WINTER).date()
        first = None if begins is None else today + timedelta(days=begins)
        last = None if first is None or days is None else first + timedelta(days=days - 1)
        period = bulk_change.price_period(
            _typed(first), _typed(last), self.now, replaces_plans=replaces
        )
        rule = bulk_change.price_change(percent, bulk_change.Rounding.PARA)
        assert rule is not None
        change = bulk_change.NewPrices(rule, self._editor, self.now, period)
        ids = [one.product_id for one in self._rows().values()]
        lines = bulk_change.preview(self.core.catalogue, ids, change)
        rows = [bulk_plan.row_of(one) for one in lines]
        states = States()
        for sku, row in self._rows().items():
            before = {(self._own_price(row), plan) for plan in self.plans[sku]}
            after = {self._becomes(one, percent, first, last, replaces) for one in before}
            states[sku] = before, after
        self.begin_bulk(self.changing(rows, len(ids)), Change(states, self.now, {}), ends_after)
        if is_regretted:
            self.last_change_is_taken_back(ends_after)

    def _becomes(
        self, state: State, percent: str, first: date | None, last: date | None, replaces: bool
    ) -> State:
        """A planned price that holds for good is the article's price; one for some days lies over
        it, and is replaced by another plan only if that is asked for."""
        own, plan = state
        if plan is not None and plan.is_over(self.now):
            plan = None
        if plan is not None and plan.ends is None and plan.holds(self.now):
            own, plan = plan.price, None
        factor = (100 + Decimal(percent.replace(",", "."))) / 100
        new = Money((own.amount * factor).quantize(Decimal("0.01"), ROUND_HALF_UP))
        if first is None:
            return new, plan
        if plan is not None and not replaces:
            return state
        ends = None if last is None else _midnight(last + timedelta(days=1))
        return own, Plan(new, _midnight(first), ends)

    @rule(ends_after=ENDS_AFTER)
    def last_change_is_taken_back(self, ends_after: int) -> None:
        """An article that something else changed since may stay as it is."""
        last, told = self.under_way or self.last, self._editor.last_change()
        if last is None or last.takes_back or told is None or last.at != told.at:
            return
        states = States()
        for sku, row in self._rows().items():
            if sku in last.states:
                before, after = last.states[sku]
                as_now = {(self._own_price(row), plan) for plan in self.plans[sku]}
                is_same = self._is_as_left(row, last)
                states[sku] = as_now, before if is_same else before | after | as_now

        def begin(editor: SqliteCatalogueEditor) -> None:
            bulk_acts.begin_taking_back(editor, told, by=MANAGER)

        with suppress(NotAllowed):
            self.begin_bulk(begin, Change(states, self.now, {}, takes_back=True), ends_after)

    @precondition(lambda self: self._editor.bulk_act() is not None)
    @rule(ends_after=st.integers(0, 4))
    def bulk_act_is_carried_on(self, ends_after: int) -> None:
        self._bulk(None, ends_after)
        self._settle(is_cut=True)

    def changing(self, rows: Sequence[Any], many: int, ends: EndingName | None = None) -> Begin:
        """A change of these rows, which begins now."""
        act = BulkAct(ActKind.CHANGE, "", MANAGER, self.now, ends=ends)
        return lambda editor: bulk_acts.begin(editor, act, rows, many=many)

    def begin_bulk(self, begin: Begin, change: Change, ends_after: int) -> None:
        """Begin a change and carry it through, unless its program is killed. Raises NotAllowed."""
        self.run(asyncio.sleep(0.001))  # each change has an instant of its own
        codes = list(self._rows())
        self._bulk(begin, ends_after)
        self.under_way = change
        for sku in codes:
            before, after = change.states.get(sku, (set(), set()))
            owns, given = {own for own, _ in after}, self.articles.values[sku, "price"]
            known = {given[-1][1]} if given else {own for own, _ in before}
            if owns - known:
                more = list[object](owns)
                first = more.pop()
                self.articles.mean(HERE, sku, "price", first, more)
            self.plans[sku] |= {plan for _, plan in after}
            change.edits[sku] = len(self.articles.values[sku, "price"])
        self._settle(is_cut=False)

    def _settle(self, *, is_cut: bool) -> None:
        """Note that a change has ended. is_cut: something else may have come between."""
        change = self.under_way
        if change is None or self._editor.bulk_act() is not None:
            return
        for sku, row in self._rows().items():
            _, after = change.states.get(sku, (set(), set()))
            if after and (not is_cut or self._is_as_left(row, change)):
                self.plans[sku] = {plan for _, plan in after}
        is_any = any(before != after for before, after in change.states.values())
        self.under_way = None
        if change.takes_back:
            self.last = None
        elif is_any:
            self.last = change

    def _is_as_left(self, row: CatalogueRow, change: Change) -> bool:
        """Tell whether nothing else changed the price of an article since a change."""
        assert row.sku is not None
        given = self.articles.values[row.sku, "price"]
        return len(given) == change.edits.get(row.sku) and all(side == HERE for side, _ in given)

    def _bulk(self, begin: Begin | None, ends_after: int) -> None:
        """Begin an act and carry it through, or carry on the one that was cut."""
        clock = SimpleNamespace(now=lambda _: self.now)
        with (
            MortalEditor(catalogue_file(self.world.data), now=lambda: self.now) as editor,
            pytest.MonkeyPatch.context() as patch,
            suppress(Killed),
        ):
            patch.setattr(bulk_acts, "datetime", clock)
            editor.ends_after = ends_after
            runner = bulk_acts.Runner(editor, commit_seconds=0.0)
            if begin is None:
                bulk_acts.carry_on(editor, runner)
            else:
                begin(editor)
                runner.carry_through()

    # --- what is asked ---------------------------------------------------------------------------

    def is_asked(self, article: Article) -> None:
        own, now = self._own_price(article), self.now
        plans = self.plans[article.sku or 0]
        valid = {one.price if one is not None and one.holds(now) else own for one in plans}
        if article.price not in valid:
            raise Fault(f"{article.price} is asked for {article.sku}, not {valid}: {plans}, {now}")

    @rule()
    def prices_are_looked_at(self) -> None:
        for row in self._rows().values():
            assert row.article_id is not None
            article = self.core.catalogue.article(row.article_id)
            assert article is not None
            self.is_asked(article)
            if row.price != article.price:
                raise Fault(f"{row.sku} costs {row.price} in the list, and {article.price}")

    def rest_of_catalogues(self) -> None:
        self._bulk(None, 0)
        self._settle(is_cut=True)
        if self._editor.bulk_act() is not None:
            raise Fault("a bulk act does not end")
        for _ in range(3):
            self.prices_are_looked_at()
            self.clock_is_set(86_400)
        super().rest_of_catalogues()


def _typed(day: date | None) -> str:
    return "" if day is None else f"{day:%d.%m.%Y.}"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) - _WINTER
