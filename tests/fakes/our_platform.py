"""Our own platform over real HTTP, behind the same front as the foreign one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from pos_app.adapters.clock import SystemClock
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.app import create_app
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.engine import Database, Reserve
from pos_app.platform_api.keys import ALL_SCOPES, make_key
from pos_app.platform_api.picture_files import PictureFiles
from pos_app.platform_api.quotas import Quotas
from tests.fakes.faulty_front import App, FaultyFront
from tests.fakes.no_tls import NO_TLS
from tests.fakes.ready_platform import ready_platform


@dataclass
class OurPlatform(FaultyFront):
    """An account on our platform; another person works there over HTTP too. most, reserve: of the
    platform, told before it is opened."""

    folder: Path = Path()
    key: str = ""
    secret: str = ""
    most: Quotas = field(default_factory=Quotas)
    reserve: Reserve | None = None
    _caller: httpx.Client | None = None

    # --- as a person over there ---------------------------------------------------------------

    def add(self, **members: Any) -> dict[str, Any]:
        body = {"taxRateLabel": "Е", "productType": "product", **members}
        return self.asked("POST", "/products", body)

    def change(self, product_id: str, **members: Any) -> dict[str, Any]:
        return self.asked("PATCH", f"/products/{product_id}", members)

    def remove(self, product_id: str) -> None:
        self.asked("DELETE", f"/products/{product_id}", None)

    def live(self) -> dict[str, dict[str, Any]]:
        listed: Any = self.asked("GET", "/products", None)
        return {one["id"]: one for one in listed}

    def store(self, method: str, path: str, members: dict[str, Any]) -> dict[str, Any]:
        return self.asked(method, path, members)

    def stores(self) -> list[dict[str, Any]]:
        listed: Any = self.asked("GET", "/stores", None)
        return list(listed)

    @property
    def products(self) -> dict[str, dict[str, Any]]:
        return self.live()

    def asked(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        """Return the answer to this person's request. Fails the test where it is refused."""
        if self._caller is None:
            told = {"X-Test": "a person"}
            auth = (self.key, self.secret)
            self._caller = httpx.Client(auth=auth, headers=told, verify=NO_TLS, trust_env=False)
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        json_type = {"Content-Type": "application/json"} if body is not None else {}
        answer = self._caller.request(method, self.url + path, content=content, headers=json_type)
        assert answer.status_code < 300, answer.text
        document: dict[str, Any] = answer.json()
        return document

    # --- over HTTP ----------------------------------------------------------------------------

    @contextmanager
    def open(self) -> Iterator[OurPlatform]:
        ready_platform(self.folder)
        with self.serving(self._opened):
            yield self
        self.hang_up()

    def hang_up(self) -> None:
        if self._caller is not None:
            self._caller.close()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[App]:
        database, clock = await Database.open("", folder=self.folder), SystemClock()
        try:
            async with database.writing() as connection:
                account = await make_account(connection, name="Липа", now=clock.now())
                key = await make_key(
                    connection, account, KeyTerms("till", ALL_SCOPES), now=clock.now()
                )
            self.key, self.secret = key.id, key.secret
            files = PictureFiles.open("", folder=self.folder / "files")
            database.reserve = self.reserve
            yield create_app(PlatformContext(database, clock, "4.0.0", files, most=self.most))
        finally:
            await database.close()
