"""A suite over all tiers for a chemical works; gold of facts and graph computed from the data in domains/plant.

usage: python3 gold_plant.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
A fact that is known for several days holds from its own day to the next; with no day named, the latest one holds.
What it shares with other suites is in gold_suite.py."""

from gold_common import AS_OF, cmp_, ids, lead, no, num, of
from gold_suite import Suite, doc

g = Suite("plant")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Incident", lambda r: r["status"] == "open")


def value():
    return [
        ("How much does the splitter weigh?", fact("Splitter Column", "weight_t")),
        ("bullet design pressure", fact("Chlorine Bullet", "design_pressure_bar")),
        ("When did Gwen Tranter start with us?", fact("Gwen Tranter", "hired")),
        (
            "Hi, I'm filling in the transport papers: what's the UN number of toluene?",
            fact("Toluene", "un_number"),
        ),
        ("safety integrity level of TT-502?", fact("Benzene Reactor Thermometer", "sil")),
        ("Until when is Tidewell insured?", fact("Tidewell Insulation", "insured_until")),
        (
            "how many hours has brine pump B got on the clock by now",
            fact("Brine Pump B", "running_hours"),
        ),
        (
            "Could you tell me how much benzene we have in stock right now?",
            fact("Benzene", "stock_t"),
        ),
        ("What was our chlorine stock on 1 July?", fact("Chlorine", "stock_t", on="2026-07-01")),
        (
            "Availability of the Cell Hall in July, please.",
            fact("Cell Hall", "availability_percent"),
        ),
        ("What does Voltaris charge per hour?", fact("Voltaris Electric", "hourly_rate_eur")),
        (
            "When was the thermomter on the toluene reactor last calibrated?",
            fact("Toluene Reactor Thermometer", "last_calibrated"),
        ),
    ]


def profile():
    return [
        (
            "Tell me about Boiler 5.",
            fact("Boiler 5", "installed", "design_pressure_bar", "weight_t"),
        ),
        ("Who's Piotr Zelenka?", fact("Piotr Zelenka", "role", "hired")),
        ("Orlan Inspection, short profile please", fact("Orlan Inspection", "trade", "town")),
    ]


def comparison():
    return [
        (
            "Which is the older one, the Acid Absorber or the Acid Tank?",
            pair("Acid Absorber", "Acid Tank", "installed"),
        ),
        (
            "Who's dearer by the hour, Fenwick Rotating or Fenwick Lifting?",
            pair("Fenwick Rotating", "Fenwick Lifting", "hourly_rate_eur"),
        ),
        (
            "did red shift or green shift put in more overtime in July",
            pair("Red Shift", "Green Shift", "overtime_hours"),
        ),
    ]


def ranking():
    return [
        ("Top 3 units by yearly capacity", order("Unit", "capacity_kt", 3)),
        ("Name our four heaviest pieces of kit.", order("Equipment", "weight_t", 4)),
        (
            "Which contractor came last in this year's safety audit?",
            order("Contractor", "safety_audit_score", 1, up=True),
        ),
        (
            "Which three units had the best availability in July, best first?",
            order("Unit", "availability_percent", 3),
        ),
    ]


def unknown():
    return [
        ("What pressure is Boiler 6 built for?", no("unknown_entity")),
        ("How long is the warranty on the Emergency Scrubber?", no("not_in_schema")),
    ]


def superseded():
    now = "permit-to-work-2026"
    return [
        (
            "How often does the air have to be tested while a permit job is going on?",
            doc(now, "every two hours", without=["every four hours"]),
        ),
        (
            "The siren went and my permit got suspended. How long do I have to pick it up again before a fresh one must be written?",
            doc(now, "within six hours", without=["24 hours without a new gas test"]),
        ),
        (
            "how many years do we keep closed permts",
            doc(now, "five years", without=["kept for two years"]),
        ),
    ]


def regulation():
    frame, guests = "pressley-framework-agreement", "contractors-on-site-policy"
    return [
        (
            "What does the agreement with Pressley say about jobs that are finished late?",
            doc(frame, "1.5 per cent", "9 per cent"),
        ),
        (
            "For how long must Pressley put right bad welds under pressure at no cost to us?",
            doc(frame, "30 months"),
        ),
        (
            "As a contractor's fitter, may I keep my mobile on me inside?",
            doc(guests, "lockers at the gate"),
        ),
        (
            "two yellow cards in one year, what happens to a contractor's man then?",
            doc(guests, "red card"),
        ),
        (
            "What's the longest anybody may work in one go, and how much rest has to lie between two turns?",
            doc("shift-handover-procedure", "12 hours", "11 hours"),
        ),
    ]


def procedure():
    gas = "chlorine-release-procedure"
    return [
        (
            "The meter shows 1.0 ppm of chlorine. What are we supposed to do at that level?",
            doc(gas, "Leave the building"),
        ),
        (
            "Somebody has breathed chlorine: should they lie down or sit?",
            doc(gas, "sit upright"),
        ),
        ("where do we gather if the wind comes from the north", doc(gas, "east car park")),
        (
            "My relief hasn't turned up, how long must I stay and what happens next?",
            doc("shift-handover-procedure", "two hours", "standby list"),
        ),
    ]


def reason():
    full = "bullet-overfill-report"
    return [
        ("Why didn't the level trip stop the bullet from overfilling?", doc(full, "bypassed")),
        (
            "How come the panel operator noticed nothing the night the bullet was overfilled?",
            doc(full, "stood still at 71 per cent"),
        ),
        (
            "What made the compressor's seal faces crack?",
            doc("seal-leak-interim-report", "seal gas was wet"),
        ),
        (
            "why was the turnaround pushed back from October 2026?",
            doc("turnaround-plan-2027", "foundry"),
        ),
        (
            "Explain to me why candidates turned down the manager's job at the Effluent Works.",
            doc("safety-committee-minutes-2026-07", "standby duty"),
        ),
    ]


def minutes():
    return [
        (
            "So the hard hat proposal: what did the safety committee decide on it in July?",
            doc("safety-committee-minutes-2026-07", "rejected"),
        )
    ]


def lookup():
    (line,) = [
        e
        for e in g.valid("PIPED_TO")
        if (e["source"], e["target"]) == (the("Chlorine Bullet"), the("Benzene Reactor"))
    ]
    return [
        (
            "Which instruments can shut the Chlorine Compressor down?",
            ids(g.inn(the("Chlorine Compressor"), "TRIPS")),
        ),
        (
            "bore of the line from the bullet to the benzene reactor in mm?",
            num(line["bore_mm"]),
        ),
    ]


def multi_hop():
    here = g.inn(the("Chlorine Liquefaction"), "INSTALLED_IN")
    hers = g.out(the("Saskia Lindqvist"), "RESPONSIBLE_FOR")
    return [
        (
            "Which outside firms service kit that stands in Chlorine Liquefaction?",
            ids(g.inn(here, "MAINTAINS")),
        ),
        (
            "Give me everyone who is signed off to run the panel of a unit that Saskia Lindqvist manages.",
            ids(g.inn(hers, "QUALIFIED_ON")),
        ),
    ]


def downstream():
    return [
        (
            "Chlorine Liquefaction has gone down. Which units further down the line does it normally supply, directly or by way of others?",
            ids(g.walk(the("Chlorine Liquefaction"), "FEEDS")),
        ),
        (
            "Follow the pipes onward from the Benzene Reactor: all the equipment they lead to, right to the end",
            ids(g.walk(the("Benzene Reactor"), "PIPED_TO")),
        ),
    ]


def path():
    ends = the("Chlorine Compressor"), the("Acid Tank")
    (pipes,) = g.paths(*ends, "PIPED_TO", directed=True)
    ranks = g.paths(the("Ilse Voss"), the("Marguerite Oyelaran"), "REPORTS_TO", directed=True)
    return [
        (
            "What's the shortest way through the pipework from the Chlorine Compressor to the Acid Tank?",
            {"path": pipes},
        ),
        (
            "How many steps is it up the reporting line from Ilse Voss to Marguerite Oyelaran?",
            num(len(ranks[0]) - 1),
        ),
    ]


def aggregation():
    in_unit = {u: len(g.inn(u, "INSTALLED_IN")) for u in g.t("Unit")}
    fees = g.total("MAINTAINS", "source", "fee_keur")
    return [
        ("Which unit has the most equipment standing in it?", ids(lead(in_unit))),
        (
            "What do we pay Fenwick Rotating a year for maintenance all told, in thousands of euros?",
            num(fees[the("Fenwick Rotating")]),
        ),
    ]


def temporal():
    green = g.edge(the("Colette Marchetti"), "LEADS", the("Green Shift"), AS_OF)
    return [
        (
            "Since when has Colette Marchetti been in charge of the Green Shift?",
            {"date": green["valid_from"]},
        ),
        (
            "Which units was the Boiler House supplying on 1 June 2020?",
            ids(g.out(the("Boiler House"), "FEEDS", "2020-06-01")),
        ),
    ]


def what_if():
    def only(node, rel):
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "Suppose Tove Halloran quit tomorrow: for which units would there be nobody left who may run the panel?",
            ids(only(the("Tove Halloran"), "QUALIFIED_ON")),
        ),
        (
            "If Pressley went bust, which equipment would lose the only firm that services it?",
            ids(only(the("Pressley & Dunne"), "MAINTAINS")),
        ),
    ]


def spof():
    def single(typ, rel):
        return {x for x in g.t(typ) if len(g.inn(x, rel)) == 1}

    return [
        (
            "Which units have just one person signed off to run them?",
            ids(single("Unit", "QUALIFIED_ON")),
        ),
        (
            "How many pieces of equipment are watched by a single instrument only?",
            num(len(single("Equipment", "MONITORS"))),
        ),
    ]


def inverse():
    return [
        (
            "what equipment has no instrument monitoring it",
            ids(g.t("Equipment") - g.out(g.t("Instrument"), "MONITORS")),
        ),
        (
            "Which of our contractors service none of our equipment?",
            ids(g.t("Contractor") - g.inn(g.t("Equipment"), "MAINTAINS")),
        ),
    ]


def compare():
    firms = the("Fenwick Rotating"), the("Pressley & Dunne")
    served = [len(g.out(f, "MAINTAINS")) for f in firms]
    units = the("North Chlorination"), the("South Chlorination")
    people = [g.inn(u, "QUALIFIED_ON") for u in units]
    return [
        (
            "Who services more of our equipment, Fenwick Rotating or Pressley & Dunne?",
            cmp_(*firms, counts={"Equipment": served}, higher=firms[served[0] < served[1]]),
        ),
        (
            "Compare North Chlorination with South Chlorination: how many qualified people has each, and who is qualified on both?",
            cmp_(
                *units,
                counts={"Employee": [len(p) for p in people]},
                shared={"Employee": sorted(people[0] & people[1])},
            ),
        ),
    ]


def risk():
    grave = g.where(OPEN, lambda r: r["severity"] in {"high", "critical"})
    return [
        (
            "Which equipment is out of action because of an incident that is still open and rated high or critical?",
            ids(g.out(grave, "SIDELINES")),
        ),
        (
            "Which units have something standing in them that an open incident has knocked out?",
            ids(g.out(g.out(OPEN, "SIDELINES"), "INSTALLED_IN")),
        ),
    ]


def combined():
    burns = g.t("Substance", lambda r: r["danger"] == "flammable")
    live = g.t("Permit", lambda r: r["state"] == "live")
    here = g.inn(g.out(OPEN, "SIDELINES"), "COVERS") & live
    return [
        (
            "Which equipment put in before 2000 has something flamable inside?",
            ids(g.where(g.inn(burns, "HOLDS"), lambda r: r["installed"] < 2000)),
        ),
        (
            "Which contractor is working under a live permit on equipment that an open incident has put out of service?",
            ids(g.out(here, "GRANTED_TO")),
        ),
    ]


def centrality():
    units, kit = g.t("Unit"), g.t("Equipment")
    linked = [lead(of(g.degree(multi), kit)) for multi in (True, False)]
    assert linked[0] == linked[1] and len(linked[0]) == 1
    return [
        ("Which piece of equipment has the most direct links of any kind?", ids(linked[0])),
        (
            "If links count both ways, which unit has the highest betweenness?",
            ids(lead(of(g.betweenness(), units))),
        ),
    ]


def unanswerable():
    return [
        (
            "Which units is Voss signed off on?",
            no("ambiguous", *g.t("Employee", lambda r: r["name"].endswith(" Voss"))),
        ),
        ("Which customers buy our caustic soda?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "In which year was the Chlorine Bullet put in, and how full did it get in the overfilling of October 2025?",
            fact("Chlorine Bullet", "installed") | doc("bullet-overfill-report", "94 per cent"),
        ),
        (
            "What is Pressley & Dunne's hourly rate at present, and how fast must they be here when we call an emergency?",
            fact("Pressley & Dunne", "hourly_rate_eur")
            | doc("pressley-framework-agreement", "4 hours"),
        ),
    ]


def value_graph():
    return [
        (
            "What's the yearly capacity of the Acid Plant, and which units feed it?",
            fact("Acid Plant", "capacity_kt") | ids(g.inn(the("Acid Plant"), "FEEDS")),
        ),
        (
            "How many tonnes of chlorine are we permitted to keep, and which equipment has some inside?",
            fact("Chlorine", "permitted_t") | ids(g.inn(the("Chlorine"), "HOLDS")),
        ),
    ]


def document_graph():
    return [
        (
            "By whom was Permit 2611 signed, and how long does the fire watch have to stay after hot work under the permit rules?",
            doc("permit-to-work-2026", "60 minutes", without=["30 minutes after the last spark"])
            | ids(g.out(the("Permit 2611"), "SIGNED_BY")),
        ),
        (
            "Which equipment is piped straight into the Chlorine Compressor, and when should it run again according to the interim report on the seal leak?",
            doc("seal-leak-interim-report", "21 August")
            | ids(g.inn(the("Chlorine Compressor"), "PIPED_TO")),
        ),
    ]


def all_tiers():
    boiler, firm = "Boiler 4", "Fenwick Rotating"
    return [
        (
            "Boiler 4: what pressure is it designed for, which firm services it, and how many days does the turnaround plan allow for its new tubes?",
            fact(boiler, "design_pressure_bar")
            | doc("turnaround-plan-2027", "16")
            | ids(g.inn(the(boiler), "MAINTAINS")),
        ),
        (
            "I'm meeting Fenwick Rotating this afternoon. I need their score in the latest safety audit, the equipment they service, and the number of points below which our policy for contractors wants a plan for improvement.",
            fact(firm, "safety_audit_score")
            | doc("contractors-on-site-policy", "70 points")
            | ids(g.out(the(firm), "MAINTAINS")),
        ),
    ]


def out_of_scope():
    return [
        ("thanks a lot, you've been a great help!", no("out_of_scope")),
        ("which film won the Oscar for best picture in 1998?", no("out_of_scope")),
    ]


SETS = {
    ("cag",): [value, profile, comparison, ranking, unknown],
    ("rag",): [superseded, regulation, procedure, reason, minutes],
    ("graph",): [
        lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
        spof, inverse, compare, risk, combined, centrality, unanswerable,
    ],
    ("cag", "rag"): [value_document],
    ("cag", "graph"): [value_graph],
    ("rag", "graph"): [document_graph],
    ("cag", "rag", "graph"): [all_tiers],
    (): [out_of_scope],
}  # fmt: skip


def check_data():
    """Fail when an end, a type or a property of the data is not as it should be."""
    for e in g.e:
        assert {e["source"], e["target"]} <= set(g.n), e
        assert e["valid_to"] is None or e["valid_from"] <= e["valid_to"], e
    assert all(f["entity"] in g.n and f["as_of"] <= AS_OF for f in g.facts)
    assert len({(f["entity"], f["attribute"], f["as_of"]) for f in g.facts}) == len(g.facts)
    assert len({r["name"] for r in g.n.values()}) == len(g.n)


check_data()
g.write("pl", SETS)
