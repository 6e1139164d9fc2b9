from __future__ import annotations

import pytest

from pos_app.domain.money.bank_account import BankAccount
from pos_app.errors import Invalid
from tests.sweep import each


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        # The three examples of the NBS, and an account of the budget.
        ("840-955845-10", "840000000095584510"),
        ("165-55-74", "165000000000005574"),
        ("310-1234567891211-86", "310123456789121186"),
        ("840-743324843-18", "840000074332484318"),
        ("840000000095584510", "840000000095584510"),
        (" 840-0000000955845-10 ", "840000000095584510"),
        ("840 0000000955845 10", "840000000095584510"),
    ],
)
def test_an_account_as_people_write_it(written: str, digits: str) -> None:
    assert BankAccount.parse(written).digits == digits


def test_on_paper_it_has_no_leading_zeros() -> None:
    assert str(BankAccount("840000000095584510")) == "840-955845-10"
    assert str(BankAccount("310123456789121186")) == "310-1234567891211-86"


@each(
    ("written", "kind"),
    [
        ("840-955845-11", "check"),
        ("840-955854-10", "check"),
        ("480-955845-10", "check"),
        ("840-955845", "account"),
        ("840-12345678901234-10", "account"),
        ("84-955845-10", "account"),
        ("84000000009558451", "account"),
        ("८४०000000095584510", "account"),
        ("RS35840000000095584510", "account"),
        ("", "account"),
    ],
)
def test_a_mistyped_account_is_refused(written: str, kind: str) -> None:
    with pytest.raises(Invalid) as refused:
        BankAccount.parse(written)

    assert refused.value.kind == kind
