"""The logs of a data folder, and a bundle for support, to find a fault, without secrets.

It has nothing from a database. Possible secrets, persons' numbers and addresses are recognised by
their form and removed from each text that is added or shown, and known secrets by their content. In
doubt a text is removed.
"""

from __future__ import annotations

import json
import os
import platform
import re
import secrets
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pos_app import __version__, installed, log
from pos_app.clock import Clock
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import DataFolderNotWritable, MachineError, PosError
from pos_app.selling.server.support import LogOf

HIDDEN = "…"
NEWEST = 300
"""Lines that a screen shows."""
_READ = 512 * 1024
"""Bytes of the end of each log."""
_CHECK_SECONDS = 120.0
_LEFT_OUT = ("data", "platform_server")
"""These settings are left out: a hosted platform has passwords in its addresses."""
_FILES = {
    LogOf.TILL: ("till.log",),
    LogOf.SERVER: ("server.log", "service.log"),
    LogOf.SYNC: ("sync.log",),
}
_LINE = re.compile(r"(\d{4}-\d\d-\d\d |\{)")
_WARNING = re.compile(r" (WARNING|ERROR|CRITICAL) |\"level\": ?\"(warning|error|critical)\"")
_SHAPES = (
    (re.compile(r"\$argon2\S+"), HIDDEN),
    (re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"), HIDDEN),
    (re.compile(r"(?<=://)[^\s/@]+@"), f"{HIDDEN}@"),
    (re.compile(r"(?i)(token|password|secret|pac|pin|pfx)(\"?\s*[=:]\s*\"?)[^\s\",;]+"),
     rf"\1\2{HIDDEN}"),
    (re.compile(r"(?<![\w.])(?=[^\s]*\d)[0-9A-Za-z+/_-]{20,}={0,2}"), HIDDEN),
    (re.compile(r"(?<!\d)\d{8,}(?!\d)"), HIDDEN),
)  # fmt: skip

_log = log.get(__name__)


class SupportHere:
    """Implements selling.server.support.Support. token: this installation's."""

    def __init__(self, data: Path, *, token: str, clock: Clock) -> None:
        self._data, self._token, self._clock = data, token, clock

    # --- the log ---------------------------------------------------------------------------------

    def log_lines(self, of: LogOf, *, warnings: bool) -> Sequence[str]:
        text_lines = self._masked(self._log(of)).splitlines()
        if warnings:
            text_lines = list(_warnings(text_lines))
        return text_lines[-NEWEST:]

    def _log(self, of: LogOf) -> str:
        """Return the end of the log that was written last; "" where there is none."""
        found = [self._data / "logs" / name for name in _FILES[of]]
        with suppress(OSError):
            there = [one for one in found if one.is_file()]
            if there:
                newest = max(there, key=lambda file: file.stat().st_mtime)
                return _end_of(newest)
        return ""

    # --- the bundle ------------------------------------------------------------------------------

    def write_bundle(
        self,
        folder: Path,
        *,
        settings: Mapping[str, object],
        findings: Sequence[str],
        progress: Callable[[int, int], None],
    ) -> Path:
        parts: dict[str, Callable[[], str]] = {
            "versions.txt": _versions,
            "self-test.txt": lambda: "\n".join(findings),
            "settings.json": lambda: self._settings(settings),
            **{f"logs/{one}.log": partial(self._log, one) for one in LogOf},
            "files.txt": self._files,
            "check.txt": self._check,
        }
        now = in_belgrade(self._clock.now())
        whole = folder / f"pos-app-{now:%Y-%m-%d-%H%M%S}.zip"
        draft = folder / f".{whole.name}.{secrets.token_hex(4)}"
        try:
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with (
                os.fdopen(file, "wb") as out,
                zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle,
            ):
                for number, (name, part) in enumerate(parts.items()):
                    progress(number, len(parts))
                    text = part() if name.endswith(".json") else self._masked(part())
                    bundle.writestr(name, text + "\n")
            draft.replace(whole)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise DataFolderNotWritable.of(folder, error) from error
        progress(len(parts), len(parts))
        _log.info("a bundle for support was written")
        return whole

    def _files(self) -> str:
        """List the files in the data folder with size and time, without content."""
        rows = []
        for path in sorted(self._data.rglob("*")):
            with suppress(OSError):
                if path.is_file():
                    about = path.stat()
                    when = f"{datetime.fromtimestamp(about.st_mtime, UTC):%Y-%m-%d %H:%M:%S}"
                    name = path.relative_to(self._data).as_posix()
                    rows.append(f"{about.st_size / 1024:>14,.1f} KiB {when} {name}")
        return "\n".join(rows)

    def _check(self) -> str:
        """Run `pos-app check` in a process of its own, which only reads, and return its output."""
        command = (*installed.command(), "check", "--data", str(self._data))
        try:
            installed.check_own()
        except MachineError as error:
            return error.what
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=_CHECK_SECONDS,
                check=False,
                encoding="utf-8",
                errors="replace",
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"It did not answer: {type(error).__name__}."
        return f"{done.stdout}\n{done.stderr}\nended with {done.returncode}"

    # --- what support may not see ----------------------------------------------------------------

    def _settings(self, settings: Mapping[str, object]) -> str:
        """Return the settings as JSON; each text is masked alone, so that the result stays JSON."""
        kept = {name: value for name, value in settings.items() if name not in _LEFT_OUT}
        return json.dumps(self._masked_in(kept), ensure_ascii=False, indent=1)

    def _masked_in(self, content: object) -> object:
        match content:
            case str():
                return self._masked(content)
            case list():
                return [self._masked_in(one) for one in content]
            case dict():
                return {name: self._masked_in(value) for name, value in content.items()}
        return content

    def _masked(self, text: str) -> str:
        for known in self._known():
            text = text.replace(known, HIDDEN)
        for shape, instead in _SHAPES:
            text = shape.sub(instead, text)
        return text

    def _known(self) -> Iterator[str]:
        """Iterate over the secrets that are not sealed, the longest first."""
        from pos_app.adapters.secrets.names import KNOWN, variable_of  # noqa: PLC0415 - rarely
        from pos_app.adapters.secrets.plain_file import plain_secrets  # noqa: PLC0415 - needed

        try:
            plain = plain_secrets(self._data)
        except PosError:
            plain = {}
        given = [os.environ.get(variable_of(name), "") for name in KNOWN]
        found = {self._token, *plain.values(), *given}
        yield from sorted((one for one in found if len(one) > 3), key=len, reverse=True)


def _end_of(path: Path) -> str:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _READ))
        text = file.read().decode("utf-8", "replace")
    return text if size <= _READ else text.partition("\n")[2]


def _warnings(text_lines: Sequence[str]) -> Iterator[str]:
    """Iterate over warnings and errors, with the lines of their traces."""
    is_wanted = False
    for text_line in text_lines:
        if _LINE.match(text_line):
            is_wanted = _WARNING.search(text_line) is not None
        if is_wanted:
            yield text_line


def _versions() -> str:
    return "\n".join(
        (
            f"pos-app {__version__}",
            f"Python {platform.python_version()}",
            f"{platform.system()} {platform.release()} {platform.version()} {platform.machine()}",
            f"installed: {installed.launchers() is not None}",
        )
    )
