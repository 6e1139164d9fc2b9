"""A first list whose connection is lost: what came is not requested again."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from pos_app.errors import OutcomeUnknown
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import till_beside


def test_a_first_list_that_is_cut_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    platform = OurPlatform(folder=tmp_path / "platform")
    with platform.open(), till_beside(folder, platform) as till:
        made = [platform.add(name=f"Артикал {n}", sku=n, price=n) for n in range(1, 41)]
        told = json.dumps(list(platform.live().values()), ensure_ascii=False)
        size = len(gzip.compress(told.encode()))  # as it is sent
        platform.cut_list = size // 2
        for _ in range(2):  # the second time adds to the first
            with pytest.raises(OutcomeUnknown):
                till.sync()
            assert till.rows() == {}
        platform.change(made[0]["id"], name="Ново име")
        platform.remove(made[1]["id"])
        platform.cut_list = 0
        asks = len(platform.asks)
        report = till.sync()
        (asked,) = [one for one in platform.asks[asks:] if "/products" in one]
        since = parse_qs(asked.partition("?")[2])["updatedSince"][0]
        assert since >= made[20]["updatedAt"]
        assert report.brought.added == 39
        names = {"Ново име", *(one["name"] for one in made[2:])}
        assert set(till.rows()) == names
        assert till.sync().is_unchanged
        assert not list((folder / "catalogue").glob("platform-list*"))


def test_what_came_for_another_key_is_not_taken_up(folder: Path, tmp_path: Path) -> None:
    platform = OurPlatform(folder=tmp_path / "platform")
    with platform.open(), till_beside(folder, platform) as till:
        platform.add(name="Хлеб", price=1)
        platform.cut_list = 200
        with pytest.raises(OutcomeUnknown):
            till.sync()
        platform.cut_list = 0
        till.url = till.url.replace("127.0.0.1", "localhost")
        till.sync()
        assert platform.asks[-1].endswith("updatedSince=1970-01-01T00%3A00%3A00.000Z")
        assert list(till.rows()) == ["Хлеб"]
