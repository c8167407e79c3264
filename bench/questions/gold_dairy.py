"""Blind questions for the dairy, written before the reader saw them; gold computed from the data.

usage: python3 gold_dairy.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

from gold_common import G, OUT, cmp_, ids, lead, no, num, rank, write, yes

ROOT = OUT / "domains"
DIRS = {"dairy": ROOT / "dairy"}


def dairy(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    F, D, C, S = g.t("Farm"), g.t("Dairy"), g.t("Cheese"), g.t("Shop")
    op = g.t("Scare", lambda r: r["status"] == "active")
    add("lookup", "which cheeses does Northgate make?", ids(g.out("D1", "MAKES")))
    add("lookup", "Who drives the Red tanker nowadays?", ids(g.inn("T1", "DRIVES")))
    add("lookup", "How many litres a day does Dovecote Farm send to Mill Lane?", num(900))
    add(
        "lookup",
        "Besides Black Tarn, does the Corner Larder have any cheese of ours? Which?",
        yes(True, g.out("S1", "STOCKS") - {"C1"}),
    )
    add(
        "multi_hop",
        "In which shops can you buy something that Klara Feld invented the recipe of?",
        ids(g.inn(g.out("M1", "RECIPE_OF"), "STOCKS")),
    )
    add("multi_hop", "farms behind Old Shepherd", ids(g.inn(g.inn("C3", "MAKES"), "MILKS_FOR")))
    add(
        "multi_hop",
        "Who drives the tankers that collect from the farms Dr Moss treats?",
        ids(g.inn(g.inn(g.out("V1", "TREATS"), "COLLECTS_FROM"), "DRIVES")),
    )
    add("multi_hop", "Do any of Jo Tarrant's farms deliver to Quay Dairy?", yes(False, []))
    dd = g.out("F5", "MILKS_FOR")
    cc = g.out(dd, "MAKES")
    add(
        "downstream",
        "Everything downstream of Eskmoor: dairies, cheeses and shops",
        ids(dd | cc | g.inn(cc, "STOCKS")),
    )
    add(
        "downstream",
        "If Cairn End's milk went bad, which shops could end up with it?",
        ids(g.inn(g.out(g.out("F3", "MILKS_FOR"), "MAKES"), "STOCKS")),
    )
    add(
        "downstream",
        "Whose teaching goes back, directly or through others, to Klara Feld?",
        ids(g.walk("M1", "TAUGHT_BY", back=True)),
    )
    add(
        "path",
        "What's the shortest chain linking Dr Aalto and the Station Deli?",
        {"path": g.paths("V2", "S4")},
    )
    add(
        "path",
        "How far apart are Sven Holt and Ros Kerr, in links?",
        num(len(g.paths("R4", "M3")[0]) - 1),
    )
    add(
        "path",
        "Along the borders only, what is the shortest way from Alder Croft to Dovecote Farm?",
        {"path": g.paths("F1", "F4", rel="BORDERS")},
    )
    add("aggregation", "Total milk per day that Northgate Dairy gets, in litres?", num(10200))
    add(
        "aggregation",
        "Which shop stocks the widest range of our cheeses?",
        {
            **rank({s: len(g.out(s, "STOCKS")) for s in S}, top=True),
            "ids": lead({s: len(g.out(s, "STOCKS")) for s in S}),
        },
    )
    add(
        "aggregation",
        "rank the vets by how many farms they treat",
        rank({v: len(g.out(v, "TREATS")) for v in g.t("Vet")}),
    )
    add(
        "aggregation",
        "What is the average price per kilo of the gold label cheeses?",
        num((24.5 + 31.0) / 2),
    )
    add(
        "aggregation",
        "kilos sold a week for each cheese, all shops together, best seller first",
        rank({c: sum(e["kg_week"] for e in g.valid("STOCKS") if e["target"] == c) for c in C}),
    )
    add(
        "aggregation",
        "the two smallest farms by herd",
        {**rank({f: g.n[f]["herd_size"] for f in F}, up=True, k=2), "ids": ["F3", "F6"]},
    )
    add(
        "temporal",
        "Which dairy did Fennside milk for at the end of 2024?",
        ids(g.out("F6", "MILKS_FOR", "2024-12-31")),
    )
    add("temporal", "until when was Dr Aalto treating Cairn End", {"date": "2023-12-31"})
    add("temporal", "Which shops began stocking something in 2026?", ids(["S5"]))
    add(
        "temporal",
        "Who joined the co-operative after 2010? Farms only.",
        ids(g.t("Farm", lambda r: r["joined"] > "2010-12-31")),
    )
    add(
        "what_if",
        "Say Quay Dairy never reopens: which cheeses would nobody make any more?",
        ids(c for c in C if g.inn(c, "MAKES") == {"D3"}),
    )
    add(
        "what_if",
        "If Dr Moss retires, which farms have no vet left?",
        ids(f for f in F if g.inn(f, "TREATS") == {"V1"}),
    )
    add(
        "what_if",
        "Tanker Red and Tanker Blue both break down. How many farms would nobody collect from?",
        num(
            len(
                [
                    f
                    for f in F
                    if g.inn(f, "COLLECTS_FROM") and g.inn(f, "COLLECTS_FROM") <= {"T1", "T2"}
                ]
            )
        ),
    )
    add("spof", "cheeses made in one dairy only", ids(c for c in C if len(g.inn(c, "MAKES")) == 1))
    add(
        "spof",
        "Is there a cheese that just one shop stocks? Name it.",
        yes(True, {c for c in C if len(g.inn(c, "STOCKS")) == 1}),
    )
    add("inverse", "Which farms have no vet?", ids(F - g.out(g.t("Vet"), "TREATS")))
    add(
        "inverse",
        "How many shops don't stock a single hard cheese?",
        num(
            len(
                [
                    s
                    for s in S
                    if not (g.out(s, "STOCKS") & g.t("Cheese", lambda r: r["style"] == "hard"))
                ]
            )
        ),
    )
    add(
        "inverse",
        "Apart from the organic ones, which farms milk for Northgate?",
        ids(g.where(g.inn("D1", "MILKS_FOR"), lambda r: r["organic"] != "yes")),
    )
    add(
        "compare",
        "Green Basket vs Castle Stores: how many cheeses in each, and which in both?",
        cmp_("S3", "S5", counts={"Cheese": [3, 3]}, shared={"Cheese": ["C1"]}),
    )
    add(
        "compare",
        "Which is dearer, Blue Fell or Smoked Ember?",
        cmp_("C4", "C6", values={"price_eur_kg": [27.8, 19.9]}),
    )
    add(
        "compare",
        "What does the Station Deli sell that the Corner Larder does not?",
        ids(g.out("S4", "STOCKS") - g.out("S1", "STOCKS")),
    )
    add(
        "risk",
        "Which cheeses are exposed to an active scare at the dairy that makes them?",
        ids(g.out(g.out(op, "HURTS") & D, "MAKES")),
    )
    add(
        "combined",
        "hard cheeses over 30 euros a kilo that are stocked in Lund",
        ids(
            c
            for c in g.t("Cheese", lambda r: r["style"] == "hard" and r["price_eur_kg"] > 30)
            if g.inn(c, "STOCKS") & g.t("Shop", lambda r: r["town"] == "Lund")
        ),
    )
    add(
        "combined",
        "Organic farms in the Lower valley that border a farm with more than 100 cows",
        ids(
            f
            for f in g.t("Farm", lambda r: r["organic"] == "yes" and r["valley"] == "Lower")
            if (g.out(f, "BORDERS") | g.inn(f, "BORDERS"))
            & g.t("Farm", lambda r: r["herd_size"] > 100)
        ),
    )
    add(
        "combined",
        "Night drivers of a tanker built before 2015",
        ids(
            g.t("Driver", lambda r: r["shift"] == "night")
            & g.inn(g.t("Tanker", lambda r: r["built"] < 2015), "DRIVES")
        ),
    )
    add(
        "combined",
        "and which of these does Dr Moss look after?",
        ids(g.inn("D2", "MILKS_FOR") & g.out("V1", "TREATS")),
        history=[{"role": "user", "content": "Which farms milk for Mill Lane Dairy?"}],
    )
    add(
        "centrality",
        "Which farm has the most links of all kinds?",
        ids(lead({k: v for k, v in g.degree().items() if g.n[k]["type"] == "Farm"})),
    )
    add("unanswerable", "What does Tarrant drive?", no("ambiguous", "R1", "R3"))
    add("unanswerable", "Which shops stock Velvet Moon?", no("unknown_entity"))
    add("unanswerable", "Which bakeries use our cheese?", no("not_in_schema"))
    return q


for name, f, pre in (("dairy", dairy, "bd"),):
    g = G(DIRS[name])
    rows = [
        {"id": f"{pre}-{k:03}", "category": c, "query": t, "gold": gold, **more}
        for k, (c, t, gold, more) in enumerate(f(g), 1)
    ]
    write(name, rows)
