"""A suite over all tiers for a zoo; gold of facts and graph computed from domains/zoo.

usage: python3 gold_zoo.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Of an attribute with a history, the latest value counts unless a day is named.
The questions for the graph are in gold_zoo_graph.py, what it shares with other suites in gold_suite.py."""

from gold_common import ids, no
from gold_suite import doc
from gold_zoo_graph import GRAPH, g, the

fact, pair, order = g.fact, g.pair, g.order

RULES = "rules-category-1-2026"
MINUTES = "minutes-animal-meeting-2026-07"


def value():
    return [
        ("How high is the barrier round Taiga Ridge?", fact("Taiga Ridge", "barrier_height_m")),
        ("savannah paddock, how many m2?", fact("Savannah Paddock", "area_m2")),
        ("When did Nadia Kowalczyk start working here?", fact("Nadia Kowalczyk", "started")),
        (
            "Accounts would like to know how many days we've got to pay an invoice from Zoofare.",
            fact("Zoofare Nutrition", "payment_days"),
        ),
        ("how many kg of sprats have we got left in the store?", fact("Sprats", "stock_kg")),
        (
            "I'm doing a talk for a primary school this afternoon. For how many days does a black rhino carry her calf?",
            fact("black rhino", "gestation_days"),
        ),
        (
            "What did Igor's tooth end up costing us in treatment?",
            fact("Igor's tooth", "treatment_cost_eur"),
        ),
        ("zuris latest weight", fact("Zuri", "weight_kg")),
        ("How many enclosures have we got in all?", {"values": [len(g.t("Enclosure"))]}),
        ("number of partner zoos on our books?", {"values": [len(g.t("PartnerZoo"))]}),
    ]


def history():
    return [
        (
            "What did Penda weigh on 31 March 2026?",
            fact("Penda", "weight_kg", on="2026-03-31"),
        ),
        (
            "garrow - what was still unpaid on their account at 30 June?",
            fact("Garrow Meats", "unpaid_invoices_eur", on="2026-06-30"),
        ),
        (
            "According to the stocktaking, how much lucerne did we have in store as of 10 July 2026?",
            fact("Lucerne hay", "stock_kg", on="2026-07-10"),
        ),
    ]


def profile():
    return [
        ("Who is Hester Lindqvist?", fact("Hester Lindqvist", "grade", "started")),
        ("quick rundown on zoo lipovec pls", fact("Zoo Lipovec", "country", "distance_km")),
        (
            "May I have a short profile of the Haverport Harbour Trust for the board paper?",
            fact("Haverport Harbour Trust", "kind", "first_gift"),
        ),
    ]


def comparison():
    return [
        (
            "Which is larger, Otter Creek or the Owl Aviary?",
            pair("Otter Creek", "Owl Aviary", "area_m2"),
        ),
        (
            "penguin cove or gorilla house, where did more visitors go last month?",
            pair("Penguin Cove", "Gorilla House", "visitors_last_month"),
        ),
        (
            "Who has been with us longer, Callum Reid or Sam Okafor?",
            pair("Callum Reid", "Samuel Okafor", "started"),
        ),
    ]


def ranking():
    return [
        (
            "Please list all our suppliers by their minimum order, lowest first.",
            order("Supplier", "min_order_eur", up=True),
        ),
        ("Which three species live longest in human care?", order("Species", "life_span_years", 3)),
        ("whats the oldest enclosure in the park", order("Enclosure", "built", 1, up=True)),
    ]


def unknown():
    return [
        ("How high is the barrier at Wolf Wood?", no("unknown_entity")),
        ("what does lowri pugh earn", no("not_in_schema")),
    ]


def superseded():
    return [
        (
            "How far do I have to stay away from the mesh when there's a tiger behind it?",
            doc(RULES, "2.5 metres", without=["1.5 metres"]),
        ),
        (
            "cat 1 keys - by when do they have to be back in the safe?",
            doc(RULES, "17:45", without=["18:30"]),
        ),
        (
            "Somebody would like to book a visit behind the scenes at the gorillas for her daughter. What's the minimum age for that?",
            doc(RULES, "16 or over", without=["14 or over"]),
        ),
        (
            "Under the old rules of 2022, how many hours under supervision did a keeper need before working a Category 1 enclosure alone?",
            doc("rules-category-1-2022", "40 hours"),
        ),
    ]


def regulation():
    return [
        (
            "If Mishka sires cubs at Varenholt, how long must one have lived before it counts under the loan agreement?",
            doc("agreement-loan-mishka", "30 days"),
        ),
        (
            "Kestrel's marketing lady is on the phone. How big may their sign at the Rhino Barn be?",
            doc("sponsorship-kestrel", "0.6 square metres"),
        ),
        (
            "By when does the zoo inspector expect the two spare nest boxes for the penguins?",
            doc("letter-inspector-penguins", "end of September"),
        ),
        (
            "im a trainee, how much do i get towards boots each year",
            doc("handbook-trainees", "85 euros"),
        ),
    ]


def procedure():
    return [
        (
            "An escaped animal has been darted and is lying down. How long do we wait before anybody goes near it?",
            doc("runbook-escape", "12 minutes"),
        ),
        (
            "rhino's out!! which code do i call on the radio",
            doc("runbook-escape", "Code Black"),
        ),
        (
            "By what time does a trainee who's ill have to ring in?",
            doc("handbook-trainees", "06:15"),
        ),
        (
            "Before opening the slide to the tigers my count and my colleague's came out different. Who has to be called?",
            doc(RULES, "duty manager"),
        ),
    ]


def reason():
    return [
        (
            "Why hadn't the drop bolt of the rhino gate gone into the ground on the morning Jasiri got out?",
            doc("incident-rhino-gate", "gravel"),
        ),
        (
            "I've been on leave for a fortnight. What did Maple's weight loss turn out to come from in the end?",
            doc("emails-maple-weight", "cracked molar"),
        ),
        (
            "How come the filter at Penguin Cove hadn't been backwashed for eleven days?",
            doc("letter-inspector-penguins", "winter programme"),
        ),
        ("why was evening opening at the gorillas turned down", doc(MINUTES, "slept")),
    ]


def said():
    return [
        (
            "Whose idea was it to give Maple minced leaves rolled in banana?",
            doc("emails-maple-weight", "Dominic Vale"),
        ),
        (
            "What did the July animal meeting agree on Anya's move: which zoo is she to go to?",
            doc(MINUTES, "Aldersund"),
        ),
    ]


def value_document():
    return [
        (
            "How many square metres has the Rhino Barn got, and what did Jasiri turn over in the service yard according to the incident report?",
            fact("Rhino Barn", "area_m2") | doc("incident-rhino-gate", "quad bike"),
        ),
        (
            "dr sorrells day rate, and when can she take out maples tooth going by the emails?",
            fact("Dr Lena Sorrell", "day_rate_eur") | doc("emails-maple-weight", "5 August"),
        ),
    ]


def value_graph():
    firm, house = "Northsea Fish Company", "Gorilla House"
    return [
        (
            "Before I ring Northsea: how much do we owe them right now, and which feeds do they deliver to us?",
            fact(firm, "unpaid_invoices_eur") | ids(g.out(the(firm), "SUPPLIES")),
        ),
        (
            "How many visitors did the Gorilla House have last month, and which animals live in it?",
            fact(house, "visitors_last_month") | ids(g.inn(the(house), "LIVES_IN")),
        ),
    ]


def document_graph():
    return [
        (
            "Which keepers are on the rota at Penguin Cove, and by what date does the inspector want the larger filter in service?",
            doc("letter-inspector-penguins", "15 October")
            | ids(g.inn(the("Penguin Cove"), "CARES_FOR")),
        ),
        (
            "Where's Mishka staying at present, and who pays for his journey under the loan agreement, owner or holder?",
            doc("agreement-loan-mishka", "holder pays") | ids(g.out(the("Mishka"), "SENT_TO")),
        ),
    ]


def all_tiers():
    firm, species = "Kestrel Brewery", "Red panda"
    return [
        (
            "Kestrel Brewery are coming to see us on Friday. When did they make their first gift, what do they sponsor at present, and how many people may they bring to the staff day under the agreement?",
            fact(firm, "first_gift")
            | doc("sponsorship-kestrel", "60 people")
            | ids(g.out(the(firm), "SPONSORS")),
        ),
        (
            "Red pandas: how many days does a pregnancy last, which vet looks after them, and what must Maple weigh before she goes back to the Grove, according to the e-mails?",
            fact(species, "gestation_days")
            | doc("emails-maple-weight", "4.8 kilos")
            | ids(g.inn(the(species), "ATTENDS")),
        ),
    ]


def out_of_scope():
    return [
        ("thanks a million, that's me done for today :)", no("out_of_scope")),
        ("Who wrote The Jungle Book?", no("out_of_scope")),
    ]


SETS = {
    ("cag",): [value, history, profile, comparison, ranking, unknown],
    ("rag",): [superseded, regulation, procedure, reason, said],
    ("graph",): GRAPH,
    ("cag", "rag"): [value_document],
    ("cag", "graph"): [value_graph],
    ("rag", "graph"): [document_graph],
    ("cag", "rag", "graph"): [all_tiers],
    (): [out_of_scope],
}

g.write("zo", SETS)
