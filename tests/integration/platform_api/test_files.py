"""Files over HTTP: real pictures in, six sizes out, and what is refused."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx
import pytest

from pos_app.errors import MachineError, NotFound
from pos_app.platform_api.app import create_app
from pos_app.platform_api.files.pictures import SIZES as STORED
from pos_app.platform_api.files.resource import MOST_OF_ONE, MOST_UPLOADS
from pos_app.platform_api.files.sweep import sweep
from pos_app.platform_api.picture_files import PictureFiles
from tests.fakes.object_store import BUCKET, DENIED, NO_BUCKET, SLOW_DOWN, ObjectStore, object_store
from tests.integration.platform_api import pictures
from tests.integration.platform_api.hosted import BASE, Hosted, Place, hosted, problem
from tests.integration.platform_api.pictures import picture

SIZES = ["original", "64x64", "128x128", "256x256", "512x512", "1024x1024"]


async def upload(
    platform: Hosted, content: bytes, kind: str = "image/jpeg", query: str = ""
) -> httpx.Response:
    headers = {"Content-Type": kind}
    return await platform.client.post(f"/files{query}", content=content, headers=headers)


async def shown(platform: Hosted, url: str) -> httpx.Response:
    """Return the answer to a caller that has only the address."""
    async with httpx.AsyncClient(transport=platform.transport) as anybody:
        return await anybody.get(url)


async def test_the_life_of_a_file(database: Place) -> None:
    async with hosted(database, public_url="https://p.example") as platform:
        assert (await platform.client.get("/files")).json() == []
        sent = pictures.picture("JPEG", size=(1600, 400))
        added = await upload(platform, sent, query="?filename=C:\\slike\\хлеб.jpg")
        file = added.json()
        assert added.status_code == 201
        assert (file["originalFilename"], file["mimetypeFilename"]) == ("хлеб.jpg", "image/jpeg")
        assert (file["filename"], file["private"]) == (f"{file['id']}.jpg", False)
        assert list(file["urls"]) == SIZES
        assert file["urls"]["original"] == f"https://p.example/files/{file['id']}/original"
        assert (await platform.client.get("/files")).json() == [file]
        assert (await platform.client.get(f"/files/{file['id']}")).json() == file
        again = await upload(platform, sent)
        assert (again.status_code, again.json()) == (200, file)
        other = await platform.account_of("Друга")
        for answer in (
            await other.get(f"/files/{file['id']}"),
            await other.delete(f"/files/{file['id']}"),
        ):
            assert problem(answer) == (404, 40400001, "File not found", [])
        assert (await platform.client.delete(f"/files/{file['id']}")).json() == {}
        for url in (*file["urls"].values(), f"https://p.example/v2/files/{file['id']}"):
            assert (await shown(platform, url)).status_code in {401, 404}
        assert (await platform.client.get("/files")).json() == []
        assert (await upload(platform, sent)).json()["id"] != file["id"]


async def test_what_is_no_picture_is_refused_and_says_why(file_database: Place) -> None:
    jpeg, png = pictures.picture("JPEG"), pictures.picture("PNG")
    gif = pictures.picture("GIF", mode="P")
    no_type = '"Content-Type" must be one of [image/jpeg, image/png, image/webp, image/gif]'
    no_picture = '"file" must be a JPEG, PNG, WebP or GIF picture'
    damaged = '"file" is damaged or cut off'
    wordy = '"file" has too much text in it: 1 MB a piece and 64 MB in all, unpacked, are the most'
    bomb = '"file" must have no more than 40 million pixels and sides of at most 16383'
    cases = [
        (pictures.SVG, "image/svg+xml", "Content-Type", no_type),
        (pictures.HTML, "text/html", "Content-Type", no_type),
        (jpeg, "", "Content-Type", no_type),
        (pictures.SVG, "image/png", "file", no_picture),
        (pictures.HTML, "image/gif", "file", no_picture),
        (b"GIF89a", "image/gif", "file", no_picture),
        (b"\0" * 1000, "image/webp", "file", no_picture),
        (jpeg, "image/png", "Content-Type", '"Content-Type" must be image/jpeg, as the file is'),
        (png, "image/jpeg", "Content-Type", '"Content-Type" must be image/png, as the file is'),
        (jpeg[: len(jpeg) // 2], "image/jpeg", "file", damaged),
        (png[: len(png) // 2], "image/png", "file", damaged),
        (png[:30], "image/png", "file", damaged),
        (pictures.with_text(png, 2_000_000), "image/png", "file", wordy),
        (pictures.with_text(png, 2_000_000, at_end=True), "image/png", "file", wordy),
        (pictures.picture("WEBP")[:200], "image/webp", "file", None),
        (gif[: len(gif) // 2], "image/gif", "file", damaged),
        (pictures.png_of(50_000, 50_000), "image/png", "file", bomb),
        (pictures.png_of(10_000, 10_000), "image/png", "file", bomb),
        (pictures.png_of(20_000, 1), "image/png", "file", bomb),
        (pictures.gif_of(65_000, 65_000), "image/gif", "file", bomb),
        (pictures.webp_of(16_000, 16_000), "image/webp", "file", bomb),
        (pictures.HTML, "application/octet-stream", "file", no_picture),
        (b"", "image/png", "file", '"file" is required'),
    ]
    async with hosted(file_database) as platform:
        for content, kind, key, words in cases:
            began = time.process_time()
            told = problem(await upload(platform, content, kind))
            assert (told[:2], told[3]) == ((400, 40090001), [key]), (content[:20], kind, told)
            assert told[2] == (words or told[2])
            assert time.process_time() - began < 1
        large = await upload(platform, b"\0" * (20 * 1024 * 1024 + 1))
        assert problem(large)[:2] == (413, 41300001)
        headers = {"Content-Type": "image/jpeg", "Content-Encoding": "gzip"}
        packed = await platform.client.post("/files", content=jpeg, headers=headers)
        assert problem(packed)[:2] == (400, 40090003)
        assert (await platform.client.get("/files")).json() == []


async def test_the_same_bytes_at_once_are_one_file(database: Place) -> None:
    async with hosted(database) as platform:
        sent = pictures.picture("PNG", size=(50, 50))
        answers = await asyncio.gather(*(upload(platform, sent, "image/png") for _ in range(6)))
        assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
        assert len({answer.text for answer in answers}) == 1
        assert (await shown(platform, answers[0].json()["urls"]["64x64"])).status_code == 200


async def test_so_many_uploads_at_once_and_no_more(file_database: Place) -> None:
    released, begun = asyncio.Event(), asyncio.Semaphore(0)
    sent = pictures.picture("PNG", size=(20, 20))

    async def slowly() -> AsyncIterator[bytes]:
        yield sent[:10]
        begun.release()
        await released.wait()
        yield sent[10:]

    async with hosted(file_database) as platform:
        kind = {"Content-Type": "image/png"}
        slow: list[asyncio.Task[httpx.Response]] = []

        async def many(caller: httpx.AsyncClient) -> None:
            """Upload as many as one account may; one more is refused."""
            for _ in range(MOST_OF_ONE):
                posting = caller.post("/files", content=slowly(), headers=kind)
                slow.append(asyncio.create_task(posting))
                await begun.acquire()
            refused = await caller.post("/files", content=sent, headers=kind)
            told = problem(refused)
            assert told[:3] == (429, 42900001, "Too many files are being uploaded: try again later")
            assert int(refused.headers["Retry-After"]) > 0

        await many(platform.client)
        third = await platform.account_of("Трећи")
        assert (await third.post("/files", content=sent, headers=kind)).status_code == 201
        await many(await platform.account_of("Други"))
        assert len(slow) == MOST_UPLOADS
        assert (await third.post("/files", content=sent, headers=kind)).status_code == 429
        released.set()
        assert {answer.status_code for answer in await asyncio.gather(*slow)} == {200, 201}
        assert (await upload(platform, sent, "image/png")).status_code == 200


async def test_what_an_interrupted_upload_left_is_removed_after_a_day(file_database: Place) -> None:
    async with hosted(file_database) as platform:
        context, clock = platform.context, platform.clock
        file = (await upload(platform, pictures.picture("JPEG", size=(40, 40)))).json()
        left, beside = str(uuid4()), "other/notes.txt"
        unfinished = (*(f"{left[:2]}/{left}/{size}" for size in SIZES), beside)
        await context.files.put_all(dict.fromkeys(unfinished, b"bytes"))
        clock.at = datetime.now(UTC) + timedelta(hours=23)
        assert await sweep(context.database, context.files, clock) == 0
        clock.at += timedelta(hours=2)
        sweeps = [sweep(context.database, context.files, clock) for _ in range(2)]
        assert max(await asyncio.gather(*sweeps)) == 1
        names = {name async for name in context.files.older(clock.now())}
        assert names == {beside, *(f"{file['id'][:2]}/{file['id']}/{size}" for size in SIZES)}


async def test_the_files_of_another_database_are_not_removed(
    file_database: Place, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosted(file_database) as platform:
        context, clock = platform.context, platform.clock
        clock.at = datetime.now(UTC) + timedelta(days=2)
        name = f"{(other := str(uuid4()))[:2]}/{other}/original"
        await context.files.put_all({name: b"bytes"})
        assert await sweep(context.database, context.files, clock) == 0
        assert [each async for each in context.files.older(clock.now())] == [name]
        assert "is it the right one?" in caplog.text


# --- a store of files that fails -----------------------------------------------------------------


CASES = {
    DENIED: "The platform's store of files refuses the platform's keys (AccessDenied).",
    NO_BUCKET: "The bucket of the platform's files is not there (NoSuchBucket).",
    SLOW_DOWN: "The platform's store of files answered with 503 (SlowDown).",
}


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    with object_store() as store:
        told = {"ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "a-canary-of-a-secret"}
        told |= {"REGION": "eu-central-1", "ENDPOINT": store.address}
        for name, value in told.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        yield store


def caller_of(platform: Hosted, files: PictureFiles) -> httpx.AsyncClient:
    app = create_app(replace(platform.context, files=files))
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url=BASE,
        auth=(platform.key.id, platform.key.secret),
    )


def opened(place: Place, name: str = BUCKET) -> PictureFiles:
    return PictureFiles.open(f"s3://{name}/shop", folder=place.folder)


async def test_each_fault_of_the_store_has_its_words_and_keeps_nothing(
    file_database: Place, bucket: ObjectStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with hosted(file_database) as platform:
        files = opened(file_database)
        async with caller_of(platform, files) as caller:

            async def posted() -> httpx.Response:
                kind = {"Content-Type": "image/jpeg"}
                return await caller.post("/files", content=picture("JPEG"), headers=kind)

            async def health() -> tuple[int, str]:
                told = await caller.get("http://platform.example/health")
                return told.status_code, told.json()["files"]

            for number, (fault, words) in enumerate(CASES.items(), start=1):
                bucket.fault_of = {"512x512": fault}  # one of the six sizes
                answer = await posted()
                assert (answer.status_code, answer.json()["message"]) == (500, words)
                assert words in caplog.text
                assert await health() == (200, words)
                assert not bucket.objects, "what no row names was left"
                assert (await caller.get("/files")).json() == []
                bucket.fault, bucket.fault_of = fault, {}
                with pytest.raises(MachineError) as told:
                    await files.look()
                assert told.value.what == words
                bucket.fault = None
                await files.look()
                assert await health() == (200, "reachable")
                assert bucket.objects.pop("shop/look") == b""
                assert caplog.text.count("used again for writing") == number
            assert "a-canary-of-a-secret" not in caplog.text
            made = await posted()
            assert (made.status_code, len(bucket.objects)) == (201, len(STORED))
            url = made.json()["urls"]["64x64"]
            bucket.fault = NO_BUCKET  # a lost bucket is not reported as an unknown file
            assert (await caller.get(url)).json()["message"] == CASES[NO_BUCKET]
            bucket.fault = None
            assert (await caller.get(url)).headers["content-type"] == "image/jpeg"
            bucket.objects.clear()
            with pytest.raises(NotFound):
                await files.get("no/such/object")
    with pytest.raises(MachineError, match="NoSuchBucket"):
        await opened(file_database, "another").look()
