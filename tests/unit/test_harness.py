"""The harness itself: faults that it must catch really fail."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.sweep import sampled

ROOT = Path(__file__).parents[2]

PLAIN = """
    import asyncio
    import pytest

    async def forever():
        await asyncio.Event().wait()

    async def test_quiet():
        assert await asyncio.wait_for(asyncio.sleep(0, "done"), 1) == "done"

    async def test_wrong_result():
        assert await asyncio.sleep(0, 1) == 2

    async def test_leaks_a_task():
        global kept
        kept = asyncio.create_task(forever(), name="leaked one")

    async def test_leaves_an_error_unseen():
        async def fails():
            raise ValueError("overlooked")
        asyncio.create_task(fails())
        await asyncio.sleep(0)

    async def test_callback_fails():
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0)

    @pytest.mark.deadline(0.05)
    async def test_never_ends():
        await forever()

    async def test_warns():
        import warnings
        warnings.warn("old", DeprecationWarning)

    def test_leaves_a_file_open(folder):
        (folder / "a").write_text("a")
        open(folder / "a")
"""

GUI = r"""
    import asyncio
    import logging
    import pytest
    from PySide6.QtCore import QTimer, qWarning
    from PySide6.QtWidgets import QApplication, QLabel

    loops = []

    async def test_a_step_within_a_step_waits():
        done = []

        async def other():
            await asyncio.sleep(0)
            done.append(True)

        task = asyncio.create_task(other())
        QApplication.processEvents()
        assert not done
        await asyncio.wait_for(task, 1)

    def test_a_step_has_its_loop_without_a_coroutine():
        told = []

        async def other():
            told.append(asyncio.get_running_loop())

        task = asyncio.get_event_loop().create_task(other())
        while not task.done():
            QApplication.processEvents()
        assert told

    async def test_quiet():
        loops.append(asyncio.get_running_loop())
        fired = asyncio.Event()
        QTimer.singleShot(0, fired.set)
        await fired.wait()
        label = QLabel("Каса")
        label.show()
        label.close()

    async def test_same_loop_and_platform():
        assert asyncio.get_running_loop() is loops[0]
        assert "_QEventLoop" in {one.__name__ for one in type(loops[0]).__mro__}
        assert QApplication.platformName() == "offscreen"

    async def test_qt_warns():
        qWarning("something is wrong in Qt")

    async def test_leaks_a_task():
        global kept
        kept = asyncio.create_task(asyncio.Event().wait(), name="leaked one")

    async def test_slot_fails():
        QTimer.singleShot(0, lambda: 1 / 0)
        await asyncio.sleep(0.05)

    async def test_a_coroutine_is_never_awaited():
        asyncio.sleep(0)

    def test_an_end_fails(qapp):
        class Ends:
            def __del__(self):
                raise ValueError("at its end")
        Ends()

    async def test_a_bug_is_logged():
        logging.getLogger("pos_app.cashier").error("a bug", exc_info=ValueError("x"))

    @pytest.mark.logs_error(r"cashier: till\.db can't be (read|written)")
    async def test_a_fault_on_purpose():
        logging.getLogger("pos_app.cashier").error("till.db can't be read")

    @pytest.mark.logs_error("can't be read")
    async def test_another_fault_than_on_purpose():
        logging.getLogger("pos_app.cashier").error("till.db can't be read")
        logging.getLogger("pos_app.cashier").error("a bug")

    @pytest.mark.logs_error("can't be read")
    async def test_no_fault_though_one_is_named():
        logging.getLogger("pos_app.cashier").warning("till.db can't be read")

    async def test_after_all_that():
        assert asyncio.get_running_loop() is loops[0]
        await asyncio.sleep(0)
"""


HOUSE = (
    "pyproject.toml", "tests/conftest.py", "tests/proofs.py", "tests/compiled.py",
    "tests/e2e/nursery.py", "tests/gui_loop.py", "tests/gui/house.py", "tests/gui/taps.py",
)  # fmt: skip


def outcomes(pytester: pytest.Pytester, *, path: str, source: str, workers: int) -> dict[str, str]:
    """Run `source` as a test file of a project like ours: name of a test -> PASSED or FAILED."""
    for name in HOUSE:
        target = pytester.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (pytester.path / "tests/gui/house.py").rename(pytester.path / "tests/gui/conftest.py")
    file = pytester.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source.replace("\n    ", "\n"), encoding="utf-8")
    arguments = ("-rA", "-p", "no:cacheprovider", "-n", str(workers), path)
    result = pytester.runpytest_subprocess(*arguments, timeout=120)
    summary = re.compile(r"(PASSED|FAILED|ERROR) \S+::(\w+)")
    lines = filter(None, map(summary.match, result.outlines))
    return {line[2]: line[1] for line in lines}


def test_noise_fails_a_coroutine_test(pytester: pytest.Pytester) -> None:
    found = outcomes(pytester, path="tests/unit/test_inner.py", source=PLAIN, workers=0)
    assert found == {
        "test_quiet": "PASSED", "test_wrong_result": "FAILED", "test_leaks_a_task": "FAILED",
        "test_leaves_an_error_unseen": "FAILED", "test_callback_fails": "FAILED",
        "test_never_ends": "FAILED", "test_warns": "FAILED", "test_leaves_a_file_open": "FAILED",
    }  # fmt: skip


@pytest.mark.parametrize("workers", sampled([1, 0]))
def test_noise_fails_a_window_test(pytester: pytest.Pytester, workers: int) -> None:
    found = outcomes(pytester, path="tests/gui/test_inner.py", source=GUI, workers=workers)
    assert found == {
        "test_a_step_within_a_step_waits": "PASSED",
        "test_a_step_has_its_loop_without_a_coroutine": "PASSED",
        "test_quiet": "PASSED",
        "test_same_loop_and_platform": "PASSED",
        "test_qt_warns": "FAILED",
        "test_leaks_a_task": "FAILED",
        "test_slot_fails": "FAILED",
        "test_a_coroutine_is_never_awaited": "FAILED",
        "test_an_end_fails": "FAILED",
        "test_a_bug_is_logged": "ERROR",
        "test_a_fault_on_purpose": "PASSED",
        "test_another_fault_than_on_purpose": "ERROR",
        "test_no_fault_though_one_is_named": "ERROR",
        "test_after_all_that": "PASSED",
    }


def test_no_setting_of_the_developer_is_seen(folder: Path) -> None:
    seen = [name for name in os.environ if name.startswith("POS_APP_")]
    assert [name for name in seen if not name.startswith("POS_APP_TEST_")] == []
    assert list(folder.iterdir()) == []
