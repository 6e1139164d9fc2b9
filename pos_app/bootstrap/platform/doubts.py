"""Lists receipts of certificate mode that may exist, and takes a person's answers.

The running signers are asked; they act as a till's Attention does.
Source: exactly-once.md, step 12.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pos_app.adapters.signers.signer_client import SignerClient
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.errors import NotDelivered, OutcomeUnknown
from pos_app.settings import Settings


async def list_doubts(settings: Settings) -> list[tuple[str, ReceiptInDoubt]]:
    """Return the doubts with the UID of their element. Raises NotDelivered where no signer
    answers."""
    found: list[tuple[str, ReceiptInDoubt]] = []
    async with signers_of(settings) as signers:
        for number in range(settings.platform_server.signers):
            state = await signers.state(number)
            for uid in sorted(left.uid for left in state.with_open_work if left.doubts):
                found += [(uid, one) for one in await signers.doubts(uid)]
    return found


def doubt_as_json(uid: str, doubt: ReceiptInDoubt) -> dict[str, object]:
    return {
        "uid": uid,
        "receipt": doubt.receipt_id,
        "key": doubt.key,
        "state": str(doubt.state),
        "since": doubt.since.isoformat(),
        "total": str(doubt.total),
        "reason": doubt.reason,
    }


@asynccontextmanager
async def signers_of(settings: Settings) -> AsyncIterator[SignerClient]:
    """Connect to the signers. Raises NotDelivered, with advice, where one does not answer or their
    number is unknown."""
    if not settings.platform_server.signers:
        raise NotDelivered("signers_untold")
    client = SignerClient(settings.data, signers=settings.platform_server.signers)
    try:
        yield client
    except (NotDelivered, OutcomeUnknown) as error:
        raise _away() from error
    finally:
        await client.close()


def _away() -> NotDelivered:
    return NotDelivered("signers")
