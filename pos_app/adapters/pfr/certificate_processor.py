"""A V-PFR that is asked with the certificate that was brought last."""

from __future__ import annotations

from collections.abc import Mapping

from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.vpfr_access import VpfrAccess
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import NotDelivered, RemoteError
from pos_app.fiscalization.ports import PfrNotSent, SignReply


class CertificateProcessor:
    """Implements Processor; without a certificate the V-PFR can't be reached."""

    def __init__(self, url: str, labels: Mapping[str, str]) -> None:
        self.is_proven = False
        self._url = url
        self._labels = labels
        self._client: PfrClient | None = None

    async def use(self, access: VpfrAccess | None) -> None:
        await self.close()
        if access is not None:
            self._client = PfrClient(self._url, access=access, labels=self._labels)

    async def close(self) -> None:
        client, self._client, self.is_proven = self._client, None, False
        if client is not None:
            await client.close()

    async def status(self) -> PfrStatus:
        if self._client is None:
            raise NotDelivered("no_certificate")
        try:
            status = await self._client.status()
        except RemoteError:
            self.is_proven = False
            raise
        self.is_proven = True
        return status

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        if self._client is None:
            return PfrNotSent("No certificate is here to sign with.")
        return await self._client.sign(document, pfr_request_id=pfr_request_id)

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        if self._client is None:
            raise NotDelivered("no_certificate")
        return await self._client.find(pfr_request_id)
