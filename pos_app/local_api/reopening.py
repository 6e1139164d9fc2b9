"""The answer to a manager's change of a setup, after which the server opens the shop anew."""

from __future__ import annotations

from starlette.background import BackgroundTask
from starlette.responses import Response

from pos_app.http_front.errors import JSON
from pos_app.local_api.context import ApiContext


def then_reopened(context: ApiContext, *, port: int | None = None) -> Response:
    """Answer, and then open the shop anew with the change. port: the next port, or None for the
    same."""

    async def reopen() -> None:
        context.reopen(port)

    return Response(b"{}", media_type=JSON, background=BackgroundTask(reopen))
