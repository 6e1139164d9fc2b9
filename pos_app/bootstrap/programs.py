"""Runs the program that a command line names."""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pos_app import __version__, installed, log, settings
from pos_app.adapters.data_folder import DEMO
from pos_app.adapters.data_folder.private_files import make_private, mend
from pos_app.adapters.data_folder.upgrade_mark import RESTORE_MARK
from pos_app.adapters.lasting_output import outlive_readers
from pos_app.adapters.open_files import raise_limit
from pos_app.adapters.server_process.service import check_till_may_open
from pos_app.adapters.sqlite.copy_before_opening import copy_before_opening
from pos_app.characters import escaped
from pos_app.errors import MachineError, PosError, as_members
from pos_app.settings import Settings, check_folder

if TYPE_CHECKING:  # only the till needs it
    from pos_app.selling.backups import AskedBack

_OF_A_SHOP = frozenset(
    {"till", "server", "sync", "check", "upgrade", "backup", "restore", "forget-pin", "demo"}
)
_TURN_SECONDS = 0.0005
"""After this time a thread that reads a large body or adds to the list of receipts gives the loop
its turn. With Python's 5 ms a receipt took 0.4 s beside such a thread, because the loop loses its
turn at each question to the database."""
_M_MMAP_THRESHOLD, _LARGE_BYTES = -3, 1 << 20
_Answer = TypeVar("_Answer")
_log = log.get(__name__)


def run(given: argparse.Namespace) -> int:
    """Run the program of a parsed command line, and return its exit status. Raises PosError."""
    outlive_readers()
    is_for_till = getattr(given, "for_till", False)  # such a server keeps its log in a file
    log.configure(as_json=given.log_json, most_bytes=log.MOST_BYTES if is_for_till else None)
    make_private()
    return_large_blocks()
    programs: dict[str, Callable[[argparse.Namespace], int]] = {
        "till": _till,
        "server": _server,
        "sync": _sync,
        "check": _check,
        "stop": _stop,
        "upgrade": _upgrade,
        "backup": _backup,
        "restore": _restore,
        "forget-pin": _forget_pin,
        "processor": _processor,
        "platform": _platform,
        "demo": _demo,
    }
    if given.program in _OF_A_SHOP:
        _finish_restore(given)
    return programs[given.program](given)


def _finish_restore(given: argparse.Namespace) -> None:
    """Finish an interrupted restore first. The program itself reports a folder that can't be
    read."""
    folder: Path = (given.data or settings.default_data_folder()).absolute()
    if any(os.path.exists(shop / RESTORE_MARK) for shop in (folder, folder / DEMO)):  # noqa: PTH110 - False where it may not be seen
        from pos_app.bootstrap.commands.backup import finish_restore

        for shop in (folder, folder / DEMO):
            finish_restore(shop)


def return_large_blocks() -> None:
    """Let glibc return each freed block of 1 MiB or more to the system. By itself glibc raises this
    limit to the largest block freed so far. The program then keeps the memory of a PIN's hash (19
    MiB) or of a picture."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library has no such limit
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)


@contextmanager
def loading() -> Iterator[None]:
    """Exempt the modules loaded inside from all later garbage collections."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def ready(address: str) -> None:
    """Print the address of a program that now answers, as its one line."""
    print(address, flush=True)


def tell_refused(error: PosError, *, as_json: bool) -> None:
    """Print on standard error why a program can't go on. as_json: print it also as one line on
    standard output, for the program that started this one."""
    for text_line in (error.what, error.safe, error.do):
        if text_line:
            print(escaped(text_line), file=sys.stderr, flush=True)
    if as_json:
        print(json.dumps({"refused": as_members(error)}, ensure_ascii=False), flush=True)


def _finished(work: Coroutine[Any, Any, _Answer], *, by_selector: bool = False) -> _Answer:
    """Run the work of a program in an event loop, and return its result. asyncio is imported here
    because some programs need none. by_selector: run the loop that psycopg needs on Windows."""
    import asyncio

    sys.setswitchinterval(_TURN_SECONDS)
    is_other = by_selector and sys.platform == "win32"
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop if is_other else None) as run:
        return run.run(work)


def _settings(given: argparse.Namespace) -> Settings:
    plain = settings.load(given.data)
    mend(plain.data)
    return _at_address(plain, given)


def _at_address(plain: Settings, given: argparse.Namespace) -> Settings:
    address = {
        name: value
        for name in ("host", "port")
        if (value := getattr(given, name, None)) is not None
    }
    if not address:
        return plain
    return settings.load(plain.data, server=plain.server.given | address)


def _till(given: argparse.Namespace) -> int:
    folder = (given.data or settings.default_data_folder()).absolute()
    with _logged(folder):
        installed.note_files()
        _begin_windows(given)
        with _error_in_window():
            check_till_may_open(folder)
            shop = _settings(given)
        with loading():
            from pos_app.bootstrap.till.till import run_till

        status = run_till(shop, reread=lambda: _settings(given), put_back=_put_back)
    return _reopened(status)


def _reopened(status: int) -> int:
    """Become the program that is installed now where a person asked for it; else return the
    status."""
    from pos_app.bootstrap.till.till import REOPENS

    if status == REOPENS:
        os.execv(sys.executable, sys.orig_argv)
    return status


def _begin_windows(given: argparse.Namespace) -> None:
    """Make the application of Qt before anything of the shop is touched, or end this program in
    words: Qt itself would abort it."""
    with loading():
        from pos_app.cashier.start.application import begin_windows

    def end(error: PosError) -> NoReturn:
        _log.error("the till can't open: %s", error.what)
        _log.info("the till ends")
        tell_refused(error, as_json=given.log_json)
        os._exit(1)

    begin_windows(or_end=end)


def _put_back(data: Path, asked: AskedBack, report_progress: Callable[[int, int], None]) -> None:
    from pos_app.bootstrap.commands.backup import put_back  # most tills never need it

    put_back(data, asked, report_progress)


def _server(given: argparse.Namespace) -> int:
    installed.note_files(is_service=True)
    with loading():
        from pos_app.bootstrap.server.server import run_server

    raise_limit()

    def reread(port: int) -> Settings:
        given.port = port
        return _settings(given)

    shop = _settings(given)
    if not given.for_till:
        copy_before_opening(shop.data)
    _finished(run_server(shop, ready=ready, for_till=given.for_till, reread=reread))
    return 0


def _forget_pin(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.commands.forget_pin import forget_pin

    shop = _settings(given)
    copy_before_opening(shop.data)
    return forget_pin(shop, out=sys.stdout)


def _processor(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.development_processor import issue_certificate, run_processor

    folder: Path = (given.data or settings.default_data_folder()).absolute()
    check_folder(folder)
    mend(folder)
    if given.issue_certificate is not None:
        issue_certificate(
            folder / "processor",
            given.issue_certificate,
            password=given.password,
            url=given.url,
            days=given.days,
            uid=given.uid,
            tin=given.tin,
        )
        return 0
    raise_limit()
    _finished(
        run_processor(
            folder / "processor",
            host=given.host or "127.0.0.1",
            port=given.port or 0,
            mode=given.mode,
            control_port=given.control_port,
            ready=ready,
        )
    )
    return 0


def _platform(given: argparse.Namespace) -> int:
    try:
        act = _act_of_platform(given)
    except ModuleNotFoundError as error:
        raise _platform_not_installed(error) from error
    plain = settings.load(given.data)
    mend(plain.data)
    names = ("host", "port", "database_url", "public_url", "workers", "signers")
    members = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    if members:
        given_settings = plain.platform_server.given | members
        plain = settings.load(plain.data, platform_server=given_settings)
    act(plain, given)
    return 0


def _act_of_platform(given: argparse.Namespace) -> Callable[[Settings, argparse.Namespace], None]:
    """Return the act with its modules loaded: a short command and a signer need few of them."""
    if given.act.startswith("doubts"):
        return _platform_doubts
    if given.act != "serve":
        from pos_app.bootstrap.platform import accounts  # noqa: F401 - before all is read

        if given.act == "audit list":
            return _platform_audit
        return _platform_keys if given.act.startswith("key") else _platform_accounts
    if given.signer is not None:
        return _serve_signer
    if (given.workers or 1) == 1:
        from pos_app.bootstrap.platform import platform  # noqa: F401
    else:
        from pos_app.bootstrap.platform import workers  # noqa: F401
    return _serve_platform


def _platform_not_installed(error: ModuleNotFoundError) -> MachineError:
    """Describe missing packages; a missing module of the product itself is a bug, and raised as
    one."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "pos_app"):
        raise error
    return MachineError("packages", package=package)


def _platform_accounts(plain: Settings, given: argparse.Namespace) -> None:
    from pos_app.bootstrap.platform.accounts import accounts, add_account, back_up, note_seen

    if given.act == "account add":
        account = _finished(add_account(plain, given.given))
        print(json.dumps({"account": account}) if given.json else account)
    elif given.act == "account list":
        found = _finished(accounts(plain))
        listed = [{"account": account, "name": name} for account, name in found]
        _print_listed(listed, _account_line, as_json=given.json)
    elif given.act == "seen":
        seen = _finished(note_seen(plain, by=given.by))
        print("\n".join(f"Seen to: {one}" for one in seen) or "There is nothing to be seen to.")
    else:
        _finished(back_up(plain, given.given.absolute()))


def _platform_keys(plain: Settings, given: argparse.Namespace) -> None:
    from pos_app.bootstrap.platform.accounts import (
        add_key,
        key_as_json,
        keys,
        moment_shown,
        revoke,
        rotate,
    )

    if given.act == "key add":
        key = _finished(
            add_key(
                plain,
                given.given,
                name=given.name,
                scopes=given.scope or (),
                each_order_is_a_sale=given.each_order_is_a_sale,
                one_client=given.one_client,
            )
        )
        _print_key(key.id, key.secret, as_json=given.json)
    elif given.act == "key rotate":
        key = _finished(rotate(plain, given.given))
        _print_key(key.id, key.secret, as_json=given.json)
    elif given.act == "key list":
        found = [key_as_json(key) for key in _finished(keys(plain, given.given))]
        _print_listed(found, _key_line, as_json=given.json)
    elif before := _finished(revoke(plain, given.given)):
        print(f"The key {given.given} is revoked already, since {moment_shown(before)}.")


def _platform_audit(plain: Settings, given: argparse.Namespace) -> None:
    from pos_app.bootstrap.platform.accounts import audit_of

    async def outcome() -> None:
        before = "["
        async for text, text_line in audit_of(plain, given.given, since=given.since):
            if given.json:
                print(f"{before}{text}", end="")
                before = ",\n"
            else:
                print(escaped(text_line))
        if given.json:
            print("[]" if before == "[" else "]")

    _finished(outcome())


def _print_key(key: str, secret: str, *, as_json: bool) -> None:
    values = {"key": key, "secret": secret}
    print(json.dumps(values) if as_json else f"key     {key}\nsecret  {secret}")


def _print_listed(
    entries: list[dict[str, Any]], line: Callable[[dict[str, Any]], str], *, as_json: bool
) -> None:
    print(json.dumps(entries, ensure_ascii=False) if as_json else "\n".join(map(line, entries)))


def _account_line(account: dict[str, Any]) -> str:
    """Return an account's line for a person. Its name is escaped, as a key's is, because an older
    version took names with line breaks."""
    return f"{account['account']}  {escaped(account['name'])}"


def _key_line(key: dict[str, Any]) -> str:
    used = key["last_used_at"] or "never"
    revoked = f"  revoked {key['revoked_at']}" if key["revoked_at"] else ""
    scopes = ",".join(key["scopes"])
    scopes += "  each order is a sale" if key["each_order_is_a_sale"] else ""
    scopes += "  one client" if key["one_client"] else ""
    name = escaped(key["name"])
    return f"{key['key']}  {name}  {scopes}  made {key['created_at']}  used {used}{revoked}"


def _platform_doubts(plain: Settings, given: argparse.Namespace) -> None:
    from pos_app.bootstrap.platform.doubts import doubt_as_json, list_doubts, signers_of

    if given.act == "doubts list":
        found = [doubt_as_json(*one) for one in _finished(list_doubts(plain))]
        _print_listed(found, lambda entry: "  ".join(map(str, entry.values())), as_json=given.json)
        return

    async def outcome() -> str:
        async with signers_of(plain) as signers:
            if given.act == "doubts close":
                return await signers.close_restored(given.uid, by=given.by)
            if given.act == "doubts lookup":
                return await signers.look_up(given.uid, given.receipt)
            if given.act == "doubts absent":
                return await signers.report_absent(given.uid, given.receipt, by=given.by)
            return await signers.report_found(given.uid, given.receipt, url=given.url, by=given.by)

    words = _finished(outcome())
    print(json.dumps({"result": words}) if given.json else words)


def _serve_signer(plain: Settings, given: argparse.Namespace) -> None:
    from pos_app.bootstrap.platform.signer import run_signer

    installed.note_files(is_service=True)
    raise_limit()
    _finished(run_signer(plain, given.signer, ready=ready))


def _serve_platform(plain: Settings, given: argparse.Namespace) -> None:
    installed.note_files(is_service=True)
    raise_limit()
    if not given.worker and plain.platform_server.workers > 1:
        _finished(_workers_with_signers(plain, log_json=given.log_json, take_over=given.take_over))
        return
    from pos_app.bootstrap.platform.platform import run_platform

    if given.worker:
        inherited = [int(number) for number in given.worker.split(",")]
        _finished(run_platform(plain, ready=ready, inherited=inherited))
        return
    values = {"log_json": given.log_json, "take_over": given.take_over}
    _finished(run_platform(plain, ready=ready, **values), by_selector=True)


async def _workers_with_signers(plain: Settings, *, log_json: bool, take_over: bool) -> None:
    from pos_app.bootstrap.platform.signers import signing
    from pos_app.bootstrap.platform.workers import check_workers, run_workers

    check_workers(plain)
    async with signing(plain, log_json=log_json, waits=lambda: take_over):
        await run_workers(plain, log_json=log_json, ready=ready, take_over=take_over)


def _sync(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.synchronisation.sync import sync_command
    from pos_app.selling.synchronisation.joining import JoiningAnswer

    gc.disable()  # a short run makes millions of values, and no cycles of them
    if given.pictures:
        from pos_app.adapters.left_alone import read_asked
        from pos_app.bootstrap.synchronisation.platform_sync import bring_pictures

        bring_pictures(_settings(given), json.loads(read_asked()))
        return 0
    shop = _settings(given)
    copy_before_opening(shop.data)
    return sync_command(
        settings=shop,
        source=given.source,
        out=sys.stdout,
        errors=sys.stderr,
        accept_removals=given.accept_removals,
        join=JoiningAnswer(given.join) if given.join else None,
        as_json=given.log_json and given.source is None,
    )


def _check(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.commands.check import check_command

    folder: Path = (given.data or settings.default_data_folder()).absolute()
    check_folder(folder)
    mend(folder)
    is_named = given.data is not None
    return check_command(folder, is_named=is_named, puts_back=given.put_back, out=sys.stdout)


def _stop(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.commands.stop import WAIT_SECONDS, stop_command, stop_for_service

    wait = WAIT_SECONDS if given.wait is None else given.wait
    folder: Path = (given.data or settings.default_data_folder()).absolute()
    if given.service:
        return stop_for_service(folder, wait=wait, out=sys.stderr)
    return stop_command(folder, wait=wait, alone=given.alone, out=sys.stdout, errors=sys.stderr)


def _upgrade(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.commands.upgrade import upgrade_command

    folder: Path = (given.data or settings.default_data_folder()).absolute()
    return upgrade_command(folder, out=sys.stderr)


def _backup(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.commands.backup import backup_command

    return backup_command(_settings(given), out=sys.stdout)


def _restore(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.commands.backup import restore_command

    folder: Path = (given.data or settings.default_data_folder()).absolute()
    return restore_command(
        folder, given.set, only=given.only or (), accepted=given.accept_missing, out=sys.stdout
    )


def _demo(given: argparse.Namespace) -> int:
    from pos_app.bootstrap.till.demo import demo_at_its_port, prepare_demo

    if given.prepare:
        copy_before_opening(prepare_demo(given.data, tell=_tell, refill=given.refill).data)
        return 0
    with _error_in_window():
        shop = prepare_demo(given.data, tell=_tell, refill=given.refill)
        shop = demo_at_its_port(_at_address(shop, given))
        mend(shop.data)
    if _has_display():
        with _logged(shop.data):
            installed.note_files()
            _begin_windows(given)
            with loading():
                from pos_app.bootstrap.till.till import run_till

            def reread() -> Settings:
                return demo_at_its_port(_at_address(settings.load(shop.data), given))

            status = run_till(shop, on_address=_tell_address, reread=reread, put_back=_put_back)
        return _reopened(status)
    from pos_app.bootstrap.till.offscreen import ring_up_offscreen

    copy_before_opening(shop.data)
    return ring_up_offscreen(shop, tell=print)


@contextmanager
def _logged(data: Path) -> Iterator[None]:
    """Keep the till's log in a file, with the till's start and end. Whoever starts the till by an
    icon sees no other log."""
    with log.kept_in(data / "logs" / "till.log"):
        _log.info("the till starts", extra={"fields": {"version": __version__}})
        try:
            yield
        except PosError as error:
            _log.error("the till can't go on: %s", error.what)
            raise
        except Exception:
            _log.exception("the till can't go on, which is a bug")
            raise
        finally:
            _log.info("the till ends")


@contextmanager
def _error_in_window() -> Iterator[None]:
    """Also show in a window why the till can't be opened: it may have been started by an icon."""
    try:
        yield
    except PosError as error:
        if _has_display():
            from pos_app.cashier.start.start_error import show_start_error

            show_start_error(error, language="sr-Cyrl")
        raise


def _has_display() -> bool:
    if platform := os.environ.get("QT_QPA_PLATFORM"):
        return platform not in ("offscreen", "minimal")
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tell_address(address: str) -> None:
    _tell(f"While the till is open, other programs reach its server at {address}")


def _tell(words: object) -> None:
    """Print progress on standard error; standard output has only what was asked for."""
    print(words, file=sys.stderr, flush=True)
