"""Aliases that people teach: when they may be learned, and how the schema's words take them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from trivium.domain.alias import MAX_ALIAS, Alias, Meaning, Meant
from trivium.domain.knowledge import MUTATIONS, Change
from trivium.domain.mutation import AddAlias, RemoveAlias
from trivium.domain.payloads import node_from_payload
from trivium.domain.question import TermKind
from trivium.domain.schema import Property, Schema
from trivium.knowledge.checking import Faults, told
from trivium.knowledge.files import as_key
from trivium.knowledge.held import Held, Item
from trivium.knowledge.tables import ItemKind
from trivium.language.text import fold, is_word, stems, tokenize, unaccented
from trivium.language.vocabulary import Vocabulary
from trivium.language.words import general_words

_NAMING: Final = 0.95
"""The score from which a term is a name of its own, or a word that the schema gives."""
_TERMS: Final[Mapping[Meant, TermKind]] = {
    Meant.TYPE: TermKind.TYPE,
    Meant.RELATION: TermKind.RELATION,
    Meant.PROPERTY: TermKind.PROPERTY,
}


def added(mutation: AddAlias, held: Held, author: str, faults: Faults) -> Sequence[Change]:
    """Return the change that learns words for something; none where they name it already.

    Args:
        mutation: what is wanted.
        held: the schemas with all aliases of their words, the entity meant, and those that
            may have the words for a name, with their aliases.
        author: who wants it.
        faults: takes what is wrong.
    """
    means = mutation.means
    words = _checked_words(mutation.words, faults)
    is_there = _see_that_it_is_there(means, held, faults)
    if not words or not is_there:
        return ()
    named = _named_by(words, means, held)
    if others := sorted(named - {means.name}):
        faults.add("words", f"{words!r} already means the {means.kind} {told(others)}")
    if named:
        return ()
    payload = Alias(words=words, means=means).to_payload()
    return (_item(words, means).put(payload, author),)


def removed(mutation: RemoveAlias, held: Held, author: str) -> Sequence[Change]:
    """Return the change that forgets words; none where they were not learned for this."""
    item = _item(mutation.words, mutation.means)
    payload = held.payload(item)
    is_learned = payload is not None and Alias.of_payload(payload).means == mutation.means
    return (item.drop(author),) if is_learned else ()


def with_aliases(schema: Schema, aliases: Iterable[Alias]) -> Schema:
    """Return a schema whose types, relations and properties have aliases among their words.

    Those of entities, and of what the schema does not have, are left out.
    """
    types, relations = dict(schema.node_types), dict(schema.relation_types)
    for alias in aliases:
        name, owner = alias.means.name, alias.means.of
        match alias.means.kind:
            case Meant.TYPE if name in types:
                types[name] = replace(types[name], words=(*types[name].words, alias.words))
            case Meant.RELATION if name in relations:
                words = (*relations[name].words, alias.words)
                relations[name] = replace(relations[name], words=words)
            case Meant.PROPERTY if owner in types:
                properties = _taught(types[owner].properties, alias)
                types[owner] = replace(types[owner], properties=properties)
            case Meant.PROPERTY if owner in relations:
                properties = _taught(relations[owner].properties, alias)
                relations[owner] = replace(relations[owner], properties=properties)
            case _:
                pass
    return replace(schema, node_types=types, relation_types=relations)


def _taught(properties: Mapping[str, Property], alias: Alias) -> Mapping[str, Property]:
    """Return properties one of which has an alias among its words."""
    name = alias.means.name
    if name not in properties:
        return properties
    words = (*properties[name].words, alias.words)
    return {**properties, name: replace(properties[name], words=words)}


def _checked_words(words: str, faults: Faults) -> str:
    """Return words as they are kept; nothing where they cannot be an alias."""
    kept = as_key(words) or ""
    tokens = [token for token in tokenize(kept) if is_word(token)]
    if not tokens or len(kept) > MAX_ALIAS:
        faults.add("words", f"an alias has 1 to {MAX_ALIAS} characters, with a letter or a digit")
    elif not any(general_words().is_content(token) for token in tokens):
        faults.add("words", f"{kept!r} are words of the language, which say nothing of their own")
    else:
        return kept
    return ""


def _see_that_it_is_there(means: Meaning, held: Held, faults: Faults) -> bool:
    """Note a fault where nothing is what is meant; return whether it is there."""
    if means.kind is Meant.ENTITY:
        is_there = held.node(means.name) is not None
        if not is_there:
            faults.add("entity", f"no entity has the id {means.name!r}")
        return is_there
    known = _known(means, held.schema)
    if known is None:
        owners = told([*held.schema.node_types, *held.schema.relation_types])
        faults.add("of", f"no type or relation is {means.of!r}; there are {owners}")
        return False
    if means.name not in known:
        kind = means.kind.value
        faults.add(kind, f"there is no {kind} {means.name!r}; there are {told(known)}")
    return means.name in known


def _known(means: Meaning, schema: Schema) -> Mapping[str, object] | None:
    """Return what there is of a kind; of properties, those of the owner that is said."""
    if means.kind is Meant.TYPE:
        return schema.node_types
    if means.kind is Meant.RELATION:
        return schema.relation_types
    owner = schema.owner(means.of or "")
    return None if owner is None else owner.properties


def _named_by(words: str, means: Meaning, held: Held) -> AbstractSet[str]:
    """Return what words name already, of the kind that is meant; of properties, of the same owner.

    Names are the same when their stems are.
    """
    aliases = [Alias.of_payload(payload) for payload in held.all_of(ItemKind.ALIAS)]
    if means.kind is Meant.ENTITY:
        said = _forms(words)
        return {entity for entity, name in _names(held, aliases) if said & _forms(name)}
    tokens = [token for token in tokenize(words) if is_word(token)]
    terms = Vocabulary(with_aliases(held.schema, aliases)).find(tokens)
    return {
        term.name
        for term in terms
        if term.kind is _TERMS[means.kind]
        and len(term.span) == len(tokens)
        and term.score >= _NAMING
        and term.owner == means.of
    }


def _names(held: Held, aliases: Iterable[Alias]) -> Iterator[tuple[str, str]]:
    """Give the ids, names and aliases of the entities that are held, each with its entity."""
    for key in {str(payload["id"]) for payload in held.all_of(ItemKind.NODE)}:
        item = held.node(key)
        if item is not None:
            node = node_from_payload(held.said(item))
            yield from ((key, name) for name in (key, node.name, *node.aliases))
    for alias in aliases:
        if alias.means.kind is Meant.ENTITY:
            yield alias.means.name, alias.words


def _forms(name: str) -> frozenset[tuple[str, ...]]:
    """Return the stems by which a name is known, in any order of its words."""
    return frozenset(tuple(sorted(stems(text))) for text in (name, unaccented(name)))


def _item(words: str, means: Meaning) -> Item:
    """Return under what an alias is kept: of one kind, words mean one thing."""
    folded = " ".join(fold(token.text) for token in tokenize(words) if is_word(token))
    parts = (means.kind.value, means.of, folded)
    return Item(ItemKind.ALIAS, MUTATIONS, "|".join(part for part in parts if part))
