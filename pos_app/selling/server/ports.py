"""The server as the till sees it: for the outbox, and for a person's questions and decisions.

Adapters and fakes pass the same contract tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pos_app.documents.blocks import Document
from pos_app.domain.article.store import Store
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import JournalCompared, ReceiptInDoubt, ServerStatus
from pos_app.domain.setup.platform_setup import PlatformSetupService
from pos_app.domain.setup.processor_setup import ProcessorSetupService
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import RememberedJournal
from pos_app.selling.server import answers


@dataclass(frozen=True, slots=True)
class OutgoingSale:
    """One sale as it is sent to the server.

    epoch: the last restore of the journal before the sale. is_from_before_restore: whether the sale
    is only reported, so that the server never sends it. is_provable: for such a sale, whether the
    processor's "not found" proves that there is no receipt. has_waited: whether the sale was
    confirmed before the till was started, so that a copy of the till may have sent it. target: the
    id of the receipt that an operation acts on. corrects_after: the key of the refund whose lines a
    correction sells once more.
    """

    key: str
    sequence: int
    cashier: str
    body: bytes
    epoch: str | None = None
    is_from_before_restore: bool = False
    is_provable: bool = False
    has_waited: bool = False
    operation: Operation = Operation.ISSUE
    target: str | None = None
    corrects_after: str | None = None


class FiscalServer(Protocol):
    """The local API as the outbox sees it. No method raises for a network fault."""

    async def prove(self) -> answers.ProofAnswer:
        """Ask who answers at our server's address."""

    async def status(self) -> ServerStatus | answers.NoAnswer: ...

    async def witness(self, remembered: RememberedJournal) -> JournalCompared | answers.NoAnswer:
        """Report the remembered journal, and ask how the server's journal compares."""

    async def issue(self, sale: OutgoingSale) -> answers.IssueAnswer:
        """Hand one sale over and wait for its outcome, at most 25 s."""

    async def look_up(self, key: str, *, epoch: str | None = None) -> answers.LookUpAnswer:
        """Ask for the receipt of a key; nothing is sent to the processor for it.

        epoch: as in OutgoingSale.
        """

    async def remembers(self, sale: OutgoingSale, number: str) -> bool | answers.NoAnswer:
        """Whether the processor in use still finds the receipt of that sale by its RequestId.

        number: its fiscal number. The processor then finds each receipt that it signed since, too.
        """

    async def cancel(self, key: str, *, epoch: str | None = None) -> answers.CancelAnswer:
        """Ask the server to confirm that nothing was and nothing will be signed for a key."""


# --- what a person asks and decides at the server ----------------------------------------------


class ServerDecisions(Protocol):
    """A person's questions and decisions at the server: doubts, alarms, restores, elements.

    Each raises Refused (with the server's text), NotDelivered or OutcomeUnknown.
    """

    async def doubts(self) -> Sequence[ReceiptInDoubt]:
        """The receipts in doubt, and the halves of pairs."""

    async def look_again(self, receipt_id: str) -> answers.Issued | str:
        """Have the processor asked once more. Return the receipt, or the state of its request."""

    async def declare_absent(self, receipt_id: str, *, by: str) -> answers.Issued | str:
        """Report a manager's word that no such receipt exists. Return the receipt, or its state."""

    async def declare_found(
        self, receipt_id: str, *, verification_url: str, by: str
    ) -> answers.Issued | str:
        """Identify the receipt by its verification address. Return the receipt, or its state."""

    async def pair_again(self, receipt_id: str, *, by: str) -> answers.Issued | str:
        """Have the refused receipt of a pair sent once more. Return the receipt, or its state."""

    async def reverse_pair(self, receipt_id: str, *, by: str) -> answers.Issued | str:
        """Have the signed receipt of a pair reversed. Return the state, "reversed" when it is."""

    async def see_alarm(self, alarm_id: int, *, by: str) -> None:
        """Report that a manager has seen an alarm; the server keeps who, and lists it no more."""

    async def close_restored(self, *, by: str) -> None:
        """Report that a manager has checked the receipts before a restore; close its mark."""

    async def accept_element(self, uid: str, *, by: str) -> None:
        """Let another secure element sign receipts from now on, by a manager's word."""

    async def reopen(self, *, by: str) -> None:
        """Have the server open the shop anew, with settings that a manager changed."""


class ServerProcessorSetup(ProcessorSetupService, Protocol):
    """A person's setup of the processor, and a training receipt that shows that it signs."""

    async def issue(self, body: bytes, *, key: str, by: str) -> answers.IssueAnswer:
        """Have a receipt signed that is no sale of the till's. The same key again signs nothing a
        second time. It does not raise for a network fault."""


class ServerPlatformSetup(PlatformSetupService, Protocol):
    """A person's setup of the platform, and of a store of the account."""

    async def change_store(self, before: Store, after: Store) -> Store:
        """Send the difference, and return the store as the platform has it then."""


class ServerReceiptPrinter(Protocol):
    """The server's receipt printer, for other papers than receipts, and the drawer behind it.

    Each raises Refused (with the server's text), NotDelivered or OutcomeUnknown.
    """

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> None:
        """Print a finished paper; the same key again prints nothing a second time. on_a4: on the
        printer of pages, not on the receipt printer."""

    async def open_drawer(self, *, key: str, by: str) -> None:
        """Open the cash drawer now; the same key again opens it no second time. Raises Refused when
        it surely stayed shut."""


class PaperFiles(Protocol):
    """Makes PDFs of the till's own papers."""

    async def pdf_of(self, paper: Document, *, name: str) -> Path:
        """The paper as an A4 file. Raises MachineError if it can't be kept, or without a font."""


class ReceiptFiles(Protocol):
    """Receipts as PDF, which any viewer opens.

    Each raises Refused, NotDelivered, OutcomeUnknown; a MachineError when it can't be kept here.
    """

    async def pdf_of(self, receipt_id: str, *, by: str, instead: bool = False) -> Path:
        """The receipt as its customer sees it, however it was handed over.

        instead: the file replaces papers that still wait for a printer; they are held back for the
        moment.

        Where the original is another document, the file says that it is only a view. The server
        keeps who asked.
        """

    async def save(self, receipt_id: str, to: Path, *, by: str) -> None:
        """Write the same into a file that a person chose. Raises Invalid (kind file_unwritten) too;
        then the file is unchanged."""

    async def opened(self, receipt_id: str, *, by: str) -> None:
        """Report that the file was opened instead of papers that still wait: they are dropped."""


class ServerKeeper(Protocol):
    """Keeps our server running. It reports to the outbox why it can't."""

    @property
    def port(self) -> int:
        """The port of this computer at which the server answers."""

    def try_again(self) -> None:
        """Start the server now, not after the pause, because a person removed the cause."""
