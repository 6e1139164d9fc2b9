"""The state of a certificate-mode signer's elements: how many are open, and what is still to do for
each."""

from __future__ import annotations

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ElementLeft:
    """The open work of an element. doubts: receipts that only the element's certificate, or a
    person, can settle. has_mail: mail of the element waits to be sent."""

    uid: str
    doubts: int = 0
    has_mail: bool = False


@dataclass(frozen=True, slots=True)
class SignerState:
    """open: the number of open elements; most: the limit of this number. with_open_work: elements
    with open work."""

    open: int
    most: int
    with_open_work: tuple[ElementLeft, ...] = ()
