"""The graph question reader, on a caterer: clauses of their own, and what verbs and nouns mean."""

# ruff: noqa: E501  # rows of a table read best on one line
import pytest

from tests.answering import asking

SCHEMA = """
name: caterer
as_of: 2026-08-01
node_types:
  - {name: Agency, description: A company that lends us staff., properties: {founded: year of founding}}
  - {name: Kitchen, description: A place where we cook., properties: {city: city it lies in, meals: number of meals on a day, metres: length of the worktop}}
  - {name: Menu, description: "A choice of dishes.", properties: {style: "rustic, modern or festive", oldest: year of the oldest recipe}}
  - {name: Contract, description: An agreement with an agency., properties: {signed: day of signature}}
  - {name: Cook, description: Somebody who cooks., properties: {age: age in years, wage_eur: wage for a night in euros}}
  - {name: Oven, description: A machine that bakes., properties: {kind: "steam combi oven, bread oven or ground hearth"}}
  - {name: Backer, description: A giver of money., properties: {sector: line of business}}
  - {name: Outage, description: Something that stops a kitchen., properties: {date: first day, severity: "high or low", status: active or resolved, ended_date: last day}}
relation_types:
  - {name: SERVES, source: Agency, target: Kitchen, description: The agency works for the kitchen., properties: {task: "washing or cooking", fee_keur: yearly fee in thousands of euros}}
  - {name: BOUND_BY, source: Agency, target: Contract, description: The agency is party to the contract.}
  - {name: WORKS_IN, source: Oven, target: Kitchen, description: The oven is used there.}
  - {name: PREPARES, source: Cook, target: Menu, description: The cook prepares the menu., properties: {nights_week: nights a week}}
  - {name: OFFERED_IN, source: Menu, target: Kitchen, description: The menu is served at the kitchen., properties: {meals: number of meals, plate_eur: price of a plate in euros}}
  - {name: COACHES, source: Cook, target: Cook, description: The first cook trains the second.}
  - {name: PASSES_TO, source: Kitchen, target: Kitchen, description: The first kitchen delivers stock to the second.}
  - {name: FUNDS, source: Backer, target: Menu, description: The backer pays towards the menu., properties: {amount_keur: amount in thousands of euros}}
  - {name: HALTS, source: Outage, target: Kitchen, description: The outage stops the kitchen., properties: {plates_lost: meals lost}}
"""

NODES: list[tuple[str, str, str, dict[str, object]]] = [
    ("G-1", "Agency", "Groundwork", {"founded": 1990}),
    ("G-2", "Agency", "Helping Hands", {"founded": 2005}),
    ("G-3", "Agency", "Sous Chef Pool", {"founded": 2015}),
    ("K-1", "Kitchen", "Harbour Kitchen", {"city": "Leeds", "meals": 300, "metres": 10}),
    ("K-2", "Kitchen", "Mill Kitchen", {"city": "York", "meals": 120, "metres": 20}),
    ("K-3", "Kitchen", "Abbey Kitchen", {"city": "Leeds", "meals": 200, "metres": 15}),
    ("M-1", "Menu", "Winter Feast", {"style": "festive", "oldest": 1890}),
    ("M-2", "Menu", "Plain Fare", {"style": "rustic", "oldest": 1950}),
    ("M-3", "Menu", "Green Table", {"style": "modern", "oldest": 2001}),
    ("C-1", "Cook", "Ada Brook", {"age": 52, "wage_eur": 300}),
    ("C-2", "Cook", "Ben Stone", {"age": 24, "wage_eur": 150}),
    ("C-3", "Cook", "Cleo Marsh", {"age": 35, "wage_eur": 220}),
    ("O-1", "Oven", "Vulcan", {"kind": "steam combi oven"}),
    ("O-2", "Oven", "Etna", {"kind": "ground hearth"}),
    ("T-1", "Contract", "Frame 2020", {"signed": "2020-01-01"}),
    ("T-2", "Contract", "Frame 2025", {"signed": "2025-01-01"}),
    ("B-3", "Backer", "Last Call", {"sector": "trade"}),
    ("B-1", "Backer", "Olive Trust", {"sector": "trade"}),
    ("B-2", "Backer", "City Fund", {"sector": "public"}),
    ("X-1", "Outage", "Gas leak", {"date": "2026-07-01", "severity": "high", "status": "active", "ended_date": None}),
    ("X-2", "Outage", "Burst pipe", {"date": "2026-02-01", "severity": "low", "status": "resolved", "ended_date": "2026-03-01"}),
]  # fmt: skip

EDGES: list[tuple[str, str, str, dict[str, object]]] = [
    ("G-1", "K-1", "SERVES", {"task": "washing", "fee_keur": 40, "valid_from": "2020-01-01"}),
    ("G-2", "K-1", "SERVES", {"task": "cooking", "fee_keur": 90, "valid_from": "2020-01-01"}),
    ("G-1", "K-2", "SERVES", {"task": "washing", "fee_keur": 25, "valid_from": "2019-01-01", "valid_to": "2024-12-31"}),
    ("G-2", "K-2", "SERVES", {"task": "washing", "fee_keur": 30, "valid_from": "2025-01-01"}),
    ("G-3", "K-3", "SERVES", {"task": "cooking", "fee_keur": 70, "valid_from": "2021-01-01"}),
    ("G-1", "T-1", "BOUND_BY", {}),
    ("G-1", "T-2", "BOUND_BY", {}),
    ("G-2", "T-2", "BOUND_BY", {}),
    ("O-1", "K-1", "WORKS_IN", {}),
    ("O-2", "K-2", "WORKS_IN", {}),
    ("C-1", "M-1", "PREPARES", {"nights_week": 3}),
    ("C-2", "M-1", "PREPARES", {"nights_week": 5}),
    ("C-2", "M-2", "PREPARES", {"nights_week": 1}),
    ("C-3", "M-3", "PREPARES", {"nights_week": 4}),
    ("M-1", "K-1", "OFFERED_IN", {"meals": 90, "plate_eur": 60}),
    ("M-2", "K-1", "OFFERED_IN", {"meals": 200, "plate_eur": 15}),
    ("M-3", "K-2", "OFFERED_IN", {"meals": 120, "plate_eur": 25}),
    ("M-2", "K-3", "OFFERED_IN", {"meals": 150, "plate_eur": 14}),
    ("C-2", "C-1", "COACHES", {}),
    ("C-3", "C-1", "COACHES", {}),
    ("C-1", "C-3", "COACHES", {}),
    ("K-1", "K-2", "PASSES_TO", {}),
    ("B-1", "M-1", "FUNDS", {"amount_keur": 20}),
    ("B-2", "M-1", "FUNDS", {"amount_keur": 5}),
    ("B-2", "M-2", "FUNDS", {"amount_keur": 60}),
    ("X-1", "K-1", "HALTS", {"plates_lost": 40, "valid_from": "2026-07-01"}),
    ("X-2", "K-2", "HALTS", {"plates_lost": 70, "valid_from": "2026-02-01", "valid_to": "2026-03-01"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def caterer(tmp_path_factory):
    nodes = [dict(p, id=i, type=t, name=n) for i, t, n, p in NODES]
    edges = [dict(p, source=s, target=t, type=r) for s, t, r, p in EDGES]
    return asking(tmp_path_factory.mktemp("caterer"), SCHEMA, nodes, edges)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        # the verb of a description, told from another by its preposition
        ("Who works for the Harbour Kitchen?", ["G-1", "G-2"]),
        ("What is served at the Mill Kitchen?", ["M-3"]),
        # a word of the language is no name cut short, and no kind by its first word
        ("Who works for the Harbour Kitchen on the ground?", ["G-1", "G-2"]),
        # a number held against by its property, or for a time
        ("Which cooks above the age of 30 prepare a menu?", ["C-1", "C-3"]),
        ("Which cooks are under an age of 30?", ["C-2"]),
        ("which cooks ask 220 euros a night or more", ["C-1", "C-3"]),
        # who does it to another of the type, as a noun
        ("For which cooks is there no coach?", ["C-2"]),
        ("Which cooks have a coach?", ["C-1", "C-3"]),
        ("Which cooks have more than one coach?", ["C-1"]),
        ("Which cooks have at least two coaches?", ["C-1"]),
        ("Which cooks coach more than one cook?", []),
        ("Which cooks over 30 years of age have more than one coach?", ["C-1"]),
        ("Who is Cleo Marsh's coach?", ["C-1"]),
        # the clause of a noun, and what it says
        ("Which cooks prepare a menu that the kitchen of Vulcan offers?", ["C-1", "C-2"]),
        ("Which agencies work for a kitchen that Plain Fare uses?", ["G-1", "G-2", "G-3"]),
        ("Which other menus are offered in a kitchen that Winter Feast uses?", ["M-2"]),
        ("Which menus share a kitchen with Plain Fare?", ["M-1"]),
        ("If the Harbour Kitchen closed, which menus would feel it through the kitchens it passes stock to?", ["M-3"]),
        # two clauses at two times
        ("Which kitchens used to be served by Groundwork and are now served by another agency?", ["K-2"]),
        ("Which kitchens used to be served by Groundwork but are served by somebody else today?", ["K-2"]),
        ("Which kitchens used to be served by Groundwork and are now served by Helping Hands?", ["K-2"]),
        ("Which kitchens were halted earlier in 2026 but are free of outages today?", ["K-2"]),
        # what is left of a kind, where the kind is said of the relation
        ("If Groundwork went bankrupt, which kitchens would have nobody left for washing?", ["K-1"]),
        # numbers of things, whatever else their noun may mean
        ("Which agencies are bound by two contracts?", ["G-1"]),
        # a verb is no part of a name
        ("Which resolved outage lasted the longest?", ["X-2"]),
        # a denial that goes on to a number
        ("Which cooks have neither a coach nor a wage of more than 200 euros?", ["C-2"]),
        # numbers called by their unit
        ("Which kitchens are longer than 12 metres?", ["K-2", "K-3"]),
        # against all of a kind, and its first
        ("Which York kitchens are longer than every Leeds kitchen?", ["K-2"]),
        ("Which kitchens are longer than the shortest Leeds one?", ["K-2", "K-3"]),
        ("Which agencies are older than any other agency?", []),
        # the first and the last by a year
        ("What was the last agency to be founded?", ["G-3"]),
        ("Which agencies were founded in the nineties?", ["G-1"]),
        ("Which agencies were founded in the twentieth century?", ["G-1"]),
        # a noun with "a" is no name; who has left whom; what is denied of all others
        ("Which agencies left Mill Kitchen in 2024?", ["G-1"]),
        ("Which cooks are coached by no other cook?", ["C-2"]),
        ("Which menus share their kitchen with another menu?", ["M-1", "M-2"]),
        # how many, held against an own number
        ("Which kitchens have more agencies than metres?", []),
        ("Which kitchens have fewer agencies than metres?", ["K-1", "K-2", "K-3"]),
        # all but one value
        ("Which kitchens lie anywhere but in Leeds?", ["K-2"]),
        # the longest, so far and over
        ("Which outage has kept a kitchen shut the longest?", ["X-2"]),
        # a type named again, for others; a verb agrees with what it is said of
        ("What kitchens do menus backed by Olive Trust and menus backed by City Fund have in common?", ["K-1"]),
        ("Which menus that are offered in a kitchen get no money from a backer?", ["M-3"]),
    ],
)  # fmt: skip
def test_the_set_that_a_clause_means_is_read(caterer, question, wanted):
    assert caterer(question)["ids"] == wanted


@pytest.mark.parametrize(
    ("question", "ranking"),
    [
        ("For each agency, add up the yearly fees.", [["G-2", 120], ["G-3", 70], ["G-1", 40]]),
        ("How many festive menus does each kitchen have?", [["K-1", 1], ["K-2", 0], ["K-3", 0]]),
        ("Who are the two best paid cooks?", [["C-1", 300], ["C-3", 220]]),
        ("What is the oldest agency?", [["G-1", 1990], ["G-2", 2005], ["G-3", 2015]]),
        ("Name the menus that backers are giving the most money to at present.", [["M-2", 60], ["M-1", 25]]),
        ("What kitchen is losing the most meals to the outages going on there now?", [["K-1", 40]]),
    ],
)  # fmt: skip
def test_the_number_that_a_clause_tells_whole_is_gone_by(caterer, question, ranking):
    assert caterer(question)["ranking"] == ranking


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        ("Does Cleo Marsh have a coach?", True),
        ("Does Ben Stone have a coach?", False),
        ("Does any agency work for a kitchen that Plain Fare uses, and which one?", True),
    ],
)
def test_whether_a_clause_holds_is_read(caterer, question, truth):
    assert caterer(question)["value"] is truth


def test_how_many_do_it_to_one_is_counted(caterer):
    assert caterer("How many coaches does Ada Brook have?")["number"] == 2


def test_how_many_links_there_are_at_the_fewest_is_a_distance(caterer):
    said = "Over links of any sort, how many are there at the fewest between Vulcan and Ben Stone?"
    assert caterer(said)["number"] == 3


def test_cut_points_are_those_of_the_network_that_is_named(caterer):
    assert caterer("Which cooks are cut points of the coaching network?")["ids"] == ["C-1"]
