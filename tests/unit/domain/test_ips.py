from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.money import ips
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.money import Money
from pos_app.errors import Invalid
from tests.sweep import each

ACCOUNT = BankAccount.parse("840-955845-10")
SHOP = ips.IpsPayee(ACCOUNT, "Čigra doo", code="289")
UNIT = Money("1")


def test_a_public_bill_is_written_tag_by_tag_as_its_issuer_did() -> None:
    """The power company's bill as public examples show it, without its payer."""
    payee = ips.IpsPayee(
        BankAccount("845000000040484987"), "JP EPS BEOGRAD\nBALKANSKA 13", code="189"
    )
    payment = ips.IpsPayment(
        payee,
        Money("3596.13"),
        purpose="UPLATA PO RAČUNU ZA EL. ENERGIJU",
        reference="97163220000111111111000",
    )
    assert payment.text == (
        "K:PR|V:01|C:1|R:845000000040484987|N:JP EPS BEOGRAD\nBALKANSKA 13|I:RSD3596,13|SF:189"
        "|S:UPLATA PO RAČUNU ZA EL. ENERGIJU|RO:97163220000111111111000"
    )


@each(
    ("amount", "written"),
    [
        ("0.01", "I:RSD0,01"),
        ("500", "I:RSD500,00"),
        ("1000.10", "I:RSD1000,10"),
        ("999999999999.99", "I:RSD999999999999,99"),
    ],
)
def test_an_amount_has_a_comma_and_no_thousands(amount: str, written: str) -> None:
    tag = ips.IpsPayment(SHOP, Money(amount)).text.split("|")[5]

    assert tag == written
    assert 5 <= len(tag.removeprefix("I:")) <= 18


@each(
    "name",
    ["A" * 70, "Ресторан Дон\nБулевар краља Александра 12\nБеоград", 'Trgovina "Ljubica" & ko.'],
)
def test_a_payee_that_the_nbs_allows(name: str) -> None:
    assert f"|N:{name}|" in ips.IpsPayment(ips.IpsPayee(ACCOUNT, name), Money("1")).text
    assert ips.tag_text("|Račun\t1„2“ ") == "Račun 1 2"


NOT_ALLOWED = {
    "amount": ["0", "-1"],
    "name": ["", "A" * 71, "A\nB\nC\nD", "A|B", "A\tB", " A", "A\n", "Кафана „Дон“"],
    "code": ["", "22", "2211", "22A", "२२१"],
    "purpose": ["A" * 36, "A\nB", "A|B", " A", "A "],
    "reference": ["AB1234", "00", "97173220000111111111000", "97-14123412", "97abc", "1",
                  "00" + "1" * 24],
}  # fmt: skip


@each(("tag", "value"), [(tag, value) for tag, values in NOT_ALLOWED.items() for value in values])
def test_what_it_does_not_allow_is_named(tag: str, value: str) -> None:
    given: dict[str, Any] = {tag: Money(value) if tag == "amount" else value}
    with pytest.raises(Invalid) as refused:
        payment(**given)
    assert refused.value.field == tag


def payment(
    name: str = "Čigra", code: str = "221", amount: Money = UNIT, **more: str
) -> ips.IpsPayment:
    return ips.IpsPayment(ips.IpsPayee(ACCOUNT, name, code=code), amount, **more)


@each(
    ("number", "reference"),
    [("3220000111111111000", "97163220000111111111000"), ("1", "97951"), ("A", "9768A")],
)
def test_a_reference_of_model_97_checks_itself(number: str, reference: str) -> None:
    """The first is on a public bill; control digits are 98 less the number × 100 modulo 97."""
    assert ips.reference_97(number) == reference
    for stands in ("001234", "11-0014-1234-12", "97163220000111111111000"):
        written = ips.IpsPayment(SHOP, Money("1"), reference=stands).text
        assert written.endswith(f"|RO:{stands}")
    for none in ("", "12-3", "ж", "1" * 22):
        with pytest.raises(Invalid):
            ips.reference_97(none)


@each(
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
    assert str(BankAccount("840000000095584510")) == "840-955845-10", "on paper without zeros"
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
