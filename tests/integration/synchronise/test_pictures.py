"""Photos of the platform: they come when their product is seen, small, and only up to a limit."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from PIL import Image

from pos_app import settings
from pos_app.adapters.catalogue_files.catalogue_pictures import keep_photo
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.platform_http import edits, platform_photos
from pos_app.bootstrap.synchronisation.platform_sync import bring_pictures
from pos_app.errors import OutcomeUnknown, ProgramError
from pos_app.selling.synchronisation.catalogue_edits import (
    IMAGES,
    EditSide,
    EditState,
    NewEdit,
    photos_of,
)
from pos_app.selling.synchronisation.run import OutgoingEdit
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import NOW, TillBeside
from tests.integration.synchronise.test_platform_sync import CUTS, cut, put_back
from tests.sweep import each

PNG = b"\x89PNG\r\n\x1a\n" + b"a photo"


def cover(foreign: ForeignPlatform, name: str, content: bytes) -> dict[str, object]:
    """Return a cover whose 256-pixel version has that name; its original must not be asked for."""
    foreign.files[name] = content
    base = foreign.url.removesuffix("/v2")
    urls = {
        "original": f"{base}/files/original",
        "64x64": f"{base}/files/s",
        "256x256": f"{base}/files/{name}",
    }
    return {"id": f"file {name}", "filename": name, "urls": urls}


def told(till: TillBeside) -> settings.Settings:
    return settings.load(till.folder, platform={"url": till.url, "key": till.key})


def test_only_what_is_seen_is_brought(
    foreign: ForeignPlatform, abroad: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = foreign.add(name="Хлеб", price=1, coverImage=cover(foreign, "bread", PNG))
    foreign.add(name="Сок", price=1, coverImage=cover(foreign, "juice", PNG + b"2"))
    bad = foreign.add(name="Лаж", price=1, coverImage=cover(foreign, "bad", b"<html>"))
    abroad.sync()
    assert [row.picture for row in abroad.rows().values()] == [None] * 3
    foreign.asks.clear()
    assert bring_pictures(told(abroad), [seen["id"], bad["id"], "unknown"]) == 1
    assert sorted(foreign.asks) == ["GET /files/bad", "GET /files/bread"]
    rows = abroad.rows()
    assert rows["Сок"].picture is None
    assert rows["Сок"].picture_id == "file juice"
    picture = rows["Хлеб"].picture
    assert picture is not None
    assert (picture.read_bytes(), bring_pictures(told(abroad), [seen["id"]])) == (PNG, 0)
    monkeypatch.setattr(platform_photos, "MOST_BYTES", len(PNG) + 1)
    os.utime(picture, (0, 0))
    bring_pictures(told(abroad), [abroad.rows()["Сок"].product_id])
    kept = {name: row.picture is not None for name, row in abroad.rows().items()}
    assert kept == {"Хлеб": False, "Сок": True, "Лаж": False}
    assert not picture.exists()


def test_photos_are_sent_once_in_order(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """Two photos of ours surround one of theirs."""
    bread = foreign.add(name="Хлеб", price=1, images=["older"])
    abroad.sync()
    into = catalogue_file(abroad.folder).parent / "files"
    for name, colour in (("ours1", "red"), ("ours2", "blue")):
        Image.new("RGB", (30, 30), colour).save(abroad.folder / f"{name}.png")
        kept = keep_photo(abroad.folder / f"{name}.png", file_id=name, into=into)
        abroad.desk.keep_picture(kept)
    changes = {"images": ("ours1", "older", "ours2")}
    abroad.desk.record(NewEdit.changing(bread["id"], bread["id"], changes, by="Мира", at=NOW))
    assert abroad.shelf.product(bread["id"]).cover_image.id == "ours1", "shown at once"
    abroad.sync()
    assert foreign.live()[bread["id"]]["images"] == ["uploaded", "older", "uploaded1"]
    assert EditState.WAITING not in abroad.states()
    assert abroad.shelf.picture("uploaded1") is not None, "known here by the platform's id too"
    order = {"images": ("uploaded1", "uploaded")}
    abroad.desk.record(NewEdit.changing(bread["id"], bread["id"], order, by="Мира", at=NOW))
    abroad.sync()
    assert foreign.live()[bread["id"]]["images"] == ["uploaded1", "uploaded"]
    assert len(foreign.files) == 2, "no photo is sent twice"


def choose_photo(till: TillBeside, name: str, *, beside: tuple[str, ...] = ()) -> Path:
    """Choose a photo for an article, behind those beside it; return its file."""
    chosen, into = till.folder / "chosen.png", catalogue_file(till.folder).parent / "files"
    Image.new("RGB", (30, 30), "red").save(chosen)
    kept = keep_photo(chosen, file_id="ours", into=into)
    till.desk.keep_picture(kept)
    till.change(name, images=(*beside, "ours"))
    return into / kept.name


@CUTS
@pytest.mark.parametrize("is_withdrawn", [False, True])
def test_a_photo_that_may_have_arrived_is_put_back_or_stays(
    foreign: ForeignPlatform, abroad: TillBeside, fault: str, is_withdrawn: bool
) -> None:
    bread = foreign.add(name="Хлеб", price=1, images=["older"])
    abroad.sync()
    choose_photo(abroad, "Хлеб", beside=("older",))
    cut(foreign, abroad, fault, after=1)
    if is_withdrawn:
        abroad.desk.withdraw(abroad.open()[0].id, by="Мира", at=NOW)
    abroad.sync()
    wanted = ["older"] if is_withdrawn else ["older", "uploaded"]
    assert foreign.live()[bread["id"]]["images"] == wanted
    assert (len(foreign.files), abroad.open()) == (fault != "killed" or not is_withdrawn, [])
    product = abroad.shelf.product(bread["id"])
    assert product is not None
    assert [*photos_of(product)] == wanted


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize("is_new", [True, False])
def test_a_photo_that_the_platform_lost_is_sent_again(
    ours: OurPlatform, beside: TillBeside, is_new: bool, is_kept: bool
) -> None:
    """With its article or its change. One that this till lost, too, is a person's."""
    if not is_new:
        ours.add(name="Хлеб", price=1)
    beside.sync()
    with put_back(ours):
        if is_new:
            beside.add("Хлеб", 1)
        photo = choose_photo(beside, "Хлеб")
        beside.sync()
        (before,) = ours.live().values()
    if not is_kept:
        (seen,) = photo.parent.glob("seen-*")
        seen.unlink()
    beside.sync()
    (edit,) = beside.open()
    beside.desk.decide(edit.id, {one.field: EditSide.OURS for one in edit.conflicts}, at=NOW)
    beside.sync()
    if is_kept:
        (now,) = ours.live().values()
        assert (len(now["images"]), beside.open()) == (1, [])
        assert now["images"] != before["images"]
        assert [*beside.desk.product(now["id"]).images] == now["images"]
        row = beside.rows()["Хлеб"]
        assert row.picture is not None
        assert row.picture.read_bytes() == photo.read_bytes()
    else:
        assert [one.error_field for one in beside.open()] == [IMAGES]
        beside.change("Хлеб", images=())
        beside.sync()
        assert ([len(one["images"]) for one in ours.live().values()], beside.open()) == ([0], [])


def test_a_photo_that_is_refused_whatever_its_name_is_sent_again_once(
    ours: OurPlatform, beside: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(edit: OutgoingEdit, _: object) -> list[str]:
        return [*photos_of(edit.product)]

    beside.sync()
    beside.add("Хлеб", 1)
    choose_photo(beside, "Хлеб")
    monkeypatch.setattr(edits, "_lost_photos", lost)
    ours.faults = 20 * ["400"]
    beside.sync()
    assert len(ours.faults) >= 16
    assert [one.state for one in beside.open()] == [EditState.REFUSED]


def names(foreign: ForeignPlatform) -> list[str]:
    return sorted(one["name"] for one in foreign.live().values())


def test_a_photo_that_is_gone_is_a_persons(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    abroad.sync()
    for name in ("А", "Б", "В"):
        abroad.add(name)
    photo = choose_photo(abroad, "Б")
    photo.unlink()
    report = abroad.sync()
    assert (report.pushed.sent, report.pushed.refused, report.pushed.fault) == (2, 1, None)
    assert names(foreign) == ["А", "В"]
    (edit,) = abroad.open()
    assert (edit.state, edit.error_field) == (EditState.REFUSED, IMAGES)
    assert photo.name in edit.error
    assert abroad.sync().pushed.fault is None


@each("told", ["", "[1]", '{"filename": "x"}', '{"id": null}', '{"id":'])
def test_an_odd_answer_sends_none(foreign: ForeignPlatform, abroad: TillBeside, told: str) -> None:
    if not abroad.open():
        foreign.add(name="А", price=1)
        abroad.sync()
        choose_photo(abroad, "А")
    foreign.upload_answer = told
    assert isinstance(abroad.sync().pushed.fault, OutcomeUnknown)
    assert (abroad.states(), set(foreign.writes())) == ([EditState.WAITING], {"POST /v2/files"})


def test_a_photo_that_goes_loses_no_answer(
    foreign: ForeignPlatform, abroad: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    abroad.sync()
    abroad.add("А")
    abroad.add("Б")
    choose_photo(abroad, "Б")

    def gone(*_: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(shutil, "copyfile", gone)
    assert isinstance(abroad.sync().pushed.fault, ProgramError)
    assert (abroad.open(), names(foreign)) == ([], ["А", "Б"])
