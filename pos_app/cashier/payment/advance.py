"""What an advance asks for beside the payments: how much, of what, and when it arrived.

Sources: fiscal.md 6.2 (known and unknown amount, split per label), 6.8 (ESIR time).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.domain.instant import BELGRADE, E_FISCALIZATION_BEGAN, as_utc, in_belgrade
from pos_app.domain.money import Money
from pos_app.domain.number_text import parse_amount
from pos_app.domain.payment import PaymentMethod, Payments
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.typed_details import TypedAdvance

_DAY = re.compile(r"(\d{1,2})[., /]\s*(\d{1,2})[., /]\s*(\d{4})?[.,]?")
_TIME = re.compile(r"(\d{1,2})[:.,](\d{2})")
NOON = (12, 0)


@dataclass(frozen=True, slots=True)
class AdvanceDraft:
    """What stands in the fields, as typed.

    amount: "" for the whole cart. unknown: the final amount is not known yet. parts: by label,
    all empty for the split in proportion. day, time: when a wire transfer arrived, Belgrade.
    """

    amount: str = ""
    unknown: bool = False
    parts: Mapping[TaxLabel, str] = field(default_factory=dict)
    day: str = ""
    time: str = ""

    def with_added(self, added: TypedAdvance) -> AdvanceDraft:
        """This usual draft, with what a cart keeps."""
        return AdvanceDraft(
            amount=added.amount,
            unknown=self.unknown if added.unknown is None else added.unknown,
            parts={TaxLabel(label): typed for label, typed in added.parts.items()},
            day=added.day,
            time=added.time,
        )

    def added(self, usual: AdvanceDraft) -> TypedAdvance:
        """As a cart keeps it."""
        return TypedAdvance(
            amount=self.amount,
            unknown=None if self.unknown == usual.unknown else self.unknown,
            parts={label.value: typed for label, typed in self.parts.items() if typed},
            day=self.day,
            time=self.time,
        )

    def paid_now(self, total: Money) -> Money:
        """What is to be paid now; the cart's total while nothing sensible is typed."""
        return self._amount() or total

    def asked(self) -> Money | None:
        """The amount typed; None for the whole cart."""
        return self._amount()

    def split(self, labels: Mapping[TaxLabel, Money]) -> Mapping[TaxLabel, Money]:
        """The parts typed, of the labels in the cart; empty for a split in proportion.

        Raises Invalid for a part that is no amount.
        """
        typed = {label: self.parts.get(label, "").strip() for label in labels}
        if not any(typed.values()):
            return {}
        return {label: parse_amount(text) for label, text in typed.items() if text}

    def fault(self, labels: Mapping[TaxLabel, Money]) -> PaymentFault | None:
        """What is wrong with amount or split, for a cart with these totals by label."""
        total = Money.total(labels.values())
        try:
            asked = parse_amount(self.amount) if self.amount.strip() else total
            split = self.split(labels)
        except Invalid as error:
            return PaymentFault.of(FaultPlace.ADVANCE, error)
        if not asked:
            return PaymentFault(FaultPlace.ADVANCE, "nothing")
        if not self.unknown and asked > total:
            return PaymentFault(FaultPlace.ADVANCE, "above_total", {"total": total})
        return self._split_fault(split, labels, asked)

    def _split_fault(
        self, split: Mapping[TaxLabel, Money], labels: Mapping[TaxLabel, Money], asked: Money
    ) -> PaymentFault | None:
        if not split:
            needed = self.unknown and len(labels) > 1
            return PaymentFault(FaultPlace.ADVANCE, "split_needed") if needed else None
        given = Money.total(split.values())
        if given != asked:
            return PaymentFault(FaultPlace.ADVANCE, "split_sum", {"given": given, "asked": asked})
        if not self.unknown:
            for label, part in split.items():
                if part > labels[label]:
                    most = labels[label]
                    return PaymentFault(
                        FaultPlace.ADVANCE, "split_above", {"label": label, "most": most}
                    )
        return None

    def arrived(self, now: datetime) -> datetime | None:
        """When the wire transfer arrived, UTC; None where it is now.

        A day alone is noon. Raises Invalid (kind: date, future, too_early).
        """
        if not self.day.strip():
            return None
        moment = _moment(self.day.strip(), self.time.strip(), now)
        if moment > now:
            raise Invalid("the transfer can't arrive in the future", kind="future")
        if moment < E_FISCALIZATION_BEGAN:
            raise Invalid("no advance was fiscal when that transfer came", kind="too_early")
        return moment

    def wire_fault(self, given: Payments, now: datetime) -> PaymentFault | None:
        """What is wrong with that time: it is the wire transfer's alone (fiscal.md 6.8)."""
        try:
            arrived = self.arrived(now)
        except Invalid as error:
            return PaymentFault.of(FaultPlace.WIRE_TIME, error)
        if arrived is not None and not given.amount(PaymentMethod.WIRE_TRANSFER):
            return PaymentFault(FaultPlace.WIRE_TIME, "no_transfer")
        return None

    def _amount(self) -> Money | None:
        try:
            return parse_amount(self.amount) or None if self.amount.strip() else None
        except Invalid:
            return None


def _moment(day: str, time: str, now: datetime) -> datetime:
    told, clock = _DAY.fullmatch(day), _TIME.fullmatch(time) if time else None
    fault = Invalid("this is not a day and time", kind="date")
    if told is None or (time and clock is None):
        raise fault
    hour, minute = (int(clock[1]), int(clock[2])) if clock else NOON
    year = int(told[3]) if told[3] else in_belgrade(now).year
    try:
        moment = datetime(year, int(told[2]), int(told[1]), hour, minute, tzinfo=BELGRADE)
        return as_utc(moment)
    except (ValueError, Invalid) as error:
        raise fault from error
