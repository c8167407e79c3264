"""A suite over all tiers for a vehicle hire company; gold of facts and graph computed from domains/carhire.

usage: python3 gold_carhire.py [--show]

Of an attribute with a history, the latest value counts unless a day is named.
The graph questions are in gold_carhire_graph.py, what it shares with other suites in gold_suite.py."""

from gold_carhire_graph import GRAPH, g
from gold_common import ids, no, num
from gold_suite import doc

the, fact, pair, order = g.the, g.fact, g.pair, g.order

RULES = "counter-rules-2026"
MINUTES = "minutes-fleet-meeting-2026-07"
BRIGHTWATER = "agreement-brightwater"
RECALL = "letter-merrow-recall"
LIFT = "incident-lift-main-workshop"
RUNBOOK = "runbook-booking-system"
DRIVERS = "handbook-drivers-preparers"
SNOW = "emails-lanternfish-vans"


def value():
    electric = g.t("VehicleModel", lambda r: r["fuel"] == "electric")
    return [
        ("What deposit do we take on a Skua?", fact("Skua", "deposit_eur")),
        ("porter max, list price per day?", fact("Porter Max", "list_rate_eur")),
        (
            "The council's asking about the site at Lydford Cross: how many parking bays have we got there?",
            fact("Lydford Cross", "parking_bays"),
        ),
        (
            "Before I ring Fennimore Events: what are they still owing us on unpaid invoices, as of now?",
            fact("Fennimore Events", "unpaid_invoices_eur"),
        ),
        (
            "What do Hallett's charge us for an hour of labour?",
            fact("Hallett's", "labour_rate_eur"),
        ),
        ("whens northstars policy up for renewel", fact("Northstar", "policy_renewal")),
        (
            "How much commission does HolidayWheels take, in per cent?",
            fact("HolidayWheels", "commission_percent"),
        ),
        (
            "Could you tell me what utilisation Port Severin is at, going by the latest fleet report?",
            fact("Port Severin", "utilisation_percent"),
        ),
        ("How many corporate customers have we got on the books?", num(len(g.t("Customer")))),
        ("number of electric models in the price list?", num(len(electric))),
    ]


def history():
    return [
        (
            "What was Stennick Airport's utilisation as of 30 June 2026?",
            fact("Stennick Airport", "utilisation_percent", on="2026-06-30"),
        ),
        (
            "lanternfish - unpaid invoices as they stood on 31 May 2026",
            fact("Lanternfish", "unpaid_invoices_eur", on="2026-05-31"),
        ),
        (
            "Going by the last stores count we had then, how many AdBlue pumps were in stock on 15 July 2026?",
            fact("AdBlue Pump", "units_in_stock", on="2026-07-15"),
        ),
    ]


def profile():
    return [
        ("Who's Farid Naseri?", fact("Farid Naseri", "job", "joined")),
        (
            "I've got a meeting at Castlebray Coachworks tomorrow and have never dealt with them. A short profile, please.",
            fact("Castlebray Coachworks", "operation", "labour_rate_eur"),
        ),
    ]


def comparison():
    return [
        (
            "Who's been with us longer, Priya Raman or Winston Abara?",
            pair("Priya Raman", "Winston Abara", "joined"),
        ),
        (
            "Which is dearer per day at list price, the Tern or the Gannet?",
            pair("Tern", "Gannet", "list_rate_eur"),
        ),
        (
            "cancellation rate, rentbeacon vs flyby - whos worse now",
            pair("Rentbeacon", "Flyby", "cancellation_rate_percent"),
        ),
        (
            "Between Oakhanger and Brightwater, which one has the higher credit limit?",
            pair("Oakhanger", "Brightwater", "credit_limit_eur"),
        ),
    ]


def ranking():
    return [
        ("Top four branches by utilisation", order("Branch", "utilisation_percent", 4)),
        (
            "Please list all the brokers by the commission they charge, lowest first.",
            order("Broker", "commission_percent", up=True),
        ),
        ("whats the dearest model on our price list", order("VehicleModel", "list_rate_eur", 1)),
    ]


def unknown():
    return [
        ("What's the list price of the Merrow Puffin?", no("unknown_entity")),
        ("whats roza demir on, salary wise", no("not_in_schema")),
    ]


def superseded():
    return [
        (
            "How old does somebody have to be to hire an ordinary car from us?",
            doc(RULES, "21 or over", without=["23 or over"]),
        ),
        (
            "Customer at the desk is 40 min late bringing the car back and won't pay the extra day. how long is the grace period??",
            doc(RULES, "59 minutes", without=["29 minutes"]),
        ),
        (
            "If a car isn't brought back full, what do we add for our trouble on top of the fuel itself?",
            doc(RULES, "25 euros", without=["18 euros"]),
        ),
        (
            "In the old counter rule book, the 2024 one, for how long was a booking held when nobody turned up?",
            doc("counter-rules-2024", "2 hours"),
        ),
    ]


def regulation():
    return [
        (
            "One of Brightwater's vans has broken down on a Wednesday, no burst main or anything. Within how many hours must the replacement be with the driver under the agreement?",
            doc(BRIGHTWATER, "4 hours"),
        ),
        (
            "Up to how long before the hire can a Rentbeacon traveller cancel free of charge?",
            doc("agreement-rentbeacon", "48 hours"),
        ),
        (
            "How far may a recalled Skua be driven to the workshop, according to Merrow's letter?",
            doc(RECALL, "50 kilometres"),
        ),
        ("jockey staying overnight, how much for meals", doc(DRIVERS, "34 euros")),
    ]


def procedure():
    return [
        (
            "Bookings are down here at Stennick Airport. How long do we have to wait before we open the red box?",
            doc(RUNBOOK, "10 minutes"),
        ),
        (
            "card terminal's offline as well. up to what amount will it take without asking the bank",
            doc(RUNBOOK, "250 euros"),
        ),
        (
            "What's the least tread a car needs on its tyres before we send it out again?",
            doc(DRIVERS, "3 millimetres"),
        ),
        (
            "How many photos does the agent have to take of a car at hand-over?",
            doc(RULES, "8 photos", without=["4 photos"]),
        ),
    ]


def reason():
    return [
        (
            "Why didn't the safety nut catch the carriage when lift 2 came down at Main?",
            doc(LIFT, "upside down"),
        ),
        (
            "What grounds did Lanternfish give for not paying the whole cleaning bill?",
            doc(SNOW, "sweeping"),
        ),
        ("why were electric minibuses turned down in july", doc(MINUTES, "range")),
        (
            "I've got customers asking what's actually wrong with the brakes on the Skuas and Gannets. What's the cause?",
            doc(RECALL, "vacuum hose"),
        ),
    ]


def said():
    return [
        (
            "Whose idea was it to keep two old vans back just for film jobs?",
            doc(SNOW, "Lipski"),
        ),
        (
            "At the July fleet meeting, who spoke against paying Cellforge in advance?",
            doc(MINUTES, "Elspeth Halliday"),
        ),
    ]


def value_document():
    return [
        (
            "What's Rentbeacon's commission, and how quickly does the agreement say we have to answer a complaint they pass on?",
            fact("Rentbeacon", "commission_percent")
            | doc("agreement-rentbeacon", "5 working days"),
        ),
        (
            "how many lifts has the main workshop got, and what injury did the mechanic have in the May collapse according to the report?",
            fact("Main Workshop", "lifts") | doc(LIFT, "wrist"),
        ),
    ]


def value_graph():
    vans, oakhanger = the("Nethercombe Van Centre"), the("Oakhanger")
    return [
        (
            "Number of parking bays at the van centre, and which corporate customers collect there?",
            fact("the van centre", "parking_bays") | ids(g.inn(vans, "COLLECTS_AT")),
        ),
        (
            "I'm off to see Oakhanger this afternoon. How much do they have in unpaid invoices now, and which models have they got on hire?",
            fact("Oakhanger", "unpaid_invoices_eur") | ids(g.out(oakhanger, "HIRES")),
        ),
    ]


def document_graph():
    return [
        (
            "Who's the account manager for Lanternfish, and what share of the cleaning bill did they agree to bear in the end, going by the e-mails?",
            doc(SNOW, "half") | ids(g.inn(the("Lanternfish"), "LOOKS_AFTER")),
        ),
        (
            "Which workshops are qualified for the Skua, and how long does the recall repair take according to Merrow's letter?",
            doc(RECALL, "90 minutes") | ids(g.inn(the("Skua"), "QUALIFIED_FOR")),
        ),
    ]


def all_tiers():
    firm, branch = "Brightwater", "Quarrybank"
    return [
        (
            "Brightwater Utilities: what's their credit limit, at which branches do they collect, and how much notice of a price rise does the hire agreement ask of us?",
            fact(firm, "credit_limit_eur")
            | doc(BRIGHTWATER, "3 months")
            | ids(g.out(the(firm), "COLLECTS_AT")),
        ),
        (
            "Getting ready for my visit to Quarrybank. What's its utilisation now, which models are in its fleet, and from what time will it open on weekdays after what the July fleet meeting agreed?",
            fact(branch, "utilisation_percent")
            | doc(MINUTES, "06:00")
            | ids(g.out(the(branch), "STOCKS")),
        ),
    ]


def out_of_scope():
    return [
        ("ta, that'll do me for today. have a good weekend!", no("out_of_scope")),
        ("Which country builds the most cars in the world?", no("out_of_scope")),
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
}  # fmt: skip

g.write("ch", SETS)
