"""`pos-app sync` with a platform, ours or a foreign one: lists, edits, conflicts, a bad line."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.money import Money
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown, Refused
from pos_app.selling.catalogue_edits import EditSide, EditState
from tests.fakes.foreign_platform import ForeignPlatform
from tests.integration.synchronise.conftest import CODES, TillBeside
from tests.sweep import each

CONFLICT, REFUSED, WAITING = EditState.CONFLICT, EditState.REFUSED, EditState.WAITING
FOREIGN: list[dict[str, Any]] = [
    {},
    {"since": "refused"},
    {"since": "ignored", "has_etag": False, "has_versions": False, "has_units": False},
]


@pytest.mark.parametrize("kind", FOREIGN, ids=["ours", "no-since", "foreign"])
def test_both_sides_come_together(
    platform: ForeignPlatform, till: TillBeside, kind: dict[str, Any]
) -> None:
    for name, value in kind.items():
        setattr(platform, name, value)
    bread = platform.add(name="Хлеб", price=100)
    milk = platform.add(name="Млеко", price=200)
    platform.add(name="Сок", price=50)
    assert till.sync().brought.added == 3
    till.change("Хлеб", price=Money(120))
    till.add("Нов артикал", 77)
    till.delete("Сок")
    platform.change(milk["id"], price=210)
    platform.add(name="Њихов", price=5)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.fault) == (3, None)
    assert till.prices() == {
        "Хлеб": "120.00", "Млеко": "210.00", "Нов артикал": "77.00", "Њихов": "5.00"
    }  # fmt: skip
    theirs = {one["name"]: one["price"] for one in platform.live().values()}
    assert theirs == {"Хлеб": 120, "Млеко": 210, "Нов артикал": 77, "Њихов": 5}
    assert platform.products[bread["id"]]["sku"] == 1
    assert till.open() == []
    platform.remove(milk["id"])
    assert till.sync().brought.removed == (0 if not kind else 0) or "Млеко" not in till.rows()
    assert "Млеко" not in till.rows() or till.shelf.facts().gone == 1


def test_an_unchanged_list_is_not_sent(platform: ForeignPlatform, till: TillBeside) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    report = till.sync()
    assert report.is_unchanged
    assert "GET /v2/products?updatedSince=2026-11-20T10%3A00%3A00.001Z" in platform.asks
    assert till.shelf.facts().away_since is None


def test_updated_since_is_asked_once_where_it_is_refused(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    for since in ("refused", "ignored"):
        platform.since = since
        till.sync()
        for price in (1, 2, 3):
            platform.add(name=f"{since} {price}", price=price)
            till.sync()
        asked = [one for one in platform.asks if "updatedSince" in one]
        assert len(asked) == 1
        till.key = "pk_test"
    assert len(till.rows()) == 6


# --- conflicts -------------------------------------------------------------------------------------


def test_a_field_changed_on_both_sides_is_a_persons_to_decide(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    bread = platform.add(name="Хлеб", price=100, subtitle="бели")
    till.sync()
    edit = till.change("Хлеб", price=Money(120), subtitle="полубели")
    platform.change(bread["id"], price=110)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 1)
    (conflict,) = till.open()[0].conflicts
    assert (conflict.field, str(conflict.ours), str(conflict.theirs)) == (
        "price", "120.00", "110.00"
    )  # fmt: skip
    assert platform.products[bread["id"]]["price"] == 110
    till.desk.decide(edit.id, {"price": EditSide.OURS}, at=edit.at)
    till.sync()
    assert (
        platform.products[bread["id"]] | {"price": 120, "subtitle": "полубели"}
        == (platform.products[bread["id"]])
    )
    assert till.open() == []


def test_nobody_is_overwritten_between_list_and_change(
    platform: ForeignPlatform, till: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change of somebody else arrives after our list, just before our change."""
    bread = platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    begin = platform._begin
    late = [110]

    def later(request: Any) -> Any:
        if late:
            platform.change(bread["id"], price=late.pop())
        return begin(request)

    monkeypatch.setattr(platform, "_begin", later)
    assert till.sync().pushed.conflicts == 1
    assert platform.products[bread["id"]]["price"] == 110


def test_what_they_deleted_and_we_changed(platform: ForeignPlatform, till: TillBeside) -> None:
    bread = platform.add(name="Хлеб", price=100)
    for number in range(200):
        platform.add(name=f"Артикал {number}", price=1)
    till.sync()
    edit = till.change("Хлеб", price=Money(120))
    platform.remove(bread["id"])
    assert till.sync().pushed.conflicts == 1
    assert "Хлеб" in till.rows()
    till.desk.decide(edit.id, {"deleted": EditSide.OURS}, at=edit.at)
    till.sync()
    (again,) = [one for one in platform.live().values() if one["name"] == "Хлеб"]
    assert (again["price"], till.open()) == (120, [])


def test_a_taken_code_is_told_with_its_field(platform: ForeignPlatform, till: TillBeside) -> None:
    platform.add(name="Хлеб", price=100, ean="8600000000012")
    platform.add(name="Сок", price=100)
    till.sync()
    platform.add(name="Тајна", price=1, ean="8600000000029")
    platform.hidden = frozenset(key for key, x in platform.products.items() if x["name"] == "Тајна")
    platform.since, platform.has_etag = "refused", False
    till.change("Сок", ean="8600000000029")
    till.add("Нови", code="8600000000029x"[:-1]) if False else None
    till.sync()
    (edit,) = till.open()
    assert (edit.state, edit.error_field) == (REFUSED, "ean")
    assert "already exists" in edit.error
    till.change("Сок", ean="8600000000036")
    till.sync()
    assert till.open() == []


# --- what is made here -----------------------------------------------------------------------------


def test_an_article_made_here_keeps_its_code_and_gets_their_id(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.add("Прва", 10)
    till.add("Друга", 20)
    assert till.found(CODES.start) == ["Прва"]
    till.sync()
    skus = {one["name"]: one["sku"] for one in platform.live().values()}
    assert (skus["Прва"], skus["Друга"]) == (CODES.start, CODES.start + 1)
    assert {row.product_id for row in till.rows().values()} == set(platform.live())
    assert till.sync().brought.added == 0
    assert len(till.rows()) == 3


@pytest.mark.parametrize("fault", ["lost-after", "500-after"])
def test_an_addition_without_an_answer_is_looked_for_and_never_sent_twice(
    platform: ForeignPlatform, till: TillBeside, fault: str
) -> None:
    till.sync()
    till.add("Прва", 10)
    platform.faults = [fault]
    till.sync()
    till.sync()
    assert [one["name"] for one in platform.live().values()] == ["Прва"]
    assert platform.writes() == ["POST /v2/products"]
    assert (till.open(), list(till.rows())) == ([], ["Прва"])


@pytest.mark.parametrize("fault", ["lost", "500"])
def test_an_addition_that_did_not_arrive_is_sent_again(
    platform: ForeignPlatform, till: TillBeside, fault: str
) -> None:
    till.sync()
    till.add("Прва", 10)
    platform.faults = [fault]
    till.sync()
    assert [one["name"] for one in platform.live().values()] == ["Прва"]
    assert till.open() == []


def test_an_addition_taken_back_while_nobody_knows_of_it(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    till.sync()
    till.add("Прва", 10)
    platform.faults = ["lost-after"]
    platform.cut_list = 0
    url, till.url = till.url, till.url
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pos_app.selling.synchronise.ROUNDS", 1)
        patch.setattr("pos_app.selling.synchronise.push.__kwdefaults__", {"rounds": 1})
        till.sync()
    till.url = url
    assert till.states() == [EditState.SENDING]
    till.delete("Прва")
    assert till.rows() == {}
    till.sync()
    assert (platform.live(), till.open()) == ({}, [])


def test_a_collision_of_codes_is_a_conflict(platform: ForeignPlatform, till: TillBeside) -> None:
    till.sync()
    first = till.add("Прва", 10)
    second = till.add("Друга", 20)
    for number in (0, 1):
        platform.add(name=f"Туђа {number}", price=1, sku=CODES.start + number)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 2)
    (conflict,) = till.open()[0].conflicts
    assert (conflict.field, conflict.ours, conflict.theirs) == ("sku", CODES.start, CODES.start)
    till.desk.decide(first.id, {"sku": EditSide.OURS}, at=first.at)
    till.desk.decide(second.id, {"sku": EditSide.THEIRS}, at=second.at)
    assert till.sync().pushed.sent == 1
    skus = {one["name"]: one["sku"] for one in platform.live().values()}
    assert skus["Прва"] == CODES.start + 2
    assert sorted(till.rows()) == ["Прва", "Туђа 0", "Туђа 1"]


# --- a bad line, a bad list ------------------------------------------------------------------------


def test_a_list_that_is_cut_or_wrong_changes_nothing(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    for number in range(60):
        platform.add(name=f"Артикал {number}", price=number)
    till.sync()
    before = till.prices()
    platform.add(name="Нови", price=1)
    platform.since = "refused"
    for cut in (1, 500, 5000):
        platform.cut_list = cut
        with pytest.raises(OutcomeUnknown):
            till.sync()
    platform.cut_list = 0
    platform.products["x"] = {"id": "x", "name": "Лош", "taxRateLabel": "?", "updatedAt": "z"}
    with pytest.raises(Invalid, match="Лош"):
        till.sync()
    assert till.prices() == before
    facts = till.shelf.facts()
    assert (facts.away_since is not None, facts.fault) == (True, "invalid")
    del platform.products["x"]
    till.sync()
    assert (len(till.rows()), till.shelf.facts().away_since) == (61, None)


def test_half_a_list_waits_for_a_manager(platform: ForeignPlatform, till: TillBeside) -> None:
    for number in range(100):
        platform.add(name=f"Артикал {number}", price=number)
    till.sync()
    platform.since, platform.has_etag = "refused", False
    platform.hidden = frozenset(list(platform.products)[:50])
    report = till.sync()
    assert (report.brought.removed, report.brought.held_back) == (0, 50)
    assert len(till.rows()) == 100
    platform.hidden = frozenset(list(platform.products)[:1])
    assert till.sync().brought.removed == 1


def test_another_accounts_list_takes_nothing_away(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    kept = dict(platform.products)
    platform.products.clear()
    platform.add(name="Туђе", price=1, sku=70)
    till.url = till.url.replace("127.0.0.1", "localhost")
    till.sync()
    assert sorted(till.rows()) == ["Туђе", "Хлеб"]
    platform.products |= kept


def test_without_a_line_all_waits_and_is_told(platform: ForeignPlatform, till: TillBeside) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    url, till.url = till.url, "http://127.0.0.1:9/v2"
    with pytest.raises(NotDelivered):
        till.sync()
    assert till.states() == [WAITING]
    till.url = url
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Хлеб": "120.00"})


def test_what_says_nothing_about_the_edit_refuses_no_edit(
    platform: ForeignPlatform, till: TillBeside
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    for fault in ("401", "403", "405", "429"):
        platform.faults = [fault]
        assert till.sync().pushed.fault is not None
        assert till.states() == [WAITING]
    till.secret = "wrong"
    with pytest.raises(Refused):
        till.sync()
    assert till.shelf.facts().fault == "platform_key"


def test_other_methods_and_paths(platform: ForeignPlatform, till: TillBeside) -> None:
    bread = platform.add(name="Хлеб", price=100, subtitle="бели")
    till.more = {"operations": {"update_product": "PUT /products/{Id}"}}
    till.sync()
    till.change("Хлеб", price=Money(120))
    till.sync()
    assert platform.writes() == [f"PUT /v2/products/{bread['id']}"]
    assert platform.products[bread["id"]]["subtitle"] == "бели"


def test_a_download_is_taken_up_after_a_crash(
    platform: ForeignPlatform, till: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pos_app.bootstrap import platform_sync

    platform.add(name="Хлеб", price=100)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(platform_sync, "bring_in", killed)
        with pytest.raises(KeyboardInterrupt):
            till.sync()
    assert till.rows() == {}
    platform.cut_list = 1
    platform.has_etag = True
    report = till.sync()
    assert list(till.rows()) == ["Хлеб"]
    assert report.is_unchanged


each
