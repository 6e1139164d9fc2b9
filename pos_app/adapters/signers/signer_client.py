"""Connects a worker of the platform to the signers on its machine.

Each signer that starts writes its address, and a token that it made, into its own folder. The next
request uses them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

import httpx

from pos_app import errors
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.signers.signer_folders import home_of, signer_folder
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.domain.setup.signer_state import SignerState
from pos_app.lazy_dataclass import dataclass
from pos_app.wire import records, signing
from pos_app.wire.server import found_body
from pos_app.wire.strict_json import dumps, loads

_DOOR = "door.json"
_CONNECT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Door:
    """A signer's address, and the token of its callers."""

    address: str
    token: str = field(repr=False)

    def write(self, folder: Path) -> None:
        """Write the door into its file. Raises DataFolderNotWritable."""
        members = {"address": self.address, "token": self.token}
        write_private(folder / _DOOR, json.dumps(members).encode())

    @classmethod
    def read(cls, folder: Path) -> Door | None:
        try:
            members = json.loads((folder / _DOOR).read_bytes())
            return cls(str(members["address"]), str(members["token"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


class SignerClient:
    def __init__(self, data: Path, *, signers: int) -> None:
        self._data = data
        self._signers = signers
        # No connection is kept: nobody could tell what a killed signer had read from one.
        self._client = httpx.AsyncClient(
            trust_env=False,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
            timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def ask(self, uid: str, request: bytes) -> bytes:
        """Ask a signer. Raises NotDelivered where no byte was handed over, else OutcomeUnknown."""
        answer = await self._asked(home_of(uid, self._signers), "POST", signing.PATH, request)
        if answer.status_code != httpx.codes.OK:
            raise errors.OutcomeUnknown("signer_status", status_code=answer.status_code)
        return answer.content

    async def state(self, number: int) -> SignerState:
        """Return the state of one signer. Raises NotDelivered, OutcomeUnknown, Invalid."""
        answer = await self._asked(number, "GET", signing.ELEMENTS)
        if answer.status_code != httpx.codes.OK:
            raise errors.OutcomeUnknown("signer_status", status_code=answer.status_code)
        return records.from_json(SignerState, loads(answer.content))

    async def doubts(self, uid: str) -> Sequence[ReceiptInDoubt]:
        """Return the receipts in doubt of an element. Raises as `state` does, NotFound."""
        shown = await self._as_till(uid, "GET", "/till/doubts")
        return records.list_from_json(ReceiptInDoubt, shown)

    async def look_up(self, uid: str, receipt_id: str) -> str:
        """Have the V-PFR asked once more, and return the number of its receipt, or the state.
        Raises as `state` does, NotFound, and Invalid in the element's words."""
        return await self._decided(uid, receipt_id, "lookup", {})

    async def report_absent(self, uid: str, receipt_id: str, *, by: str) -> str:
        """Note that a person says there is no such receipt. Results and errors: as `look_up`."""
        return await self._decided(uid, receipt_id, "absent", {"by": by})

    async def report_found(self, uid: str, receipt_id: str, *, url: str, by: str) -> str:
        """Note the receipt from a paper of a person. Results and errors: as `look_up`."""
        body = found_body(verification_url=url, by=by)
        return await self._decided(uid, receipt_id, "found", body)

    async def close_restored(self, uid: str, *, by: str) -> str:
        """Note that a person looked at an element whose journal was put back, and return "closed".
        Raises as `state` does, and NotFound where its journal has no such mark."""
        await self._as_till(uid, "POST", "/till/restored/close", dumps({"by": by}))
        return "closed"

    async def _decided(
        self, uid: str, receipt_id: str, act: str, body: Mapping[str, object]
    ) -> str:
        path = f"/till/doubts/{receipt_id}/{act}"
        return signing.number_or_state(await self._as_till(uid, "POST", path, dumps(body)))

    async def _as_till(self, uid: str, method: str, path: str, body: bytes = b"") -> object:
        element_path = f"{signing.ELEMENTS}/{uid}{path}"
        answer = await self._asked(home_of(uid, self._signers), method, element_path, body)
        document = loads(answer.content)
        if answer.status_code == httpx.codes.OK:
            return document
        words = str(document.get("message")) if isinstance(document, dict) else ""
        raise (
            errors.NotFound(what=words)
            if answer.status_code == httpx.codes.NOT_FOUND
            else errors.Invalid(what=words)
        )

    async def _asked(
        self, number: int, method: str, path: str, body: bytes = b""
    ) -> httpx.Response:
        door = Door.read(signer_folder(self._data, number))
        if door is None:
            raise errors.NotDelivered("signer")
        headers = {signing.TOKEN: door.token, "Content-Type": "application/json"}
        try:
            answer = await self._client.request(
                method, f"{door.address}{path}", content=body, headers=headers
            )
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise errors.NotDelivered("signer") from error
        except httpx.HTTPError as error:
            raise errors.OutcomeUnknown("signer_silent") from error
        if answer.status_code == httpx.codes.FORBIDDEN:  # another program has its port now
            raise errors.NotDelivered("signer")
        return answer
