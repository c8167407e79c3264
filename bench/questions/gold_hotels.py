"""A suite over all tiers for a group of hotels; gold of facts and graph computed from domains/hotels.

usage: python3 gold_hotels.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Of an attribute with a history, the latest value counts unless a day is named.
What it shares with other suites is in gold_suite.py."""

from gold_common import AS_OF, cmp_, ids, lead, mean, no, num, yes
from gold_suite import Suite, doc

g = Suite("hotels")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

GRAND, GLENAVON, HARBOUR, LODGE = (
    "The Calloway Grand",
    "Glenavon",
    "Harbour House",
    "Quayside Lodge",
)
TERMS, OLD_TERMS = "cancellation-terms-2026", "cancellation-terms-2024"
LINEN, MERIDIAN = "linen-agreement-whitlow", "allotment-agreement-meridian"
FLOOD, ODYSSEE = "incident-ballroom-water", "emails-odyssee-overbooking"
JULY, NIGHT, ROOMS = "managers-meeting-2026-07", "night-runbook-quayside", "housekeeping-handbook"


def value():
    return [
        ("In which year did Brackenhall first welcome guests?", fact("Brackenhall", "opened")),
        (
            "how many can sit down to dinner in the Cloth Hall",
            fact("Cloth Hall", "capacity_seated"),
        ),
        (
            "What do we ask for a night in the Heather Suite before any discount comes off?",
            fact("Heather Suite", "rack_rate_gbp"),
        ),
        ("When did Saoirse Quill start with us?", fact("Saoirse Quill", "joined")),
        ("crows nest - sleeps how many?", fact("Crow's Nest", "sleeps")),
        (
            "A bride's mother wants a figure from me by lunch: what does it cost to have the Long Barn for a day?",
            fact("Long Barn", "hire_fee_gbp"),
        ),
        (
            "I'm putting the payment run together and can't remember how many days we have to settle an invoice from Vintner Row, could you look?",
            fact("Vintner Row", "payment_terms_days"),
        ),
        (
            "How many times did Seacroft turn up late last quarter?",
            fact("Seacroft", "late_deliveries_last_quarter"),
        ),
        (
            "What sum does Meridian Tours have overdue with us?",
            fact("Meridian Tours", "overdue_gbp"),
        ),
        ("how full is teh mercer, latest figure", fact("The Mercer", "occupancy_percent")),
        (
            "After how many years does the Pool Plant Operator ticket have to be renewed?",
            fact("Pool Plant Operator", "renewal_years"),
        ),
        (
            "What head count did they give us for the Nordlicht Congress?",
            fact("Nordlicht Congress", "guests"),
        ),
    ]


def earlier():
    return [
        (
            "What was Quayside Lodge's occupancy on 30 June?",
            fact(LODGE, "occupancy_percent", on="2026-06-30"),
        ),
        (
            "For the board paper I need the position at the end of March 2026: how much money had gone into the Spa Wing by then?",
            fact("Spa Wing", "spent_to_date_gbp", on="2026-03-31"),
        ),
    ]


def profile():
    return [
        (
            "Give me the basics on Odyssee Reisen.",
            fact("Odyssee Reisen", "kind", "country", "credit_limit_gbp"),
        ),
        ("who's joyce abara again?", fact("Joyce Abara", "role", "joined")),
    ]


def comparison():
    return [
        (
            "Whose guests score us higher, those at Harbour House or those at the Tollgate?",
            pair(HARBOUR, "the Tollgate", "guest_score"),
        ),
        (
            "Ballroom vs Avon Pavilion, floor space?",
            pair("the Ballroom", "Avon Pavilion", "floor_area_m2"),
        ),
        (
            "Which of the two lets us pay later, Roasthouse Coffee or Kettle & Crumb?",
            pair("Roasthouse Coffee", "Kettle & Crumb", "payment_terms_days"),
        ),
    ]


def ranking():
    return [
        (
            "Which are our three largest houses by number of bedrooms to let?",
            order("House", "bedrooms", 3),
        ),
        (
            "I'd like to see all the agencies lined up by the amount they're overdue with, the worst offender at the top.",
            order("Agency", "overdue_gbp"),
        ),
        ("our priciest bedroom going by rack rate?", order("Room", "rack_rate_gbp", 1)),
    ]


def unknown():
    return [
        ("room 12 minibar price?", no("not_in_schema")),
        ("How many parking spaces are there at Brackenhall?", no("not_in_schema")),
    ]


def superseded():
    return [
        (
            "How long before arrival can a group still call off its booking without paying anything?",
            doc(TERMS, "42 days", without=["28 days"]),
        ),
        (
            "deposit for a group booking, what % do we take at confirmation",
            doc(TERMS, "30 per cent", without=["20 per cent"]),
        ),
        (
            "A wedding couple booking this week asks what they would lose as a deposit if they backed out. What do our terms say?",
            doc(TERMS, "1,500", without=["1,000"]),
        ),
        (
            "How much was a general manager allowed to waive under the 2024 edition of the cancellation terms?",
            doc(OLD_TERMS, "£500"),
        ),
    ]


def regulation():
    return [
        (
            "What does Whitlow have to credit us for each piece missing from a drop?",
            doc(LINEN, "2.40"),
        ),
        ("whats the notice period in the whitlow agreement", doc(LINEN, "six months")),
        (
            "What price has been agreed with Meridian for a packed lunch?",
            doc(MERIDIAN, "9.50"),
        ),
        (
            "Looking at the arrivals of the first week of August, how many days beforehand did Meridian have to hand unsold rooms back under its agreement?",
            doc(MERIDIAN, "30 days"),
        ),
    ]


def procedure():
    return [
        (
            "How long do we keep a watch that a guest has left behind in the room?",
            doc(ROOMS, "90 days"),
        ),
        (
            "system's down at the lodge and i need to cut keys, where is the spare encoder??",
            doc(NIGHT, "grey safe"),
        ),
        (
            "It's midnight at Quayside Lodge, we're one room short and I have to turn somebody away: who goes first?",
            doc(NIGHT, "single night"),
        ),
        (
            "After bed bugs have been found, how long is the room off sale?",
            doc(ROOMS, "21 days"),
        ),
    ]


def reason():
    return [
        (
            "Why couldn't the porter find the valve on the night the ballroom was flooded?",
            doc(FLOOD, "painted over"),
        ),
        (
            "How did it come about that Odyssee's coach party found no beds at Harbour House in June?",
            doc(ODYSSEE, "6 July"),
        ),
        ("reason the tollgate isnt getting ev chargers?", doc(JULY, "61,000")),
        (
            "The auditor gave Glenavon's kitchen a 4 and not a 5, and the owners want to know what it was that cost us the top grade.",
            doc("kitchen-audit-glenavon", "record", "lamb"),
        ),
    ]


def said():
    return [
        (
            "What did Honor Tremlett offer Odyssee to make up for the overbooking?",
            doc(ODYSSEE, "1,350", "two free places"),
        ),
        (
            "Someone told me one of the managers was against bringing in an outside troncmaster. On what grounds?",
            doc(JULY, "costs too much"),
        ),
    ]


def lookup():
    fare = g.edge(the("Brackenhall"), "WALKS_TO", the("the Tollgate"))
    drops = g.out(the("Seacroft Fish"), "SUPPLIES") & {the("the Tollgate")}
    return [
        ("Who's the GM at Harbour House?", ids(g.inn(the(HARBOUR), "MANAGES"))),
        (
            "What functions have we got coming up in the Cloth Hall?",
            ids(g.inn(the("Cloth Hall"), "HELD_IN")),
        ),
        ("taxi fare when brackenhall walks a geust to the tollgate", num(fare["taxi_fare_gbp"])),
        ("Does Seacroft Fish deliver to the Tollgate?", yes(drops, drops)),
    ]


def multi_hop():
    jobs = g.t("Project") & g.out(the("Nadia Verhoeven"), "COORDINATES")
    homes = g.out(the("Saoirse Quill"), "WORKS_AT")
    return [
        (
            "In which house is the Pargeter Wedding being held?",
            ids(g.out(g.out(the("Pargeter Wedding"), "HELD_IN"), "PART_OF")),
        ),
        (
            "Nadia Verhoeven is away next week, so I'd better warn the contractors on the jobs she is in charge of. Which firms are they?",
            ids(g.out(jobs, "CARRIED_OUT_BY")),
        ),
        (
            "Which agencies currently have an allotment at a house where Saoirse Quill works?",
            ids(g.inn(homes, "ALLOTMENT_AT")),
        ),
    ]


def downstream():
    return [
        (
            "Counting the people under the people under him as well, who all answers to Lucian Okonjo?",
            ids(g.walk(the("Lucian Okonjo"), "REPORTS_TO", back=True)),
        ),
    ]


def path():
    way = g.paths(the("Oakes & Daughters"), the("Pargeter Wedding"))
    short = g.paths(the("Hanami Holidays"), the("Food Hygiene Level 3"))
    return [
        ("How is Oakes & Daughters linked to the Pargeter Wedding?", {"path": way}),
        (
            "How many links does the shortest chain from Hanami Holidays to Food Hygiene Level 3 have?",
            num(len(short[0]) - 1),
        ),
    ]


def aggregation():
    sources = {h: len(g.inn(h, "SUPPLIES")) for h in g.t("House")}
    cuts = [e["commission_percent"] for e in g.valid("ALLOTMENT_AT") if e["target"] == the(GRAND)]
    return [
        (
            "The back gate at the Grand is a zoo. How many deliveries a week does it get, all suppliers together?",
            num(g.total("SUPPLIES", "target", "deliveries_per_week")[the(GRAND)]),
        ),
        (
            "What is the average commission on the agency allotments at the Grand as they stand today?",
            num(mean(cuts)),
        ),
        (
            "Which of our houses is delivered to by the most suppliers?",
            ids(lead(sources)),
        ),
        (
            "how many of our people have a valid First Aid at Work certifcate",
            num(len(g.inn(the("First Aid at Work"), "HOLDS"))),
        ),
    ]


def temporal():
    linen = g.edge(the("Whitlow"), "SUPPLIES", the("The Mercer"))
    year = [g.inn(the("the Tollgate"), "MANAGES", f"2017-{d}") for d in ("01-01", "07-01", "12-31")]
    assert year[0] == year[1] == year[2]
    return [
        ("Who ran the Tollgate in 2017?", ids(year[0])),
        (
            "Since when has Whitlow been supplying the Mercer?",
            {"date": linen["valid_from"]},
        ),
        (
            "Before the switch to the new launderer, on 1 March 2025 to be exact, which houses was Bellweather Laundry delivering to?",
            ids(g.out(the("Bellweather"), "SUPPLIES", "2025-03-01")),
        ),
    ]


def what_if():
    def left_alone(rel, node, typ):
        return {x for x in g.t(typ) & g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "If Saoirse Quill were signed off sick, which events would have nobody in charge of them any more?",
            ids(left_alone("COORDINATES", the("Saoirse Quill"), "Event")),
        ),
        (
            "say bluebird goes bust tomorrow, which houses have no agency allotment left at all?",
            ids(left_alone("ALLOTMENT_AT", the("Bluebird Travel"), "House")),
        ),
    ]


def spof():
    return [
        (
            "Which certificates does only one member of staff hold at present?",
            ids(x for x in g.t("Qualification") if len(g.inn(x, "HOLDS")) == 1),
        ),
        (
            "Among the refurbishments that are planned or running, which depend on a single contractor?",
            ids(
                x
                for x in g.t("Project", lambda r: r["status"] != "finished")
                if len(g.out(x, "CARRIED_OUT_BY")) == 1
            ),
        ),
    ]


def inverse():
    managers = g.inn(g.t("House"), "MANAGES")
    ahead = g.t("Event", lambda r: r["date"] > AS_OF)
    return [
        (
            "Which of our general managers don't have a Personal Licence today?",
            ids(managers - g.inn(the("Personal Licence"), "HOLDS")),
        ),
        (
            "Of the functions still to come, which ones did not reach us through an agency?",
            ids(ahead - g.inn(g.t("Agency"), "PLACED_BY")),
        ),
    ]


def compare():
    both = the(HARBOUR), the(LODGE)
    firms = [g.inn(h, "SUPPLIES") for h in both]
    return [
        (
            "Put Harbour House and Quayside Lodge next to each other for me: how many suppliers does each have, and which do they share?",
            cmp_(
                *both,
                counts={"Supplier": [len(f) for f in firms]},
                shared={"Supplier": sorted(firms[0] & firms[1])},
            ),
        ),
    ]


def combined():
    dear = g.t("Room", lambda r: r["rack_rate_gbp"] > 300)
    coming = g.t("Project", lambda r: r["status"] in {"planned", "running"})
    big = {e["source"] for e in g.valid("ALLOTMENT_AT") if e["rooms_per_night"] >= 15}
    return [
        (
            "Reservations need to know which bedrooms with a rack rate above 300 pounds are included in a refurbishment that is planned or under way.",
            ids(dear & g.out(coming, "REFURBISHES")),
        ),
        (
            "agencies holding 15 or more rooms a night at any one of our houses right now?",
            ids(big),
        ),
    ]


def unanswerable():
    return [
        (
            "Which house does Okonjo work at?",
            no("ambiguous", *g.t("Employee", lambda r: r["name"].endswith(" Okonjo"))),
        ),
        ("Which guests are staying in the Stable Loft tonight?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "How big is the budget of the Ballroom Restoration, and at what sum did the loss adjuster put the water damage?",
            fact("Ballroom Restoration", "budget_gbp") | doc(FLOOD, "212,000"),
        ),
        (
            "whitlow: payment terms in days, and how hot do they have to wash our towels under the agreement",
            fact("Whitlow", "payment_terms_days") | doc(LINEN, "71 degrees"),
        ),
    ]


def value_graph():
    return [
        (
            "Capacity of the Long Barn, and which event is booked into it?",
            fact("Long Barn", "capacity_seated") | ids(g.inn(the("Long Barn"), "HELD_IN")),
        ),
        (
            "What's Glenavon's occupancy now, and which agencies do we keep rooms for there?",
            fact(GLENAVON, "occupancy_percent") | ids(g.inn(the(GLENAVON), "ALLOTMENT_AT")),
        ),
    ]


def document_graph():
    return [
        (
            "Which houses does Whitlow deliver to today, and within how many hours must clean linen be back on a weekday according to the agreement?",
            doc(LINEN, "36 hours") | ids(g.out(the("Whitlow"), "SUPPLIES")),
        ),
        (
            "Who is in charge of the Harbour Roof project, and why did the managers' meeting in July push its start back?",
            doc(JULY, "fire exit") | ids(g.inn(the("Harbour Roof"), "COORDINATES")),
        ),
    ]


def all_tiers():
    return [
        (
            "I have Odyssee Reisen on the line in ten minutes. How much of theirs is overdue, at which houses do they have an allotment, and what did Mr Kessel ask us to send him every day before the next coach?",
            fact("Odyssee Reisen", "overdue_gbp")
            | doc(ODYSSEE, "list of arrivals")
            | ids(g.out(the("Odyssee Reisen"), "ALLOTMENT_AT")),
        ),
        (
            "Starting at Quayside Lodge on Monday! What's its guest score, who works there, and at what time does the night runbook say to roll the date?",
            fact(LODGE, "guest_score") | doc(NIGHT, "2.30") | ids(g.inn(the(LODGE), "WORKS_AT")),
        ),
    ]


def out_of_scope():
    return [
        ("cheers, that's all for tonight", no("out_of_scope")),
        ("How do you say good morning in Portuguese?", no("out_of_scope")),
    ]


SETS = {
    ("cag",): [value, earlier, profile, comparison, ranking, unknown],
    ("rag",): [superseded, regulation, procedure, reason, said],
    ("graph",): [
        lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
        spof, inverse, compare, combined, unanswerable,
    ],
    ("cag", "rag"): [value_document],
    ("cag", "graph"): [value_graph],
    ("rag", "graph"): [document_graph],
    ("cag", "rag", "graph"): [all_tiers],
    (): [out_of_scope],
}  # fmt: skip

g.write("ht", SETS)
