"""Other programs at the local API, as the page "Local API" shows them, and the secrets for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from pos_app.domain.receipt.server_status import KeptSecret, LoggedRequest, RefusedCaller


class LocalApiService(Protocol):
    """At the server `keep_secret` raises Invalid, NotFound, NotAllowed or MachineError; at the
    till, over HTTP, each method raises Refused (with the server's text), NotDelivered or
    OutcomeUnknown."""

    async def refused_callers(self) -> Sequence[RefusedCaller]:
        """The last refused callers, the newest first."""
        ...

    async def requests(
        self, *, number: Annotated[int | None, {"ge": 0, "lt": 10**18}] = None
    ) -> Sequence[LoggedRequest]:
        """The last requests of other programs, the newest first. number: only that one, with its
        headers and body."""
        ...

    async def secrets(self) -> Sequence[KeptSecret]:
        """The names of the secrets that a person can set."""
        ...

    async def keep_secret(
        self, name: str, value: Annotated[str, {"max_length": 1000}], *, by: str
    ) -> None:
        """Have a secret sealed, and the shop opened anew with it; "" removes it."""
        ...
