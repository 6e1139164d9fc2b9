"""Asks the shop's other tills for a receipt through the platform's public API.

Each till of the same store is asked by itself, several at a time, so that a slow one delays nobody:
they have a small pool of threads of their own, and a till without an answer in time is abandoned.
Its thread goes on until the connection's own limits end it. Sources: platform-contract.md 2.6 and
2.7; architecture.md, rule 11.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import httpx

from pos_app import errors, log
from pos_app.adapters.data_folder.install import open_client_id
from pos_app.adapters.platform_http.client import (
    CLEAR_TEXT,
    PlatformAnswer,
    PlatformClient,
    refusal,
)
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.documents.receipt_journal import printed_payments, printed_totals
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere, SearchEnd
from pos_app.domain.receipt.receipt_overview import PaidBy, PaidOfLabel
from pos_app.domain.setup.platform_setup import PlatformTill
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import Settings
from pos_app.wire.problem import NO_CLIENT
from pos_app.wire.receipt import receipt_from_json
from pos_app.wire.records import from_json
from pos_app.wire.store import store_from_json
from pos_app.wire.strict_json import MalformedJson

CONNECT_SECONDS, PATIENCE_SECONDS = 3.0, 3.0
LISTS_SECONDS = 2 * PATIENCE_SECONDS
AT_A_TIME = 8
_MAY_NOT = (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)

_log = log.get(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Till:
    client_id: str
    name: str

    @classmethod
    def of(cls, listed: PlatformTill) -> _Till:
        return cls(listed.id, listed.name or listed.id)


@dataclass(frozen=True, slots=True)
class _AskedTills:
    """tills: all that may belong to this store. is_sure: whether each of them surely does."""

    tills: tuple[_Till, ...]
    is_sure: bool


class _NotConnected(Exception):
    """The platform knows the till, which is away."""


class _NoAnswer(Exception):
    """The till, or the platform for it, gave no useful answer in time."""


class OtherTillsHttp:
    """Implements local_api.context.OtherTills."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pool = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="other-tills")

    async def find(self, number: str) -> tuple[SearchElsewhere, SignedReceipt | None]:
        platform = self._settings.platform
        if not (platform.public_mode and platform.url):
            return SearchElsewhere(SearchEnd.NOT_ASKED), None
        try:
            with await self._within(self._client, seconds=LISTS_SECONDS) as client:
                asked = await self._within(partial(self._others, client), seconds=LISTS_SECONDS)
                return await self._asked(client, asked, number)
        except (errors.SettingsBroken, errors.RemoteError, errors.Invalid) as error:
            _log.warning("the other tills can't be asked: %s", error.what)
            may_not = isinstance(error, errors.SettingsBroken | errors.Refused)
            may_not = may_not or error.kind == CLEAR_TEXT
            return SearchElsewhere(SearchEnd.REFUSED if may_not else SearchEnd.AWAY), None
        except TimeoutError:
            _log.warning("the platform did not list the other tills in time")
            return SearchElsewhere(SearchEnd.AWAY), None

    async def _within(self, act: Callable[[], _T], *, seconds: float) -> _T:
        """Run in a thread of the pool. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            return await asyncio.get_running_loop().run_in_executor(self._pool, act)

    def _client(self) -> PlatformClient:
        settings = self._settings
        secret = platform_secret(settings.platform.key, data=settings.data, variables=os.environ)
        return PlatformClient(
            settings.platform,
            secret,
            connect_seconds=CONNECT_SECONDS,
            read_seconds=PATIENCE_SECONDS,
        )

    def _others(self, client: PlatformClient) -> _AskedTills:
        """Return the other applications of this till's store, as the account lists them. An
        application that names no store belongs to the first store that is listed, as in
        synchronisation. If that store is unknown the application is asked, too."""
        own = open_client_id(self._settings.data)
        listed = (from_json(PlatformTill, one) for one in _listed(client.ask("list_clients")))
        rows = [one for one in listed if one.id != own]
        named = self._settings.platform.store_id
        stores = {named, *(one.store_id or "" for one in rows)}
        first = _first_store(client) if "" in stores else ""
        if first == "" and stores == {""}:  # the account has no stores
            return _AskedTills(tuple(map(_Till.of, rows)), is_sure=True)
        store = named or first
        maybe = [one for one in rows if not store or (one.store_id or first or store) == store]
        is_sure = bool(store) and all(one.store_id or first for one in maybe)
        return _AskedTills(tuple(map(_Till.of, maybe)), is_sure)

    async def _asked(
        self, client: PlatformClient, asked: _AskedTills, number: str
    ) -> tuple[SearchElsewhere, SignedReceipt | None]:
        """Ask the tills until one has the receipt. Raises Refused, NotDelivered."""
        turns = asyncio.Semaphore(AT_A_TIME)

        async def ask(till: _Till) -> tuple[_Till, SignedReceipt | Exception | None]:
            async with turns:
                try:
                    act = partial(_look_up, client, till, number)
                    return till, await self._within(act, seconds=PATIENCE_SECONDS)
                except (errors.RemoteError, _NotConnected, _NoAnswer, TimeoutError) as error:
                    return till, error

        asking = [asyncio.ensure_future(ask(till)) for till in asked.tills]
        away: list[str] = []
        silent: list[str] = []
        unreached: list[errors.NotDelivered] = []
        try:
            for ended in asyncio.as_completed(asking):
                till, outcome = await ended
                match outcome:
                    case SignedReceipt():
                        return self._search_result(till, outcome), outcome
                    case errors.Refused():
                        raise outcome
                    case _NotConnected():
                        away.append(till.name)
                    case Exception():
                        silent.append(till.name)
                        unreached += [outcome] if isinstance(outcome, errors.NotDelivered) else []
        finally:
            for one in asking:
                one.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
        if asking and len(unreached) == len(asking):
            raise unreached[0]
        is_whole = asked.is_sure and not away and not silent
        end = SearchEnd.NOBODY if is_whole else SearchEnd.PARTLY
        return SearchElsewhere(end, tuple(sorted(away)), tuple(sorted(silent))), None

    def _search_result(self, till: _Till, receipt: SignedReceipt) -> SearchElsewhere:
        journal = receipt.journal or ""
        payments = printed_payments(journal)
        return SearchElsewhere(
            SearchEnd.FOUND,
            till=till.name,
            verification_url=receipt.verification_url or "",
            payments=tuple(PaidBy(method, amount) for method, amount in payments.items()),
            by_label=self._by_label(receipt),
        )

    def _by_label(self, receipt: SignedReceipt) -> tuple[PaidOfLabel, ...]:
        """Return the amounts by label; none from a processor with other labels
        (platform-contract.md 2.22)."""
        totals = printed_totals(receipt.journal or "")
        is_whole = Money.total(totals.values()) == receipt.total_amount
        if self._settings.processor.label_map or not is_whole or totals.keys() - set(TaxLabel):
            return ()
        return tuple(PaidOfLabel(TaxLabel(label), amount) for label, amount in totals.items())


def _first_store(client: PlatformClient) -> str | None:
    """Return the id of the account's first store; "" for none, None if that is unknown."""
    try:
        stores = _listed(client.ask("list_stores"))
        return store_from_json(stores[0]).id if stores else ""
    except (errors.Refused, errors.Invalid) as error:
        _log.warning("the stores are not known: %s", error.what)
        return None


def _listed(answer: PlatformAnswer) -> list[object]:
    if not answer.is_success:
        raise refusal(answer)
    return answer.listed()


def _look_up(client: PlatformClient, till: _Till, number: str) -> SignedReceipt | None:
    """Return a till's receipt, or None where it surely has none. Raises _NotConnected, _NoAnswer;
    RemoteError: Refused where this till may not ask."""
    answer = client.look_up(number, client_id=till.client_id)
    problem = answer.problem() if answer.status != httpx.codes.OK else None
    if answer.status == httpx.codes.NOT_FOUND:
        return None
    if problem is not None and problem.code == NO_CLIENT.code:
        raise _NotConnected
    if answer.status in _MAY_NOT:
        raise refusal(answer)
    if answer.status != httpx.codes.OK:
        raise _NoAnswer
    try:
        receipt = receipt_from_json(answer.document())[1]
    except (errors.Invalid, MalformedJson) as error:
        raise _NoAnswer from error
    if receipt.invoice_number.casefold() != number.casefold() or not receipt.verification_url:
        raise _NoAnswer
    return receipt
