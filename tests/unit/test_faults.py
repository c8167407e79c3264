"""A request that does not fit is refused in words: what is allowed, and what was given."""

import json
import re

import pytest

from trivium.app.models import AskRequest, parse
from trivium.domain.errors import InputError


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"question": "a" * 100_001},
         "question: has 100,001 characters; 100,000 are taken at most"),
        ({"question": "x", "tiers": ["rags"]},
         "tiers.0: must be 'cag', 'rag' or 'graph', not 'rags'"),
        ({"question": "x", "tiers": []}, "tiers: has 0 items; at least 1 is needed"),
        ({"question": "x", "tiers": "rag"}, "tiers: must be a list, not 'rag'"),
        ({"question": 3}, "question: must be a text, not 3"),
        ({"question": None}, "question: must be a text, not null"),
        ({}, "question: is missing"),
        ({"question": "x", "deadline_s": 0}, "deadline_s: must be at least 0.1, not 0"),
        ({"question": "x", "deadline_s": 601}, "deadline_s: must be at most 600, not 601"),
        ({"question": "x", "deadline_s": "2"}, "deadline_s: must be a number, not '2'"),
        ({"question": "x", "memory": "no"},
         "memory: must be 'alike', 'exact' or 'off', not 'no'"),
        ({"question": "x", "stream": "y" * 50},
         f"stream: must be true or false, not '{'y' * 40}…'"),
        ({"question": "x", "history": [{"role": "user", "content": "a"}] * 201},
         "history: has 201 items; 200 are taken at most"),
        ({"question": "x", "history": ["hello"]}, "history.0: must be an object, not 'hello'"),
        ({"question": "x", "as_of": "soon"}, "as_of: 'soon' is not an ISO date or date-time"),
        ([1], "body: must be an object, not a list"),
    ],
)  # fmt: skip
def test_what_is_allowed_and_what_was_given_is_said(body: object, told: str):
    with pytest.raises(InputError, match=f"^{re.escape(told)}$"):
        parse(AskRequest, json.dumps(body).encode())
