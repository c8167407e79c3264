"""Blind questions for the museum, written before the reader saw them; gold computed from the data.

usage: python3 gold_museum.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

from gold_common import G, OUT, cmp_, ids, lead, no, num, rank, write, yes

ROOT = OUT / "domains"
DIRS = {"museum": ROOT / "museum"}


def museum(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    O = g.t("Object")
    op = g.t("Alarm", lambda r: r["status"] == "active")
    add("lookup", "Who painted the Winter Triptych?", ids(g.out("OB-112", "MADE_BY")))
    add("lookup", "how many hours has Atelier Fosse agreed for The Net Menders", num(120))
    add(
        "lookup",
        "Apart from Light on Water, is Nordbank paying for anything? Which shows?",
        yes(True, g.out("SP-1", "FUNDS") - {"EX-1"}),
    )
    add("lookup", "ob108 is in which gallery?", ids(g.out("OB-108", "HANGS_IN")))
    add(
        "multi_hop",
        "Which artists have work on view in the Rotunda?",
        ids(g.out(g.inn("GA-1", "HANGS_IN"), "MADE_BY")),
    )
    add(
        "multi_hop",
        "Name the carriers that work for lenders to Light on Water.",
        ids(g.inn(g.inn("EX-1", "LENDS_TO"), "MOVES_FOR")),
    )
    add(
        "multi_hop",
        "whose works does Lotte Brandt's curator look after?",
        ids(g.out(g.out(g.inn(g.inn("AR-3", "MADE_BY"), "KEEPS"), "KEEPS"), "MADE_BY")),
    )
    add(
        "multi_hop",
        "Can the courier strike reach Guild Treasures, and if so through which lender?",
        yes(True, g.out(g.out("AL-4", "STRIKES"), "MOVES_FOR") & g.inn("EX-4", "LENDS_TO")),
    )
    add(
        "downstream",
        "Everything that depends on Artways down the line: lenders and shows",
        ids(g.out("CA-1", "MOVES_FOR") | g.out(g.out("CA-1", "MOVES_FOR"), "LENDS_TO")),
    )
    add(
        "downstream",
        "Which exhibitions feel it if Safe Hands Transport stops driving?",
        ids(g.out(g.out("CA-2", "MOVES_FOR"), "LENDS_TO")),
    )
    add(
        "downstream",
        "What is the combined insured value of the works in Metal and Fire?",
        num(g.sum(g.inn("EX-2", "SHOWN_IN"), "insured_value_eur")),
    )
    add(
        "path",
        "How are Polar Freight and the Guild Chalice linked? Shortest way.",
        {"path": g.paths("SP-4", "OB-108")},
    )
    add(
        "path",
        "How many links apart are Hanne Munk and Nordbank at the shortest?",
        num(len(g.paths("RE-2", "SP-1")[0]) - 1),
    )
    add(
        "aggregation",
        "Which curator is responsible for the most works?",
        {
            **rank({c: len(g.out(c, "KEEPS")) for c in g.t("Curator")}, top=True),
            "ids": lead({c: len(g.out(c, "KEEPS")) for c in g.t("Curator")}),
        },
    )
    add("aggregation", "How much does Halcyon Energy give us altogether?", num(95000))
    add(
        "aggregation",
        "Average insured value of our oil paintings",
        num(g.sum(g.t("Object", lambda r: r["medium"] == "oil painting"), "insured_value_eur") / 4),
    )
    add(
        "aggregation",
        "sponsorship money per exhibition, highest first",
        rank(
            {
                x: sum(e["amount_eur"] for e in g.valid("FUNDS") if e["target"] == x)
                for x in g.t("Exhibition")
            }
        ),
    )
    add(
        "aggregation",
        "The three oldest objects we own",
        {
            **rank({o: g.n[o]["year"] for o in O}, up=True, k=3),
            "ids": ["OB-107", "OB-108", "OB-110"],
        },
    )
    add(
        "temporal",
        "Where did The Net Menders hang on 1 June 2015?",
        ids(g.out("OB-102", "HANGS_IN", "2015-06-01")),
    )
    add("temporal", "Since when has Simon Oduya kept the Guild Chalice?", {"date": "2026-03-01"})
    add(
        "temporal",
        "Which works were acquired after 2000?",
        ids(g.t("Object", lambda r: r["acquired_on"] > "2000-12-31")),
    )
    add(
        "temporal",
        "Which object passed from one curator to another in the course of 2021?",
        ids(["OB-110"]),
    )
    add(
        "what_if",
        "If Bronzewerk closed, which works would have no restorer left?",
        ids(o for o in O if g.inn(o, "TREATS") == {"RE-3"}),
    )
    add(
        "what_if",
        "Halcyon Energy and Polar Freight withdraw: which exhibitions lose every sponsor they have?",
        ids(
            x
            for x in g.t("Exhibition")
            if g.inn(x, "FUNDS") and g.inn(x, "FUNDS") <= {"SP-2", "SP-4"}
        ),
    )
    add(
        "spof",
        "Exhibitions that depend on a single lender",
        ids(x for x in g.t("Exhibition") if len(g.inn(x, "LENDS_TO")) == 1),
    )
    add(
        "spof",
        "Is any work kept by two or more curators? If so, which?",
        yes(True, {o for o in O if len(g.inn(o, "KEEPS")) > 1}),
    )
    add(
        "spof",
        "Fragile objects with only one restorer",
        ids(o for o in O if g.n[o]["condition"] == "fragile" and len(g.inn(o, "TREATS")) == 1),
    )
    add(
        "inverse",
        "Which works are not shown in any exhibition?",
        ids(o for o in O if not g.out(o, "SHOWN_IN")),
    )
    add(
        "inverse",
        "How many galleries are free of open alarms?",
        num(len(g.t("Gallery") - g.out(op, "STRIKES"))),
    )
    add(
        "inverse",
        "works whose maker nobody has recorded",
        ids(o for o in O if not g.out(o, "MADE_BY")),
    )
    add(
        "compare",
        "Rotunda versus Treasury: how many objects are on view in each?",
        cmp_(
            "GA-1",
            "GA-4",
            counts={"Object": [len(g.inn("GA-1", "HANGS_IN")), len(g.inn("GA-4", "HANGS_IN"))]},
        ),
    )
    add(
        "compare",
        "Which costs more per hour, Bronzewerk or Clay & Kiln?",
        cmp_("RE-3", "RE-4", values={"hourly_rate_eur": [110, 80]}),
    )
    add(
        "compare",
        "what does Light on Water show that Masters of Paper doesn't",
        ids(g.inn("EX-1", "SHOWN_IN") - g.inn("EX-3", "SHOWN_IN")),
    )
    add(
        "risk",
        "Which artists have a work hanging in a gallery with an active alarm?",
        ids(g.out(g.inn(g.out(op, "STRIKES") & g.t("Gallery"), "HANGS_IN"), "MADE_BY")),
    )
    add(
        "combined",
        "Oil paintings worth more than 500,000 that are not in good condition",
        ids(
            g.t(
                "Object",
                lambda r: (
                    r["medium"] == "oil painting"
                    and r["insured_value_eur"] > 500000
                    and r["condition"] != "good"
                ),
            )
        ),
    )
    add(
        "combined",
        "planned exhibitions with a silver sponsor",
        ids(
            x
            for x in g.out(g.t("Sponsor", lambda r: r["tier"] == "silver"), "FUNDS")
            if g.n[x]["status"] == "planned"
        ),
    )
    add(
        "combined",
        "Works by German artists in a gallery with a variable climate",
        ids(
            g.inn(g.t("Artist", lambda r: r["nationality"] == "German"), "MADE_BY")
            & g.inn(g.t("Gallery", lambda r: r["climate"] == "variable"), "HANGS_IN")
        ),
    )
    add(
        "combined",
        "which of them are fragile?",
        ids(o for o in g.out("CU-4", "KEEPS") if g.n[o]["condition"] == "fragile"),
        history=[{"role": "user", "content": "What works does Peter Ahlgren keep?"}],
    )
    add(
        "centrality",
        "Which exhibition has the most direct links?",
        ids(lead({k: v for k, v in g.degree().items() if g.n[k]["type"] == "Exhibition"})),
    )
    add(
        "centrality",
        "which single node is the biggest bottleneck by betweenness",
        ids(lead(g.betweenness())),
    )
    add("unanswerable", "Which exhibitions does Ahlgren curate?", no("ambiguous", "CU-1", "CU-4"))
    add("unanswerable", "Who treats the Golden Stag?", no("unknown_entity"))
    add("unanswerable", "Which visitors bought a ticket for Light on Water?", no("not_in_schema"))
    return q


for name, f, pre in (("museum", museum, "bm"),):
    g = G(DIRS[name])
    rows = [
        {"id": f"{pre}-{k:03}", "category": c, "query": t, "gold": gold, **more}
        for k, (c, t, gold, more) in enumerate(f(g), 1)
    ]
    write(name, rows)
