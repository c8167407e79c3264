"""Blind questions for vineyards and wineries; gold computed from the data in wine/.

usage: python3 gold_wine.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import collections
import pathlib

from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent


def wine(g):
    q = []
    add = lambda c, text, gold, note="": q.append((c, text, gold, {"note": note} if note else {}))
    ES, PA, LO, WI = g.t("Estate"), g.t("Parcel"), g.t("Lot"), g.t("Wine")
    CO, DI, OE = g.t("Cooperage"), g.t("Distributor"), g.t("Oenologist")
    is_ = lambda **k: lambda r: all(r.get(a) == b for a, b in k.items())
    wines_of_parcels = lambda ps: g.out(g.inn(ps, "PICKED_FROM"), "BLENDED_INTO")

    # lookup along one relation
    add("lookup", "Which parcels does Herdade do Sobral farm?", ids(g.out("EST-05", "FARMS")))
    add(
        "lookup",
        "How many barrels a year does Missouri Stave deliver to Lagoa Seca?",
        num(g.edge("COO-3", "SUPPLIES_BARRELS", "EST-06", AS_OF)["barrels_year"]),
    )
    add(
        "lookup",
        "I'm writing the back label for the Valverde Garrafeira and need to know what went into it. Which lots?",
        ids(g.inn("WIN-06", "BLENDED_INTO")),
    )

    # two and three hops
    add(
        "multi_hop",
        "Which distributors sell a wine made with grapes from the Outeiro parcel?",
        ids(g.inn(wines_of_parcels("PAR-08"), "DISTRIBUTES")),
        "The 2025 Encruzado has no current distributor.",
    )
    add(
        "multi_hop",
        "Kobe Wine Trading are asking for proof of origin: from which parcels were the grapes picked for all the wines they take from us?",
        ids(g.out(g.inn(g.out("DIS-6", "DISTRIBUTES"), "BLENDED_INTO"), "PICKED_FROM")),
    )
    add(
        "multi_hop",
        "Which wines are signed by somebody who trained under Marta Teixeira?",
        ids(g.out(g.inn("OEN-1", "TRAINED_UNDER"), "SIGNS")),
    )

    # filters
    add(
        "filter",
        "wines with a list price above 30 euros",
        ids(g.where(WI, lambda r: r["price_eur"] > 30)),
    )
    add(
        "filter",
        "For the drought trial we want blocks on schist that have no irrigation. Which ones qualify?",
        ids(g.where(PA, is_(soil="schist", irrigated="no"))),
    )
    add(
        "filter",
        "Which distributors did we start doing business with after 1 January 2015?",
        ids(g.where(DI, lambda r: r["partner_since"] > "2015-01-01")),
    )
    big = {
        e["target"]
        for e in g.valid("DISTRIBUTES")
        if e["source"] == "DIS-7" and e["bottles_year"] > 5000
    }
    add(
        "filter",
        "Which wines does Estrela take more than 5,000 botles of a year?",
        ids(big),
        "Typo. Property of the relation; one contract a wine.",
    )

    # negation, complement, exception
    add(
        "negation",
        "Who's running without a single certification at the moment? Estates, please.",
        ids(ES - g.inn(g.t("Certification"), "HOLDS")),
        "EST-08's starts in 2027.",
    )
    add(
        "negation",
        "Leaving aside the planned ones, which grape lots have never gone into any wine?",
        ids(x for x in LO if g.n[x]["state"] != "planned" and not g.out(x, "BLENDED_INTO", None)),
    )
    add(
        "negation",
        "Not counting the Douro houses, which estates buy barrels from Tanoaria Marques?",
        ids(g.where(g.out("COO-1", "SUPPLIES_BARRELS"), lambda r: r["region"] != "Douro")),
    )

    # counting, sum, average
    add(
        "aggregation",
        "How many of our wines are white?",
        num(len(g.where(WI, is_(colour="white")))),
    )
    add(
        "aggregation",
        "What is the total area in hectares that Quinta do Freixo farms today?",
        num(round(g.sum(g.out("EST-01", "FARMS"), "hectares"), 4)),
        "Moinho came over in 2025.",
    )
    douro = g.inn(g.where(ES, is_(region="Douro")), "CONSULTS_FOR")
    add(
        "aggregation",
        "I'm budgeting for outside advice in the Douro. Taking each oenologist who consults for an estate there once, what do they charge per day on average?",
        num(g.sum(douro, "day_rate_eur") / len(douro)),
    )
    add(
        "aggregation",
        "All current contracts taken together, how many bottles of Sobral Reserva 2023 go out to distributors in a year?",
        num(sum(e["bottles_year"] for e in g.valid("DISTRIBUTES") if e["target"] == "WIN-10")),
        "Vinhaus has two contracts side by side.",
    )

    # superlatives and top-k
    n_wines = {d: len(g.out(d, "DISTRIBUTES")) for d in DI}
    add(
        "superlative",
        "Which distributor carries the largest number of our wines?",
        {**rank(n_wines, top=True), "ids": lead(n_wines)},
    )
    price = {w: g.n[w]["price_eur"] for w in WI}
    top3 = rank(price, k=3)
    add(
        "superlative",
        "top three wines by list price",
        {**top3, "ids": sorted(i for i, _ in top3["ranking"])},
    )
    add(
        "superlative",
        "Who keeps us waiting the longest for barrels once we've ordered them?",
        ids(lead({c: g.n[c]["lead_time_weeks"] for c in CO})),
        "lead_time_weeks of the cooperage.",
    )

    # grouping
    add(
        "grouping",
        "Number of parcles per estate, biggest number first",
        rank({e: len(g.out(e, "FARMS")) for e in ES}),
        "Typo. Chão da Serra is farmed by two estates and counts for each.",
    )
    add(
        "grouping",
        "How many estates do we have in each region?",
        rank(collections.Counter(g.n[e]["region"] for e in ES)),
        "Grouped by a property value.",
    )
    vol = collections.Counter()
    for e in g.valid("DISTRIBUTES"):
        vol[e["source"]] += e["bottles_year"]
    add(
        "grouping",
        "I'd like to see what each distributor takes off our hands in a year: total bottles over all its current contracts, heaviest buyer at the top.",
        rank(vol),
    )

    # comparing two things
    a, b = g.out("DIS-1", "DISTRIBUTES"), g.out("DIS-3", "DISTRIBUTES")
    add(
        "compare",
        "Northern Cellars vs Maison Roche: how many of our wines does each carry, and which do both carry?",
        cmp_("DIS-1", "DIS-3", counts={"Wine": [len(a), len(b)]}, shared={"Wine": sorted(a & b)}),
    )
    add(
        "compare",
        "Which lies higher, Chão da Serra or Penedo Alto de Fora?",
        cmp_(
            "PAR-09",
            "PAR-10",
            values={"altitude_m": [g.n["PAR-09"]["altitude_m"], g.n["PAR-10"]["altitude_m"]]},
            higher="PAR-10",
        ),
    )
    add(
        "compare",
        "what has Garrafeira Central got on its list that Estrela hasn't",
        ids(g.out("DIS-8", "DISTRIBUTES") - g.out("DIS-7", "DISTRIBUTES")),
    )

    # property against property
    add(
        "property_vs_property",
        "In which parcels was the last harvest heavier per hectare than the appellation allows?",
        ids(g.where(PA, lambda r: r.get("yield_kg_ha", 0) > r["yield_cap_kg_ha"])),
    )
    above = {
        e["source"]
        for e in g.valid("DISTRIBUTES")
        if e["net_price_eur"] > g.n[e["target"]]["price_eur"]
    }
    add(
        "property_vs_property",
        "Is any distributor paying us more for a bottle than that wine's list price, and if so, who?",
        yes(above, above),
    )

    # universals
    add(
        "universal",
        "Which distributors carry nothing but red wine from us?",
        ids(
            d
            for d in DI
            if g.out(d, "DISTRIBUTES")
            and all(g.n[w]["colour"] == "red" for w in g.out(d, "DISTRIBUTES"))
        ),
    )
    add(
        "universal",
        "Estates all of whose parcels lie above 400 metres?",
        ids(
            e
            for e in ES
            if g.out(e, "FARMS") and all(g.n[p]["altitude_m"] > 400 for p in g.out(e, "FARMS"))
        ),
    )

    # single source
    add(
        "spof",
        "Which wines have just one distribtor?",
        ids(w for w in WI if len(g.inn(w, "DISTRIBUTES")) == 1),
        "Typo.",
    )
    add(
        "spof",
        "Where are we putting all our eggs in one basket with barrels? Give me the estates that get theirs from exactly one cooperage.",
        ids(e for e in ES if len(g.inn(e, "SUPPLIES_BARRELS")) == 1),
    )

    # what if
    add(
        "what_if",
        "If Zemplén Kádár went bust, which estates would lose their only barrel supplier?",
        ids(e for e in ES if g.inn(e, "SUPPLIES_BARRELS") == {"COO-4"}),
    )
    add(
        "what_if",
        "Say Estrela and Northern Cellars both drop us. Of the wines that have a distributor today, which would be left with none?",
        ids(
            w
            for w in WI
            if g.inn(w, "DISTRIBUTES") and g.inn(w, "DISTRIBUTES") <= {"DIS-7", "DIS-1"}
        ),
    )
    add(
        "what_if",
        "Henrique Falcão is talking about retiring; going by today's contracts, how many estates would then be without any consulting oenologist?",
        num(len([e for e in ES if g.inn(e, "CONSULTS_FOR") <= {"OEN-3"}])),
        "No estate is without one today; Nóvoa starts at Valverde only in October.",
    )

    # downstream
    fd = g.out("OUT-1", "HITS")
    add(
        "downstream",
        "Which distributors carry a wine with grapes from a parcel that the Douro flavescence outbreak is hitting now?",
        ids(g.inn(wines_of_parcels(fd), "DISTRIBUTES")),
    )
    act = g.t(
        "Outbreak", lambda r: r["status"] == "active" and r["severity"] in ("high", "critical")
    )
    add(
        "downstream",
        "Which parcels are being hit right now by an active outbreak rated high or critical?",
        ids(g.out(act, "HITS")),
        "Cabeço Alto is clear again since 15 July.",
    )
    ww = g.out("L23-07", "BLENDED_INTO")
    add(
        "downstream",
        "Somebody smells smoke in L23-07. I need every wine it went into plus all the distributors that carry one of those wines today.",
        ids(ww | g.inn(ww, "DISTRIBUTES")),
        "An id. Two layers in one list.",
    )

    # on a past day, changes, since when
    add(
        "temporal",
        "We've dug up a spray record for Vinha do Moinho dated 30 September 2023. Which estate was farming it that day?",
        ids(g.inn("PAR-06", "FARMS", "2023-09-30")),
    )
    add(
        "temporal",
        "Which estates have seen a certification run out since 1 January 2023?",
        ids(
            e["source"]
            for e in g.valid("HOLDS", None)
            if "2023-01-01" <= (e["valid_to"] or "") < AS_OF
        ),
    )
    add(
        "temporal",
        "Put what Vinhaus Berlin was distributing on 1 July 2025 next to what it was distributing on 1 July 2026: which wines are new on the list?",
        ids(
            g.out("DIS-2", "DISTRIBUTES", "2026-07-01")
            - g.out("DIS-2", "DISTRIBUTES", "2025-07-01")
        ),
    )
    add(
        "temporal",
        "Since when has Ines Lobato been consulting for Quinta das Andorinhas?",
        {"date": g.edge("OEN-4", "CONSULTS_FOR", "EST-07")["valid_from"]},
        "No accents.",
    )
    add(
        "temporal",
        "Which estates have a certification on the way that only becomes valid later than today?",
        ids(e["source"] for e in g.valid("HOLDS", None) if (e["valid_from"] or "") > AS_OF),
    )

    # paths
    add(
        "path",
        "What is the shortest chain of links from Zemplén Kádár to Tiago Pinhal?",
        {"path": g.paths("COO-4", "OEN-8")},
    )
    way, m = g.cheapest("PAR-01", "PAR-04", "ADJOINS", "metres")
    assert len(way) == 1
    add(
        "path",
        "If a leafhopper can only move from one parcel to an adjoining one, what's its shortest route in metres from Vinha Velha do Freixo to Ribeira de Baixo?",
        {"path": way},
        f"{m} metres; by number of steps another way, over Moinho, would be shorter.",
    )

    # structure
    deg = {k: v for k, v in g.degree().items() if k in ES}
    deg1 = {k: v for k, v in g.degree(multi=False).items() if k in ES}
    assert lead(deg) == lead(deg1)
    add("structure", "Which estate has the most links of any kind?", ids(lead(deg)))
    add(
        "structure",
        "Counting every kind of link and ignoring direction, what is the biggest bottleneck in the whole network by betweenness?",
        ids(lead(g.betweenness())),
    )
    add(
        "structure",
        "Going only by which parcels adjoin which, how many separate clusters do our parcels fall into?",
        num(g.pieces(PA, "ADJOINS")),
    )

    # yes/no
    dem = "CER-2" in g.out("EST-07", "HOLDS")
    add(
        "yes_no",
        "Does Quinta das Andorinhas still hold Demeter?",
        yes(dem),
        "Until the end of 2023.",
    )
    both = g.out("OEN-2", "CONSULTS_FOR") & g.out("OEN-6", "CONSULTS_FOR")
    add(
        "yes_no",
        "Are Rui Teixeira and Joaquim Sá stepping on each other's toes anywhere, I mean is there an estate that both of them consult for at present, and which one?",
        yes(both, both),
    )

    # intersection, union
    land = lambda c: g.out(g.where(DI, is_(country=c)), "DISTRIBUTES")
    add(
        "set_operation",
        "Which wines have a distributor in the UK and also one in the USA?",
        ids(land("UK") & land("USA")),
    )
    add(
        "set_operation",
        "For the green shelf I need the estates that hold EU Organic or Demeter; one of the two will do.",
        ids(g.inn({"CER-1", "CER-2"}, "HOLDS")),
    )

    # before, after another event
    add(
        "before_after",
        "Which outbreaks began after the Alentejo grape moth of 2025 was over?",
        ids(g.t("Outbreak", lambda r: r["date"] > g.n["OUT-4"]["ended_date"])),
    )
    o = g.n["OUT-4"]
    add(
        "before_after",
        "OUT-4: which lots were picked while it was going on, wherever the grapes came from?",
        ids(g.where(LO, lambda r: o["date"] <= r.get("picked", "") <= o["ended_date"])),
        "An id.",
    )

    # to be refused
    add(
        "unanswerable",
        "Who distributes Zambujal Reserva 2022?",
        no("unknown_entity"),
        "No such wine.",
    )
    add(
        "unanswerable",
        "PAR-34, which estate farms that one?",
        no("unknown_entity"),
        "Well-formed id past the last parcel.",
    )
    add(
        "unanswerable",
        "Which laboratory ran the analyses on the Patamar Touriga 2024 lot?",
        no("not_in_schema"),
        "No laboratories in the schema.",
    )
    add(
        "unanswerable",
        "Who makes the corks for Sobral Reserva 2023?",
        no("not_in_schema"),
        "No corks in the schema.",
    )
    add(
        "unanswerable",
        "Which wines does Teixeira sign?",
        no("ambiguous", "OEN-1", "OEN-2"),
        "Marta and Rui. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "Which estate farms the Vinha Velha parcel?",
        no("ambiguous", "PAR-01", "PAR-07"),
        "At Freixo and at Valverde. Asking which one, or answering for each under its name, is right.",
    )
    return q


g = G(HERE / "domains" / "wine")
rows = [
    {"id": f"bv-{k:03}", "category": c, "query": t, "gold": gold, **more}
    for k, (c, t, gold, more) in enumerate(wine(g), 1)
]
assert len(rows) == 60
write("wine", rows)
