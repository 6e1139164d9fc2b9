"""The steps that the screens of acts on receipts have in common, as the big button shows them. Each
has one word, one icon and one kind of button, whatever the act is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.done import NEXT_ICON
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class StepFace:
    """word: the id of its text; "" for no button, because the way back is what is left. kind: PLAIN
    where the button waits."""

    word: str
    icon: str
    kind: ButtonKind = ButtonKind.FILLED


SURE = "step.sure"
"""The id of the order of a key that agrees to a doubted number."""
SHARED_STEPS: Mapping[str, StepFace] = MappingProxyType(
    {
        "wait": StepFace("step.wait", "loader-circle", ButtonKind.PLAIN),
        "again": StepFace("step.again", "refresh-cw"),
        "attention": StepFace("step.attention", "bell"),
        "back": StepFace("", ""),
        "next": StepFace("done.next", NEXT_ICON),
    }
)
"""By the values of the steps of `PairStep` and `RefundStep`."""
