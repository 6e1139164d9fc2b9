"""A newer version by its signed manifest: which is offered, refused and started.

Source: updates.md.
"""

from __future__ import annotations

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
from pos_app.selling.updates import Updates
from tests.fakes.ready_tables import open_ready
from tests.fakes.release_host import ReleaseHost, maker, release_host

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


async def test_nobody_at_the_address(tmp_path: Path) -> None:
    source = UpdateSource("http://127.0.0.1:9/manifest.json", "k")
    with pytest.raises(errors.NotDelivered):
        await UpdateHttp(source=source, data=tmp_path, system="windows").look()


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


def test_the_key_is_made_once_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = maker()
    path = tmp_path / "release.pem"
    assert script.main(["new-key", str(path)]) == 0
    public = capsys.readouterr().out.strip()
    assert path.stat().st_mode & 0o777 == 0o600
    assert script.main(["new-key", str(path)]) == 1
    assert script.public_key(script.read_key(path, "")) == public
