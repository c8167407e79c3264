"""A suite over all tiers for a clothing brand; gold of facts and graph computed from domains/fashion.

usage: python3 gold_fashion.py [--show]

Conventions and what it shares with other suites are in gold_suite.py."""

from gold_common import cmp_, ids, lead, mean, no, num, yes
from gold_suite import Suite, doc

g = Suite("fashion")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

MANUAL = "supplier-manual-2026"
REVIEW = "minutes-range-review-2026-07"
LETTER = "letter-certifier-atlas"
EMAILS = "emails-pamukova-gots"

# fmt: off
# one question and its gold a line


def value():
    stores = g.t("Customer", lambda r: r["kind"] == "department store")
    return [
        ("What does the Petrel sell for in our shops?", fact("the Petrel", "retail_price_eur")),
        ("fenwick trouser, how heavy in a medium?", fact("Fenwick Trouser", "weight_g")),
        ("The cutting room in Barcelos is on the phone: how wide does the Belmonte Linen lie, in centimetres?", fact("Belmonte Linen", "width_cm")),
        ("How long does Threadline get to pay an invoice?", fact("Threadline", "payment_days")),
        ("rent at chiado pls", fact("Chiado", "rent_eur_per_month")),
        ("how many metres of storm shell have we got in the warehouse right now", fact("Storm Shell", "stock_m")),
        ("What percentage of the Vespers sold in the web shop comes back to us?", fact("the Vesper", "return_rate_percent")),
        ("For the window plan I need the day on which Peat Smoke goes into our shops.", fact("Peat Smoke", "in_shops_from")),
        ("How many workshops have we got on the books altogether?", num(len(g.t("Workshop")))),
        ("How many of our wholesale customers are department stores?", num(len(stores))),
    ]


def history():
    june = "2026-06-30"
    return [
        ("What was Magasin Sund overdue with us at the end of June 2026?", fact("Magasin Sund", "overdue_invoices_eur", on=june)),
        ("flagship takings, june 2026", fact("the flagship", "revenue_last_month_eur", on=june)),
        ("How much of the Indigo Selvedge did we still have in stock on 30 June?", fact("Indigo Selvedge", "stock_m", on=june)),
    ]


def profile():
    return [
        ("Who is Bogdan Iliev?", fact("Bogdan Iliev", "job", "joined")),
        ("quick rundown on donovan & sons", fact("Donovan & Sons", "town", "founded")),
        ("Could you give me the basics on Kaneda Select before I get on the call?", fact("Kaneda Select", "kind", "city")),
    ]


def comparison():
    return [
        ("Which is dearer in the shop, the Tern or the Skipper?", pair("the Tern", "the Skipper", "retail_price_eur")),
        ("marsh canvas vs indigo selvedge, whats the heavier cloth", pair("Marsh Canvas", "Indigo Selvedge", "weight_g_per_m2")),
        ("Has Kwame Boateng been here longer than Amélie Durand?", pair("Kwame Boateng", "Amélie Durand", "joined")),
    ]


def ranking():
    return [
        ("Our three biggest shops by sales floor?", order("Shop", "floor_area_m2", 3)),
        ("whats the most expensive thing we sell", order("Garment", "retail_price_eur", 1)),
        ("Please list all the mills by their minimum order, smallest first.", order("Mill", "minimum_order_m", up=True)),
    ]


def unknown():
    return [
        ("What's the retail price of the Corrin Gilet?", no("unknown_entity")),
        ("what salary is noor bakker on", no("not_in_schema")),
    ]


def superseded():
    return [
        ("How far off our standard may a lab dip be, in Delta E?", doc(MANUAL, "0.8", without=["1.2"])),
        ("Sutura would like to hand some stitching to the firm next door. How long beforehand does a workshop have to come and ask us?", doc(MANUAL, "20 working days", without=["5 working days"])),
        ("needle logs - how long do workshops have to hang on to them?", doc(MANUAL, "36 months", without=["18 months"])),
        ("Under the old supplier manual of 2023, what was the most anybody could work in a week?", doc("supplier-manual-2023", "60 hours")),
    ]


def regulation():
    return [
        ("A roll of Storm Shell has come in with a visible fault. How long do we have to complain to Altmann?", doc("agreement-altmann", "21 days")),
        ("Up to how many days before delivery can Nordhus cancel pieces without paying?", doc("terms-nordhus", "35 days")),
        ("staff discount, how many pieces a yr?", doc("handbook-shop-staff", "16 pieces")),
        ("How much undyed Storm Shell does Altmann have to keep ready for us?", doc("agreement-altmann", "650 metres")),
    ]


def procedure():
    return [
        ("A carton's come in soaking wet. How long does it go on the grid before we can open it?", doc("runbook-goods-in", "24 hours")),
        ("belt on the metal detector has just stopped!! whats the very first thing i do", doc("runbook-goods-in", "key to red")),
        ("I'm down for Saturday and feel dreadful. By what time do I have to ring in sick?", doc("handbook-shop-staff", "07:45")),
        ("A needle has snapped at the machine and a bit of it can't be found. What must happen to the bundle before sewing goes on?", doc(MANUAL, "metal detector", without=["15 minutes"])),
    ]


def reason():
    return [
        ("How come the shops' returns didn't tell us sooner about the zips on the Gale?", doc("incident-gale-zips", "changed mind")),
        ("Which finding made the certifier suspend Atlas Coupe's certificate?", doc(LETTER, "emergency exits")),
        ("why did the range review say no to swimwear", doc(REVIEW, "flatlock")),
        ("When Pamukova lost its GOTS, why couldn't Boa Vista simply take over all of the canvas?", doc(EMAILS, "hotel chain")),
    ]


def said():
    return [
        ("Whose idea was it to put a sticker over the green leaf on the hangtag?", doc(EMAILS, "Bogdan Iliev")),
        ("What did the July range review settle about size XXS?", doc(REVIEW, "kept for trousers")),
    ]


def lookup():
    making = g.edge(the("Reval"), "SEWS", the("the Petrel"))
    holders = g.inn(the("GOTS"), "HOLDS")
    return [
        ("whos running the Nørrebro store these days", ids(g.inn(the("Nørrebro"), "MANAGES"))),
        ("What do we pay Reval for making up one Petrel?", num(making["price_eur_per_piece"])),
        ("Does Pamukova still have its GOTS?", yes(the("Pamukova") in holders)),
    ]


def multi_hop():
    cloth = g.out(g.out(the("Galerie Lambert"), "ORDERS"), "CUT_FROM")
    buyers = g.inn(the("Quaysides"), "ORDERS")
    return [
        ("Which mills weave the cloth for the garments that Galerie Lambert has on order?", ids(g.inn(cloth, "WEAVES"))),
        ("Which of our shops have something of Amélie Durand's on the rails?", ids(g.inn(g.out(the("Amélie Durand"), "DESIGNED"), "STOCKS"))),
        ("Quaysides are going to be late. Which account managers have a customer waiting for them?", ids(g.inn(buyers, "LOOKS_AFTER"))),
    ]


def downstream():
    rolls = g.out(the("Donovan"), "WEAVES")
    styles = g.inn(rolls, "CUT_FROM")
    return [
        ("The laundry in Guimarães shuts for a fortnight. Which workshops pass work on to it, straight or by way of another workshop?", ids(g.walk(the("the laundry"), "SUBCONTRACTS_TO", back=True))),
        ("Give me everything that hangs on Donovan: fabrics, garments, and the wholesale customers with those on order.", ids(rolls | styles | g.inn(styles, "ORDERS"))),
    ]


def path():
    way = g.paths(the("Broderie Carlier"), the("Magasin Sund"))
    return [
        ("What's the shortest chain of links between Broderie Carlier and Magasin Sund?", {"path": way}),
    ]


def aggregation():
    twill = [e["price_eur_per_m"] for e in g.valid("WEAVES") if e["target"] == the("the twill")]
    return [
        ("How many Petrels do our customers have on order, all of them together?", num(g.total("ORDERS", "target", "pieces")[the("Petrel")])),
        ("Across the mills that make Kestrel Twill for us now, what's the plain average price per metre?", num(mean(twill))),
    ]


def temporal():
    ended = {e["target"] for e in g.valid("WEAVES", on=None) if (e["valid_to"] or "")[:4] == "2025"}
    start = g.edge(the("Jas"), "LOOKS_AFTER", the("Bexley"))
    return [
        ("Who was in charge of the flagship on 15 March 2021?", ids(g.inn(the("the flagship"), "MANAGES", "2021-03-15"))),
        ("since when has jas been looking after bexley", {"date": start["valid_from"]}),
        ("Which fabrics lost a mill in the course of 2025?", ids(ended)),
    ]


def what_if():
    def left_alone(rel, node):
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        ("If Roussel went under tomorrow, which cloths would have nobody to weave them?", ids(left_alone("WEAVES", the("Roussel")))),
        ("Say Threadline pulls out. Which styles would lose their only wholesale order?", ids(left_alone("ORDERS", the("Threadline")))),
    ]


def spof():
    coats = g.t("Garment", lambda r: r["category"] == "outerwear")
    return [
        ("which fabrics do we get from one mill only", ids({x for x in g.t("Fabric") if len(g.inn(x, "WEAVES")) == 1})),
        ("Outerwear that just a single workshop sews: which styles are those?", ids({x for x in coats if len(g.inn(x, "SEWS")) == 1})),
    ]


def inverse():
    return [
        ("Which mills and workshops does nobody of ours inspect?", ids((g.t("Mill") | g.t("Workshop")) - g.out(g.t("Employee"), "INSPECTS"))),
        ("which shop hasnt got a manger at the moment?", ids(g.t("Shop") - g.out(g.t("Employee"), "MANAGES"))),
    ]


def compare():
    two = the("Kwame Boateng"), the("Amélie Durand")
    drawn = [len(g.out(p, "DESIGNED")) for p in two]
    buyers = the("Nordhus"), the("Bexley & Rowe")
    lists = [g.out(c, "ORDERS") for c in buyers]
    return [
        ("Who has had a hand in designing more of our garments, Kwame Boateng or Amélie Durand?", cmp_(*two, counts={"Garment": drawn}, higher=two[drawn[0] < drawn[1]])),
        ("Nordhus against Bexley & Rowe, please: how many styles does each have on order, and which do they both have?",
         cmp_(*buyers, counts={"Garment": [len(x) for x in lists]}, shared={"Garment": sorted(lists[0] & lists[1])})),
    ]


def risk():
    grave = g.t("Incident", lambda r: (r["status"], r["severity"]) == ("open", "high"))
    cloth = g.out(grave, "AFFECTS") & g.t("Fabric")
    return [
        ("Which wholesale customers are waiting for a garment cut from a fabric that has a high-severity incident open on it?", ids(g.inn(g.inn(cloth, "CUT_FROM"), "ORDERS"))),
    ]


def combined():
    fair = g.out(g.inn(the("SA8000"), "HOLDS"), "SEWS")
    tangier = g.out(g.t("Workshop", lambda r: r["town"] == "Tangier"), "SEWS")
    return [
        ("Which garments at over 150 euros in the shop are sewn by a workshop that holds SA8000?", ids(g.where(fair, lambda r: r["retail_price_eur"] > 150))),
        ("Which department stores have a style on order that gets made up in Tangier?", ids(g.where(g.inn(tangier, "ORDERS"), lambda r: r["kind"] == "department store"))),
    ]


def superlative():
    booked = g.total("SEWS", "source", "pieces_per_month")
    return [
        ("At which workshop have we booked the most capacity, counting all its styles together?", ids(lead(booked))),
    ]


def unanswerable():
    return [
        ("Which workshops sew the Linden?", no("ambiguous", *g.t("Garment", lambda r: r["name"].startswith("Linden ")))),
        ("Which forwarder ships the selvedge over from Japan?", no("not_in_schema")),
    ]


def value_document():
    return [
        ("What's Nordhus's credit limit, and how many per cent a week may they deduct under our trading terms when we deliver late?",
         fact("Nordhus", "credit_limit_eur") | doc("terms-nordhus", "1.5")),
        ("How many pieces were withdrawn in the Gale zip recall, and according to the report what was holding up the zips we'd ordered?",
         fact("Gale zip recall", "pieces_withdrawn") | doc("incident-gale-zips", "customs")),
    ]


def value_graph():
    return [
        ("De Pijp: how many square metres of sales floor, and who manages it now?", fact("De Pijp", "floor_area_m2") | ids(g.inn(the("De Pijp"), "MANAGES"))),
        ("Before I ring Warenhaus Brandt: how much are they overdue at present, and which styles have they got on order?",
         fact("Warenhaus Brandt", "overdue_invoices_eur") | ids(g.out(the("Warenhaus Brandt"), "ORDERS"))),
    ]


def document_graph():
    return [
        ("Which workshops sew the Vesper now, and by how much does the skirt get shorter according to the July range review?", doc(REVIEW, "6 centimetres") | ids(g.inn(the("the Vesper"), "SEWS"))),
        ("Which styles does Atlas Coupe make for us, and by what date does the certifier's letter want its plan of corrections?", doc(LETTER, "31 August") | ids(g.out(the("Atlas Coupe"), "SEWS"))),
    ]


def all_tiers():
    altmann, pamukova = "Weberei Altmann", "Pamukova Tekstil"
    return [
        ("Weberei Altmann: what's their minimum order, which fabrics do they weave for us now, and how much notice does it take to end the Storm Shell agreement?",
         fact(altmann, "minimum_order_m") | doc("agreement-altmann", "9 months") | ids(g.out(the(altmann), "WEAVES"))),
        ("I'm flying out to Pamukova on Monday. In what year were they founded, which fabrics do we have from them, and what did the GOTS auditor find in their yarn store, going by the e-mails?",
         fact(pamukova, "founded") | doc(EMAILS, "conventional cotton") | ids(g.out(the(pamukova), "WEAVES"))),
    ]


def out_of_scope():
    return [
        ("perfect, that's me sorted. have a lovely weekend!", no("out_of_scope")),
        ("Who invented the zip fastener?", no("out_of_scope")),
    ]


SETS = {
    ("cag",): [value, history, profile, comparison, ranking, unknown],
    ("rag",): [superseded, regulation, procedure, reason, said],
    ("graph",): [
        lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
        spof, inverse, compare, risk, combined, superlative, unanswerable,
    ],
    ("cag", "rag"): [value_document],
    ("cag", "graph"): [value_graph],
    ("rag", "graph"): [document_graph],
    ("cag", "rag", "graph"): [all_tiers],
    (): [out_of_scope],
}
# fmt: on

g.write("fs", SETS)
