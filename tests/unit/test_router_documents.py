"""How the words of documents are weighed into a route."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.documented import told, weighed
from router.model import Judgement, by_tier
from trivium.domain.question import Documented, TierName

CAG, RAG, GRAPH = TierName.CAG, TierName.RAG, TierName.GRAPH


def judged(*, nothing: float = 0.0, cag: float = 0.0, rag: float = 0.0) -> Judgement:
    sets = {(): nothing, (CAG,): cag, (RAG,): rag, (GRAPH,): max(0.0, 1 - nothing - cag - rag)}
    return Judgement(sets=sets, tiers=by_tier(sets))


def best(judgement: Judgement) -> tuple[TierName, ...]:
    return max(judgement.sets, key=lambda tiers: judgement.sets[tiers])


def test_words_that_documents_alone_explain_speak_for_them():
    shaky = judged(cag=0.9, rag=0.05)
    assert best(weighed(shaky, Documented(n_unread=0, n_known=0))) == (CAG,)
    assert best(weighed(shaky, Documented(n_unread=2, n_known=2))) == (RAG,)
    assert best(weighed(judged(nothing=0.9, rag=0.1), Documented(n_unread=3, n_known=3))) == (RAG,)


def test_what_one_may_or_must_do_is_told_by_documents():
    found = Documented(n_unread=0, n_known=0, is_duty=True)
    assert best(weighed(judged(cag=0.6, rag=0.35), found)) == (RAG,)
    assert best(weighed(judged(cag=0.95, rag=0.02), found)) == (CAG,)
    assert [*told(found)] == ["asks what one may or must do"]


def test_words_that_stand_nowhere_speak_against_documents():
    shaky = judged(nothing=0.3, rag=0.6)
    assert best(weighed(shaky, Documented(n_unread=3, n_known=0))) == ()


def test_without_documents_the_model_is_believed():
    shaky = judged(cag=0.4, rag=0.35)
    assert weighed(shaky, None) is shaky


@given(
    st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(lambda p: sum(p) > 0.01),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_sets_stay_probabilities_and_more_words_never_speak_against(
    shares: list[float], n_known: int, n_nowhere: int
):
    nothing, cag, rag, _ = (share / sum(shares) for share in shares)
    before = judged(nothing=nothing, cag=cag, rag=rag)
    found = Documented(n_unread=n_known + n_nowhere, n_known=n_known)
    more = Documented(n_unread=n_known + n_nowhere + 1, n_known=n_known + 1)
    after, further = weighed(before, found), weighed(before, more)

    assert sum(after.sets.values()) == pytest.approx(1)
    assert all(0 <= p <= 1 for p in (*after.sets.values(), *after.tiers.values()))
    assert further.tiers[RAG] >= after.tiers[RAG] - 1e-9


def test_the_reason_counts_the_words():
    assert list(told(Documented(n_unread=3, n_known=1))) == [
        "has a word that documents alone explain"
    ]
    assert list(told(Documented(n_unread=3, n_known=0))) == list(told(None)) == []
