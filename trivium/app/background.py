"""Prompts that chat front ends send on their own behalf: told from questions, answered cheaply.

What they look like is data: ``background.yaml``.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict

_DATA: Final = Path(__file__).with_name("background.yaml")
_SAID: Final = re.compile(r"^\s*(?:user|human)\s*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_N_WORDS: Final = 8
_LONGEST: Final = 60
"""Of a title, in words and in characters."""
_UNTITLED: Final = "Conversation"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Prompt(_Entry):
    """One kind of prompt, and what answers it."""

    kind: str
    begins: tuple[str, ...]
    holds: tuple[str, ...]
    reply: str

    def fits(self, text: str) -> bool:
        """Whether a text, folded, is such a prompt."""
        begins = text.startswith(tuple(map(_folded, self.begins)))
        return begins and all(_folded(part) in text for part in self.holds)

    def answer(self, title: str) -> str:
        """Return the reply, with the title of the conversation where it wants one."""
        is_json = self.reply.startswith("{")
        shown = json.dumps(title, ensure_ascii=False) if is_json else title
        return self.reply.replace("TITLE", shown)


class Wrapped(_Entry):
    """One way to put a question behind documents."""

    begins: str
    after: str
    drop: tuple[str, ...]


class _Book(_Entry):
    prompts: tuple[Prompt, ...]
    wrapped: tuple[Wrapped, ...]


def prompt_in(texts: Iterable[str]) -> Prompt | None:
    """Return the first kind of prompt that one of ``texts`` is; ``None`` for none."""
    folded = [_folded(text) for text in texts]
    return next((p for p in _book().prompts if any(map(p.fits, folded))), None)


def unwrapped(text: str) -> str:
    """Return the question in a message, without what a front end put around it.

    >>> unwrapped("Who feeds Tembo?")
    'Who feeds Tembo?'
    """
    for way in _book().wrapped:
        _, end, question = text.rpartition(way.after)
        if end and _folded(text).startswith(_folded(way.begins)):
            for tag in way.drop:
                question = question.replace(tag, "")
            return question.strip()
    return text


def title_of(prompt: str, questions: Iterable[str]) -> str:
    """Return a title for a conversation: its first question, shortened.

    Args:
        prompt: what asks for it, which may quote the conversation as ``USER: …`` lines.
        questions: what the person said outside the prompt, oldest first.

    >>> title_of("Give this a name", ["Which of the animals does Amelia Stone feed by hand?"])
    'Which of the animals does Amelia Stone feed…'
    """
    quoted = _SAID.search(prompt)
    first = quoted[1] if quoted else next(iter(questions), "")
    words = first.split()
    title = " ".join(words[:_N_WORDS])[:_LONGEST].strip()
    is_cut = title != " ".join(words)
    return (f"{title}…" if is_cut else title) or _UNTITLED


@cache
def _book() -> _Book:
    return _Book.model_validate(yaml.safe_load(_DATA.read_text("utf-8")))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
