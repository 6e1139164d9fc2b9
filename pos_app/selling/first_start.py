"""The first start of a till whose folder holds no shop yet: the choices so far, and the present
step.

Source: till.md (First start).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Literal, Protocol

from pos_app.lazy_dataclass import dataclass


class ShopChoice(StrEnum):
    DEMO = "demo"
    """A shop with articles of its own, in a folder within the shop's, without fiscal receipts."""
    SHOP = "shop"


class FirstStep(StrEnum):
    """The steps, in their order."""

    CASHIER = "cashier"
    PIN = "pin"
    ARTICLES = "articles"
    STORE = "store"
    PROCESSOR = "processor"
    PRINTER = "printer"


@dataclass(frozen=True, slots=True)
class FirstStart:
    """choice is None before one was made. answers: texts of fields that are not saved yet, none of
    them secret. is_over: the shop is set up, or existed before."""

    choice: ShopChoice | None = None
    step: FirstStep = FirstStep.CASHIER
    answers: Mapping[str, str] = field(default_factory=dict)
    is_over: bool = False

    @property
    def is_wanted(self) -> bool:
        """Whether a till on this folder shows the first start instead of selling."""
        return not self.is_over and self.choice is not ShopChoice.DEMO


class FirstStartControl(Protocol):
    """Keeps the progress, and opens another shop in place of the till that is open."""

    def read(self) -> FirstStart: ...

    def save(self, start: FirstStart) -> None:
        """Raises DataFolderNotWritable."""

    async def prepare_demo(self) -> None:
        """Fill the demo shop, if it does not exist yet. Raises MachineError, Invalid."""

    def keep_language(self, language: Literal["sr-Cyrl", "sr-Latn", "en"]) -> None:
        """Set the language of the till. Raises SettingsBroken, NotAllowed,
        DataFolderNotWritable."""

    def reopen(self, start: FirstStart | None = None) -> None:
        """Close the till and open the shop that is chosen now, with its present settings. start:
        is kept once the till closes; a till that stays open keeps what was chosen before."""
