"""Three days without a connection and with changes on both sides; then it returns, badly at first.

Nothing is lost, nothing is overwritten in silence, nothing is made twice.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.money import Money
from pos_app.errors import RemoteError
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState, NewEdit
from tests.fakes.foreign_platform import ForeignPlatform
from tests.integration.synchronise.conftest import NOW, TillBeside, till_beside
from tests.sweep import examples

FIELDS = ("price", "subtitle", "name")
FAULTS = ("", "", "lost", "lost-after", "500", "500-after", "429")
RUNS = 40


class Story:
    """The acts of each side, by a product's first name."""

    def __init__(self, chance: random.Random, platform: ForeignPlatform, till: TillBeside) -> None:
        self.chance = chance
        self.platform = platform
        self.till = till
        self.ids: dict[str, str] = {}
        self.base: dict[str, dict[str, Any]] = {}
        self.ours: dict[str, dict[str, Any]] = {}
        self.theirs: dict[str, dict[str, Any]] = {}
        self.deleted_here: set[str] = set()
        self.deleted_there: set[str] = set()
        self.added: dict[str, int] = {}

    def begin(self, products: int) -> None:
        for number in range(products):
            name = f"Артикал {number:03}"
            made = self.platform.add(name=name, price=100 + number, subtitle="а")
            self.ids[name] = made["id"]
            self.base[name] = {field: made[field] for field in FIELDS}
        self.till.sync()

    def here(self) -> None:
        """Do one act of this shop's manager."""
        act = self.chance.choice(("add", "delete", "change", "change", "change", "change"))
        name = self.chance.choice(sorted(self.ids))
        if act == "add":
            fresh = f"Нов {len(self.added)}"
            self.added[fresh] = self.chance.randrange(1, 999)
            self.till.add(fresh, self.added[fresh])
        elif name in self.deleted_here:
            return
        elif act == "delete" and len(self.deleted_here) < len(self.ids) // 4:
            self.till.desk.record(deleting(self.ids[name]))
            self.deleted_here.add(name)
        else:
            field, value = self._value("ours")
            self.ours.setdefault(name, {})[field] = value
            told = Money(value) if field == "price" else value
            self.till.desk.record(changing(self.ids[name], {field: told}))

    def there(self) -> None:
        """Do one act of somebody at the platform."""
        name = self.chance.choice(sorted(self.ids))
        if name in self.deleted_there:
            return
        if self.chance.random() < 0.05:
            self.platform.remove(self.ids[name])
            self.deleted_there.add(name)
            return
        field, value = self._value("theirs")
        self.theirs.setdefault(name, {})[field] = value
        self.platform.change(self.ids[name], **{field: value})

    def _value(self, side: str) -> tuple[str, Any]:
        field = self.chance.choice(FIELDS)
        number = self.chance.randrange(1, 4)
        return field, number if field == "price" else f"{side} {number}"

    def line_returns(self, faults: list[str]) -> None:
        """Synchronise until all is settled or waits for a person."""
        self.platform.faults = faults
        for _ in range(RUNS):
            try:
                self.till.sync(accept_removals=True)
            except RemoteError:
                continue
            if not set(self.till.states()) - {EditState.CONFLICT}:
                return
        raise AssertionError(f"no end: {self.till.open()}")

    # --- what must hold ---------------------------------------------------------------------

    def check(self) -> None:
        live = self.platform.live()
        names = [one["name"] for one in live.values()]
        for name, price in self.added.items():
            (one,) = [each for each in live.values() if each["name"] == name]
            assert (one["price"], names.count(name)) == (price, 1)
        conflicts = {edit.product_id: edit for edit in self.till.open()}
        for name, product_id in self.ids.items():
            self._check_one(name, product_id, live.get(product_id), conflicts)
        shown = {row.product_id for row in self.till.shelf.page(limit=1000)}
        hidden = {self.ids[name] for name in self.deleted_here}
        assert shown - {edit.product_id for edit in self.till.open()} == (
            set(live) - hidden - set(conflicts)
        )

    def _check_one(
        self, name: str, product_id: str, now: dict[str, Any] | None, conflicts: dict[str, Any]
    ) -> None:
        ours, theirs = self.ours.get(name, {}), self.theirs.get(name, {})
        if name in self.deleted_there:
            assert now is None
            is_open = product_id in conflicts
            assert is_open is (bool(ours) and name not in self.deleted_here) or not ours
            return
        if name in self.deleted_here:
            changed = any(theirs[field] != self.base[name][field] for field in theirs)
            assert (now is None) or (changed and product_id in conflicts) or bool(theirs)
            return
        assert now is not None
        edit = conflicts.get(product_id)
        for field in FIELDS:
            base = self.base[name][field]
            mine, other = ours.get(field, base), theirs.get(field, base)
            both = field in ours and field in theirs and mine != other and mine != base != other
            if both:
                assert now[field] == other, "theirs was overwritten in silence"
                told = {one.field: one for one in edit.conflicts}[field]
                assert _plain(told.ours) == mine
                assert _plain(told.theirs) == other
            elif other != base:
                assert now[field] == other
            elif edit is None:
                assert now[field] == mine, "ours was lost"
            else:  # it goes with the rest, once a person has decided
                assert now[field] in (mine, base)


def _plain(value: Any) -> Any:
    return int(value.amount) if isinstance(value, Money) else value


def changing(product_id: str, changes: dict[str, Any]) -> Any:
    return NewEdit.changing(product_id, product_id, changes, by="Мира", at=NOW)


def deleting(product_id: str) -> Any:
    return NewEdit.deleting(product_id, by="Мира", at=NOW)


def told_by(story: Story, ours: int, theirs: int) -> None:
    acts = [story.here] * ours + [story.there] * theirs
    story.chance.shuffle(acts)
    for act in acts:
        act()


@hypothesis.settings(max_examples=examples(24, share=8))
@given(seed=st.integers(0, 10_000))
def test_a_few_days_of_two_shops(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    chance = random.Random(seed)
    platform = ForeignPlatform(
        since=chance.choice(("known", "refused", "ignored")), has_etag=chance.random() < 0.7
    )
    folder: Path = tmp_path_factory.mktemp("shop")
    with platform.open(), till_beside(folder, platform) as till:
        story = Story(chance, platform, till)
        story.begin(8)
        told_by(story, 10, 8)
        story.line_returns([chance.choice(FAULTS) for _ in range(6)])
        story.check()


def test_a_hundred_changes_on_both_sides(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    chance = random.Random(20261121)
    story = Story(chance, foreign, abroad)
    story.begin(60)
    told_by(story, 100, 100)
    story.line_returns([chance.choice(FAULTS) for _ in range(20)])
    story.check()
    assert any(edit.state is EditState.CONFLICT for edit in abroad.open())
    for edit in abroad.open():
        sides = {one.field: EditSide.THEIRS for one in edit.conflicts}
        abroad.desk.decide(edit.id, sides, at=NOW)
    story.line_returns([])
    assert abroad.open() == []
    shown = {row.product_id: row.name for row in abroad.shelf.page(limit=1000)}
    assert shown == {key: one["name"] for key, one in foreign.live().items()}
