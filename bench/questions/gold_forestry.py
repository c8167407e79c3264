"""Blind questions for the forestry company; gold computed from the data. usage: python3 gold_forestry.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
STRIKES has valid_from = the day of the event and no end. Degree and betweenness: undirected, all current nodes and relations."""

import pathlib

from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent


def forestry(g):
    q = []
    add = lambda c, text, gold, note=None: q.append((c, text, gold, {"note": note} if note else {}))
    D, ST, F, SP, M, C, B, P, X = (
        g.t(x)
        for x in "District Stand Forester Species Machine Contractor Mill Permit Calamity".split()
    )
    N = g.n
    # lookup
    add("lookup", "Who looks after Adlerkopf?", ids(g.inn("ST-101", "LOOKS_AFTER")))
    add(
        "lookup",
        "What rate per cube do we pay Bergseil in Oberes Eck?",
        num(g.edge("C-4", "HARVESTS", "ST-106", AS_OF)["rate_eur_m3"]),
    )
    add("lookup", "which mills does ST-109 send wood to", ids(g.out("ST-109", "DELIVERS_TO")))
    add(
        "lookup",
        "So the Jagdhaus, what machines have we actually got working in there at the moment?",
        ids(g.inn("ST-118", "WORKS_IN")),
    )
    # multi hop
    add(
        "multi_hop",
        "Which foresters are in charge of a stand that Storm Uwe struck?",
        ids(g.inn(g.out("E-3", "STRIKES") & ST, "LOOKS_AFTER")),
    )
    add(
        "multi_hop",
        "In which districts is one of Holzer's own machines at work?",
        ids(g.out(g.out(g.out("C-1", "OWNS"), "WORKS_IN"), "LIES_IN")),
        "Contractor owns machine works in stand lies in district.",
    )
    add(
        "multi_hop",
        "I've got a truck driver asking what species he could possibly be hauling into Brettl, so whatever grows in the stands that supply it. Can you list them?",
        ids(g.out(g.inn("B-6", "DELIVERS_TO"), "STOCKED_WITH")),
    )
    # filters
    add(
        "filter",
        "List the stands steeper than 30 degrees.",
        ids(g.where(ST, lambda r: r["slope_deg"] > 30)),
    )
    add(
        "filter",
        "Names, please, of the juniors we took on in 2018 or later",
        ids(g.where(F, lambda r: r["grade"] == "junior" and r["hired"] >= "2018-01-01")),
    )
    add(
        "filter",
        "Which salvage permits have their last day between today and New Year's Eve 2026?",
        ids(g.where(P, lambda r: r["kind"] == "salvage" and AS_OF <= r["expires"] <= "2026-12-31")),
    )
    # negation
    add(
        "negation",
        "Which stands have nobody looking after them?",
        ids(ST - g.out(F, "LOOKS_AFTER")),
    )
    idle = M - {e["source"] for e in g.valid("WORKS_IN")}
    assert idle == g.where(M, lambda r: r["state"] != "working")
    add(
        "negation",
        "What machinry isn't out working in any stand right now?",
        ids(idle),
        "Typo meant. Same set by WORKS_IN and by state.",
    )
    add(
        "negation",
        "Which production stands over in Moosgrund have been spared by every calamity on our books, the closed ones too?",
        ids(
            g.where(g.inn("D-MOO", "LIES_IN"), lambda r: r["function"] == "production")
            - g.out(X, "STRIKES", None)
        ),
    )
    # aggregation
    add(
        "aggregation",
        "Total growing stock of the stands Pavel Dvorak looks after, in cubic metres?",
        num(g.sum(g.out("F-06", "LOOKS_AFTER"), "volume_m3")),
    )
    pr = g.where(ST, lambda r: r["function"] == "protection")
    add(
        "aggregation",
        "What is the avarage slope of the protection stands?",
        num(g.sum(pr, "slope_deg") / len(pr)),
        "Typo meant.",
    )
    add(
        "aggregation",
        "All told, how many cubes a month are we sending Lechner?",
        num(sum(e["m3_month"] for e in g.valid("DELIVERS_TO") if e["target"] == "B-1")),
    )
    add(
        "aggregation",
        "How many cubic metres a month does Mittelholz send to Donau Pulp, both contracts together?",
        num(
            sum(
                e["m3_month"]
                for e in g.valid("DELIVERS_TO")
                if (e["source"], e["target"]) == ("ST-121", "B-3")
            )
        ),
        "Two parallel relations.",
    )
    # superlative
    mm = {b: sum(e["m3_month"] for e in g.valid("DELIVERS_TO") if e["target"] == b) for b in B}
    r3 = rank(mm, k=3)
    add(
        "superlative",
        "Top three mills by cubic metres a month we deliver to them",
        {**r3, "ids": sorted(i for i, _ in r3["ranking"])},
    )
    fs = {f: len(g.out(f, "LOOKS_AFTER")) for f in F}
    assert len(lead(fs)) == 1
    add("superlative", "Who has the most stands on their plate as forester?", ids(lead(fs)))
    # grouping
    add("grouping", "Number of stands per district", rank({d: len(g.inn(d, "LIES_IN")) for d in D}))
    add(
        "grouping",
        "damaged timber per calamity in cubic metres, worst first",
        rank(
            {
                x: sum(e["damage_m3"] for e in g.valid("STRIKES", None) if e["source"] == x)
                for x in X
            }
        ),
    )
    ag = {}
    for e in g.valid("HARVESTS"):
        ag[e["source"]] = ag.get(e["source"], 0) + e["agreed_m3"]
    add(
        "grouping",
        "For each contractor with a harvesting contract in force today, add up the volume agreed and put the biggest at the top.",
        rank(ag),
    )
    # compare
    a, b = g.out("ST-121", "DELIVERS_TO"), g.out("ST-125", "DELIVERS_TO")
    add(
        "compare",
        "Mittelholz against Grenzhau: how many mills does each one deliver to, and which mills get wood from both?",
        cmp_("ST-121", "ST-125", counts={"Mill": [len(a), len(b)]}, shared={"Mill": sorted(a & b)}),
    )
    add(
        "compare",
        "What does Lechner buy that Hofmann won't touch? Species I mean.",
        ids(g.out("B-1", "TAKES") - g.out("B-2", "TAKES")),
    )
    # property against property
    add(
        "property_vs_property",
        "Which species have a list price in euros that is higher than their rotation in years?",
        ids(g.where(SP, lambda r: r["log_price_eur"] > r["rotation_years"])),
    )
    add(
        "property_vs_property",
        "Is any forester longer in the company than the person he or she reports to? Who?",
        yes(
            True,
            {
                e["source"]
                for e in g.valid("REPORTS_TO")
                if N[e["source"]]["hired"] < N[e["target"]]["hired"]
            },
        ),
    )
    # universals
    add(
        "universal",
        "Which contractors own at least one machine and have every single one of theirs in working state?",
        ids(c for c in C if (o := g.out(c, "OWNS")) and all(N[m]["state"] == "working" for m in o)),
    )
    add(
        "universal",
        "In which districts does every stand have a forester?",
        ids(d for d in D if all(g.inn(s, "LOOKS_AFTER") for s in g.inn(d, "LIES_IN"))),
    )
    add(
        "universal",
        "Is there a mill that lives on Steinach timber alone, meaning all the stands that deliver to it lie in the Steinach District? Which?",
        yes(
            True,
            {b for b in B if (s := g.inn(b, "DELIVERS_TO")) and g.out(s, "LIES_IN") == {"D-STE"}},
        ),
    )
    # single source
    add(
        "spof",
        "Which species are bought by only one mill?",
        ids(s for s in SP if len(g.inn(s, "TAKES")) == 1),
    )
    add(
        "spof",
        "production stands that hang on a single buyer",
        ids(
            s
            for s in g.where(ST, lambda r: r["function"] == "production")
            if len(g.out(s, "DELIVERS_TO")) == 1
        ),
    )
    # what if
    add(
        "what_if",
        "If Lechner stopped buying, which stands would be left without any buyer?",
        ids(s for s in ST if g.out(s, "DELIVERS_TO") == {"B-1"}),
    )
    two = {"F-06", "F-08"}
    add(
        "what_if",
        "Suppose Pavel Dvorak and Georg Wimmer both hand in their notice today and nobody steps in. How many stands lose the last forester they have?",
        num(len([s for s in ST if (f := g.inn(s, "LOOKS_AFTER")) and f <= two])),
        "Relations valid today; the future one from October does not count.",
    )
    add(
        "what_if",
        "Say Holzer goes bust and takes its machines off the hill: which stands end up with no machine working, though they have one now?",
        ids(s for s in ST if (m := g.inn(s, "WORKS_IN")) and m <= g.out("C-1", "OWNS")),
    )
    # downstream of an event
    hit = g.out("E-4", "STRIKES")
    add(
        "downstream",
        "What does the Rosstal Beetle Outbreak reach? I want the stands it has struck plus the mills those stands deliver to.",
        ids(hit | g.out(hit, "DELIVERS_TO")),
    )
    add(
        "downstream",
        "Storm Uwe again: which contractors have a harvesting contract running in the stands it knocked about?",
        ids(g.inn(g.out("E-3", "STRIKES"), "HARVESTS")),
    )
    # temporal
    assert g.inn("ST-122", "LOOKS_AFTER", "2025-06-01") == g.inn(
        "ST-122", "LOOKS_AFTER", "2025-06-30"
    )
    add(
        "temporal",
        "Who was looking after Neuhau in June 2025?",
        ids(g.inn("ST-122", "LOOKS_AFTER", "2025-06-15")),
    )
    add(
        "temporal",
        "Since when has Nordhang owned the Wisent?",
        {"date": g.edge("C-6", "OWNS", "M-07", AS_OF)["valid_from"]},
    )
    add(
        "temporal",
        "For which stands did a forester take over in the course of 2024?",
        ids(
            e["target"]
            for e in g.valid("LOOKS_AFTER", None)
            if (e["valid_from"] or "").startswith("2024")
        ),
    )
    on = "2026-10-01"
    add(
        "temporal",
        "Who'll be in charge of the Jagdhausforst come the first of October this year?",
        ids(g.inn("ST-118", "LOOKS_AFTER", on)),
    )
    d1, d2 = "2025-12-31", AS_OF
    ow = lambda d: {e["target"]: e["source"] for e in g.valid("OWNS", d)}
    add(
        "temporal",
        "Which machines have a different owner today from the one they had on 31 December 2025?",
        ids(m for m in M if ow(d1).get(m) and ow(d2).get(m) and ow(d1)[m] != ow(d2)[m]),
    )
    # paths
    add(
        "path",
        "What is the shortest chain of links from Mira Kolb to Furnier Kranz?",
        {"path": g.paths("F-03", "B-4")},
    )
    add(
        "path",
        "Driving on our roads only, which route from Hirschtanz to the Lechner mill is the shortest in kilometres?",
        {"path": g.cheapest("ST-105", "B-1", "ROAD_TO", "length_km")[0]},
        "Least sum of length_km over ROAD_TO, both ways.",
    )
    add(
        "path",
        "How many kilometers of road is it at the very least from Plattenwald down to Hofmann?",
        num(g.cheapest("ST-119", "B-2", "ROAD_TO", "length_km")[1]),
        "Least sum of length_km over ROAD_TO, both ways.",
    )
    # structure
    dg = {k: v for k, v in g.degree().items() if N[k]["type"] == "Stand"}
    dg2 = {k: v for k, v in g.degree(False).items() if N[k]["type"] == "Stand"}
    assert lead(dg) == lead(dg2) and len(lead(dg)) == 1, (lead(dg), lead(dg2))
    add(
        "structure", "Taking links of every kind, which stand is the best connected?", ids(lead(dg))
    )
    adj = g.adj("ROAD_TO")

    def comp(x):
        seen, f = {x}, [x]
        while f:
            y = f.pop()
            for z in adj[y] - seen:
                seen.add(z)
                f.append(z)
        return seen

    add(
        "structure",
        "Which stands cannot be reached by road from any mill at all, not even by way of other stands?",
        ids(s for s in ST if not comp(s) & B),
    )

    def reach(x, cut):
        seen, f = {x}, [x]
        while f:
            for z in adj[f.pop()] - seen - {cut}:
                seen.add(z)
                f.append(z)
        return seen

    add(
        "structure",
        "Is there a bottleneck for Eichberg, I mean a stand that every road trip from there to a mill has to go through? Which one?",
        yes(True, {s for s in ST - {"ST-113"} if not reach("ST-113", s) & B}),
        "Cut node over ROAD_TO, both ways.",
    )
    # yes/no
    add("yes_no", "Does Donau Pulp take larch?", yes("SP-3" in g.out("B-3", "TAKES")))
    bad = {e["target"] for e in g.valid("WORKS_IN") if not g.inn(e["target"], "COVERS")}
    add(
        "yes_no",
        "Have we got machines going in a stand that isn't covered by any permit valid today, and if so in which stand?",
        yes(bool(bad), bad),
    )
    # set operations
    add(
        "set",
        "Stands that both Storm Frieda and the Rosstal Beetle Outbreak have struck",
        ids(g.out("E-1", "STRIKES") & g.out("E-4", "STRIKES")),
    )
    # event order
    add(
        "event_order",
        "Which calamities began after Storm Uwe did?",
        ids(g.where(X, lambda r: r["date"] > N["E-3"]["date"])),
    )
    add(
        "event_order",
        "Between the day storm Uwe broke and the day the Rosstal Beetle Outbreak began, what permits were issued?",
        ids(g.where(P, lambda r: N["E-3"]["date"] <= r["issued"] <= N["E-4"]["date"])),
    )
    # second of the sets, with ids
    add(
        "set",
        "everything with alder or oak in it that lies in D-FAL or D-MOO",
        ids(
            (g.inn("SP-8", "STOCKED_WITH") | g.inn("SP-7", "STOCKED_WITH"))
            & (g.inn("D-FAL", "LIES_IN") | g.inn("D-MOO", "LIES_IN"))
        ),
    )
    add("lookup", "Wich stands does P-2602 cover?", ids(g.out("P-2602", "COVERS")), "Typo meant.")
    # refused
    add(
        "unanswerable",
        "Which stands does Brandl look after?",
        no("ambiguous", "F-01", "F-04"),
        "Two foresters named Brandl. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "How many hectares is the Schlag?",
        no("ambiguous", "ST-104", "ST-115"),
        "Langer Schlag and Unterer Schlag.",
    )
    add("unanswerable", "Which stands does Petra Lang look after?", no("unknown_entity"))
    add("unanswerable", "How much timber did Storm Sabine bring down for us?", no("unknown_entity"))
    add("unanswerable", "Who has leased the hunting rights in Eichberg?", no("not_in_schema"))
    add(
        "unanswerable",
        "How many litres of diesel does the Scorpion burn in an hour?",
        no("not_in_schema"),
    )
    return q


g = G(HERE / "domains" / "forestry")
rows = [
    {"id": f"bfo-{k:03}", "category": c, "query": t, "gold": gold, **more}
    for k, (c, t, gold, more) in enumerate(forestry(g), 1)
]
write("forestry", rows)
