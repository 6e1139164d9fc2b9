"""A platform's key and its secret fit together, whenever the program is killed while it keeps
them."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.domain.setup.platform_setup import PlatformChange
from pos_app.domain.setup.printer_setup import PrinterUse
from tests.integration.test_backup import killed_at

RECEIPT, A4 = PrinterUse.RECEIPT, PrinterUse.A4


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
