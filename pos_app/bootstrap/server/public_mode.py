"""Connects the server to the platform in public mode, as the settings say."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
from collections.abc import AsyncIterator, Callable
from functools import partial

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.install import ANOTHER_CLIENT, Install, open_client_id
from pos_app.adapters.secrets.names import PLATFORM_SECRET
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.domain.receipt.server_status import PublicMode, PublicModeState
from pos_app.domain.setup.safe_connection import CLEAR_TEXT, platform_fault
from pos_app.keep_running import keep_running
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.relay_channel import RelayAddress, dial
from pos_app.local_api.relay_client import RelayClient, RelayIdentity
from pos_app.settings import PlatformSettings, Settings, refused

_log = log.get(__name__)


class PublicModeProgram:
    """The connection of a server, or the reason why there is none."""

    def __init__(self, status: Callable[[], PublicMode | None], client: RelayClient | None) -> None:
        self.status = status
        self._client = client

    @contextlib.asynccontextmanager
    async def relaying(self, door: ReceiptDoor) -> AsyncIterator[None]:
        """Pass the platform's requests to this door while inside."""
        if self._client is None:
            yield
            return
        run = partial(self._client.run, door)
        task = asyncio.create_task(keep_running(run, "public mode"), name="public mode")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def public_mode_of(settings: Settings, install: Install) -> PublicModeProgram:
    """Make the connection. Raises SettingsBroken for unreadable certificates,
    DataFolderNotWritable."""
    clock, platform = SystemClock(), settings.platform
    if not platform.public_mode:
        return PublicModeProgram(lambda: None, None)
    client_id = open_client_id(settings.data)
    secret = platform_secret(platform.key, data=settings.data, variables=os.environ).reveal()
    if lacks := _lacks(platform, client_id, secret):
        code, words = lacks
        _log.warning("public mode is not connected: %s", words)
        status = PublicMode(
            PublicModeState.NOT_CONFIGURED,
            clock.now(),
            code=code,
            words=words,
            url=platform.url,
            client_id=client_id,
            store_id=platform.store_id,
        )
        return PublicModeProgram(lambda: status, None)
    identity = RelayIdentity(
        client_id,
        install.install_id,
        platform.store_id,
        name=settings.till.name,
        url=platform.url,
        program=__version__,
    )
    address = RelayAddress(platform.url, platform.key, secret, platform.proxy, _trusted(settings))
    client = RelayClient(identity=identity, dial=partial(dial, address), clock=clock)
    return PublicModeProgram(lambda: client.status, client)


def _lacks(platform: PlatformSettings, client_id: str, secret: str) -> tuple[str, str] | None:
    """Return what public mode needs and lacks, in a word and in English, or None."""
    given = {"platform.url": platform.url, "platform.key": platform.key, PLATFORM_SECRET: secret}
    if missing := [name for name, value in given.items() if not value]:
        return "missing", f"Public mode needs {', '.join(missing)}."
    if (fault := platform_fault(platform)) is not None:
        return fault.code, CLEAR_TEXT[fault].format(url=platform.url)
    if not client_id:
        words = "client.json is missing, with the clientId that other programs name. Put it back"
        return "client_lost", f"{words} from a backup. {ANOTHER_CLIENT}"
    return None


def _trusted(settings: Settings) -> ssl.SSLContext | None:
    if not settings.platform.url.startswith("https:"):
        return None
    context = ssl.create_default_context()
    if settings.platform.ca_file:
        try:
            context.load_verify_locations(settings.platform.ca_file)
        except OSError as error:
            why = f"no certificates can be read there ({type(error).__name__})"
            raise refused(settings, "platform.ca_file", why) from error
    return context
