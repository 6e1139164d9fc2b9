"""The printers of a shop are found, tried, changed and print a page while its server runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.setup import mail_at
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.settings_file import SettingsFile
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.domain.setup.mail_setup import MailTrial
from pos_app.domain.setup.platform_setup import PlatformChange
from pos_app.domain.setup.printer_setup import PrinterUse
from pos_app.errors import NotDelivered, OutcomeUnknown
from pos_app.selling.server.ports import ServerPlatformSetup
from tests.fakes.mail_server import PASSWORD, USER, MailBox, certificates, serving
from tests.integration.test_backup import killed_at
from tests.integration.test_processor_page import Running, running

RECEIPT, A4 = PrinterUse.RECEIPT, PrinterUse.A4


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


# --- the platform ---


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
