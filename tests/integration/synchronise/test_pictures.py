"""Photos of the platform: only those of products that are seen are brought."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from pos_app import settings
from pos_app.adapters.catalogue_files.catalogue_pictures import keep_photo
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.platform_http import platform_photos
from pos_app.bootstrap.synchronisation.platform_sync import bring_pictures
from tests.fakes.foreign_platform import ForeignPlatform
from tests.integration.synchronise.conftest import TillBeside

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


def choose_photo(till: TillBeside, name: str, *, beside: tuple[str, ...] = ()) -> Path:
    """Choose a photo for an article, behind those beside it; return its file."""
    chosen, into = till.folder / "chosen.png", catalogue_file(till.folder).parent / "files"
    Image.new("RGB", (30, 30), "red").save(chosen)
    kept = keep_photo(chosen, file_id="ours", into=into)
    till.desk.keep_picture(kept)
    till.change(name, images=(*beside, "ours"))
    return into / kept.name
