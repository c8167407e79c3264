"""Gold of the bloodbank set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_bloodbank.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "bloodbank")
rows, q = asking("bb")

CENTRES, LABS, PRODUCTS = g.t("DonorCentre"), g.t("Laboratory"), g.t("BloodProduct")
HOSPITALS, CONSUMABLES, VENDORS = g.t("Hospital"), g.t("Consumable"), g.t("Vendor")
OPEN = g.t("Alert", lambda r: r["status"] == "open")
of_class = lambda name: g.t("BloodProduct", lambda r: r["product_class"] == name)
using = lambda consumables: g.inn(consumables, "MADE_WITH")
vendors = lambda consumable: g.inn(consumable, "FURNISHES")

q(
    "lookup",
    "How many units of O neg red cells does Haverton General get each week?",
    num(g.edge("BP-01", "ISSUED_TO", "HSP-1")["units_week"]),
    "units_week on BP-01 ISSUED_TO HSP-1.",
)
q(
    "lookup",
    "which consumables have we less than 20 days of stock of",
    ids(g.t("Consumable", lambda r: r["stock_days"] < 20)),
    "stock_days under 20.",
)
q(
    "lookup",
    "Novabag's price for a quadruple blood bag, in euros?",
    num(g.edge("VN-5", "FURNISHES", "CN-01")["price_eur"]),
    "price_eur on VN-5 FURNISHES CN-01.",
)

q(
    "multi_hop",
    "Which hospitals receive something that's made at the Coastal Lab?",
    ids(g.out(g.out("LAB-3", "PREPARES"), "ISSUED_TO")),
    "LAB-3 -> products -> hospitals.",
)
q(
    "multi_hop",
    "Donor centres whose blood goes to a lab that makes washed cells?",
    ids(g.inn(g.inn("BP-04", "PREPARES"), "SENDS_TO")),
    "BP-04 <- labs <- centres.",
)
_brigid = g.out(g.inn("HSP-2", "ISSUED_TO"), "MADE_WITH")
_irish = g.where(vendors(_brigid), lambda r: r["country"] == "Ireland")
q(
    "multi_hop",
    "Is there an Irish vendor behind any of the products St Brigid's recieves, and if so who?",
    yes(_irish, _irish),
    "HSP-2 <- products -> consumables <- vendors in Ireland.",
)

q(
    "downstream",
    "Leaking bag recall: which hospitals take products made with the bag in question?",
    ids(g.out(using(g.out("AL-1", "RECALLS")), "ISSUED_TO")),
    "AL-1 -> CN-01 <- products -> hospitals.",
)
q(
    "downstream",
    "Sanguitec's factory has burnt down, I hear. Which of our blood products use anything "
    "they sell us?",
    ids(using(g.out("VN-4", "FURNISHES"))),
    "VN-4 -> consumables <- products; the bag contract is over.",
)
_cloudy = using(g.out("AL-7", "RECALLS"))
q(
    "downstream",
    "Add up the units issued to hospitals per week of all products that use "
    "what the Cloudy Additive Recall now calls back.",
    num(sum(e["units_week"] for e in g.valid("ISSUED_TO") if e["source"] in _cloudy)),
    "AL-7 -> CN-08 <- products, sum of units_week; CN-07 is cleared.",
)

q(
    "path",
    "How is Terrapack connected with the Cancer Institute? The shortest connection will do.",
    {"path": g.paths("VN-3", "HSP-6")},
    "VN-3 to HSP-6 over any relations; two equally short.",
)
q(
    "path",
    "fewest links between larch bay donor centre and st bride's",
    num(len(g.paths("DC-4", "HSP-8")[0]) - 1),
    "Length of the shortest path DC-4 to HSP-8.",
)
q(
    "path",
    "By what route does blood given on Bloodmobile Blue get to the Ferncastle Cancer Institute?",
    {"path": g.paths("DC-7", "HSP-6", directed=True)},
    "DC-7 to HSP-6; only one.",
)
assert g.paths("DC-7", "HSP-6") == g.paths("DC-7", "HSP-6", directed=True)

q(
    "aggregation",
    "Top three hospitals by total units received a week, with the totals.",
    rank(g.total("ISSUED_TO", "target", "units_week"), k=3),
    "Sum of units_week over ISSUED_TO valid now, by hospital.",
)
q(
    "aggregation",
    "On average, how many couches does one of our fixed centres have?",
    num(mean(g.n[c]["couches"] for c in CENTRES if g.n[c]["kind"] == "fixed")),
    "Mean couches of the fixed centres.",
)
_output = g.total("PREPARES", "source", "units_week")
q(
    "aggregation",
    "weekly output of each lab that still makes products, all products together - biggest first",
    rank(_output),
    "Sum of units_week over PREPARES valid now, by laboratory.",
)

q(
    "temporal",
    "What was the last day on which Millbrook Town Hall sent its blood to Kiln Lane?",
    {"date": g.edge("DC-3", "SENDS_TO", "LAB-4")["valid_to"]},
    "valid_to of DC-3 SENDS_TO LAB-4.",
)
q(
    "temporal",
    "On 1 March 2025, which labs were making O pos red cells?",
    ids(g.inn("BP-02", "PREPARES", "2025-03-01")),
    "PREPARES into BP-02 on 2025-03-01.",
)
q(
    "temporal",
    "For which consumables did some vendor's contract run out after 2019?",
    ids(e["target"] for e in g.valid("FURNISHES", None) if (e["valid_to"] or "") > "2019-12-31"),
    "Targets of FURNISHES that ended in 2020 or later.",
)

q(
    "what_if",
    "Suppose Northgate has to shut. Which products would no laboratory be making any more?",
    ids(p for p in PRODUCTS if g.inn(p, "PREPARES") == {"LAB-2"}),
    "Products that LAB-2 alone prepares now.",
)
q(
    "what_if",
    "Swift Medical goes on strike: which hospitals are left without a courier?",
    ids(h for h in HOSPITALS if g.inn(h, "RUNS_TO") == {"CR-2"}),
    "Hospitals that CR-2 alone runs to now.",
)
_orphans = {c for c in CONSUMABLES if vendors(c) == {"VN-1"}}
q(
    "what_if",
    "If Hemacor dropped out, would there be a consumable that nobody supplies? Which one?",
    yes(_orphans, _orphans),
    "Consumables that VN-1 alone furnishes now.",
)

q(
    "spof",
    "Which products are made in one lab only?",
    ids(p for p in PRODUCTS if len(g.inn(p, "PREPARES")) == 1),
    "In-degree 1 on PREPARES valid now.",
)
_kits = {c for c in g.t("Consumable", lambda r: r["kind"] == "test kit") if len(vendors(c)) == 1}
q(
    "spof",
    "Do any of the test kits come from a single vendor? Name them.",
    yes(_kits, _kits),
    "Kind test kit, in-degree 1 on FURNISHES valid now.",
)
q(
    "spof",
    "hospitals that depend on just one courier",
    ids(h for h in HOSPITALS if len(g.inn(h, "RUNS_TO")) == 1),
    "In-degree 1 on RUNS_TO valid now.",
)

q(
    "inverse",
    "Which hospitals don't take platelets of any kind?",
    ids(HOSPITALS - g.out(of_class("platelets"), "ISSUED_TO")),
    "All hospitals less those issued with BP-05 or BP-06 now.",
)
_recalled = g.out(OPEN, "RECALLS")
q(
    "inverse",
    "How many of our products are made without any consumable that is under an open recall today?",
    num(len(PRODUCTS - using(_recalled))),
    "All products less those using CN-01, CN-04 or CN-08.",
)
q(
    "inverse",
    "Vendors that deliver nothing that goes into red cells?",
    ids(VENDORS - vendors(g.out(of_class("red cells"), "MADE_WITH"))),
    "All vendors less those furnishing a consumable of a red cell product.",
)

_units = of(g.total("ISSUED_TO", "target", "units_week"), ("HSP-1", "HSP-4"))
q(
    "compare",
    "Haverton General against the Royal: who takes more units a week altogether? Both totals.",
    cmp_("HSP-1", "HSP-4", units_week=list(_units.values()), higher=lead(_units)[0]),
    "Sum of units_week over ISSUED_TO valid now.",
)
q(
    "compare",
    "Which products do both the Central Lab and Northgate make?",
    ids(g.out("LAB-1", "PREPARES") & g.out("LAB-2", "PREPARES")),
    "Intersection of products.",
)
q(
    "compare",
    "what does haverton general order that millbrook district doesn't",
    ids(g.inn("HSP-1", "ISSUED_TO") - g.inn("HSP-3", "ISSUED_TO")),
    "Difference of products.",
)

_grave = g.where(OPEN, lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which open alerts rated high or critical recall a consumable that has just one vendor?",
    ids(a for a in _grave if any(len(vendors(c)) == 1 for c in g.out(a, "RECALLS"))),
    "Open, high or critical, RECALLS valid now, in-degree 1 on FURNISHES.",
)
_hits = {p: g.inn(g.out(p, "MADE_WITH"), "RECALLS") & OPEN for p in PRODUCTS}
q(
    "risk",
    "Which products are exposed to more than one open recall through what they're made with?",
    ids(p for p, alerts in _hits.items() if len(alerts) > 1),
    "Products with two or more distinct open alerts on their consumables.",
)
_lost = dict.fromkeys(LABS, 0)
for e in g.valid("HAMPERS", None):
    _lost[e["target"]] += e["units_lost"]
q(
    "risk",
    "Counting alerts that have been closed too, which laboratory has lost the most units?",
    ids(lead(_lost)),
    "Highest sum of units_lost over all HAMPERS.",
)

_near = {e["target"] for e in g.valid("RUNS_TO") if e["source"] == "CR-3" and e["minutes"] < 20}
q(
    "combined",
    "Hospitals with more than 200 beds that Moorland Riders reach in under 20 minutes?",
    ids(g.where(_near, lambda r: r["beds"] > 200)),
    "minutes on CR-3 RUNS_TO and beds together; St Bride's is too small.",
)
q(
    "combined",
    "What's the avarage tariff of the products made with something from Terrapack?",
    num(mean(g.n[p]["tariff_eur"] for p in using(g.out("VN-3", "FURNISHES")))),
    "Mean tariff_eur of the products under VN-3, each once.",
)
_taken = {h: g.inn(h, "ISSUED_TO") for h in HOSPITALS}
q(
    "combined",
    "Which hospitals take red cells from us and nothing else?",
    ids(h for h, ps in _taken.items() if ps and ps <= of_class("red cells")),
    "Universal over ISSUED_TO valid now; a hospital without orders is out.",
)

degree, between = g.degree(), g.betweenness()
q(
    "centrality",
    "Ignoring directions, which node of the whole network has the highest betweenness?",
    ids(lead(between)),
    "Highest undirected betweenness.",
)
q(
    "centrality",
    "Which hospital has the most direct links, counting relations of every kind?",
    ids(lead(of(degree, HOSPITALS))),
    "Highest degree among hospitals over valid relations.",
)
_linked = g.inn(LABS, "SENDS_TO") | g.out(CENTRES, "SENDS_TO")
q(
    "centrality",
    "Looking only at which centre sends blood to which lab now, and leaving out sites without "
    "such a link, how many separate groups are there?",
    num(g.pieces(_linked, "SENDS_TO")),
    "Connected components over SENDS_TO valid now.",
)

q(
    "unanswerable",
    "What share of donors was turned away at Larch Bay Donor Centre last month?",
    no("not_in_schema"),
    "Nothing on donors.",
)
q(
    "unanswerable",
    "Which products do we send to St Columba's Hospital?",
    no("unknown_entity"),
    "No such hospital.",
)
q(
    "unanswerable",
    "How many couches are there at the Haverton donor centre?",
    no("ambiguous", "DC-1", "DC-2"),
    "Haverton Station and Haverton University.",
)

assert len(rows) == 42
write("bloodbank", rows)
