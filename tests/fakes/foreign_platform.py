"""A platform of the contract, in memory and over real HTTP, that can be as foreign as it is told.

It keeps products as they were sent, has no units unless told, and fails when it is asked to.
"""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.ports import free_port

KEY, SECRET = "pk_test", "s-e-c-r-e-t"


class Lost(Exception):
    """The connection is cut before the answer."""


@dataclass
class ForeignPlatform:
    """since: whether `updatedSince` is known, refused, or ignored in silence."""

    since: Literal["known", "refused", "ignored"] = "known"
    has_etag: bool = True
    has_versions: bool = True
    has_units: bool = True
    asks: list[str] = field(default_factory=list)
    """Method and path with query of every request, in order."""
    faults: list[str] = field(default_factory=list)
    """What happens to the next requests that change something, one each: "lost" or "500" before it
    is done, "lost-after" or "500-after" once it is done, "429", "401"; "" lets one pass."""
    cut_list: int = 0
    """So many bytes of a list come, then the line is cut."""
    hidden: frozenset[str] = frozenset()
    """Ids that lists leave out: half a list that is well-formed."""
    products: dict[str, dict[str, Any]] = field(default_factory=dict)
    stores: list[dict[str, Any]] = field(default_factory=lambda: [{"id": "s1", "name": "Липа"}])
    units: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    _revision: int = 0

    # --- as a person over there ---------------------------------------------------------------

    def add(self, **members: Any) -> dict[str, Any]:
        """Put a product in; its stored form."""
        new = {"taxRateLabel": "Е", "productType": "product", "id": str(uuid.uuid4()), **members}
        new.setdefault("sku", self._next_sku())
        self.products[new["id"]] = new
        return self._stamp(new)

    def change(self, product_id: str, **members: Any) -> dict[str, Any]:
        self.products[product_id].update(members)
        return self._stamp(self.products[product_id])

    def remove(self, product_id: str) -> None:
        one = self._stamp(self.products[product_id])
        one["deletedAt"] = one["updatedAt"]

    def live(self) -> dict[str, dict[str, Any]]:
        """What is not deleted, by id."""
        return {key: one for key, one in self.products.items() if not one.get("deletedAt")}

    def writes(self) -> list[str]:
        """The requests that would change something."""
        return [one for one in self.asks if not one.startswith("GET")]

    # --- over HTTP ----------------------------------------------------------------------------

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Answer in a thread; the base address."""
        port = free_port()
        config = uvicorn.Config(self.app(), port=port, log_level="critical", lifespan="off")
        server = uvicorn.Server(config)
        ready = threading.Event()

        async def serve() -> None:
            task = asyncio.ensure_future(server.serve())
            while not server.started and not task.done():
                await asyncio.sleep(0.005)
            ready.set()
            await task

        thread = threading.Thread(target=lambda: asyncio.run(serve()))
        thread.start()
        ready.wait(20)
        self.url = f"http://127.0.0.1:{port}/v2"
        try:
            yield self.url
        finally:
            server.should_exit = True
            thread.join()

    def app(self) -> Any:
        one = "/v2/products/{id}"
        routes = [
            Route("/v2/stores", self._stores),
            Route("/v2/units", self._units),
            Route("/v2/products", self._list),
            Route("/v2/products", self._add, methods=["POST"]),
            Route(one, self._update, methods=["PATCH", "PUT"]),
            Route(one, self._delete, methods=["DELETE"]),
        ]
        app = Starlette(routes=routes)

        async def guarded(scope: Any, receive: Any, send: Any) -> None:
            """Uvicorn cuts the connection where an application ends without an answer."""
            begun = False

            async def noted(message: Any) -> None:
                nonlocal begun
                begun = True
                await send(message)

            try:
                await app(scope, receive, noted)
            except Lost:
                if not begun:
                    headers = [(b"content-length", b"9")]
                    await send({"type": "http.response.start", "status": 200, "headers": headers})

        return guarded

    async def _stores(self, request: Request) -> Response:
        self._note(request)
        return JSONResponse(self.stores)

    async def _units(self, request: Request) -> Response:
        self._note(request)
        return JSONResponse(self.units) if self.has_units else _problem(404, 40400001, "Not found")

    async def _list(self, request: Request) -> Response:
        self._note(request)
        if not _knows(request):
            return _problem(401, 40100001, "Unauthorized")
        since = request.query_params.get("updatedSince")
        if since is not None and self.since == "refused":
            return _problem(400, 40090001, '"updatedSince" is not allowed', "updatedSince")
        headers = {"ETag": f'"{self._revision}"'} if self.has_etag else {}
        if self.has_versions:
            headers["X-Catalogue-Revision"] = str(self._revision)
        if self.has_etag and request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        if since is not None and self.since == "known":
            listed = [one for one in self.products.values() if one["updatedAt"] >= since]
        else:
            listed = [one for key, one in self.live().items() if key not in self.hidden]
        return StreamingResponse(
            self._streamed(json.dumps(listed, ensure_ascii=False).encode()),
            headers=headers,
            media_type="application/json",
        )

    async def _streamed(self, body: bytes) -> AsyncIterator[bytes]:
        if self.cut_list:
            yield body[: self.cut_list]
            raise Lost
        yield body

    async def _add(self, request: Request) -> Response:
        members = await request.json()
        if (early := self._begin(request)) is not None:
            return early
        if (taken := self._taken(members, "")) is not None:
            return taken
        variants = [{"id": str(uuid.uuid4()), **one} for one in members.get("variants", ())]
        made = self.add(**{**members, "variants": variants})
        return self._end(JSONResponse(made, 201))

    async def _update(self, request: Request) -> Response:
        members = await request.json()
        product_id = request.path_params["id"]
        if (early := self._begin(request)) is not None:
            return early
        if product_id not in self.live():
            return _problem(404, 40400001, "Product not found")
        now = self.products[product_id]["updatedAt"]
        if self.has_versions and request.headers.get("if-match", f'"{now}"') != f'"{now}"':
            return _problem(409, 40900001, "the product has changed since")
        if (taken := self._taken(members, product_id)) is not None:
            return taken
        return self._end(JSONResponse(self.change(product_id, **members)))

    async def _delete(self, request: Request) -> Response:
        product_id = request.path_params["id"]
        if (early := self._begin(request)) is not None:
            return early
        if product_id not in self.live():
            return _problem(404, 40400001, "Product not found")
        self.remove(product_id)
        return self._end(JSONResponse({}))

    # --- faults -------------------------------------------------------------------------------

    def _note(self, request: Request) -> None:
        query = f"?{request.url.query}" if request.url.query else ""
        self.asks.append(f"{request.method} {request.url.path}{query}")

    def _begin(self, request: Request) -> Response | None:
        self._note(request)
        if not _knows(request):
            return _problem(401, 40100001, "Unauthorized")
        fault = self.faults[0] if self.faults else ""
        if fault.endswith("-after"):
            return None
        if self.faults:
            self.faults.pop(0)
        if fault == "lost":
            raise Lost
        return JSONResponse({"message": "a fault"}, int(fault)) if fault else None

    def _end(self, answer: Response) -> Response:
        if self.faults and self.faults[0].endswith("-after"):
            if self.faults.pop(0) == "lost-after":
                raise Lost
            return JSONResponse({"message": "a fault"}, 500)
        return answer

    def _taken(self, members: dict[str, Any], product_id: str) -> Response | None:
        for name in ("sku", "ean"):
            told = members.get(name)
            others = (one for key, one in self.products.items() if key != product_id)
            if told is not None and any(one.get(name) == told for one in others):
                return _problem(400, 40090002, f'"{name}" {told} already exists', name)
        return None

    # --- numbers ------------------------------------------------------------------------------

    def _next_sku(self) -> int:
        return max((one.get("sku") or 0 for one in self.products.values()), default=0) + 1

    def _stamp(self, one: dict[str, Any]) -> dict[str, Any]:
        """Each change is later than the one before."""
        self._revision += 1
        at = datetime(2026, 11, 20, 10, tzinfo=UTC) + timedelta(milliseconds=self._revision)
        one["updatedAt"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return one


def _knows(request: Request) -> bool:
    import base64

    told = base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
    return request.headers.get("authorization") == f"Basic {told}"


def _problem(status: int, code: int, message: str, key: str = "") -> Response:
    validation = {"body": {"source": "body", "keys": [key], "message": message}} if key else {}
    body = {
        "code": code,
        "errorCode": code,
        "name": "Error",
        "class": "fix",
        "message": message,
        "validation": validation,
    }
    return JSONResponse(body, status)
