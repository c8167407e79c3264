"""Blind questions for a building contractor, written before the reader saw them; gold computed from the data.

usage: python3 gold_construction.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
An issue is open while status is open; on a past day, from date to closed_date, both included.
Degree and betweenness: undirected, all current nodes and relations. Haul routes can be driven both ways."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent
from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes


def construction(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    P, B, W, S = g.t("Project"), g.t("Block"), g.t("Package"), g.t("Subcontractor")
    MT, M, F, IS = g.t("Material"), g.t("Machine"), g.t("Foreman"), g.t("Issue")
    n = g.n
    doing = {w for w in W if n[w]["state"] == "in progress"}
    on = lambda bs: g.inn(bs, "DONE_ON")  # packages on blocks
    of = lambda p: on(g.inn(p, "PART_OF"))  # packages of a project
    firms = lambda ws: g.out(ws, "AWARDED_TO")
    held = lambda s: g.inn(s, "AWARDED_TO")
    orders = g.valid("AWARDED_TO")
    sole = {m for m in MT if len(g.inn(m, "SUPPLIES")) == 1}

    # lookup along one relation
    add("lookup", "Who runs the Canal Quarter Frame?", ids(g.inn("WP-102", "RUNS")))
    add("lookup", "Which subcontractors have an order for WP-404?", ids(firms("WP-404")))
    add(
        "lookup",
        "What's the lead time on steel sections if we get them off Ironside?",
        num(g.edge("SC-15", "SUPPLIES", "MT-03", AS_OF)["lead_time_days"]),
    )
    # two and three hops
    add(
        "multi_hop",
        "Which subcontractors hold an order for any package on Towpath Court?",
        ids(firms(on("B03"))),
    )
    add(
        "multi_hop",
        "Which foremen run packages that call for a material Ironside Rebar supplies?",
        ids(g.inn(g.inn(g.out("SC-15", "SUPPLIES"), "CALLS_FOR"), "RUNS")),
    )
    add(
        "multi_hop",
        "On which jobs has Merrick Electrical got orders at the minute?",
        ids(g.out(g.out(held("SC-06"), "DONE_ON"), "PART_OF")),
    )
    add(
        "multi_hop",
        "I'm stood next to the ninety-tonner. Of the packages in progress on the block it's parked at, which subbies have the orders?",
        ids(firms(on(g.out("M-04", "STANDS_AT")) & doing)),
    )
    # filters on properties
    add(
        "filter",
        "Subcontractors rated C whose insurance runs out before the end of 2026",
        ids(g.where(S, lambda r: r["rating"] == "C" and r["insured_until"] < "2026-12-31")),
    )
    add(
        "filter",
        "Which machines built before 2015 do we own?",
        ids(g.where(M, lambda r: r["built"] < 2015 and r["ownership"] == "own")),
    )
    add(
        "filter",
        "what have we got on hire that's due its thorough exam in August 2026",
        ids(g.where(M, lambda r: r["ownership"] == "hired" and r["next_exam"][:7] == "2026-08")),
    )
    # negation, complement, exception
    add(
        "inverse",
        "How many blocks have no machine standing at them right now?",
        num(len(B - g.out(M, "STANDS_AT"))),
    )
    add(
        "inverse",
        "Which packages still aren't complete and have nobody running them at the moment?",
        ids(w for w in W - g.out(F, "RUNS") if n[w]["state"] != "complete"),
    )
    add(
        "inverse",
        "Castellan apart, who else can bring us C40?",
        ids(g.inn("MT-01", "SUPPLIES") - {"SC-03"}),
    )
    # counting, sum, average
    add(
        "aggregation",
        "How many cubes of C40 do the Canal Quarter Frame and the Warehouse Floors take between them?",
        num(
            sum(
                e["quantity"]
                for e in g.valid("CALLS_FOR")
                if e["target"] == "MT-01" and e["source"] in ("WP-102", "WP-404")
            )
        ),
    )
    fa = g.where(F, lambda r: r["first_aider"] == "yes")
    add(
        "aggregation",
        "What is the average day rate of the foremen who are first aiders?",
        num(g.sum(fa, "day_rate_gbp") / len(fa)),
    )
    add(
        "aggregation",
        "Add it up for me: what have the defects that are still open cost us so far?",
        num(
            g.sum(
                g.where(IS, lambda r: r["kind"] == "defect" and r["status"] == "open"), "cost_gbp"
            )
        ),
    )
    # superlatives and top-k
    add("superlative", "Which block is the tallest?", ids(lead({b: n[b]["height_m"] for b in B})))
    top = rank({s: sum(e["order_sum_gbp"] for e in orders if e["target"] == s) for s in S}, k=3)
    add(
        "superlative",
        "top three subcontractors by total value of the orders they hold now",
        {**top, "ids": sorted(i for i, _ in top["ranking"])},
    )
    add(
        "superlative",
        "Of all the kit we've got on hire, what costs us least per day?",
        ids(
            lead(
                {m: n[m]["hire_rate_gbp_day"] for m in M if n[m]["ownership"] == "hired"},
                least=True,
            )
        ),
    )
    # grouping
    per = {p: sum(e["order_sum_gbp"] for e in orders if e["source"] in of(p)) for p in P}
    add(
        "grouping",
        "Total value of live orders per project, biggest first. Leave out projects that have none.",
        rank({p: v for p, v in per.items() if v}),
    )
    add(
        "grouping",
        "How many packages is each foreman running today?",
        rank({f: len(g.out(f, "RUNS")) for f in F}),
    )
    # comparing two things
    add(
        "compare",
        "Which can lift more, TC1 or Gulliver? Give both maximum loads.",
        cmp_(
            "M-01",
            "M-03",
            values={"max_load_t": [n["M-01"]["max_load_t"], n["M-03"]["max_load_t"]]},
            higher="M-03",
        ),
    )
    add(
        "compare",
        "Castellan against Brannigan: how many packages has each got an order for, and which have they both?",
        cmp_(
            "SC-03",
            "SC-01",
            counts={"Package": [len(held("SC-03")), len(held("SC-01"))]},
            shared={"Package": sorted(held("SC-03") & held("SC-01"))},
        ),
    )
    # property compared with property
    add(
        "property_pair",
        "Which packages in progress are forecast to finish later than planned?",
        ids(w for w in doing if n[w]["forecast_finish"] > n[w]["planned_finish"]),
    )
    add(
        "property_pair",
        "Which subbies are sitting on a live order that's bigger than the limit we've set for a single order with them?",
        ids(e["target"] for e in orders if e["order_sum_gbp"] > n[e["target"]]["max_order_gbp"]),
    )
    add(
        "property_pair",
        "Did any job end up costing more to date than the contract is worth, and if so which?",
        yes(True, {p for p in P if n[p]["cost_to_date_gbp"] > n[p]["contract_value_gbp"]}),
    )
    # universals
    add(
        "universal",
        "Which projects have every one of their packages complete?",
        ids(p for p in P if of(p) and all(n[w]["state"] == "complete" for w in of(p))),
    )
    add(
        "universal",
        "Who among the foremen is running nothing but packages that are at least 60 percent done?",
        ids(
            f
            for f in F
            if g.out(f, "RUNS") and all(n[w]["percent_done"] >= 60 for w in g.out(f, "RUNS"))
        ),
    )
    # single source
    add("spof", "Which materials have only one suplier?", ids(sole))
    add(
        "spof",
        "Where could one firm hold us to ransom? I mean the packages in progress that call for a material which just a single firm supplies.",
        ids(g.inn(sole, "CALLS_FOR") & doing),
    )
    # what if
    gone = lambda rel, out: {x for x in {e["target"] for e in g.valid(rel)} if g.inn(x, rel) <= out}
    add(
        "what_if",
        "If Greywell went under, which packages would be left without a subcontractor?",
        ids(w for w in W if firms(w) and firms(w) <= {"SC-05"}),
    )
    add(
        "what_if",
        "Say Ironside and Norland both stop delivering. Which materials could we no longer get from anyone?",
        ids(gone("SUPPLIES", {"SC-15", "SC-12"})),
    )
    add(
        "what_if",
        "Idris Bowen and Lena Vogt go off sick the same week. How many packages end up with nobody to run them?",
        num(len(gone("RUNS", {"F-7", "F-6"}))),
    )
    # downstream of an event, or of something that slips
    add(
        "downstream",
        "If WP-102 slips, which packages get pushed back behind it, directly or further down the line?",
        ids(g.walk("WP-102", "FOLLOWS", back=True)),
    )
    bl = g.out(g.out("IS-01", "AFFECTS"), "STANDS_AT")
    add(
        "downstream",
        "Trace the Hoist Rope Failure for me, all in one list: the machine it affects, the block that machine stands at, and the packages done on that block.",
        ids(g.out("IS-01", "AFFECTS") | bl | on(bl)),
    )
    stop = g.where(IS, lambda r: r["kind"] == "stoppage" and r["status"] == "open")
    add(
        "downstream",
        "Which projects have a machine standing on one of their blocks that an open stoppage affects?",
        ids(g.out(g.out(g.out(stop, "AFFECTS") & M, "STANDS_AT"), "PART_OF")),
    )
    # past days, changes, since when
    add(
        "temporal",
        "Which firm held the order for the Curtain Walling on 1 June 2025?",
        ids(g.out("WP-502", "AWARDED_TO", "2025-06-01")),
    )
    add(
        "temporal",
        "Since when has TC2 been standng at Barge Point?",
        {"date": g.edge("M-02", "STANDS_AT", "B04", AS_OF)["valid_from"]},
    )
    a, b = "2025-09-01", "2026-04-01"
    add(
        "temporal",
        "Which packages passed from one subcontractor to another between 1 September 2025 and 1 April 2026?",
        ids(
            w
            for w in W
            if (x := g.out(w, "AWARDED_TO", a)) and (y := g.out(w, "AWARDED_TO", b)) and not x & y
        ),
    )
    add(
        "temporal",
        "Which machines were set up at a block in the course of 2026?",
        ids(e["source"] for e in g.valid("STANDS_AT") if (e["valid_from"] or "")[:4] == "2026"),
    )
    day = "2026-05-20"
    add(
        "temporal",
        "Looking back at the site log, what was still open on 20 May 2026?",
        ids(g.where(IS, lambda r: r["date"] <= day <= r.get("closed_date", "9999"))),
    )
    # paths
    add(
        "path",
        "What's the shortest chain from the Gas Isolation Permit to Greywell?",
        {"path": g.paths("PT-08", "SC-05")},
    )
    add(
        "path",
        "A lorry has to get from Barge Point to the Energy Centre on the haul routes. Which way is quickest in minutes?",
        {"path": g.cheapest("B04", "B07", "HAUL_ROUTE", "minutes")[0]},
    )
    add(
        "path",
        "Going by kilometres, how long is the shortest haul from Lock House to the Teaching Block on the haul routes?",
        num(g.cheapest("B01", "B09", "HAUL_ROUTE", "length_km")[1]),
    )
    # structure
    add("centrality", "What is the most connected node in the whole graph?", ids(lead(g.degree())))
    add(
        "centrality",
        "by betweenness, links taken both ways, which single node is the worst bottleneck",
        ids(lead(g.betweenness())),
    )
    hr, seen, todo = g.adj("HAUL_ROUTE"), {"B01"}, ["B01"]
    while todo:
        for y in hr[todo.pop()] - seen:
            seen.add(y)
            todo.append(y)
    add(
        "centrality",
        "Sticking to the haul routes, which blocks can't a lorry get to at all from Lock House, however many stops it makes?",
        ids(B - seen),
    )
    # yes or no
    add(
        "yes_no",
        "Will the Crane Oversail Licence still be in date on 31 October 2026?",
        yes(n["PT-01"]["expires"] >= "2026-10-31"),
    )
    add(
        "yes_no",
        "Has Vantage got a live order for anything at Canal Quarter today?",
        yes(bool(held("SC-09") & of("J401"))),
    )
    # intersections and unions
    add(
        "set",
        "Which subcontractors hold orders on both the Hospital Wing and Harbour Road School?",
        ids(firms(of("J402")) & firms(of("J403"))),
    )
    add(
        "set",
        "Give me all the blocks where Hollis or Merrick Roofing, either of them, has an order for a package.",
        ids(g.out(held({"SC-11", "SC-07"}), "DONE_ON")),
    )
    add(
        "set",
        "Which packages need a permit but don't call for any material?",
        ids({e["source"] for e in g.valid("NEEDS")} - {e["source"] for e in g.valid("CALLS_FOR")}),
    )
    # before and after another event
    add(
        "sequence",
        "Which issues were logged after the Asbestos Find?",
        ids(g.where(IS, lambda r: r["date"] > n["IS-07"]["date"])),
    )
    add(
        "sequence",
        "What accidents had we had before the columns came out honeycombed?",
        ids(g.where(IS, lambda r: r["kind"] == "accident" and r["date"] < n["IS-05"]["date"])),
    )
    # to be refused
    add("unanswerable", "Which machines are standing at Pemberton Yard?", no("unknown_entity"))
    add("unanswerable", "IS-19, what did that one affect?", no("unknown_entity"))
    add("unanswerable", "Which architect drew up the Ticket Hall?", no("not_in_schema"))
    add(
        "unanswerable",
        "How many skips of rubble did we cart away from the Old Tannery?",
        no("not_in_schema"),
    )
    add("unanswerable", "Which packages is Roche running?", no("ambiguous", "F-1", "F-4"))
    add(
        "unanswerable",
        "What has Merrick got orders for at the moment?",
        no("ambiguous", "SC-06", "SC-07"),
    )
    return q


g = G(HERE / "domains" / "construction")
rows = [
    {"id": f"bcs-{k:03}", "category": c, "query": t, "gold": gold, **more}
    for k, (c, t, gold, more) in enumerate(construction(g), 1)
]
write("construction", rows)
