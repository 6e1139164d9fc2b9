"""The page of the shop's mail by real keys and presses: it is saved, with its password, and
tried."""

from __future__ import annotations

import tomllib
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from pos_app.cashier.settings.mail_page import MailPage
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values_page import ValueRow
from pos_app.cashier.ui.field import Field
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.errors import NotDelivered
from tests.fakes.mail_server import certificates
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, only, page_shown
from tests.gui.patience import until
from tests.gui.settings.conftest import Reopened, settings_acts
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands


async def at_page(hands: Hands) -> MailPage:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    if not screen.model.is_open:
        let_in(screen.model, PIN)
    screen.model.choose(PageName.MAIL)
    page: MailPage = await page_shown(hands.window.frame, "set.page.mail")
    return page


def told(panel: QWidget) -> str:
    return " | ".join(lines_of(panel))


def typed(hands: Hands, field: Field, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    hands.type(text)


def row_of(page: Any, setting: str) -> ValueRow:
    row: ValueRow = page.form.rows[setting]
    return row


def field_of(page: MailPage, setting: str) -> Field:
    return only(row_of(page, setting), Field)


def written(hands: Hands) -> dict[str, object]:
    path = hands.shop.services.settings.data / "settings.toml"
    return tomllib.loads(path.read_text()).get("mail", {}) if path.exists() else {}


async def set_up(hands: Hands, page: MailPage) -> None:
    typed(hands, field_of(page, "mail.host"), "mail.lipa.rs")
    typed(hands, field_of(page, "mail.sender"), "racuni@lipa.rs")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: page.acts.words.startswith("Сачувано"))


async def test_certificates_that_are_trusted_are_named_and_none_that_is_not_there(
    reopened: Reopened, hands: Hands
) -> None:
    """With a wrong file no mail would be sent, and nobody would know before the first one."""
    data = hands.shop.services.settings.data
    authority = certificates(data).authority
    (data / "other.pem").write_text("no certificate")
    page = await at_page(hands)
    await set_up(hands, page)
    row = row_of(page, "mail.ca_file")
    for wrong in ("missing.pem", "other.pem"):
        typed(hands, only(row, Field), wrong)
        await until(page.acts.save.isEnabled)
        hands.press("Enter")
        await until(lambda: "Ту нема датотеке" in told(row))
        assert "ca_file" not in written(hands)
    typed(hands, only(row, Field), authority.name)
    await until(page.acts.save.isEnabled)
    hands.press("Enter")
    await until(lambda: hands.shop.services.settings.mail.ca_file == str(authority))
    assert written(hands)["ca_file"] == authority.name
    authority.unlink()
    typed(hands, field_of(page, "mail.user"), "racuni")
    await until(page.acts.save.isEnabled)
    hands.press("Enter")
    await until(lambda: written(hands).get("user") == "racuni")


async def test_settings_and_password_are_saved_and_the_server_reads_them_once(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    page = await at_page(hands)
    typed(hands, page.password.field, "tajna")
    await set_up(hands, page)
    assert written(hands) == {"host": "mail.lipa.rs", "sender": "racuni@lipa.rs"}
    assert mail.passwords == ["tajna"]
    assert reopened.reopened == [], "the password has it opened anew"
    assert page.password.field.text() == ""
    typed(hands, field_of(page, "mail.user"), "racuni")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: len(reopened.reopened) == 1)
    assert mail.passwords == ["tajna"]
    assert hands.shop.services.may_mail


async def test_the_password_alone_is_saved_and_stays_typed_where_the_server_is_away(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    mail.refuses = NotDelivered(what="The server is away.")
    page = await at_page(hands)
    typed(hands, page.password.field, "tajna")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: page.acts.words != "" and page.acts.save.isEnabled())
    assert (mail.passwords, page.password.field.text()) == ([], "tajna")
    mail.refuses = None
    hands.tap(page.acts.save)
    await until(lambda: mail.passwords == ["tajna"])
    assert (written(hands), reopened.reopened) == ({}, [])


async def test_settings_that_could_not_be_written_are_not_noted_with_the_next_password(
    reopened: Reopened, hands: Hands
) -> None:
    draft = hands.shop.services.settings.data / "settings.toml.new"
    draft.mkdir()  # so nothing can be written where it stands
    page = await at_page(hands)
    typed(hands, field_of(page, "mail.user"), "racuni")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: "не може да уписује" in page.acts.words)
    assert (settings_acts(hands.shop), written(hands)) == ([], {})
    typed(hands, field_of(page, "mail.user"), "x")
    hands.press("Backspace")
    typed(hands, page.password.field, "tajna")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: hands.shop.mail_setup.passwords == ["tajna"])
    await until(lambda: bool(settings_acts(hands.shop)))
    assert [(one.subject, one.after) for one in settings_acts(hands.shop)] == [("mail", "")]


async def test_a_password_that_is_kept_is_said_and_one_given_elsewhere_can_not_be_typed(
    hands: Hands,
) -> None:
    hands.shop.mail_setup.told = MailSetup(has_password=True, given_elsewhere=True)
    page = await at_page(hands)
    await until(lambda: page.password.field.edit.placeholderText() != "")
    assert not page.password.field.isEnabled()


async def test_a_sender_that_is_no_address_is_told_before_the_server_could_not_open(
    reopened: Reopened, hands: Hands
) -> None:
    page = await at_page(hands)
    typed(hands, field_of(page, "mail.host"), "mail.lipa.rs")
    row = row_of(page, "mail.sender")
    await until(lambda: "Адреса е-поште" in told(row))
    assert not page.acts.save.isEnabled()
    typed(hands, field_of(page, "mail.sender"), "racuni@lipa.rs")
    typed(hands, field_of(page, "mail.reply_to"), "nije adresa")
    await until(lambda: "Исправите" in page.acts.words)
    assert not page.acts.save.isEnabled()
    assert written(hands) == {}


async def test_a_trial_mail_is_sent_once_and_each_cause_is_told(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    page = await at_page(hands)
    assert not page.trial.send.isEnabled()
    await set_up(hands, page)
    typed(hands, page.trial.to, "gazda@lipa.rs")
    mail.away = 1  # the server opens the shop again
    await until(page.trial.send.isEnabled)
    hands.tap(page.trial.send)
    await until(lambda: "сервер поште ју је примио" in told(page.trial))
    assert mail.sent == ["gazda@lipa.rs"]
    for fault, words in (
        ("no_host", "нема сервера с тим именом"),
        ("away", "не јавља"),
        ("no_encryption", "шифровање"),
        ("certificate", "сертификату"),
        ("login", "лозинка"),
        ("sender", "пошиљаоца"),
        ("recipient", "примаоца"),
        ("refused", "одбио"),
        ("stuck", "предуго"),
    ):
        mail.trial = MailTrial(fault)
        await until(page.trial.send.isEnabled)
        hands.tap(page.trial.send)
        await until(partial(_tells, page, words))
    mail.trial = MailTrial("cut_off", may_be_sent=True)
    await until(page.trial.send.isEnabled)
    hands.tap(page.trial.send)
    await until(lambda: "проверите да ли је стигла" in told(page.trial))
    assert "није послата" not in told(page.trial)


def _tells(page: MailPage, words: str) -> bool:
    return "није послата: " in told(page.trial) and words in told(page.trial)
