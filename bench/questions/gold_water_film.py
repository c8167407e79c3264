"""Blind questions for water and film, written before the reader saw them; gold computed from the data.

usage: python3 gold_water_film.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import collections

from gold_common import G, OUT, cmp_, ids, lead, no, num, rank, write, yes

ROOT = OUT / "domains"
DIRS = {"water": ROOT / "water", "film": ROOT / "film"}


def water(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    # lookup
    add("lookup", "which plants does Mere Lake feed", ids(g.out("SRC-05", "FEEDS")))
    add(
        "lookup",
        "Could you tell me who runs the Hollow Works these days?",
        ids(g.inn("PL-2", "OPERATES")),
    )
    add(
        "lookup",
        "How many cubic metres a day does Long Ridge send to Southmoor?",
        num(g.edge("RS-03", "SUPPLIES", "Z-4")["m3_day"]),
    )
    add("lookup", "rs07: which zones", ids(g.out("RS-07", "SUPPLIES")))
    # multi_hop
    add(
        "multi_hop",
        "Which big customers drink water that comes through Castle Tank?",
        ids(g.inn(g.out("RS-02", "SUPPLIES"), "LOCATED_IN")),
    )
    add(
        "multi_hop",
        "From which vendors do we get the chemicals that Riverside Works is dosed with?",
        ids(g.out(g.out("PL-1", "DOSES"), "SOLD_BY")),
    )
    add(
        "multi_hop",
        "Orla Dunne's crew: which reservoirs does it look after?",
        ids(g.out(g.out("T-01", "BELONGS_TO"), "MAINTAINS")),
    )
    add(
        "multi_hop",
        "Who are the technicians in the crews that maintain Castle Tank?",
        ids(g.inn(g.inn("RS-02", "MAINTAINS"), "BELONGS_TO")),
    )
    # downstream
    r = g.out("PL-4", "FILLS")
    z = g.out(r, "SUPPLIES")
    add(
        "downstream",
        "Everything downstream of Mere Works: tanks, zones and the customers in them",
        ids(r | z | g.inn(z, "LOCATED_IN")),
    )
    add(
        "downstream",
        "Starting from the Brand Borehole 2, which zones are eventually supplied?",
        ids(g.out(g.out(g.out("SRC-04", "FEEDS"), "FILLS"), "SUPPLIES")),
    )
    rs = g.inn("Z-1", "SUPPLIES")
    pl = g.inn(rs, "FILLS")
    add(
        "downstream",
        "What stands upstream of Old Town? I need the reservoirs, the works and the raw water sources.",
        ids(rs | pl | g.inn(pl, "FEEDS")),
    )
    add(
        "downstream",
        "trace Long Ridge through the trunk mains as far as they go",
        ids(g.walk("RS-03", "PIPED_TO")),
    )
    # path
    add(
        "path",
        "How is Halden Chemie connected to Eastgate? Shortest way, please.",
        {"path": g.paths("V-1", "Z-3")},
    )
    add("path", "shortest path T-06 to CU-08", {"path": g.paths("T-06", "CU-08")})
    add(
        "path",
        "How many steps is it at least from the Tarn Paper Mill to Mere Lake?",
        num(len(g.paths("CU-04", "SRC-05")[0]) - 1),
    )
    # aggregation
    add(
        "aggregation",
        "What is the total daily water use of our food customers?",
        num(g.sum(g.t("Customer", lambda r: r["sector"] == "food"), "use_m3_day")),
    )
    add(
        "aggregation",
        "Reservoirs by number of zones they supply, the busiest at the top",
        rank({i: len(g.out(i, "SUPPLIES")) for i in g.inn(g.t("Zone"), "SUPPLIES")}),
    )
    add(
        "aggregation",
        "on average how leaky are the zones in the North district?",
        num((23.5 + 31.0) / 2),
    )
    kg = collections.Counter()
    for e in g.valid("DOSES"):
        kg[e["target"]] += e["kg_day"]
    add("aggregation", "kilos a day of each chemical, over all plants, biggest first", rank(kg))
    # temporal
    add(
        "temporal",
        "Who operated Brand Works in spring 2020?",
        ids(g.inn("PL-3", "OPERATES", "2020-04-01")),
    )
    add(
        "temporal",
        "since when has Castle Tank been on the Night Crew's list?",
        {"date": g.edge("CR-3", "MAINTAINS", "RS-02")["valid_from"]},
    )
    add(
        "temporal",
        "Which sources fed Brand Works on 31 May 2024?",
        ids(g.inn("PL-3", "FEEDS", "2024-05-31")),
    )
    add(
        "temporal",
        "What chemicals did Mere Works stop dosing with in the course of 2025?",
        ids(["CH-1"]),
    )
    # what_if
    add(
        "what_if",
        "If Hollow Works were shut down, which zones would be left without any water?",
        ids(zz for zz in g.t("Zone") if g.inn(g.inn(zz, "SUPPLIES"), "FILLS") == {"PL-2"}),
    )
    add(
        "what_if",
        "Purex goes bankrupt. Which of our chemicals can we no longer buy anywhere?",
        ids(c for c in g.t("Chemical") if g.out(c, "SOLD_BY") == {"V-2"}),
    )
    add(
        "what_if",
        "How many zones lose all supply if High Tor and Fell Tank are both out of service?",
        num(len([zz for zz in g.t("Zone") if g.inn(zz, "SUPPLIES") <= {"RS-01", "RS-05"}])),
    )
    # spof
    one = {zz for zz in g.t("Zone") if len(g.inn(zz, "SUPPLIES")) == 1}
    add("spof", "zones hanging on one single reservoir", ids(one))
    add(
        "spof",
        "Is there any chemical that only one vendor sells us, and which?",
        yes(True, {c for c in g.t("Chemical") if len(g.out(c, "SOLD_BY")) == 1}),
    )
    add(
        "spof",
        "Which customers sit in a zone with just one reservoir behind it?",
        ids(g.inn(one, "LOCATED_IN")),
    )
    # inverse
    add(
        "inverse",
        "Which vendors service none of our pumps?",
        ids(g.t("Vendor") - g.inn(g.t("Pump"), "SERVICES")),
    )
    add(
        "inverse",
        "How many reservoirs are not piped to any other one?",
        num(len([i for i in g.t("Reservoir") if not g.out(i, "PIPED_TO")])),
    )
    add(
        "inverse",
        "reservoirs nobody maintains",
        ids(g.t("Reservoir") - g.out(g.t("Crew"), "MAINTAINS")),
    )
    add(
        "inverse",
        "All zones except those with a customer owned by the city",
        ids(g.t("Zone") - g.out(g.t("Customer", lambda r: r["city_owned"] == "yes"), "LOCATED_IN")),
    )
    # compare
    x, y = g.out("RS-02", "SUPPLIES"), g.out("RS-05", "SUPPLIES")
    add(
        "compare",
        "Compare Castle Tank with Fell Tank: how many zones does each serve, and which do they share?",
        cmp_("RS-02", "RS-05", counts={"Zone": [len(x), len(y)]}, shared={"Zone": sorted(x & y)}),
    )
    add(
        "compare",
        "Which has the greater capacity, Mere Works or Riverside Works?",
        cmp_("PL-4", "PL-1", values={"capacity_m3_day": [26000, 40000]}),
    )
    add(
        "compare",
        "what chemicals does Brand Works use that Hollow Works doesn't",
        ids(g.out("PL-3", "DOSES") - g.out("PL-2", "DOSES")),
    )
    # risk
    op = g.t("Incident", lambda r: r["status"] == "open")
    add(
        "risk",
        "Which plants are being hit by an open incident right now?",
        ids(g.out(op, "HITS") & g.t("Plant")),
    )
    add("risk", "is any zone affected by an open incident of medium severity?", yes(True, ["Z-2"]))
    add(
        "risk",
        "Which reservoirs are filled by a plant with an open incident rated high?",
        ids(
            g.out(
                g.out(
                    g.t("Incident", lambda r: r["status"] == "open" and r["severity"] == "high"),
                    "HITS",
                )
                & g.t("Plant"),
                "FILLS",
            )
        ),
    )
    # combined
    add(
        "combined",
        "zones over 15% leakage that the Red Crew's reservoirs supply",
        ids(
            g.where(g.out(g.out("CR-2", "MAINTAINS"), "SUPPLIES"), lambda r: r["leakage_pct"] > 15)
        ),
    )
    add(
        "combined",
        "Customers whose contract runs out before 2027 and whose zone gets water from two or more reservoirs",
        ids(
            c
            for c in g.t("Customer", lambda r: r["contract_until"] < "2027")
            if any(len(g.inn(zz, "SUPPLIES")) >= 2 for zz in g.out(c, "LOCATED_IN"))
        ),
    )
    add(
        "combined",
        "senior technicians who are on call and run no plant",
        ids(
            i
            for i in g.t("Technician", lambda r: r["grade"] == "senior" and r["on_call"] == "yes")
            if not g.out(i, "OPERATES")
        ),
    )
    add(
        "combined",
        "And of those, which are in the South district?",
        ids(g.where(g.out("RS-04", "SUPPLIES"), lambda r: r["district"] == "South")),
        history=[{"role": "user", "content": "Which zones does Beacon Hill supply?"}],
    )
    # centrality
    add(
        "centrality",
        "which reservoir has the most connections of any kind?",
        ids(lead({k: v for k, v in g.degree().items() if g.n[k]["type"] == "Reservoir"})),
    )
    # unanswerable
    add("unanswerable", "Which zones does Pine Reservoir supply?", no("unknown_entity"))
    add("unanswerable", "what does Vos operate?", no("ambiguous", "T-02", "T-04"))
    add("unanswerable", "Which trade unions are the technicians in?", no("not_in_schema"))
    return q


def film(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    P = g.t("Production")
    # lookup
    add("lookup", "Who is directing The Glass House?", ids(g.inn("glasshouse", "DIRECTS")))
    add(
        "lookup",
        "what's Imani Cole's fee for North Light",
        num(g.edge("p07", "ACTS_IN", "northlight")["fee_eur"]),
    )
    add("lookup", "List the backers of hourglas", ids(g.inn("hourglass", "FUNDS")))
    add("lookup", "Where is Salt Road being filmed?", ids(g.out("saltroad", "FILMS_AT")))
    # multi_hop
    add(
        "multi_hop",
        "Which rental houses have gear that Quietus hires?",
        ids(g.out(g.out("quietus", "RENTS"), "STOCKED_BY")),
    )
    add(
        "multi_hop",
        "actors in films that Clara Voss wrote",
        ids(g.inn(g.out("p05", "WRITES"), "ACTS_IN")),
    )
    add(
        "multi_hop",
        "Permits needed for the sites of The Last Ferry?",
        ids(g.out(g.out("lastferry", "FILMS_AT"), "NEEDS")),
    )
    add(
        "multi_hop",
        "Who shot the productions backed by Screen Flanders?",
        ids(g.out(g.out("b3", "FUNDS"), "SHOT_BY")),
    )
    add(
        "multi_hop",
        "Which agencies represent somebody who acts in Salt Road?",
        ids(g.out(g.inn("saltroad", "ACTS_IN"), "REPRESENTED_BY")),
    )
    # downstream
    add(
        "downstream",
        "Everyone Tom Achterberg has mentored, directly or through others",
        ids(g.walk("p02", "MENTORS")),
    )
    gr = g.out("saltroad", "RENTS")
    add(
        "downstream",
        "I'd like all of Salt Road's gear and the houses that stock it",
        ids(gr | g.out(gr, "STOCKED_BY")),
    )
    # path
    add(
        "path",
        "Shortest link between Kestrel Capital and Deepwater Hire",
        {"path": g.paths("b2", "h3")},
    )
    add("path", "how are Jonah Pike and Felix Voss connected?", {"path": g.paths("p06", "p08")})
    add(
        "path",
        "How many hops lie between the Open Reel festival and Olga Brandt?",
        num(len(g.paths("f3", "p15")[0]) - 1),
    )
    # aggregation
    add(
        "aggregation",
        "How much money has Kestrel Capital put into our films in total?",
        num(sum(e["amount_eur"] for e in g.valid("FUNDS") if e["source"] == "b2")),
    )
    add(
        "aggregation",
        "how many shooting days does The Glass House have all in all?",
        num(sum(e["days"] for e in g.valid("FILMS_AT") if e["source"] == "glasshouse")),
    )
    add(
        "aggregation",
        "Rank the producers by the number of productions they produce.",
        rank(collections.Counter(e["target"] for e in g.valid("PRODUCED_BY"))),
    )
    fees = collections.Counter()
    for e in g.valid("ACTS_IN"):
        fees[e["source"]] += e["fee_eur"]
    add(
        "aggregation",
        "Which actor earns the most in fees over all their parts?",
        {**rank(fees, k=1), "ids": ["p07"]},
    )
    add(
        "aggregation",
        "average budget of the dramas?",
        num(g.sum(g.t("Production", lambda r: r["genre"] == "drama"), "budget_eur") / 3),
    )
    add(
        "aggregation",
        "the two most expensive sites per day",
        {**rank({i: g.n[i]["fee_day_eur"] for i in g.t("Site")}, k=2), "ids": ["manor", "tank"]},
    )
    # temporal
    add(
        "temporal",
        "Who was directing Salt Road at the end of 2025?",
        ids(g.inn("saltroad", "DIRECTS", "2025-12-31")),
    )
    add(
        "temporal",
        "Until when could Parade Films show Hourglass?",
        {"date": g.edge("hourglass", "SOLD_TO", "d1")["valid_to"]},
    )
    add(
        "temporal",
        "Ravi Menon was represented by whom in 2022?",
        ids(g.out("p04", "REPRESENTED_BY", "2022-06-01")),
    )
    add(
        "temporal",
        "Which productions are released after 1 January 2025?",
        ids(g.t("Production", lambda r: r.get("release_date", "") > "2025-01-01")),
    )
    # what_if
    add(
        "what_if",
        "If Lumen Rental closed its doors, which gear could we not get from anyone else?",
        ids(x for x in g.t("Gear") if g.out(x, "STOCKED_BY") == {"h1"}),
    )
    add(
        "what_if",
        "Suppose Marlow Trust and Kestrel Capital both pull out. Which films have no backer left?",
        ids(x for x in P if g.inn(x, "FUNDS") and g.inn(x, "FUNDS") <= {"b5", "b2"}),
    )
    add(
        "what_if",
        "Without Bea Nolan, how many productions would lack an editor they have today?",
        num(len([x for x in P if g.out(x, "CUT_BY") == {"p12"}])),
    )
    # spof
    add(
        "spof",
        "Productions resting on exactly one backer",
        ids(x for x in P if len(g.inn(x, "FUNDS")) == 1),
    )
    add(
        "spof",
        "which items of gear have a sole rental house?",
        ids(x for x in g.t("Gear") if len(g.out(x, "STOCKED_BY")) == 1),
    )
    add(
        "spof",
        "Does any film have more than one writer at present? Which?",
        yes(True, {x for x in P if len(g.inn(x, "WRITES")) > 1}),
    )
    # inverse
    add(
        "inverse",
        "Which productions haven't got an editor yet?",
        ids(x for x in P if not g.out(x, "CUT_BY")),
    )
    add(
        "inverse",
        "sites where nothing of ours but Hourglass or The Last Ferry was filmed",
        ids(
            s
            for s in g.t("Site")
            if g.inn(s, "FILMS_AT") and g.inn(s, "FILMS_AT") <= {"hourglass", "lastferry"}
        ),
    )
    add(
        "inverse",
        "How many distributors have never bought anything but Little Bear?",
        num(len([d for d in g.t("Distributor") if g.inn(d, "SOLD_TO", None) == {"littlebear"}])),
    )
    add(
        "inverse",
        "name the actors without an agency",
        ids(
            x
            for x in g.t("Person", lambda r: r["craft"] == "actor")
            if not g.out(x, "REPRESENTED_BY")
        ),
    )
    # compare
    a, b = g.inn("d1", "SOLD_TO"), g.inn("d3", "SOLD_TO")
    add("compare", "Which films has Bullring bought that Parade hasn't?", ids(b - a))
    add(
        "compare",
        "Whose budget is bigger, Salt Road's or North Light's?",
        cmp_("saltroad", "northlight", values={"budget_eur": [21000000, 14500000]}),
    )
    a, b = g.inn("glasshouse", "ACTS_IN"), g.inn("saltroad", "ACTS_IN")
    add(
        "compare",
        "glass house vs salt road: number of actors in each and who's in both",
        cmp_(
            "glasshouse",
            "saltroad",
            counts={"Person": [len(a), len(b)]},
            shared={"Person": sorted(a & b)},
        ),
    )
    # combined
    add(
        "combined",
        "thrillers sold to an English distributor with over 500 screens",
        ids(
            g.where(
                g.inn(
                    g.t("Distributor", lambda r: r["country"] == "England" and r["screens"] > 500),
                    "SOLD_TO",
                ),
                lambda r: r["genre"] == "thriller",
            )
        ),
    )
    add(
        "combined",
        "Union actors charging more than 5,000 a day who are in something that is still shooting",
        ids(
            x
            for x in g.t(
                "Person",
                lambda r: (
                    r["craft"] == "actor" and r["union"] == "yes" and r["day_rate_eur"] > 5000
                ),
            )
            if any(g.n[y]["stage"] == "shooting" for y in g.out(x, "ACTS_IN"))
        ),
    )
    add(
        "combined",
        "Which productions rent a camera and film in Norway?",
        ids(
            g.inn(g.t("Gear", lambda r: r["category"] == "camera"), "RENTS")
            & g.inn(g.t("Site", lambda r: r["country"] == "Norway"), "FILMS_AT")
        ),
    )
    add(
        "combined",
        "Films in prep without a single site so far",
        ids(
            x for x in g.t("Production", lambda r: r["stage"] == "prep") if not g.out(x, "FILMS_AT")
        ),
    )
    add(
        "combined",
        "and who produces it?",
        ids(g.out("quietus", "PRODUCED_BY")),
        history=[
            {"role": "user", "content": "Who directs Quietus?"},
            {"role": "assistant", "content": "Sunniva Lie."},
        ],
    )
    # centrality
    add(
        "centrality",
        "Which person has the most links in the graph?",
        ids(lead({k: v for k, v in g.degree().items() if g.n[k]["type"] == "Person"})),
    )
    add("centrality", "what node lies on the most shortest paths?", ids(lead(g.betweenness())))
    # unanswerable
    add("unanswerable", "Who composed the score for Tundra?", no("not_in_schema"))
    add("unanswerable", "which films did Voss write?", no("ambiguous", "p05", "p08"))
    add("unanswerable", "Who is acting in Copper Moon?", no("unknown_entity"))
    return q


for name, f, pre in (("water", water, "bw"), ("film", film, "bl")):
    g = G(DIRS[name])
    rows = [
        {"id": f"{pre}-{k:03}", "category": c, "query": t, "gold": gold, **more}
        for k, (c, t, gold, more) in enumerate(f(g), 1)
    ]
    write(name, rows)
