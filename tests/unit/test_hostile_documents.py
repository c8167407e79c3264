"""One document that is a bomb or a hang costs itself, and no other."""

import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tiers.rag.chunks import MAX_WORDS, chunks
from trivium.domain.errors import DataError
from trivium.knowledge.documents import read_documents
from trivium.knowledge.files import Report
from trivium.knowledge.pdf import read_pdf


def pdf_of(content: bytes, *, n_filters: int = 1) -> bytes:
    """A PDF of one page whose content is compressed so many times."""
    for _ in range(n_filters):
        content = zlib.compress(content, 9)
    filters = b" ".join([b"/FlateDecode"] * n_filters)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R>>",
        b"<</Filter[%b]/Length %d>>stream\n%b\nendstream" % (filters, len(content), content),
    ]
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj%bendobj\n" % o for o in enumerate(objects, 1))
    return body + b"trailer<</Root 1 0 R/Size 5>>\n%%EOF\n"


def read(directory: Path, files: dict[str, bytes]) -> tuple[list[str], Sequence[str]]:
    """Return the ids of what was taken, and the names of what was not."""
    for name, content in files.items():
        (directory / name).write_bytes(content)
    report = Report()
    found = read_documents(directory, report)
    return [document.id for document, _ in found], [r.file for r in report.rejected]


def test_a_pdf_that_unfolds_without_end_costs_itself(tmp_path):
    bomb = pdf_of(b"\0" * (400 * 2**20), n_filters=2)
    assert len(bomb) < 10_000
    taken, left = read(tmp_path, {"bomb.pdf": bomb, "good.txt": b"Good."})
    assert (taken, left) == (["good.txt"], ["bomb.pdf"])


def test_a_pdf_that_takes_too_long_is_left(tmp_path):
    path = tmp_path / "slow.pdf"
    path.write_bytes(pdf_of(b"BT (a) Tj ET"))
    with pytest.raises(DataError, match="took longer than"):
        read_pdf(path, patience_s=0.001)


def test_html_that_is_nested_deep_is_read(tmp_path):
    deep = b"<div>" * 200_000 + b"<p>Deep.</p>" + b"</div>" * 200_000
    taken, _ = read(tmp_path, {"deep.html": deep})
    assert taken == ["deep.html"]


def test_a_line_of_fifty_megabytes_costs_itself(tmp_path):
    files = {"long.txt": b"word " * 10 * 2**20, "good.txt": b"Good."}
    taken, left = read(tmp_path, files)
    assert (taken, left) == (["good.txt"], ["long.txt"])


LINES = {
    "sentences": "One two three four. " * 100_000,
    "abbreviations": "e.g. " * 200_000,
    "stops": "." * 500_000 + " ",
    "bytes": "x" * 1_000_000,
    "hashes": "# " + "#" * 200_000 + "x",
    "stars": "*a " * 100_000,
}
"""Each took minutes where a step looked at all that follows it."""


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_long_line_is_cut_into_chunks_in_time_by_its_length(line):
    found = chunks(line)
    assert max(len(chunk.text.split()) for chunk in found) <= MAX_WORDS
    assert max(len(chunk.text) for chunk in found[:-1] or found) <= 200_010
