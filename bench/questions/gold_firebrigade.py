"""Blind questions for a fire brigade; gold computed from the data in domains/firebrigade.

usage: python3 gold_firebrigade.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named."""

from gold_common import G, OUT, cmp_, ids, lead, no, num, numbered, rank, write, yes

g = G(OUT / "domains" / "firebrigade")
STATIONS, ENGINES, DISTRICTS = g.t("Station"), g.t("Engine"), g.t("District")
EQUIPMENT, FIREFIGHTERS = g.t("Equipment"), g.t("Firefighter")
OPEN = g.t("Disruption", lambda r: r["status"] == "open")


def the(name):
    """The one node of a name."""
    (i,) = [i for i, r in g.n.items() if r["name"] == name]
    return i


def engines_at(stations, day="2026-08-01"):
    return g.inn(stations, "STATIONED_AT", day)


def bearers(suppliers):
    """The engines that carry something of the suppliers."""
    return g.inn(g.out(suppliers, "SUPPLIES"), "CARRIES")


def single(pool, rel):
    return {x for x in pool if len(g.inn(x, rel)) == 1}


def alone(source, rel, pool):
    """The members of a pool that a relation reaches from ``source`` and from nobody else."""
    return {x for x in pool if g.inn(x, rel) == {source}}


def lookup():
    sets = g.edge(the("Pump 11"), "CARRIES", the("Breathing set"))
    return [
        ("Where is Ladder 2 stationed?", ids(g.out(the("Ladder 2"), "STATIONED_AT"))),
        ("How many breathing sets does Pump 11 carry?", num(sets["quantity"])),
        ("Which premises lie in Westbrook?", ids(g.inn(the("Westbrook"), "LIES_IN"))),
    ]


def multi_hop():
    needed = g.out(the("Chemical suit"), "REQUIRES")
    return [
        (
            "Which firefighters serve at a station that covers Old Town?",
            ids(g.inn(g.inn(the("Old Town"), "COVERS"), "SERVES_AT")),
        ),
        (
            "Which engines carry something supplied by Lifeline Systems?",
            ids(bearers(the("Lifeline Systems"))),
        ),
        (
            "Which schools teach the qualification that the chemical suit requires?",
            ids(g.inn(needed, "TEACHES")),
        ),
    ]


def downstream():
    gear = g.out(the("Draymark"), "SUPPLIES")
    bearing = g.inn(gear, "CARRIES")
    districts = g.out(the("Kingsgate Station"), "COVERS")
    return [
        (
            "If Solent Safety can't deliver, which stations have engines that carry its equipment?",
            ids(g.out(bearers(the("Solent Safety")), "STATIONED_AT")),
        ),
        (
            "Everything downstream of Draymark, please: equipment, engines and stations.",
            ids(gear | bearing | g.out(bearing, "STATIONED_AT")),
        ),
        (
            "How many people live in the districts that Kingsgate covers?",
            num(g.sum(districts, "population")),
        ),
    ]


def path():
    gear = g.out(the("Solent Safety"), "SUPPLIES") & g.out(the("Rescue 3"), "CARRIES")
    albion = g.paths(the("Albion Chemicals"), the("Rescue 3"))
    return [
        (
            "How is Halcyon Hose connected to Copley Road?",
            {"path": g.paths(the("Halcyon Hose"), the("Copley Road Station"))},
        ),
        (
            "How many links at the fewest from Albion Chemicals to Rescue 3?",
            num(len(albion[0]) - 1),
        ),
        ("By which equipment is Solent Safety tied to Rescue 3?", ids(gear)),
    ]


def aggregation():
    times = [
        e["lead_time_weeks"] for e in g.valid("SUPPLIES") if e["source"] == the("Solent Safety")
    ]
    return [
        (
            "Which station has the most engines?",
            ids(lead({s: len(engines_at(s)) for s in STATIONS})),
        ),
        (
            "What's the average lead time, in weeks, of the equipment we get from Solent Safety?",
            num(sum(times) / len(times)),
        ),
        (
            "Rank the districts by how many stations cover them.",
            rank({d: len(g.inn(d, "COVERS")) for d in DISTRICTS}),
        ),
    ]


def temporal():
    lowther = g.edge(the("Nadia Rahman"), "SERVES_AT", the("Lowther Station"))
    ended = [e for e in g.valid("HOLDS", None) if (e["valid_to"] or "").startswith("2025")]
    return [
        ("Since when has Nadia Rahman been at Lowther?", {"date": lowther["valid_from"]}),
        (
            "Which engines were at Mill Hill on 1 March 2022?",
            ids(engines_at(the("Mill Hill Station"), "2022-03-01")),
        ),
        (
            "Which firefighters had a qualification that ran out in 2025?",
            ids({e["source"] for e in ended}),
        ),
    ]


def what_if():
    return [
        (
            "If Mill Hill closed, which districts would have no station covering them?",
            ids(alone(the("Mill Hill Station"), "COVERS", DISTRICTS)),
        ),
        (
            "Suppose Colin Frost retires: who would have nobody to report to?",
            ids(g.inn(the("Colin Frost"), "REPORTS_TO")),
        ),
        (
            "Without Solent Safety, which equipment would we have no supplier for?",
            ids(alone(the("Solent Safety"), "SUPPLIES", EQUIPMENT)),
        ),
    ]


def spof():
    carried = single(EQUIPMENT, "CARRIES")
    return [
        (
            "Which qualifications does only one firefighter hold at present?",
            ids(single(g.t("Qualification"), "HOLDS")),
        ),
        ("Which districts are covered by a single station?", ids(single(DISTRICTS, "COVERS"))),
        ("Is there any equipment that just one engine carries? What is it?", yes(carried, carried)),
    ]


def inverse():
    seeing = g.out(g.inn(the("Thermal camera"), "CARRIES"), "STATIONED_AT")
    ladders = g.out(g.t("Engine", lambda r: r["kind"] == "ladder"), "STATIONED_AT")
    return [
        (
            "Which stations have no engine with a thermal camera on board?",
            ids(STATIONS - seeing),
        ),
        (
            "Which districts are not covered by any station that has a ladder?",
            ids(DISTRICTS - g.out(ladders, "COVERS")),
        ),
        (
            "How many of our engines don't carry a gas detector?",
            num(len(ENGINES - g.inn(the("Gas detector"), "CARRIES"))),
        ),
    ]


def compare():
    old, river = the("Old Town"), the("Riverside")
    pair = the("Kingsgate Station"), the("Harbour Street Station")
    rescue = [g.out(the(e), "CARRIES") for e in ("Rescue 3", "Rescue 5")]
    return [
        (
            "Which has more people, Old Town or Riverside?",
            cmp_(
                old,
                river,
                population=[g.n[d]["population"] for d in (old, river)],
                higher=max((old, river), key=lambda d: g.n[d]["population"]),
            ),
        ),
        (
            "Compare Kingsgate and Harbour Street: how many engines, how many firefighters, how many districts covered?",
            cmp_(
                *pair,
                engines=[len(engines_at(s)) for s in pair],
                firefighters=[len(g.inn(s, "SERVES_AT")) for s in pair],
                districts=[len(g.out(s, "COVERS")) for s in pair],
            ),
        ),
        ("What equipment do Rescue 3 and Rescue 5 both carry?", ids(rescue[0] & rescue[1])),
    ]


def risk():
    hit = g.out(OPEN, "AFFECTS")
    grave = g.where(OPEN, lambda r: r["severity"] in {"high", "critical"})
    return [
        ("Which engines have an open disruption?", ids(hit & ENGINES)),
        ("How many open disruptions are rated high or critical?", num(len(grave))),
        (
            "Which stations have an engine that is hit by an open disruption?",
            ids(g.out(hit & ENGINES, "STATIONED_AT")),
        ),
    ]


def combined():
    crowded = g.where(DISTRICTS, lambda r: r["population"] > 15000)
    hit, day = g.out(OPEN, "AFFECTS"), "2022-01-15"
    shaky = {x for x in single(EQUIPMENT, "SUPPLIES") if g.inn(x, "SUPPLIES") <= hit}
    then = {e for e in ENGINES if g.out(e, "STATIONED_AT", day) - g.out(e, "STATIONED_AT")}
    return [
        (
            "Which districts have more than 15,000 people but only one station covering them?",
            ids(crowded & single(DISTRICTS, "COVERS")),
        ),
        (
            "Which equipment comes from a single supplier that is under an open disruption?",
            ids(shaky),
        ),
        (
            "Which engines have been moved to another station since 15 January 2022?",
            ids(then),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which station has the most direct links of all kinds?",
            ids(lead({s: degree[s] for s in STATIONS})),
        ),
        (
            "Taking links both ways, which piece of equipment has the highest betweenness in the network?",
            ids(lead({e: between[e] for e in EQUIPMENT})),
        ),
        ("How many direct links does Rescue 3 have right now?", num(degree[the("Rescue 3")])),
    ]


def unanswerable():
    return [
        (
            "Which station does Frost serve at?",
            no("ambiguous", *g.t("Firefighter", lambda r: r["name"].endswith(" Frost"))),
        ),
        ("Which engines are kept at Ashdown Station?", no("unknown_entity")),
        ("How many fires did Lowther put out last year?", no("not_in_schema")),
    ]


write("firebrigade", numbered("fb", 42, globals()))
