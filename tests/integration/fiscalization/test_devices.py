"""The devices that settings name; a setting that can't be right is refused, and its name is
given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pos_app.bootstrap.issuing.devices import devices_of
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import SettingsBroken
from pos_app.settings import Settings, load

PRINTER = {"kind": "network", "address": "10.0.0.7"}
MAIL = {"host": "smtp.primer.rs", "sender": "racuni@primer.rs"}


def settled(folder: Path, **groups: Any) -> Settings:
    return load(folder, **groups)


def methods(settings: Settings) -> set[JobMethod]:
    papers = StorePdf(settings, not_fiscal=True)
    try:
        return set(devices_of(settings, papers).handovers)
    finally:
        papers.close()


@pytest.mark.parametrize(
    ("groups", "has"),
    [
        ({}, set()),
        ({"printer": PRINTER}, {JobMethod.THERMAL}),
        ({"a4": {"queue": "office"}}, {JobMethod.A4}),
        ({"mail": MAIL}, {JobMethod.EMAIL}),
        ({"printer": PRINTER, "a4": {"queue": "ipp://10.0.0.8/ipp/print"}, "mail": MAIL},
         {JobMethod.THERMAL, JobMethod.A4, JobMethod.EMAIL}),
        ({"printer": PRINTER | {"drawer": "pin2"}}, {JobMethod.THERMAL, JobMethod.DRAWER}),
    ],
)  # fmt: skip
def test_what_is_set_is_there(folder: Path, groups: Any, has: set[JobMethod]) -> None:
    assert methods(settled(folder, **groups)) == has


@pytest.mark.parametrize("drawer", ["none", "pin2", "pin5"])
def test_a_drawer_hangs_on_a_printer(folder: Path, drawer: str) -> None:
    settings = settled(folder, printer=PRINTER | {"drawer": drawer})
    papers = StorePdf(settings, not_fiscal=True)
    assert devices_of(settings, papers).has_drawer == (drawer != "none")
    papers.close()
    alone = settled(folder, printer={"drawer": drawer})
    assert not devices_of(alone, papers).has_drawer


@pytest.mark.parametrize(
    ("groups", "name"),
    [
        ({"printer": {"kind": "network"}}, "printer.address"),
        ({"printer": {"kind": "network", "address": "a b"}}, "printer.address"),
        ({"a4": {"queue": "two words"}}, "a4.queue"),
        ({"mail": {"host": "smtp.primer.rs"}}, "mail.sender"),
        ({"mail": MAIL | {"reply_to": "nobody"}}, "mail.reply_to"),
        ({"receipt": {"bank_accounts": ["840-1-11"]}}, "receipt.bank_accounts"),
        ({"receipt": {"payee": "Пекара"}}, "receipt.payee"),
    ],
)
def test_a_setting_that_can_not_be_right_is_named(folder: Path, groups: Any, name: str) -> None:
    with pytest.raises(SettingsBroken) as told:
        methods(settled(folder, **groups))
    assert told.value.values["name"] == name
