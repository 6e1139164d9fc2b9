"""/docs: the viewer that comes with the product; a browser may do nothing else there."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.platform_api.hosted import DatabasePlace, hosted
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly


async def test_the_page_and_its_parts_come_from_here(file_database: DatabasePlace) -> None:
    async with (
        hosted(file_database) as platform,
        httpx.AsyncClient(
            transport=platform.transport, base_url="http://platform.example"
        ) as anybody,
    ):
        page = await anybody.get("/docs")
        assert page.headers["content-type"].startswith("text/html")
        assert (await anybody.get("/docs/")).content == page.content
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "http" not in policy
        named = re.findall(r'(?:src|href)="(/[^"]*)"', page.text)
        assert len(named) == 3
        parts = [await anybody.get(path) for path in named]
        for part in parts:
            assert part.status_code == 200
            assert part.headers["x-content-type-options"] == "nosniff"
        assert "persistAuthorization: false" in parts[-1].text
        for path in ("/docs/LICENSE", "/docs/..%2ftexts%2fsr.po", "/docs/a/b"):
            assert (await anybody.get(path)).status_code == 404


class Page:
    """A tab of a browser, controlled by the DevTools protocol."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.told: list[dict[str, Any]] = []
        """The tab's own messages: requests, log entries."""

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        call = {"id": self._number, "method": method, "params": parameters}
        await self._socket.send(json.dumps(call))
        while True:
            answer: dict[str, Any] = json.loads(await self._socket.recv())
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.told.append(answer)

    async def value(self, script: str) -> Any:
        found = await self.send("Runtime.evaluate", expression=script, returnByValue=True)
        return found["result"].get("value")

    async def until(self, script: str) -> None:
        """Return when the script is true in the page."""
        look = f"(function look() {{ ({script}) ? done() : setTimeout(look, 50) }})()"
        wait = f"new Promise(done => {{ {look} }})"
        async with asyncio.timeout(30):
            await self.send("Runtime.evaluate", expression=wait, awaitPromise=True)

    async def load(self, method: str, **parameters: Any) -> None:
        """Send a command that loads a page, and return when the page is there."""
        await self.send(method, **parameters)
        async with asyncio.timeout(30):
            while self.told[-1:] == [] or self.told[-1].get("method") != "Page.loadEventFired":
                self.told.append(json.loads(await self._socket.recv()))

    async def click(self, selector: str) -> None:
        await self.until(f"!!document.querySelector({selector!r})")
        await self.value(f"document.querySelector({selector!r}).click()")

    async def write(self, selector: str, text: str) -> None:
        await self.until(f"!!document.querySelector({selector!r})")
        await self.value(f"document.querySelector({selector!r}).focus()")
        await self.send("Input.insertText", text=text)


@asynccontextmanager
async def browser(program: str) -> AsyncIterator[Page]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        child = await asyncio.create_subprocess_exec(
            program,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            assert child.stderr is not None
            line = ""
            async with asyncio.timeout(30):
                while "DevTools listening on ws://" not in line:
                    line = (await child.stderr.readline()).decode()
            at = f"http://{line.split('/')[2]}/json"
            async with httpx.AsyncClient(trust_env=False) as client:
                tabs = (await client.get(at)).json()
            (url,) = [tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page"]
            async with connect(url, max_size=None, proxy=None) as socket:
                yield Page(socket)
        finally:
            child.terminate()
            await child.wait()


@pytest.mark.long
async def test_a_person_tries_a_request_in_a_browser(folder: Path) -> None:
    """The person types the key in; it is gone when the page is opened again."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not here; Debian has it in chromium")
    key, secret = await asyncio.to_thread(key_of_new_account, folder)
    with serving_quietly(folder) as address:
        async with browser(program) as page:
            for part in ("Page", "Log", "Network"):
                await page.send(f"{part}.enable")
            await page.load("Page.navigate", url=f"{address}/docs")
            await page.click(".btn.authorize")
            await page.write("#auth-basic-username", key)
            await page.write("#auth-basic-password", secret)
            await page.click(".dialog-ux .modal-btn.authorize")
            await page.click(".dialog-ux .btn-done")
            add = "#operations-Stores-addStore"
            await page.click(f"{add} .opblock-summary-control")
            await page.click(f"{add} .try-out__btn")
            await page.click(f"{add} .execute")
            cell = f"{add} .live-responses-table tr.response .response-col_status"
            shown = f"document.querySelector('{cell}')"
            await page.until(f"{shown} && {shown}.innerText.startsWith('201')")
            assert await page.value("localStorage.length + document.cookie.length") == 0
            await page.load("Page.reload")
            await page.until("!!document.querySelector('.btn.authorize.unlocked')")
            asked = [
                each["params"]["request"]["url"]
                for each in page.told
                if each.get("method") == "Network.requestWillBeSent"
            ]
            faults = [
                each["params"]["entry"]
                for each in page.told
                if each.get("method") == "Log.entryAdded"
                and each["params"]["entry"]["level"] in {"error", "warning"}
            ]
        async with httpx.AsyncClient(auth=(key, secret), trust_env=False) as client:
            assert len((await client.get(f"{address}/v2/stores")).json()) == 1
    assert faults == []
    assert len(asked) > 6
    assert all(url.startswith((address, "data:")) for url in asked)


@asynccontextmanager
async def page_of_another() -> AsyncIterator[str]:
    """Serve an empty page at another port of this host; yield its address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n"
        writer.write(head + b"Connection: close\r\n\r\npage")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.long
async def test_a_page_of_another_port_can_use_no_key_that_a_browser_kept(folder: Path) -> None:
    """The key is in the address that a person opens, and so is the browser's to keep."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not here; Debian has it in chromium")
    key, secret = await asyncio.to_thread(key_of_new_account, folder)
    with serving_quietly(folder) as address:
        async with browser(program) as page, page_of_another() as other:
            await page.send("Page.enable")
            held = address.replace("://", f"://{key}:{secret}@")
            await page.load("Page.navigate", url=f"{held}/v2/stores")
            opened = await page.value("document.body.innerText")
            await page.load("Page.navigate", url=other)
            where = json.dumps(f"{address}/v2/keys/{key}/rotate")
            rotate = f"fetch({where}, {{method: 'POST', mode: 'no-cors', credentials: 'include'}})"
            await page.value(f"{rotate}.finally(() => {{ window.asked = true }})")
            await page.until("window.asked")
            socket = json.dumps(f"ws{address.removeprefix('http')}/v2/relay")
            opening = f"const line = new WebSocket({socket})"
            tells = "line.onopen = line.onerror = event => { window.is = event.type }"
            await page.value(f"{opening}; {tells}")
            await page.until("window.is")
            line = await page.value("window.is")
        async with httpx.AsyncClient(auth=(key, secret), trust_env=False) as client:
            keys = (await client.get(f"{address}/v2/keys")).json()
    assert ([one["id"] for one in keys], line) == ([key], "error"), opened
    assert "UnauthorizedError" in opened
