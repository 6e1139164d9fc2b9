"""A newer version by its signed manifest: what is offered, what is refused, what is started.

Source: updates.md.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.adapters.updates.elevated_start import check_installer_closes
from pos_app.adapters.updates.update_channel import UpdateHttp
from pos_app.domain.release import Version
from pos_app.errors import NotAllowed, NotDelivered, OutcomeUnknown, PosError, Refused
from pos_app.selling.sale import sell
from pos_app.selling.updates import UpdateRecord, Updates
from pos_app.wire.update_manifest import signed_from_json
from tests.fakes.release_host import ReleaseHost, maker, release_host
from tests.fakes.till import CASHIER, article, till_of
from tests.fakes.till_clock import StandingClock

OURS = Version(3, 2, 0)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ReleaseHost]:
    (tmp_path / "host").mkdir()
    with release_host(tmp_path / "host") as made:
        yield made


@pytest.fixture
def database(tmp_path: Path) -> Iterator[TillDatabase]:
    made = open_till(tmp_path / "till", till_id="till-1")
    yield made
    made.close()


class Desk:
    """A till's updates, and the installers that it started."""

    def __init__(self, host: ReleaseHost, database: TillDatabase, data: Path) -> None:
        self.started: list[bytes] = []
        self.refuses: PosError | None = None
        self.main_shop: Path | None = None
        self.others: bool = False
        self.channel = UpdateHttp(
            url=host.manifest_url, key=host.public_key, data=data, system="windows",
            start=self._start, check=self._check,
        )  # fmt: skip
        self.database = database
        self.updates = self.opened()

    def opened(self, installed: Version = OURS) -> Updates:
        """As they are when the till opens."""
        database = self.database
        return Updates(
            installed=installed, channel=self.channel, carts=database.carts, sales=database.sales
        )

    def _check(self, data: Path) -> None:
        check_installer_closes(
            data, main=lambda: self.main_shop, is_another_open=lambda _: self.others
        )

    def _start(self, installer: Path) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.started.append(installer.read_bytes())


@pytest.fixture
def desk(host: ReleaseHost, database: TillDatabase, tmp_path: Path) -> Desk:
    return Desk(host, database, tmp_path)


@pytest.mark.parametrize(
    ("version", "offered"), [("3.3.0", True), ("3.2.1", True), ("3.2.0", False), ("3.1.9", False)]
)
async def test_only_a_newer_version_is_offered(
    host: ReleaseHost, desk: Desk, version: str, offered: bool
) -> None:
    host.offer(version)
    await desk.updates.look()
    assert desk.updates.fault is None
    assert (desk.updates.release is not None) is offered


def _changed(host: ReleaseHost) -> None:
    """The manifest says another version than was signed."""
    told = json.loads(host.files["/manifest.json"])
    content = base64.b64decode(told["manifest"]).replace(b"3.3.0", b"9.9.9")
    told["manifest"] = base64.b64encode(content).decode()
    host.files["/manifest.json"] = json.dumps(told).encode()


def _of_another_product(host: ReleaseHost) -> None:
    content = signed_from_json(host.files["/manifest.json"]).content
    other = content.replace(b'"pos-app"', b'"pos-ape"')
    host.files["/manifest.json"] = maker().sign(host.key, other)


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        (lambda host: host.offer("3.3.0", key=Ed25519PrivateKey.generate()), "update_unsigned"),
        (_changed, "update_unsigned"),
        (_of_another_product, "update_cut"),
        (lambda host: host.files.update({"/manifest.json": b"{}"}), "update_cut"),
        (lambda host: host.files.update({"/manifest.json": b"\xff\xfe"}), "update_cut"),
        (lambda host: host.files.update({"/manifest.json": b"[" * 5000}), "update_cut"),
        (
            lambda host: host.files.update(
                {"/manifest.json": host.files["/manifest.json"][:200]}
            ),
            "update_cut",
        ),
        (lambda host: host.files.update({"/manifest.json": b" " * 300_000}), "update_too_large"),
        (
            lambda host: host.files.update(
                {"/manifest.json": gzip.compress(host.files["/manifest.json"])}
            ),
            "update_cut",
        ),
        (lambda host: host.files.clear(), "update_address"),
    ],
)  # fmt: skip
async def test_what_is_not_the_makers_is_refused(
    host: ReleaseHost, desk: Desk, how: object, kind: str
) -> None:
    host.offer("3.3.0")
    assert callable(how)
    how(host)
    await desk.updates.look()
    assert desk.updates.release is None
    assert isinstance(desk.updates.fault, Refused)
    assert desk.updates.fault.values["kind"] == kind
    assert desk.channel.record() == UpdateRecord()


async def test_a_line_that_breaks_refuses_nothing(host: ReleaseHost, desk: Desk) -> None:
    host.offer("3.3.0")
    host.cut["/manifest.json"] = 100
    await desk.updates.look()
    assert isinstance(desk.updates.fault, OutcomeUnknown)
    host.cut.clear()
    await desk.updates.look()
    assert desk.updates.fault is None
    assert desk.updates.release is not None


async def test_nobody_at_the_address(database: TillDatabase, tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    with release_host(tmp_path / "host") as host:
        desk = Desk(host, database, tmp_path / "updates")
    await desk.updates.look()
    assert isinstance(desk.updates.fault, NotDelivered)


async def test_a_manifest_that_was_put_back_is_refused(host: ReleaseHost, desk: Desk) -> None:
    """Also by the next till that is opened."""
    host.offer("3.4.0")
    await desk.updates.look()
    host.offer("3.3.0")
    again = desk.opened()
    await again.look()
    assert isinstance(again.fault, Refused)
    assert again.fault.values["kind"] == "update_older"


async def test_the_installer_is_started_as_it_was_signed(host: ReleaseHost, desk: Desk) -> None:
    content = b"MZ" + bytes(range(256)) * 4000
    host.offer("3.3.0", content)
    await desk.updates.look()
    shown: list[int | None] = []
    desk.updates.listen(lambda: shown.append(desk.updates.fetched))
    await desk.updates.install()
    assert desk.started == [content]
    assert shown[0] == 0
    assert shown[-1] is None
    assert desk.channel.record() == UpdateRecord(Version(3, 3, 0), Version(3, 3, 0))


async def test_one_that_is_here_already_is_not_brought_again(host: ReleaseHost, desk: Desk) -> None:
    host.offer("3.3.0")
    await desk.updates.look()
    desk.refuses = NotAllowed("Nobody is an administrator.", kind="no_administrator")
    with pytest.raises(NotAllowed):
        await desk.updates.install()
    assert desk.channel.record().started is None
    desk.refuses = None
    await desk.updates.install()
    assert desk.started == [b"MZ installer"]
    assert host.asked.count("/pos-app-3.3.0.exe") == 1


@pytest.mark.parametrize("change", [b"MZ instalLer", b"MZ installer!", b"MZ"])
async def test_another_file_than_was_signed_is_dropped(
    host: ReleaseHost, desk: Desk, tmp_path: Path, change: bytes
) -> None:
    host.offer("3.3.0")
    await desk.updates.look()
    host.files["/pos-app-3.3.0.exe"] = change
    with pytest.raises(Refused):
        await desk.updates.install()
    assert desk.started == []
    assert [path.name for path in (tmp_path / "till" / "updates").iterdir()] == ["update.json"]


async def test_a_cut_installer_is_brought_anew(host: ReleaseHost, desk: Desk) -> None:
    host.offer("3.3.0", b"MZ" * 50_000)
    await desk.updates.look()
    host.cut["/pos-app-3.3.0.exe"] = 40_000
    with pytest.raises(OutcomeUnknown):
        await desk.updates.install()
    host.cut.clear()
    await desk.updates.install()
    assert desk.started == [b"MZ" * 50_000]


async def test_nothing_is_installed_between_the_items_of_a_sale(
    host: ReleaseHost, desk: Desk
) -> None:
    host.offer("3.3.0")
    await desk.updates.look()
    till = till_of(desk.database.carts, StandingClock())
    ticket = sell.start(till=till, cashier=CASHIER)
    added = sell.add_item(till=till, ticket=ticket, article=article())
    assert isinstance(added, sell.ItemAdded)
    with pytest.raises(NotAllowed) as refused:
        await desk.updates.install()
    assert refused.value.values["kind"] == "update_in_sale"
    assert host.asked == ["/manifest.json"]
    sell.suspend(till=till, ticket=added.ticket)
    await desk.updates.install()
    assert desk.started


@pytest.mark.parametrize(
    ("main", "others", "kind"),
    [
        ("", False, None),
        ("", True, "update_second_shop"),
        ("main", False, "update_other_till"),
        ("main", True, "update_other_till"),
    ],
)
async def test_an_installer_that_would_not_close_this_till_is_not_brought(
    host: ReleaseHost, desk: Desk, tmp_path: Path, main: str, others: bool, kind: str | None
) -> None:
    desk.main_shop, desk.others = tmp_path / main, others
    host.offer("3.3.0")
    await desk.updates.look()
    if kind is None:
        await desk.updates.install()
        assert desk.started
        return
    with pytest.raises(NotAllowed) as refused:
        await desk.updates.install()
    assert refused.value.values["kind"] == kind
    assert host.asked == ["/manifest.json"]
    assert desk.channel.record().started is None


def test_the_demo_of_the_main_shop_may_install(tmp_path: Path) -> None:
    demo = tmp_path / "demo"
    demo.mkdir()
    (demo / "install.json").touch()
    check_installer_closes(demo, main=lambda: tmp_path, is_another_open=lambda _: False)


async def test_a_version_that_was_started_and_does_not_run_is_told(
    host: ReleaseHost, desk: Desk
) -> None:
    host.offer("3.3.0")
    await desk.updates.look()
    await desk.updates.install()
    old = desk.opened()
    old.see_what_was_started()
    assert old.not_installed == Version(3, 3, 0)
    old.note_not_installed()
    assert desk.opened().not_installed is None
    await desk.updates.install()
    new = desk.opened(Version(3, 3, 0))
    new.see_what_was_started()
    assert new.not_installed is None
    assert desk.channel.record().started is None


def test_the_key_is_made_once_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = maker()
    path = tmp_path / "release.pem"
    assert script.main(["new-key", str(path)]) == 0
    public = capsys.readouterr().out.strip()
    assert path.stat().st_mode & 0o777 == 0o600
    assert script.main(["new-key", str(path)]) == 1
    assert script.public_key(script.read_key(path, "")) == public
