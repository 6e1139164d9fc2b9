"""The command line of all programs: `pos-app [PROGRAM]`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pos_app import __version__, log
from pos_app.errors import PosError
from pos_app.installed import default_data_folder

_OF_ALL = frozenset({"-h", "--help", "--version"})
"""Options about the product, not about a program."""

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
"""Else pydantic searches all installed packages for plug-ins when its first shape is made."""

_SYNC = "bring articles into the till, from a file or its platform"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one program, and return its exit status. An expected error is printed in words, and the
    status is 1. With --log-json the error is also printed as one JSON line on standard output, for
    the program that started this one. Ctrl+C is 130, also while the program is still loaded."""
    try:
        return _main(arguments)
    except KeyboardInterrupt:
        return 130


def _main(arguments: Sequence[str] | None) -> int:
    given = _parser().parse_args(_with_program(sys.argv[1:] if arguments is None else arguments))
    try:
        from pos_app.bootstrap import programs
    except Exception:
        _log_damage(given)
        raise
    try:
        return programs.run(given)
    except PosError as error:
        programs.tell_refused(error, as_json=given.log_json)
        return 1


def _log_damage(given: argparse.Namespace) -> None:
    """Write to the till's log that the program can't be loaded: the till itself opens its log only
    later, and a person who started the till by an icon sees no other log."""
    if given.program == "till":
        os.umask(0o077)  # as the programs set it themselves
        folder: Path = (given.data or default_data_folder()).absolute()
        with log.kept_in(folder / "logs" / "till.log"):
            log.get(__name__).exception("the till can't be loaded, which is a bug")


def _with_program(arguments: Sequence[str]) -> Sequence[str]:
    """Make the till the default program, with the till's own options."""
    first = arguments[0] if arguments else "--"
    names_one = not first.startswith("-") or first in _OF_ALL
    return arguments if names_one else ["till", *arguments]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pos-app",
        usage="pos-app [-h] [--version] [PROGRAM] [OPTION ...]",
        description="Point-of-sale cashier for shops in Serbia.",
        epilog="Without PROGRAM it is the till, which takes its options then too.",
    )
    parser.add_argument("--version", action="version", version=f"pos-app {__version__}")
    parser.set_defaults(program="till", data=None, host=None, port=None, log_json=False)
    commands = parser.add_subparsers(title="programs", metavar="PROGRAM", prog="pos-app")

    till = _program(commands, "till", "the cashier's window (the default)")
    _port_of(till, "the till's own server")

    server = _program(commands, "server", "the local API server")
    _address(server, "the local API")
    server.add_argument(
        "--for-till",
        action="store_true",
        help=argparse.SUPPRESS,  # for the till, which may stop and replace this server
    )

    _of_sync(_program(commands, "sync", _SYNC))
    _of_check(_program(commands, "check", "whether the files of the data folder are whole"))
    _of_stop(_program(commands, "stop", "close the till and the server of the data folder"))
    _program(commands, "upgrade", "copy the databases aside and bring them to this version")
    _of_backups(commands)
    _program(commands, "forget-pin", "forget the manager's PIN; a new one is chosen at the till")

    processor = _program(commands, "processor", "the development fiscal processor")
    _address(processor, "the processor")
    processor.add_argument("--mode", choices=("lpfr", "vpfr"), default="lpfr")
    processor.add_argument(
        "--control-port", type=_port, metavar="N", help="faults on demand, on this port"
    )
    _certificate_of(processor)

    platform = _program(commands, "platform", "the public platform, hosted by yourself")
    _address(platform, "the platform")
    _of_platform(platform)

    demo = _program(commands, "demo", "a demo shop on the development processor")
    _port_of(demo, "the demo's own server")
    demo.add_argument(
        "--prepare", action="store_true", help="only fill the shop, do not open the till"
    )
    demo.add_argument(
        "--refill", action="store_true", help="the demo's store and articles again, as at first"
    )
    return parser


def _of_check(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "--put-back",
        action="store_true",
        help="put back settings and identity that are lost or damaged, of what is kept of them",
    )


def _of_stop(stop: argparse.ArgumentParser) -> None:
    stop.add_argument(
        "--wait", type=_seconds, metavar="SECONDS", help="how long they may take (else 60)"
    )
    stop.add_argument(
        "--alone", action="store_true", help="stop nothing while another shop is open (Windows)"
    )
    stop.add_argument("--service", action="store_true", help=argparse.SUPPRESS)  # for the service


def _of_backups(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    _program(commands, "backup", "copy the shop's data as one set, also while it sells")
    restore = _program(commands, "restore", "put such a set back, while no program runs")
    restore.add_argument(
        "set", nargs="?", metavar="SET", help="its name or folder; without it, those there are"
    )
    restore.add_argument(
        "--only",
        action="append",
        choices=("till", "journal", "catalogue", "settings"),
        help="this part of it; may be given several times (else all)",
    )
    restore.add_argument(
        "--accept-missing",
        action="store_true",
        help="though what is here is newer, and what was told is missing afterwards",
    )


def _certificate_of(processor: argparse.ArgumentParser) -> None:
    certificate = processor.add_argument_group("a client certificate of the V-PFR")
    certificate.add_argument(
        "--issue-certificate", type=Path, metavar="FILE", help="write a new PFX file and end"
    )
    certificate.add_argument("--password", metavar="P", default="", help="of that file")
    certificate.add_argument(
        "--url", metavar="URL", default="", help="of the V-PFR, to stand in it"
    )
    certificate.add_argument("--uid", metavar="UID", help="of its element; else a new one")
    certificate.add_argument("--tin", metavar="TIN", help="of the taxpayer")
    certificate.add_argument("--days", metavar="N", type=int, default=365, help="it is valid for")


def _of_platform(platform: argparse.ArgumentParser) -> None:
    platform.add_argument("--database-url", metavar="URL", help="postgresql://… (else a file)")
    platform.add_argument("--workers", type=_count, metavar="N", help="processes that answer")
    platform.add_argument("--signers", type=_signers, metavar="N", help="of certificate mode")
    platform.add_argument(
        "--signer", type=_signers, help=argparse.SUPPRESS
    )  # given only by its parent
    platform.add_argument("--public-url", metavar="URL", help="address by which callers reach it")
    platform.add_argument(
        "--take-over",
        action="store_true",
        help="begin once the program that has the port now was stopped and let it go",
    )
    platform.add_argument("--worker", help=argparse.SUPPRESS)  # from its parent
    platform.set_defaults(act="serve", json=False)
    things = platform.add_subparsers(
        title="instead of serving", metavar="THING", prog="pos-app platform"
    )
    _of_accounts(things.add_parser("account", help="make and list accounts"))
    _of_keys(things.add_parser("key", help="make, list and revoke keys"))
    _of_doubts(things.add_parser("doubts", help="receipts of certificate mode that may exist"))
    audit = things.add_parser("audit", help="who did what with an account's keys and catalogue")
    acts = audit.add_subparsers(title="acts", metavar="ACT", required=True)
    words = "the audit log of ACCOUNT, the oldest entry first"
    listed = _act(acts, "audit list", words, about="ACCOUNT", printed="it")
    listed.add_argument("--since", metavar="INSTANT", help="such as 2026-11-25T00:00:00Z")
    backup = _act(things, "backup", "copy the database while it is in use (SQLite)")
    backup.add_argument("given", type=Path, metavar="FILE", help="the copy; it must not exist yet")
    seen = _act(things, "seen", "say that what is missing without its log was seen to (SQLite)")
    seen.add_argument("--by", metavar="NAME", required=True, help="who saw to it")


def _of_accounts(account: argparse.ArgumentParser) -> None:
    acts = account.add_subparsers(title="acts", metavar="ACT", required=True)
    _act(acts, "account add", "make one; NAME is its name", about="NAME", printed="it")
    _act(acts, "account list", "ids and names of all accounts", printed="them")


def _of_keys(key: argparse.ArgumentParser) -> None:
    acts = key.add_subparsers(title="acts", metavar="ACT", required=True)
    add = _act(acts, "key add", "make one; ACCOUNT is its account", about="ACCOUNT", printed="it")
    add.add_argument("--name", default="command line", help="by which people know it")
    add.add_argument(
        "--scope",
        action="append",
        help="catalogue, fiscalization or application; may be given several times (else all)",
    )
    add.add_argument(
        "--each-order-is-a-sale",
        action="store_true",
        help="an order without Idempotency-Key is never taken for a repetition",
    )
    add.add_argument(
        "--one-client",
        action="store_true",
        help="the application that connects with it first is the only one that may",
    )
    words = "a key of the same terms; KEY is refused from the first use of the new one"
    _act(acts, "key rotate", words, about="KEY", printed="it")
    words = "all keys of ACCOUNT, the revoked ones too"
    _act(acts, "key list", words, about="ACCOUNT", printed="them")
    _act(acts, "key revoke", "let KEY be refused for good", about="KEY")


def _of_doubts(doubts: argparse.ArgumentParser) -> None:
    acts = doubts.add_subparsers(title="acts", metavar="ACT", required=True)
    for name, words in (
        ("list", "those that wait for a person, or for their certificate"),
        ("lookup", "ask the V-PFR once more, while the element's certificate is open"),
        ("absent", "say that there is no such receipt; its key may be sent again"),
        ("found", "say that it exists, by the address on its paper"),
        ("close", "say that an element whose journal is an older copy was looked at"),
    ):
        act = _act(acts, f"doubts {name}", words, printed="it")
        if name != "list":
            act.add_argument("uid", metavar="UID", help="of the secure element")
        if name not in ("list", "close"):
            act.add_argument("receipt", metavar="RECEIPT", help="its id")
        if name == "found":
            act.add_argument("url", metavar="URL", help="the address that its QR code says")
        if name in ("absent", "found", "close"):
            act.add_argument("--by", metavar="NAME", required=True, help="who decides")
        act.add_argument(
            "--signers",
            type=_signers,
            metavar="N",
            default=argparse.SUPPRESS,
            help="as the platform was started",
        )


def _act(
    acts: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    words: str,
    *,
    about: str = "",
    printed: str = "",
) -> argparse.ArgumentParser:
    """Add one act of the platform's operator. about: its argument; printed: its output, which may
    be JSON."""
    act = acts.add_parser(name.rsplit(maxsplit=1)[-1], help=words)
    if about:
        act.add_argument("given", metavar=about)
    if printed:
        act.add_argument("--json", action="store_true", help=f"print {printed} as JSON")
    for option, more in (("--data", "data folder"), ("--database-url", "postgresql://…")):
        kind = Path if option == "--data" else str
        act.add_argument(option, type=kind, default=argparse.SUPPRESS, help=more)
    act.set_defaults(act=name)
    return act


def _of_sync(sync: argparse.ArgumentParser) -> None:
    sync.add_argument(
        "--pictures",
        action="store_true",
        help=argparse.SUPPRESS,  # for the till: standard input names products with photos
    )
    sync.add_argument(
        "source",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="catalogue as JSON; without it, the platform of the settings",
    )
    sync.add_argument(
        "--accept-removals",
        action="store_true",
        help="let go of articles that are missing, however many they are",
    )
    sync.add_argument(
        "--join",
        choices=("send", "read"),
        help="a platform that has not had this shop's articles: send them there, or only read it",
    )


def _program(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, words: str
) -> argparse.ArgumentParser:
    program = commands.add_parser(name, help=words, description=words[:1].upper() + words[1:])
    program.set_defaults(program=name)
    program.add_argument(
        "--data", type=Path, metavar="DIR", help="data folder (else the system's usual place)"
    )
    program.add_argument("--log-json", action="store_true", help="logs as JSON, a line an event")
    return program


def _address(program: argparse.ArgumentParser, what: str) -> None:
    program.add_argument("--host", metavar="HOST", help=f"where {what} listens")
    _port_of(program, what)


def _port_of(program: argparse.ArgumentParser, what: str) -> None:
    words = f"port of {what}; 0 takes any free one"
    program.add_argument("--port", type=_port, metavar="N", help=words)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 64):
        raise argparse.ArgumentTypeError(f"a number from 1 to 64, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    if not (text.isascii() and text.isdigit() and int(text) <= 3600):
        raise argparse.ArgumentTypeError(f"a number of seconds, 3600 at most, not {text!r}")
    return float(text)


def _signers(text: str) -> int:
    return 0 if text == "0" else _count(text)


def _port(text: str) -> int:
    figures = text.isascii() and text.isdigit() and len(text) <= 5
    if not figures or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
