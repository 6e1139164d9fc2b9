"""Managers at two tills and the platform change units and categories by dice, while lines fail."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.errors import Invalid, NotAllowed, RemoteError
from pos_app.selling.catalogue.names import new_name
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState
from pos_app.selling.synchronisation.own_names import Named, NameKind
from tests.fakes.ready_tables import ready_catalogue
from tests.integration.synchronise.conftest import CODES, NOW, TillBeside
from tests.integration.synchronise.test_names import (
    PATHS,
    check_all_agree,
    merge,
    named,
    shop_of_both,
)
from tests.shop.lines import Fate
from tests.shop.platform import Killed, Platform
from tests.sweep import examples

FATES = (Fate.REFUSED, Fate.LOST_BEFORE, Fate.LOST_AFTER, Fate.HALF)


@dataclass
class Managers:
    dice: Random
    platform: Platform
    tills: tuple[TillBeside, ...]

    def act(self) -> None:
        till = self.dice.choice(self.tills)
        acts = (
            self.merge, self.merge, self.give, self.add, self.delete, self.rename, self.go_there,
            self.sync, self.sync, self.sync,
        )  # fmt: skip
        with suppress(NotAllowed, Invalid):
            self.dice.choice(acts)(till)

    def some(self, till: TillBeside) -> tuple[NameKind, Named]:
        kind = self.dice.choice([*NameKind])
        return kind, self.dice.choice([*named(till, kind).values()])

    def merge(self, till: TillBeside) -> None:
        kind, old = self.some(till)
        others = [one for one in named(till, kind).values() if one.id != old.id]
        if others:
            merge(till, kind, old.name, self.dice.choice(others).name)

    def give(self, till: TillBeside) -> None:
        kind, one = self.some(till)
        name = self.dice.choice([*till.rows()])
        fields = {"sale_unit_id": one.id} if kind is NameKind.UNIT else {"categories": (one.id,)}
        till.change(name, **fields)

    def add(self, till: TillBeside) -> None:
        kind, word = self.dice.choice([*NameKind]), self.dice.choice("абвгд")
        till.desk.add_name(new_name(kind, f"нова {word}", word, position=9), by="М", at=NOW)

    def delete(self, till: TillBeside) -> None:
        till.desk.delete_name(self.some(till)[1], by="М", at=NOW)

    def rename(self, till: TillBeside) -> None:
        _, one = self.some(till)
        new = replace(one, name=f"{one.name[:9]} {self.dice.choice('клм')}")
        till.desk.change_name(one, new, by="М", at=NOW)

    def go_there(self, till: TillBeside) -> None:
        path = PATHS[self.dice.choice([*NameKind])]
        one = self.dice.choice(self.platform.asked("GET", path))
        if self.dice.random() < 0.5:
            self.platform.asked("DELETE", f"{path}/{one['id']}")
        else:
            self.platform.asked("PATCH", f"{path}/{one['id']}", {"name": f"{one['name'][:9]} п"})

    def sync(self, till: TillBeside) -> None:
        ends_after = self.dice.choice((0, 0, *range(1, 12)))
        planned = tuple(self.dice.choices(FATES, k=self.dice.choice((0, 0, 1, 2))))
        with suppress(Killed, RemoteError):
            self.platform.synchronise(till.folder, planned=planned, ends_after=ends_after)

    def rest(self) -> None:
        """Decide all that is asked, and synchronise until nothing waits."""
        for _ in range(8):
            for till in self.tills:
                self.decide(till)
                self.platform.synchronise(till.folder)
        for till in self.tills:
            assert (till.desk.name_edits(), till.states()) == ((), [])

    def decide(self, till: TillBeside) -> None:
        for edit in till.desk.name_edits():
            if edit.needs_person:
                side = self.dice.choice([*EditSide])
                try:
                    till.desk.decide_name(edit, side, by="М", at=NOW)
                except NotAllowed:
                    till.desk.decide_name(edit, EditSide.THEIRS, by="М", at=NOW)
        for one in till.open():
            if one.state is EditState.CONFLICT:
                sides = {each.field: self.dice.choice([*EditSide]) for each in one.conflicts}
                till.desk.decide(one.id, sides, at=NOW)
            elif one.state is EditState.REFUSED:
                till.desk.move(one.id, EditState.WAITING, at=NOW)


@contextmanager
def shop_of_two(dice: Random) -> Iterator[Managers]:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as made:
        folder = Path(made)
        platform = Platform(folder / "platform")
        platform.open()
        opened: list[Callable[[], None]] = [platform.close]
        try:
            tills = []
            for name in ("first", "second"):
                path = ready_catalogue(catalogue_file(folder / name))
                shelf, desk = SqliteCatalogue(path), SqliteCatalogueEditor(path, codes=CODES)
                opened += [shelf.close, desk.close]
                tills.append(TillBeside(folder / name, shelf, desk, "", "", ""))
            platform.asked("POST", "/units", {"name": "комад", "symbol": "ком"})
            platform.asked("POST", "/categories", {"name": "Млечно", "position": 1})
            shop_of_both(platform)
            for one in tills:
                platform.synchronise(one.folder)
            yield Managers(dice, platform, tuple(tills))
        finally:
            for close in reversed(opened):
                close()


@given(st.integers(0, 2**32), st.integers(3, 14))
@settings(max_examples=examples(80, share=8), deadline=None)
def test_nothing_loses_its_unit_or_category_whatever_two_tills_do(seed: int, acts: int) -> None:
    with shop_of_two(Random(seed)) as shop:
        for _ in range(acts):
            shop.act()
        shop.rest()
        check_all_agree(shop.platform, *shop.tills)
