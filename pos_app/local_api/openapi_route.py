"""GET /openapi.json: the description of the open routes, at the requested address."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app.http_front.endpoint import Endpoint, served
from pos_app.http_front.errors import JSON
from pos_app.local_api.access_middleware import client_of
from pos_app.local_api.access_rules import OPENAPI
from pos_app.local_api.open_routes import OpenRoutes
from pos_app.wire.openapi.document import document
from pos_app.wire.strict_json import dumps


class OpenApiRoute:
    """Serves the document, which is built in some 15 ms and kept for the last address."""

    def __init__(self, *, version: str) -> None:
        self._version = version
        self._written: tuple[str, bytes] = ("", b"")

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [Endpoint("GET", OPENAPI, cls.openapi, "openapi")]

    async def openapi(self, request: Request) -> Response:
        address = client_of(request.scope).base_url
        if self._written[0] != address:
            self._written = (address, dumps(self.described(address)))
        return Response(self._written[1], media_type=JSON)

    def described(self, address: str) -> dict[str, object]:
        return document(self._version, served([OpenRoutes, OpenApiRoute]), address)
