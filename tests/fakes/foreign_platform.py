"""A platform of the contract, in memory and over real HTTP, that differs from ours on demand.

It keeps products as they were sent, and has no units unless it is given some.
"""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.fakes.faulty_front import App, FaultyFront

KEY, SECRET = "pk_test", "s-e-c-r-e-t"


@dataclass
class ForeignPlatform(FaultyFront):
    """since: whether `updatedSince` is known, refused, or ignored in silence.

    hidden: ids that lists leave out, so that a list is well-formed but incomplete.
    """

    since: Literal["known", "refused", "ignored"] = "known"
    has_etag: bool = True
    says_unchanged: bool = False
    """Whether every list is answered with 304."""
    has_versions: bool = True
    has_units: bool = True
    changes_names: Literal["no", "without order"] = "no"
    """Whether units and categories can be changed."""
    lacks_writes: bool = False
    takes_back: bool = True
    """Whether a change with an empty `deletedAt` brings a deleted product back."""
    hidden: frozenset[str] = frozenset()
    products: dict[str, dict[str, Any]] = field(default_factory=dict)
    stores: list[dict[str, Any]] = field(default_factory=lambda: [{"id": "s1", "name": "Липа"}])
    units: list[dict[str, Any]] = field(default_factory=list)
    categories: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    upload_answer: str | None = None
    """The answer to an uploaded file, in place of the usual one."""
    duplicate_status: int = 400
    """The status for a code or EAN that exists."""
    keeps_nothing: bool = False
    """Whether a product that is added is answered and not kept."""
    added_answer: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """Makes the answer to an added product from the right one."""
    changed_answer: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """Makes the answer to a changed product from the right one."""
    key: str = KEY
    secret: str = SECRET
    _revision: int = 0

    # --- as a person over there ---------------------------------------------------------------

    def add(self, **members: Any) -> dict[str, Any]:
        new = {"taxRateLabel": "Е", "productType": "product", "id": str(uuid.uuid4()), **members}
        new.setdefault("sku", self._next_sku())
        self.products[new["id"]] = new
        return self._stamp(new)

    def change(self, product_id: str, **members: Any) -> dict[str, Any]:
        if "variants" in members:
            members["variants"] = [{"id": str(uuid.uuid4()), **one} for one in members["variants"]]
        self.products[product_id].update(members)
        return self._stamp(self.products[product_id])

    def remove(self, product_id: str) -> None:
        one = self._stamp(self.products[product_id])
        one["deletedAt"] = one["updatedAt"]

    def live(self) -> dict[str, dict[str, Any]]:
        return {key: one for key, one in self.products.items() if not one.get("deletedAt")}

    # --- over HTTP ----------------------------------------------------------------------------

    @contextmanager
    def open(self) -> Iterator[ForeignPlatform]:
        with self.serving(self._opened):
            yield self

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[App]:
        one = "/v2/products/{id}"
        yield Starlette(
            routes=[
                Route("/v2/stores", self._stores),
                Route("/v2/units", self._units),
                Route("/v2/units", self._add_unit, methods=["POST"]),
                Route("/v2/categories", self._categories),
                Route("/v2/categories", self._add_category, methods=["POST"]),
                Route("/files/{name}", self._file),
                Route("/v2/files", self._upload, methods=["POST"]),
                Route("/v2/products", self._list),
                Route("/v2/products", self._add, methods=["POST"]),
                Route(one, self._update, methods=["PATCH", "PUT"]),
                Route(one, self._delete, methods=["DELETE"]),
                Route("/v2/{names}/{id}", self._change_name, methods=["PATCH", "DELETE"]),
            ]
        )

    async def _stores(self, request: Request) -> Response:
        return JSONResponse(self.stores) if self._knows(request) else _UNAUTHORIZED

    async def _units(self, request: Request) -> Response:
        return JSONResponse(self.units) if self.has_units else _problem(404, 40400001, "Not found")

    async def _categories(self, request: Request) -> Response:
        if not self.has_units:
            return _problem(404, 40400001, "Not found")
        return JSONResponse(self.categories)

    async def _add_unit(self, request: Request) -> Response:
        return await self._add_name(self.units, request)

    async def _add_category(self, request: Request) -> Response:
        return await self._add_name(self.categories, request)

    async def _add_name(self, listed: list[dict[str, Any]], request: Request) -> Response:
        """Take a unit or category; its id is its number in the list."""
        if not self.has_units:
            return _problem(404, 40400001, "Not found")
        listed.append({"id": str(len(listed) + 1), **await request.json()})
        return JSONResponse(listed[-1], 201)

    async def _change_name(self, request: Request) -> Response:
        """Change or delete a unit or category; a position is ignored."""
        names, name_id = (request.path_params[one] for one in ("names", "id"))
        listed = {"units": self.units, "categories": self.categories}.get(names)
        if listed is None or self.changes_names == "no":
            return _problem(404, 40400001, "Not found")
        one = next(one for one in listed if one["id"] == name_id)
        if request.method == "DELETE":
            listed.remove(one)
            return JSONResponse({})
        members = await request.json()
        one.update({name: text for name, text in members.items() if name != "position"})
        return JSONResponse(one)

    async def _file(self, request: Request) -> Response:
        content = self.files.get(request.path_params["name"])
        return Response(content) if content is not None else _problem(404, 40400001, "Not found")

    async def _upload(self, request: Request) -> Response:
        """Take a file and keep it with the parts of the form around it."""
        content = await request.body()
        name = f"uploaded{len(self.files) or ''}"
        self.files[name] = content
        if self.upload_answer is not None:
            return Response(self.upload_answer, 201)
        return JSONResponse({"id": name, "filename": name}, 201)

    async def _list(self, request: Request) -> Response:
        if not self._knows(request):
            return _UNAUTHORIZED
        since = request.query_params.get("updatedSince")
        if since is not None and self.since == "refused":
            return _problem(400, 40090001, '"updatedSince" is not allowed', "updatedSince")
        headers = {"ETag": f'"{self._revision}"'} if self.has_etag else {}
        if self.has_versions:
            headers["X-Catalogue-Revision"] = str(self._revision)
        if self.says_unchanged:
            return Response(status_code=304)
        if self.has_etag and request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        if since is not None and self.since == "known":
            listed = [one for one in self.products.values() if one["updatedAt"] >= since]
        else:
            listed = [one for key, one in self.live().items() if key not in self.hidden]
        body = json.dumps(listed, ensure_ascii=False)
        return Response(body, headers=headers, media_type="application/json")

    async def _add(self, request: Request) -> Response:
        members = await request.json()
        if not self._knows(request):
            return _UNAUTHORIZED
        if self.lacks_writes:
            return _problem(404, 40400001, "Not found")
        if (taken := self._taken(members, "")) is not None:
            return taken
        variants = [{"id": str(uuid.uuid4()), **one} for one in members.get("variants", ())]
        added = self.add(**{**members, "variants": variants})
        if self.keeps_nothing:
            del self.products[added["id"]]
        return JSONResponse(self.added_answer(added) if self.added_answer else added, 201)

    async def _update(self, request: Request) -> Response:
        members, product_id = await request.json(), request.path_params["id"]
        comes_back = self.takes_back and "deletedAt" in members and product_id in self.products
        if not (product_id in self.live() or comes_back) or self.lacks_writes:
            return _problem(404, 40400001, "Product not found")
        now = self.products[product_id]["updatedAt"]
        if self.has_versions and request.headers.get("if-match", f'"{now}"') != f'"{now}"':
            return _problem(409, 40900001, "the product has changed since")
        if (taken := self._taken(members, product_id)) is not None:
            return taken
        changed = self.change(product_id, **members)
        return JSONResponse(self.changed_answer(changed) if self.changed_answer else changed)

    async def _delete(self, request: Request) -> Response:
        product_id = request.path_params["id"]
        if product_id not in self.live():
            return _problem(404, 40400001, "Product not found")
        self.remove(product_id)
        return JSONResponse({})

    def _knows(self, request: Request) -> bool:
        told = base64.b64encode(f"{self.key}:{self.secret}".encode()).decode()
        return request.headers.get("authorization") == f"Basic {told}"

    def _taken(self, members: dict[str, Any], product_id: str) -> Response | None:
        for name in ("sku", "ean"):
            told = members.get(name)
            others = (one for key, one in self.products.items() if key != product_id)
            if told is not None and any(one.get(name) == told for one in others):
                return _problem(
                    self.duplicate_status, 40090002, f'"{name}" {told} already exists', name
                )
        return None

    def _next_sku(self) -> int:
        return max((one.get("sku") or 0 for one in self.products.values()), default=0) + 1

    def _stamp(self, one: dict[str, Any]) -> dict[str, Any]:
        """Give it an `updatedAt` that is later than every one before."""
        self._revision += 1
        at = datetime(2026, 11, 20, 10, tzinfo=UTC) + timedelta(milliseconds=self._revision)
        one["updatedAt"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return one


def _problem(status: int, code: int, message: str, key: str = "") -> Response:
    validation = {"body": {"source": "body", "keys": [key], "message": message}} if key else {}
    told = {"code": code, "errorCode": code, "name": "Error", "class": "fix", "message": message}
    return JSONResponse({**told, "validation": validation}, status)


_UNAUTHORIZED = _problem(401, 40100001, "Unauthorized")
