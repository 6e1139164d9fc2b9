"""A foreign or broken platform: the use that `pos-app sync` makes of its lists and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pos_app.adapters.platform_http.account import PlatformAccount
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.sqlite.catalogue import importing
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState, NewEdit
from pos_app.selling.synchronisation.reports import platform_lines
from tests.fakes.foreign_platform import ForeignPlatform
from tests.integration.synchronise.conftest import NOW, TillBeside, article

ChangeAnswer = Callable[[dict[str, Any], str], dict[str, Any]]


LISTS = ("stores", "units", "categories", "products")


def test_lists_have_marks_and_deleted_rows(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """A deleted store that is listed first would be the one in use."""
    gone = {"id": "gone", "name": "Бивша", "deletedAt": "2026-11-20T09:00:00.000Z"}
    foreign.stores = [gone, {"id": "s1", "name": "Липа", "deletedAt": None}]
    foreign.units = [gone, {"id": "u1", "name": "комад", "symbol": "ком"}]
    foreign.categories = [gone, {"id": "c1", "name": "Пецива"}]
    foreign.bodies = {f"/v2/{name}": lambda body: b"\xef\xbb\xbf" + body for name in LISTS}
    foreign.add(name="Хлеб", price=100, saleUnitId="u1", categories=["c1"])
    abroad.sync()
    assert abroad.prices() == {"Хлеб": "100.00"}
    assert [one.name for one in abroad.shelf.stores()] == ["Липа"]
    assert [one.name for one in abroad.shelf.units()] == ["комад"]
    assert [one.category.name for one in abroad.shelf.categories()] == ["Пецива"]
    account = PlatformAccount(abroad.settings().platform, Secret(abroad.secret))
    assert [one.name for one in account.stores()] == ["Липа"]


def test_a_download_is_taken_up_after_a_crash(
    foreign: ForeignPlatform, abroad: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign.add(name="Хлеб", price=100)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(importing, "bring_in", killed)
        with pytest.raises(KeyboardInterrupt):
            abroad.sync()
    assert abroad.rows() == {}
    foreign.cut_list = 1
    foreign.has_etag = True
    report = abroad.sync()
    assert list(abroad.rows()) == ["Хлеб"]
    assert report.is_unchanged


def test_another_key_of_the_same_account(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """Ids belong to one account: the rows listed under the old key are this account's."""
    for number in range(60):
        foreign.add(name=f"Артикал {number}", price=1)
    abroad.sync()
    foreign.key = abroad.key = "pk_new"
    foreign.remove(next(iter(foreign.products)))
    abroad.add("Нов", 5)
    report = abroad.sync()
    assert (report.asked, report.pushed.sent) == (None, 1)
    assert (len(abroad.rows()), abroad.shelf.facts().gone) == (60, 0)


def test_a_variant_of_ours_that_they_took(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    sizes = [article("S", 51), article("L", 52)]
    shirt = foreign.add(name="Мајица", sku=50, hasVariants=True, variants=sizes)
    abroad.sync()
    change = NewEdit.changing(shirt["id"], "S", {"price": Money(9)}, by="Мира", at=NOW)
    edit = abroad.desk.record(change)
    foreign.change(shirt["id"], variants=sizes[1:])
    assert abroad.sync().pushed.conflicts == 1
    with pytest.raises(NotAllowed):
        abroad.desk.decide(edit.id, {"deleted": EditSide.OURS}, at=NOW)
    abroad.desk.decide(edit.id, {"deleted": EditSide.THEIRS}, at=NOW)
    abroad.sync()
    assert ([one.id for one in abroad.shelf.variants(shirt["id"])], abroad.open()) == (["L"], [])


def test_many_deletions_wait_for_a_manager(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    for number in range(200):
        foreign.add(name=f"Артикал {number}", price=1)
    abroad.sync()
    first, second, *others = list(foreign.products)
    foreign.remove(first)
    report = abroad.sync()
    assert (report.brought.changed, report.brought.removed, len(abroad.rows())) == (0, 1, 199)
    for key in others[:180]:
        foreign.remove(key)
    foreign.change(second, price=2)
    for _ in range(2):  # the question repeats until somebody decides
        report = abroad.sync()
        assert (report.brought.removed, report.brought.held_back) == (0, 180)
        assert any("180 products gone from the list" in line for line in platform_lines(report))
        assert (len(abroad.rows()), abroad.shelf.facts().gone) == (199, 180)
        assert abroad.prices()["Артикал 1"] == "2.00"
    foreign.change(others[0], deletedAt=None)
    assert abroad.sync().brought.held_back == 179
    report = abroad.sync(accept_removals=True)
    assert (report.brought.removed, report.brought.held_back) == (179, 0)
    assert (len(abroad.rows()), abroad.shelf.facts().gone) == (20, 0)
    assert abroad.sync().is_unchanged


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda it, bread: it | {"id": bread}, id="anothers"),
        pytest.param(lambda it, bread: it | {"id": "one-for-all"}, id="one-for-all"),
        pytest.param(lambda it, bread: it | {"id": f"{it['name']}\0"}, id="null-character"),
    ],
)
def test_an_id_of_another_article_is_no_proof_of_an_addition(
    foreign: ForeignPlatform, abroad: TillBeside, wrong: ChangeAnswer
) -> None:
    bread = foreign.add(name="Хлеб", price=100)
    abroad.sync()
    foreign.keeps_nothing, foreign.added_answer = True, lambda it: wrong(it, bread["id"])
    for name in ("Сок", "Млеко"):
        abroad.add(name)
    assert (abroad.sync().pushed.refused, len(foreign.writes())) == (2, 2)
    assert sorted(abroad.rows()) == ["Млеко", "Сок", "Хлеб"]
    foreign.keeps_nothing, foreign.added_answer = False, None
    for one in abroad.open():
        abroad.desk.move(one.id, EditState.WAITING, at=NOW)
    abroad.sync()
    assert (abroad.open(), len(foreign.live())) == ([], 3)


@pytest.mark.parametrize("whose", ["product", "variant"])
def test_an_answer_takes_nothing(foreign: ForeignPlatform, abroad: TillBeside, whose: str) -> None:
    juice = foreign.add(name="Сок", price=100)
    foreign.add(name="Мајица", hasVariants=True, variants=[article("S", 51, id="size")])
    foreign.add(name="Хлеб", price=100)
    foreign.since, foreign.has_etag = "refused", False
    abroad.sync()
    taken = juice["id"] if whose == "product" else "size"
    foreign.changed_answer = lambda it: it | {"variants": [article("X", 99, id=taken)]}
    abroad.change("Хлеб", name="Лепиња")
    assert abroad.sync().pushed.sent == 1
    for _ in range(2):
        assert [len(abroad.names_with(code)) for code in (juice["sku"], 51, 99)] == [1, 1, 0]
        assert sorted(abroad.rows()) == ["Лепиња", "Мајица", "Сок"]
        abroad.sync()
    assert abroad.open() == []
