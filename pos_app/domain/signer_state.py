"""The state of a certificate-mode signer's elements: the number of open ones, and their open
work."""

from __future__ import annotations

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ElementLeft:
    """The open work of an element. doubts: receipts that only its certificate, or a person, can
    settle. has_mail: its mail waits."""

    uid: str
    doubts: int = 0
    has_mail: bool = False


@dataclass(frozen=True, slots=True)
class SignerState:
    """open, most: the number of open elements, and its limit. left: elements with open work."""

    open: int
    most: int
    left: tuple[ElementLeft, ...] = ()
