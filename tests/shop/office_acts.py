"""The shop's books: who owes, the buyers that were on receipts, carts that are held under a name,
and the list of receipts as another program reads it page by page."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.port_client import port_client
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.http_exchange import AnswerLost, NotConnected
from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.reports.collecting import CollectForm
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.buyers_model import BuyerBookModel
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.reports import Grouping, Receivable, ReportAsked, ReportSums
from pos_app.domain.text.instant import day_of
from pos_app.errors import Invalid, RemoteError
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.buyers.buyer_sheet import HEADS, read_sheet
from pos_app.selling.reports.receivables import CollectedPayment, OpenReceivable, open_receivables
from pos_app.selling.sale import checkout, sell
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.wire.strict_json import loads
from tests.fakes.virtual_time import EPOCH
from tests.shop.ledger import Fault, owed_by_chain, waits_for_a_person
from tests.shop.lines import URL, connection
from tests.shop.money_acts import CODES, FIRM, NEVER, OTHER_FIRM, PERSON, Firm, MoneyActs
from tests.shop.world import BREAD, CASHIER, confirmed, plays, with_articles

LATER = frozenset({PaymentMethod.WIRE_TRANSFER, PaymentMethod.CHECK})
ALL_DAYS = EPOCH.date() - timedelta(days=30), EPOCH.date() + timedelta(days=90)
NAMES = st.sampled_from(("", "Сто 4", "Мира"))
FIRM_NAMES = st.sampled_from(("", "Прва доо", "Друга"))
HOW = st.sampled_from(("typed", "sheet", "deleted"))
SEARCHES = {"prv": "Прва", "ДРУГ": "Друга", "12345": FIRM, "00004": OTHER_FIRM}
"""What is typed at a payment, and what the name or number of each firm has that it finds."""
LARGEST_PAGE = 1 << 22
PATIENCE = 20


class OfficeActs(MoneyActs):
    def __init__(self) -> None:
        super().__init__()
        self.came_in: defaultdict[str, Decimal] = defaultdict(Decimal)
        self.held = Counter[tuple[str, Decimal]]()
        """The carts that are held: name and total."""

    # --- who owes --------------------------------------------------------------------------------

    async def reported(self, asked: ReportAsked, *, tries: int = 1_000) -> ReportSums | None:
        """Ask the server for sums until they are whole; None where it is away."""
        line = connection(self.world.call(self.world.server))
        install = open_install(self.world.data, environment=self.core.settings.environment)
        async with LocalApi(URL, install, connection=line) as api:
            reports = port_client(ServerReceipts, api, "receipts", seconds=3_000.0)
            for _ in range(tries):
                with suppress(RemoteError):
                    told = await reports.report(asked)
                    if told.state.is_whole:
                        return told
                await asyncio.sleep(1.0)
        return None

    async def _receivables(self, *, tries: int = 1_000) -> tuple[Receivable, ...] | None:
        """All that is paid later, whether it is settled or not."""
        asked = ReportAsked(Grouping.RECEIVABLES, *ALL_DAYS, methods=LATER)
        told = await self.reported(asked, tries=tries)
        return None if told is None else told.receivables

    @rule(share=st.sampled_from(("1", "0.4", "0.5")), number=st.integers(0, 9),
          many=st.integers(1, 3), presses=st.sampled_from((2, 2, 1)))  # fmt: skip
    def money_comes_in(self, share: str, number: int, many: int, presses: int) -> None:
        """For several receipts in one sum, or money goes back. presses: of the same key. Where
        nobody owes, somebody buys."""
        log = self.core.database.collected
        listed = self._owed_now()
        if not listed:
            self.run(self._sell([BREAD], "transfer"))
            self.run(asyncio.sleep(5.0))
            listed = self._owed_now()
        if not listed:
            return
        now, chosen = self.now, (listed[number % len(listed) :] or listed)[:many]
        try:
            form = CollectForm.of(chosen, lambda: day_of(now))
            amount = (form.rest_due.amount * Decimal(share)).quantize(Decimal("0.01"))
            form.amount_text = str(amount).replace(".", ",")
            shares, day = form.shares, form.day
        except Invalid:
            return
        if abs(sum(one.amount.amount for one in shares)) != amount:
            raise Fault(f"{amount} came in, and was shared out as {shares}")
        for _ in range(presses):
            log.collect(shares, key=form.key, day=day, note="", by=CASHIER, at=now)
        for one in shares:
            self.came_in[one.number] += one.amount.amount

    def _owed_now(self) -> Sequence[OpenReceivable]:
        found = self.run(self._receivables(tries=PATIENCE))
        return open_receivables(found or (), self._collected())

    @rule(number=st.integers(0, 9))
    def money_is_taken_back(self, number: int) -> None:
        log = self.core.database.collected
        counted = self._collected()
        if counted:
            one = counted[number % len(counted)]
            with suppress(Invalid):  # more was given back than would have come in
                for _ in range(2):
                    log.take_back([one.id], by=CASHIER, at=self.now)
                self.came_in[one.number] -= one.amount.amount

    def rest_of_collected(self) -> None:
        told = defaultdict[str, Decimal](Decimal)
        for one in self._collected():
            told[one.number] += one.amount.amount
        wanted = {number: amount for number, amount in self.came_in.items() if amount}
        if {number: amount for number, amount in told.items() if amount} != wanted:
            raise Fault(f"{dict(told)} came in, and was to be {wanted}")

    def _collected(self) -> Sequence[CollectedPayment]:
        return self.core.database.collected.collected(
            first=ALL_DAYS[0], last=ALL_DAYS[1], after=0, limit=1000
        )

    async def rest_of_owed(self) -> None:
        """Compare who owes with what was signed, chain by chain, and with what came in."""
        found = await self._receivables()
        assert found is not None
        owed, chain_of = owed_by_chain(self.world.ledger)
        told, rests, came = (defaultdict[str, Decimal](Decimal) for _ in range(3))
        for one in found:
            told[chain_of[one.number]] += one.amount - one.given_back
        for each in open_receivables(found, self._collected()):
            rests[chain_of[each.number]] += each.rest_due
        for number, amount in self.came_in.items():
            came[chain_of[number]] += amount
        for chain in chain_of.values():
            rest = owed[chain] - came[chain]
            if (told[chain], rests[chain]) != (owed[chain], rest):
                raise Fault(f"{chain}: {told[chain]} is owed and {rests[chain]} open, and was to be"
                            f" {owed[chain]} and {rest}")  # fmt: skip

    # --- the buyers' book ------------------------------------------------------------------------

    @rule(firm=st.sampled_from((FIRM, OTHER_FIRM)), name=FIRM_NAMES,
          email=st.sampled_from(("", "a@firma.rs")), how=HOW)  # fmt: skip
    def firm_is_edited(self, firm: str, name: str, email: str, how: str) -> None:
        """On the manager's page. Of a sheet, what it leaves empty stays as it is known."""
        self.learn_firms()
        page, number = self._buyers_page(), firm.removeprefix("10:")
        known = self.firms.get(firm, Firm())
        if how == "sheet":
            page.sheet = read_sheet((HEADS, (number, name, email), (PERSON, "Ана", "")))
            page.take_sheet()
            name, email = name or known.name, email or known.email
        else:
            page.open(page.services.buyers.buyer(BuyerId.parse(firm)))
            if how == "deleted":
                page.remove()
                page.remove()
                self.firms.pop(firm, None)
                return
            page.type(number=number, name=name, email=email)
            page.save()
        self.firms[firm] = replace(known, name=name, email=email)

    def _buyers_page(self) -> BuyerBookModel:
        book = self.core.database.buyers
        services = SimpleNamespace(buyers=book, note=lambda *_, **__: None)
        return BuyerBookModel(cast("TillServices", services))

    def rest_of_buyers(self) -> None:
        """Compare the page and the payment's search with the firms that stood on receipts or were
        typed, the one of the last receipt first."""
        self.learn_firms()
        page = self._buyers_page()
        known = KnownBuyers(page.services.buyers)
        for text in ("", *SEARCHES):
            rows = page.rows() if not text else known.matching(BuyerDraft(value=text))
            told = {str(one.id): Firm(one.name, one.email, one.receipts) for one in rows}
            wanted = {number: one for number, one in self.firms.items()
                      if SEARCHES.get(text, "") in f"{number} {one.name}"}  # fmt: skip
            if told != {number: replace(one, last=NEVER) for number, one in wanted.items()}:
                raise Fault(f"{text!r} finds {told} in the buyers' book, and was to find {wanted}")
            days = [wanted[number].last for number in told]
            if days != sorted(days, reverse=True):
                raise Fault(f"{text!r} finds {list(told)}, and the newest is to be first: {wanted}")

    # --- held carts ------------------------------------------------------------------------------

    @rule(codes=CODES, name=NAMES)
    def cart_is_held(self, codes: list[str], name: str) -> None:
        ticket = sell.start(till=self.core.till, cashier=CASHIER)
        ticket = with_articles(self.core, ticket, codes)
        sell.suspend(till=self.core.till, ticket=ticket, name=name)
        self.held[name, ticket.cart.total.amount] += 1

    @rule(number=st.integers(0, 9), name=NAMES, is_sold=st.booleans())
    def held_cart_is_recalled(self, number: int, name: str, is_sold: bool) -> None:
        """It is sold, or held again under another name."""
        carts = sell.suspended(till=self.core.till)
        if not carts:
            return
        one = carts[number % len(carts)]
        ticket = sell.start(till=self.core.till, cashier=CASHIER)
        ticket = sell.recall(till=self.core.till, ticket=ticket, cart_id=one.id)
        total = ticket.cart.total.amount
        self.held[ticket.name, total] -= 1
        if not is_sold:
            sell.suspend(till=self.core.till, ticket=ticket, name=name)
            self.held[name, total] += 1
            return
        sale = confirmed(self.core, ticket, checkout.exact_card(Money(total)))
        self._meant(sale, "a held cart", Decimal(0))

    def rest_of_carts(self) -> None:
        carts = sell.suspended(till=self.core.till)
        told = Counter((one.name, one.cart.total.amount) for one in carts)
        if told != self.held:
            raise Fault(f"the carts {told} are held, and were to be {self.held}")

    # --- the list of receipts --------------------------------------------------------------------

    @rule(limit=st.sampled_from((1, 2, 3)))
    @plays
    async def other_program_lists(self, limit: int) -> None:
        """A sale is made after each page, and every receipt that was there before is listed."""

        async def sells_on() -> None:
            await self._sell([BREAD], "card")
            await asyncio.sleep(1.0)

        await self._list(limit, sells_on)

    async def _list(self, limit: int, between: Callable[[], Awaitable[None]] | None) -> None:
        done = [one.receipt for one in self.all_sales() if one.receipt is not None]
        before = {one.fiscal_number for one in done}
        exchange, after, pages = connection(self.world.call(self.world.server)), "", 0
        listed = list[dict[str, Any]]()
        try:
            for _ in range(PATIENCE):
                page = None
                with suppress(NotConnected, AnswerLost):
                    page = await exchange.ask(
                        "GET", f"/fiscalization/receipts?limit={limit}{after}", largest=LARGEST_PAGE
                    )
                if page is None or page.status != 200:
                    await asyncio.sleep(1.0)
                    continue
                body: Any = loads(page.content)
                listed += body["receipts"]
                if body["next"] is None:
                    break
                after = f"&after={body['next']}"
                if between is not None and pages < 4:
                    await between()
                pages += 1
            else:
                return
        finally:
            await exchange.close()
        self._judge_list(listed, before)

    def _judge_list(self, listed: list[dict[str, Any]], before: Set[str]) -> None:
        times = Counter(one["invoiceNumber"] for one in listed)
        if twice := [number for number, many in times.items() if many > 1]:
            raise Fault(f"receipts were listed twice: {twice}")
        if missing := before - times.keys():
            raise Fault(f"receipts were not listed: {missing}")
        signed = {one.number: one.total for one in read_entries(self.world.ledger)}
        for one in listed:
            if abs(Decimal(str(one["totalAmount"]))) != abs(signed[one["invoiceNumber"]]):
                raise Fault(f"{one['invoiceNumber']} is listed with {one['totalAmount']}")

    # --- at rest ---------------------------------------------------------------------------------

    def rest_of_office(self) -> None:
        self.rest_of_collected()
        self.rest_of_buyers()
        self.rest_of_carts()
        self.run(self._list(50, None))
        if all(map(waits_for_a_person, self.all_sales())):
            self.run(self.rest_of_owed())
