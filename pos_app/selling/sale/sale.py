"""A confirmed sale as the till keeps it, and the server's last answer about it.

Sources: exactly-once.md ("Answers have a class"), till.md ("Attention").
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, change_on_paper
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind

NO_ROOM = "40010002"
"""The server's code while its disk is nearly full: it sends no sale."""
NOT_COMPARED = "40010005"
"""The server's code while it can't say that nothing was signed: its journal has first to be
compared with the processor."""
UNREADABLE = "50010003"
"""The server's code for a signed sale whose stored receipt can't be read."""
JOURNAL_RESTORED = "journal_restored"
"""Code of an unreported doubt about a sale that was tried before a copy was put back."""
REPORTED = "reported"
"""Code of such a doubt once it was reported: from then on the server settles it."""
JOURNAL_BEHIND = "journal_behind"
"""Like JOURNAL_RESTORED, but the till remembers rows that the journal lacks, so the till's file is
the newer one; and nobody has cancelled the sale since."""
PROVING = "proving"
"""Code of a doubt that was JOURNAL_BEHIND and was reported: the server is proving that its
processor has no receipt of the sale."""
UNCONFIRMED = "unconfirmed"
"""Code of a sale that is kept although its confirmation may have been shown as failed."""
INTERRUPTED = "interrupted"
"""Code of the doubt about a sale that was under way when the till ended."""


LEFT_IN_FRONT = "left_in_front"
"""Code of an operation that could not be sent while somebody waited for it."""
AFTER_REFUND = "after_refund"
"""Code of a sale that waits for the refund that was frozen with it."""
ABSENT = "absent"
"""Code of a sale that was in doubt and surely not issued."""
REFUND_REASON = "refund_reason"
"""Code of a refund's event whose text says why the goods came back."""
PAID_OUT = "paid_out"
"""Code of the event by which the amount of an exchange's refund was paid out; its text names the
manager who says so. Until then, or until the amount is used, the drawer has the cash of the
refund's row."""
KEPT_IN_FRONT = frozenset({Operation.REFUND, Operation.ADVANCE, Operation.CLOSE})
"""Operations that are sent only while somebody waits for them (`Sale.is_kept_in_front`)."""


@dataclass(frozen=True, slots=True)
class PendingReason:
    """Why a sale has no receipt yet.

    code: the server's number or state, or a word of ours. text: English, for logs and for codes
    without a translation. pfr_code: the processor's own code, may be "". field: the path of the
    wrong member, as in "items[0].sku", or "".
    """

    answer_class: AnswerClass
    code: str
    text: str = ""
    pfr_code: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class MoneyTaken:
    """The money of a sale. on_receipt: as signed. rounding: the drawer's gain or loss."""

    tendered: Payments
    on_receipt: Payments
    change: Money = Money.ZERO
    rounding: Money = Money.ZERO

    def less(self, change: Money) -> Payments:
        """What was given, without so much change in cash."""
        cash = PaymentMethod.CASH
        return Payments.of(
            {
                method: amount - change if method is cash else amount
                for method, amount in self.tendered.by_method
            }
        )


@dataclass(frozen=True, slots=True)
class NewSale:
    """The data that confirming freezes, beside the cart. frozen_at: UTC. total: the total of the
    receipt.

    body: the request in its wire form; it is never built again from parts. target: the id of the
    receipt that an operation acts on, or None where it issues one. is_exchange: as in `Sale`.
    reason: the reason of a refund, which only the shop sees; "" if it was not asked. is_queued: no
    processor signs it now. lifted_by: the colleague who permitted it earlier; "" for nobody, or
    while a colleague is lifting it. undoes: the number of the refund that the sale undoes, else "".
    buyer: what the buyers' book learns once the receipt is signed, or None.
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
    buyer: KnownBuyer | None = None


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """The till's record of a signed receipt; the journal has the whole. Instants are UTC.

    signed_at is None where the journal can't read the receipt, and knows its number alone.
    """

    receipt_id: str
    fiscal_number: str
    signed_at: datetime | None
    verification_url: str | None = None

    @property
    def is_unreadable(self) -> bool:
        """Whether the server can't read the receipt, so that no paper can be made of it."""
        return self.signed_at is None

    @classmethod
    def of(cls, receipt_id: str, receipt: SignedReceipt) -> ReceiptFacts:
        return cls(receipt_id, receipt.invoice_number, receipt.sdc_time, receipt.verification_url)


@dataclass(frozen=True, slots=True)
class Sale:
    """A confirmed sale. Instants are UTC.

    key: 32 hex digits, the same in each attempt. sequence: counts a till's sales upward. attempts:
    the number of times it was handed over. next_try_at: for display. receipt: set once DONE.
    receipt_id: also known from an answer in doubt. cancel_reason: set where a person wants it
    cancelled. epoch: the last restore of the journal that the till knew of when it was frozen.
    operation: the requested act; total and money_taken are the money that goes back for a refund,
    and the buyer's payment for a closing. target: the id of the receipt that it acts on, or None.
    follows: the key of the refund that was frozen with it and has to be signed first, or None.
    is_exchange: a refund and the sale that follows it belong to an exchange, where only the
    difference changes hands; else they belong to a correction, where no coin moves.
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
    was_shown: bool = False
    epoch: str | None = None
    operation: Operation = Operation.ISSUE
    target: str | None = None
    follows: str | None = None
    is_exchange: bool = False

    @property
    def is_kept_in_front(self) -> bool:
        """Whether the sale is sent only while somebody waits for it, and never by itself later:
        only the server knows how much of a receipt remains, and the buyer may have left. This
        includes a sale behind a refund, because a person is shown what is left."""
        return self.operation in KEPT_IN_FRONT or self.follows is not None

    @property
    def change_told(self) -> Money:
        """The change that was told when it was confirmed, and counts as given since. That of an
        exchange, and of an act that somebody waits for, is told once it is issued."""
        waits = self.is_kept_in_front or self.is_exchange
        return Money.ZERO if waits else self.money_taken.change

    @property
    def closes_elsewhere(self) -> bool:
        """Whether the sale refunds an advance of another system whose goods are handed over:
        nothing goes back, and a sale that refers to it follows (fiscal.md 6.2)."""
        is_by_hand = self.operation is Operation.REFUND and self.target is None
        return is_by_hand and not self.money_taken.tendered.total

    @property
    def is_half_done(self) -> bool:
        """Whether a pair's first receipt is signed, and the server sends the second one."""
        waits = self.reason is not None and self.reason.code == RequestState.RELEASED
        return self.state is SaleState.DOUBT and waits

    @property
    def is_unreadable(self) -> bool:
        """Whether the sale is issued, and the server could report only its number."""
        return self.receipt is not None and self.receipt.is_unreadable

    @property
    def change_on_paper(self) -> Money | None:
        """The change on the receipt's paper. It is None where that equals the change handed over,
        and for a refund, a copy and a closing, whose payment is not made when they are issued."""
        if self.operation not in (Operation.ISSUE, Operation.ADVANCE):
            return None
        return change_on_paper(self.total, self.money_taken.on_receipt, self.money_taken.change)


@dataclass(frozen=True, slots=True)
class ExchangeMoney:
    """The money that an exchange moves, as its two halves were frozen.

    taken: the cash taken, negative when given, without change. change: the change of a customer
    who pays. credited: the customer's credit for the returned goods. back, paid: the money that
    moves by other methods than cash.
    """

    taken: Money
    change: Money
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
        taken = given.tendered.cash - given.change - (gone.tendered.cash - gone.rounding)
        return cls(
            taken,
            given.change if taken > Money.ZERO else Money.ZERO,
            gone.tendered.total,
            Payments.of({method: -moved for method, moved in others.items() if moved < Money.ZERO}),
            Payments.of({method: moved for method, moved in others.items() if moved > Money.ZERO}),
        )

    @property
    def hand_gives(self) -> Money:
        """The change, or the rest of the credit in cash."""
        return self.change or max(-self.taken, Money.ZERO)


@dataclass(frozen=True, slots=True)
class QueuedSale:
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
            sale.key,
            sale.sequence,
            sale.state,
            sale.attempts,
            wished,
            sale.epoch,
            sale.is_kept_in_front,
        )


@dataclass(frozen=True, slots=True)
class SaleEvent:
    """A step in the history of a sale, written by the database. old is None at confirmation."""

    at: datetime
    old: SaleState | None
    new: SaleState
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class SoldUnknown:
    """A code that the catalogue lacked when an article was sold for it at an open price.

    name, label, price: the values of the last sale. lines: the number of lines. at: UTC.
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
    """The till's record of the journal. epoch: its last restore that the till acted on.

    acted_key: the key of this till's last sale in the journal when the till acted.
    """

    journal: JournalMark | None = None
    epoch: str | None = None
    acted_key: str | None = None


@dataclass(frozen=True, slots=True)
class LackingSales:
    """Confirmed sales of the journal, or of an older file that was kept, that this till's restored
    file lacks.

    since: the instant of the finding. first, last: their known numbers; later sales that never
    reached the journal are unknown. files: the names of the kept files.
    """

    since: datetime
    first: int
    last: int
    files: tuple[str, ...] = ()

    @property
    def many(self) -> int:
        """The least number of such sales."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class RestoredCopy:
    """A copy was put back. last_sequence, last_key: the sequence number and key of this till's last
    sale in the journal. is_journal: whether the journal was put back, perhaps with the till's file;
    otherwise only the till's file was. is_behind: whether the journal lacks rows that the till
    remembers, so that the till's file is the newer one.
    """

    journal: JournalMark
    epoch: str | None
    last_sequence: int
    last_key: str | None
    is_journal: bool
    is_behind: bool = False
