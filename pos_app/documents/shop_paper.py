"""A shop's settings of its paper. Sources: platform-api.md (Store), fiscal.md 6.15."""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.domain.bank_account import BankAccount
from pos_app.domain.ips import IpsPayee
from pos_app.domain.store import ReceiptLanguage


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopPaper:
    """not_fiscal: the development processor signs here, so nothing printed is a fiscal receipt.

    header and footer: the shop's own lines, outside the fiscal part, in the script as typed.
    accounts: printed on receipts paid by transfer, where print_bank_accounts says so.
    payee: who is paid by the IPS code of proformas and of receipts paid by transfer; None: none.
    """

    not_fiscal: bool
    language: ReceiptLanguage = ReceiptLanguage.CYRILLIC
    print_discounts: bool = False
    print_bank_accounts: bool = False
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    accounts: tuple[BankAccount, ...] = ()
    payee: IpsPayee | None = None
