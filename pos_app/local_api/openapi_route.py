"""GET /openapi.json: the description of the open routes, the same for every caller."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.http_front.errors import JSON
from pos_app.local_api.access_rules import HEALTH, OPENAPI, PDF
from pos_app.wire.openapi.document import Served, document
from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.strict_json import dumps


class OpenApiRoute:
    """Serves the document, which is built on the first request, in some 15 ms."""

    def __init__(self, *, version: str) -> None:
        self._version = version
        self._written: bytes | None = None

    def all(self) -> list[Route]:
        return [Route(OPENAPI, self.openapi, methods=["GET"])]

    async def openapi(self, request: Request) -> Response:
        if self._written is None:
            self._written = dumps(self.described())
        return Response(self._written, media_type=JSON)

    def described(self) -> dict[str, object]:
        served = Served(
            version=self._version,
            receipts=RECEIPTS,
            health=HEALTH,
            pdf=PDF,
            document=OPENAPI,
        )
        return document(served)
