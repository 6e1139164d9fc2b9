"""A confirmed sale as the till keeps it, and what the server said about it last.

Sources: exactly-once.md ("Answers have a class"), till.md ("Attention").
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime

from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.payment import PaymentMethod, Payments, change_on_paper
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.server_status import JournalMark
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.domain.tax import TaxLabel
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind

NO_ROOM = "40010002"
"""The server's code where its disk is nearly full: nothing is sent, whatever the sale."""
NOT_COMPARED = "40010005"
"""The server's code where it can't say yet that nothing was signed: its journal has first to be
compared with the processor."""
UNREADABLE = "50010003"
"""The server's code where it is signed, and what is kept of it can't be read."""
JOURNAL_RESTORED = "journal_restored"
"""Code of the doubt about what was tried before a copy was put back, and is not yet reported."""
REPORTED = "reported"
"""The same once the server was told of it: from then on it is the server's doubt."""
JOURNAL_BEHIND = "journal_behind"
"""As JOURNAL_RESTORED, where the till remembers rows that the journal lacks: so the till's file is
the newer one, and nothing that it still has to send was cancelled since."""
PROVING = "proving"
"""The same once the server was told of it and proves that its processor has no receipt of it."""
UNCONFIRMED = "unconfirmed"
"""Code of a sale that is kept though its confirm was perhaps told as failed."""
INTERRUPTED = "interrupted"
"""Code of the doubt about what was under way when the till ended."""


LEFT_IN_FRONT = "left_in_front"
"""Code of an operation that could not be sent while somebody waited for it."""
AFTER_REFUND = "after_refund"
"""Code of a sale that waits for the refund that was frozen with it."""
ABSENT = "absent"
"""Code of what was in doubt and surely not issued."""
REFUND_REASON = "refund_reason"
"""Code of the event of a refund whose text is why the goods came back."""
PAID_OUT = "paid_out"
"""Code of the event of an exchange's refund, whose worth a manager says was paid out: its text is
who said it. Until then, or until it is used, the drawer still has what the refund's row says."""
KEPT_IN_FRONT = frozenset({Operation.REFUND, Operation.ADVANCE, Operation.CLOSE})
"""Operations that are sent only while somebody waits for them (`Sale.is_kept_in_front`)."""


@dataclass(frozen=True, slots=True)
class PendingReason:
    """Why a sale has no receipt yet.

    code: the server's number or state, or a word of ours. text: English, for logs and for
    codes that have no translation. pfr_code: the processor's own, may be "". field: the path of
    the member at fault, as in "items[0].sku"; "" where none is.
    """

    answer_class: AnswerClass
    code: str
    text: str = ""
    pfr_code: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class MoneyTaken:
    """What the cashier took. on_receipt: as signed. rounding: the drawer's gain or loss."""

    tendered: Payments
    on_receipt: Payments
    change: Money = Money.ZERO
    rounding: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class NewSale:
    """What confirm freezes, beside the cart. frozen_at: UTC. total: that of the receipt.

    body: the request in its wire form; it is never made again from parts. target: the id of the
    receipt that an operation acts on; None where it issues one. is_exchange: as of `Sale`. reason:
    why a refund was given, for the shop alone; "" where it was not asked. is_queued: no processor
    signs it now. lifted_by: who let a colleague do it before it is confirmed; "" for nobody, and
    for who lifts it this moment. undoes: the number of the refund that it undoes, which is a
    decision; "" for any other.
    """

    body: bytes = field(repr=False)
    total: Money
    money_taken: MoneyTaken
    cashier: str
    frozen_at: datetime
    shift_id: int | None = None
    operation: Operation = Operation.ISSUE
    target: str | None = None
    is_exchange: bool = False
    reason: str = ""
    is_queued: bool = False
    lifted_by: str = ""
    undoes: str = ""


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """What the till keeps of a signed receipt; the whole is the journal's. Instants are UTC.

    signed_at: None where the journal can't be read, and tells the number alone.
    """

    receipt_id: str
    fiscal_number: str
    signed_at: datetime | None
    verification_url: str | None = None

    @property
    def is_unreadable(self) -> bool:
        """Whether the server could only tell that it is signed: no paper can be made of it."""
        return self.signed_at is None

    @classmethod
    def of(cls, receipt_id: str, receipt: SignedReceipt) -> ReceiptFacts:
        return cls(receipt_id, receipt.invoice_number, receipt.sdc_time, receipt.verification_url)


@dataclass(frozen=True, slots=True)
class Sale:
    """A confirmed sale. Instants are UTC.

    key: 32 hex digits, the same in each attempt. sequence: counts a till's sales upward.
    attempts: how often it was handed over. next_try_at: for show. receipt: once DONE.
    receipt_id: told by an answer in doubt too. cancel_reason: a person wants it cancelled.
    epoch: the last restore of the journal that the till knew of when it was frozen.
    operation: what is asked for; total and money_taken of a refund are what goes back, of a closing
    what the buyer pays with it. target: the id of the receipt that it acts on; None of one that is
    issued. follows: of a sale that is frozen with a refund the key of that, which has to be signed
    before it; None of any other. is_exchange: both are of an exchange, for which the hand moves
    what is between them; else they are of a correction, for which no coin moves.
    """

    key: str
    sequence: int
    cart_id: int
    kind: DocumentKind
    state: SaleState
    total: Money
    money_taken: MoneyTaken
    cashier: str
    frozen_at: datetime
    shift_id: int | None = None
    attempts: int = 0
    next_try_at: datetime | None = None
    reason: PendingReason | None = None
    receipt_id: str | None = None
    receipt: ReceiptFacts | None = None
    answered_at: datetime | None = None
    cancel_reason: str | None = None
    delivered: bool = False
    shown: bool = False
    epoch: str | None = None
    operation: Operation = Operation.ISSUE
    target: str | None = None
    follows: str | None = None
    is_exchange: bool = False

    @property
    def is_kept_in_front(self) -> bool:
        """Whether it is sent only while somebody waits for it, and never by itself later: how much
        of a receipt remains is the server's to know, and the buyer may have left. So is a sale
        behind a refund: a person is told what is left."""
        return self.operation in KEPT_IN_FRONT or self.follows is not None

    @property
    def closes_elsewhere(self) -> bool:
        """Whether it refunds an advance of another system whose goods are handed over: it gives
        back nothing, and a sale that refers to it follows (fiscal.md 6.2)."""
        is_by_hand = self.operation is Operation.REFUND and self.target is None
        return is_by_hand and not self.money_taken.tendered.total

    @property
    def is_half_done(self) -> bool:
        """Whether its first receipt is signed, and the server sends the second by itself."""
        waits = self.reason is not None and self.reason.code == RequestState.RELEASED
        return self.state is SaleState.DOUBT and waits

    @property
    def is_unreadable(self) -> bool:
        """Whether it is issued, and the server could tell no more than its number."""
        return self.receipt is not None and self.receipt.is_unreadable

    @property
    def change_on_paper(self) -> Money | None:
        """The change as the receipt's paper says it; None where it is what was handed over, and of
        what is not paid as it is issued: a refund, a copy, a closing."""
        if self.operation not in (Operation.ISSUE, Operation.ADVANCE):
            return None
        return change_on_paper(self.total, self.money_taken.on_receipt, self.money_taken.change)


@dataclass(frozen=True, slots=True)
class ExchangeMoney:
    """What an exchange moves, as its two halves were frozen.

    taken: cash that the hand takes, below zero what it gives, change left out of both. credited:
    what the goods that came back are worth to the customer. back, paid: what moves beside cash.
    """

    taken: Money
    credited: Money
    back: Payments
    paid: Payments

    @classmethod
    def of(cls, refund: Sale, new: Sale) -> ExchangeMoney:
        given, gone = new.money_taken, refund.money_taken
        others = {
            method: given.tendered.amount(method) - gone.on_receipt.amount(method)
            for method in PaymentMethod
            if method not in (PaymentMethod.CASH, PaymentMethod.OTHER)
        }
        return cls(
            given.tendered.cash - given.change - (gone.tendered.cash - gone.rounding),
            gone.tendered.total,
            Payments.of({method: -moved for method, moved in others.items() if moved < Money.ZERO}),
            Payments.of({method: moved for method, moved in others.items() if moved > Money.ZERO}),
        )


@dataclass(frozen=True, slots=True)
class QueuedSale:
    """A sale without an end, as the outbox sees it."""

    key: str
    sequence: int
    state: SaleState
    attempts: int
    cancel_requested: bool = False
    epoch: str | None = None
    is_kept_in_front: bool = False

    @classmethod
    def of(cls, sale: Sale) -> QueuedSale:
        wished = sale.cancel_reason is not None
        return cls(
            sale.key, sale.sequence, sale.state, sale.attempts, wished, sale.epoch,
            sale.is_kept_in_front,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SaleEvent:
    """One step in the history of a sale, written by storage itself. old is None at confirm."""

    at: datetime
    old: SaleState | None
    new: SaleState
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class SoldUnknown:
    """A code that the catalogue lacked when something was sold for it at an open price.

    name, label, price: of what was sold for it last. lines: how often. at: UTC, by cashier.
    """

    code: str
    name: str
    label: TaxLabel
    price: Money
    lines: int
    at: datetime
    cashier: str


@dataclass(frozen=True, slots=True)
class RememberedJournal:
    """What the till keeps of the journal. epoch: its last restore that the till acted on.

    acted_key: of this till's last sale in the journal, as it was told when the till acted.
    """

    journal: JournalMark | None = None
    epoch: str | None = None
    acted_key: str | None = None


@dataclass(frozen=True, slots=True)
class LackingSales:
    """Confirmed sales that the journal has, or a file that was kept beside, and that this till's
    file lacks, for it was put back.

    since: when that was found. first, last: their numbers, as far as they are known; what was
    confirmed after the last one and never reached the journal is known to nobody. files: the names
    of those that were kept.
    """

    since: datetime
    first: int
    last: int
    files: tuple[str, ...] = ()

    @property
    def many(self) -> int:
        """How many they are at least."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class RestoredCopy:
    """A copy was put back. last_sequence, last_key: of this till's last sale in the journal.

    is_journal: the journal's, and perhaps the till's with it; else the till's alone. is_behind: the
    journal lacks what the till remembers, so the till's file is the newer one.
    """

    journal: JournalMark
    epoch: str | None
    last_sequence: int
    last_key: str | None
    is_journal: bool
    is_behind: bool = False
