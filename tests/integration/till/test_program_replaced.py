"""A package exchanges the files of a program that is open, as on Debian: by real processes from an
unpacked tree of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.test_server_program import demo_shop, run

ROOT = Path(__file__).parents[3]
SAID = "Another version of the program was installed while this till is open."

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no open file is exchanged there")

EXCHANGE = """
import sys
from pathlib import Path
import pos_app

def exchange():
    product = Path(pos_app.__file__).parent
    text = (product / "__init__.py").read_text("utf-8")
    new = product / "__init__.py.dpkg-new"
    new.write_text(text.replace(pos_app.__version__, "99.0.0"), "utf-8")
    new.replace(product / "__init__.py")
    (product / "bootstrap/till/report_export.py").unlink()
"""

STARTS_CHILDREN = (
    EXCHANGE
    + """
import asyncio, time
from pos_app import installed
from pos_app.adapters.backup.process import BackupProcess, DailyBackup
from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.server_process.process import ServerChild
from pos_app.adapters.sound.tones import TonePlayer
from pos_app.adapters.sync_process import SyncProcess
from pos_app.errors import MachineError

data = Path(sys.argv[1])
installed.note_files()

def told(work):
    while (result := work.result()) is None:
        time.sleep(0.02)
    return result

print("before", type(told(BackupProcess(data).begin())).__name__)
tones = TonePlayer(command=[sys.executable, "-c", "input()"], restarts=[0])
tones.ready.wait(10)
exchange()
tones.play("item")
tones._keeper.join(30)
print("tones", "end" if not tones._keeper.is_alive() else "are played by another version")
tones.close()
files = CatalogueProcess(data)
works = {
    "backup": BackupProcess(data).begin(),
    "photos": files.take_photos([], product_id="1", by="me"),
    "bulk": files.delete([], by="me"),
    "carry on": files.carry_on(),
}
for name, work in works.items():
    print(name, told(work).what)
    work.stop()
    work.close()
print("daily", asyncio.run(DailyBackup(data).make()))
try:
    ServerChild(data=data, port=0)
except MachineError as error:
    print("server", error.what)
"""
)

OPENS_ANEW = (
    EXCHANGE
    + """
from PySide6.QtCore import QTimer
from pos_app.__main__ import main

if pos_app.__version__ == "99.0.0":
    print("opened anew", sys.argv[1:], flush=True)
    sys.exit(0)

from pos_app.bootstrap.till import till

till.LOOK_SECONDS = 0.2
run = till.TillProgram.run

def begin(window):
    exchange()
    ticking.timeout.connect(lambda: look(window))
    ticking.start(100)

def look(window):
    program = window.services.program
    if program.is_replaced:
        ticking.stop()
        print("told", flush=True)
        program.reopen()

def run_and_exchange(self, **more):
    global ticking
    ticking = QTimer()
    return run(self, on_ready=begin)

till.TillProgram.run = run_and_exchange
sys.exit(main())
"""
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    lib = tmp_path / "usr/lib/pos-app"
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "pos_app", lib / "pos_app", ignore=left_out)
    shutil.copytree(ROOT / "resources", lib / "pos_app/resources", ignore=left_out)
    return lib


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return demo_shop(tmp_path / "shop", has_own_port=True)


def driven(tree: Path, script: str, *words: str) -> list[str]:
    driver = tree.parent / "driver.py"
    driver.write_text(script, "utf-8")
    told = subprocess.run(
        [sys.executable, str(driver), *words],
        env=os.environ | {"PYTHONPATH": str(tree), "QT_QPA_PLATFORM": "offscreen"},
        cwd=tree.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def test_no_process_of_another_version_is_started(tree: Path, shop: Path) -> None:
    before, *after = driven(tree, STARTS_CHILDREN, str(shop))
    assert before == "before FileDone"
    assert after == [
        "tones end",
        *(f"{name} {SAID}" for name in ("backup", "photos", "bulk", "carry on")),
        "daily False",
        f"server {SAID}",
    ]


def test_the_till_knows_and_the_installed_program_opens(tree: Path, shop: Path) -> None:
    words = ("till", "--data", str(shop))
    assert driven(tree, OPENS_ANEW, *words) == ["told", f"opened anew {list(words)}"]
    log = (shop / "logs/till.log").read_text("utf-8")
    assert "the files of this program were exchanged" in log
    assert "the till ends" in log
    assert run("check", "--data", str(shop)).returncode == 0
