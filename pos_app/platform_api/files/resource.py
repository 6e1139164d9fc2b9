"""Files that an account uploads. They are served to every caller who knows their address.

The address has the file's id, 122 random bits that only its account gets, so a web shop can link a
product's photo. Within an account the same bytes are the same file. A file that a product shows
can't be deleted.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from typing import Any
from uuid import uuid4

from sqlalchemy import and_, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pos_app import log
from pos_app.domain.article.product import File
from pos_app.errors import MachineError, NotFound
from pos_app.http_front.endpoint import Endpoint
from pos_app.http_front.errors import InvalidPart
from pos_app.http_front.requests import query_of
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import FILE, FILE_CONTENT, HERE_MARK
from pos_app.platform_api.errors import TooManyUploads
from pos_app.platform_api.files import pictures
from pos_app.platform_api.files.lookup import shown_by
from pos_app.platform_api.files.upload import Upload, upload_of
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.listing import answer_one
from pos_app.platform_api.resource import Draft, Resource
from pos_app.platform_api.routing import BASE, id_of
from pos_app.platform_api.slow_work import Turns
from pos_app.wire.file import file_to_json
from pos_app.wire.row import members_of

PATH = "/files"
MOST_UPLOADS = 16
"""Uploads at once in one worker, each with up to 20 MiB in memory."""
MOST_OF_ONE = 8
"""Uploads of one account at once."""
_DRAWN_AT_ONCE = 2
"""Pictures in threads at once: the largest takes up to 420 MB."""
_FOR_GOOD = "public, max-age=31536000, immutable"
_INERT = "default-src 'none'; sandbox"

_log = log.get(__name__)


class Files(Resource):
    path = PATH
    noun = "File"
    table = FILE

    def __init__(self, context: PlatformContext, authentication: Authentication) -> None:
        super().__init__(context, authentication)
        self._drawing = asyncio.Semaphore(_DRAWN_AT_ONCE)
        self._turns = Turns()
        self._uploads: Counter[str] = Counter()

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        one, scopes = f"{BASE}{PATH}/{{id}}", cls.scopes
        return [
            Endpoint("GET", f"{BASE}{PATH}", cls.list_all, cls.listing(), scopes),
            Endpoint("POST", f"{BASE}{PATH}", cls.add, "addFile", scopes),
            Endpoint("GET", one, cls.get_file, "getFile", scopes),
            Endpoint("DELETE", one, cls.delete, "deleteFile", scopes),
            Endpoint("GET", f"{PATH}/{{id}}/{{size}}", cls.content, "picture"),
        ]

    async def get_file(self, request: Request, caller: KeyHolder) -> Response:
        """GET /files/{Id}: 200 with the file."""
        query_of(request)
        mine = and_(
            FILE.c.id == id_of(request, self.noun),
            FILE.c.account_id == caller.account_id,
            FILE.c.deleted_at.is_(None),
        )
        async with self._context.database.reading() as connection:
            row = (await connection.execute(select(FILE).where(mine))).first()
        if row is None:
            raise NotFound("platform_file")
        return await answer_one(self._context, request, row.document)

    async def add(self, request: Request, caller: KeyHolder) -> Response:
        """POST /files: 201 with the file, or 200 with the one that has the same bytes."""
        account = caller.account_id
        if self._uploads.total() >= MOST_UPLOADS or self._uploads[account] >= MOST_OF_ONE:
            raise TooManyUploads()
        self._uploads[account] += 1
        try:
            upload = await upload_of(request, caller, self._context.slow_work)
            mimetype = pictures.given_mimetype(upload.given_type)
            slow_work, content = self._context.slow_work, upload.content
            digest = await slow_work.done(account, len(content), hashlib.sha256, content)
            sha256 = digest.hexdigest()
            async with self._context.database.reading() as connection:
                known = await self._known(connection, caller.account_id, sha256)
            if known is not None:
                return await answer_one(self._context, request, known)
            async with self._turns.of(account), self._drawing:
                picture = await asyncio.to_thread(pictures.read_picture, upload.content, mimetype)
            return await self._added(request, caller, upload, picture, sha256)
        finally:
            self._uploads -= Counter([account])  # the counter keeps no account without uploads

    async def _added(
        self,
        request: Request,
        caller: KeyHolder,
        upload: Upload,
        picture: pictures.Picture,
        sha256: str,
    ) -> Response:
        """Store an uploaded picture. The objects are written first, so that every file in the
        database has its bytes."""
        file_id = str(uuid4())
        sizes = {_object(file_id, size): content for size, content in picture.sizes.items()}
        size, context = sum(map(len, sizes.values())), self._context
        await context.quotas.check_room(context.database, caller.account_id, size)
        try:
            await self._context.files.put_all(sizes)
        except MachineError:
            await self._drop(file_id)
            raise
        draft = Draft(_members(file_id, upload.filename, picture))
        # A write that raises may have succeeded: its objects stay, and the sweep checks them.
        async with self._write(caller) as write:
            known = await self._known(write.connection, caller.account_id, sha256)
            text = known
            if text is None:
                text = await self._insert(write, file_id, draft)
                await write.connection.execute(
                    insert(FILE_CONTENT).values(
                        file_id=file_id,
                        account_id=caller.account_id,
                        sha256=sha256,
                        mimetype=picture.mimetype,
                        sized_mimetype=picture.sized_mimetype,
                        bytes=size,
                    )
                )
        if known is not None:  # another request added it meanwhile
            await self._drop(file_id)
        return await answer_one(self._context, request, text, status=201 if known is None else 200)

    async def on_written(self, write: CatalogueWrite, row_id: str, draft: Draft) -> None:
        """Forget the content of a deleted file; files are never changed."""
        product_id = await shown_by(write.connection, row_id)
        if product_id is not None:
            raise InvalidPart("file_in_use", field="Id", source="params", product_id=product_id)
        gone = FILE_CONTENT.c.file_id == row_id
        await write.connection.execute(delete(FILE_CONTENT).where(gone))

    async def delete(self, request: Request, caller: KeyHolder) -> Response:
        """DELETE /files/{Id}: 200 with {}, or 400 where a product shows it."""
        answer = await super().delete(request, caller)
        await self._drop(id_of(request, self.noun))
        return answer

    async def content(self, request: Request) -> Response:
        """GET /files/{id}/{size}, without credentials: the picture itself, which never changes."""
        file_id, size = id_of(request, self.noun), request.path_params["size"]
        query = select(FILE_CONTENT).where(FILE_CONTENT.c.file_id == file_id)
        async with self._context.database.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None or size not in pictures.SIZES:
            raise NotFound("platform_file")
        headers = {
            "ETag": f'"{row.sha256[:32]}-{size}"',
            "Cache-Control": _FOR_GOOD,
            "Content-Security-Policy": _INERT,
            "Content-Disposition": "inline",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        mimetype = row.mimetype if size == pictures.ORIGINAL else row.sized_mimetype
        length, parts = await self._context.files.get(_object(file_id, size))
        headers["Content-Length"] = str(length)
        return StreamingResponse(parts, headers=headers, media_type=mimetype)

    async def _known(self, connection: AsyncConnection, account_id: str, sha256: str) -> str | None:
        """Return the stored JSON of the account's file with these bytes."""
        same = and_(FILE_CONTENT.c.account_id == account_id, FILE_CONTENT.c.sha256 == sha256)
        query = (
            select(FILE.c.document)
            .join(FILE_CONTENT, FILE_CONTENT.c.file_id == FILE.c.id)
            .where(same)
        )
        found: str | None = (await connection.execute(query)).scalar()
        return found

    async def _drop(self, file_id: str) -> None:
        """Delete the objects of a file that the database lacks; one that can't be removed now stays
        and is never served."""
        try:
            await self._context.files.delete(_object(file_id, size) for size in pictures.SIZES)
        except MachineError as error:
            _log.warning("objects of a file are left over: %s", error.what)


def _object(file_id: str, size: str) -> str:
    return f"{file_id[:2]}/{file_id}/{size}"


def _members(file_id: str, filename: str, picture: pictures.Picture) -> dict[str, Any]:
    file = File(
        id=file_id,
        filename=f"{file_id}.{pictures.ENDINGS[picture.mimetype]}",
        original_filename=filename or None,
        mimetype_filename=picture.mimetype,
        size=len(picture.sizes[pictures.ORIGINAL]),
        urls=tuple((size, f"{HERE_MARK}{PATH}/{file_id}/{size}") for size in pictures.SIZES),
    )
    return members_of(file_to_json(file))
