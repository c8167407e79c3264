"""Blind questions for an aid organisation, written before the reader saw them; gold computed from the data.

usage: python3 gold_charity.py [--show]
Relations are those valid on as_of unless a day is named; degree and betweenness as in gold_common."""

import collections, pathlib, sys

from gold_common import G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent
g = G(HERE / "domains" / "charity")
n = g.n
P, O, D, GR, PA, W, I, S, C, X = (
    g.t(t)
    for t in "Programme FieldOffice Donor Grant Partner Warehouse ReliefItem Staff Community Emergency".split()
)
act = {x for x in X if n[x]["status"] == "active"}
run = {p for p in P if n[p]["status"] == "running"}
esum = lambda rel, prop, f: sum(e[prop] for e in g.valid(rel) if f(e))
A = "2026-08-01"


def reach(a, adj, without=()):
    seen, f = {a}, [a]
    while f:
        f = [y for x in f for y in adj[x] if y not in seen and y not in without]
        seen |= set(f)
    return seen


q = []
add = lambda c, t, gold, note=None: q.append((c, t, gold, note))

# lookup
add("lookup", "Which programmes does the Garissa office run?", ids(g.out("FO-GAR", "RUNS")))
add(
    "lookup",
    "How many households does Clean Water Turkana reach in Lokichar?",
    num(g.edge("PR-01", "SERVES", "CO-02", A)["households"]),
)
add(
    "lookup",
    "I keep mixing them up: which local organisations are actually doing the work on the Cholera Response for us right now?",
    ids(g.inn("PR-10", "IMPLEMENTS")),
)
add("lookup", "WH-5: what have we got lying there?", ids(g.out("WH-5", "STOCKS")), "Id.")
# multi hop
add(
    "multi_hop",
    "Which donnors stand behind Clean Water Turkana?",
    ids(g.inn(g.inn("PR-01", "FUNDS"), "AWARDED")),
    "Typo. Programme <- grants <- donors.",
)
add(
    "multi_hop",
    "Whose money, in the end, pays for the programmes we have going at Denan Camp? I mean the donors, not the grants.",
    ids(g.inn(g.inn(g.inn("CO-08", "SERVES"), "FUNDS"), "AWARDED")),
    "Three hops; the former funding of Camp Hygiene by GR-204 is over.",
)
add(
    "multi_hop",
    "Which communities are served by a programme that Sabean Women's Network implements?",
    ids(g.out(g.out("PA-03", "IMPLEMENTS"), "SERVES")),
    "Sabean left Camp Hygiene in May 2026.",
)
add(
    "multi_hop",
    "Where would the trucks have to load for Flood Shelter Tana, i.e. which warehouses hold at least one of the things it hands out?",
    ids(g.inn(g.out("PR-05", "DISTRIBUTES"), "STOCKS")),
    "Former and future stock left out.",
)
_h = g.out("DO-05", "AWARDED") & g.inn("PR-10", "FUNDS")
add(
    "yes_no",
    "Does any of Halvorsen's money go into the Malakal Cholera Response, and if so through which grant?",
    yes(bool(_h), _h),
)
# filters
add(
    "filter",
    "Which grants are worth more than a million euros?",
    ids(g.t("Grant", lambda r: r["amount_eur"] > 1e6)),
)
add(
    "filter",
    "high-risk partners whose last audit was before 2025",
    ids(g.t("Partner", lambda r: r["risk_rating"] == "high" and r["audited_on"] < "2025-01-01")),
)
add(
    "filter",
    "I have to start on the renewals: which colleagues have a contract that ends before October 2026?",
    ids(g.t("Staff", lambda r: r.get("contract_end", "9999") < "2026-10-01")),
)
# negation
add(
    "inverse",
    "Which partners aren't implementing anything for us at the moment?",
    ids(PA - g.inn(P, "IMPLEMENTS")),
)
add(
    "inverse",
    "Leaving the programme managers aside, who is posted to Malakal these days?",
    ids(g.where(g.inn("FO-MAL", "POSTED_TO"), lambda r: r["role"] != "programme manager")),
)
add(
    "inverse",
    "Which comunities does none of our programmes serve today?",
    ids(C - g.out(P, "SERVES")),
    "Typo.",
)
gov = {d for d in D if n[d]["kind"] == "government"}
add(
    "inverse",
    "Among the running programmes, which ones get not a single cent from any government donor?",
    ids(run - g.out(g.out(gov, "AWARDED"), "FUNDS")),
)
# count, sum, average
add(
    "aggregation",
    "How much grant money is going into Cash Against Drought altogether?",
    num(esum("FUNDS", "amount_eur", lambda e: e["target"] == "PR-04")),
    "Two parallel tranches of the same grant.",
)
add(
    "aggregation",
    "Average budget of the running programmes?",
    num(g.sum(run, "budget_eur") / len(run)),
)
add(
    "aggregation",
    "Taking all the places the Turkana Drought is hitting, how many people live there in total?",
    num(g.sum(g.out("EM-02", "AFFECTS") & C, "population")),
    "The warehouse it hits has no population.",
)
# superlatives
add(
    "superlative",
    "Which programme has spent the most so far?",
    {"ids": lead({p: n[p]["spent_eur"] for p in P})},
)
_c = rank({w: n[w]["capacity_m3"] for w in W}, k=3)
add(
    "superlative",
    "the three biggest warehouses by capacity",
    {**_c, "ids": sorted(i for i, _ in _c["ranking"])},
)
_b = {p: esum("IMPLEMENTS", "budget_eur", lambda e: e["source"] == p) for p in PA}
add(
    "superlative",
    "If you add up the budgets of each partner's current agreements with us, who comes out on top?",
    {"ids": lead(_b)},
    "Two agreements of the same pair add up.",
)
# grouping
_hh = {c: esum("SERVES", "households", lambda e: e["target"] == c) for c in g.out(P, "SERVES")}
add(
    "grouping",
    "Households reached per community, all programmes added together, most first. Leave out the ones we don't serve.",
    rank(_hh),
)
_dg = {d: g.sum(g.out(d, "AWARDED"), "amount_eur") for d in D if g.out(d, "AWARDED")}
add(
    "grouping",
    "Add up the size of the grants for each donor, biggest giver first, ignoring grants that have closed and donors without one.",
    rank(_dg),
    "GR-210 closed in 2025.",
)
add(
    "grouping",
    "number of programmes in each sector, whatever their status",
    rank(collections.Counter(n[p]["sector"] for p in P)),
    "The groups are values, not ids.",
)
# compare
add(
    "compare",
    "Lodwar office versus Marsabit office: how many programmes does each run, and which do they run together?",
    cmp_(
        "FO-LOD",
        "FO-MAR",
        counts={"Programme": [len(g.out("FO-LOD", "RUNS")), len(g.out("FO-MAR", "RUNS"))]},
        shared={"Programme": sorted(g.out("FO-LOD", "RUNS") & g.out("FO-MAR", "RUNS"))},
    ),
)
add(
    "compare",
    "What does Camp Hygiene hand out that Clean Water Turkana doesn't?",
    ids(g.out("PR-07", "DISTRIBUTES") - g.out("PR-01", "DISTRIBUTES")),
)
# property against property
_o = {p for p in P if n[p]["spent_eur"] > n[p]["budget_eur"]}
add("property", "Has any programme spent more than its budget? Which?", yes(_o, _o))
_st = {i: esum("STOCKS", "quantity", lambda e: e["target"] == i) for i in I}
add(
    "property",
    "For which relief goods is what we hold in all the warehouses together below the minimum stock?",
    ids(i for i in I if _st[i] < n[i]["min_stock"]),
    "Blankets: the former and the coming stock do not count.",
)
add(
    "property",
    "Which communities have more than half of their population displaced?",
    ids(c for c in C if n[c]["displaced"] * 2 > n[c]["population"]),
)
# universals
add(
    "universal",
    "Which field offices run only programmes whose status is running?",
    ids(o for o in O if g.out(o, "RUNS") and g.out(o, "RUNS") <= run),
)
hit = g.out(act, "AFFECTS")
add(
    "universal",
    "Which programmes are in trouble everywhere, so that every single community they serve is hit by an active emergency? Programmes serving nobody today don't count.",
    ids(p for p in P if g.out(p, "SERVES") and g.out(p, "SERVES") <= hit),
)
# single source
add(
    "spof",
    "wich relief items lie in one warehouse only?",
    ids(i for i in I if len(g.inn(i, "STOCKS")) == 1),
    "Typo.",
)
add(
    "spof",
    "Running programmes that hang on one single grant, please",
    ids(p for p in run if len(g.inn(p, "FUNDS")) == 1),
    "Cash Against Drought: two tranches, one grant.",
)
# what if
_eg = g.out("DO-02", "AWARDED")
add(
    "what_if",
    "If the European Aid Office pulled out its grants, which programmes would be left without any grant at all?",
    ids(p for p in P if g.inn(p, "FUNDS") and g.inn(p, "FUNDS") <= _eg),
)
add(
    "what_if",
    "Peter Ekal and Fatuma Abdi both resign. How many programmes would then have lost the only manager they have?",
    num(len([p for p in P if g.inn(p, "MANAGES") and g.inn(p, "MANAGES") <= {"ST-03", "ST-04"}])),
)
_ra = g.adj("ROUTE_TO")
add(
    "what_if",
    "Imagine nothing can pass through the Eldoret Hub any more: which communities could our trucks, using the routes we have, no longer get to from the Mombasa depot?",
    ids((reach("WH-1", _ra) - reach("WH-1", _ra, {"WH-2"})) & C),
    "Reach over ROUTE_TO, both ways, with and without WH-2.",
)
# downstream of an event
_dp = g.inn(g.out("EM-02", "AFFECTS") & C, "SERVES")
add(
    "downstream",
    "Which donors fund a programme that serves a community hit by the Turkana Drought?",
    ids(g.inn(g.inn(_dp, "FUNDS"), "AWARDED")),
)
_k = g.out("EM-06", "AFFECTS")
add(
    "downstream",
    "Give me the whole fallout of the Marsabit Clashes in one list: the communities and warehouses they hit, the goods stored in those warehouses and the programmes serving those communities.",
    ids(_k | g.out(_k & W, "STOCKS") | g.inn(_k & C, "SERVES")),
)
_f = g.out("EM-01", "AFFECTS")
add(
    "downstream",
    "Counting every programme, how many households do we reach in the places hit by the Tana River Flood?",
    num(esum("SERVES", "households", lambda e: e["target"] in _f)),
)
# time
add(
    "temporal",
    "Which office was running Camp Hygiene on 31 March 2026?",
    ids(g.inn("PR-07", "RUNS", "2026-03-31")),
    "Last day, still counted.",
)
add(
    "temporal",
    "Since when has James Lado been posted to Malakal?",
    {"date": g.edge("ST-08", "POSTED_TO", "FO-MAL", A)["valid_from"]},
)
add(
    "temporal",
    "What does the Marsabit office run now that it wasn't running on 1 January 2026?",
    ids(g.out("FO-MAR", "RUNS") - g.out("FO-MAR", "RUNS", "2026-01-01")),
)
add(
    "temporal",
    "Which partners stopped implementing one of our programmes in the first half of 2026?",
    ids(
        e["source"]
        for e in g.e
        if e["type"] == "IMPLEMENTS" and "2026-01-01" <= (e["valid_to"] or "9999") <= "2026-06-30"
    ),
)
add(
    "temporal",
    "Which of our grants were signed after the Turkana Drought had begun?",
    ids(x for x in GR if n[x]["signed_on"] > n["EM-02"]["date"]),
    "By the date of the event.",
)
# paths
_pth, _hrs = g.cheapest("WH-1", "CO-05", "ROUTE_TO", "hours")
add(
    "path",
    "Counting driving hours rather than stops, what's the quickest route for a truck from the Mombasa depot to North Horr?",
    {"path": _pth},
    f"{_hrs} hours; the direct road to Isiolo is slower.",
)
add(
    "path",
    "What is the least distance in km by our truck routes from the Mombasa depot to North Horr?",
    num(g.cheapest("WH-1", "CO-05", "ROUTE_TO", "km")[1]),
)
add(
    "path",
    "How is the Lindqvist Foundation connected to Erer Valley? Shortest chain of links of any kind.",
    {"path": g.paths("DO-03", "CO-09")},
    "Undirected, all equally short ones.",
)
_rep = g.paths("ST-11", "ST-01", rel="REPORTS_TO", directed=True)
add(
    "path",
    "Going up the reporting line from Grace Akinyi, how many steps is it to Ingrid Solheim?",
    num(len(_rep[0]) - 1),
    "REPORTS_TO, in edges.",
)
# structure
_bw = g.betweenness()
add(
    "structure",
    "Ignoring the direction of links, which warehouse is the worst bottleneck by betweenness?",
    {"ids": lead({w: _bw[w] for w in W})},
    "Betweenness over the whole graph, best of the warehouses.",
)
_ia = g.adj("IMPLEMENTS")
_comp = {frozenset(reach(x, _ia)) for x in _ia}
add(
    "structure",
    "Look only at which partner implements which programme today. Into how many separate clusters do the partners and programmes that have such a link fall?",
    num(len(_comp)),
    "Components of IMPLEMENTS: " + " / ".join(sorted(",".join(sorted(c)) for c in _comp)),
)
_deg = [{c: d[c] for c in C} for d in (g.degree(), g.degree(False))]
assert lead(_deg[0]) == lead(_deg[1])
add(
    "structure",
    "Which community has the most direct links, counting every kind of relation?",
    {"ids": lead(_deg[0])},
    "Degree, current relations; the same with and without parallels.",
)
# sets
add(
    "set",
    "Which places are served by both PR-03 and PR-04?",
    ids(g.out("PR-03", "SERVES") & g.out("PR-04", "SERVES")),
    "Ids.",
)
add(
    "set",
    "Everything that is in stock at Isiolo or Kakuma or at both, in one list",
    ids(g.out({"WH-3", "WH-4"}, "STOCKS")),
    "Blankets left Kakuma.",
)
# to be refused
add("unanswerable", "Who manages the Kisumu Street Children Programme?", no("unknown_entity"))
add(
    "unanswerable",
    "GR-219, which donor gave us that one?",
    no("unknown_entity"),
    "Well-formed id of no grant.",
)
add("unanswerable", "Which journalists have visited Denan Camp?", no("not_in_schema"))
add(
    "unanswerable",
    "Who does Abdi report to?",
    no("ambiguous", "ST-02", "ST-03"),
    "Two of that surname with different line managers.",
)
add(
    "unanswerable",
    "What vehicles does the Gode office have, and when were they last serviced?",
    no("not_in_schema"),
)
add(
    "unanswerable",
    "How much has the health programme spent so far?",
    no("ambiguous", *(p for p in P if n[p]["sector"] == "health")),
    "Two health programmes.",
)

rows = [
    {
        "id": f"bh-{k:03}",
        "category": c,
        "query": t,
        "gold": gold,
        **({"note": note} if note else {}),
    }
    for k, (c, t, gold, note) in enumerate(q, 1)
]
write("charity", rows)
if "--show" in sys.argv:
    d1, d2 = g.degree(), g.degree(False)
    print(sorted(d1.items(), key=lambda x: -x[1])[:4], sorted(d2.items(), key=lambda x: -x[1])[:4])
    print(sorted(((round(_bw[w], 1), w) for w in W), reverse=True))
    print(_deg)
    print(_b, _st)
    print(g.cheapest("WH-1", "CO-05", "ROUTE_TO", "km"))
