"""A real till in whose settings.toml somebody wrote an own address and key for updates."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.nursery import door
from tests.e2e.shop import Program
from tests.fakes.release_host import release_host
from tests.integration.test_server_program import run
from tests.ports import free_port

OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


def test_the_till_asks_nobody_there_and_says_why(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    done = run("demo", "--prepare", "--data", str(shop))
    assert done.returncode == 0, done.stderr
    (tmp_path / "host").mkdir()
    with release_host(tmp_path / "host") as own:
        own.offer("99.0.0")
        with (shop / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(f"\n[server]\nport = {free_port()}\n")
            file.write(f'\n[updates]\nurl = "{own.manifest_url}"\nkey = "{own.public_key}"\n')
        words = ["-m", "tests.e2e.watched_till", str(shop), str(tmp_path / "seen.png"), "1"]
        till = Program(words, env=OFFSCREEN, errors=tmp_path / "till.log", nursery=door())
        try:
            assert till.wait() == 0, till.errors()
        finally:
            till.close()
        assert own.asked == []
    (case,) = (" ".join(words) for words in till.lines("case"))
    assert str(shop / "settings.toml") in case
    assert "не важи" in case
    assert not (shop / "till" / "updates").exists()
