"""A job that a person wants printed or sent once more stays in Attention until its end is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtWidgets import QLabel

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.attention.test_attention import buttons_of_case
from tests.gui.parts import lines_of
from tests.sweep import sampled

PRINTS = "Рачун 8654 се штампа поново 12.896,50"
WAITS = "Рачун 8654 чека штампу 12.896,50"


def shown(care: Caring) -> str:
    return " ".join(one.text() for one in care.window.findChildren(QLabel) if one.isVisible())


async def repeated(care: Caring, number: int, button: str) -> DeliveryJob:
    """Show one job, and tap the button that repeats it."""
    job = cases.not_printed(care.shop)[number]
    await cases.undelivered(care.shop, job)
    await care.opened()
    care.tap(button)
    await care.until(lambda: care.shop.doubts.told)
    return job


@pytest.mark.parametrize(
    ("number", "button", "title", "row"),
    [
        (2, "Одштампај поново", "Штампа се поново", PRINTS),
        (1, "Пошаљи поново", "Шаље се поново", "Рачун 8652 се шаље поново 310,00"),
    ],
    ids=["paper", "mail"],
)
async def test_it_is_told_as_being_done_and_nothing_says_that_all_is_well(
    care: Caring, number: int, button: str, title: str, row: str
) -> None:
    await repeated(care, number, button)
    await care.until(lambda: care.rows() == [row])
    for _ in range(2):  # the server does not report the job while it tries
        await cases.undelivered(care.shop)
        await care.refreshed()
        assert care.rows() == [row]
        assert title in shown(care)
        assert "Све је у реду" not in shown(care)
        assert not any("све је у реду" in line for line in lines_of(care.screen))
        assert buttons_of_case(care) == []
        assert care.waiting() == 0  # no bell rings for it


async def test_once_it_came_out_that_is_said_and_all_is_well(care: Caring) -> None:
    job = await repeated(care, 2, "Одштампај поново")
    await cases.undelivered(care.shop)
    care.shop.doubts.ends_of_jobs[job.id] = JobState.DONE
    await care.refreshed()
    await care.until(lambda: not care.rows())
    assert "Све је у реду" in shown(care)
    assert "Рачун ABCD1234-ABCD1234-8654 је одштампан." in shown(care)
    assert "Данас решено 1" in shown(care)
    care.tap("Прикажи решено")
    assert any("8654 је одштампан" in row for row in care.rows())


async def test_once_it_was_dropped_nobody_is_told_that_it_came_out(care: Caring) -> None:
    job = await repeated(care, 1, "Пошаљи поново")
    await cases.undelivered(care.shop)
    care.shop.doubts.ends_of_jobs[job.id] = JobState.DROPPED
    await care.refreshed()
    await care.until(lambda: not care.rows())
    assert "је послат" not in shown(care)
    assert "Данас решено 0" in shown(care)


@pytest.mark.parametrize("state", sampled([JobState.WAITING, JobState.FAILED, JobState.UNPROVEN]))
async def test_one_that_fails_again_has_its_row_and_its_answers_again(
    care: Caring, state: JobState
) -> None:
    job = await repeated(care, 2, "Одштампај поново")
    await care.until(lambda: care.rows() == [PRINTS])
    later = job.changed_at + timedelta(seconds=5)
    await cases.undelivered(care.shop, replace(job, state=state, changed_at=later))
    await care.refreshed()
    assert len(care.rows()) == 1
    assert care.rows() != [PRINTS]
    assert "Одштампај поново" in buttons_of_case(care)
    await cases.undelivered(care.shop)  # somebody answered it elsewhere meanwhile
    await care.refreshed()
    assert care.rows() == []


async def test_a_server_that_goes_away_meanwhile_denies_nothing(care: Caring) -> None:
    await repeated(care, 2, "Одштампај поново")
    care.shop.server.running = False
    await cases.settle(care.shop)
    await care.refreshed()
    assert PRINTS in care.rows()
