"""Our platform over its own database, and a person who changes articles there.

It works while somebody asks it, on a loop of its own: a synchronisation is a program that blocks.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import aiosqlite.core
import httpx
import pytest

from pos_app import settings
from pos_app.adapters.clock import SYSTEM_CLOCK
from pos_app.bootstrap.synchronisation.platform_sync import sync_with_platform
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.app import create_app
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.keys import ALL_SCOPES, make_key
from pos_app.platform_api.picture_files import PictureFiles
from pos_app.selling.synchronisation.reports import PlatformReport
from pos_app.wire.strict_json import dumps
from tests.fakes.ready_platform import ready_platform
from tests.fakes.virtual_time import Inline
from tests.shop.lines import Door, Fate, FaultyTransport

URL = "http://127.0.0.1:9997"
KEY = "key.txt"
"""The file with id and secret of the account's key."""


class Killed(BaseException):
    """A program ends in the middle of its work."""


@dataclass
class Platform:
    """folder: of its database. dice: names the fate of a request of the synchronisation. now: the
    time of day of a till that synchronises."""

    folder: Path
    dice: Callable[[str], Fate | None] = lambda method: None
    hits: Counter[str] = field(default_factory=Counter)
    now: Callable[[], datetime] = SYSTEM_CLOCK.now
    door: Door = field(default_factory=Door)
    was_opened: bool = False
    loop: asyncio.AbstractEventLoop = field(init=False)
    _thread: ThreadPoolExecutor = field(init=False)
    """The one in which the loop runs, whoever asks: work that goes on between two requests can't
    change its thread."""
    _until_closed: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def is_open(self) -> bool:
        return self.door.app is not None

    def open(self) -> None:
        self.was_opened = True
        self.loop, self._thread = Inline(), ThreadPoolExecutor(1)
        self.run(self._open())

    async def _open(self) -> None:
        patch = self._until_closed.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(aiosqlite.core, "SimpleQueue", _AtOnce)
        patch.setattr(aiosqlite.core, "_connection_worker_thread", lambda queue: None)
        database = await Database.open("", folder=ready_platform(self.folder))
        self._until_closed.push_async_callback(database.close)
        await self._until_closed.enter_async_context(database.served())
        files = PictureFiles.open("", folder=self.folder / "files")
        self.door.app = create_app(PlatformContext(database, SYSTEM_CLOCK, "3.2.0", files))
        if not (self.folder / KEY).exists():
            now = SYSTEM_CLOCK.now()
            async with database.writing() as connection:
                account = await make_account(connection, name="Липа", now=now)
                terms = KeyTerms("till", ALL_SCOPES)
                key = await make_key(connection, account, terms, now=now)
            (self.folder / KEY).write_text(f"{key.id} {key.secret}", "ascii")

    def close(self, *, is_killed: bool = False) -> None:
        """End the platform; a killed one leaves its files as they are now."""
        kept = self.folder.with_name("kept platform")
        if is_killed:
            shutil.copytree(self.folder, kept)
        self.run(self.door.drop())
        self.run(self._until_closed.aclose())
        self.loop.close()
        self._thread.shutdown()
        if is_killed:
            shutil.rmtree(self.folder)
            kept.rename(self.folder)

    def run(self, work: Any) -> Any:
        return self._thread.submit(self.loop.run_until_complete, work).result()

    @property
    def key(self) -> tuple[str, str]:
        key, _, secret = (self.folder / KEY).read_text("ascii").partition(" ")
        return key, secret

    # --- a person over there ---------------------------------------------------------------------

    def asked(self, method: str, path: str, body: object = None) -> Any:
        """Ask as a person with the account's key; returns the document, or None where it is
        refused."""
        content = b"" if body is None else dumps(body)
        told = {"Content-Type": "application/json"} if body is not None else {}
        with httpx.Client(transport=_Line(self, FaultyTransport(self.door)), auth=self.key) as by:
            answer = by.request(method, f"{URL}/v2{path}", content=content, headers=told)
        return answer.json() if answer.is_success else None

    def products(self) -> dict[int, dict[str, Any]]:
        return {one["sku"]: one for one in self.asked("GET", "/products")}

    # --- a till's synchronisation ----------------------------------------------------------------

    def synchronise(self, data: Path, *, planned: tuple[Fate, ...] = (), ends_after: int = 0,
                    accept_removals: bool = False) -> PlatformReport:  # fmt: skip
        """Run `pos-app sync` once on a data folder, which has its own key or is given this one.
        planned: what happens to its first requests that write. ends_after: it is killed after so
        many requests; 0 for never. Raises Killed and what the run raises."""
        shop = settings.load(data)
        if not shop.platform.key:
            key, secret = self.key
            kept = data / "secrets.toml"
            kept.write_text(f'platform_secret = "{secret}"\n', "utf-8")
            kept.chmod(0o600)
            told = {"url": f"{URL}/v2", "key": key, "join": "send"}
            shop = settings.load(data, platform=told)
        line = FaultyTransport(self.door, deque(planned), self.dice, self.hits, late_seconds=0.0)
        return sync_with_platform(
            settings=shop,
            now=self.now,
            pause=lambda: None,
            report_progress=lambda step, done, whole: None,
            accept_removals=accept_removals,
            transport=_Line(self, line, ends_after),
        )


class _AtOnce:
    """What is asked of a connection to SQLite is done at once, and not by a thread of its own: of
    many small questions nearly all the time goes to changing threads."""

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        waiting, work = asked
        done = waiting or asyncio.get_event_loop().create_future()
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - the caller gets it, as from a thread
            done.set_exception(error)


class _Line(httpx.BaseTransport):
    """The line of a program that blocks."""

    def __init__(self, platform: Platform, to: FaultyTransport, ends_after: int = 0) -> None:
        self._platform, self._to = platform, to
        self._left = ends_after or None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        answer = self._platform.run(self._to.handle_async_request(request))
        if self._left is not None:
            self._left -= 1
            if not self._left:
                raise Killed
        content = answer.stream
        assert isinstance(content, httpx.ByteStream)
        return httpx.Response(answer.status_code, headers=answer.headers, stream=content)
