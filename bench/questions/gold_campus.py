"""A suite over all tiers for a university; gold of facts and graph computed from the data in domains/campus.

usage: python3 gold_campus.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
What it shares with other suites is in gold_suite.py."""

from gold_common import AS_OF, cmp_, ids, lead, no, num
from gold_suite import Suite, doc

g = Suite("campus")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Incident", lambda r: r["status"] == "open")


def value():
    return [
        ("How many seats does the Galen Theatre have?", fact("Galen Theatre", "seats")),
        ("what did we pay for the electron microscope", fact("Electron Microscope", "price_eur")),
        ("On which day did Ruth Adeyemi join us?", fact("Ruth Adeyemi", "joined")),
        ("Credits for Structural Mechanics?", fact("Structural Mechanics", "credits")),
        ("What's the yearly tuition for the MSc Photonics?", fact("MSc Photonics", "tuition_eur")),
        ("Which country does Aster Bridgeworks come from?", fact("Aster Bridgeworks", "country")),
        (
            "Do you know how many spare parts for the Load Frame are in stock?",
            fact("Load Frame", "spare_parts_in_stock"),
        ),
        (
            "What percentage of its payments does St Brigid Hospital make on time?",
            fact("St Brigid Hospital", "payments_on_time_percent"),
        ),
        (
            "How many publications did Linguistics have last year?",
            fact("Department of Linguistics", "publications_last_year"),
        ),
        (
            "number of applications received for the BEng Engineering, please",
            fact("BEng Engineering", "applications_received"),
        ),
        ("What is the pass rate in Spectroscopy?", fact("Spectroscopy", "pass_rate_percent")),
        (
            "How much liquid nitrogen is left in the Cryogenics lab?",
            fact("Cryogenics Laboratory", "liquid_nitrogen_in_stock"),
        ),
    ]


def profile():
    return [
        ("Tell me about the Cloister Room.", fact("Cloister Room", "building", "seats")),
        ("Who is Elif Kaya?", fact("Elif Kaya", "title", "joined")),
        ("NeuroMap: the basics please", fact("NeuroMap", "amount_keur", "deadline")),
    ]


def comparison():
    return [
        (
            "Which cost more, the Mass Spectrometer or the Femtosecond Laser?",
            pair("Mass Spectrometer", "Femtosecond Laser", "price_eur"),
        ),
        (
            "Compare the floor area of Chemistry and Biology.",
            pair("Department of Chemistry", "Department of Biology", "floor_area_m2"),
        ),
        (
            "Did Circuit Theory or Organic Chemistry have the better pass rate?",
            pair("Circuit Theory", "Organic Chemistry", "pass_rate_percent"),
        ),
    ]


def ranking():
    return [
        ("Top three departments by students enrolled", order("Department", "students", 3)),
        ("Rank our faculties by budget, biggest first.", order("Faculty", "budget_meur")),
        (
            "What are our five most expensive pieces of equipment?",
            order("Equipment", "price_eur", 5),
        ),
        (
            "Which partner has the lowest share of payments on time?",
            order("Partner", "payments_on_time_percent", 1, up=True),
        ),
    ]


def unknown():
    return [
        ("What is the pass rate in Thermodynamics?", no("unknown_entity")),
        ("How tall is the Load Frame?", no("not_in_schema")),
    ]


def superseded():
    now = "examination-regulations-2025"
    return [
        (
            "How many days before an examination does registration close?",
            doc(now, "14 days", without=["21 days"]),
        ),
        (
            "How often may a failed exam be repeated?",
            doc(now, "three times", without=["repeated twice"]),
        ),
        (
            "How long do students have to complain about a mark?",
            doc(now, "30 days", without=["14 days of publication"]),
        ),
    ]


def regulation():
    return [
        (
            "What do the examination regulations say on generative software?",
            doc("examination-regulations-2025", "forbidden"),
        ),
        (
            "what's the most we pay for a hotel night in a capital?",
            doc("travel-and-exchange-policy", "190"),
        ),
        (
            "Is there a rule on taking the train for short work trips?",
            doc("travel-and-exchange-policy", "800 kilometres"),
        ),
        (
            "Until when can I cancel a slot on shared equipment without paying?",
            doc("equipment-booking-rules", "48 hours"),
        ),
        (
            "Under the agreement with Kestrel, how long may they hold up one of our papers?",
            doc("cooperation-agreement-kestrel", "90 days"),
        ),
    ]


def procedure():
    cold = "safety-cryogenic-liquids"
    return [
        ("How is a cold burn on the skin treated?", doc(cold, "lukewarm water")),
        ("What should people do when the oxygen alarm sounds?", doc(cold, "north door")),
        (
            "Below which reading of the oxygen monitor must nobody go in?",
            doc(cold, "20.5 per cent"),
        ),
        (
            "How do we put together the committee for a new professor?",
            doc("appointments-handbook", "Nine members"),
        ),
    ]


def reason():
    physics, flood = "annual-review-physics-2025", "flood-report-imaging-centre"
    return [
        ("Why did Physics close 2025 with a deficit?", doc(physics, "price of helium")),
        (
            "Why did the pass rate in Quantum Mechanics fall, in the students' view?",
            doc(physics, "problem sheets"),
        ),
        ("Why did nobody notice the water in the basement?", doc(flood, "disconnected")),
        ("How could the rain get into the Medical Wing?", doc(flood, "cable duct")),
        (
            "Explain why the asbestos rooms will stay shut for so long.",
            doc("senate-minutes-2026-05", "two firms"),
        ),
    ]


def minutes():
    return [
        (
            "What did the Senate decide in May about a higher fee for the MSc Medical Imaging?",
            doc("senate-minutes-2026-05", "rejected"),
        )
    ]


def lookup():
    hoods = g.edge(the("Synthesis Laboratory"), "HOUSES", the("Fume Hood"), AS_OF)
    return [
        (
            "Who's head of Chemistry these days?",
            ids(g.inn(the("Department of Chemistry"), "HEADS")),
        ),
        ("How many fume hoods does the Synthesis Laboratory have?", num(hoods["pieces"])),
    ]


def multi_hop():
    labs = g.inn(the("Department of Physics"), "BELONGS_TO")
    courses = g.out(the("MSc Photonics"), "INCLUDES")
    return [
        (
            "Which partners pay for grants that went to laboratories of the Physics department?",
            ids(g.inn(g.inn(labs, "AWARDED_TO"), "FUNDS")),
        ),
        ("Who teaches the courses in the MSc Photonics?", ids(g.inn(courses, "TEACHES"))),
    ]


def downstream():
    labs = g.inn(the("Helium Liquefier"), "HOUSES")
    grants = g.out(the("Kestrel Instruments"), "FUNDS")
    return [
        (
            "If the Helium Liquefier breaks for good, which laboratories and which courses with practicals there will feel it?",
            ids(labs | g.inn(labs, "PRACTISES_IN")),
        ),
        (
            "Kestrel Instruments: list all the grants and laboratories that live off its money.",
            ids(grants | g.out(grants, "AWARDED_TO")),
        ),
    ]


def path():
    short = g.paths(the("Kenji Mori"), the("Nordhavn University"))
    return [
        (
            "How is the Halden Foundation connected to the Department of Chemistry?",
            {"path": g.paths(the("Halden Foundation"), the("Department of Chemistry"))},
        ),
        (
            "Fewest links between Kenji Mori and Nordhavn University?",
            num(len(short[0]) - 1),
        ),
    ]


def aggregation():
    hours = dict.fromkeys(g.t("Staff"), 0)
    for e in g.valid("TEACHES"):
        hours[e["source"]] += e["hours_per_week"]
    paid = [e["share_keur"] for e in g.valid("FUNDS") if e["source"] == the("Halden Foundation")]
    return [
        ("Who has the most teaching hours a week, all courses together?", ids(lead(hours))),
        (
            "What does the Halden Foundation pay into our grants in total, in thousands of euros?",
            num(sum(paid)),
        ),
    ]


def temporal():
    hall = g.edge(the("Amina Haddad"), "RUNS", the("Structures Hall"))
    return [
        ("Since when has Amina Haddad run the Structures Hall?", {"date": hall["valid_from"]}),
        (
            "Who taught Quantum Mechanics on 15 May 2020?",
            ids(g.inn(the("Quantum Mechanics"), "TEACHES", "2020-05-15")),
        ),
    ]


def what_if():
    def left_alone(rel, node):
        return {x for x in g.inn(node, rel) if g.out(x, rel) == {node}}

    halden = the("Halden Foundation")
    orphans = {x for x in g.out(halden, "FUNDS") if g.inn(x, "FUNDS") == {halden}}
    return [
        (
            "Suppose we lost the Hopper Room: which courses would be left without any room?",
            ids(left_alone("HELD_IN", the("Hopper Room"))),
        ),
        ("If Halden pulled out, which grants would have nobody paying?", ids(orphans)),
    ]


def spof():
    def single(typ, rel):
        return {x for x in g.t(typ) if len(g.inn(x, rel)) == 1}

    return [
        (
            "For which equipment do we have just one trained person?",
            ids(single("Equipment", "TRAINED_ON")),
        ),
        ("How many courses hang on a single teacher?", num(len(single("Course", "TEACHES")))),
    ]


def inverse():
    return [
        (
            "Which departments have no laboratory?",
            ids(g.t("Department") - g.out(g.t("Laboratory"), "BELONGS_TO")),
        ),
        (
            "Which of our partners does no programme exchange students with?",
            ids(g.t("Partner") - g.out(g.t("Programme"), "EXCHANGES_WITH")),
        ),
    ]


def compare():
    deps = the("Department of Physics"), the("Department of Chemistry")
    people = [len(g.inn(d, "EMPLOYED_IN")) for d in deps]
    plans = the("BSc Life Sciences"), the("MSc Medical Imaging")
    courses = [g.out(p, "INCLUDES") for p in plans]
    return [
        (
            "Does Physics or Chemistry employ more people?",
            cmp_(*deps, counts={"Staff": people}, higher=deps[people[0] < people[1]]),
        ),
        (
            "Compare the BSc Life Sciences with the MSc Medical Imaging: how many courses has each, and which do they share?",
            cmp_(
                *plans,
                counts={"Course": [len(c) for c in courses]},
                shared={"Course": sorted(courses[0] & courses[1])},
            ),
        ),
    ]


def risk():
    grave = g.where(OPEN, lambda r: r["severity"] in {"high", "critical"})
    shut = g.out(OPEN, "CLOSES") & g.t("Laboratory")
    return [
        ("How many open incidents are rated high or critical?", num(len(grave))),
        (
            "Which courses have practicals in a laboratory that an open incident has closed?",
            ids(g.inn(shut, "PRACTISES_IN")),
        ),
    ]


def combined():
    small = g.t("Room", lambda r: r["seats"] < 150)
    heavy = g.where(g.inn(small, "HELD_IN"), lambda r: r["credits"] > 6)
    firms = g.t("Partner", lambda r: r["kind"] == "company")
    shut = g.out(OPEN, "CLOSES") & g.t("Laboratory")
    return [
        (
            "Which courses worth more than 6 credits are held in a room with fewer than 150 seats?",
            ids(heavy),
        ),
        (
            "Which grants funded by a company went to a laboratory that is shut by an open incident?",
            ids(g.out(firms, "FUNDS") & g.inn(shut, "AWARDED_TO")),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which laboratory has the most direct links of any kind?",
            ids(lead({x: degree[x] for x in g.t("Laboratory")})),
        ),
        (
            "With links taken both ways, which course has the highest betweenness?",
            ids(lead({x: between[x] for x in g.t("Course")})),
        ),
    ]


def unanswerable():
    return [
        (
            "What does Okafor teach?",
            no("ambiguous", *g.t("Staff", lambda r: r["name"].endswith(" Okafor"))),
        ),
        ("Which students failed Organic Chemistry?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "What did the Electron Microscope cost, and how long is a booking slot on it?",
            fact("Electron Microscope", "price_eur") | doc("equipment-booking-rules", "eight"),
        ),
        (
            "How severe is the Basement flood, and which measures does the report on it list?",
            fact("Basement flood", "severity")
            | doc("flood-report-imaging-centre", "pressure-tight collar"),
        ),
    ]


def value_graph():
    return [
        (
            "How many semesters does the MSc Photonics take, and which courses are in it?",
            fact("MSc Photonics", "semesters") | ids(g.out(the("MSc Photonics"), "INCLUDES")),
        ),
        (
            "Number of students in Civil Engineering, and who works in that department?",
            fact("Department of Civil Engineering", "students")
            | ids(g.inn(the("Department of Civil Engineering"), "EMPLOYED_IN")),
        ),
    ]


def document_graph():
    rooms = g.out(the("Asbestos find"), "CLOSES")
    return [
        (
            "Which courses are still held in a room closed by the Asbestos find, and until when will the work take according to the Senate minutes?",
            doc("senate-minutes-2026-05", "November") | ids(g.inn(rooms, "HELD_IN")),
        ),
        (
            "Who pays into NeuroMap, and what does the Kestrel agreement say about joint inventions?",
            doc("cooperation-agreement-kestrel", "halves") | ids(g.inn(the("NeuroMap"), "FUNDS")),
        ),
    ]


def all_tiers():
    lab, firm = "Cryogenics Laboratory", "Kestrel Instruments"
    return [
        (
            "Before my first day in the Cryogenics Laboratory: what is its hazard class, which equipment stands there, and what must I wear according to the safety procedure?",
            fact(lab, "hazard_class")
            | doc("safety-cryogenic-liquids", "face shield")
            | ids(g.out(the(lab), "HOUSES")),
        ),
        (
            "Kestrel Instruments: what share of payments is on time, which grants do they fund, and what interest does the agreement set for late instalments?",
            fact(firm, "payments_on_time_percent")
            | doc("cooperation-agreement-kestrel", "6 per cent")
            | ids(g.out(the(firm), "FUNDS")),
        ),
    ]


def out_of_scope():
    return [
        ("good morning, nice to meet you!", no("out_of_scope")),
        ("Can you recommend a recipe for pancakes?", no("out_of_scope")),
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

g.write("cp", SETS)
