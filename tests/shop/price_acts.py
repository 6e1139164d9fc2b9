"""Prices of all articles, changed at once or planned for days to come, and what the till asks.

The judge knows of each article the price of its own and what was planned for it, with the days by
the calendar in Belgrade; it computes percentages by hand.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from types import SimpleNamespace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.till import bulk_acts
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue import bulk_change, bulk_plan
from pos_app.selling.catalogue.bulk_act import ActKind, BulkAct
from pos_app.selling.catalogue.catalogue import CatalogueRow
from tests.shop.catalogue_acts import HERE, MANAGER, CatalogueActs
from tests.shop.ledger import Fault
from tests.shop.platform import Killed

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
States = dict[str, tuple[set[State], set[State]]]
"""What an article may be before and after a change, by its product."""


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
    """Rules of a machine over `world`."""

    def __init__(self) -> None:
        super().__init__()
        self.plans: defaultdict[str, set[Plan | None]] = defaultdict(lambda: {None})
        """What may be planned for a product; several where a change was cut and not carried on."""
        self.under_way: Change | None = None
        self.last: Change | None = None

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
        lines = bulk_change.preview(self.world.till_core.catalogue, ids, change)
        rows = [bulk_plan.row_of(one) for one in lines]
        states = States()
        for row in self._rows().values():
            before = {(self._own_price(row), plan) for plan in self.plans[row.product_id]}
            after = {self._becomes(one, percent, first, last, replaces) for one in before}
            states[row.product_id] = before, after
        act = BulkAct(ActKind.CHANGE, "", MANAGER, self.now)

        def begin(editor: SqliteCatalogueEditor) -> None:
            bulk_acts.begin(editor, act, rows, many=len(ids))

        self.begin_bulk(begin, Change(states, act.at, {}), ends_after)
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
        for row in self._rows().values():
            if row.product_id in last.states:
                before, after = last.states[row.product_id]
                as_now = {(self._own_price(row), plan) for plan in self.plans[row.product_id]}
                is_same = self._is_as_left(row, last)
                states[row.product_id] = as_now, before if is_same else before | after | as_now

        def begin(editor: SqliteCatalogueEditor) -> None:
            bulk_acts.begin_taking_back(editor, told, by=MANAGER)

        with suppress(NotAllowed):
            self.begin_bulk(begin, Change(states, self.now, {}, takes_back=True), ends_after)

    @precondition(lambda self: self._editor.bulk_act() is not None)
    @rule(ends_after=st.integers(0, 4))
    def bulk_act_is_carried_on(self, ends_after: int) -> None:
        self._bulk(None, ends_after)
        self._settle(is_cut=True)

    def begin_bulk(self, begin: Begin, change: Change, ends_after: int) -> None:
        """Begin a change and carry it through, unless its program is killed. Raises NotAllowed."""
        self.run(asyncio.sleep(0.001))  # each change has an instant of its own
        rows = self._rows().values()
        self._bulk(begin, ends_after)
        self.under_way = change
        for row in rows:
            before, after = change.states.get(row.product_id, (set(), set()))
            owns, given = {own for own, _ in after}, self.articles.values[row.sku or 0, "price"]
            known = {given[-1][1]} if given else {own for own, _ in before}
            if row.sku is not None and owns - known:
                more = list[object](owns)
                first = more.pop()
                self.articles.mean(HERE, row.sku, "price", first, more)
            self.plans[row.product_id] |= {plan for _, plan in after}
            if row.sku is not None:
                change.edits[row.sku] = len(self.articles.values[row.sku, "price"])
        self._settle(is_cut=False)

    def _settle(self, *, is_cut: bool) -> None:
        """Note that a change has ended. is_cut: something else may have come between."""
        change = self.under_way
        if change is None or self._editor.bulk_act() is not None:
            return
        for row in self._rows().values():
            _, after = change.states.get(row.product_id, (set(), set()))
            if after and (not is_cut or self._is_as_left(row, change)):
                self.plans[row.product_id] = {plan for _, plan in after}
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
        plans = self.plans[article.product_id]
        valid = {one.price if one is not None and one.holds(now) else own for one in plans}
        if article.price not in valid:
            raise Fault(f"{article.price} is asked for {article.sku}, not {valid}: {plans}, {now}")

    @rule()
    def prices_are_looked_at(self) -> None:
        for row in self._rows().values():
            assert row.article_id is not None
            article = self.world.till_core.catalogue.article(row.article_id)
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
