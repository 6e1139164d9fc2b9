"""A fault that keeps the till from opening is shown in the cashier's language, in three parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app import errors, settings
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.secrets.lan_token import lan_token
from pos_app.cashier.start.start_error import StartError, show_start_error, start_error
from pos_app.cashier.texts.lookup import Language, NoticeWords, Texts
from tests.sweep import each

ENGLISH_OF_THE_LOG = "words for the log"
SERBIAN: tuple[Language, ...] = ("sr-Cyrl", "sr-Latn")
PATH = "/shop/data/till.db"
TOLD: list[errors.MachineError] = [
    errors.MachineError(what=ENGLISH_OF_THE_LOG),
    errors.AlreadyRunning("till", what=ENGLISH_OF_THE_LOG, program="till"),
    errors.AlreadyRunning("silent_till", what=ENGLISH_OF_THE_LOG, program="till", path=PATH),
    errors.AlreadyRunning(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.AlreadyRunning("server", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.AlreadyRunning("newer", what=ENGLISH_OF_THE_LOG, version="4.0.0"),
    errors.ServerEnded(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.ServerEnded("service", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.AlreadyRunning(
        "server_by_hand", what=ENGLISH_OF_THE_LOG, address="http://127.0.0.1:9999"
    ),
    errors.DataFolderNotWritable(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DataFolderNotWritable("file", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DataFolderNotWritable("service", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DatabaseTooNew(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DatabaseDamaged(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DatabaseDamaged("unreleased", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DatabaseDamaged("unreleased_ledger", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.DatabaseDamaged("now", what=ENGLISH_OF_THE_LOG),
    errors.DatabaseBusy(what=ENGLISH_OF_THE_LOG),
    errors.FilesReplaced(what=ENGLISH_OF_THE_LOG, path=PATH, copy=PATH),
    errors.FilesReplaced("uncopied", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.FilesReplaced("lock", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.FilesReplaced("overwritten", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.UnsafeSqlite(what=ENGLISH_OF_THE_LOG),
    errors.DiskFull(what=ENGLISH_OF_THE_LOG),
    errors.DiskFailed(what=ENGLISH_OF_THE_LOG),
    errors.DiskFailed("uncertain", what=ENGLISH_OF_THE_LOG),
    errors.PortTaken("ourselves", what=ENGLISH_OF_THE_LOG, by="ourselves", port=9999),
    errors.PortTaken("stranger", what=ENGLISH_OF_THE_LOG, by="stranger", port=9999),
    errors.SettingsBroken(what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.SettingsBroken("value", what=ENGLISH_OF_THE_LOG, name="server.host", path=PATH),
    errors.SettingsBroken("lan", what=ENGLISH_OF_THE_LOG, name="server.host", path=PATH),
    errors.SettingsBroken("other_shop", what=ENGLISH_OF_THE_LOG, path=PATH),
    errors.SettingsBroken(
        "lost_for_good", what=ENGLISH_OF_THE_LOG, path=PATH, environment="sandbox"
    ),
    errors.SettingsBroken("processor_number", what=ENGLISH_OF_THE_LOG),
    errors.SettingsBroken("processor_address", what=ENGLISH_OF_THE_LOG),
    errors.CertificateUnread(what=ENGLISH_OF_THE_LOG),
    errors.SettingsBroken("processor_certificate", what=ENGLISH_OF_THE_LOG),
    errors.SettingsBroken("address", what=ENGLISH_OF_THE_LOG, host="127.0.0.1", port=80),
    errors.SettingsBroken("encoding", what=ENGLISH_OF_THE_LOG, line=3, path=PATH),
    errors.SettingsBroken("toml", what=ENGLISH_OF_THE_LOG, line=3, path=PATH),
    errors.SettingsBroken("unknown", what=ENGLISH_OF_THE_LOG, name="a.b", near="", path=PATH),
    errors.SettingsBroken("near", what=ENGLISH_OF_THE_LOG, name="a.b", near="a.c", path=PATH),
]


def kinds_of(error: type[errors.PosError]) -> set[type[errors.PosError]]:
    """The classes of the errors below `error` and the error itself."""
    below = {each for child in error.__subclasses__() for each in kinds_of(child)}
    return {error} | {each for each in below if each.__module__ == "pos_app.errors"}


def test_every_fault_of_the_machine_is_told() -> None:
    without_words = {errors.TextsDamaged}  # without them there are no texts to show it with
    assert {type(error) for error in TOLD} == kinds_of(errors.MachineError) - without_words


@each("language", SERBIAN)
@each("error", TOLD)
def test_in_three_parts_with_its_values(error: errors.MachineError, language: Language) -> None:
    told = Texts(language).error(error)
    assert all((told.happened, told.safe, told.press))
    whole = f"{told.happened} {told.safe} {told.press}"
    assert ENGLISH_OF_THE_LOG not in whole
    assert "{" not in whole
    if "path" in error.values and not isinstance(error, errors.AlreadyRunning):
        assert PATH in whole
    if isinstance(error, errors.PortTaken):
        assert "9999" in whole


def test_words_that_want_a_value_which_is_not_there_give_way_to_the_english() -> None:
    told = Texts().error(
        errors.DatabaseTooNew(what="It is too new.", safe="Left as it is.", do="Install.")
    )
    assert (told.happened, told.safe, told.press) == ("It is too new", "Left as it is.", "Install.")


@pytest.mark.parametrize("language", SERBIAN)
def test_nobody_is_told_to_make_all_data_anew_because_of_one_file(language: Language) -> None:
    told = Texts(language).error(errors.DatabaseDamaged("unreleased", what="x", path=PATH))
    whole = f"{told.happened} {told.safe} {told.press}"
    assert PATH in whole
    assert {"sr-Cyrl": "Ништа не бришите", "sr-Latn": "Ništa ne brišite"}[language] in whole
    assert not {"направиће", "napraviće"} & set(told.press.split())


def test_a_damaged_file_of_words_is_told_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = errors.TextsDamaged(
        what="The file is damaged.", safe="Nothing was started.", do="Install again."
    )

    def broken(_: Language) -> Texts:
        raise damaged

    monkeypatch.setattr("pos_app.cashier.texts.lookup.Texts", broken)
    told = NoticeWords("The file is damaged", "Nothing was started.", "Install again.")
    assert start_error(damaged, language="sr-Cyrl") == StartError("Till", told, "OK")


def test_without_a_screen_nobody_is_waited_for(
    qapp: object, caplog: pytest.LogCaptureFixture
) -> None:
    """A terminal shows the fault before anybody closes the window."""
    show_start_error(TOLD[0], language="en")
    assert TOLD[0].what in caplog.text


# --- as the adapters raise them ------------------------------------------------------------------


def english(error: errors.PosError, *, names: str) -> None:
    """Check a till in English: three parts, and the names to read out to support."""
    told = start_error(error, language="en").notice
    assert told.happened
    assert names in f"{told.happened} {told.safe} {told.press}"
    assert told.safe.endswith(".")
    assert "support" in told.press or "restart" in told.press


def test_a_second_till(folder: Path) -> None:
    path = folder / "till" / "till.lock"
    with FolderLock(path, what="till"), pytest.raises(errors.AlreadyRunning) as refused:
        FolderLock(path, what="till")
    assert start_error(refused.value, language="sr-Cyrl").notice.happened == "Каса је већ отворена"
    english(refused.value, names="Another till is running")


def test_a_setting(folder: Path) -> None:
    with pytest.raises(errors.SettingsBroken) as refused:
        settings.load(folder, server={"port": 65536})
    told = start_error(refused.value, language="sr-Cyrl").notice
    assert told.happened == "Каса није исправно подешена"
    assert "server.port" in f"{told.safe} {told.press}"
    assert str(folder / settings.FILE_NAME) in f"{told.safe} {told.press}"
    english(refused.value, names="server.port")


def test_one_address_of_the_machine(folder: Path) -> None:
    with pytest.raises(errors.SettingsBroken) as refused:
        settings.load(folder, server={"host": "192.168.1.5"})
    told = start_error(refused.value, language="sr-Cyrl").notice
    assert told.happened == "Сервер није исправно подешен: адреса"
    english(refused.value, names="server.host")


def test_a_server_on_the_lan_without_its_token(folder: Path) -> None:
    with pytest.raises(errors.SettingsBroken) as refused:
        lan_token(settings.load(folder, server={"host": "0.0.0.0"}))
    told = start_error(refused.value, language="sr-Cyrl").notice
    assert told.happened == "Сервер није исправно подешен: кључ за мрежу"
    english(refused.value, names=str(folder / "secrets.toml"))


def test_the_data_of_another_kind_of_shop(folder: Path) -> None:
    open_install(folder, environment="demo")
    with pytest.raises(errors.SettingsBroken) as refused:
        open_install(folder, environment="production")
    told = start_error(refused.value, language="sr-Cyrl").notice
    assert told.happened == "Ови подаци су од друге врсте продавнице"
    english(refused.value, names=str(folder))
