"""A platform worker's request to a signer, and the signer's answer: JSON over loopback.

The request carries secrets: it is never logged or stored, and no repr shows them.
Source: platform-contract.md 2.17; exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from pos_app.domain.article.store import ReceiptLanguage
from pos_app.errors import Invalid
from pos_app.wire import relay
from pos_app.wire.reading import Shape, read
from pos_app.wire.strict_json import dumps, loads

PATH = "/carry-out"
ELEMENTS = "/elements"
"""GET answers `domain.signer_state`. The paths below it that begin with a UID are the routes of a
till at that element."""
TOKEN = "X-Signer-Token"
MOST_BYTES = 2 * relay.MOST_COMMAND_FRAME
LARGEST_PFX = 64 * 1024

_Uid = Annotated[str, Field(pattern=r"^[0-9A-Z]{8}$")]


class _Shape(Shape):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)


class PaperShape(_Shape):
    """The store's settings of its paper."""

    language: Annotated[ReceiptLanguage, Field(strict=False)] = ReceiptLanguage.CYRILLIC
    print_discounts: bool = False
    print_bank_accounts: bool = True


def paper_of(store: Mapping[str, Any] | None) -> PaperShape:
    """The paper settings in a store's JSON, or the usual ones where no store is named."""
    if store is None:
        return PaperShape()
    return PaperShape(
        language=ReceiptLanguage(store.get("language") or ReceiptLanguage.CYRILLIC),
        print_discounts=bool(store.get("printDiscounts")),
        print_bank_accounts=bool(store.get("printBankAccounts")),
    )


class CertificateShape(_Shape):
    """The secrets of the three headers. pfx: base64."""

    pfx: Annotated[str, Field(repr=False, max_length=LARGEST_PFX * 2)]
    password: Annotated[str, Field(repr=False)]
    pac: Annotated[str, Field(repr=False)]

    def decoded(self) -> bytes:
        """The file's bytes. Raises Invalid."""
        try:
            return base64.b64decode(self.pfx, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Invalid("is_base64", field="pfx") from error


class SigningRequest(_Shape):
    """One hand-over. uid: the UID of the element. certificate is None for a look-up in the journal
    alone.

    cashier: the name on the receipt.
    """

    uid: _Uid
    command: relay.CommandMessage
    cashier: str = ""
    paper: PaperShape = PaperShape()
    certificate: Annotated[CertificateShape | None, Field(repr=False)] = None


def written_request(request: SigningRequest) -> bytes:
    return dumps(request.model_dump(mode="json", by_alias=True, exclude_none=True))


def request_from(content: bytes) -> SigningRequest:
    """Read a request. Raises Invalid."""
    return read(SigningRequest, loads(content))


def answer_from(content: bytes) -> relay.AnswerMessage | relay.DeclinedMessage:
    """Read an answer. Raises Invalid for any message but an outcome."""
    message = relay.from_application(content.decode("utf-8", "replace"))
    if not isinstance(message, relay.AnswerMessage | relay.DeclinedMessage):
        raise Invalid("no_outcome")
    return message


def number_or_state(document: object) -> str:
    """The receipt's number in a till route's answer to a decision, else its state."""
    members = document if isinstance(document, Mapping) else {}
    return str(members.get("invoiceNumber") or members.get("state"))
