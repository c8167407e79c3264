"""Reads documents: Markdown with front matter, plain text, HTML and PDF."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Final

from trivium.domain.errors import DataError, InputError
from trivium.domain.knowledge import Document
from trivium.domain.time import Validity, parse_instant
from trivium.knowledge.files import Report, as_key, as_text, as_texts, fault_of, short
from trivium.knowledge.html import read_page
from trivium.knowledge.pdf import read_pdf
from trivium.knowledge.yaml_text import read_yaml

_FRONT_MATTER: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+)$", re.MULTILINE)
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([a-zA-Z0-9-]{1,40})")
_MAX_BYTES: Final = 20 * 2**20

Ends = tuple[str | None, str | None]


def read_documents(directory: Path, report: Report) -> list[tuple[Document, Ends]]:
    """Read every document below ``directory``, in the order of their paths.

    A file that cannot be read goes to the report; the rest is taken.
    """
    found: dict[str, tuple[Document, Ends]] = {}
    fault = fault_of(directory, directory.parent, is_directory=True)
    if fault:
        report.reject(directory, 0, fault)
    if fault or not directory.is_dir():
        return []
    for path in sorted(directory.rglob("*")):
        if not _is_document(path, directory, report):
            continue
        try:
            document, ends = _read(path, directory)
        except (InputError, OSError, ValueError, RecursionError) as error:
            report.reject(path, 0, f"cannot be read: {short(error)}")
            continue
        if document.id in found:
            first = found[document.id][0].path
            report.reject(path, 0, f"document id {document.id!r} stands twice, first in {first}")
        elif not document.text.strip():
            report.reject(path, 0, "holds no text")
        else:
            found[document.id] = (document, ends)
    return list(found.values())


def _is_document(path: Path, directory: Path, report: Report) -> bool:
    """Whether a path is a document; one that looks like it and cannot be read is reported."""
    is_named_so = path.suffix.lower() in _READERS
    fault = fault_of(path, directory)
    if fault and (is_named_so or path.is_symlink()):
        report.reject(path, 0, fault)
    return is_named_so and not fault


def _read(path: Path, root: Path) -> tuple[Document, Ends]:
    if path.stat().st_size > _MAX_BYTES:
        raise DataError(f"larger than {_MAX_BYTES // 2**20} MiB")
    meta, text = _READERS[path.suffix.lower()](path)
    name = path.relative_to(root).as_posix()
    heading = _HEADING.search(text)
    day = _iso(meta.get("date"))
    if day:
        parse_instant(day)
    ends = (_iso(meta.get("valid_from")), _iso(meta.get("valid_to")))
    key = as_key(meta.get("id")) or as_key(name)
    if key is None:
        raise DataError("its name holds what no store can keep")
    document = Document(
        id=key,
        title=as_text(meta.get("title")) or (heading.group(1).strip() if heading else path.stem),
        text=text.strip(),
        date=day,
        validity=Validity.of(*ends),
        supersedes=as_texts(meta.get("supersedes")),
        acl=as_texts(meta.get("acl")),
        path=name,
    )
    return document, ends


def _iso(value: object) -> str | None:
    return value.isoformat() if isinstance(value, (date, datetime)) else as_text(value)


def _markdown(path: Path) -> tuple[Mapping[str, object], str]:
    text = path.read_text("utf-8-sig").replace("\r\n", "\n")
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    meta = read_yaml(match.group(1))
    if not isinstance(meta, dict):
        raise DataError("its front matter is not a mapping")
    return meta, text[match.end() :]


def _plain(path: Path) -> tuple[Mapping[str, object], str]:
    return {}, path.read_text("utf-8-sig").replace("\r\n", "\n")


def _html(path: Path) -> tuple[Mapping[str, object], str]:
    raw = path.read_bytes()
    charset = _CHARSET.search(raw[:2_048])
    named = charset[1].decode("ascii").lower() if charset else "utf-8"
    try:
        page = read_page(raw.decode("utf-8-sig" if named in {"utf-8", "utf8"} else named))
    except (LookupError, UnicodeDecodeError) as error:
        raise DataError(f"its bytes are not {named}: {error}") from error
    told: dict[str, object] = {"title": page.title}
    told |= {key: page.meta[key] for key in ("id", "date") if key in page.meta}
    return told, _tidy(page.text)


def _pdf(path: Path) -> tuple[Mapping[str, object], str]:
    title, text = read_pdf(path)
    return {"title": title}, _tidy(text)


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


_READERS: Final = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _plain,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}
