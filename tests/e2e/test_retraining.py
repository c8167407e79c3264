"""Retraining over HTTP: refused, promoted, rolled back, served at once and after a restart."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from feedback.labels import Labelled
from tests.e2e.conftest import settings_for
from tests.zoo import write_zoo
from trivium.app.bootstrap import open_service
from trivium.app.retraining import Evidence
from trivium.app.service import Service
from trivium.domain.question import TierName, Vector

NAMES = ("Tembo", "Kiki", "Nanuk")
CONFIRMED = (
    ("How heavy is {}?", (TierName.CAG,)),
    ("What does the feeding manual say about {}?", (TierName.RAG,)),
    ("Which keepers feed {}?", (TierName.GRAPH,)),
)


def label(number: int, text: str, tiers: tuple[TierName, ...]) -> Labelled:
    return Labelled(
        id=f"ans_{number}",
        question=text.format(NAMES[number % 3]),
        history=(),
        tiers=tiers,
        rater="ann",
        at="2026-11-30T12:00:00+00:00",
        tenant="default",
    )


LABELS = [label(n, text, tiers) for n in range(6) for text, tiers in CONFIRMED]


async def told(client: httpx.AsyncClient) -> dict[str, bool]:
    """Return the versions and whether each serves."""
    response = await client.get("/admin/router/versions")
    assert response.status_code == 200
    return {own["version"]: own["is_serving"] for own in response.json()["versions"]}


class Unencoded:
    """An ``Encoder`` without vectors: the gate set is read by its words alone, which is quick."""

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return ((),) * len(texts)


async def test_a_router_is_refused_trained_rolled_back_and_promoted(
    zoo: Service, client: httpx.AsyncClient
):
    (shipped,) = await told(client)
    zoo.retraining.encoder = Unencoded()
    refused = (await client.post("/admin/router/retrain")).json()
    assert (refused["is_promoted"], refused["champion"]) == (False, shipped)
    assert "too few" in refused["reason"]
    assert (await client.post("/admin/router/rollback")).status_code == 409

    confirm(zoo, LABELS)
    both = await asyncio.gather(*(client.post("/admin/router/retrain") for _ in range(2)))
    assert sorted(response.status_code for response in both) == [200, 409], "one at a time"
    report = next(response.json() for response in both if response.status_code == 200)
    assert report["is_promoted"], report
    assert [row["of"] for row in report["gate"]] == ["all", "cag", "rag", "graph"]
    assert await told(client) == {shipped: False, report["challenger"]: True}
    assert await version_of_an_answer(client) == report["challenger"]

    back = await client.post("/admin/router/rollback")
    assert back.status_code == 200
    assert await version_of_an_answer(client) == shipped

    again = await client.post(f"/admin/router/versions/{report['challenger']}/promote")
    assert again.status_code == 200
    assert await told(client) == {shipped: False, report["challenger"]: True}
    assert (await client.post("/admin/router/versions/none/promote")).status_code == 404

    zoo.retraining.ear = Heard(Evidence(LABELS, liked=[label(99, *CONFIRMED[0])]))
    heard = (await client.post("/admin/router/retrain")).json()
    assert heard["challenger"] not in {None, report["challenger"]}, "a thumb up is heard"
    assert (heard["n_confirmed"], heard["n_proposed"]) == (len(LABELS), 0)


@dataclass(frozen=True, slots=True)
class Heard:
    """An ``Ear`` that was told all beforehand."""

    told: Evidence

    async def n_confirmed(self) -> int:
        return len(self.told.confirmed)

    async def evidence(self) -> Evidence:
        return self.told


def confirm(service: Service, labels: Sequence[Labelled]) -> None:
    service.retraining.ear = Heard(Evidence(labels))


async def version_of_an_answer(client: httpx.AsyncClient) -> str | None:
    """Ask what was not asked before, and return the version that routed it."""
    found = await client.post("/ask", json={"question": "Who feeds Tembo?"})
    version: str | None = found.json()["route"]["model_version"]
    return version


async def test_a_damaged_version_is_refused_and_the_champion_goes_on(
    zoo: Service, client: httpx.AsyncClient
):
    (shipped,) = await told(client)
    zoo.home.router.mkdir()
    (zoo.home.router / "bad.npz").write_bytes(b"no model")

    refused = await client.post("/admin/router/versions/bad/promote")

    assert refused.status_code == 409
    assert "cannot serve" in refused.json()["detail"]
    assert (await told(client))[shipped]


async def test_a_promoted_version_serves_after_a_restart(tmp_path: Path, encoder_dir: Path):
    settings = settings_for(tmp_path / "home", encoder_dir)
    write_zoo(tmp_path / "data")
    async with open_service(settings) as service:
        base = service.retraining.registry.base()
        model = await asyncio.to_thread(service.retraining.registry.load, base.version)
        service.retraining.registry.save(model)
    async with open_service(settings) as service:
        assert service.retraining.router.model_version == base.version


async def test_enough_new_labels_train_the_router_by_themselves_and_once(zoo: Service):
    retraining = zoo.retraining
    retraining.after, retraining.encoder = 3, Unencoded()
    confirm(zoo, LABELS[:2])
    await retraining.retrain_when_due()
    assert not await asyncio.to_thread(retraining.registry.versions)

    confirm(zoo, [LABELS[0]] * 3)
    await retraining.retrain_when_due()
    seen = retraining._n_seen
    await retraining.retrain_when_due()
    assert seen == retraining._n_seen == 3, "a refused training is not tried again at once"
