"""A real shop loses its settings, with real programs: confirmed sales wait for their own processor,
whatever programs are started meanwhile."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.cashier.start.start_error import start_error
from pos_app.errors import SettingsBroken
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.sale.sale import Sale
from tests.e2e.real_shop import at_work, real_shop, sold_and_waiting
from tests.e2e.shop import Shop
from tests.integration.test_server_program import run
from tests.sweep import sampled

LAST = "settings.last-good.toml"
CUT = "# The shop in Novi Sad.\n[server]\nport = {port}\n"
"""The rest of the settings: they are valid, and name no processor."""


@pytest.fixture
def shop(tmp_path: Path, catalogue: Path, nursery: Path) -> Iterator[Shop]:
    with real_shop(tmp_path / "shop", catalogue, nursery) as made:
        yield made


def checked(shop: Shop, *more: str) -> tuple[int, str]:
    done = run("check", "--data", str(shop.data), *more)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


def refused(shop: Shop) -> dict[str, object]:
    server = shop.run("-m", "pos_app", "server", "--data", str(shop.data), "--log-json", name="no")
    assert server.wait() == 1
    told = json.loads(server.told[-1][1])["refused"]
    assert isinstance(told, dict)
    return told


def seen_in_attention(shop: Shop) -> tuple[str, str]:
    """The two cases of Attention, in the window of a till that keeps its own server: that of the
    server, and that of the sale that waits for it."""
    picture = shop.folder / "attention.png"
    words = ["-m", "tests.e2e.people_at_till", "watches", str(shop.data), str(picture), "2"]
    till = shop.run(*words, name="till")
    assert till.wait() == 0, till.errors()
    server, sale = (" ".join(words) for words in till.lines("case"))
    return server, sale


LOSSES: dict[str, Callable[[Path, int], object]] = {
    "cut": lambda path, port: path.write_text(CUT.format(port=port)),
    "gone": lambda path, _: path.unlink(),
    "empty": lambda path, _: path.write_bytes(b""),
    "zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "cut within a line": lambda path, _: path.write_bytes(path.read_bytes()[:60]),
}


@pytest.mark.parametrize("loss", sampled(LOSSES))
async def test_nothing_is_issued_by_another_processor(shop: Shop, loss: str) -> None:
    key = await sold_and_waiting(shop)
    path, last = shop.data / settings.FILE_NAME, shop.data / LAST
    whole = path.read_bytes()
    assert last.read_bytes() == whole
    LOSSES[loss](path, shop.port)
    found = path.read_bytes() if path.exists() else None
    told = refused(shop)
    words = f"{told['what']} {told['safe']} {told['do']}"
    assert told["code"] == "settings_broken", words
    assert LAST in words
    assert "move" not in words
    assert "default" not in words
    status, answer = checked(shop)
    assert status == 1, answer
    assert LAST in answer
    if loss == "cut":  # the till opens, its server does not
        server, sale = seen_in_attention(shop)
        assert "Рачуни ове касе су фискални" in server
        assert "Потврђене продаје су сачуване" in server
        assert "не ради, и неће прорадити сам" in sale
        assert "издају се чим сервер проради" in sale
    else:
        till = run("till", "--data", str(shop.data))
        assert (till.returncode, str(path) in till.stderr) == (1, True), till.stderr
    assert (path.read_bytes() if path.exists() else None) == found
    assert last.read_bytes() == whole, "what was lost was taken for good"
    assert not (shop.data / "processor").exists()
    shutil.copy(last, path)
    await signed_once(shop, key)


async def signed_once(shop: Shop, key: str) -> None:
    processor, server = shop.processor(), shop.server()
    async with at_work(shop) as till:
        await till.done(sale_of(till.core, key))
    server.stop()
    processor.stop()
    assert checked(shop)[0] == 0, checked(shop)
    assert len(read_entries(shop.ledger_folder)) == 2
    assert not (shop.data / "processor").exists()


def sale_of(core: TillCore, key: str) -> Sale:
    sale = core.database.sales.sale(key)
    assert sale is not None
    return sale


@pytest.mark.parametrize("loss", sampled(["gone", "empty"]))
def test_a_test_shop_without_any_settings_is_told_as_that(folder: Path, loss: str) -> None:
    """Neither the settings nor their copy exist: the defaults are those of another environment."""
    path = folder / settings.FILE_NAME
    path.write_text('environment = "sandbox"\n', encoding="utf-8")
    with open_till_core(settings.load(folder)):
        pass
    assert run("check", "--data", str(folder)).returncode == 0
    LOSSES[loss](path, 0)
    status, told = run_both("check", folder)
    assert (status, "settings: " in told) == (1, True), told
    for program in ("check", "till"):
        status, told = run_both(program, folder)
        assert status == 1, told
        found = "missing" if loss == "gone" else "empty"
        assert f"The settings file {path} is {found}" in told, told
        assert 'environment = "sandbox"' in told, told
        assert "another folder" not in told, told
    with pytest.raises(SettingsBroken) as refusal, open_till_core(settings.load(folder)):
        pass
    words = start_error(refusal.value, language="sr-Cyrl").notice
    assert words.happened == "Нема више записа о томе како је ова каса подешена"
    assert words.safe == "Ништа није промењено; потврђене продаје су сачуване и чекају."
    assert words.press.startswith("Ништа не бришите. Позовите подршку и прочитајте: ")
    assert "sandbox" in words.press


def test_settings_of_another_environment_are_told_by_check(folder: Path) -> None:
    path = folder / settings.FILE_NAME
    path.write_text('environment = "sandbox"\n', encoding="utf-8")
    with open_till_core(settings.load(folder)):
        pass
    path.write_text('environment = "production"\n', encoding="utf-8")
    status, told = run_both("check", folder)
    assert (status, 'belongs to the environment "sandbox"' in told) == (1, True), told
    assert 'environment = "sandbox"' in told


def test_a_demo_without_any_settings_is_no_real_shop(folder: Path) -> None:
    assert run("demo", "--prepare", "--data", str(folder)).returncode == 0
    (folder / settings.FILE_NAME).unlink()
    status, told = run_both("demo", folder)
    assert (status, 'need environment = "demo"' in told) == (1, True), told
    assert "real shop" not in told


def run_both(program: str, data: Path) -> tuple[int, str]:
    done = run(program, "--data", str(data))
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr
