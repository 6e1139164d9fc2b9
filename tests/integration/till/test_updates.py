"""A newer version by its signed manifest: which is offered, refused and started.

Source: updates.md.
"""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pos_app import errors, settings
from pos_app.adapters.sqlite.till.till import TillDatabase
from pos_app.adapters.updates import elevated_install
from pos_app.adapters.updates.elevated_start import check_ended_well, check_installer_closes
from pos_app.adapters.updates.source import UpdateSource, trusted_source, update_source
from pos_app.adapters.updates.update_channel import UpdateHttp
from pos_app.domain.setup.release import Version
from pos_app.selling.updates import UpdateRecord, Updates
from pos_app.wire.update_manifest import signed_from_json
from tests.fakes.ready_tables import open_ready
from tests.fakes.release_host import ReleaseHost, maker, release_host
from tests.sweep import each

OURS = Version(3, 2, 0)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ReleaseHost]:
    (tmp_path / "host").mkdir()
    with release_host(tmp_path / "host") as made:
        yield made


@pytest.fixture
def database(tmp_path: Path) -> Iterator[TillDatabase]:
    made = open_ready(tmp_path / "till")
    yield made
    made.close()


def updates_of(channel: UpdateHttp, database: TillDatabase, installed: Version = OURS) -> Updates:
    return Updates(
        installed=installed,
        channel=channel,
        carts=database.carts,
        sales=database.sales,
        shifts=database.shifts,
    )


class Desk:
    def __init__(self, host: ReleaseHost, database: TillDatabase, data: Path) -> None:
        self.started: list[bytes] = []
        self.refuses: errors.PosError | None = None
        self.main_shop: Path | None = None
        self.others: bool = False
        self.channel = UpdateHttp(
            source=UpdateSource(host.manifest_url, host.public_key),
            data=data,
            system="windows",
            start=self._start,
            check=self._check,
        )
        self.database = database
        self.updates = self.opened()

    def opened(self, installed: Version = OURS) -> Updates:
        return updates_of(self.channel, self.database, installed)

    def _check(self, data: Path) -> None:
        check_installer_closes(
            data, main=lambda: self.main_shop, is_another_open=lambda _: self.others
        )

    def _start(self, manifest: Path, installer: Path) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.started.append(installer.read_bytes())


@pytest.fixture
def desk(host: ReleaseHost, database: TillDatabase, tmp_path: Path) -> Desk:
    return Desk(host, database, tmp_path)


Wrong = Callable[[ReleaseHost, bytes], bytes]
"""Makes another manifest of the signed one."""


def _of_another_key(host: ReleaseHost, signed: bytes) -> bytes:
    host.offer("3.3.0", key=Ed25519PrivateKey.generate())
    return bytes(host.files["/manifest.json"])


def _changed(host: ReleaseHost, signed: bytes) -> bytes:
    told = json.loads(signed)
    content = base64.b64decode(told["manifest"]).replace(b"3.3.0", b"9.9.9")
    return json.dumps(told | {"manifest": base64.b64encode(content).decode()}).encode()


def _of_another_product(host: ReleaseHost, signed: bytes) -> bytes:
    content = signed_from_json(signed).content.replace(b'"pos-app"', b'"pos-ape"')
    return bytes(maker().sign(host.key, content))


@each(
    ("wrong", "kind"),
    [
        (_of_another_key, "update_unsigned"),
        (_changed, "update_unsigned"),
        (_of_another_product, "update_cut"),
        (lambda host, signed: b"{}", "update_cut"),
        (lambda host, signed: b"\xff\xfe", "update_cut"),
        (lambda host, signed: b"[" * 5000, "update_cut"),
        (lambda host, signed: signed[:200], "update_cut"),
        (lambda host, signed: b" " * 300_000, "update_too_large"),
        (lambda host, signed: gzip.compress(signed), "update_cut"),
        (None, "update_address"),
    ],
)
async def test_what_is_not_the_makers_is_refused(
    host: ReleaseHost, desk: Desk, wrong: Wrong | None, kind: str
) -> None:
    host.offer("3.3.0")
    if wrong is None:
        host.files.clear()
    else:
        host.files["/manifest.json"] = wrong(host, host.files["/manifest.json"])
    await desk.updates.look()
    assert desk.updates.release is None
    assert isinstance(desk.updates.fault, errors.Refused)
    assert (desk.updates.fault.kind, desk.channel.record()) == (kind, UpdateRecord())


async def test_nobody_at_the_address(tmp_path: Path) -> None:
    source = UpdateSource("http://127.0.0.1:9/manifest.json", "k")
    with pytest.raises(errors.NotDelivered):
        await UpdateHttp(source=source, data=tmp_path, system="windows").look()


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


@each("change", [b"MZ instalLer", b"MZ installer!", b"MZ"])
async def test_another_file_than_was_signed_is_dropped(
    host: ReleaseHost, desk: Desk, tmp_path: Path, change: bytes
) -> None:
    host.offer("3.3.0")
    await desk.updates.look()
    host.files["/pos-app-3.3.0.exe"] = change
    with pytest.raises(errors.Refused):
        await desk.updates.install()
    assert desk.started == []
    assert [path.name for path in (tmp_path / "till" / "updates").iterdir()] == ["update.json"]


async def test_a_cut_installer_is_brought_anew(host: ReleaseHost, desk: Desk) -> None:
    host.offer("3.3.0", b"MZ" * 50_000)
    await desk.updates.look()
    host.cut["/pos-app-3.3.0.exe"] = 40_000
    with pytest.raises(errors.OutcomeUnknown):
        await desk.updates.install()
    host.cut.clear()
    await desk.updates.install()
    assert desk.started == [b"MZ" * 50_000]


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
    with pytest.raises(errors.NotAllowed) as refused:
        await desk.updates.install()
    assert refused.value.kind == kind
    assert host.asked == ["/manifest.json"]
    assert desk.channel.record().started is None


async def test_a_started_version_that_does_not_run_is_told(host: ReleaseHost, desk: Desk) -> None:
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


# --- whose word counts ---------------------------------------------------------------------------
def laid(path: Path, host: ReleaseHost, key: str | None = None) -> Path:
    """Write a file that names the source of newer versions, as build and administrator do."""
    path.write_text(f'[updates]\nurl = "{host.manifest_url}"\nkey = "{key or host.public_key}"\n')
    return path


@pytest.fixture
def opened_at(tmp_path: Path, database: TillDatabase, host: ReleaseHost) -> Callable[[], Updates]:
    """Return a function that opens a till whose settings.toml is as a test left it, and whose
    program names the maker of `host`."""
    shipped = laid(tmp_path / "shipped.toml", host)

    def updates() -> Updates:
        said = update_source(
            settings.load(tmp_path),
            trusted=lambda: trusted_source(shipped=shipped, administrators=dict),
        )
        channel = UpdateHttp(source=said, data=tmp_path, system="windows")
        return updates_of(channel, database)

    return updates


@pytest.mark.parametrize("by", ["address", "key", "both"])
async def test_an_address_and_a_key_of_the_data_folder_count_for_nothing(
    host: ReleaseHost, opened_at: Callable[[], Updates], tmp_path: Path, by: str
) -> None:
    """Everybody who uses the computer may write settings.toml."""
    (tmp_path / "own").mkdir()
    with release_host(tmp_path / "own") as own:
        own.offer("9.9.9")
        host.offer("3.3.0", key=own.key)
        told = {"address": f'url = "{own.manifest_url}"', "key": f'key = "{own.public_key}"'}
        lines = told.values() if by == "both" else [told[by]]
        text = "\n".join(["[updates]", *lines, ""])
        (tmp_path / settings.FILE_NAME).write_text(text, encoding="utf-8")
        updates = opened_at()
        await updates.look()
        assert own.asked == []
    assert updates.release is None
    assert isinstance(updates.fault, errors.Refused)
    assert updates.fault.kind == "update_settings"
    assert str(tmp_path / settings.FILE_NAME) in updates.fault.what
    with pytest.raises(errors.NotAllowed):
        await updates.install()


@pytest.mark.parametrize("says_the_same", [False, True])
async def test_the_maker_that_the_program_names_is_asked(
    host: ReleaseHost, opened_at: Callable[[], Updates], tmp_path: Path, says_the_same: bool
) -> None:
    if says_the_same:
        laid(tmp_path / settings.FILE_NAME, host)
    host.offer("3.3.0")
    updates = opened_at()
    await updates.look()
    assert updates.release is not None


def test_an_empty_address_in_the_data_folder_asks_nobody(folder: Path, host: ReleaseHost) -> None:
    (folder / settings.FILE_NAME).write_text('[updates]\nurl = ""\n', encoding="utf-8")
    shipped = laid(folder / "shipped.toml", host)
    said = update_source(settings.load(folder), trusted=lambda: trusted_source(shipped=shipped))
    assert said == UpdateSource("", "")


def test_an_administrator_s_word_goes_before_the_program_s(tmp_path: Path) -> None:
    key, other = "A" * 43 + "=", "B" * 43 + "="
    shipped = tmp_path / "shipped.toml"
    shipped.write_text(f'[updates]\nurl = "https://x.rs/m.json"\nkey = "{key}"\n')

    def trusted(**told: object) -> UpdateSource:
        return trusted_source(shipped=shipped, administrators=lambda: told)

    assert trusted() == UpdateSource("https://x.rs/m.json", key)
    assert trusted(url="https://y.rs/m") == UpdateSource("https://y.rs/m", key)
    assert trusted(url="https://y.rs/m", key=other) == UpdateSource("https://y.rs/m", other)
    assert trusted(url="").url == ""
    for wrong in ({"url": "ftp://y.rs"}, {"key": "short"}, {"key": ""}, {"url": 5}):
        with pytest.raises(errors.Refused) as refused:
            trusted(**wrong)
        assert refused.value.kind == "update_source"


def test_a_broken_word_of_an_administrator_keeps_no_till_from_opening(tmp_path: Path) -> None:
    shipped = tmp_path / "shipped.toml"
    shipped.write_bytes(b"[updates\xff")
    said = update_source(
        settings.load(tmp_path / "data"), trusted=lambda: trusted_source(shipped=shipped)
    )
    assert isinstance(said, errors.Refused)


# --- what runs with an administrator's word ------------------------------------------------------
class Elevated:
    """The part started as administrator, who alone can write into the folder `program`."""

    def __init__(self, host: ReleaseHost, program: Path) -> None:
        self.program = program
        self.source = lambda: UpdateSource(host.manifest_url, host.public_key)
        self.before: Callable[[Path, Path], object] = lambda manifest, installer: None
        """A test's act between the till's check and this one."""

    def __call__(self, manifest: Path, installer: Path) -> None:
        self.before(manifest, installer)
        check_ended_well(
            elevated_install.run(
                [str(manifest), str(installer)],
                source=self.source,
                program=self.program,
                start=lambda words: subprocess.run(["sh", *words], check=True),
            )
        )


@pytest.fixture
def elevated(host: ReleaseHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Elevated:
    monkeypatch.setattr(elevated_install, "SYSTEM", "windows")
    (tmp_path / "program").mkdir()
    return Elevated(host, tmp_path / "program")


@pytest.fixture
def channel(host: ReleaseHost, elevated: Elevated) -> UpdateHttp:
    return UpdateHttp(
        source=UpdateSource(host.manifest_url, host.public_key),
        data=elevated.program.parent,
        system="windows",
        start=elevated,
    )


@pytest.fixture
def installing(channel: UpdateHttp, database: TillDatabase) -> Updates:
    return updates_of(channel, database)


def program_that_notes(told: Path) -> bytes:
    return f'echo "$0" "$@" > "{told}"\n'.encode()


async def test_what_is_started_is_a_copy_where_only_administrators_write(
    host: ReleaseHost, installing: Updates, elevated: Elevated
) -> None:
    told = elevated.program.parent / "told"
    host.offer("99.0.0", program_that_notes(told))
    await installing.look()
    await installing.install()
    copy = elevated.program / "update" / "pos-app-99.0.0.exe"
    assert told.read_text().split() == [str(copy), "/S", "/CLOSE", "/RESTART"]


def _own_manifest(host: ReleaseHost, manifest: Path, installer: Path) -> None:
    own = Ed25519PrivateKey.generate()
    host.offer("99.1.0", installer.read_bytes() + b"# changed", key=own)
    manifest.write_bytes(host.files["/manifest.json"])
    installer.write_bytes(installer.read_bytes() + b"# changed")


def _older(host: ReleaseHost, manifest: Path, installer: Path) -> None:
    host.offer("0.9.0", installer.read_bytes())
    manifest.write_bytes(host.files["/manifest.json"])


def _unreadable_word(elevated: Elevated) -> None:
    broken = elevated.program.parent / "shipped.toml"
    broken.write_bytes(b"[updates\xff")
    elevated.source = partial(trusted_source, shipped=broken)


Refusal = tuple[str, Callable[[ReleaseHost, Elevated, Path, Path], object]]
REFUSED: dict[str, Refusal] = {
    "another program": ("exchanged", lambda _, __, ___, file: file.write_bytes(b"echo other\n")),
    "a longer one": ("exchanged", lambda _, __, ___, file: file.write_bytes(file.read_bytes() * 2)),
    "a link": ("exchanged", lambda _, __, ___, file: (file.unlink(), file.symlink_to("/bin/true"))),
    "with a manifest of its own": (
        "exchanged",
        lambda host, _, *files: _own_manifest(host, *files),
    ),
    "a cut manifest": ("exchanged", lambda _, __, manifest, ___: manifest.write_bytes(b"{}")),
    "an older version": ("not_newer", lambda host, _, *files: _older(host, *files)),
    "a word that can't be read": ("source", lambda _, elevated, *__: _unreadable_word(elevated)),
    "no place for the copy": ("not_started", lambda _, elevated, *__: elevated.program.rmdir()),
}
"""Why an installer is not started, and what happens between the till's check and the start."""


@pytest.mark.parametrize("how", REFUSED)
async def test_what_does_not_fit_after_the_till_s_check_is_not_started(
    host: ReleaseHost, installing: Updates, elevated: Elevated, how: str
) -> None:
    told, (kind, happens) = elevated.program.parent / "told", REFUSED[how]
    host.offer("99.0.0", program_that_notes(told))
    await installing.look()
    elevated.before = partial(happens, host, elevated)
    with pytest.raises((errors.Refused, errors.NotAllowed)) as refused:
        await installing.install()
    assert refused.value.kind == f"update_{kind}"
    assert not told.exists()
    assert list(elevated.program.glob("*")) == []
    assert installing.fetched is None


@pytest.mark.parametrize("meanwhile", ["99.1.0", "0.9.0"])
async def test_another_manifest_that_comes_meanwhile_is_no_exchange(
    host: ReleaseHost, channel: UpdateHttp, elevated: Elevated, meanwhile: str
) -> None:
    """The till asks twice a day, also while it brings an installer or a person decides."""
    told = elevated.program.parent / "told"
    host.offer("99.0.0", program_that_notes(told))
    release = await channel.look()
    host.offer(meanwhile, b"echo other\n")
    await channel.look()
    installer = await channel.fetch(release, release.installers["windows"], lambda size: None)
    await channel.look()
    await channel.start(installer)
    assert told.read_text().split()[0] == str(elevated.program / "update" / "pos-app-99.0.0.exe")


def test_the_key_is_made_once_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = maker()
    path = tmp_path / "release.pem"
    assert script.main(["new-key", str(path)]) == 0
    public = capsys.readouterr().out.strip()
    assert path.stat().st_mode & 0o777 == 0o600
    assert script.main(["new-key", str(path)]) == 1
    assert script.public_key(script.read_key(path, "")) == public


async def test_a_line_that_breaks_refuses_nothing(host: ReleaseHost, desk: Desk) -> None:
    host.offer("3.3.0")
    host.cut["/manifest.json"] = 100
    await desk.updates.look()
    assert isinstance(desk.updates.fault, errors.OutcomeUnknown)
    host.cut.clear()
    await desk.updates.look()
    assert desk.updates.fault is None
    assert desk.updates.release is not None


async def test_one_that_is_here_already_is_not_brought_again(host: ReleaseHost, desk: Desk) -> None:
    host.offer("3.3.0")
    await desk.updates.look()
    desk.refuses = errors.NotAllowed("no_administrator", what="Nobody is an administrator.")
    with pytest.raises(errors.NotAllowed):
        await desk.updates.install()
    assert desk.channel.record().started is None
    desk.refuses = None
    await desk.updates.install()
    assert desk.started == [b"MZ installer"]
    assert host.asked.count("/pos-app-3.3.0.exe") == 1


@each(
    ("version", "offered"), [("3.1.9", False), ("3.2.0", False), ("3.2.1", True), ("3.3.0", True)]
)
async def test_only_a_newer_version_is_offered(
    host: ReleaseHost, desk: Desk, version: str, offered: bool
) -> None:
    host.offer(version)
    await desk.updates.look()
    assert desk.updates.fault is None
    assert (desk.updates.release is not None) is offered
