"""A slow request keeps no other caller waiting: the worker's loop goes on meanwhile."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
import pytest

from pos_app.platform_api.files.resource import MOST_OF_ONE
from pos_app.wire import relay
from tests.integration.platform_api.hosted import BREAD, Place
from tests.integration.platform_api.pictures import picture
from tests.integration.platform_api.relayed import ISSUE, line_to, sale, shop, worker
from tests.sweep import sampled

pytestmark = pytest.mark.alone
MOST_SECONDS = 0.4
"""The processor time that one turn of the loop may take; the requests here took up to 159 s."""
KB = 1024
LARGE = 975 * KB


@dataclass
class Held:
    """The longest time, in seconds of its processor, that the loop gave no other task a turn."""

    most: float = 0.0


@asynccontextmanager
async def watched() -> AsyncIterator[Held]:
    held, last = Held(), time.thread_time()

    async def watch() -> None:
        nonlocal last
        while True:
            await asyncio.sleep(0.002)
            now = time.thread_time()
            held.most, last = max(held.most, now - last), now

    task = asyncio.create_task(watch())
    try:
        yield held
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def described(unit: str, length: int, **members: object) -> bytes:
    return _json(BREAD | {"description": unit * (length // len(unit))} | members)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def fonts(length: int) -> str:
    return "".join(f"<p><font color={number}></p>" for number in range(length // 26))


VARIANTS = [BREAD | {"description": f"<ul><li>{n}</ul>" * 90} for n in range(500)]
PRODUCTS: dict[str, tuple[Callable[[], bytes], int, str]] = {
    # `make test` tries the first ones.
    "nested tags": (lambda: described("<div>", LARGE), 400, "description"),
    "64 KB of nested tags": (lambda: described("<div>", 64 * KB), 400, "description"),
    "fonts that are open": (lambda: described(fonts(64 * KB), 64 * KB), 400, "description"),
    "walls": (lambda: described("<div><table></div></table>", 64 * KB), 400, "description"),
    "svg": (lambda: described("<svg><td>", 64 * KB), 400, "description"),
    "many small tags": (lambda: described("<p><b>a</b></p>", 64 * KB), 201, ""),
    "signs": (lambda: described("<", 64 * KB), 201, ""),
    "fifteen of 64 KB": (
        lambda: _json(BREAD | {"variants": [BREAD | {"description": "<i>a</i>" * 8000}] * 15}),
        201,
        "",
    ),
    "500 variants": (lambda: _json(BREAD | {"variants": VARIANTS}), 201, ""),
    "empty objects": (lambda: _json(BREAD | {"ean": [{}] * (LARGE // 4)}), 400, "ean"),
    "numbers": (lambda: _json(BREAD | {"ean": [0.5] * (LARGE // 5)}), 400, "ean"),
    "depth": (lambda: _json([[[[[[[[[[[]]]]]]]]]]] * (LARGE // 24)), 400, ""),
    "too deep": (lambda: b"[" * LARGE, 400, ""),
    "blanks": (lambda: b" " * LARGE + b"{", 400, ""),
    "dimensions": (lambda: _json(BREAD | {"dimensions": "1" * LARGE}), 400, "dimensions"),
    "an instant": (lambda: _json(BREAD | {"createdAt": "x" * LARGE}), 400, "createdAt"),
    "an EAN": (lambda: _json(BREAD | {"ean": " 1" * (LARGE // 2)}), 400, "ean"),
    "half surrogates": (lambda: b'{"name": "' + b"\\ud800" * (LARGE // 6) + b'"}', 400, ""),
}


@pytest.mark.parametrize("name", sampled(PRODUCTS, 2))
async def test_a_product_keeps_nobody_waiting(file_database: Place, name: str) -> None:
    make, status, key = PRODUCTS[name]
    body, headers = make(), {"Content-Type": "application/json"}
    assert len(body) <= KB * KB
    async with worker(file_database) as at, at.caller() as caller:
        kept = (await caller.post("/products", json=BREAD)).json()["id"]
        for method, path in (("POST", "/products"), ("PATCH", f"/products/{kept}")):
            async with watched() as held:
                answer = await caller.request(method, path, content=body, headers=headers)
            assert answer.status_code == (200 if status == 201 and method == "PATCH" else status)
            if key:
                (wrong,) = answer.json()["validation"].values()
                assert key in wrong["keys"][0]
            assert held.most < MOST_SECONDS, (method, held)


async def test_a_receipt_keeps_nobody_waiting(file_database: Place) -> None:
    async with shop(file_database) as (_, till, caller):
        body = _json(sale(till.client, more=[{}] * (LARGE // 4)))
        headers = {"Content-Type": "application/json"}
        async with watched() as held:
            asking = asyncio.create_task(caller.post(ISSUE, content=body, headers=headers))
            await till.answer_text(await till.command(), '{"pdf": [' + "[[]]," * 150_000 + "0]}")
            assert (await asking).status_code == 200
        assert held.most < MOST_SECONDS, held


async def test_what_an_application_says_keeps_nobody_waiting(file_database: Place) -> None:
    frame = '{"type": "hello", "more": [' + "{}," * (KB * KB) + "0]}"
    async with worker(file_database) as at, line_to(at) as line:
        async with watched() as held:
            await line.send(frame)
            told = relay.from_platform(await asyncio.wait_for(line.recv(), 30))
        assert isinstance(told, relay.RefusedMessage)
        assert held.most < MOST_SECONDS, held


@pytest.mark.parametrize("form", sampled([True, False]))
async def test_a_picture_keeps_nobody_waiting(file_database: Place, form: bool) -> None:
    content = b"\r\n--" * (5 * KB * KB - 100)
    async with worker(file_database) as at, at.caller() as caller:
        for sent, status in ((content, 400), (picture("PNG", size=(2500, 2500)), 201)):
            async with watched() as held:
                answer = await _uploaded(caller, sent, form=form)
            assert answer.status_code == status, answer.text
            assert held.most < MOST_SECONDS, held


async def _uploaded(caller: httpx.AsyncClient, content: bytes, *, form: bool) -> httpx.Response:
    if form:
        return await caller.post("/files", files={"file": ("a.png", content, "image/png")})
    return await caller.post("/files", content=content, headers={"Content-Type": "image/png"})


@pytest.mark.parametrize("what", sampled(["pictures", "products"]))
async def test_an_account_waits_not_behind_another(file_database: Place, what: str) -> None:
    """Large bodies or pictures of one account wait for each other."""
    variants = [BREAD | {"description": f"<i>{n}</i>" * 2000} for n in range(5)]
    body = _json(BREAD | {"variants": variants})
    answered, begun = list[int](), asyncio.Event()
    many = 20 if what == "products" else MOST_OF_ONE

    async def ask(caller: httpx.AsyncClient, number: int) -> None:
        if what == "products":
            headers = {"Content-Type": "application/json"}
            answer = await caller.post("/products", content=body, headers=headers)
        else:
            sent = picture("PNG", size=(1500, 1500 + number))
            answer = await _uploaded(caller, sent, form=False)
        assert answer.is_success
        answered.append(number)
        begun.set()

    async with (
        worker(file_database) as at,
        at.caller() as caller,
        at.caller(await at.another_account()) as other,
    ):
        caller.timeout = other.timeout = httpx.Timeout(None)
        tasks = [asyncio.create_task(ask(caller, number)) for number in range(many)]
        await begun.wait()  # all of them have arrived
        before = len(answered)
        await ask(other, many)
        meanwhile = len(answered) - before - 1
        await asyncio.gather(*tasks)
        assert meanwhile < many / 2, meanwhile  # usually 3 and 2; without turns nearly all of them
