"""What the relay remembers: ports, and the records that they speak of.

Each method is one transaction, committed when it returns.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pos_app.platform_api.database.batches import News
from pos_app.platform_api.relay.commands import RelayCommand
from pos_app.wire.relay import RefusalCode

KEYLESS_MS = 10 * 60_000
"""How long an identical body without a key is taken for a repeat of one whose answer was not
delivered, from its last repeat."""
PDF_MS = 10 * 60_000
"""How long a link to a PDF lives from each time it is given (platform-contract.md 2.10)."""
GONE_MS = 15_000
"""After so long without a beat a worker is gone, and its connections with it."""


@dataclass(frozen=True, slots=True)
class Application:
    """An application that is connected. worker: to which; connection: by which. since_ms: when."""

    account: str
    client: str
    install: str
    store: str | None
    name: str
    worker: str
    connection: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class Entered:
    """It is let in. replaced: connections of the same installation that are to be closed."""

    replaced: tuple[Application, ...] = ()


@dataclass(frozen=True, slots=True)
class Barred:
    """It is not let in. by: the application that is open for the same client or store."""

    code: RefusalCode
    by: Application | None = None


class Presence(Protocol):
    """Which applications are connected, to any worker."""

    async def enter(
        self, application: Application, *, version: str = "", now_ms: int
    ) -> Entered | Barred:
        """One application a client and a store; its clientId belongs to one account for good.

        version: of its program.
        """
        ...

    async def leave(self, connection: str) -> None: ...

    async def find(
        self, account: str, *, client: str | None, store: str | None, now_ms: int
    ) -> Application | None:
        """The one that is meant by client and store, or by either: `fits`, `only_one`."""
        ...

    async def beat(self, worker: str, *, now_ms: int) -> None:
        """The worker is alive."""
        ...


class Commands(Protocol):
    """Commands by id, by key, by the receipt's id. news: what another worker is told in the
    transaction of the change, where there is one."""

    @property
    def line(self) -> object | None:
        """The connection to the database of now; None where there is none yet."""
        ...

    async def add(self, command: RelayCommand, *, news: News | None = None) -> bool:
        """False where (account, key) is known."""
        ...

    async def by_id(self, command_id: str) -> RelayCommand | None: ...

    async def by_key(self, account: str, key: str) -> RelayCommand | None: ...

    async def by_receipt(self, account: str, receipt_id: str) -> RelayCommand | None: ...

    async def has_answered(self, account: str, client: str) -> bool:
        """Whether that application gave a receipt to this account."""
        ...

    async def keyless_twin(
        self, account: str, body_hash: bytes, *, now_ms: int, but: Container[str] = ()
    ) -> RelayCommand | None:
        """One that binds and whose answer was not delivered; KEYLESS_MS begin anew. but: ids of
        those that were, whatever their rows say."""
        ...

    async def again(
        self,
        command: RelayCommand,
        changed: RelayCommand,
        *,
        news: News | None = None,
        line: object | None = None,
    ) -> bool:
        """Replace a command as it was read; False where another request was faster. line: of the
        attempt before, which is withdrawn with that: False where it is another one now."""
        ...

    async def begin(self, command_id: str, attempt: int) -> RelayCommand | None:
        """The worker of its application takes the attempt; None where it was withdrawn or taken.
        It counts at once for everybody, and may be lost where the database ends: see `withdraw`.
        """
        ...

    async def withdraw(self, command_id: str, attempt: int, *, line: object | None) -> bool:
        """The attempt is never begun; False where it is. line: before the attempt was committed;
        as long as it is the same one, no beginning can have been lost. False where it is not."""
        ...

    async def answered(
        self, of: AnswerOf, *, status: int, body: str, news: News | None = None
    ) -> bool:
        """Keep an answer. False where it belongs to nothing that is open: late, twice, foreign."""
        ...

    async def declined(self, of: AnswerOf, *, news: News | None = None) -> bool:
        """The application surely did not begin that attempt. False as above."""
        ...

    async def tell(self, news: News) -> None:
        """Another worker, by itself."""
        ...

    async def delivered(self, command_id: str, *, now_ms: int) -> None:
        """The answer was wholly written to its caller."""
        ...

    async def undelivered(self, command_id: str) -> None:
        """Its caller left before the answer was wholly written."""
        ...

    async def forget(self, command_id: str) -> None:
        """Of a look-up that ended."""
        ...

    async def shed(self, *, before_ms: int, most: int) -> int:
        """Of commands that nobody asked for since, drop what is large: body and answer; how many.

        Which client a key belongs to stays, for good: its journal has the receipt, and another one
        would sign it again. A command of which surely nothing came is dropped whole.
        """
        ...


@dataclass(frozen=True, slots=True)
class AnswerOf:
    """Whose answer it is: an application of an account, about one attempt."""

    account: str
    client: str
    command_id: str
    attempt: int


class PdfFiles(Protocol):
    """PDFs of relayed receipts, by the secret of their link."""

    async def keep(self, files: Mapping[str, bytes], *, until_ms: int, now_ms: int) -> None:
        """By secret; those whose time is over are dropped."""
        ...

    async def content(self, secret: str, *, now_ms: int) -> bytes | None: ...


def fits(
    applications: Sequence[Application], *, client: str | None, store: str | None
) -> Application | None:
    """The application of one account that is meant by its client, or by the store that it named, of
    those that are connected."""
    if client is None:
        named = (one for one in applications if store is not None and one.store == store)
        return next(named, None)
    of_client = (one for one in applications if one.client == client)
    return next((one for one in of_client if store is None or one.store in (None, store)), None)


def only_one(
    applications: Sequence[Application], stores: Mapping[str, str | None], *, store: str
) -> Application | None:
    """The application of one account that is meant by a store alone: the one that named it, else
    the only one without a store. Which of several is not guessed, because each signs with an
    element of its own; one that is away now counts as those that are connected do.

    stores: what the account's clients that are registered named, of this store and none.
    """
    if store in stores.values():
        return fits(applications, client=None, store=store)
    return applications[0] if len(stores) == 1 and applications else None


def entry(application: Application, others: Sequence[Application]) -> Entered | Barred:
    """Whether an application is let in beside those of its account that are connected."""
    same = [
        one
        for one in others
        if one.client == application.client
        or (application.store is not None and one.store == application.store)
    ]
    foreign = next((one for one in same if one.install != application.install), None)
    if foreign is not None:
        return Barred(RefusalCode.TAKEN, foreign)
    return Entered(tuple(same))
