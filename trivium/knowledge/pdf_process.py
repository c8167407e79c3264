"""The process that reads one PDF: ``python pdf_process.py FILE`` prints its title and text as JSON.

It takes the standard library and pypdf alone, and gives itself limits before it opens the file.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Final

_MEMORY_BYTES: Final = 2**30
_CPU_S: Final = 30
_MAX_CHARACTERS: Final = 20 * 2**20


def main(path: Path) -> None:
    """Read ``path`` within the limits; what is wrong with it goes to standard error."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    from pypdf import PdfReader  # noqa: PLC0415  # within the limits

    reader = PdfReader(path)
    title = reader.metadata.title if reader.metadata else None
    pages: list[str] = []
    for page in reader.pages:
        pages.append(page.extract_text())
        if sum(map(len, pages)) > _MAX_CHARACTERS:
            raise ValueError("it holds more text than is taken")
    text = {"title": title and str(title), "text": "\n\n".join(pages)}
    sys.stdout.buffer.write(json.dumps(text).encode())


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except Exception as error:  # noqa: BLE001  # pypdf meets a damaged file with any error
        first = str(error).splitlines()[:1] or [type(error).__name__]
        sys.exit(first[0] or type(error).__name__)
