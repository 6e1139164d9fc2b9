"""The settings file: names that fit on a receipt, and words for forbidden values."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from pos_app import settings
from pos_app.adapters.data_folder.settings_file import keep_good, settings_with, write_settings
from pos_app.domain.receipt.request import LONGEST_CASHIER
from pos_app.errors import NotAllowed, SettingsBroken
from pos_app.settings.kinds import kinds
from pos_app.settings.shapes import LONGEST_NAME, PlatformServerSettings


def written(folder: Path, name: str, value: str) -> Path:
    group, _, member = name.partition(".")
    (folder / settings.FILE_NAME).write_text(f"[{group}]\n{member} = {value}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["server.cashier", "till.cashier", "till.name"])
def test_a_name_of_1_to_50_characters_and_a_number_that_can_be_compared(
    folder: Path, name: str
) -> None:
    assert LONGEST_NAME == LONGEST_CASHIER == 50
    for value in ("А", "Љ" * 50):
        assert read_at(settings.load(written(folder, name, f'"{value}"')), name) == value
    for value in ("", "   ", "Љ" * 51):
        with pytest.raises(SettingsBroken, match=f'"{name}"'):
            settings.load(written(folder, name, f'"{value}"'))
    for number, value in (
        ("processor.quiet_seconds", "inf"),
        ("processor.quiet_seconds", "nan"),
        ("processor.quiet_seconds", "86400.1"),
        ("till.ask_from_quantity", "1_000_000_000_000"),
        ("till.ask_from_line_total", "1_000_000_000_000"),
        ("till.ask_above_cash_times", "1_000_001"),
        ("till.ask_above_usual_times", "1_000_001"),
    ):
        with pytest.raises(SettingsBroken, match=f'"{number}"'):
            settings.load(written(folder, number, value))


def test_the_server_listens_on_this_machine_or_on_all_its_addresses(folder: Path) -> None:
    for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::"):
        assert settings.load(written(folder, "server.host", f'"{host}"')).server.host == host
    for host, words in (
        ("192.168.1.5", "use 0.0.0.0 for the LAN, or 127.0.0.1"),
        ("127.0.0.2", "use 0.0.0.0 for the LAN, or 127.0.0.1"),
        ("fd00::5", "use 0.0.0.0 for the LAN, or 127.0.0.1"),
        ("kasa.local", '"kasa.local" does not name this machine; use 127.0.0.1'),
        ("", '"" does not name this machine; use 127.0.0.1'),
    ):
        with pytest.raises(SettingsBroken) as refused:
            settings.load(written(folder, "server.host", f'"{host}"'))
        assert '"server.host"' in refused.value.what
        assert words in refused.value.what
        assert "Value error" not in refused.value.what


ENVIRONMENT: tuple[tuple[dict[str, str], str, object], ...] = (
    ({"POS_APP_SERVER__PORT": "8080"}, "server.port", 8080),
    ({"pos_app_server__port": "8080"}, "server.port", 8080),
    ({"POS_APP_SERVER__PORT": " 8080 "}, "server.port", 8080),
    ({"POS_APP_SERVER__PORT": "8080.0"}, "server.port", 8080),
    ({"POS_APP_SERVER__API_ENABLED": "false"}, "server.api_enabled", False),
    ({"POS_APP_SERVER__API_ENABLED": "No"}, "server.api_enabled", False),
    ({"POS_APP_PEOPLE__BADGE_NEEDS_PIN": "1"}, "people.badge_needs_pin", True),
    ({"POS_APP_TILL__NAME": " Каса 7 "}, "till.name", "Каса 7"),
    ({"POS_APP_PLATFORM__URL": "https://p.rs/v2/ "}, "platform.url", "https://p.rs/v2"),
    ({"POS_APP_SCALES__LAYOUTS": '["26aaaaaddddd"]'}, "scales.layouts", ("26AAAAADDDDD",)),
    ({"POS_APP_SERVER__CASHIER": "[А]"}, "server.cashier", "[А]"),
    ({"POS_APP_SERVER__ORIGINS": '["https://shop.rs"]'}, "server.origins", ("https://shop.rs",)),
    ({"POS_APP_PROCESSOR__QUIET_SECONDS": "0.5"}, "processor.quiet_seconds", 0.5),
    ({"POS_APP_PROCESSOR__LABEL_MAP": '{"Ђ": "A"}'}, "processor.label_map", {"Ђ": "A"}),
    ({"POS_APP_PROCESSOR__LABEL_MAP": '{"Ђ": "Ђ", "А": "F"}'}, "processor.label_map",
     {"Ђ": "Ђ", "А": "F"}),
    ({"POS_APP_SERVER": '{"port": 8081, "names": ["kasa"]}'}, "server.names", ("kasa",)),
    ({"POS_APP_SERVER": '{"port": 8081}', "POS_APP_SERVER__PORT": "8082"}, "server.port", 8082),
    ({"POS_APP_ENVIRONMENT": "sandbox"}, "environment", "sandbox"),
    ({"POS_APP_TILL__TOUCH_MM": "15"}, "till.touch_mm", 15),
)  # fmt: skip


def read_at(read: settings.Settings, name: str) -> object:
    value: object = read
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(("variables", "name", "value"), ENVIRONMENT)
def test_a_variable_of_the_environment_is_a_setting(
    folder: Path, monkeypatch: Any, variables: dict[str, str], name: str, value: object
) -> None:
    for variable, text in variables.items():
        monkeypatch.setenv(variable, text)
    assert read_at(settings.load(folder), name) == value


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[server]\nport = 1\ncashier = "Ана"\n[till]\nname = "Каса 7"\n'
    (folder / settings.FILE_NAME).write_text(text, encoding="utf-8")
    monkeypatch.setenv("POS_APP_SERVER__PORT", "2")
    read = settings.load(folder)
    assert (read.server.port, read.server.cashier, read.till.name) == (2, "Ана", "Каса 7")
    read = settings.load(folder, server={"port": 3})
    assert (read.server.port, read.server.cashier, read.till.name) == (3, "Ана", "Каса 7")


OF_A_PLATFORM: tuple[tuple[str, str, object], ...] = (
    ("host", "0.0.0.0", "0.0.0.0"),
    ("port", "8401", 8401),
    ("database_url", "postgresql://u:p@db/platform", "postgresql://u:p@db/platform"),
    ("public_url", "https://platform.example/", "https://platform.example"),
    ("workers", "4", 4),
    ("connections", "10000", 10_000),
    ("leave_seconds", "15", 15.0),
    ("relay_days", "90", 90),
    ("audit_days", "3650", 3650),
    ("signers", "2", 2),
    ("elements", "25", 25),
    ("quota_applications", "7", 7),
    ("quota_key_applications", "6", 6),
    ("quota_requests", "5", 5),
    ("quota_key_requests", "4", 4),
    ("quota_per_second", "30", 30),
    ("quota_key_per_second", "20", 20),
    ("quota_clients", "3", 3),
    ("quota_rows", "1000", 1000),
    ("quota_megabytes", "10", 10),
    ("reserve_megabytes", "100", 100),
    ("database_megabytes", "50000", 50000),
    ("files", "s3://bucket/shop", "s3://bucket/shop"),
    ("metrics_token", "of the monitor", "of the monitor"),
    ("outside_vat", '["100000049"]', ("100000049",)),
    ("trusted_proxies", '["10.0.0.0/8", "::1"]', ("10.0.0.0/8", "::1")),
)


def test_each_setting_of_a_platform_is_a_variable_or_what_a_file_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {name for name, _, _ in OF_A_PLATFORM} == set(kinds(PlatformServerSettings))
    for name, text, value in OF_A_PLATFORM:
        variable, told = f"POS_APP_PLATFORM_SERVER__{name.upper()}", folder / name
        told.write_text(f"{text}\n", encoding="utf-8")
        with monkeypatch.context() as environment:
            environment.setenv(variable, text)
            assert getattr(settings.load(folder).platform_server, name) == value
        with monkeypatch.context() as environment:
            environment.setenv(f"{variable}_FILE", str(told))
            assert getattr(settings.load(folder).platform_server, name) == value
            assert settings.variable_that_sets(f"platform_server.{name}") == f"{variable}_FILE"
            environment.setenv(variable, "0")
            told.unlink()
            settings.from_environment({variable: text, f"{variable}_FILE": "absent"})
            environment.delenv(variable)
            with pytest.raises(SettingsBroken, match=f"{variable}_FILE"):
                settings.load(folder)


def test_a_file_of_certificates_is_looked_for_in_the_data_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = ("processor", "mail", "platform")
    text = "".join(f'[{name}]\nca_file = "certs/{name}.pem"\n' for name in groups)
    (folder / settings.FILE_NAME).write_text(text, encoding="utf-8")
    monkeypatch.chdir("/")

    def files(read: settings.Settings) -> list[str]:
        return [getattr(read, name).ca_file for name in groups]

    assert files(settings.load(folder)) == [str(folder / "certs" / f"{one}.pem") for one in groups]
    assert files(settings.check_text(folder, text)) == files(settings.load(folder))
    monkeypatch.setenv("POS_APP_MAIL__CA_FILE", "/etc/ssl/ours.pem")
    (folder / settings.FILE_NAME).unlink()
    assert files(settings.load(folder)) == ["", "/etc/ssl/ours.pem", ""]


@pytest.mark.parametrize(
    ("variable", "text", "named"),
    [
        ("POS_APP_PLATFORM_SERVER__TRUSTED_PROXIES", '["proxy"]', "neither an IP address"),
        ("POS_APP_SERVER__PORT", "many", '"server.port"'),
        ("POS_APP_TILL__TOUCH_MM", "14", '"till.touch_mm"'),
        ("POS_APP_TILL__TOUCH_MM", "large", "POS_APP_TILL__TOUCH_MM"),
        ("POS_APP_SERVER__PROT", "1", '"server.prot"'),
        ("POS_APP_SERVR__PORT", "1", '"servr"'),
        ("POS_APP_TILL__ACTION_KEYS", '["F3", "F3"]', "each stands there once"),
        ("POS_APP_SERVER__PORT__NUMBER", "1", '"server.port"'),
        ("POS_APP_SERVER", "8080", '"server"'),
        ("POS_APP_SERVER__ORIGINS", "https://shop.rs", "POS_APP_SERVER__ORIGINS"),
        ("POS_APP_SERVER__ORIGINS", "[" * 100_000, "POS_APP_SERVER__ORIGINS"),
    ],
)
def test_a_variable_that_makes_no_sense_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, named: str
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(SettingsBroken, match=named):
        settings.load(folder)


@pytest.mark.parametrize("kind", ["lpfr", "vpfr"])
@pytest.mark.parametrize(("seconds", "is_taken"), [("2", False), ("44.9", False), ("45", True)])
def test_a_real_processor_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, folder: Path, kind: str, seconds: str, is_taken: bool
) -> None:
    monkeypatch.setenv("POS_APP_PROCESSOR__KIND", kind)
    monkeypatch.setenv("POS_APP_PROCESSOR__QUIET_SECONDS", seconds)
    if is_taken:
        assert settings.load(folder).processor.quiet_seconds == float(seconds)
        return
    with pytest.raises(SettingsBroken, match="quiet_seconds of a real processor is at least 45"):
        settings.load(folder)


def test_true_is_no_number_and_a_link_to_nothing_no_empty_file(folder: Path) -> None:
    told = folder / settings.FILE_NAME
    told.write_text("[server]\nport = true\n", encoding="utf-8")
    with pytest.raises(SettingsBroken, match=r"line 2 .* a number, not true or false"):
        settings.load(folder)
    told.unlink()
    told.symlink_to(folder / "gone.toml")
    with pytest.raises(SettingsBroken, match="a link to a file that is not there"):
        settings.load(folder)


# --- settings.toml is written as a person would write it: unchanged parts keep their text --------


WRITTEN = """\
# Of the shop in Novi Sad.
[till]
name = "Каса 2"   # at the door

[processor]
kind = "lpfr"
url = "http://127.0.0.1:8888" # the small box

[esir]
ib = "1234"
"""


def keep(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / settings.FILE_NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_comments_and_order_stay(folder: Path) -> None:
    path = keep(folder, WRITTEN)
    changes = {"processor.kind": "vpfr", "processor.url": None, "processor.used_here_alone": True}
    after, text = settings_with(folder, changes)
    assert path.read_text(encoding="utf-8") == WRITTEN  # nothing is written yet
    write_settings(folder, text)
    assert settings.load(folder) == after
    assert (after.processor.kind, after.processor.url) == ("vpfr", "")
    assert after.processor.used_here_alone
    kept = [line for line in WRITTEN.splitlines() if "kind" not in line and "url" not in line]
    assert [line for line in text.splitlines() if line in kept] == kept
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for mode in (0o644, 0o660, 0o600):
        path.chmod(mode)
        (folder / settings.LAST_GOOD).unlink(missing_ok=True)
        keep_good(settings.load(folder))
        copy = (folder / settings.LAST_GOOD).stat()
        assert copy.st_mode & 0o777 == 0o600, "the copy is open to no more users"
        assert copy.st_uid == path.stat().st_uid


@pytest.mark.parametrize(
    "text",
    ["", 'processor.kind = "lpfr"\n', 'processor = { kind = "lpfr" }\n', "\ufeff[till]\n"],
    ids=["no file", "dotted", "inline", "byte order mark"],
)
def test_whatever_form_it_has(folder: Path, text: str) -> None:
    path = keep(folder, text)
    if not text:
        path.unlink()
    labels = {"Ђ": "F", "Е": "E"}
    changes = {"processor.url": "http://127.0.0.1:1", "processor.label_map": labels}
    after, whole = settings_with(folder, changes)
    write_settings(folder, whole)
    assert settings.load(folder) == after
    assert (after.processor.url, after.processor.label_map) == ("http://127.0.0.1:1", labels)
    _, whole = settings_with(folder, {"processor.label_map": None})
    assert "label_map" not in whole


def test_what_can_t_be_is_told_and_not_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = keep(folder, WRITTEN)
    with pytest.raises(SettingsBroken, match=r"processor\.kind"):
        settings_with(folder, {"processor.kind": "fax"})
    monkeypatch.setenv("POS_APP_PROCESSOR__URL", "http://127.0.0.1:2")
    with pytest.raises(NotAllowed, match="POS_APP_PROCESSOR__URL"):
        settings_with(folder, {"processor.url": "http://127.0.0.1:1"})
    monkeypatch.delenv("POS_APP_PROCESSOR__URL")
    monkeypatch.setenv("POS_APP_PROCESSOR", '{"kind": "lpfr"}')
    with pytest.raises(NotAllowed, match="POS_APP_PROCESSOR"):
        settings_with(folder, {"processor.kind": "vpfr"})
    assert path.read_text(encoding="utf-8") == WRITTEN
