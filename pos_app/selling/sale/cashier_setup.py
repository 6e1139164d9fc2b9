"""The cashier, and whether the shop is in the system of VAT: set in the first start, and changed by
a manager.

Source: till.md (Settings, First start).
"""

from __future__ import annotations

from typing import Protocol

from pos_app.errors import NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ports import Carts, SaleRepository
from pos_app.selling.sale.state import SaleState

NAME, IN_VAT = "till.cashier", "esir.in_vat"


@dataclass(frozen=True, slots=True)
class CashierSetup:
    """cashier: the name on receipts. given_elsewhere: names of the settings that the environment
    gives; they are changed there."""

    cashier: str
    in_vat: bool
    given_elsewhere: tuple[str, ...] = ()


class CashierSettings(Protocol):
    """Keeps the settings for later starts."""

    def given_elsewhere(self) -> tuple[str, ...]: ...

    def save(self, setup: CashierSetup) -> None:
        """Keep all but what is given elsewhere. Raises SettingsBroken, NotAllowed,
        DataFolderNotWritable."""


def check_none_waits(sales: SaleRepository) -> None:
    """Check that no confirmed sale still waits for its receipt, before a shop leaves the system of
    VAT: the customer was told of VAT, and the server would refuse the sale's labels. Raises
    NotAllowed, and MachineError where the database can't be read."""
    if waiting := sales.waiting(SaleState.FROZEN, SaleState.SENDING, SaleState.DOUBT):
        raise NotAllowed("vat_while_waiting", waiting=len(waiting))


def check_no_sale_entered(carts: Carts) -> None:
    """Check that no sale is entered, because its cashier must not change between its items. Raises
    NotAllowed, and MachineError where the database can't be read."""
    ticket = carts.open_cart(training=False)
    if ticket is not None and ticket.cart.active:
        raise NotAllowed("cashier_in_sale")
