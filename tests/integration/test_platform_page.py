"""A shop's platform is tried and set up while its server runs; its secret is nowhere in clear."""

from __future__ import annotations

import asyncio
import sys
import uuid
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.setup import platform_at
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.domain.article.store import PickerType, Store
from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.domain.setup.platform_setup import PlatformChange, PlatformSetup
from pos_app.errors import Refused, RemoteError
from pos_app.selling.server.ports import ServerPlatformSetup
from tests.fakes.our_platform import OurPlatform
from tests.integration.test_backup import killed_at
from tests.integration.test_processor_page import running


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
    """The key is in the settings, the secret in the sealed file."""
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
