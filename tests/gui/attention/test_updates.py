"""A newer version at the screen: its news are read, and it is installed by one button."""

from __future__ import annotations

import re
from pathlib import Path

from pos_app.bootstrap.till.till import ProgramHere
from pos_app.domain.money.money import Money
from pos_app.domain.setup.release import Version
from pos_app.errors import NotAllowed, NotDelivered, Refused
from pos_app.selling.sale import sell
from pos_app.selling.shift.shift import FloatIs
from tests.fakes.update_channel import NOTES
from tests.gui.attention.conftest import Caring
from tests.gui.parts import lines_of
from tests.gui.payment.shop import CASHIER, named

ROW = "Постоји новија верзија"


async def offered(care: Caring, by_hand: bool = False) -> None:
    care.shop.releases.offer(by_hand=by_hand)
    await care.shop.updates.look()
    await care.opened()
    assert care.rows() == [ROW]
    care.tap(ROW)


def said(care: Caring) -> str:
    return "\n".join(lines_of(care.window))


async def test_it_is_read_and_installed(care: Caring) -> None:
    await offered(care)
    assert NOTES in said(care)
    care.tap("Инсталирај сада")
    await care.until(lambda: care.shop.releases.started)
    assert care.shop.releases.started == [Path("/updates/pos-app-3.3.0.exe")]
    await care.until(
        lambda: care.case_view.news_text() == "Инсталација је покренута; каса се сада затвара."
    )


async def test_it_waits_for_the_end_of_the_shift(care: Caring) -> None:
    now = care.shop.clock.now()
    care.shop.store.shifts.begin(Money(0), FloatIs.COUNTED, by="Мира", at=now)
    await offered(care)
    care.tap("Инсталирај сада")
    await care.until(lambda: care.case_view.news_text() == "Смена је отворена")
    assert care.shop.releases.started == []


async def test_without_an_administrator_the_till_says_so(care: Caring) -> None:
    care.shop.releases.refuses = NotAllowed("no_administrator", what="no")
    await offered(care)
    care.tap("Инсталирај сада")
    told = "Инсталација није покренута: Windows тражи одобрење администратора"
    await care.until(lambda: care.case_view.news_text() == told)


async def test_a_second_shops_till_names_the_one_that_installs(care: Caring) -> None:
    path = r"C:\ProgramData\pos-app"
    care.shop.releases.not_here = NotAllowed("update_other_till", what="no", path=path)
    await offered(care)
    care.tap("Инсталирај сада")
    told = f"Затворите ову касу и инсталирајте из касе чији су подаци у {path}"
    await care.until(lambda: care.case_view.news_text().replace("\u200b", "") == told)
    assert care.shop.releases.started == []


async def test_later_is_until_the_next_start(care: Caring) -> None:
    await offered(care)
    assert care.screen.model.count() == 1
    care.tap("Касније")
    await care.until(lambda: not care.rows())
    await care.shop.updates.look()
    care.screen.refresh()
    assert care.rows() == []


async def test_where_none_can_be_started_the_page_is_named(care: Caring) -> None:
    await offered(care, by_hand=True)
    assert "Инсталира се ручно: https://example.rs/pos-app" in said(care)


async def test_a_refused_manifest_is_told_without_a_bell(care: Caring) -> None:
    care.shop.releases.offered = Refused("update_unsigned", what="not signed")
    await care.shop.updates.look()
    await care.opened()
    assert care.screen.model.count() == 0
    care.tap("Новије верзије не могу да се провере")
    assert "Понуђену верзију није потписао произвођач" in said(care)


async def test_a_certificate_that_is_not_trusted_is_told_by_its_cause(care: Caring) -> None:
    """It was told nowhere, as one that can't be reached."""
    care.shop.releases.offered = NotDelivered("update_tls_expired", what="x", tls="tls_expired")
    await care.shop.updates.look()
    await care.opened()
    care.tap("Новије верзије не могу да се провере")
    assert "Сертификат сервера је истекао: проверите датум на овом рачунару" in said(care)


async def test_one_that_did_not_come_is_seen_once(care: Caring) -> None:
    care.shop.updates.not_installed = Version(3, 3, 0)
    await care.opened()
    care.tap("Новија верзија није инсталирана")
    care.tap("Видео сам")
    await care.until(lambda: not care.rows())


REPLACED = "Отворите касу поново"


async def replaced(care: Caring) -> ProgramHere:
    program = ProgramHere()
    object.__setattr__(care.shop.services, "program", program)  # a real till has it from the start
    await care.opened()
    assert REPLACED not in care.rows()
    program.is_replaced = True
    care.screen.refresh()
    care.tap(REPLACED)
    return program


async def test_a_till_whose_program_was_exchanged_is_opened_anew(care: Caring) -> None:
    program = await replaced(care)
    assert "Док је каса отворена, инсталирана је друга верзија програма." in said(care)
    assert care.screen.model.count() == 1
    care.tap("Отвори поново")
    await care.until(lambda: program.reopens)


async def test_its_row_keeps_the_time_at_which_it_was_noticed(care: Caring) -> None:
    await replaced(care)
    told = at_times(care)
    care.shop.clock.go_on(3 * 60_000)
    care.screen.refresh()
    assert told == at_times(care)


def at_times(care: Caring) -> list[str]:
    """The words of row and head that say since when it is so."""
    return [one for one in re.findall(r"данас у \d\d:\d\d", said(care)) if one]


async def test_it_is_not_opened_anew_while_a_sale_is_entered(care: Caring) -> None:
    program = await replaced(care)
    till = care.shop.till
    care.shop.add(sell.start(till=till, cashier=CASHIER), named("Торта", "900.00"))
    care.tap("Отвори поново")
    await care.until(lambda: care.case_view.news_text() == "Продаја је у току")
    assert not program.reopens
