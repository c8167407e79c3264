"""Blind questions for a football league; gold computed from the data in domains/football.

usage: python3 gold_football.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named."""

from gold_common import G, OUT, cmp_, ids, lead, no, num, numbered, rank, write, yes

g = G(OUT / "domains" / "football")
CLUBS, PLAYERS, TOWNS = g.t("Club"), g.t("Player"), g.t("Town")
STADIUMS, AGENCIES, ACADEMIES = g.t("Stadium"), g.t("Agency"), g.t("Academy")
ACTIVE = g.t("Injury", lambda r: r["status"] == "active")


def the(name):
    """The one node of a name."""
    (i,) = [i for i, r in g.n.items() if r["name"] == name]
    return i


def squad(clubs, day="2026-08-01"):
    return g.inn(clubs, "PLAYS_FOR", day)


def club_of(players):
    return g.out(players, "PLAYS_FOR")


def single(pool, rel):
    return {x for x in pool if len(g.inn(x, rel)) == 1}


def alone(source, rel, pool):
    """The members of a pool that a relation reaches from ``source`` and from nobody else."""
    return {x for x in pool if g.inn(x, rel) == {source}}


def total(rel, prop, **ends):
    """The sum of a property over the valid relations that have these ends."""
    return sum(e[prop] for e in g.valid(rel) if all(e[k] == v for k, v in ends.items()))


def lookup():
    deal = g.edge(the("Halden Motors"), "SPONSORS", the("Westhaven Rangers"))
    keepers = g.t("Player", lambda r: r["position"] == "goalkeeper")
    return [
        ("Which club does Joel Osei play for?", ids(club_of(the("Joel Osei")))),
        (
            "How much does Halden Motors pay Westhaven Rangers a year, in thousands of euros?",
            num(deal["amount_keur"]),
        ),
        ("Which players are goalkeepers?", ids(keepers)),
    ]


def multi_hop():
    ferro = g.out(the("Diego Ferro"), "COACHES")
    return [
        (
            "In which town is the stadium of the club that Diego Ferro coaches?",
            ids(g.out(g.out(ferro, "HOME_AT"), "STANDS_IN")),
        ),
        (
            "Which agencies have a player at Sandport Athletic?",
            ids(g.inn(squad(the("Sandport Athletic")), "REPRESENTS")),
        ),
        (
            "Which sponsors are behind a club that plays in the Coastal Trophy?",
            ids(g.inn(g.inn(the("Coastal Trophy"), "ENTERS"), "SPONSORS")),
        ),
    ]


def downstream():
    paid = g.out(the("Kestrel Bank"), "SPONSORS")
    homeless = g.inn(the("Church Road"), "HOME_AT")
    return [
        (
            "Kestrel Bank is in trouble. List the clubs that it sponsors, and all the players there.",
            ids(paid | squad(paid)),
        ),
        (
            "If Church Road has to close, which competitions have a club that loses its ground?",
            ids(g.out(homeless, "ENTERS")),
        ),
        (
            "How many players are under contract with a club that is in the Union Cup?",
            num(len(squad(g.inn(the("Union Cup"), "ENTERS")))),
        ),
    ]


def path():
    ties = g.out(the("Striker Partners"), "REPRESENTS") & squad(the("Redmoor United"))
    return [
        (
            "How is Northstar Sports connected to Haven Stadium?",
            {"path": g.paths(the("Northstar Sports"), the("Haven Stadium"))},
        ),
        (
            "What is the smallest number of links from Prime Eleven to Calderby?",
            num(len(g.paths(the("Prime Eleven"), the("Calderby"))[0]) - 1),
        ),
        ("Through which players is Striker Partners tied to Redmoor United?", ids(ties)),
    ]


def aggregation():
    city = the("Eastlow City")
    hosts = {t: len(g.inn(g.inn(t, "STANDS_IN"), "HOME_AT")) for t in TOWNS}
    return [
        (
            "What's the average salary at Eastlow City, in thousands of euros?",
            num(total("PLAYS_FOR", "salary_keur", target=city) / len(squad(city))),
        ),
        ("Which town is home to the most clubs?", ids(lead(hosts))),
        (
            "Who are the top three players by goals, and how many has each scored?",
            rank({p: g.n[p]["goals"] for p in PLAYERS}, k=3),
        ),
    ]


def temporal():
    weber = g.edge(the("Karl Weber"), "COACHES", the("Calder Rovers"))
    deals = [e for e in g.valid("SPONSORS", None) if e["valid_from"].startswith("2025")]
    return [
        ("Until when did Karl Weber coach Calder Rovers?", {"date": weber["valid_to"]}),
        (
            "Which players did Sandport Athletic have under contract on 1 September 2021?",
            ids(squad(the("Sandport Athletic"), "2021-09-01")),
        ),
        ("How many sponsorship deals started in 2025?", num(len(deals))),
    ]


def what_if():
    foundry = {c for c in CLUBS if g.out(c, "HOME_AT") == {the("The Foundry")}}
    return [
        (
            "If Nimbus Mobile walked away, which clubs would be left without a sponsor?",
            ids(alone(the("Nimbus Mobile"), "SPONSORS", CLUBS)),
        ),
        (
            "Suppose The Foundry burnt down: which clubs would have no home ground?",
            ids(foundry),
        ),
        (
            "If Striker Partners closed down, how many of its players would have no agency left?",
            num(len(alone(the("Striker Partners"), "REPRESENTS", PLAYERS))),
        ),
    ]


def spof():
    shared = {s for s in STADIUMS if len(g.inn(s, "HOME_AT")) > 1}
    return [
        ("Which clubs depend on a single sponsor?", ids(single(CLUBS, "SPONSORS"))),
        ("How many clubs have just one coach?", num(len(single(CLUBS, "COACHES")))),
        ("Is there a stadium that more than one club calls home? Which?", yes(shared, shared)),
    ]


def inverse():
    free = PLAYERS - g.out(AGENCIES, "REPRESENTS")
    forwards = g.t("Player", lambda r: r["position"] == "forward")
    return [
        ("Which clubs don't run an academy?", ids(CLUBS - g.inn(ACADEMIES, "RUNS"))),
        ("Are any of the players without an agency right now? Which ones?", yes(free, free)),
        ("Which clubs have no forward under contract?", ids(CLUBS - club_of(forwards))),
    ]


def compare():
    rich = the("Redmoor United"), the("Sandport Athletic")
    budget = [g.n[c]["budget_meur"] for c in rich]
    pair = the("Kestrel Bank"), the("Borealis Energy")
    both = [g.out(the(c), "ENTERS") for c in ("Calder Rovers", "Sandport Athletic")]
    return [
        (
            "Who has the bigger budget, Redmoor United or Sandport Athletic?",
            cmp_(*rich, budget_meur=budget, higher=rich[budget.index(max(budget))]),
        ),
        (
            "Compare Kestrel Bank and Borealis Energy: how many clubs does each sponsor, and how much does each pay a year in all?",
            cmp_(
                *pair,
                clubs=[len(g.out(s, "SPONSORS")) for s in pair],
                amount_keur=[total("SPONSORS", "amount_keur", source=s) for s in pair],
            ),
        ),
        (
            "Which competitions do both Calder Rovers and Sandport Athletic take part in?",
            ids(both[0] & both[1]),
        ),
    ]


def risk():
    out = g.out(ACTIVE, "AFFECTS")
    grave = g.where(ACTIVE, lambda r: r["severity"] in {"high", "critical"})
    return [
        ("Which players have an active injury?", ids(out)),
        (
            "Which clubs have a player with an active injury rated high or critical?",
            ids(club_of(g.out(grave, "AFFECTS"))),
        ),
        (
            "How many of the active injuries are rated medium?",
            num(len(g.where(ACTIVE, lambda r: r["severity"] == "medium"))),
        ),
    ]


def combined():
    small = g.where(CLUBS, lambda r: r["budget_meur"] < 50)
    large = g.where(STADIUMS, lambda r: r["seats"] > 15000)
    home = {p for p in PLAYERS if g.out(p, "TRAINED_AT") & g.out(club_of(p), "RUNS")}
    scorers = g.t("Player", lambda r: r["position"] == "forward" and r["goals"] > 40)
    cheap = {e["source"] for e in g.valid("PLAYS_FOR") if e["salary_keur"] < 2000}
    return [
        (
            "Which clubs with a budget under 50 million play at a stadium with more than 15,000 seats?",
            ids(small & g.inn(large, "HOME_AT")),
        ),
        (
            "Which players were trained at an academy of the club they now play for?",
            ids(home),
        ),
        (
            "Which forwards have scored more than 40 goals but earn less than 2,000 thousand euros a year?",
            ids(scorers & cheap),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Rank the agencies by their number of direct links.",
            rank({a: degree[a] for a in AGENCIES}),
        ),
        (
            "Which agency has the highest betweenness in the network, links taken both ways?",
            ids(lead({a: between[a] for a in AGENCIES})),
        ),
        (
            "How many direct links does Sandport Athletic have at present?",
            num(degree[the("Sandport Athletic")]),
        ),
    ]


def unanswerable():
    return [
        (
            "Which club is Vidal under contract with?",
            no("ambiguous", *g.t("Player", lambda r: r["name"].endswith(" Vidal"))),
        ),
        ("Who is the coach of Northfield Villa?", no("unknown_entity")),
        ("How many yellow cards has Luis Ortega been shown?", no("not_in_schema")),
    ]


write("football", numbered("fo", 42, globals()))
