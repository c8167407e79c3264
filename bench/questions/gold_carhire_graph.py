"""The graph questions of the vehicle hire suite, by category; gold_carhire.py writes them with the rest.

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named."""

from gold_common import cmp_, ids, lead, mean, no, num, rank, yes
from gold_suite import Suite

g = Suite("carhire")
the = g.the

OPEN = g.t("Incident", lambda r: r["status"] == "open")


def lookup():
    greenlane = g.edge(the("Greenlane"), "HIRES", the("E-Cargo"))
    wheels = g.out(the("HolidayWheels"), "BOOKS_INTO")
    return [
        ("who runs castlebray now", ids(g.inn(the("Castlebray"), "MANAGES"))),
        (
            "How many E-Cargos has Greenlane got out on hire from us at the moment?",
            num(greenlane["vehicles_on_hire"]),
        ),
        (
            "Does HolidayWheels still send us bookings for Port Severin?",
            yes(the("Port Severin") in wheels),
        ),
    ]


def multi_hop():
    minibus = g.inn(the("the sixteen-seater"), "HIRES")
    dale = g.out(the("the Dale"), "STOCKS")
    return [
        (
            "Which of our account managers have a client with the sixteen-seater on hire?",
            ids(g.inn(minibus, "LOOKS_AFTER")),
        ),
        (
            "Which insurers cover something that's in the fleet up at the Dale?",
            ids(g.inn(dale, "INSURES")),
        ),
    ]


def downstream():
    discs = g.inn(the("Brake Disc"), "FITTED_WITH")
    assert the("Ironbridge") in g.inn(the("Brake Disc"), "SUPPLIES")
    return [
        (
            "Aldermouth Airport won't be able to spare a single car over the weekend. Which other branches depend on it for extra vehicles, counting those that only do so through another branch?",
            ids(g.walk(the("Aldermouth Airport"), "DRAWS_FROM", back=True)),
        ),
        (
            "Ironbridge has owned up to a bad batch of brake discs. Which corporate customers have a model on hire that's fitted with brake discs of theirs?",
            ids(g.inn(discs, "HIRES")),
        ),
    ]


def path():
    way = g.paths(the("Cellforge"), the("the hospital trust"))
    assert len(way) == 1
    return [
        ("What's the shortest chain of links from Cellforge to the hospital trust?", {"path": way}),
    ]


def aggregation():
    fleet = g.total("STOCKS", "source", "vehicles")[the("Stennick Airport")]
    volt = [e["agreed_rate_eur"] for e in g.valid("HIRES") if e["target"] == the("Volt")]
    return [
        (
            "How many vehicles are there in the Stennick Airport fleet, all models together?",
            num(fleet),
        ),
        (
            "On average, what day rate have we agreed with the customers who've got the Volt on hire? Plain mean, in euros.",
            num(mean(volt)),
        ),
    ]


def temporal():
    brightwater = g.edge(the("Anneke"), "LOOKS_AFTER", the("Brightwater"))
    northstar = the("Northstar")
    year = {
        e["target"]
        for e in g.valid("INSURES", on=None)
        if e["source"] == northstar
        and e["valid_from"] <= "2024-12-31"
        and (e["valid_to"] or "9999") >= "2024-01-01"
    }
    return [
        (
            "Who was the manager at Tynwick on 1 June 2020?",
            ids(g.inn(the("Tynwick"), "MANAGES", "2020-06-01")),
        ),
        ("since when has anneke had the brightwater account", {"date": brightwater["valid_from"]}),
        (
            "Which models did Northstar insure at some point in 2024 that it doesn't insure today?",
            ids(year - g.out(northstar, "INSURES")),
        ),
    ]


def what_if():
    evs = the("Hallett's")
    alone = {x for x in g.out(evs, "QUALIFIED_FOR") if g.inn(x, "QUALIFIED_FOR") == {evs}}
    two = {the("Rentbeacon"), the("Autoroute")}
    bare = {x for x in g.out(two, "BOOKS_INTO") if g.inn(x, "BOOKS_INTO") <= two}
    return [
        (
            "If Hallett's shut up shop, for which models would we have no qualified workshop left?",
            ids(alone),
        ),
        (
            "Suppose Rentbeacon and Autoroute both dropped us. Which of the branches they book into now would be left without any broker?",
            ids(bare),
        ),
    ]


def spof():
    return [
        (
            "parts we can only get from one supplier?",
            ids({x for x in g.t("Part") if len(g.inn(x, "SUPPLIES")) == 1}),
        ),
    ]


def inverse():
    airport = g.out(the("Aldermouth Airport"), "STOCKS")
    return [
        (
            "which branches dont get any bookings from brokers at the moment",
            ids(g.t("Branch") - g.out(g.t("Broker"), "BOOKS_INTO")),
        ),
        (
            "I'm after the models in the Aldermouth Airport fleet that not one of our corporate customers has on hire.",
            ids(airport - g.out(g.t("Customer"), "HIRES")),
        ),
    ]


def compare():
    people = the("Teddy Lipski"), the("Marcus Oyelaran")
    under = [len(g.out(p, "MANAGES") & g.t("Branch")) for p in people]
    branches = the("Port Severin"), the("Tynwick")
    fleets = [g.out(b, "STOCKS") for b in branches]
    return [
        (
            "Who's got more branches under them, Teddy Lipski or Marcus Oyelaran?",
            cmp_(*people, counts={"Branch": under}, higher=people[under[0] < under[1]]),
        ),
        (
            "Put Port Severin and Tynwick side by side, please: how many models does each have in its fleet, and which ones have they got in common?",
            cmp_(
                *branches,
                counts={"VehicleModel": [len(f) for f in fleets]},
                shared={"VehicleModel": sorted(fleets[0] & fleets[1])},
            ),
        ),
    ]


def risk():
    recall = g.where(OPEN, lambda r: r["severity"] == "critical" and r["kind"] == "recall")
    repairs = g.out(the("Dale Motors"), "QUALIFIED_FOR")
    return [
        (
            "Which corporate customers have a model on hire that's under an open critical recall?",
            ids(g.inn(g.out(recall, "AFFECTS"), "HIRES")),
        ),
        (
            "Dale Motors are on the phone. Which open incidents are about models they're qualified to repair?",
            ids(OPEN & g.inn(repairs, "AFFECTS")),
        ),
    ]


def combined():
    insured = g.out(the("Harrier"), "INSURES") & g.out(the("Quarrybank"), "STOCKS")
    hit = g.out(OPEN, "AFFECTS")
    high = g.t("Part", lambda r: r["criticality"] == "high")
    one = {x for x in high if len(g.inn(x, "SUPPLIES")) == 1}
    return [
        (
            "Which of the diesels insured with Harrier do we have in the fleet at Quarrybank?",
            ids(g.where(insured, lambda r: r["fuel"] == "diesel")),
        ),
        (
            "Parts with high criticality that come from just one supplier, and that supplier has an open incident: which are they?",
            ids({x for x in one if g.inn(x, "SUPPLIES") & hit}),
        ),
    ]


def superlative():
    return [
        (
            "Which broker brings us the most bookings a month, taking all branches together?",
            ids(lead(g.total("BOOKS_INTO", "source", "bookings_per_month"))),
        ),
        (
            "Top three corporate customers by number of vehicles on hire, all models added up, with the figures please",
            rank(g.total("HIRES", "source", "vehicles_on_hire"), k=3),
        ),
    ]


def unanswerable():
    batteries = g.t("Part", lambda r: "Battery" in r["name"])
    assert batteries == g.out(the("Cellforge"), "SUPPLIES")
    return [
        (
            "How many days does it take Cellforge to deliver the battery?",
            no("ambiguous", *batteries),
        ),
        ("Which firm does the car wash at Tynwick for us?", no("not_in_schema")),
    ]


GRAPH = [
    lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
    spof, inverse, compare, risk, combined, superlative, unanswerable,
]  # fmt: skip
