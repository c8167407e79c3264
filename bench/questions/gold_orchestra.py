"""Gold of the orchestra set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_orchestra.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "orchestra")
rows, q = asking("or")

ENSEMBLES, MUSICIANS, INSTRUMENTS = g.t("Ensemble"), g.t("Musician"), g.t("Instrument")
PROGRAMMES, SPONSORS = g.t("Programme"), g.t("Sponsor")
VIOLINS = g.where(INSTRUMENTS, lambda r: r["kind"] == "violin")
ACTIVE = g.t("Stoppage", lambda r: r["status"] == "active")
members = lambda ensembles: g.inn(ensembles, "CONTRACTED_TO")
booked = lambda halls: g.inn(halls, "BOOKED_AT")
carers = lambda instruments: g.inn(instruments, "CARES_FOR")
payers = lambda programmes: g.inn(programmes, "UNDERWRITES")

q(
    "lookup",
    "How many evenings is Lakeside Nights booked for at the Pavilion?",
    num(g.edge("PRG-09", "BOOKED_AT", "HAL-5")["evenings"]),
    "evenings on PRG-09 BOOKED_AT HAL-5.",
)
q(
    "lookup",
    "what insurance premium a year goes with okonjo's loan of the old abbess",
    num(g.edge("ITM-03", "LENT_TO", "MUS-03")["premium_eur"]),
    "premium_eur on ITM-03 LENT_TO MUS-03, not that of the Young Abbess.",
)
q(
    "lookup",
    "Which of the instruments were made before 1750?",
    ids(g.where(INSTRUMENTS, lambda r: r["made"] < 1750)),
    "made below 1750.",
)

q(
    "multi_hop",
    "Which luthiers look after the instruments that are on loan "
    "to members of the National Symphony Orchestra?",
    ids(carers(g.inn(members("ENS-1"), "LENT_TO"))),
    "ENS-1 <- musicians <- instruments <- luthiers.",
)
q(
    "multi_hop",
    "Sponsors who own an instrument that a Corelli Strings player has on loan, please.",
    ids(g.inn(g.inn(members("ENS-4"), "LENT_TO"), "OWNS")),
    "ENS-4 <- musicians <- instruments <- owners.",
)
_north = g.out("SPO-2", "UNDERWRITES") & g.out("ENS-6", "PERFORMS")
q(
    "multi_hop",
    "Does Northwind put money into any programme that Foundation Brass performs? If so, which one?",
    yes(_north, _north),
    "Programmes that SPO-2 underwrites and ENS-6 performs.",
)

q(
    "downstream",
    "The Alder roof leak is still dripping. "
    "Which ensembles perform the programmes booked at the hall where it calls concerts off?",
    ids(g.inn(booked(g.out("STP-2", "CALLS_OFF")), "PERFORMS")),
    "STP-2 -> HAL-1 <- programmes <- ensembles.",
)
q(
    "downstream",
    "Who learned from Livia Brandt, either directly or through one of her pupils "
    "and so on down the line?",
    ids(g.walk("MUS-01", "TAUGHT")),
    "TAUGHT forwards from MUS-01 to the end.",
)
_strike = booked(g.out("STP-1", "CALLS_OFF"))
q(
    "downstream",
    "How much sponsor money, in thousands of euros, is in the programmes booked at the halls "
    "currently affected by the stagehands strike?",
    num(sum(e["amount_keur"] for e in g.valid("UNDERWRITES") if e["target"] in _strike)),
    "STP-1 -> HAL-2 and HAL-4 <- programmes, sum of amount_keur valid now.",
)

q(
    "path",
    "Shortest chain that ties Windcraft Workshop to Tarn Energy?",
    {"path": g.paths("LUT-4", "SPO-5")},
    "LUT-4 to SPO-5 over any relations.",
)
q(
    "path",
    "The van leaves from Alder Concert Hall and must get to St Brannoc's. "
    "Which way takes the fewest minutes?",
    {"path": g.cheapest("HAL-1", "HAL-3", "VAN_TO", "minutes")[0]},
    "Least sum of minutes over VAN_TO; fewer halls by another way.",
)
q(
    "path",
    "how many steps apart are the Golden Flute and Veritas Bank, taking the shortest path",
    num(len(g.paths("ITM-11", "SPO-1")[0]) - 1),
    "Length of the shortest path ITM-11 to SPO-1.",
)

q(
    "aggregation",
    "Give the total sponsorship of each programme that gets any today, biggest first.",
    rank(g.total("UNDERWRITES", "target", "amount_keur")),
    "Sum of amount_keur over UNDERWRITES valid now, by programme.",
)
q(
    "aggregation",
    "avg insured value of our violins, in k euros?",
    num(mean(g.n[i]["insured_keur"] for i in VIOLINS)),
    "Mean insured_keur of violins.",
)
q(
    "aggregation",
    "Which luthier makes the most visits a year, "
    "adding up all the instruments presently in their care?",
    ids(lead(g.total("CARES_FOR", "source", "visits_year"))),
    "Highest sum of visits_year over CARES_FOR valid now.",
)

q(
    "temporal",
    "On what day does Ekholm's loan of the Firebrand end?",
    {"date": g.edge("ITM-07", "LENT_TO", "MUS-02")["valid_to"]},
    "valid_to of ITM-07 LENT_TO MUS-02.",
)
q(
    "temporal",
    "Who was playing the Morning Star in May 2015?",
    ids(g.out("ITM-01", "LENT_TO", "2015-05-15")),
    "LENT_TO from ITM-01 valid in that month.",
)
_left = {
    e["source"]
    for e in g.valid("CONTRACTED_TO", None)
    if e["source"] not in members(e["target"]) and g.out(e["source"], "CONTRACTED_TO")
}
q(
    "temporal",
    "Which musicians used to be under contract with one ensemble and are now with a different one?",
    ids(_left),
    "A CONTRACTED_TO ended, and one with another ensemble valid now.",
)

q(
    "what_if",
    "Haskell & Sons shut up shop - which instruments are left with no luthier at all?",
    ids(i for i in INSTRUMENTS if carers(i) == {"LUT-3"}),
    "Instruments that LUT-3 alone cares for now.",
)
_gone = {"SPO-3", "SPO-5"}
q(
    "what_if",
    "If Delacourt and Tarn Energy both withdrew, which programmes would lose their last sponsor?",
    ids(p for p in PROGRAMMES if payers(p) and payers(p) <= _gone),
    "Programmes all of whose sponsors now are SPO-3 or SPO-5.",
)
q(
    "what_if",
    "Supose the Granary took in everything that Alder Studio has booked now, on top of its own. "
    "How many programmes would the Granary have?",
    num(len(booked({"HAL-4", "HAL-6"}))),
    "Programmes booked now at HAL-4 or HAL-6, each once.",
)

q(
    "spof",
    "Which violins depend on a single luthier?",
    ids(i for i in VIOLINS if len(carers(i)) == 1),
    "Violins with in-degree 1 on CARES_FOR valid now.",
)
q(
    "spof",
    "Programmes that are paid for by just one sponsor and performed by just one ensemble?",
    ids(p for p in PROGRAMMES if len(payers(p)) == 1 and len(g.inn(p, "PERFORMS")) == 1),
    "In-degree 1 on UNDERWRITES and on PERFORMS, both valid now.",
)
_alone = {e for e in ENSEMBLES if len(members(e)) == 1}
q(
    "spof",
    "Do we have an ensemble with only one musician under contract? Name it.",
    yes(_alone, _alone),
    "In-degree 1 on CONTRACTED_TO valid now.",
)

q(
    "inverse",
    "Which instruments are not out on loan to anybody at the moment?",
    ids(INSTRUMENTS - g.inn(MUSICIANS, "LENT_TO")),
    "All instruments less the sources of LENT_TO valid now.",
)
q(
    "inverse",
    "how many of the musicians with a current contract have no instrument on loan",
    num(len(members(ENSEMBLES) - g.out(INSTRUMENTS, "LENT_TO"))),
    "Musicians contracted now less the targets of LENT_TO valid now.",
)
q(
    "inverse",
    "Name the sponsors that don't own a single one of the instruments.",
    ids(SPONSORS - g.inn(INSTRUMENTS, "OWNS")),
    "All sponsors less the sources of OWNS valid now.",
)

_nights = of(g.total("BOOKED_AT", "target", "evenings"), ("HAL-1", "HAL-5"))
q(
    "compare",
    "Alder Concert Hall vs Lakeside Pavilion: how many evenings is each booked for in all "
    "as of today, and which has more?",
    cmp_("HAL-1", "HAL-5", evenings=list(_nights.values()), higher=lead(_nights)[0]),
    "Sum of evenings over BOOKED_AT valid now.",
)
q(
    "compare",
    "Which programmes do Northwind Shipping and Tarn Energy both underwrite?",
    ids(g.out("SPO-2", "UNDERWRITES") & g.out("SPO-5", "UNDERWRITES")),
    "Intersection of programmes.",
)
q(
    "compare",
    "which instruments does atelier moreau maintain that bottega ferrante does not",
    ids(g.out("LUT-2", "CARES_FOR") - g.out("LUT-1", "CARES_FOR")),
    "Difference of instruments, valid now.",
)

q(
    "risk",
    "Which active stoppage is costing us the most concerts, "
    "counting everything that it hits at present?",
    ids(lead(of(g.total("CALLS_OFF", "source", "concerts_lost"), ACTIVE))),
    "Highest sum of concerts_lost over CALLS_OFF valid now.",
)
q(
    "risk",
    "Whose sponsor money is sitting in a programme that an active stoppage hits directly?",
    ids(payers(g.out(ACTIVE, "CALLS_OFF") & PROGRAMMES)),
    "Active -> programmes <- sponsors.",
)
_grave = g.where(ACTIVE, lambda r: r["severity"] in ("high", "critical"))
_west = g.t("Hall", lambda r: r["city"] == "Westmark")
_shut = g.out(_grave, "CALLS_OFF") & _west
q(
    "risk",
    "Are any halls in Westmark under an open stoppage rated high or critical? Which ones?",
    yes(_shut, _shut),
    "Active, high or critical, -> halls in Westmark.",
)

_principals = {e["source"] for e in g.valid("CONTRACTED_TO") if e["chair"] == "principal"}
_dear = g.out(g.where(INSTRUMENTS, lambda r: r["insured_keur"] > 500), "LENT_TO")
q(
    "combined",
    "Players holding a principal chair who have an instrument insured "
    "for more than 500 thousand euros on loan?",
    ids(_principals & _dear),
    "Chair and insured value of the instrument together.",
)
_inside = {p for p in booked(_west) if g.out(p, "BOOKED_AT") <= _west}
_plays = {e: g.out(e, "PERFORMS") for e in ENSEMBLES}
q(
    "combined",
    "Which ensembles perform only programmes that are given in Westmark and nowhere else?",
    ids(e for e, ps in _plays.items() if ps and ps <= _inside),
    "Universal over PERFORMS and over BOOKED_AT, valid now.",
)
q(
    "combined",
    "What does hall hire for Nordic Lights come to overall, that is evenings "
    "times hire per evening, in thousands of euros?",
    num(
        sum(e["evenings"] * e["hire_keur"] for e in g.valid("BOOKED_AT") if e["source"] == "PRG-02")
    ),
    "Sum of evenings times hire_keur over BOOKED_AT from PRG-02 valid now.",
)

degree, between = g.degree(), g.betweenness()
assert lead(of(degree, PROGRAMMES)) == lead(of(g.degree(multi=False), PROGRAMMES))
q(
    "centrality",
    "Which programme has the most links in the graph, of whatever kind?",
    ids(lead(of(degree, PROGRAMMES))),
    "Highest degree among programmes over valid relations.",
)
q(
    "centrality",
    "By betweenness, which ensemble is the main go-between of the whole network?",
    ids(lead(of(between, ENSEMBLES))),
    "Highest undirected betweenness among ensembles.",
)
_tied = g.inn(MUSICIANS, "TAUGHT") | g.out(MUSICIANS, "TAUGHT")
q(
    "centrality",
    "Take only the ties between teachers and pupils, and leave out musicians who have none: "
    "how many separate groups are there?",
    num(g.pieces(_tied, "TAUGHT")),
    "Connected components of two or more over TAUGHT.",
)

q(
    "unanswerable",
    "Which instrument has Reid got on loan?",
    no("ambiguous", "MUS-06", "MUS-07"),
    "Callum and Isolde Reid.",
)
q("unanswerable", "Who conducts Winter Journeys?", no("not_in_schema"), "No conductors.")
q(
    "unanswerable",
    "At which hall is Summer Serenades booked?",
    no("unknown_entity"),
    "No such programme.",
)

assert len(rows) == 42
write("orchestra", rows)
