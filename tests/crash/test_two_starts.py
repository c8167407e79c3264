"""Two starts on one home: the second says who owns it, and leaves the first alone."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.conftest import SOAK
from tests.crash.server import EndedError, Server, serving
from tests.crash.versions import every_tier_says, write_version

N_RACES = min(SOAK, 20)


@pytest.mark.slow
async def test_a_second_start_names_the_owner_even_a_stopped_one(tmp_path: Path, encoder_dir: Path):
    async with serving(tmp_path / "home", load=write_version(tmp_path, 0)) as owner:
        owner.signal(signal.SIGSTOP)
        with pytest.raises(EndedError) as second:
            await Server.start(tmp_path / "home")
        owner.signal(signal.SIGCONT)
        async with owner.client() as client:
            await every_tier_says(client, 0)

    assert f"owned by process {owner.pid}, which serves at {owner.url}" in str(second.value)
    assert "Traceback" not in str(second.value)


@pytest.mark.slow
@pytest.mark.parametrize("race", range(N_RACES))
async def test_of_two_that_start_at_once_one_serves(tmp_path: Path, encoder_dir: Path, race: int):
    both = [await Server.launch(tmp_path / "home") for _ in range(2)]
    outcomes = await asyncio.gather(*(server.ready() for server in both), return_exceptions=True)
    (winner,) = (s for s, outcome in zip(both, outcomes, strict=True) if outcome is None)
    (refusal,) = (outcome for outcome in outcomes if outcome is not None)
    await winner.stop()
    statuses = {await server.ended() for server in both if server is not winner}

    assert statuses == {1}
    assert isinstance(refusal, EndedError)
    assert f"owned by process {winner.pid}" in str(refusal)
