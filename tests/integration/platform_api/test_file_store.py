"""A store of files that is away, refuses or lost its bucket: the reports differ, and nothing stays
half stored."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from pos_app.errors import MachineError, NotFound
from pos_app.platform_api.app import create_app
from pos_app.platform_api.files.pictures import SIZES
from pos_app.platform_api.picture_files import PictureFiles
from tests.fakes.object_store import BUCKET, DENIED, NO_BUCKET, SLOW_DOWN, ObjectStore, object_store
from tests.integration.platform_api.hosted import BASE, DatabasePlace, Hosted, hosted
from tests.integration.platform_api.pictures import picture

CASES = {
    DENIED: "The platform's store of files refuses the platform's keys (AccessDenied).",
    NO_BUCKET: "The bucket of the platform's files is not there (NoSuchBucket).",
    SLOW_DOWN: "The platform's store of files answered with 503 (SlowDown).",
}
AWAY = "The platform's store of files can't be reached."


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


def opened(place: DatabasePlace, name: str = BUCKET) -> PictureFiles:
    return PictureFiles.open(f"s3://{name}/shop", folder=place.folder)


async def test_each_fault_of_the_store_has_its_words_and_keeps_nothing(
    file_database: DatabasePlace, bucket: ObjectStore, caplog: pytest.LogCaptureFixture
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
            assert made.status_code == 201
            assert len(bucket.objects) == len(SIZES)
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


async def test_six_sizes_are_put_side_by_side(
    file_database: DatabasePlace, bucket: ObjectStore
) -> None:
    bucket.put_seconds = 1
    await opened(file_database).put_all(dict.fromkeys(SIZES, b"x" * 1000))
    assert (bucket.most, len(bucket.objects)) == (len(SIZES), len(SIZES))


async def test_a_store_that_is_away_and_a_folder_that_fails(
    file_database: DatabasePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with object_store() as gone:
        monkeypatch.setenv("AWS_ENDPOINT", gone.address)
    for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "REGION"):
        monkeypatch.setenv(f"AWS_{name}", "x")
    with pytest.raises(MachineError) as told:
        await opened(file_database).put_all({"one": b"x"})
    assert told.value.what == AWAY
    folder = file_database.folder / "files"
    files = PictureFiles.open("", folder=folder)
    (folder / "one").write_bytes(b"no folder")
    with pytest.raises(MachineError, match="folder of files fails"):
        await files.put_all({"one/two": b"x"})
