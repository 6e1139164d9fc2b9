"""GET /openapi.json, the description of the platform; and /docs, which shows it to people.

The viewer is Swagger UI, which travels with the product: nothing is loaded from elsewhere, and its
Content-Security-Policy limits the page. Typed secrets are kept while the page is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pos_app import resources
from pos_app.errors import NotFound
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.listing import here
from pos_app.wire.openapi.paths import Served
from pos_app.wire.openapi.platform_document import platform_document
from pos_app.wire.strict_json import dumps

OPENAPI, DOCS = "/openapi.json", "/docs"
VIEWER = "swagger-ui"
_PARTS = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="viewer"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START = """\
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  showExtensions: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});
"""
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
"""Swagger UI writes style attributes and draws its icons as data."""


class Documents:
    """Builds the document of the served routes, and keeps it for the last address; reads the viewer
    from `resources`."""

    def __init__(self, context: PlatformContext, served: Iterable[Served]) -> None:
        self._context, self._served = context, served
        self._written: tuple[str, bytes] = ("", b"")

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", OPENAPI, cls.openapi, "openapi"),
            Endpoint("GET", DOCS, cls.page),
            Endpoint("GET", f"{DOCS}/{{name}}", cls.part),
        ]

    async def openapi(self, request: Request) -> Response:
        address = here(self._context, request)
        if self._written[0] != address:
            self._written = (address, dumps(platform_document(self._served, address)))
        return Response(self._written[1], media_type=JSON)

    async def page(self, request: Request) -> Response:
        """GET /docs: the page, or 404 where this installation has no viewer."""
        if not (_folder() / "swagger-ui-bundle.js").is_file():
            raise NotFound("viewer")
        headers = {"Content-Security-Policy": _CSP, "Referrer-Policy": "no-referrer"}
        return Response(_PAGE, headers=headers, media_type="text/html")

    async def part(self, request: Request) -> Response:
        """GET /docs/{name}: the viewer's own files."""
        name = request.path_params["name"]
        if name == "start.js":
            return Response(_START, media_type="text/javascript")
        path = _folder() / name
        if name not in _PARTS or not path.is_file():
            raise NotFound("path")
        headers = {"Cache-Control": "public, max-age=3600"}
        return Response(path.read_bytes(), headers=headers, media_type=_PARTS[name])


def _folder() -> Path:
    return resources.folder() / VIEWER
