"""The harness: it runs coroutine tests, keeps one Qt loop a session, and fails noisy tests.

- `async def test_…` runs on a fresh event loop; under `tests/gui/` all of them run on one qasync
  loop over one QApplication, because Qt allows no second one.
- A task that a test leaves behind, an exception that nobody handled, a warning and a Qt message
  of level warning or above fail the test. (The last two are settings in `pyproject.toml`.)
- A coroutine that is not done in time fails and shows the line where it waits. A test that hangs
  without giving the loop a turn is ended by pytest's faulthandler, together with its worker.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import inspect
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# pytest has no public way to it; its version is locked.
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.pytester import SysModulesSnapshot

from tests.proofs import PROPERTY, Proof, kind_of

GUI_FOLDER = Path(__file__).parent / "gui"
USUAL_DEADLINE = 60.0
"""Seconds that a coroutine test may take."""
_AFTER_DEADLINE = 60.0
"""Seconds after its deadline at which a test that hangs is ended together with its worker."""

_QT_LOOP = pytest.StashKey[asyncio.AbstractEventLoop]()

# A shop's day is Belgrade's and an instant is UTC: in a zone like this one, code that takes the
# machine's local time for either is seen at once.
os.environ["TZ"] = "NoShop-13:45"
if hasattr(time, "tzset"):
    time.tzset()
# No test cuts the power of the machine itself: files of tests live in memory where there is room.
_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30
if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
os.environ["QT_QPA_PLATFORM"] = os.environ.get("POS_APP_TEST_PLATFORM", "offscreen")
os.environ.pop("QT_SCALE_FACTOR", None)
# Programs that let a till go first lower their own priority, for good. Where a test calls one of
# them, that would be the priority of all tests after it in this worker, and of their servers.
if hasattr(os, "nice"):
    os.nice = lambda increment: 0
# A shell that runs the tests in the background has them ignore Ctrl+C, and so every program that
# they start: the tests of that key would wait for nothing.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What judges a change must not depend on luck: `make test` draws the same examples each time.
# `make faults` looks for new ones, with `--hypothesis-profile=explore`.
hypothesis.settings.register_profile(
    "house", deadline=None, print_blob=True, derandomize=True, max_examples=50
)
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True)
hypothesis.settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--times", type=int, default=50, metavar="N", help="runs of each fault test (default: 50)"
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    from tests.compiled import compile_for_workers  # only where there are workers
    from tests.e2e import nursery

    compile_for_workers(config)
    os.environ[nursery.DOOR] = str(nursery.door())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collected items stay to the end: the garbage collector then need not look at them, neither
    again and again in each worker during the collection, nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that may take long begin first, so that no worker waits for one of them at the end."""
    items.sort(key=_deadline_of, reverse=True)


def _deadline_of(item: pytest.Item) -> float:
    mark = item.get_closest_marker("deadline")
    return float(mark.args[0]) if mark else USUAL_DEADLINE


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Write the counts of the tests with faults, of all workers, and print what tests told."""
    told = [
        (report.failed, *noted)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for noted in report.user_properties
    ]
    if not told:
        return
    from tests import proofs  # only where something was tried

    said = [f"{name}: {value}" for _, name, value in told if isinstance(value, str)]
    if said:
        terminalreporter.section("figures")
        for line in said:
            terminalreporter.write_line(line)
    tried = [(has_failed, value) for has_failed, name, value in told if name == proofs.PROPERTY]
    rows = proofs.summed(proofs.failed(one) if failed else one for failed, one in tried)
    is_done = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    proofs.write(rows, of_all=is_done and proofs.is_whole(config))


# --- fixtures for every room -----------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty data folder of an installation, for this test alone."""
    made = tmp_path / "data"
    made.mkdir()
    return made


@pytest.fixture
def times(pytestconfig: pytest.Config) -> int:
    """The number of times that a fault test repeats its fault: few in `make test`, many in `make
    faults`."""
    wanted: int = pytestconfig.getoption("--times")
    return wanted


@pytest.fixture
def proof(request: pytest.FixtureRequest) -> Proof:
    """The counts of a test with faults, under its own name; they are written when the run ends."""
    counted = Proof(request.node.originalname, kind_of(request.path))
    request.node.user_properties.append((PROPERTY, vars(counted)))
    return counted


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An inner run forgets the modules that it was the first to load. Those of libraries and of the
    product stay here, because a module that is loaded twice has two of each class."""
    forget = SysModulesSnapshot.restore

    def restore(snapshot: SysModulesSnapshot) -> None:
        loaded, own = dict(sys.modules), str(pytester.path)
        forget(snapshot)
        for name, module in loaded.items():
            if not str(getattr(module, "__file__", None)).startswith(own):
                sys.modules.setdefault(name, module)

    monkeypatch.setattr(SysModulesSnapshot, "restore", restore)
    return pytester


@pytest.fixture(autouse=True)
def _nobodys_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the developer's settings or writes into the developer's folders, or gets the
    umask of a program that an earlier test called."""
    os.umask(0o022)
    for name in list(os.environ):
        if name.startswith("POS_APP_") and not name.startswith("POS_APP_TEST_"):
            monkeypatch.delenv(name)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


@pytest.fixture(scope="session")
def qt_loop(qapp: Any) -> Iterator[asyncio.AbstractEventLoop]:
    """The one asyncio loop over the one QApplication of this test run."""
    from tests.gui_loop import TestLoop  # most workers never need Qt's loop

    qapp.setQuitOnLastWindowClosed(False)
    loop: asyncio.AbstractEventLoop = TestLoop(qapp)
    loop.set_debug(False)
    yield loop
    loop.close()


@pytest.fixture(autouse=True)
def _gui_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tasks that a widget starts run on Qt's loop also in a test that is no coroutine.

    Objects that wait for their deletion are deleted after the test: `processEvents` leaves them to
    a loop that no such test enters, and each change of the look would restyle all earlier windows.
    """
    if GUI_FOLDER not in request.path.parents:
        yield
        return
    loop = request.node.stash[_QT_LOOP] = request.getfixturevalue("qt_loop")
    asyncio.set_event_loop(loop)
    yield
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


# --- coroutine tests ---------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine test; leave every other test to pytest."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}
    deadline = _deadline_of(pyfuncitem)
    _put_off_the_end(pyfuncitem, deadline)
    watched = _Watched(lambda: test(**arguments), deadline=deadline)
    gui_loop = pyfuncitem.stash.get(_QT_LOOP, None)
    if gui_loop is None:
        with asyncio.Runner(debug=False) as runner:
            watched.run_on(runner.get_loop())
    else:
        watched.run_on(gui_loop)
    return True


def _put_off_the_end(item: pytest.Item, deadline: float) -> None:
    """Have pytest's faulthandler end the test only some time after its own deadline."""
    usual = float(item.config.getini("faulthandler_timeout"))
    if deadline + _AFTER_DEADLINE > usual > 0:
        stderr = item.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(deadline + _AFTER_DEADLINE, exit=True, file=stderr)


class _Watched:
    """One run of a coroutine test, which counts everything that it leaves behind."""

    def __init__(self, test: Callable[[], Coroutine[Any, Any, None]], *, deadline: float) -> None:
        self._test = test
        self._deadline = deadline
        self._overlooked: list[str] = []

    def run_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run it to its end. Fails for leaked tasks and for errors that nobody handled."""
        loop.set_exception_handler(self._note)
        try:
            leaked = loop.run_until_complete(self._run())
            gc.collect(1)  # a task that failed unseen reports it when it is collected
        finally:
            loop.set_exception_handler(None)
        faults = [f"left running: {name}" for name in leaked] + self._overlooked
        if faults:
            pytest.fail("The test was not silent.\n" + "\n".join(faults), pytrace=False)

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self._overlooked.append(f"unseen: {context['message']}: {error!r}")

    async def _run(self) -> list[str]:
        known = asyncio.all_tasks()
        task = asyncio.create_task(self._test(), name="the test")
        try:
            done, _ = await asyncio.wait({task}, timeout=self._deadline)
            if not done:
                await self._give_up(task)
            await task
        finally:
            leaked = await _end_all(asyncio.all_tasks() - known - {task})
        return leaked

    async def _give_up(self, task: asyncio.Task[None]) -> None:
        places = [f"{frame.f_code.co_filename}:{frame.f_lineno}" for frame in task.get_stack()]
        await _end_all({task})
        pytest.fail(f"Not done after {self._deadline:g} s; it waited at {places}.", pytrace=False)


async def _end_all(tasks: set[asyncio.Task[Any]]) -> list[str]:
    """Cancel the tasks that still run after one more turn of the loop; returns their names."""
    await asyncio.sleep(0)
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running, timeout=5)
    return [f"{task.get_name()} {task.get_coro()!r}" for task in running]
