"""GET /openapi.json: the description of the open routes, the same for every caller."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app.http_front.endpoint import Endpoint, served
from pos_app.http_front.errors import JSON
from pos_app.local_api.access_rules import OPENAPI
from pos_app.local_api.open_routes import OpenRoutes
from pos_app.wire.openapi.document import document
from pos_app.wire.strict_json import dumps


class OpenApiRoute:
    """Serves the document, which is built on the first request, in some 15 ms."""

    def __init__(self, *, version: str) -> None:
        self._version = version
        self._written: bytes | None = None

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [Endpoint("GET", OPENAPI, cls.openapi, "openapi")]

    async def openapi(self, request: Request) -> Response:
        if self._written is None:
            self._written = dumps(self.described())
        return Response(self._written, media_type=JSON)

    def described(self) -> dict[str, object]:
        return document(self._version, served([OpenRoutes, OpenApiRoute]))
