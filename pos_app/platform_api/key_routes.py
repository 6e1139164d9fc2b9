"""The keys of the caller's account: listed, made, revoked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.http_front.requests import query_of
from pos_app.platform_api import routing
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.errors import ScopeMissing
from pos_app.platform_api.keys import KeyHolder, NewKey, keys_of, make_key, revoke_key, rotate_key
from pos_app.wire.keys_and_clients import key_to_json, read_key, revoked_to_json
from pos_app.wire.strict_json import dumps


class KeyRoutes:
    def __init__(self, context: PlatformContext, authentication: Authentication) -> None:
        self._context = context
        self._authentication = authentication

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        keys, scopes = f"{routing.BASE}/keys", (KeyScope.APPLICATION,)
        return [
            Endpoint("GET", keys, cls.list_all, "listKeys", scopes),
            Endpoint("POST", keys, cls.add, "addKey", scopes),
            Endpoint("POST", f"{keys}/{{id}}/rotate", cls.rotate, "rotateKey", scopes),
            Endpoint("DELETE", f"{keys}/{{id}}", cls.revoke, "deleteKey", scopes),
        ]

    async def list_all(self, request: Request, caller: KeyHolder) -> Response:
        """GET /keys: 200 with the keys that are not revoked, without their secrets."""
        query_of(request)
        async with self._context.database.reading() as connection:
            found = await keys_of(connection, caller.account_id)
        entries = [
            key_to_json(
                key.terms, key_id=key.id, created_at=key.created_at, used_at=key.last_used_at
            )
            for key in found
            if key.revoked_at is None
        ]
        return Response(dumps(entries), media_type=JSON)

    async def add(self, request: Request, caller: KeyHolder) -> Response:
        """POST /keys: 201 with the key and, this once, its secret. A key can't give a scope that it
        lacks itself."""
        query_of(request)
        terms = read_key(await routing.document_of(request, caller, self._context.slow_work))
        if beyond := sorted(set(terms.scopes) - caller.scopes):
            raise ScopeMissing("to_give", scope=beyond[0])
        now = self._context.clock.now()
        async with self._storing(caller) as connection:
            made = await make_key(connection, caller.account_id, terms, now=now, by=caller)
        return _new(made, terms, now)

    async def rotate(self, request: Request, caller: KeyHolder) -> Response:
        """POST /keys/{Id}/rotate: 201 with a key of the same terms; the old one is refused from the
        first use of the new one on."""
        query_of(request)
        await routing.body_of(request)
        key_id, now = request.path_params["id"], self._context.clock.now()
        async with self._storing(caller) as connection:
            made, terms = await rotate_key(connection, key_id, by=caller, now=now)
        return _new(made, terms, now)

    async def revoke(self, request: Request, caller: KeyHolder) -> Response:
        """DELETE /keys/{Id}: 200 with {}; the key is refused from then on. For a key that was
        revoked before, 200 with `revokedAt`."""
        query_of(request)
        await routing.body_of(request)
        key_id = request.path_params["id"]
        now = self._context.clock.now()
        async with self._context.database.writing() as connection:
            before = await revoke_key(connection, key_id, by=caller, now=now)
        self._authentication.forget(key_id)
        return Response(dumps(revoked_to_json(before)), media_type=JSON)

    @asynccontextmanager
    async def _storing(self, caller: KeyHolder) -> AsyncIterator[AsyncConnection]:
        async with (
            self._context.database.writing() as connection,
            self._context.quotas.storing(connection, caller.account_id),
        ):
            yield connection


def _new(made: NewKey, terms: KeyTerms, now: datetime) -> Response:
    members = key_to_json(terms, key_id=made.id, created_at=now, used_at=None)
    return Response(dumps({**members, "secret": made.secret}), 201, media_type=JSON)
