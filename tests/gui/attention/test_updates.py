"""A newer version at the screen: its news are read, and it is installed by one button."""

from __future__ import annotations

import re
from pathlib import Path

from pos_app.bootstrap.till.till import ProgramHere
from pos_app.domain.money.money import Money
from pos_app.domain.setup.release import Version
from pos_app.errors import NotAllowed, NotDelivered, PosError, Refused
from pos_app.selling.sale import sell
from pos_app.selling.shift.shift import FloatIs
from tests.fakes.update_channel import NOTES
from tests.gui.attention.conftest import Caring
from tests.gui.parts import lines_of
from tests.gui.payment.shop import CASHIER, named
from tests.sweep import each

ROW = "Постоји новија верзија"
PATH = r"C:\ProgramData\pos-app"


async def offered(care: Caring, *, by_hand: bool = False) -> None:
    care.shop.releases.offer(by_hand=by_hand)
    await care.shop.updates.look()
    await care.opened()
    assert care.rows() == [ROW]
    care.tap(ROW)


def said(care: Caring) -> str:
    return "\n".join(lines_of(care.window))


async def test_it_is_read_and_installed_or_left_until_the_next_start(care: Caring) -> None:
    """No administrator, and the till of a second shop, keep it from being installed."""
    await offered(care)
    releases = care.shop.releases
    assert care.screen.model.count() == 1
    assert NOTES in said(care)
    assert care.buttons == ["Касније", "Инсталирај сада"]
    assert care.case_view.focus_first()
    assert care.steps.buttons["install"].hasFocus()

    async def told(words: str) -> None:
        care.tap("Инсталирај сада")
        await care.until(lambda: care.news == words)

    releases.refuses = NotAllowed("no_administrator", what="no")
    await told("Инсталација није покренута: Windows тражи одобрење администратора")
    releases.refuses = None
    releases.not_here = NotAllowed("update_other_till", what="no", path=PATH)
    await told(f"Затворите ову касу и инсталирајте из касе чији су подаци у {PATH}")
    releases.not_here = None
    assert releases.started == []
    await told("Инсталација је покренута; каса се сада затвара.")
    assert releases.started == [Path("/updates/pos-app-4.1.0.exe")]
    now = care.shop.clock.now()
    care.shop.store.shifts.begin(Money(0), FloatIs.COUNTED, by="Мира", at=now)
    await told("Смена је отворена")
    assert len(releases.started) == 1
    care.tap("Касније")
    await care.until(lambda: not care.rows())
    await care.shop.updates.look()
    care.screen.refresh()
    assert care.rows() == []


@each(
    ("fault", "words"),
    [
        (Refused("update_unsigned", what="x"), "Понуђену верзију није потписао произвођач"),
        (
            NotDelivered("update_tls_expired", what="x", tls="tls_expired"),
            "Сертификат сервера је истекао: проверите датум на овом рачунару",
        ),
    ],
)
async def test_one_that_can_t_be_looked_for_is_told_by_its_cause_without_a_bell(
    care: Caring, fault: PosError, words: str
) -> None:
    """A certificate that is not trusted was told nowhere, as a server that can't be reached."""
    care.shop.releases.offered = fault
    await care.shop.updates.look()
    await care.opened()
    assert care.screen.model.count() == 0
    care.tap("Новије верзије не могу да се провере")
    assert words in said(care)


async def test_one_that_did_not_come_is_seen_once(care: Caring) -> None:
    care.shop.updates.not_installed = Version(3, 3, 0)
    await care.opened()
    care.tap("Новија верзија није инсталирана")
    care.tap("Виђено")
    await care.until(lambda: not care.rows())


async def test_a_till_whose_program_was_exchanged_is_opened_anew(care: Caring) -> None:
    """But not while a sale is entered. Its row keeps the time at which it was noticed."""
    program, row = ProgramHere(), "Отворите касу поново"
    object.__setattr__(care.shop.services, "program", program)  # a real till has it from the start
    await care.opened()
    assert row not in care.rows()
    program.is_replaced = True
    care.screen.refresh()
    care.tap(row)
    assert "Док је каса отворена, инсталирана је друга верзија програма." in said(care)
    assert care.screen.model.count() == 1
    told = re.findall(r"данас у \d\d:\d\d", said(care))
    care.shop.clock.go_on(3 * 60_000)
    care.screen.refresh()
    assert told == re.findall(r"данас у \d\d:\d\d", said(care)) != []
    till = care.shop.till
    ticket = care.shop.add(sell.start(till=till, cashier=CASHIER), named("Торта", "900.00"))
    care.tap("Отвори поново")
    await care.until(lambda: care.news == "Продаја је у току")
    assert not program.reopens
    sell.void(till=till, ticket=ticket, reason="test")
    care.tap("Отвори поново")
    await care.until(lambda: program.reopens)
