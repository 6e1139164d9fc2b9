"""The order of turns: half-done pairs, then tills, then all others; within a rank the first to
come."""

from __future__ import annotations

import asyncio

from pos_app.fiscalization.lane.lane_queue import LaneQueue, Rank


async def test_a_till_goes_before_sixty_that_wait() -> None:
    queue, order = LaneQueue(), list[str]()

    async def come(name: str, rank: Rank) -> None:
        async with queue.turn(rank):
            order.append(name)

    await queue.take(Rank.USUAL)
    waiting = [asyncio.create_task(come(f"other {n}", Rank.USUAL)) for n in range(60)]
    await asyncio.sleep(0)
    waiting.append(asyncio.create_task(come("till 1", Rank.TILL)))
    waiting.append(asyncio.create_task(come("till 2", Rank.TILL)))
    waiting.append(asyncio.create_task(come("pair", Rank.HALF_DONE)))
    await asyncio.sleep(0)
    queue.release()
    await asyncio.gather(*waiting)
    assert order == ["pair", "till 1", "till 2", *(f"other {n}" for n in range(60))]


async def test_who_leaves_hands_the_turn_on() -> None:
    queue = LaneQueue()
    await queue.take(Rank.USUAL)
    leaves = asyncio.create_task(queue.take(Rank.TILL))
    stays = asyncio.create_task(queue.take(Rank.USUAL))
    await asyncio.sleep(0)
    queue.release()  # the waiter is given the turn, and is cancelled before it takes it
    leaves.cancel()
    await asyncio.gather(leaves, return_exceptions=True)
    await asyncio.wait_for(stays, 1.0)
    queue.release()
    await asyncio.wait_for(queue.take(Rank.USUAL), 1.0)
