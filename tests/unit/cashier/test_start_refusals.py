"""A fault that keeps the till from opening is shown in the cashier's language, in three parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pos_app import errors, settings
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.secrets.lan_token import lan_token
from pos_app.cashier.start.start_error import show_start_error, start_error
from tests.sweep import each

ENGLISH_OF_THE_LOG = "words for the log"
PATH = "/shop/data/till.db"
VALUES: dict[str, Any] = {
    "program": "till", "path": PATH, "version": "4.0.0", "address": "http://127.0.0.1:9999",
    "name": "server.host", "near": "a.c", "line": 3, "environment": "sandbox",
    "cure": "pos-app check --put-back",
}  # fmt: skip
TOLD: list[errors.MachineError] = [
    errors.MachineError(what=ENGLISH_OF_THE_LOG),
    errors.ServerEnded(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.ServerEnded("service", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.UnsafeSqlite(what=ENGLISH_OF_THE_LOG),
    errors.DatabaseTooNew(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DatabaseBusy(what=ENGLISH_OF_THE_LOG),
    errors.DiskFull(what=ENGLISH_OF_THE_LOG),
    errors.CertificateUnread(what=ENGLISH_OF_THE_LOG),
    *(errors.DiskFailed(kind, what=ENGLISH_OF_THE_LOG) for kind in ("", "uncertain")),
    *(errors.AlreadyRunning(kind, what=ENGLISH_OF_THE_LOG, **VALUES) for kind in ("", "till",
     "silent_till", "server", "newer", "server_by_hand")),
    *(errors.DataFolderNotWritable(kind, what=ENGLISH_OF_THE_LOG, path=PATH) for kind in ("",
     "file", "service")),
    *(errors.DatabaseDamaged(kind, what=ENGLISH_OF_THE_LOG, path=PATH) for kind in ("",
     "unreleased", "unreleased_ledger")),
    errors.DatabaseDamaged("now", what=ENGLISH_OF_THE_LOG),
    *(errors.FilesReplaced(kind, what=ENGLISH_OF_THE_LOG, path=PATH, copy=PATH) for kind in ("",
     "uncopied", "lock", "overwritten")),
    *(errors.PortTaken(kind, what=ENGLISH_OF_THE_LOG, by=kind, port=9999) for kind in ("ourselves",
     "stranger")),
    *(errors.SettingsBroken(kind, what=ENGLISH_OF_THE_LOG,
     **VALUES) for kind in (*("", "value", "lan", "other_shop", "lost_for_good"),
     *("encoding", "toml", "unknown", "near"))),
    *(errors.SettingsBroken(kind, what=ENGLISH_OF_THE_LOG, host="127.0.0.1",
     port=80) for kind in ("processor_number", "processor_address", "processor_certificate",
     "address")),
]  # fmt: skip


def kinds_of(error: type[errors.PosError]) -> set[type[errors.PosError]]:
    """The classes of the errors below `error` and the error itself."""
    below = {each for child in error.__subclasses__() for each in kinds_of(child)}
    return {error} | {each for each in below if each.__module__ == "pos_app.errors"}


def test_every_fault_of_the_machine_is_told() -> None:
    without_words = {errors.TextsDamaged}  # without them there are no texts to show it with
    assert {type(error) for error in TOLD} == kinds_of(errors.MachineError) - without_words


def test_without_a_screen_nobody_is_waited_for(
    qapp: object, caplog: pytest.LogCaptureFixture
) -> None:
    """A terminal shows the fault before anybody closes the window."""
    show_start_error(TOLD[0], language="en")
    assert TOLD[0].what in caplog.text


def test_a_server_on_the_lan_without_its_token(folder: Path) -> None:
    with pytest.raises(errors.SettingsBroken) as refused:
        lan_token(settings.load(folder, server={"host": "0.0.0.0"}))
    told = start_error(refused.value, language="sr-Cyrl").notice
    assert told.happened == "Сервер није исправно подешен: кључ за мрежу"


@each("content", (b"", b"[till\nname", "name = 'Каса'".encode("utf-16")))
def test_settings_that_can_not_be_read_name_what_puts_them_back(
    folder: Path, content: bytes
) -> None:
    """Words for support: of a file that is not there any more only a copy tells."""
    (folder / settings.FILE_NAME).write_bytes(content)
    last = folder / settings.LAST_GOOD
    last.write_bytes(b"")
    for command in ("pos-app check --put-back", "pos-app restore SET --only settings"):
        if last.exists() or content:
            with pytest.raises(errors.SettingsBroken) as refused:
                settings.load(folder)
            notice = start_error(refused.value, language="sr-Cyrl").notice
            assert command in notice.technical
            assert notice.press.endswith("прочитајте шта пише под „Детаљи“.")
        last.unlink(missing_ok=True)


def test_the_data_of_another_kind_of_shop(folder: Path) -> None:
    open_install(folder, environment="demo")
    with pytest.raises(errors.SettingsBroken) as refused:
        open_install(folder, environment="production")
    told = start_error(refused.value, language="sr-Cyrl").notice
    assert told.happened == "Ови подаци су од друге врсте продавнице"
