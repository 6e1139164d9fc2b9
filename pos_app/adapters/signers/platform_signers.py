"""Answers the platform's questions to its signers, and about strangers' certificates."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from pos_app.adapters.pfr.certificate_process import open_apart
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.signers.signer_client import SignerClient
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.signer_state import SignerState
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown
from pos_app.settings import Settings

_MOST_KNOWN = 4096
_MOST_READ = 2
"""Certificates that are opened at once, each in a process of its own."""
_STATE_SECONDS = 2.0


class PlatformSigners:
    """Implements platform_api.certificate_mode.Signers. The facts of a certificate are remembered,
    and not its file, so that the file is opened once."""

    def __init__(self, settings: Settings) -> None:
        self._number = settings.platform_server.signers
        self._client = SignerClient(settings.data, signers=self._number)
        self._marking = secrets.token_bytes(32)
        self._known: OrderedDict[bytes, CertificateFacts] = OrderedDict()
        self._readers = ThreadPoolExecutor(_MOST_READ, thread_name_prefix="certificate")

    async def close(self) -> None:
        self._readers.shutdown(wait=False, cancel_futures=True)
        await self._client.close()

    async def facts(self, pfx: bytes, password: str) -> CertificateFacts:
        """Return the facts of a certificate. Raises SetupWrong, CertificateUnread."""
        data = f"{len(password)} {password} ".encode()
        mark = hmac.digest(self._marking, data + pfx, hashlib.sha256)
        if facts := self._known.get(mark):
            return facts
        loop = asyncio.get_running_loop()
        opened = await loop.run_in_executor(self._readers, open_apart, pfx, Secret(password))
        facts = self._known[mark] = opened.facts
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return facts

    async def ask(self, uid: str, request: bytes) -> bytes:
        """Ask a signer. Raises NotDelivered, OutcomeUnknown."""
        return await self._client.ask(uid, request)

    async def states(self) -> Sequence[SignerState | None]:
        return await asyncio.gather(*map(self._state, range(self._number)))

    async def _state(self, number: int) -> SignerState | None:
        try:
            async with asyncio.timeout(_STATE_SECONDS):
                return await self._client.state(number)
        except (NotDelivered, OutcomeUnknown, Invalid, TimeoutError):
            return None
