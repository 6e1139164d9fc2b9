"""The clients of an account: listed, renamed, deleted."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Row, and_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.errors import NotFound
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.http_front.requests import query_of
from pos_app.platform_api import routing
from pos_app.platform_api.audit import Audited, check_account, record
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import CLIENT
from pos_app.platform_api.keys import KeyHolder
from pos_app.wire.keys_and_clients import client_to_json, read_client_name
from pos_app.wire.strict_json import dumps


class ClientRoutes:
    def __init__(self, context: PlatformContext, authentication: Authentication) -> None:
        self._context = context
        self._authentication = authentication

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        clients, write = f"{routing.BASE}/clients", (KeyScope.APPLICATION,)
        one, read = f"{clients}/{{id}}", (*write, KeyScope.FISCALIZATION)
        return [
            Endpoint("GET", clients, cls.list_all, "listClients", read),
            Endpoint("PATCH", one, cls.rename, "updateClient", write),
            Endpoint("PUT", one, cls.rename, "putClient", write),
            Endpoint("DELETE", one, cls.delete, "deleteClient", write),
        ]

    async def list_all(self, request: Request, caller: KeyHolder) -> Response:
        """GET /clients: 200 with the clients of the account."""
        query_of(request)
        mine = and_(CLIENT.c.account_id == caller.account_id, CLIENT.c.deleted_at.is_(None))
        query = select(CLIENT).where(mine).order_by(CLIENT.c.created_at, CLIENT.c.id)
        async with self._context.database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return Response(dumps([_client_document(row) for row in rows]), media_type=JSON)

    async def rename(self, request: Request, caller: KeyHolder) -> Response:
        """PATCH or PUT /clients/{Id}: 200 with the client."""
        query_of(request)
        name = read_client_name(await routing.document_of(request, caller, self._context.slow_work))
        async with (
            self._context.database.writing() as connection,
            self._context.quotas.storing(connection, caller.account_id),
        ):
            row = await self._row(connection, request, caller)
            if name is not None and name != row.name:
                values = {"name": name, "updated_at": self._context.clock.now()}
                await connection.execute(update(CLIENT).where(_mine(request, caller)), values)
                row = await self._row(connection, request, caller)
        return Response(dumps(_client_document(row)), media_type=JSON)

    async def delete(self, request: Request, caller: KeyHolder) -> Response:
        """DELETE /clients/{Id}: 200 with {}. An application that still runs registers again."""
        query_of(request)
        await routing.body_of(request)
        async with self._context.database.writing() as connection:
            row, now = await self._row(connection, request, caller), self._context.clock.now()
            values = {"deleted_at": now}
            await connection.execute(update(CLIENT).where(_mine(request, caller)), values)
            await check_account(connection, caller.account_id, lock=True)
            kind, act = AuditKind.CLIENT, AuditAct.DELETED
            done = Audited(kind, act, row.id, row.name, caller.key_id)
            await record(connection, caller.account_id, done, now=now)
        return Response(b"{}", media_type=JSON)

    async def _row(
        self, connection: AsyncConnection, request: Request, caller: KeyHolder
    ) -> Row[Any]:
        row = (await connection.execute(select(CLIENT).where(_mine(request, caller)))).first()
        if row is None:
            raise NotFound("client")
        return row


def _mine(request: Request, caller: KeyHolder) -> ColumnElement[bool]:
    return and_(
        CLIENT.c.id == routing.id_of(request, "Client"),
        CLIENT.c.account_id == caller.account_id,
        CLIENT.c.deleted_at.is_(None),
    )


def _client_document(row: Row[Any]) -> dict[str, Any]:
    return client_to_json(
        client_id=row.id,
        name=row.name,
        store_id=row.store_id,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_seen_at=row.last_seen_at,
    )
