"""The file `first-start.json` in a data folder: how far the first start of its till has come."""

from __future__ import annotations

import json
from pathlib import Path

from pos_app import log
from pos_app.adapters.data_folder import CATALOGUE, DEMO
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.errors import DataFolderNotWritable
from pos_app.selling.first_start import FirstStart, FirstStep, ShopChoice

NAME = "first-start.json"
_OF_A_SHOP = (Path("install.json"), CATALOGUE)

_log = log.get(__name__)


class FirstStartFile:
    def __init__(self, data: Path) -> None:
        self._data = data

    @property
    def demo(self) -> Path:
        return self._data / DEMO

    def begin(self) -> None:
        """Begin a folder's first start, before a till opens. Raises DataFolderNotWritable."""
        if not (self._data / NAME).exists() and not self._has_shop():
            self.save(FirstStart())

    def _has_shop(self) -> bool:
        return any((self._data / one).exists() for one in _OF_A_SHOP)

    def read(self) -> FirstStart:
        """Read the file. The first start is over where there is no file, because the shop was there
        before, and where the file can't be read, because nothing may keep a shop from selling."""
        try:
            document = json.loads((self._data / NAME).read_bytes())
            choice = document["choice"]
            return FirstStart(
                choice=None if choice is None else ShopChoice(choice),
                step=FirstStep(document["step"]),
                answers={str(name): str(text) for name, text in document["typed"].items()},
                is_over=bool(document["is_over"]),
            )
        except FileNotFoundError:
            return FirstStart(is_over=True)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _log.warning("%s can't be read: %s", self._data / NAME, error)
            return FirstStart(is_over=True)

    def save(self, start: FirstStart) -> None:
        members = {
            "choice": start.choice,
            "step": start.step,
            "typed": dict(start.answers),
            "is_over": start.is_over,
        }
        try:
            self._data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataFolderNotWritable.of(self._data, error) from error
        write_private(self._data / NAME, json.dumps(members, ensure_ascii=False).encode())


def shops_in(data: Path) -> tuple[Path, ...]:
    """Return the data folder, and that of its demo shop where there is one."""
    demo = data / DEMO
    return (data, demo) if (demo / "install.json").exists() else (data,)
