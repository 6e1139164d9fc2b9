"""The audit log of the caller's account: it is read, never written."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.http_front.endpoint import Endpoint
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import AUDIT_ENTRY
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.listing import answer_list
from pos_app.platform_api.routing import BASE


class AuditRoutes:
    def __init__(self, context: PlatformContext, authentication: Authentication) -> None:
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        scopes = (KeyScope.APPLICATION,)
        return [Endpoint("GET", f"{BASE}/audit", cls.list_all, "listAudit", scopes)]

    async def list_all(self, request: Request, caller: KeyHolder) -> Response:
        """GET /audit: 200 with the entries, the oldest first, or 304."""
        return await answer_list(self._context, AUDIT_ENTRY, request, caller)
