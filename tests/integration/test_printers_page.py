"""The printers of a shop are found, tried, changed and print a page while its server runs."""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app import settings
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.printing import jobs_at
from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.adapters.api_client.setup import mail_at, platform_at, printers_at
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.settings_file import SettingsFile
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.domain.article.store import PickerType, Store
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup.mail_setup import MailTrial
from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.domain.setup.platform_setup import PlatformChange, PlatformSetup
from pos_app.domain.setup.printer_setup import PrinterChange, PrinterSetupService, PrinterUse
from pos_app.errors import NotDelivered, OutcomeUnknown, Refused, RemoteError
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.ports import ServerPlatformSetup
from pos_app.selling.server.training_receipt import training_receipt
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.mail_server import PASSWORD, USER, MailBox, certificates, serving
from tests.fakes.no_tls import NO_TLS
from tests.fakes.our_platform import OurPlatform
from tests.integration.test_backup import killed_at
from tests.integration.test_processor_page import Running, assert_nowhere, running

RECEIPT, A4 = PrinterUse.RECEIPT, PrinterUse.A4
KEY = "a-page-of-trial-{}"


@pytest.mark.deadline(60)
async def test_printers_are_tried_changed_and_print_a_page_without_a_restart(folder: Path) -> None:
    device = EscposDevice()
    async with on_network(device) as port, running(folder) as server:
        desk = printers_at(server.api)
        at = PrinterChange(kind="network", address=f"127.0.0.1:{port}")
        await _tried(desk, at)
        with pytest.raises(Refused):
            await desk.print_page(RECEIPT, key=KEY.format(0), by="Ана")
        await desk.change(at, by="Ана")
        job = await _page(desk, RECEIPT, KEY.format(1))
        assert (job.state, job.trouble) == (JobState.DONE, None)
        assert device.printed
        pieces = len(device.printed)
        with pytest.raises(Refused):
            await desk.print_page(RECEIPT, key=KEY.format(1), by="Ана")
        assert len(device.printed) == pieces, "one key, one page"
        await desk.change(PrinterChange(a4_queue="ipp://127.0.0.1:9/none"), by="Ана")
        job = await _page(desk, A4, KEY.format(2))
        assert (job.state, job.trouble) == (JobState.FAILED, "away")
        assert await jobs_at(server.api).not_done() == (), "a page that did not come is put away"
        text = (folder / "settings.toml").read_text(encoding="utf-8")
        assert "# The manager's own remark." in text
        await _refused(server)
        body = WireCodec().encode(training_receipt(()))
        answers = [
            await server.desk.issue(body, key="a-training-receipt", by="Ана") for _ in range(2)
        ]
        assert isinstance(answers[0], Issued)
        assert answers[0] == answers[1], "one key, one receipt"


async def _tried(desk: PrinterSetupService, at: PrinterChange) -> None:
    setup = await desk.setup()
    assert (setup.kind, setup.a4_queue, "network" in setup.kinds) == ("none", "", True)
    faults = {
        "": (RECEIPT, at),
        "away": (RECEIPT, PrinterChange(kind="network", address="127.0.0.1:9")),
        "address": (RECEIPT, PrinterChange(kind="network", address="two words")),
        "settings": (RECEIPT, PrinterChange(kind="fax")),
        "queue": (A4, PrinterChange(a4_queue="no queue")),
        "kind": (RECEIPT, PrinterChange(kind="windows", address="Kasa")),
    }
    for fault, (use, change) in faults.items():
        assert (await desk.try_out(use, change)).fault == fault
    assert (await desk.try_out(*faults[""])).tells
    with pytest.raises(Refused) as refused:
        await desk.change(faults["address"][1], by="Ана")
    assert refused.value.kind == "address"
    assert (await desk.setup()).kind == "none"


async def _page(desk: PrinterSetupService, use: PrinterUse, key: str) -> DeliveryJob:
    async with asyncio.timeout(20):
        while True:
            try:
                return await desk.print_page(use, key=key, by="Ана")
            except (NotDelivered, OutcomeUnknown, Refused):
                await asyncio.sleep(0.05)


async def _refused_without_token(server: Running, *paths: str) -> None:
    async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
        for path, headers in product(paths, ({}, {"X-Pos-Token": "wrong"})):
            body = {"to": TO, "by": "Ана"}
            answer = await client.post(f"{server.address}/till/{path}", json=body, headers=headers)
            assert answer.status_code == 401, path


async def _refused(server: Running) -> None:
    methods = ("setup", "found_printers", "try_out", "print_page", "change")
    await _refused_without_token(server, *(f"printers/{method}" for method in methods))
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("try_out", {"use": "fax", "change": {}}),
        ("try_out", {"use": "a4", "change": {"widthMm": "80"}}),
        ("try_out", {"use": "receipt", "change": {"kind": "network", "address": "\0"}}),
        ("try_out", {"use": "a4", "change": {"a4Queue": "\0"}}),
        ("print_page", {"use": "a4", "by": "Ана"}),
        ("print_page", {"use": "a4", "key": "short", "by": "Ана"}),
    ]
    for method, body in wrong:
        reply = await server.api.send(f"/till/printers/{method}", body, seconds=5)
        assert reply.status == 400, (method, body)
        change = body.get("change", {})
        if "\0" in change.values():
            assert f"change.{list(change)[-1]}" in str(reply.body), (body, reply.body)
    reply = await server.api.send("/till/printers/change", {"change": {"kind": "none"}}, seconds=5)
    assert reply.status == 400, "nobody said who"


# --- mail ---
TO = "gazda@primer.rs"


class Desk:
    def __init__(self, server: Running) -> None:
        self.mail, self.server = mail_at(server.api), server
        self._settings, self._desk = SettingsFile(server.folder), DoubtHttp(server.api)

    async def set_up(self, password: str = "", **mail: object) -> None:
        self._settings.change({f"mail.{name}": value for name, value in mail.items()})
        if password:
            await self.mail.keep_password(password, by="Ана")
        else:
            await self._desk.reopen(by="Ана")

    async def trial(self, to: str = TO) -> MailTrial:
        async with asyncio.timeout(30):
            while True:
                try:
                    return await self.mail.send_trial(to, by="Ана")
                except (NotDelivered, OutcomeUnknown):
                    await asyncio.sleep(0.05)

    async def tells(self, fault: str) -> None:
        """Try until this fault comes: until the shop is opened anew the old settings hold."""
        async with asyncio.timeout(30):
            while (await self.trial()).fault != fault:
                pass


@asynccontextmanager
async def shop(folder: Path, box: MailBox) -> AsyncIterator[Desk]:
    made = certificates(folder.parent)
    async with serving(box, "starttls", made.server, login=True) as port, running(folder) as server:
        desk = Desk(server)
        await desk.tells("not_set_up")
        assert not (await desk.mail.setup()).has_password
        await desk.set_up(
            PASSWORD.decode(),
            host="localhost",
            port=port,
            user=USER.decode(),
            security="starttls",
            sender="racuni@lipa.rs",
            sender_name="Маркет Липа",
            ca_file=str(made.authority),
        )
        yield desk


@pytest.mark.deadline(120)
async def test_a_trial_mail_arrives_and_each_refusal_is_told_by_its_cause(folder: Path) -> None:
    box = MailBox()
    async with shop(folder, box) as desk:
        await desk.tells("")
        (got,) = box.letters
        assert isinstance(got.content, bytes)
        mail = message_from_bytes(got.content, policy=policy.default)
        assert (got.mail_from, got.rcpt_tos) == ("racuni@lipa.rs", [TO])
        assert "Пробна порука" in mail["Subject"]
        assert "рачуни могу да се шаљу" in mail.get_content()
        assert (await desk.mail.setup()).has_password
        for at, reply, fault in (
            ("MAIL", "550 not you", "sender"),
            ("RCPT", "550 nobody", "recipient"),
            ("DATA", "554 spam", "refused"),
        ):
            box.replies = {at: reply}
            await desk.tells(fault)
        box.replies, box.after_data = {}, "dies"
        trial = await desk.trial()
        assert (trial.fault, trial.may_be_sent) == ("cut_off", True)
        box.after_data = "ok"
        await desk.set_up("canary-wrong-5152")
        await desk.tells("login")
        with pytest.raises(Refused):
            await desk.trial("no address")
        await _refused_without_token(desk.server, "mail/setup", "mail/send_trial")
    assert len(box.letters) == 2, "one that came, and one that was cut off at its end"
    secrets = (PASSWORD.decode(), "canary-wrong-5152")
    assert_nowhere(folder, desk.server.log, *secrets)


# --- the platform ---
async def reopened(desk: ServerPlatformSetup, key: str) -> PlatformSetup:
    async with asyncio.timeout(30):
        while True:
            try:
                setup = await desk.setup()
                if setup.key == key:
                    return setup
            except RemoteError:
                pass
            await asyncio.sleep(0.1)


async def alone(desk: ServerPlatformSetup, key: str) -> None:
    """Wait until the account has only that key: its use is written a moment later."""
    async with asyncio.timeout(10):
        while True:
            if [one.id for one in await desk.keys()] == [key]:
                return
            await asyncio.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="it forks")
def test_killed_at_any_step_key_and_secret_fit(tmp_path: Path) -> None:
    pairs = {"pk_old": "old-secret", "pk_new": "new-secret"}
    found = list[str]()
    for step in count(1):
        data = tmp_path / str(step)
        open_install(data, environment="production")
        changed(data, "pk_old", pairs["pk_old"])
        lived = killed_at(step, partial(changed, data, "pk_new", pairs["pk_new"]))
        key = settings.load(data).platform.key
        assert platform_secret(key, data=data, variables={}).reveal() == pairs[key], (step, key)
        found.append(key)
        if lived:
            break
    assert (found[-1], set(found)) == ("pk_new", set(pairs))
    assert len(found) > 5


def changed(data: Path, key: str, secret: str) -> None:
    change = PlatformChange(url="https://one.rs/v2", key=key, secret=secret)
    asyncio.run(PlatformSetupInFiles(settings.load(data)).change(change, by="Мира"))


@pytest.mark.deadline(90)
async def test_a_platform_is_tried_saved_and_its_keys_and_stores_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    with OurPlatform(folder=tmp_path / "platform").open() as platform:
        async with running(folder) as server:
            api = LocalApi(server.address, open_install(folder, environment="production"))
            desk = platform_at(api)
            before = await desk.setup()
            assert (before.url, before.has_secret) == ("", False)
            with pytest.raises(Refused) as refused:
                await desk.keys()
            assert refused.value.kind == "platform_none"
            right = PlatformChange(url=platform.url, key=platform.key, secret=platform.secret)
            faults = {
                "url": replace(right, url=platform.url + "/x"),
                "key": replace(right, secret="another"),
                "away": replace(right, url="http://127.0.0.1:9/v2"),
            }
            for fault, change in faults.items():
                assert (await desk.try_out(change)).fault == fault
            assert not (await desk.try_out(right)).fault
            with pytest.raises(Refused) as refused:
                await desk.change(faults["url"], by="Мира")
            assert refused.value.kind == "url"
            await desk.change(right, by="Мира")
            setup = await reopened(desk, platform.key)
            assert setup.has_secret
            written = (folder / "settings.toml").read_text()
            assert "# The manager's own remark." in written
            assert platform.secret not in written
            terms = KeyTerms("ЕРП", (KeyScope.FISCALIZATION,), each_order_is_a_sale=True)
            made = await desk.add_key(terms, press="0123456789abcdef")
            assert made.secret
            assert {key.name for key in await desk.keys() if key.each_order_is_a_sale} == {"ЕРП"}
            assert {key.name for key in await desk.keys()} == {"till", "ЕРП"}
            following = await desk.rotate_key(made.id, press="fedcba9876543210")
            assert following.name == "ЕРП"
            listed = [(key.id, key.each_order_is_a_sale) for key in await desk.keys()]
            assert listed[1:] == [(made.id, True), (following.id, True)], "until the new is used"
            for key in (made, following):
                await desk.revoke_key(key.id)
            assert [key.name for key in await desk.keys()] == ["till"]
            added = await desk.add_store("Липа 3", press="0011223344556677")
            store = Store(id=added.id, name="Липа 3")
            changed = replace(store, city="Нови Сад", product_picker_type=PickerType.LIST)
            assert (await desk.change_store(store, changed)).city == "Нови Сад"
            with pytest.raises(Refused) as refused:  # meanwhile the platform has another city
                await desk.change_store(store, replace(store, city="Ниш"))
            assert refused.value.kind == "platform_stale"
            platform.before_write.append(
                lambda: platform.store("PATCH", f"/stores/{store.id}", {"phone": "1"})
            )
            with pytest.raises(Refused) as refused:  # changed at the last moment
                await desk.change_store(changed, replace(changed, city="Ниш"))
            assert refused.value.kind == "platform_stale"
            assert [one["city"] for one in platform.stores() if one["id"] == store.id] == [
                "Нови Сад"
            ]
            with pytest.raises(Refused):
                await desk.change_store(replace(store, id=str(uuid.uuid4())), changed)
            await api.close()
    assert platform.secret not in server.log


@pytest.mark.deadline(90)
async def test_a_shop_takes_its_own_new_key_and_nothing_is_made_twice(tmp_path: Path) -> None:
    """A person who presses again does not know the result of the first press."""
    folder = tmp_path / "shop"
    with OurPlatform(folder=tmp_path / "platform").open() as platform:
        async with running(folder) as server:
            api = LocalApi(server.address, open_install(folder, environment="production"))
            desk = platform_at(api)
            first = PlatformChange(url=platform.url, key=platform.key, secret=platform.secret)
            await desk.change(first, by="Мира")
            await reopened(desk, platform.key)
            with (folder / "settings.toml").open("a", encoding="utf-8") as written:
                written.write('join = "read"\n')
            stores = [await desk.add_store("Липа 3", press="0011223344556677") for _ in range(2)]
            assert stores[0] == stores[1]
            own = await desk.rotate_key(platform.key, press="0123456789abcdef")
            assert await desk.rotate_key(platform.key, press="0123456789abcdef") == own
            assert len(await desk.keys()) == 2, "asked with the old key, which holds until then"
            change = PlatformChange(key=own.id, secret=own.secret, same_account=True)
            await desk.change(change, by="Мира")
            assert (await reopened(desk, own.id)).has_secret
            assert settings.load(folder).platform.join == "read", "it is the same account"
            await alone(desk, own.id)
            await api.close()
    assert own.secret not in server.log
