"""The routes of the mail's page: whether the mail's password is kept, and a trial mail.

All need the install token.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup.mail_setup import MailSetup, MailSetupService, MailTrial
from pos_app.errors import NotFound
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.context import ApiContext
from pos_app.wire import reading, records, server, strict_json


class MailRoutes:
    def __init__(self, *, context: ApiContext) -> None:
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", "/till/mail", cls.setup),
            Endpoint("POST", "/till/mail/trial", cls.trial),
        ]

    @property
    def _setup_service(self) -> MailSetupService:
        setup_service = self._context.mail_setup
        if setup_service is None:
            raise NotFound("no_mail")
        return setup_service

    async def setup(self, request: Request) -> Response:
        """GET /till/mail: whether the mail's password is kept."""
        setup = await self._setup_service.setup()
        return Response(records.written(MailSetup, setup), media_type=JSON)

    async def trial(self, request: Request) -> Response:
        """POST /till/mail/trial: sends a trial mail, now or not at all, and answers with the
        outcome."""
        body = reading.read(server.TrialMailBody, strict_json.loads(await request.body()))
        trial = await self._setup_service.send_trial(body.to.strip(), by=body.by)
        return Response(records.written(MailTrial, trial), media_type=JSON)
