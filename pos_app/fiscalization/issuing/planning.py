"""Makes the plan of a request: reads the chain from the journal, articles from the catalogue.

No code here awaits, so no other request is accepted between reading the journal and storing the
plan (exactly-once.md, step 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import assert_never

from pos_app import errors
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import operations
from pos_app.domain.receipt.pricing import priced_goods
from pos_app.domain.receipt.receipt import Warnings
from pos_app.domain.receipt.request import (
    FrozenArticle,
    IssueRequest,
    PlatformArticle,
    RequestedItem,
    TransactionType,
)
from pos_app.domain.receipt.states import OPEN, AnswerClass
from pos_app.fiscalization.plans import issue
from pos_app.fiscalization.plans.advance import plan_advance
from pos_app.fiscalization.plans.basis import Basis, sums_named
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.close import plan_closing
from pos_app.fiscalization.plans.copying import plan_copy
from pos_app.fiscalization.plans.foreign_advance import FINISHES
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.plans.reversal import UNDOES
from pos_app.fiscalization.plans.vat_labels import (
    check_items_vat,
    check_vat,
    labels_of,
    labels_repeated,
)
from pos_app.fiscalization.ports import Articles, ReceiptReader
from pos_app.fiscalization.refusals import CATALOGUE, NotSigned, ReceiptNotFound
from pos_app.lazy_dataclass import dataclass

Facts = tuple[FrozenArticle | None, ...]
_UNREADABLE = (errors.DatabaseDamaged, errors.DatabaseTooNew)
_WITHOUT_CATALOGUE = (*_UNREADABLE, errors.DiskFailed, errors.DataFolderNotWritable)


@dataclass(frozen=True, slots=True)
class Plan:
    """receipts: to be signed in this order. chain: the chain that they join, None for a new one.
    facts: the catalogue's articles for items that came with a sku only."""

    receipts: tuple[PlannedReceipt, ...]
    chain: str | None
    facts: Facts = ()

    def with_warnings(self, warnings: Warnings) -> Plan:
        first, *others = self.receipts
        return replace(self, receipts=(replace(first, warnings=warnings), *others))


def facts_by_code(asked: operations.OperationRequest, facts: Facts) -> dict[int, FrozenArticle]:
    """The articles frozen for a request, by the code of each item."""
    items = asked.items if isinstance(asked, IssueRequest | operations.Closing) else ()
    pairs = zip(items, facts, strict=False)  # a cancelled command has no facts
    return {item.sku: fact for item, fact in pairs if item.sku is not None and fact is not None}


@dataclass(frozen=True, slots=True)
class Planner:
    """without: the command that is planned anew, whose receipts are left out of the chain.
    of_platform: see `Caller.articles`. known: the articles frozen for that command, by code.
    further: signed receipts of the chain that the journal lacks.
    corrects: the first receipt of that command is signed; only another second one is planned.
    repeated: labels that a correction takes over from the receipt that it mends. only_reported: the
    request is kept as a till reports it, and never sent."""

    journal: ReceiptReader
    articles: Articles
    basis: Basis
    of_platform: Mapping[int, Sequence[PlatformArticle]] = field(default_factory=dict)
    without: str | None = None
    known: Mapping[int, FrozenArticle] = field(default_factory=dict)
    further: tuple[ChainReceipt, ...] = ()
    corrects: bool = False
    repeated: frozenset[TaxLabel] = frozenset()
    only_reported: bool = False

    def plan(self, asked: operations.OperationRequest, target: str | None) -> Plan:
        """Plan a request. target: the request id of the receipt that it acts on. Raises Invalid
        naming the field, NotSigned (wait; cure for a damaged catalogue), ReceiptNotFound."""
        if isinstance(asked, IssueRequest):
            return self._issue(asked)
        assert target is not None
        receipt, chain, name = self._chain_of(target)
        basis = self.basis
        match asked:
            case operations.AdvancePayment():
                receipts: tuple[PlannedReceipt, ...] = plan_advance(
                    receipt=receipt, chain=chain, request=asked, basis=basis
                )
            case operations.Closing():
                return self._close(asked, receipt, chain, name)
            case operations.Copying():
                receipts = plan_copy(receipt=receipt, chain=chain, request=asked, basis=basis)
            case operations.Refunding():
                receipts = plan_refund(receipt=receipt, chain=chain, request=asked, basis=basis)
            case _:
                assert_never(asked)
        return Plan(receipts, name)

    def _issue(self, request: IssueRequest) -> Plan:
        number = request.referent_number
        found = None if number is None else self.journal.request_of_number(number)
        is_sale = request.transaction_type is TransactionType.SALE
        # A refund of a receipt in this journal takes its articles from there.
        facts = self._facts(request.items) if is_sale or not found else (None,) * len(request.items)
        request = replace(request, items=issue.with_facts(request.items, facts))
        receipt, chain, name = self._chain_of(found.id) if found else (None, Chain(()), None)
        if is_sale and not self.only_reported:
            check_vat(request, labels_repeated(request, receipt) | self.repeated, self.basis)
        receipts = issue.plan_issue(
            request=request, referent=receipt, chain=chain, basis=self.basis
        )
        return Plan(receipts, name if _joins(request, receipt) else None, facts)

    def _close(
        self, request: operations.Closing, receipt: ChainReceipt, chain: Chain, name: str
    ) -> Plan:
        facts = self._facts(request.items)
        with sums_named("items" if request.items else "payments"):
            asked = issue.with_facts(request.items, facts)
            check_items_vat(asked, labels_of(chain), self.basis)
            goods = priced_goods(asked)
            receipts = plan_closing(
                receipt=receipt,
                chain=chain,
                request=request,
                items=tuple(map(issue.fiscal_line, goods)),
                lowered=issue.lowered_lines(asked, goods),
                basis=self.basis,
                corrects=self.corrects,
            )
        return Plan(receipts, name, facts)

    def _chain_of(self, request_id: str) -> tuple[ChainReceipt, Chain, str]:
        request = self.journal.request(request_id)
        if request is None:
            raise ReceiptNotFound()
        chain = Chain((*self.journal.chain(request.chain).links, *self.further))
        receipt = next(link for link in chain.links if link.id == request_id)
        if receipt.state in OPEN:
            raise NotSigned("referent_open", answer_class=AnswerClass.WAIT)
        if receipt.receipt is None:
            raise ReceiptNotFound()
        rest = chain if self.without is None else chain.without(self.without)
        return receipt, rest, request.chain

    def _facts(self, items: Sequence[RequestedItem]) -> Facts:
        return tuple(self._fact(item, index) for index, item in enumerate(items))

    def _fact(self, item: RequestedItem, index: int) -> FrozenArticle | None:
        if item.article is not None:
            return None
        facts = self._of_sku(item.sku) if item.sku is not None else ()
        if len(facts) != 1:
            path = f"items[{index}].sku"
            why = "is of two articles: send the article itself" if facts else "does not exist"
            raise errors.Invalid("wrong_article", field=path, sku=item.sku, why=why)
        return facts[0]

    def _of_sku(self, sku: int) -> Sequence[FrozenArticle]:
        if sku in self.known:
            return (self.known[sku],)
        sold = self.of_platform.get(sku)
        try:
            return self.articles.articles(sku, sold=sold)
        except _WITHOUT_CATALOGUE as error:
            if sold is not None:
                return [one.frozen for one in sold]
            if not isinstance(error, _UNREADABLE):
                raise
            raise NotSigned(
                "catalogue",
                answer_class=AnswerClass.CURE,
                reason=CATALOGUE,
                why=error.what,
                advice=error.do,
            ) from error


def _joins(request: IssueRequest, referent: ChainReceipt | None) -> bool:
    """Whether a receipt joins the chain of the one that it refers to: a refund does, and a sale
    that finishes another system's advance or undoes a refund."""
    if referent is None or request.transaction_type is TransactionType.REFUND:
        return True
    return (request.kind, referent.kind) in (FINISHES, UNDOES)
