"""What a signer of certificate mode tells of its elements: how many are open, and what is left."""

from __future__ import annotations

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ElementLeft:
    """What an element has to do. doubts: receipts that only its certificate, or a person, can
    settle. has_mail: mail of it waits."""

    uid: str
    doubts: int = 0
    has_mail: bool = False


@dataclass(frozen=True, slots=True)
class SignerState:
    """open, most: elements that are open, and that may be. left: those with something to do."""

    open: int
    most: int
    left: tuple[ElementLeft, ...] = ()
