"""A piece of evidence as it is shown: in a citation to a reader, as text to a model."""

from trivium.domain.evidence import Evidence, Passage, Subgraph
from trivium.domain.knowledge import Fact


def citation_detail(evidence: Evidence) -> dict[str, object]:
    """Return what a citation shows of a piece of evidence."""
    match evidence:
        case Fact():
            return {
                "entity": evidence.entity,
                "attribute": evidence.attribute,
                "value": evidence.value,
                "unit": evidence.unit,
                "as_of": evidence.as_of,
                "source": evidence.source,
            }
        case Passage():
            return {
                "source": evidence.document,
                "title": evidence.title,
                "heading": evidence.heading,
                "date": evidence.date,
                "passage": evidence.text,
                "start": evidence.start,
                "end": evidence.end,
                "said": [list(span) for span in evidence.said],
                "score": round(evidence.score, 4),
                "superseded_by": evidence.superseded_by,
            }
        case Subgraph():
            return {
                "nodes": list(evidence.nodes),
                "relations": [list(relation) for relation in evidence.relations],
                "names": dict(evidence.names),
            }


def evidence_text(evidence: Evidence) -> str:
    """Return a piece of evidence as text, for a model to write from."""
    match evidence:
        case Fact():
            unit = f" {evidence.unit}" if evidence.unit else ""
            value = f"{evidence.entity} {evidence.attribute} = {evidence.value}{unit}"
            return f"{value}, as of {evidence.as_of}"
        case Passage():
            return f"{evidence.title} ({evidence.date})\n{evidence.text}"
        case Subgraph():
            lines = [f"{key} is {label}" for key, label in evidence.names.items()]
            lines += [f"{s} -{r}-> {t}" for s, r, t in evidence.relations]
            return "\n".join(lines)
