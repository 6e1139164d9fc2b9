"""The routes of the page "Platform and keys": setup, trials, changes; keys and stores.

All need the install token. Secrets come in and never go out, except that of a new key, once.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup import platform_setup
from pos_app.errors import Invalid, NotFound
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.context import ApiContext, PlatformAtServer, then_reopened
from pos_app.local_api.headers import idempotency_key
from pos_app.wire import records
from pos_app.wire.reading import read
from pos_app.wire.server import AddKeyBody, AddStoreBody, DecidedByBody
from pos_app.wire.strict_json import dumps, loads


class PlatformRoutes:
    def __init__(self, *, context: ApiContext) -> None:
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", "/till/platform", cls.setup),
            Endpoint("PUT", "/till/platform", cls.change),
            Endpoint("POST", "/till/platform/test", cls.try_out),
            Endpoint("GET", "/till/platform/keys", cls.keys),
            Endpoint("POST", "/till/platform/keys", cls.add_key),
            Endpoint("POST", "/till/platform/keys/{id}/rotate", cls.rotate_key),
            Endpoint("DELETE", "/till/platform/keys/{id}", cls.revoke_key),
            Endpoint("POST", "/till/platform/stores", cls.add_store),
            Endpoint("PUT", "/till/platform/stores/{id}", cls.change_store),
        ]

    @property
    def _setup_service(self) -> PlatformAtServer:
        setup_service = self._context.platform_setup
        if setup_service is None:
            raise NotFound("platform_setup")
        return setup_service

    async def setup(self, request: Request) -> Response:
        """GET /till/platform: the setup."""
        setup = await self._setup_service.setup()
        return Response(records.written(platform_setup.PlatformSetup, setup), media_type=JSON)

    async def change(self, request: Request) -> Response:
        """PUT /till/platform: a manager's act; the server opens the shop anew after the answer."""
        document = loads(await request.body())
        body = read(DecidedByBody, document)
        await self._setup_service.change(
            records.from_json(platform_setup.PlatformChange, document), by=body.by
        )
        return then_reopened(self._context)

    async def try_out(self, request: Request) -> Response:
        """POST /till/platform/test: the platform's answers to the typed setup. Nothing changes."""
        change = records.from_json(platform_setup.PlatformChange, loads(await request.body()))
        trial = await self._setup_service.try_out(change)
        return Response(records.written(platform_setup.PlatformTrial, trial), media_type=JSON)

    async def keys(self, request: Request) -> Response:
        """GET /till/platform/keys: the account's keys, without their secrets."""
        entries = await self._setup_service.keys()
        return Response(records.written_list(platform_setup.PlatformKey, entries), media_type=JSON)

    async def add_key(self, request: Request) -> Response:
        """POST /till/platform/keys: makes a key, and answers with its secret this once."""
        body = read(AddKeyBody, loads(await request.body()))
        made = await self._setup_service.add_key(body.terms, press=_press_of(request))
        return Response(records.written(platform_setup.NewPlatformKey, made), media_type=JSON)

    async def rotate_key(self, request: Request) -> Response:
        """POST /till/platform/keys/{id}/rotate: makes a key of the same terms, and answers with its
        secret this once. The first use of the new key ends the old one."""
        key_id = request.path_params["id"]
        made = await self._setup_service.rotate_key(key_id, press=_press_of(request))
        return Response(records.written(platform_setup.NewPlatformKey, made), media_type=JSON)

    async def revoke_key(self, request: Request) -> Response:
        """DELETE /till/platform/keys/{id}: the key is refused from then on."""
        await self._setup_service.revoke_key(request.path_params["id"])
        return Response(b"{}", media_type=JSON)

    async def add_store(self, request: Request) -> Response:
        """POST /till/platform/stores: makes a store, which a platform may bill."""
        body = read(AddStoreBody, loads(await request.body()))
        made = await self._setup_service.add_store(body.name, press=_press_of(request))
        return Response(records.written(platform_setup.PlatformStore, made), media_type=JSON)

    async def change_store(self, request: Request) -> Response:
        """PUT /till/platform/stores/{id}: changes members as the platform's PATCH takes them. The
        body also has their earlier values; the answer is the platform's store."""
        body: Any = loads(await request.body())
        changed, was = (
            body.get(name) if isinstance(body, dict) else None for name in ("changed", "was")
        )
        if not isinstance(changed, dict) or not isinstance(was, dict):
            raise Invalid("objects", field="changed")
        shown = await self._setup_service.change_store(request.path_params["id"], changed, was=was)
        return Response(dumps(shown), media_type=JSON)


def _press_of(request: Request) -> str:
    return idempotency_key(request.headers) or ""
