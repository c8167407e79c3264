"""Routing by itself: a reader and a router, over what a home or a data set knows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from router.registry import Registry
from router.router import LearnedRouter
from router.rules import Rules
from tiers.graphrag.templates.book import TemplateBook
from tiers.graphrag.templates.matching import TemplateReader
from tiers.graphrag.templates.routing import TemplateRouter
from trivium.app.home import Home
from trivium.app.opening import open_encoder
from trivium.app.settings import Settings
from trivium.domain.ports import Router
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import Lexicon, QuestionReader


@asynccontextmanager
async def open_routing(settings: Settings) -> AsyncIterator[tuple[QuestionReader, Router]]:
    """Read what routing needs from the journal of a home, whether somebody serves it or not.

    Raises:
        DependencyError: the journal, or the encoder, did not answer.
    """
    yield routing(settings, await lexicon_at(settings))


async def lexicon_at(settings: Settings) -> Lexicon:
    """Read names and schema from the journal of a home, whether somebody serves it or not.

    Raises:
        DependencyError: the journal did not answer.
    """
    url = settings.database_url or Home(settings.home.absolute()).sqlite("knowledge")
    journal = await KnowledgeJournal.open(url)
    try:
        return lexicon_of([change async for change in journal.state()])
    finally:
        await journal.close()


def routing(settings: Settings, lexicon: Lexicon) -> tuple[QuestionReader, Router]:
    """Return a reader and a router over a lexicon.

    Raises:
        DependencyError: the encoder is not there.
    """
    book, home = TemplateBook.open(settings.templates), Home(settings.home.absolute())
    router = TemplateRouter(router_of(settings, home), TemplateReader(book), lambda: lexicon.schema)
    return QuestionReader(open_encoder(settings), lexicon), router


def router_of(settings: Settings, home: Home) -> LearnedRouter:
    """Return the router that a home has learned, with the rules of the settings."""
    rules = Rules.read(settings.router_rules) if settings.router_rules else None
    return LearnedRouter.of(Registry(home.router), rules)
