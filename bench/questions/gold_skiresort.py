"""Blind questions for a ski resort; gold computed from the data in domains/skiresort.

usage: python3 gold_skiresort.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named."""

from gold_common import G, OUT, cmp_, ids, lead, no, num, numbered, rank, write, yes

g = G(OUT / "domains" / "skiresort")
SECTORS, LIFTS, PISTES = g.t("Sector"), g.t("Lift"), g.t("Piste")
HUTS, LINES, PUMPHOUSES = g.t("Hut"), g.t("SnowLine"), g.t("Pumphouse")
CONTRACTORS = g.t("Contractor")
NOW = g.t("Incident", lambda r: r["status"] == "ongoing")


def the(name):
    """The one node of a name."""
    (i,) = [i for i, r in g.n.items() if r["name"] == name]
    return i


def single(pool, rel):
    return {x for x in pool if len(g.inn(x, rel)) == 1}


def alone(source, rel, pool):
    """The members of a pool that a relation reaches from ``source`` and from nobody else."""
    return {x for x in pool if g.inn(x, rel) == {source}}


def within(sector, pool):
    """The members of a pool that lie in a sector."""
    return g.inn(sector, "LIES_IN") & pool


def lines_on(reservoirs):
    """The snow lines that get water of the reservoirs."""
    return g.out(g.out(reservoirs, "FEEDS"), "PUMPS_TO")


def lookup():
    strong = {e["target"] for e in g.valid("PUMPS_TO") if e["litres_per_second"] > 50}
    others = g.inn(the("Oberdorf Gondola"), "MAINTAINS") - {the("Steinbock Ropeways")}
    return [
        ("How many seats are there at the Sun Terrace?", num(g.n[the("Sun Terrace")]["seats"])),
        ("Which snow lines can get more than 50 litres a second from a pumphouse?", ids(strong)),
        (
            "Apart from Steinbock, does anyone maintain the Oberdorf Gondola? Who?",
            yes(others, others),
        ),
    ]


def multi_hop():
    pumps = g.inn(g.inn(the("Falcon"), "COVERS"), "PUMPS_TO")
    return [
        (
            "Which pistes can you get to from Moraine on skis, without taking a lift?",
            ids(g.walk(the("Moraine"), "LEADS_INTO")),
        ),
        (
            "Which reservoirs does the water for the snow on Falcon come from?",
            ids(g.inn(pumps, "FEEDS")),
        ),
        (
            "Who patrols the pistes in the Glacier sector?",
            ids(g.inn(within(the("Glacier"), PISTES), "PATROLS")),
        ),
    ]


def downstream():
    lines = g.out(the("Tarn Pumphouse"), "PUMPS_TO")
    return [
        (
            "Mill Pond is almost dry. Which pistes get snow made with its water?",
            ids(g.out(lines_on(the("Mill Pond")), "COVERS")),
        ),
        (
            "List all snow lines and pistes that depend on the Tarn Pumphouse.",
            ids(lines | g.out(lines, "COVERS")),
        ),
        (
            "How many snow guns get water from Upper Tarn?",
            num(g.sum(lines_on(the("Upper Tarn")), "guns")),
        ),
    ]


def path():
    down = g.paths(the("Crevasse"), the("Orchard"), "LEADS_INTO", directed=True)
    return [
        (
            "By what route does water from Glacier Lake get to Moraine?",
            {"path": g.paths(the("Glacier Lake"), the("Moraine"))},
        ),
        (
            "Which is the shortest way down from Crevasse to Orchard, going from piste to piste?",
            {"path": down},
        ),
        (
            "At the least, how many links lead from Verdon Lifts to the Eagle's Nest?",
            num(len(g.paths(the("Verdon Lifts"), the("Eagle's Nest"))[0]) - 1),
        ),
    ]


def aggregation():
    fees = {
        c: sum(e["fee_eur"] for e in g.valid("MAINTAINS") if e["source"] == c) for c in CONTRACTORS
    }
    return [
        (
            "What's the average number of seats in our huts?",
            num(g.sum(HUTS, "seats") / len(HUTS)),
        ),
        (
            "Rank the sectors by the total length of their pistes.",
            rank({s: g.sum(within(s, PISTES), "length_m") for s in SECTORS}),
        ),
        ("Which contractor do we pay the most in yearly fees at present?", ids(lead(fees))),
    ]


def temporal():
    tram = g.edge(the("Alpcable"), "MAINTAINS", the("Glacier Tram"))
    begun = g.t("Incident", lambda r: r["date"].startswith("2025"))
    return [
        ("Since when has Alpcable maintained the Glacier Tram?", {"date": tram["valid_from"]}),
        (
            "Who was patrolling Falcon on 15 January 2024?",
            ids(g.inn(the("Falcon"), "PATROLS", "2024-01-15")),
        ),
        ("Which incidents began in 2025?", ids(begun)),
    ]


def what_if():
    return [
        (
            "If we scrapped the Sunny Chair, which pistes would no lift serve any more?",
            ids(alone(the("Sunny Chair"), "SERVES", PISTES)),
        ),
        (
            "Suppose the Valley Pumphouse breaks down: which snow lines get no water at all?",
            ids(alone(the("Valley Pumphouse"), "PUMPS_TO", LINES)),
        ),
        (
            "If Luca Moser left us, which pistes would have nobody patrolling them?",
            ids(alone(the("Luca Moser"), "PATROLS", PISTES)),
        ),
    ]


def spof():
    fed = single(PUMPHOUSES, "FEEDS")
    return [
        ("Which pistes are served by only one lift?", ids(single(PISTES, "SERVES"))),
        (
            "How many lifts rely on a single contractor for their maintenance?",
            num(len(single(LIFTS, "MAINTAINS"))),
        ),
        ("Are there pumphouses that just one reservoir feeds, and which ones?", yes(fed, fed)),
    ]


def inverse():
    return [
        ("Which pistes have no snow line?", ids(PISTES - g.out(LINES, "COVERS"))),
        (
            "Which lifts don't start in one of the villages?",
            ids(LIFTS - g.inn(g.t("Village"), "STARTS_IN")),
        ),
        (
            "How many pistes have no hut on them?",
            num(len(PISTES - g.out(HUTS, "STANDS_ON"))),
        ),
    ]


def compare():
    fast = the("Bowl Six"), the("Eagle Express")
    capacity = [g.n[x]["capacity_per_hour"] for x in fast]
    pair = the("Eagle Ridge"), the("Glacier")
    shared = g.out(the("Oberdorf Gondola"), "SERVES") & g.out(the("Bowl Six"), "SERVES")
    return [
        (
            "Which can carry more people an hour, the Bowl Six or the Eagle Express?",
            cmp_(
                *fast,
                capacity_per_hour=capacity,
                higher=fast[capacity.index(max(capacity))],
            ),
        ),
        (
            "Eagle Ridge versus the Glacier sector: how many lifts and how many pistes does each have?",
            cmp_(
                *pair,
                lifts=[len(within(s, LIFTS)) for s in pair],
                pistes=[len(within(s, PISTES)) for s in pair],
            ),
        ),
        ("Which pistes do the Oberdorf Gondola and the Bowl Six both serve?", ids(shared)),
    ]


def risk():
    hit = g.out(NOW, "AFFECTS")
    grave = lead({i: ["low", "medium", "high", "critical"].index(g.n[i]["severity"]) for i in NOW})
    return [
        ("Which lifts are hit by an ongoing incident?", ids(hit & LIFTS)),
        ("What is the most serious of the ongoing incidents?", ids(grave)),
        (
            "Which pumphouses draw on a reservoir that has an ongoing incident?",
            ids(g.out(hit & g.t("Reservoir"), "FEEDS")),
        ),
    ]


def combined():
    long = g.where(PISTES, lambda r: r["length_m"] > 2000)
    french = g.t("Contractor", lambda r: r["country"] == "France")
    old = g.where(LIFTS, lambda r: r["built"] < 1996)
    day = "2021-01-01"
    left = {x for x in LIFTS if g.inn(x, "MAINTAINS", day) - g.inn(x, "MAINTAINS")}
    return [
        (
            "Which pistes longer than 2,000 metres have a hut on them but only one lift?",
            ids(long & g.out(HUTS, "STANDS_ON") & single(PISTES, "SERVES")),
        ),
        (
            "Which lifts built before 1996 does a French contractor maintain?",
            ids(old & g.out(french, "MAINTAINS")),
        ),
        (
            "Which lifts were maintained on 1 January 2021 by a contractor who no longer looks after them?",
            ids(left),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which lifts have the most direct links, of whatever kind?",
            ids(lead({x: degree[x] for x in LIFTS})),
        ),
        (
            "By betweenness, with links counted both ways, which piste is the most central?",
            ids(lead({x: between[x] for x in PISTES})),
        ),
        ("How many direct links does Upper Tarn have today?", num(degree[the("Upper Tarn")])),
    ]


def unanswerable():
    return [
        (
            "Which pistes does Moser patrol?",
            no("ambiguous", *g.t("Patroller", lambda r: r["name"].endswith(" Moser"))),
        ),
        ("Which pistes does the Schwarzhorn Express serve?", no("unknown_entity")),
        ("How many skiers took the Glacier Tram last winter?", no("not_in_schema")),
    ]


write("skiresort", numbered("sk", 42, globals()))
