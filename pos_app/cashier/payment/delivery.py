"""How the receipt is handed over: what the store allows and this version can carry out.

Paper is the rule; electronic delivery alone wants the buyer's consent, and the screen says so
(fiscal.md 6.12). Sources: till.md ("Payment"), platform-contract.md 2.14.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.domain.email_address import checked_address
from pos_app.domain.request import ReceiptDelivery
from pos_app.domain.store import PrintMethod
from pos_app.errors import Invalid
from pos_app.selling.typed_details import TypedDetails
from pos_app.settings import Settings


class DeliveryWay(StrEnum):
    """A way to hand a receipt over."""

    THERMAL = "thermal"
    A4 = "a4"
    EMAIL = "email"
    PDF = "pdf"


PAPER = (DeliveryWay.THERMAL, DeliveryWay.A4)


def ways_here(settings: Settings) -> frozenset[DeliveryWay]:
    """The ways for which the server has a device; a PDF needs none."""
    devices = {
        DeliveryWay.THERMAL: settings.printer.kind != "none",
        DeliveryWay.A4: bool(settings.a4.queue),
        DeliveryWay.EMAIL: bool(settings.mail.host),
    }
    return frozenset({DeliveryWay.PDF}) | {way for way, is_set in devices.items() if is_set}


def ways_of(methods: PrintMethod, *, built: Iterable[DeliveryWay]) -> tuple[DeliveryWay, ...]:
    """The ways that are offered here, in the order shown; a PDF needs nothing from the store."""
    allowed = {
        DeliveryWay.THERMAL: methods.thermal,
        DeliveryWay.A4: methods.a4,
        DeliveryWay.EMAIL: methods.email,
    }
    return tuple(way for way in DeliveryWay if way in set(built) and allowed.get(way, True))


@dataclass(frozen=True, slots=True)
class DeliveryDraft:
    """offered: the ways shown. chosen: those ticked. email: the address as typed."""

    offered: tuple[DeliveryWay, ...]
    chosen: frozenset[DeliveryWay]
    email: str = ""

    @classmethod
    def usual(cls, offered: tuple[DeliveryWay, ...]) -> DeliveryDraft:
        """On paper where there is a printer, else whatever comes first."""
        paper = [way for way in PAPER if way in offered]
        first = paper[:1] or list(offered[-1:])
        return cls(offered, frozenset(first))

    def with_added(self, added: TypedDetails) -> DeliveryDraft:
        """This usual draft, or the ways that a cart keeps; those no longer here are left out."""
        if added.ways is None:
            return replace(self, email=added.email)
        chosen = frozenset(way for way in self.offered if way.value in added.ways)
        if added.ways and not chosen:
            chosen = self.chosen
        return replace(self, chosen=chosen, email=added.email)

    def added(self, usual: DeliveryDraft) -> tuple[str, ...] | None:
        """The ways as a cart keeps them; None where they are the usual ones."""
        if self.chosen == usual.chosen:
            return None
        return tuple(way.value for way in self.offered if way in self.chosen)

    @property
    def is_without_paper(self) -> bool:
        """Whether the buyer must agree: nothing is printed."""
        return not self.chosen & set(PAPER)

    def tick(self, way: DeliveryWay, on: bool) -> DeliveryDraft:
        """With a way, or without it."""
        return replace(self, chosen=self.chosen | {way} if on else self.chosen - {way})

    def fault(self) -> PaymentFault | None:
        """What is wrong: an address that is none."""
        if DeliveryWay.EMAIL not in self.chosen:
            return None
        try:
            checked_address(self.email.strip())
        except Invalid as error:
            return PaymentFault.of(FaultPlace.DELIVERY, error)
        return None

    def delivery(self) -> ReceiptDelivery:
        """As it is asked for."""
        return ReceiptDelivery(
            thermal=DeliveryWay.THERMAL in self.chosen,
            a4=DeliveryWay.A4 in self.chosen,
            email=self.email.strip() if DeliveryWay.EMAIL in self.chosen else None,
            pdf=DeliveryWay.PDF in self.chosen,
        )
