"""Lists, adds, changes and deletes rows of an account, one table for each resource.

A row has the JSON of its answer, so that a list is copied out row by row.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Row, Table, and_, insert, select, update
from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.errors import NotAllowed, NotFound
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.http_front.requests import query_of
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api import routing
from pos_app.platform_api.accounts import CatalogueWrite, catalogue_write
from pos_app.platform_api.audit import Audited, record
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import HERE, HERE_MARK
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.listing import answer_list, answer_one
from pos_app.wire.audit import Change, changes_of, name_of
from pos_app.wire.moment import instant_text
from pos_app.wire.row import check_living, is_deleted_row, members_of, row_to_json
from pos_app.wire.strict_json import dumps, loads, written

_HERE_AS_JSON = dumps(HERE_MARK).decode().strip('"')

Members = dict[str, Any]
AccountRow = Row[Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """A row to be written. members: the members of its JSON, without id and instants. size: their
    approximate number of characters, if it may be large."""

    members: Members
    created_at: datetime | None = None
    deleted_at: datetime | None = None
    size: int = 0


class Resource:
    """The rows of one table, under one path."""

    path: str
    noun: str
    table: Table
    scopes: tuple[KeyScope, ...] = (KeyScope.CATALOGUE,)
    reading: tuple[KeyScope, ...] = ()
    may_be_restored = False
    """Whether a body with `deletedAt` may change a deleted row."""

    def __init__(self, context: PlatformContext, authentication: Authentication) -> None:
        self._context = context
        self._authentication = authentication

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        every, noun = f"{routing.BASE}{cls.path}", cls.noun
        one, scopes = f"{every}/{{id}}", cls.scopes
        return [
            Endpoint("GET", every, cls.list_all, cls.listing(), (*scopes, *cls.reading)),
            Endpoint("POST", every, cls.add, f"add{noun}", scopes),
            Endpoint("PATCH", one, cls.change, f"update{noun}", scopes),
            Endpoint("PUT", one, cls.change, f"put{noun}", scopes),
            Endpoint("DELETE", one, cls.delete, f"delete{noun}", scopes),
        ]

    @classmethod
    def listing(cls) -> str:
        return f"list{cls.path[1:].capitalize()}"

    # --- what each resource says itself -------------------------------------------------------

    async def prepared(self, caller: KeyHolder, body: object, *, is_new: bool) -> Any:
        """Prepare a body for its draft, as far as possible before anything is locked. Raises
        Invalid."""
        return body

    async def draft_new(self, write: CatalogueWrite, row_id: str, body: Any) -> Draft:
        """Return the new row of a prepared body. Raises Invalid, Duplicate."""
        raise NotImplementedError

    async def draft_changed(self, write: CatalogueWrite, row: AccountRow, body: Any) -> Draft:
        """Return the changed row of a prepared body. Raises Invalid, Duplicate."""
        raise NotImplementedError

    async def on_written(self, write: CatalogueWrite, row_id: str, draft: Draft) -> None:
        """Write the data that belong to a row that was just written."""

    # --- requests ------------------------------------------------------------

    async def list_all(self, request: Request, caller: KeyHolder) -> Response:
        """GET: 200 with all rows in one array, or 304."""
        return await answer_list(self._context, self.table, request, caller)

    async def add(self, request: Request, caller: KeyHolder) -> Response:
        """POST: 201 with the row."""
        query_of(request)
        body = await routing.document_of(request, caller, self._context.slow_work)
        row_id, prepared = str(uuid4()), await self.prepared(caller, body, is_new=True)
        async with self._write(caller) as write:
            draft = await self.draft_new(write, row_id, prepared)
            text = await self._insert(write, row_id, draft)
            await self.on_written(write, row_id, draft)
            await self._record_made(write, caller, row_id, draft)
        return await answer_one(self._context, request, text, status=201)

    async def change(self, request: Request, caller: KeyHolder) -> Response:
        """PATCH or PUT: 200 with the changed row."""
        query_of(request)
        body = await routing.document_of(request, caller, self._context.slow_work)
        prepared = await self.prepared(caller, body, is_new=False)
        async with self._write(caller) as write:
            row = await self._row(write, request)
            if row.deleted_at is not None and not (self.may_be_restored and is_deleted_row(body)):
                raise NotFound("row", noun=self.noun)
            draft = await self.draft_changed(write, row, prepared)
            size, text = len(row.document), row.document
            if not await self._context.slow_work.done_locked(size, _is_same, row, draft):
                text = await self._update(write, row, draft)
                await self.on_written(write, row.id, draft)
                await self._record_changed(write, caller, row, draft)
        return await answer_one(self._context, request, text)

    async def delete(self, request: Request, caller: KeyHolder) -> Response:
        """DELETE: 200 with {}; a body is read and ignored."""
        query_of(request)
        await routing.body_of(request)
        async with self._any_write(caller) as write:
            row = await self._row(write, request)
            if row.deleted_at is not None:
                raise NotFound("row", noun=self.noun)
            stamp = write.stamp()
            size = len(row.document)
            members = await self._context.slow_work.done_locked(size, kept_members, row.document)
            draft = Draft(members, row.created_at, stamp.at, size)
            await self._update(write, row, draft)
            await self.on_written(write, row.id, draft)
            await self._record_changed(write, caller, row, draft)
        return Response(b"{}", media_type=JSON)

    # --- the audit log -------------------------------------------------------

    def _done(self, caller: KeyHolder, act: AuditAct, row_id: str, draft: Draft) -> Audited:
        kind = AuditKind(self.noun.lower())
        return Audited(kind, act, row_id, name_of(draft.members), caller.key_id)

    async def _record_made(
        self, write: CatalogueWrite, caller: KeyHolder, row_id: str, draft: Draft
    ) -> None:
        """Record that a store was made. For other rows their `createdAt` is enough."""
        done = self._done(caller, AuditAct.MADE, row_id, draft)
        if done.kind is AuditKind.STORE:
            await record(write.connection, write.account_id, done, now=write.stamp().at)

    async def _record_changed(
        self, write: CatalogueWrite, caller: KeyHolder, row: AccountRow, draft: Draft
    ) -> None:
        was, now = row.deleted_at is not None, draft.deleted_at is not None
        act = AuditAct.CHANGED
        if was is not now:
            act = AuditAct.DELETED if now else AuditAct.RESTORED
        done = self._done(caller, act, row.id, draft)
        if act is not AuditAct.DELETED:
            size, slow = len(row.document), self._context.slow_work
            changes = await slow.done_locked(size, _changes, done.kind, row.document, draft.members)
            done = replace(done, changes=changes)
        if done.changes or act is not AuditAct.CHANGED:
            await record(write.connection, write.account_id, done, now=write.stamp().at)

    # --- rows ------------------------------------------------------------

    @asynccontextmanager
    async def _write(self, caller: KeyHolder) -> AsyncIterator[CatalogueWrite]:
        """Run a write that may make the account grow. Raises QuotaReached."""
        async with (
            self._any_write(caller) as write,
            self._context.quotas.storing(write.connection, caller.account_id),
        ):
            yield write

    @asynccontextmanager
    async def _any_write(self, caller: KeyHolder) -> AsyncIterator[CatalogueWrite]:
        context, account = self._context, caller.account_id
        async with (
            context.slow_work.writing(account, is_shared=context.database.is_shared),
            catalogue_write(context.database, account, context.clock.now()) as write,
        ):
            yield write

    async def _row(self, write: CatalogueWrite, request: Request) -> AccountRow:
        """Return the row of the path, also a deleted one. Raises NotFound, and NotAllowed where the
        caller knows an older version."""
        mine = and_(
            self.table.c.id == routing.id_of(request, self.noun),
            self.table.c.account_id == write.account_id,
        )
        row = (await write.connection.execute(select(self.table).where(mine))).first()
        if row is None:
            raise NotFound("row", noun=self.noun)
        version = routing.if_match(request)
        if version is not None and version != instant_text(row.updated_at):
            raise NotAllowed("version", noun=self.noun)
        return row

    async def _insert(self, write: CatalogueWrite, row_id: str, draft: Draft) -> str:
        stamp = write.stamp()
        created_at = draft.created_at or stamp.at
        text = await self._rendered(row_id, draft, created_at, stamp.at)
        await write.connection.execute(
            insert(self.table).values(
                id=row_id,
                account_id=write.account_id,
                number=stamp.revision,
                revision=stamp.revision,
                created_at=created_at,
                updated_at=stamp.at,
                deleted_at=draft.deleted_at,
                document=text,
            )
        )
        return text

    async def _rendered(
        self, row_id: str, draft: Draft, created_at: datetime, updated_at: datetime
    ) -> str:
        arguments = (row_id, draft.members, created_at, updated_at, draft.deleted_at)
        return await self._context.slow_work.done_locked(draft.size, rendered, *arguments)

    async def _update(self, write: CatalogueWrite, row: AccountRow, draft: Draft) -> str:
        stamp = write.stamp()
        text = await self._rendered(row.id, draft, row.created_at, stamp.at)
        await write.connection.execute(
            update(self.table)
            .where(self.table.c.id == row.id)
            .values(
                revision=stamp.revision,
                updated_at=stamp.at,
                deleted_at=draft.deleted_at,
                document=text,
            )
        )
        return text


class PlainResource(Resource):
    """A resource whose members are those of the body."""

    @staticmethod
    def read(document: object, before: Mapping[str, Any] | None) -> Members:
        """Return all members after a body's change, or of a new row. Raises Invalid."""
        raise NotImplementedError

    async def draft_new(self, write: CatalogueWrite, row_id: str, body: object) -> Draft:
        check_living(body)
        return Draft(self.read(body, None))

    async def draft_changed(self, write: CatalogueWrite, row: AccountRow, body: object) -> Draft:
        check_living(body)
        return Draft(self.read(body, kept_members(row.document)), row.created_at, row.deleted_at)


# --- JSON ------------------------------------------------------------


def rendered(
    row_id: str,
    members: Mapping[str, Any],
    created_at: datetime,
    updated_at: datetime,
    deleted_at: datetime | None,
) -> str:
    """Return the JSON of a row, as it is stored."""
    row = row_to_json(row_id, members, created_at, updated_at, deleted_at)
    return written(row).replace(_HERE_AS_JSON, HERE)


def kept_members(text: str) -> Members:
    row = loads(text.replace(HERE, _HERE_AS_JSON))
    assert isinstance(row, dict)
    return members_of(row)


def _changes(kind: AuditKind, text: str, members: Members) -> list[Change]:
    return changes_of(kind, kept_members(text), members)


def _is_same(row: AccountRow, draft: Draft) -> bool:
    kept = rendered(row.id, draft.members, row.created_at, row.updated_at, draft.deleted_at)
    return kept == str(row.document)
