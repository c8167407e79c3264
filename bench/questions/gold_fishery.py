"""Blind questions for the fishery, written by somebody who does not know the reader; gold computed from the data.

usage: python3 gold_fishery.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
An event is open while its status is "active". Degree and betweenness: undirected, all current nodes and relations."""

import pathlib

from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent


def fishery(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    V, S, SP, GR = g.t("Vessel"), g.t("Skipper"), g.t("Species"), g.t("Ground")
    H, L, B, P, EV = g.t("Harbour"), g.t("Lot"), g.t("Buyer"), g.t("Plant"), g.t("Event")
    op = g.where(EV, lambda r: r["status"] == "active")
    gear = lambda k: g.where(V, lambda r: r["gear"] == k)
    holders = lambda sp, on=AS_OF: g.inn(sp, "HOLDS_QUOTA", on)

    # lookup
    add("lookup", "Which vessels are based at Skarvik?", ids(g.inn("HB-01", "BASED_AT")))
    add("lookup", "Who's at the wheel of the Resolute these days?", ids(g.inn("VS-09", "COMMANDS")))
    add(
        "lookup",
        "For how many tonnes of saithe does the Ocean Harvester hold quota?",
        num(g.edge("VS-04", "HOLDS_QUOTA", "SP-03", AS_OF)["tonnes"]),
    )
    add("lookup", "VS-07: on which grounds does she fish?", ids(g.out("VS-07", "FISHES")))
    # two and three hops
    add(
        "multi_hop",
        "Name the skippers whose boats work the Sandy Rigs.",
        ids(g.inn(g.inn("GR-05", "FISHES"), "COMMANDS")),
    )
    add(
        "multi_hop",
        "Lot 405 came off somebody's boat - where's that boat's home port?",
        ids(g.out(g.out("LOT-405", "LANDED_BY"), "BASED_AT")),
    )
    add(
        "multi_hop",
        "Take everybody who bought fish that the Guiding Star landed: to which plants do those buyers deliver?",
        ids(g.out(g.inn(g.inn("VS-12", "LANDED_BY"), "BOUGHT"), "DELIVERS_TO")),
    )
    # filters
    add(
        "filter",
        "List the vessels over 20 m long that were built before 2005.",
        ids(g.where(V, lambda r: r["length_m"] > 20 and r["built"] < 2005)),
    )
    add(
        "filter",
        "Which skippers got their licence in 2010 or later?",
        ids(g.where(S, lambda r: r["licensed_on"] >= "2010-01-01")),
    )
    add(
        "filter",
        "wich lots landed after 24 July 2026 were only grade B?",
        ids(g.where(L, lambda r: r["landed_on"] > "2026-07-24" and r["grade"] == "B")),
    )
    # negation, complement, exception
    add(
        "inverse",
        "Which harbours have no vessel based there at the moment?",
        ids(H - g.out(V, "BASED_AT")),
    )
    add(
        "inverse",
        "What's still lying in the market hall - I mean the lots that nobody has bought?",
        ids(L - g.out(B, "BOUGHT")),
    )
    add(
        "inverse",
        "Leaving the pot boats aside, which vessels hold a shellfish quota?",
        ids(holders(g.where(SP, lambda r: r["group"] == "shellfish")) - gear("pots")),
    )
    # counting, sum, average
    add("aggregation", "How many vessels hold cod quota today?", num(len(holders("SP-01"))))
    add(
        "aggregation",
        "What's the total weight in kilos of all the cod lots?",
        num(g.sum(g.inn("SP-01", "OF_SPECIES"), "kg")),
    )
    add(
        "aggregation",
        "Own and leased put together, how many tonnes of haddock quota has the fleet got?",
        num(sum(e["tonnes"] for e in g.valid("HOLDS_QUOTA") if e["target"] == "SP-02")),
    )
    oh = g.out("VS-04", "FISHES")
    add(
        "aggregation",
        "How deep are the Ocean Harvester's grounds on average?",
        num(g.sum(oh, "depth_m") / len(oh)),
    )
    # superlatives and top-k
    top = rank({b: g.n[b]["credit_limit_eur"] for b in B}, k=3)
    add(
        "superlative",
        "The three buyers with the highest credit limits",
        {**top, "ids": sorted(i for i, _ in top["ranking"])},
    )
    act = g.where(V, lambda r: r["state"] not in ("laid up", "refit"))
    add(
        "superlative",
        "Setting aside anything that's laid up or in refit, which is the oldest boat we've got?",
        ids(lead({v: g.n[v]["built"] for v in act}, least=True)),
    )
    add(
        "superlative",
        "Who has bought from the largest number of different lots?",
        ids(lead({b: len(g.out(b, "BOUGHT")) for b in B})),
    )
    # per X
    add(
        "grouping",
        "Number of vessels based at each harbour, most first, skipping the empty ones",
        rank({h: len(g.inn(h, "BASED_AT")) for h in H if g.inn(h, "BASED_AT")}),
    )
    add(
        "grouping",
        "How many tonnes a week does each plant get delivered by the buyers, all of them together? Biggest first, and leave out any plant that gets nothing.",
        rank(
            {
                p: sum(e["t_week"] for e in g.valid("DELIVERS_TO") if e["target"] == p)
                for p in P
                if g.inn(p, "DELIVERS_TO")
            }
        ),
    )
    # compare
    add(
        "compare",
        "Cod and haddock: how many vessels hold quota for each, and which hold both?",
        cmp_(
            "SP-01",
            "SP-02",
            counts={"Vessel": [len(holders("SP-01")), len(holders("SP-02"))]},
            shared={"Vessel": sorted(holders("SP-01") & holders("SP-02"))},
        ),
    )
    add(
        "compare",
        "VS-02 or VS-05, which has the stronger engine?",
        cmp_(
            "VS-02",
            "VS-05",
            values={"engine_kw": [g.n["VS-02"]["engine_kw"], g.n["VS-05"]["engine_kw"]]},
            higher="VS-02",
        ),
    )
    add(
        "compare",
        "what does Tarbet Filletting process that the Northbay Cold Store doesn't?",
        ids(g.out("PL-3", "PROCESSES") - g.out("PL-5", "PROCESSES")),
    )
    # property against property
    add(
        "property_compare",
        "Which boats draw more water than there is depth in their home harbour?",
        ids(
            e["source"]
            for e in g.valid("BASED_AT")
            if g.n[e["source"]]["draught_m"] > g.n[e["target"]]["depth_m"]
        ),
    )
    cheap = {
        e["target"]
        for e in g.valid("BOUGHT")
        for s in g.out(e["target"], "OF_SPECIES")
        if e["eur_kg"] < g.n[s]["reserve_eur_kg"]
    }
    add(
        "property_compare",
        "Did any lot go, wholly or partly, for less a kilo than the reserve price of its species? Which ones?",
        yes(cheap, cheap),
    )
    # universals
    add(
        "universal",
        "Which harbours have vessels based there and every one of them built before 2010?",
        ids(
            h
            for h in H
            if g.inn(h, "BASED_AT") and all(g.n[v]["built"] < 2010 for v in g.inn(h, "BASED_AT"))
        ),
    )
    add(
        "universal",
        "Of the buyers who've bought something at all, who took nothing but grade E lots?",
        ids(
            b
            for b in B
            if g.out(b, "BOUGHT") and all(g.n[l]["grade"] == "E" for l in g.out(b, "BOUGHT"))
        ),
    )
    # single source
    add(
        "spof",
        "Which species are processed at only one plant?",
        ids(s for s in SP if len(g.inn(s, "PROCESSES")) == 1),
    )
    one = {s for s in SP if len(holders(s)) == 1}
    add(
        "spof",
        "Is there a species that hangs on one single vessel's quota? Name it.",
        yes(one, one),
    )
    # what if
    add(
        "what_if",
        "If Tarbet Filleting closed, which species would lose the only plant that processes them?",
        ids(s for s in SP if g.inn(s, "PROCESSES") == {"PL-3"}),
    )
    add(
        "what_if",
        "Say the Bonny Jean and the Steadfast were both sold out of the fleet tomorrow. For what species would there be no quota holder left?",
        ids(s for s in SP if not holders(s) - {"VS-06", "VS-03"}),
    )
    assert all(holders(s) for s in SP)
    add(
        "what_if",
        "Suppose Angus Mackay and Rory Tulloch both hang up their oilskins. How many vessels that have a skipper now would have none?",
        num(
            sum(1 for v in V if g.inn(v, "COMMANDS") and g.inn(v, "COMMANDS") <= {"SK-01", "SK-12"})
        ),
    )
    # effects downstream
    add(
        "downstream",
        "Siv Nygaard stands in for whom, directly or further down the line, if you follow the relief arrangements all the way?",
        ids(g.walk("SK-11", "RELIEVES")),
    )
    bad = g.where(op, lambda r: r["severity"] in ("high", "critical"))
    add(
        "risk",
        "Which vessels work a ground hit by an active event of high or critical severity?",
        ids(g.inn(g.out(bad, "AFFECTS") & GR, "FISHES")),
    )
    hit = g.out("EV-01", "AFFECTS")
    add(
        "risk",
        "Whom among our skippers does Storm Brenna touch, be it at the boat's home harbour or on a ground the boat works?",
        ids(g.inn(g.inn(hit & H, "BASED_AT") | g.inn(hit & GR, "FISHES"), "COMMANDS")),
    )
    add(
        "risk",
        "Take the boats that work a ground with the toxic algal bloom on it and add up all their lots, whenever landed: how many kilos is that?",
        num(g.sum(g.inn(g.inn(g.out("EV-03", "AFFECTS") & GR, "FISHES"), "LANDED_BY"), "kg")),
    )
    # time
    add(
        "temporal",
        "Who commanded the Resolute on 1 July 2025?",
        ids(g.inn("VS-09", "COMMANDS", "2025-07-01")),
    )
    add(
        "temporal",
        "Since when has the Ocean Harvester been based at Skarvik?",
        {"date": g.edge("VS-04", "BASED_AT", "HB-01", AS_OF)["valid_from"]},
    )
    a, b = "2024-01-01", "2026-07-01"
    add(
        "temporal",
        "Between 1 January 2024 and 1 July 2026, which vessels swapped one home harbour for another?",
        ids(
            v
            for v in V
            if g.out(v, "BASED_AT", a)
            and g.out(v, "BASED_AT", b)
            and g.out(v, "BASED_AT", a) != g.out(v, "BASED_AT", b)
        ),
    )
    add(
        "temporal",
        "Which boats still had cod quota on New Year's Eve 2024 but have none now?",
        ids(holders("SP-01", "2024-12-31") - holders("SP-01")),
    )
    # paths
    add(
        "path",
        "Shortest chain of links from the Lantern Bistro to Lunnasund?",
        {"path": g.paths("BU-10", "HB-04")},
    )
    add(
        "path",
        "Going by the sea lanes, which way is it from Skarvik to Kilbrae in the fewest nautical miles?",
        {"path": g.cheapest("HB-01", "HB-05", "SEA_LANE", "nautical_miles")[0]},
    )
    add(
        "path",
        "What's the least number of nautical miles you'd have to sail along the lanes to get from Lunnasound to Staffin Haven?",
        num(g.cheapest("HB-04", "HB-07", "SEA_LANE", "nautical_miles")[1]),
    )
    # structure
    d1, d2 = ({k: v for k, v in g.degree(m).items() if k in SP} for m in (True, False))
    assert lead(d1) == lead(d2)
    add("centrality", "Which species has the most links of all kinds?", ids(lead(d1)))
    bc = g.betweenness()
    add(
        "centrality",
        "By betweenness, never mind the direction, which harbour is the worst bottleneck in the whole network?",
        ids(lead({h: bc[h] for h in H})),
    )
    add(
        "centrality",
        "Looking only at who relieves whom today, into how many separate groups do the skippers fall? Count a skipper with no such arrangement as a group of one.",
        num(g.pieces(S, "RELIEVES")),
    )
    # yes or no
    lone = {v for v in gear("purse seine") if not g.inn(v, "COMMANDS")}
    add("yes_no", "Is any of the purse seiners without a skipper at the moment?", yes(lone, lone))
    kc = g.inn("HB-05", "BASED_AT") & holders("SP-01")
    add("yes_no", "Do any boats based at Kilbrae hold cod quota?", yes(kc, kc))
    # intersection, union
    add(
        "set",
        "Which grounds are worked both by trawlers and by gillnetters?",
        ids(g.out(gear("trawl"), "FISHES") & g.out(gear("gillnet"), "FISHES")),
    )
    add(
        "set",
        "Give me every boat that's either based at Lunnasound or fishes the Foula Deep.",
        ids(g.inn("HB-04", "BASED_AT") | g.inn("GR-04", "FISHES")),
    )
    # before and after another event
    add(
        "sequence",
        "Which lots were landed after the day Storm Brenna began?",
        ids(g.where(L, lambda r: r["landed_on"] > g.n["EV-01"]["date"])),
    )
    end = g.n["EV-06"]["ended_date"]
    add(
        "sequence",
        "Since the cod moratorium came to an end, who has taken command of a boat?",
        ids(
            e["source"]
            for e in g.valid("COMMANDS", None)
            if end < (e["valid_from"] or "0000") <= AS_OF
        ),
    )
    # to be refused
    add("unanswerable", "Which boat does Mackay command?", no("ambiguous", "SK-01", "SK-04"))
    add("unanswerable", "When was the Star built?", no("ambiguous", "VS-12", "VS-16"))
    add("unanswerable", "Which grounds does the Golden Wave fish?", no("unknown_entity"))
    add("unanswerable", "LOT-455 - who bought that one?", no("unknown_entity"))
    add("unanswerable", "Which insurance company covers the Northern Quest?", no("not_in_schema"))
    add("unanswerable", "How many deckhands sail on the Provider?", no("not_in_schema"))
    return q


if __name__ == "__main__":
    g = G(HERE / "domains" / "fishery")
    write(
        "fishery",
        [
            {"id": f"fi-{k:03}", "category": c, "query": t, "gold": gold, **more}
            for k, (c, t, gold, more) in enumerate(fishery(g), 1)
        ],
    )
