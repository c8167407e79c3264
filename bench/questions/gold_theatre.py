"""Gold of the theatre set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_theatre.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "theatre")
rows, q = asking("th")

ACTORS, SHOWS, WORKSHOPS = g.t("Actor"), g.t("Production"), g.t("Workshop")
ACTIVE = g.t("Mishap", lambda r: r["status"] == "active")
on_at = lambda houses: g.inn(houses, "RUNS_AT")
cast = lambda shows: g.inn(shows, "PLAYS_IN")

q(
    "lookup",
    "How many performances is Paper Lions down for at the Quayside?",
    num(g.edge("PRO-09", "RUNS_AT", "HOU-2")["performances"]),
    "performances on PRO-09 RUNS_AT HOU-2.",
)
q(
    "lookup",
    "which actors ask 600 euros a night or more",
    ids(g.t("Actor", lambda r: r["fee_eur"] >= 600)),
    "fee_eur from 600.",
)
q(
    "lookup",
    "Who has the role of the Fortune Teller in Neon Carnival?",
    ids(
        e["source"]
        for e in g.valid("PLAYS_IN")
        if e["target"] == "PRO-04" and e["role"] == "Fortune Teller"
    ),
    "role on PLAYS_IN into PRO-04.",
)

q(
    "multi_hop",
    "Which sponsors put money into the productions now running at Regent Hall?",
    ids(g.inn(on_at("HOU-4"), "FUNDS")),
    "HOU-4 <- productions <- sponsors.",
)
q(
    "multi_hop",
    "Take the members of Sparrow Opera: under which directors are they acting these days?",
    ids(g.inn(g.out(g.inn("COM-3", "MEMBER_OF"), "PLAYS_IN"), "DIRECTS")),
    "COM-3 <- actors -> productions <- directors.",
)
_shah = cast(g.out("DIR-4", "DIRECTS")) & g.inn("COM-4", "MEMBER_OF")
q(
    "multi_hop",
    "Has Priti Shah got anybody from Footlight Musicals in the shows she directs? Who?",
    yes(_shah, _shah),
    "Casts of DIR-4's productions and members of COM-4.",
)

q(
    "downstream",
    "The burst water main, ugh. Whichever house it is stopping now, "
    "which actors are in the shows there?",
    ids(cast(on_at(g.out("MIS-2", "HALTS")))),
    "MIS-2 -> HOU-2 <- productions <- actors; HOU-1 is over.",
)
q(
    "downstream",
    "If Northen Dyeworks stops delivering, which productions feel it "
    "through the workshops it suplies?",
    ids(g.out(g.walk("WKS-6", "SUPPLIES"), "BUILDS_FOR")),
    "WKS-6 -> workshops -> productions, relations valid now.",
)

q(
    "path",
    "Trace the shortest supply chain from Sawdust Yard to Winter Harbour.",
    {"path": g.paths("WKS-7", "PRO-02", directed=True)},
    "WKS-7 to PRO-02.",
)
assert g.paths("WKS-7", "PRO-02") == g.paths("WKS-7", "PRO-02", directed=True)
q(
    "path",
    "what connects mabel quick with pinnacle energy, by the shortest way?",
    {"path": g.paths("ACT-09", "SPO-4")},
    "ACT-09 to SPO-4 over any relations.",
)
q(
    "path",
    "At minimum, how many steps separate the Mouse invasion from Agnes Thorne?",
    num(len(g.paths("MIS-3", "DIR-1")[0]) - 1),
    "Length of the shortest path MIS-3 to DIR-1.",
)

q(
    "aggregation",
    "Per workshop that builds for a production: total cost of its current jobs, highest first.",
    rank(g.total("BUILDS_FOR", "source", "cost_keur")),
    "Sum of cost_keur over BUILDS_FOR valid now, by workshop.",
)
q(
    "aggregation",
    "Name the three productions that sponsors are giving the most money to at present.",
    rank(g.total("FUNDS", "target", "amount_keur"), k=3),
    "Sum of amount_keur over FUNDS valid now, by production.",
)
q(
    "aggregation",
    "mean age of our sopranos?",
    num(mean(g.n[a]["age"] for a in ACTORS if g.n[a]["voice"] == "soprano")),
    "Mean age of sopranos.",
)

q(
    "temporal",
    "What was Clara Whitlock's last day as a member of the Harlequin Players?",
    {"date": g.edge("ACT-05", "MEMBER_OF", "COM-1")["valid_to"]},
    "valid_to of ACT-05 MEMBER_OF COM-1.",
)
q(
    "temporal",
    "On New Year's Day 2026, what was playing at Regent Hall?",
    ids(g.inn("HOU-4", "RUNS_AT", "2026-01-01")),
    "RUNS_AT into HOU-4 on 2026-01-01.",
)
_gone = g.inn("HOU-1", "RUNS_AT", None) - on_at("HOU-1")
q(
    "temporal",
    "Which productions used to run at the Lantern and are now running at another house?",
    ids(p for p in _gone if g.out(p, "RUNS_AT")),
    "RUNS_AT into HOU-1 ended, another valid now.",
)

q(
    "what_if",
    "Lionel Batt quits tomorrow - which shows have no director then?",
    ids(p for p in g.out("DIR-3", "DIRECTS") if g.inn(p, "DIRECTS") == {"DIR-3"}),
    "Productions that DIR-3 alone directs now.",
)
_shut = {"WKS-2", "WKS-3"}
q(
    "what_if",
    "Were Needle & Thimble and Gilded Wig both to shut, "
    "which productions would lose their last workshop?",
    ids(p for p in g.out(_shut, "BUILDS_FOR") if g.inn(p, "BUILDS_FOR") <= _shut),
    "Productions all of whose workshops are WKS-2 or WKS-3.",
)
q(
    "what_if",
    "Supose Hexham Motors replaced Merrow Bank in everything that Merrow funds. "
    "How many productions would Hexham fund?",
    num(len(g.out({"SPO-1", "SPO-5"}, "FUNDS"))),
    "Productions funded now by SPO-1 or SPO-5, each once.",
)

q(
    "spof",
    "Which productions live off one sponsor alone?",
    ids(p for p in SHOWS if len(g.inn(p, "FUNDS")) == 1),
    "One distinct sponsor by FUNDS valid now, however many grants.",
)
_one = {h for h in g.t("House") if len(g.inn(h, "PATRON_OF")) == 1}
q(
    "spof",
    "Are there houses with just one patron today, and which ones?",
    yes(_one, _one),
    "In-degree 1 on PATRON_OF valid now.",
)

q(
    "inverse",
    "For which performers is there no understudy?",
    ids(ACTORS - g.out(ACTORS, "UNDERSTUDIES")),
    "All actors less the targets of UNDERSTUDIES valid now.",
)
q(
    "inverse",
    "how many productions that are currently on at a house get no sponsor's money?",
    num(len(on_at(g.t("House")) - g.out(g.t("Sponsor"), "FUNDS"))),
    "Productions running now less those funded now.",
)
q(
    "inverse",
    "Sponsors who aren't the patron of any house, please.",
    ids(g.t("Sponsor") - g.inn(g.t("House"), "PATRON_OF")),
    "All sponsors less the sources of PATRON_OF valid now.",
)

_budget = {h: g.sum(on_at(h), "budget_keur") for h in ("HOU-1", "HOU-4")}
q(
    "compare",
    "Lantern Theatre or Regent Hall: which has the bigger total budget "
    "over its current productions? Both totals, please.",
    cmp_("HOU-1", "HOU-4", budget_keur=list(_budget.values()), higher=lead(_budget)[0]),
    "Sum of budget_keur over productions running now.",
)
q(
    "compare",
    "Wich workshops build for Queen of Salt as well as for The Miller's Daughter?",
    ids(g.inn("PRO-08", "BUILDS_FOR") & g.inn("PRO-03", "BUILDS_FOR")),
    "Intersection of workshops.",
)
q(
    "compare",
    "Who acts in The Glass Orchard without also being in Winter Harbour?",
    ids(cast("PRO-01") - cast("PRO-02")),
    "Difference of casts.",
)

_grave = g.where(ACTIVE, lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which directors have a show on at a house currently hit by a high or critical mishap?",
    ids(g.inn(on_at(g.out(_grave, "HALTS")), "DIRECTS")),
    "Active, high or critical, -> houses <- productions <- directors.",
)
q(
    "risk",
    "What house is losing the most performances to the mishaps going on there now?",
    ids(lead(g.total("HALTS", "target", "shows_lost"))),
    "Highest sum of shows_lost over HALTS valid now.",
)
_worst = g.t("Mishap", lambda r: r["severity"] == "critical")
_lantern = g.inn("HOU-1", "HALTS", None) & _worst
q(
    "risk",
    "Has a critical mishap ever stopped shows at the Lantern?",
    yes(_lantern, _lantern),
    "HALTS into HOU-1 at any time, critical: none.",
)

_leeds = g.t("House", lambda r: r["city"] == "Leeds")
_inside = {p for p in on_at(_leeds) if g.out(p, "RUNS_AT") <= _leeds}
_jobs = {w: g.out(w, "BUILDS_FOR") for w in WORKSHOPS}
q(
    "combined",
    "Which workshops build solely for productions playing in Leeds?",
    ids(w for w, ps in _jobs.items() if ps and ps <= _inside),
    "Universal over BUILDS_FOR valid now; WKS-5's both play there.",
)
_guests = {e["source"] for e in g.valid("MEMBER_OF") if e["contract"] == "guest"}
_opera = cast(g.t("Production", lambda r: r["genre"] == "opera"))
q(
    "combined",
    "Identify the guest members above the age of 30 who appear in an opera.",
    ids(g.where(_guests & _opera, lambda r: r["age"] > 30)),
    "Guest contract, age and genre together.",
)
_bristol = g.t("House", lambda r: r["city"] == "Bristol")
q(
    "combined",
    "What's the average ticket price of the shows on in Bristol now?",
    num(mean(e["ticket_eur"] for e in g.valid("RUNS_AT") if e["target"] in _bristol)),
    "Mean ticket_eur over RUNS_AT valid now into houses in Bristol.",
)

degree, between = g.degree(), g.betweenness()
q(
    "centrality",
    "Who is the best-connected actor if each link of whatever kind counts once?",
    ids(lead(of(degree, ACTORS))),
    "Highest degree among actors over valid relations.",
)
q(
    "centrality",
    "Going by betweenness, through which house do most shortest paths of the network run?",
    ids(lead({h: between[h] for h in g.t("House")})),
    "Highest undirected betweenness among houses.",
)
_playing = g.inn(SHOWS, "PLAYS_IN") | g.out(ACTORS, "PLAYS_IN")
q(
    "centrality",
    "Join every actor to each production they are in now, leaving out productions with no cast. "
    "How many separate clusters come out?",
    num(g.pieces(_playing, "PLAYS_IN")),
    "Connected components over PLAYS_IN valid now.",
)

q("unanswerable", "Who composed Queen of Salt?", no("not_in_schema"), "No composers.")
q("unanswerable", "At which house is Hamlet running?", no("unknown_entity"), "No such show.")
q(
    "unanswerable",
    "what's the wifi password at the old tannery",
    no("not_in_schema"),
    "No such property.",
)
q("unanswerable", "Does Gerald Finch understudy anyone?", no("unknown_entity"), "No such actor.")
q(
    "unanswerable",
    "Which show is Whitlock in?",
    no("ambiguous", "ACT-05", "ACT-08"),
    "Clara and Jonah Whitlock.",
)

assert len(rows) == 42
write("theatre", rows)
