"""Write trials.jsonl and grid.jsonl in this folder, gold computed from the data.

usage: python3 gold_trials_grid.py [--show]
Form and conventions as in gold.py. OVERHAULED is asked about with a day or with "ever", since all of it lies in the past.
"""

import collections
import json
import sys

from gold import (
    HERE,
    Graph,
    ambiguous,
    bottleneck,
    compare,
    ids,
    leaders,
    num,
    paths,
    ranked,
    sole,
    steps,
    total,
    unknown,
    yes,
)


def count(g, t, rel, inward=True, **props):
    """Member of t -> number of current relations of that name at it, none left out."""
    side = "target" if inward else "source"
    return {x: sum(e[side] == x for e in g.edges(rel, **props)) for x in g.type(t)}


def began(g, rel, year, side):
    return ids({e[side] for e in g.edges(rel, on=None) if (e["valid_from"] or "").startswith(year)})


def only(g, x, rel):
    """What x does by rel today that nobody else does."""
    return {y for y in g.ends(x, ">" + rel) if g.ends(y, "<" + rel) == {x}}


def isolated(g, t=None):
    return ids(x for x, d in g.degree().items() if d == 0 and (t is None or g.p(x, "type") == t))


def most_linked(g, t=None):
    return leaders({x: d for x, d in g.degree().items() if t is None or g.p(x, "type") == t})


def both(g, a, b, xa, xb, kind):
    """Compare two sets: sizes and what is shared."""
    return compare(a, b, counts={kind: [len(xa), len(xb)]}, shared={kind: sorted(xa & xb)})


def greater(a, b, name, x):
    return compare(a, b, values={name: x}, higher=a if x[0] > x[1] else b)


# ---------------------------------------------------------------- trials
def open_cases(g):
    """Trial -> cases in it from signals that are open."""
    out = collections.Counter()
    for e in g.edges("SEEN_IN"):
        if g.p(e["source"], "status") == "open":
            out[e["target"]] += e["cases"]
    return out


def basel(g):
    compounds = g.ends("MF-1", ">MAKES")
    trials = g.ends(compounds, "<TESTS")
    return compounds | trials | g.ends(trials, ">RUNS_AT")


def stock(g, compound):
    return total(g, g.ends(compound, "<BATCH_OF"), "units")


TRIALS = [
    (
        "lookup",
        "Who is the coordinating investigator of TIDEWAY-1?",
        lambda g: ids(g.ends("TRL-61", "<LEADS")),
        "LEADS into TRL-61.",
    ),
    (
        "lookup",
        "packs of lot 2040 sent to Lakeshore?",
        lambda g: num(g.edge("SHIPPED_TO", "B-2040", "ST-7")["packs"]),
        "packs on B-2040 SHIPPED_TO ST-7.",
    ),
    (
        "lookup",
        "Through which target does Calnexumab work?",
        lambda g: ids(g.ends("ORV-311", ">ACTS_ON")),
        "ACTS_ON out of ORV-311.",
    ),
    (
        "lookup",
        "tomasz lis looks after which sites",
        lambda g: ids(g.ends("MON-3", ">VISITS")),
        "Current VISITS out of MON-3.",
    ),
    (
        "multi_hop",
        "Which diseases are the studies about that Trialworks runs for us?",
        lambda g: ids(g.ends("CRO-1", ">MANAGES", ">STUDIES")),
        "CRO-1 -> trials -> indications.",
    ),
    (
        "multi_hop",
        "I need the manufacturers of every compound of ours that hits IL-17A.",
        lambda g: ids(g.ends("TG-2", "<ACTS_ON", "<MAKES")),
        "TG-2 <- two compounds <- manufacturers.",
    ),
    (
        "multi_hop",
        "trials under way at the sites Gareth Pugh vists",
        lambda g: ids(g.ends("MON-1", ">VISITS", "<RUNS_AT")),
        "Typo. MON-1 -> sites <- trials; current RUNS_AT only.",
    ),
    (
        "downstream",
        "Trouble at Basel Biologics. Spell out what hangs on it: the compounds it makes, the trials that test those compounds, and the sites where those trials run now.",
        lambda g: ids(basel(g)),
        "Union of three layers under MF-1; PALISADE-1 no longer runs anywhere, PALISADE-3 not yet.",
    ),
    (
        "downstream",
        "Follow PALISADE-3 back: which earlier studies does it build on, directly or by way of another?",
        lambda g: ids(g.closure("TRL-43", ">FOLLOWS")),
        "FOLLOWS forwards to the end, the start left out.",
    ),
    (
        "downstream",
        "The liver enzyme rise: at which sites is a trial running in which it came up?",
        lambda g: ids(g.ends("SIG-08", ">SEEN_IN", ">RUNS_AT")),
        "SIG-08 -> trials -> current sites.",
    ),
    (
        "path",
        "How is Ganga connected to the Riverside Medical Center? The shortest route will do.",
        lambda g: paths(g, "MF-2", "ST-6"),
        "Shortest paths, undirected; by the lot or by the trial.",
    ),
    (
        "path",
        "Minimum number of links from Dr Arata to Basel Biologics?",
        lambda g: steps(g, "DR-5", "MF-1"),
        "Length of the shortest path in edges.",
    ),
    (
        "path",
        "chain from SUB-501 to Gareth Pugh",
        lambda g: paths(g, "SUB-501", "MON-1"),
        "Shortest paths, undirected; one for each of his three sites.",
    ),
    (
        "aggregation",
        "How many packs has Saint-Roch been sent, all lots together?",
        lambda g: num(sum(e["packs"] for e in g.edges("SHIPPED_TO", b="ST-3"))),
        "Sum of packs on SHIPPED_TO into ST-3.",
    ),
    (
        "aggregation",
        "average budget of the psoriasis studies, in m€",
        lambda g: num(
            total(g, g.ends("IN-2", "<STUDIES"), "budget_meur") / len(g.ends("IN-2", "<STUDIES"))
        ),
        "Mean of budget_meur over the four trials of IN-2.",
    ),
    (
        "aggregation",
        "For each compound, count the trials that have it as the study drug, highest first.",
        lambda g: ranked(count(g, "Compound", "TESTS", role="study drug")),
        "TESTS with role study drug; HELIX's drug is a comparator in PALISADE-2.",
    ),
    (
        "temporal",
        "Until what day did Kantara run SOLACE-3 for us?",
        lambda g: {"date": next(g.edges("MANAGES", "CRO-2", "TRL-31", on=None))["valid_to"]},
        "valid_to of the former MANAGES.",
    ),
    (
        "temporal",
        "Prowse: at which site did he work on 31 December 2021?",
        lambda g: ids(g.ends("DR-2", ">WORKS_AT", on="2021-12-31")),
        "Last day at ST-9, still counted.",
    ),
    (
        "temporal",
        "What was running at Westend on 1 June 2021?",
        lambda g: ids(g.ends("ST-2", "<RUNS_AT", on="2021-06-01")),
        "RUNS_AT valid that day; two trials overlapped.",
    ),
    (
        "temporal",
        "At which sites did a trial start in the course of 2025?",
        lambda g: began(g, "RUNS_AT", "2025", "target"),
        "RUNS_AT with valid_from in 2025.",
    ),
    (
        "what_if",
        "If Ganga pulled out, which of the compounds it makes would nobody be making any more?",
        lambda g: ids(only(g, "MF-2", "MAKES")),
        "Compounds whose only current maker is MF-2; Tesovartan went to Monte Sintesi.",
    ),
    (
        "what_if",
        "Say we end the agreement with Trialworks. Which of its trials, finished ones included, would be left without a CRO?",
        lambda g: ids(only(g, "CRO-1", "MANAGES")),
        "HELIX-3 still has Nippon Clinical.",
    ),
    (
        "what_if",
        "Saint-Roch shuts down tomorrow - is there a trial running there that runs at no other site, and if so which?",
        lambda g: (lambda x: yes(x, x))(
            {t for t in g.ends("ST-3", "<RUNS_AT") if g.ends(t, ">RUNS_AT") == {"ST-3"}}
        ),
        "PALISADE-2 has Westend too.",
    ),
    (
        "spof",
        "Which compounds have exactly one manufacturer?",
        lambda g: ids(sole(g, "Compound", "MAKES")),
        "In-degree 1 on current MAKES; Morvastide has none.",
    ),
    (
        "spof",
        "Does any doctor besides Maury work at Saint-Roch?",
        lambda g: (lambda x: yes(x, x))(g.ends("ST-3", "<WORKS_AT") - {"DR-3"}),
        "Nobody else: no.",
    ),
    (
        "spof",
        "sites that have had packs out of one batch only",
        lambda g: ids(sole(g, "Site", "SHIPPED_TO")),
        "In-degree 1 on SHIPPED_TO.",
    ),
    (
        "inverse",
        "Which sites have no trial running at the moment?",
        lambda g: ids(g.type("Site") - g.ends(g.type("Trial"), ">RUNS_AT")),
        "All sites less the targets of current RUNS_AT.",
    ),
    (
        "inverse",
        "How many of our compounds have no safety signal against them at all, not even a refuted one?",
        lambda g: num(len(g.type("Compound") - g.ends(g.type("SafetySignal"), ">SUSPECTED_OF"))),
        "6 less the targets of SUSPECTED_OF, whatever the signal's status.",
    ),
    (
        "inverse",
        "Trials that no CRO manages?",
        lambda g: ids(g.type("Trial") - g.ends(g.type("CRO"), ">MANAGES")),
        "All trials less the targets of current MANAGES.",
    ),
    (
        "compare",
        "HELIX-3 against SOLACE-3: number of sites each runs at now, and the ones they have in common.",
        lambda g: both(
            g,
            "TRL-22",
            "TRL-31",
            g.ends("TRL-22", ">RUNS_AT"),
            g.ends("TRL-31", ">RUNS_AT"),
            "Site",
        ),
        "Current RUNS_AT; Signal Hill left SOLACE-3.",
    ),
    (
        "compare",
        "Of which do we have more packs left in stock, Lumeraxib or Calnexumab, adding up all lots of each? Both totals please.",
        lambda g: greater(
            "ORV-118", "ORV-311", "units", [stock(g, "ORV-118"), stock(g, "ORV-311")]
        ),
        "Sum of units over the batches of each, whatever their state.",
    ),
    (
        "compare",
        "which sites got lot 3311 but not lot 3305",
        lambda g: ids(g.ends("B-3311", ">SHIPPED_TO") - g.ends("B-3305", ">SHIPPED_TO")),
        "Set difference of SHIPPED_TO: Saint-Roch got both, so none.",
    ),
    (
        "risk",
        "In which trials has a serious signal come up that is still open?",
        lambda g: ids(
            g.ends(g.type("SafetySignal", severity="serious", status="open"), ">SEEN_IN")
        ),
        "Severity and status on the signal, then SEEN_IN; pancreatitis is confirmed, not open.",
    ),
    (
        "risk",
        "Cases per trial from the open safety signals, worst trial first. Leave out trials with none.",
        lambda g: ranked(open_cases(g)),
        "Sum of cases on SEEN_IN from open signals.",
    ),
    (
        "risk",
        "Which compound has most open safety signals against it?",
        lambda g: leaders(
            collections.Counter(
                c for s in g.type("SafetySignal", status="open") for c in g.ends(s, ">SUSPECTED_OF")
            )
        ),
        "In-degree on SUSPECTED_OF from open signals; one.",
    ),
    (
        "combined",
        "Compounds that come from a company whose GMP status is under review AND are tested in a study that's recruiting, which are they?",
        lambda g: ids(
            g.ends(g.type("Manufacturer", gmp_status="under review"), ">MAKES")
            & g.ends(g.type("Trial", status="recruiting"), ">TESTS")
        ),
        "Maker's and trial's status together; Pridolafen's trial is stopped.",
    ),
    (
        "combined",
        "On 1 January 2024, at which sites was no trial running?",
        lambda g: ids(g.type("Site") - g.ends(g.type("Trial"), ">RUNS_AT", on="2024-01-01")),
        "Temporal and inverse; only SOLACE-3 ran that day.",
    ),
    (
        "combined",
        "Who leads a phase 3 trial today and has a GCP certificate that lapses before the end of 2027?",
        lambda g: ids(
            d
            for d in g.ends(g.type("Trial", phase=3), "<LEADS")
            if g.p(d, "gcp_valid_until") < "2027-12-31"
        ),
        "Current LEADS, trial phase and date threshold; Bell's runs into 2028.",
    ),
    (
        "centrality",
        "Which entity has the greatest number of direct links of all kinds?",
        most_linked,
        "Highest degree over all current relations.",
    ),
    (
        "centrality",
        "Links read both ways, which site is the tightest bottleneck by betweenness?",
        lambda g: bottleneck(g, "Site"),
        "Betweenness in the whole graph, best of the sites.",
    ),
    (
        "centrality",
        "Is anything cut off entirely, with not one current relation? Name it.",
        lambda g: (lambda x: yes(x, x))(isolated(g)["ids"]),
        "Degree 0: all that Signal Hill had has ended.",
    ),
    ("unanswerable", "Which CRO manages BOREALIS-3?", unknown(), "No such trial."),
    (
        "unanswerable",
        "Who leads the PALISADE trial?",
        ambiguous("TRL-41", "TRL-42", "TRL-43"),
        "Three trials of that name. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "Which insurers cover the patients at Riverside?",
        unknown("not_in_schema"),
        "No insurers in the schema.",
    ),
    (
        "unanswerable",
        "SIG-19: in which trials was it seen?",
        unknown(),
        "Well-formed id of no signal.",
    ),
]


# ---------------------------------------------------------------- grid
def threatened(g):
    """Lines in the path of a hazard that is running."""
    return g.ends(g.type("Hazard", status="running"), ">THREATENS")


def drawn(g, *stations):
    return g.ends(stations, ">FEEDS") | g.ends(stations, ">SUPPLIES")


def behind(g, customer):
    stations = g.ends(customer, "<SUPPLIES")
    return stations | g.ends(stations, "<INJECTS_AT")


def rating(g, station):
    return total(g, g.ends(station, "<INSTALLED_IN"), "rating_mva")


GRID = [
    (
        "lookup",
        "Which contractor looks after the Western tie?",
        lambda g: ids(g.ends("L-112", "<MAINTAINS")),
        "MAINTAINS into L-112.",
    ),
    (
        "lookup",
        "How many percent of Midshire Rail's demand comes from Dunmere?",
        lambda g: num(g.edge("SUPPLIES", "SS-04", "CU-5")["share_pct"]),
        "share_pct on SS-04 SUPPLIES CU-5.",
    ),
    (
        "lookup",
        "power plants delivering at gannet point",
        lambda g: ids(g.ends("SS-07", "<INJECTS_AT")),
        "INJECTS_AT into SS-07.",
    ),
    (
        "lookup",
        "For which areas is the Cable crew responsible?",
        lambda g: ids(g.ends("CR-B", ">COVERS")),
        "COVERS out of CR-B.",
    ),
    (
        "multi_hop",
        "What transformers stand in the substations that Midshire Rail is connected to?",
        lambda g: ids(g.ends("CU-5", "<SUPPLIES", "<INSTALLED_IN")),
        "CU-5 <- two substations <- transformers.",
    ),
    (
        "multi_hop",
        "contractors for the lines that end at Gannet Point, all of them pls",
        lambda g: ids(g.ends("SS-07", "<ENDS_AT", "<MAINTAINS")),
        "SS-07 <- lines <- contractors.",
    ),
    (
        "multi_hop",
        "In which areas do the large customers sit that are connected to the Brinsford substation?",
        lambda g: ids(g.ends("SS-02", ">SUPPLIES", ">LIES_IN")),
        "SS-02 -> customers -> areas.",
    ),
    (
        "downstream",
        "Which areas get power from a substation at either end of a line in Odette's path?",
        lambda g: ids(g.ends("HZ-1", ">THREATENS", ">ENDS_AT", ">FEEDS")),
        "HZ-1 -> lines -> substations -> areas.",
    ),
    (
        "downstream",
        "Dunmere and Holt Cross are both dead. List every area and large customer that draws power from either.",
        lambda g: ids(drawn(g, "SS-04", "SS-08")),
        "FEEDS and SUPPLIES out of both; Castell Paper is no longer on Holt Cross.",
    ),
    (
        "downstream",
        "upstream of St Brannock: the substations it's connected to and the plants that deliver their power at those",
        lambda g: ids(behind(g, "CU-2")),
        "Union of two layers above CU-2.",
    ),
    (
        "path",
        "By what shortest chain of links, of any kind, does NordNett hang together with Vireo?",
        lambda g: paths(g, "NB-1", "CU-3"),
        "Shortest paths, undirected; by Gannet Point or by the contractor of both cables.",
    ),
    (
        "path",
        "Lindholm to Pellworth Chemicals is how many steps at the least?",
        lambda g: steps(g, "CO-1", "CU-4"),
        "Length of the shortest path in edges.",
    ),
    (
        "path",
        "What connects Hexham Cables with Storm Odette? I'm after the shortest chain.",
        lambda g: paths(g, "CO-4", "HZ-1"),
        "Shortest path, undirected.",
    ),
    (
        "aggregation",
        "Total length in km of the lines Tarn looks after",
        lambda g: num(total(g, g.ends("CO-2", ">MAINTAINS"), "length_km")),
        "Sum of length_km over MAINTAINS out of CO-2.",
    ),
    (
        "aggregation",
        "How many households are there altogether in the areas the Storm crew covers?",
        lambda g: num(total(g, g.ends("CR-D", ">COVERS"), "households")),
        "Sum of households over current COVERS.",
    ),
    (
        "aggregation",
        "Rank all the substations by the number of lines connected to them.",
        lambda g: ranked(count(g, "Substation", "ENDS_AT")),
        "In-degree on ENDS_AT; many ties.",
    ),
    (
        "temporal",
        "Which transformer was being overhauled on 1 May 2021?",
        lambda g: ids(g.ends(g.type("Contractor"), ">OVERHAULED", on="2021-05-01")),
        "OVERHAULED valid that day.",
    ),
    (
        "temporal",
        "up to what date did Gridline look after L-103",
        lambda g: {"date": next(g.edges("MAINTAINS", "CO-5", "L-103", on=None))["valid_to"]},
        "valid_to of the former MAINTAINS.",
    ),
    (
        "temporal",
        "At which substation did Marlow deliver its power on 31 October 2025?",
        lambda g: ids(g.ends("PP-6", ">INJECTS_AT", on="2025-10-31")),
        "Last day at Ingleby, still counted.",
    ),
    (
        "temporal",
        "On which lines did a contractor start maintenance in 2021?",
        lambda g: began(g, "MAINTAINS", "2021", "target"),
        "MAINTAINS with valid_from in 2021.",
    ),
    (
        "what_if",
        "Hexham walks away. Which of its lines would then have no contractor at all?",
        lambda g: ids(only(g, "CO-4", "MAINTAINS")),
        "Lindholm is on L-108 as well.",
    ),
    (
        "what_if",
        "Suppose we lost the Eastholme substation: is St Brannock connected to another one, and which?",
        lambda g: (lambda x: yes(x, x))(g.ends("CU-2", "<SUPPLIES") - {"SS-05"}),
        "Yes: Coldharbour.",
    ),
    (
        "what_if",
        "With the Brinsford substation gone, which large customers would have no substation left to supply them?",
        lambda g: ids(only(g, "SS-02", "SUPPLIES")),
        "Midshire Rail still has Dunmere.",
    ),
    (
        "spof",
        "Which large customers are connected to a single substation?",
        lambda g: ids(sole(g, "LargeCustomer", "SUPPLIES")),
        "In-degree 1 on current SUPPLIES.",
    ),
    (
        "spof",
        "substatons with just one transformer in them",
        lambda g: ids(sole(g, "Substation", "INSTALLED_IN")),
        "Typo. In-degree 1 on INSTALLED_IN.",
    ),
    (
        "spof",
        "Apart from the Cable crew, is another crew responsible for Harbourside? Which?",
        lambda g: (lambda x: yes(x, x))(g.ends("AR-6", "<COVERS") - {"CR-B"}),
        "Nobody else: no.",
    ),
    (
        "inverse",
        "Which substations have no power plant connected to them, running or not?",
        lambda g: ids(g.type("Substation") - g.ends(g.type("PowerPlant"), ">INJECTS_AT")),
        "All less the targets of current INJECTS_AT; Marlow, though stopped, is at Holt Cross and has left Ingleby.",
    ),
    (
        "inverse",
        "How many lines aren't in the path of any hazard today?",
        lambda g: num(len(g.type("Line") - g.ends(g.type("Hazard"), ">THREATENS"))),
        "12 less the targets of current THREATENS.",
    ),
    (
        "inverse",
        "Which transformers has nobody ever overhauled?",
        lambda g: ids(g.type("Transformer") - g.ends(g.type("Contractor"), ">OVERHAULED", on=None)),
        "All less the targets of OVERHAULED, past ones included, as ever says.",
    ),
    (
        "compare",
        "Compare Lindholm and Hexham: how many lines does each maintain, and which do both?",
        lambda g: both(
            g, "CO-1", "CO-4", g.ends("CO-1", ">MAINTAINS"), g.ends("CO-4", ">MAINTAINS"), "Line"
        ),
        "Current MAINTAINS.",
    ),
    (
        "compare",
        "Aldermoor or Dunmere, where do the transformers add up to the higher rating? Give both sums in MVA.",
        lambda g: greater("SS-01", "SS-04", "rating_mva", [rating(g, "SS-01"), rating(g, "SS-04")]),
        "Sum of rating_mva over INSTALLED_IN.",
    ),
    (
        "compare",
        "areas covered by the storm crew but not by the northern lines crew",
        lambda g: ids(g.ends("CR-D", ">COVERS") - g.ends("CR-A", ">COVERS")),
        "Set difference of current COVERS.",
    ),
    (
        "risk",
        "Which lines does a running hazard of high severity threaten?",
        lambda g: ids(g.ends(g.type("Hazard", status="running", severity="high"), ">THREATENS")),
        "Severity and status on the hazard, then THREATENS.",
    ),
    (
        "risk",
        "Order the substations by how many of the lines ending there are threatened right now. Most first, and skip those with none.",
        lambda g: ranked(
            collections.Counter(s for x in threatened(g) for s in g.ends(x, ">ENDS_AT"))
        ),
        "Lines under a current THREATENS, counted by substation.",
    ),
    (
        "risk",
        "Outages now running, by energy lost so far, biggest loss first",
        lambda g: ranked(
            {x: g.p(x, "energy_lost_mwh") for x in g.type("Outage", status="running")}
        ),
        "energy_lost_mwh over status running.",
    ),
    (
        "combined",
        "Which crews were not at work on any outage on 29 July 2026?",
        lambda g: ids(g.type("Crew") - g.ends(g.type("Outage"), "<WORKS_ON", on="2026-07-29")),
        "Temporal and inverse.",
    ),
    (
        "combined",
        "Priority class 1 customers connected to a substation that is loaded above 80 percent?",
        lambda g: ids(
            g.type("LargeCustomer", priority_class=1)
            & g.ends({s for s in g.type("Substation") if g.p(s, "load_pct") > 80}, ">SUPPLIES")
        ),
        "Threshold on the substation, class on the customer.",
    ),
    (
        "combined",
        "Lines that are out and in the care of a contractor whose safety rating is C or D: which?",
        lambda g: ids(
            g.type("Line", status="out")
            & g.ends(
                g.type("Contractor", safety_rating="C") | g.type("Contractor", safety_rating="D"),
                ">MAINTAINS",
            )
        ),
        "Gridline no longer looks after L-103.",
    ),
    (
        "centrality",
        "Which substations have the most connections, counting every kind of relation?",
        lambda g: most_linked(g, "Substation"),
        "Highest degree among substations.",
    ),
    (
        "centrality",
        "whats the no. 1 bottleneck node by betweenness, ignoring direction",
        bottleneck,
        "Highest betweenness, undirected.",
    ),
    (
        "centrality",
        "Which contractors have no link to anything at present?",
        lambda g: isolated(g, "Contractor"),
        "Degree 0 over current relations; their work is in the past.",
    ),
    (
        "unanswerable",
        "Which areas does the Penhallow substation feed?",
        unknown(),
        "No such substation.",
    ),
    (
        "unanswerable",
        "At which substation does the wind farm deliver its power?",
        ambiguous("PP-1", "PP-4"),
        "Two wind farms: Hollin Moss and Gannet Bank. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "Which smart meters are fitted in Harbourside?",
        unknown("not_in_schema"),
        "No meters in the schema.",
    ),
    (
        "unanswerable",
        "out-2215, which crew is on that one?",
        unknown(),
        "Well-formed id of no outage.",
    ),
]


def main():
    for domain, rows in (("trials", TRIALS), ("grid", GRID)):
        g, seen, out = Graph(domain), collections.Counter(), []
        for k, (category, query, gold, note) in enumerate(rows, 1):
            seen[category] += 1
            out.append(
                {
                    "id": f"b{domain[0]}-{k:03d}",
                    "category": category,
                    "query": query,
                    "gold": gold(g),
                    "note": note,
                }
            )
        assert len({r["query"] for r in out}) == len(out) == 45, (domain, len(out))
        (HERE / f"{domain}.jsonl").write_text(
            "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in out), encoding="utf-8"
        )
        print(domain, len(out), dict(seen))
        if "--show" in sys.argv:
            for r in out:
                print(
                    f"  {r['id']} {r['category']:12s} {r['query']}\n      {json.dumps(r['gold'], ensure_ascii=False)}"
                )


if __name__ == "__main__":
    main()
