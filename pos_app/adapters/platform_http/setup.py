"""Shows, tries and changes the platform setup, keys and stores at the server, for the page
"Platform and keys" of the settings.

A change is written to settings.toml and the sealed secrets, and the server opens the shop anew with
it, so that public mode follows. The next synchronisation reads the change by itself.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from pos_app import errors, log
from pos_app.adapters.data_folder.install import open_client_id, renew_client_id
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.adapters.platform_http.account import STALE, PlatformAccount
from pos_app.adapters.secrets.names import PLATFORM_SECRET
from pos_app.adapters.secrets.reading import (
    given_elsewhere,
    platform_secret,
    platform_secret_changed,
)
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.article.store import Store
from pos_app.domain.setup import platform_setup
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.domain.setup.safe_connection import platform_fault
from pos_app.selling.synchronisation.reports import fault_word
from pos_app.settings import Settings, variable_that_sets

_JOIN = "platform.join"
_SETTINGS = (
    "environment",
    "url",
    "clear_text_allowed",
    "application_url",
    "key",
    "store_id",
    "public_mode",
)

_log = log.get(__name__)

T = TypeVar("T")


class PlatformSetupInFiles:
    """Implements local_api.context.PlatformAtServer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def setup(self) -> platform_setup.PlatformSetup:
        return await asyncio.to_thread(self._setup)

    def _setup(self) -> platform_setup.PlatformSetup:
        platform = self._settings.platform
        return platform_setup.PlatformSetup(
            environment=platform.environment,
            url=platform.url,
            clear_text_allowed=platform.clear_text_allowed,
            application_url=platform.application_url,
            key=platform.key,
            store_id=platform.store_id,
            public_mode=platform.public_mode,
            has_secret=bool(self._stored().reveal()),
            client_id=open_client_id(self._settings.data),
            given_elsewhere=self._given_elsewhere(),
            proxy=_without_user(platform.proxy),
        )

    def _given_elsewhere(self) -> tuple[str, ...]:
        names = [f"platform.{one}" for one in _SETTINGS]
        secret = (PLATFORM_SECRET,) if self._elsewhere() else ()
        return *(name for name in names if variable_that_sets(name)), *secret

    def _elsewhere(self) -> str:
        return given_elsewhere(PLATFORM_SECRET, data=self._settings.data, variables=os.environ)

    def _stored(self) -> Secret:
        settings = self._settings
        return platform_secret(settings.platform.key, data=settings.data, variables=os.environ)

    # --- tried and changed -----------------------------------------------------------------------

    async def try_out(self, change: platform_setup.PlatformChange) -> platform_setup.PlatformTrial:
        """Return the platform's answers to a change that is not made. It raises nothing for faults
        of the change or the platform."""
        return await asyncio.to_thread(self._try_out, change)

    def _try_out(self, change: platform_setup.PlatformChange) -> platform_setup.PlatformTrial:
        try:
            settings, _ = self._asked(change)
            _check_clear_text(settings)
        except SetupWrong as error:
            return platform_setup.PlatformTrial(fault=error.kind, message=error.what)
        except errors.NotAllowed as error:
            return platform_setup.PlatformTrial(fault="given", message=error.what)
        if not settings.platform.url:
            return platform_setup.PlatformTrial()
        typed = change.secret
        secret = Secret(typed) if typed is not None else self._stored()
        began = time.monotonic()
        try:
            stores = PlatformAccount(settings.platform, secret).stores()
        except errors.RemoteError as error:
            return platform_setup.PlatformTrial(fault=_fault_of(error), message=error.what)
        except (errors.Invalid, errors.SettingsBroken) as error:
            return platform_setup.PlatformTrial(fault="unreadable", message=str(error))
        elapsed = round((time.monotonic() - began) * 1000)
        return platform_setup.PlatformTrial(elapsed_ms=elapsed, stores=stores)

    async def change(self, change: platform_setup.PlatformChange, *, by: str) -> None:
        """Write the change. Raises SetupWrong: nothing is changed."""
        try:
            await asyncio.to_thread(self._write, change)
        except errors.NotAllowed as error:
            raise SetupWrong("given", what=error.what, field="platform") from error
        except (
            errors.SettingsBroken
        ) as error:  # the sealed secrets: the error's words say what to do
            raise SetupWrong("secrets", what=str(error), field="secret") from error
        _log.warning("the platform was changed by %s", by)

    def _write(self, change: platform_setup.PlatformChange) -> None:
        settings, text = self._asked(change)
        if change.url is not None or change.clear_text_allowed is not None:
            _check_clear_text(settings)
        data = settings.data
        open_client_id(data)  # before public mode is on: one that is missing later is lost
        secret = Secret(change.secret or "")
        with (
            nullcontext()
            if change.secret is None
            else platform_secret_changed(
                settings.platform.key, secret, data=data, variables=os.environ
            )
        ):
            write_settings(data, text)
        if change.new_client:
            renew_client_id(data)

    def _asked(self, change: platform_setup.PlatformChange) -> tuple[Settings, str]:
        if change.secret and (where := self._elsewhere()):
            raise errors.NotAllowed("given.platform", where=where)
        changes: dict[str, object] = {}
        for name in _SETTINGS:
            value = getattr(change, name)
            if value is not None:
                changes[f"platform.{name}"] = value.strip() if isinstance(value, str) else value
        if {"platform.url", "platform.key"} & changes.keys() and not (
            change.same_account or variable_that_sets(_JOIN)
        ):
            changes[_JOIN] = None  # it was an answer for another account
        try:
            return settings_with(self._settings.data, changes)
        except errors.SettingsBroken as error:
            at_url = "platform.url" in changes
            kind = "url" if at_url else "settings"
            raise SetupWrong(kind, what=error.what, field="url") from error

    # --- keys and stores -------------------------------------------------------------------------

    async def keys(self) -> tuple[platform_setup.PlatformKey, ...]:
        """Return the keys of the account. Raises SetupWrong, as all methods below do; unless its
        `kind` is "platform_unknown", nothing was changed."""
        return await self._asked_of(lambda account: account.keys())

    async def add_key(self, terms: KeyTerms, *, press: str) -> platform_setup.NewPlatformKey:
        """Make a key. Its secret is returned this once, and kept nowhere here."""
        return await self._asked_of(lambda account: account.add_key(terms, press=press))

    async def rotate_key(self, key_id: str, *, press: str) -> platform_setup.NewPlatformKey:
        return await self._asked_of(lambda account: account.rotate_key(key_id, press=press))

    async def revoke_key(self, key_id: str) -> None:
        await self._asked_of(lambda account: account.revoke_key(key_id))

    async def add_store(self, name: str, *, press: str) -> platform_setup.PlatformStore:
        return await self._asked_of(lambda account: account.add_store(name, press=press))

    async def change_store(self, before: Store, after: Store) -> Store:
        return await self._asked_of(lambda account: account.change_store(before, after))

    async def _asked_of(self, ask: Callable[[PlatformAccount], T]) -> T:
        if not self._settings.platform.url:
            raise SetupWrong("platform_none", field="platform")

        def answered() -> T:
            return ask(PlatformAccount(self._settings.platform, self._stored()))

        try:
            return await asyncio.to_thread(answered)
        except errors.RemoteError as error:
            raise _refused(error.what, _fault_of(error)) from error
        except errors.Invalid as error:
            raise _refused(error.what, "unreadable") from error


def _refused(what: str, why: str) -> SetupWrong:
    return SetupWrong(f"platform_{why}", what=what, field="platform")


def _without_user(proxy: str) -> str:
    """Return a proxy's address without the name and password that it may have."""
    scheme, mark, rest = proxy.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def _check_clear_text(settings: Settings) -> None:
    """Raise SetupWrong where key and secret would go to the platform without encryption."""
    platform = settings.platform
    if (fault := platform_fault(platform)) is not None:
        raise SetupWrong(fault.code, field="url", url=platform.url)


def _fault_of(error: errors.RemoteError) -> str:
    if isinstance(error, errors.NotDelivered):
        word = fault_word(error)
        return "away" if word == error.code else word
    if not isinstance(error, errors.Refused):
        return "unknown"
    if error.kind == STALE:
        return "stale"
    if error.reply_code == "401" or error.kind == "platform_key":
        return "key"
    return "scope" if error.reply_code.startswith("403") else "refused"
