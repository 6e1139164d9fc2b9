"""The tills of the account that are asked for a receipt, and for how long."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pos_app.adapters.closed_at_exit import ClosedAtExit
from pos_app.adapters.data_folder.install import open_client_id
from pos_app.adapters.platform_http import other_tills
from pos_app.adapters.platform_http.client import PlatformAnswer
from pos_app.adapters.platform_http.other_tills import OtherTillsHttp
from pos_app.domain.receipt.receipt_elsewhere import SearchEnd
from pos_app.settings import Settings
from pos_app.settings.shapes import PlatformSettings

NUMBER = "XYZA1234-XYZA1234-512"
FIRST, SECOND = "0" * 31 + "1", "0" * 31 + "2"


class Platform(ClosedAtExit):
    """No till has the receipt, except those that hang until the test ends."""

    def __init__(
        self,
        tills: Sequence[tuple[str, str | None]],
        stores: Sequence[str] | None,
        *,
        hang: str = "",
    ) -> None:
        self.tills, self.stores, self.hang = tills, stores, hang
        self.asked: set[str] = set()
        self.ended = threading.Event()

    def ask(self, name: str) -> PlatformAnswer:
        rows = [{"id": one, "name": one, "storeId": store} for one, store in self.tills]
        if name == "list_clients":
            return answer(200, rows)
        if self.stores is None:
            return answer(403, {})
        return answer(200, [{"id": one, "name": one} for one in self.stores])

    def look_up(self, number: str, *, client_id: str) -> PlatformAnswer:
        assert number == NUMBER
        self.asked.add(client_id)
        if client_id == self.hang:
            self.ended.wait(20)
        return answer(404, {})

    def close(self) -> None:
        pass


SearchOf = Callable[[Platform, str], OtherTillsHttp]


def answer(status: int, document: object) -> PlatformAnswer:
    return PlatformAnswer(status, {}, json.dumps(document))


@pytest.fixture
def search_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> SearchOf:
    def search_of(platform: Platform, store: str) -> OtherTillsHttp:
        monkeypatch.setenv("POS_APP_PLATFORM_SECRET", "s" * 32)
        monkeypatch.setattr(other_tills, "PlatformClient", lambda *_, **__: platform)
        told = PlatformSettings(
            url="http://127.0.0.1:9/v2", key="k", store_id=store, public_mode=True
        )
        return OtherTillsHttp(Settings(data=folder, platform=told))

    return search_of


@pytest.mark.parametrize(
    ("store", "stores", "asked", "end"),
    [
        ("", (FIRST, SECOND), {"none", "first"}, SearchEnd.NOBODY),
        (FIRST, (FIRST, SECOND), {"none", "first"}, SearchEnd.NOBODY),
        (SECOND, (FIRST, SECOND), {"second"}, SearchEnd.NOBODY),
        (SECOND, None, {"none", "second"}, SearchEnd.PARTLY),
        ("", None, {"none", "first", "second"}, SearchEnd.PARTLY),
    ],
    ids=["unnamed is the first", "the first", "another", "others unknown", "all unknown"],
)
async def test_the_tills_of_the_same_store_are_asked(
    search_of: SearchOf,
    folder: Path,
    store: str,
    stores: tuple[str, ...] | None,
    asked: set[str],
    end: SearchEnd,
) -> None:
    """A till that names no store belongs to the first one that the account lists."""
    own = open_client_id(folder)
    tills = ((own, store or None), ("none", None), ("first", FIRST), ("second", SECOND))
    platform = Platform(tills, stores)
    told, receipt = await search_of(platform, store).find(NUMBER)
    assert (platform.asked, told.end, receipt) == (asked, end, None)
