"""A suite over all tiers for a trust of nine schools; gold of facts and graph computed from domains/schools.

usage: python3 gold_schools.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Of an attribute with a history, the latest value counts unless a day is named.
What it shares with other suites is in gold_suite.py."""

from gold_common import cmp_, ids, mean, no, num, rank, yes
from gold_suite import Suite, doc

g = Suite("schools")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Incident", lambda r: r["status"] == "open")
VISITS = "rules-visits-2025"
CIRCULAR = "circular-crestmark-2026"
GREEN = "agreement-green-ladle"
MINUTES = "minutes-heads-meeting-2026-07"
OUTAGE = "incident-registrum-outage"
LETTER = "letter-inspectorate-brook-end"


def value():
    return [
        (
            "How many pupils may Queen Edith's admit, going by its published number?",
            fact("Queen Edith's", "places"),
        ),
        (
            "fire certificate for the curie labs - good till when?",
            fact("Curie Labs", "fire_certificate_until"),
        ),
        ("When does our contract with Tuckwell run out?", fact("Tuckwell", "contract_ends")),
        (
            "What does the NAB sting us for if we put a candidate in late?",
            fact("NAB", "late_entry_fee_eur"),
        ),
        (
            "The auditors are here and want the bill for the Harcourt boiler failure: how much did the repair cost?",
            fact("Harcourt boiler failure", "repair_cost_eur"),
        ),
        ("how many kids on roll at mill lane right now", fact("Mill Lane", "pupils_on_roll")),
        (
            "I'm doing the driver sheets for September. Could you tell me what time the first child gets picked up on the Beacon minibus?",
            fact("the Beacon minibus", "first_pickup"),
        ),
        (
            "What is the largest class we are allowed to run in Advanced French?",
            fact("Advanced French", "class_limit"),
        ),
        (
            "For the website: how many schools does the trust run?",
            {"values": [len(g.t("School"))]},
        ),
        ("number of buildings on the estates list pls", {"values": [len(g.t("Building"))]}),
    ]


def history():
    return [
        (
            "What was Tarnwick High's roll as of 31 January 2026?",
            fact("Tarnwick High", "pupils_on_roll", on="2026-01-31"),
        ),
        (
            "hobday's hygiene score on 1 march this year, so before the spring inspection?",
            fact("Hobday's", "hygiene_score", on="2026-03-01"),
        ),
        (
            "Governors' report for QEA: what did attendance stand at on 30 June 2026?",
            fact("QEA", "attendance_percent", on="2026-06-30"),
        ),
        (
            "on-time % for the moor bus as at 1 july",
            fact("the moor bus", "on_time_percent", on="2026-07-01"),
        ),
    ]


def profile():
    return [
        ("Who is Callum Reid?", fact("Callum Reid", "role", "joined")),
        ("gimme the basics on larch block", fact("Larch Block", "kind", "built")),
    ]


def comparison():
    return [
        (
            "Which has the larger floor area, Founders' House or the Hub?",
            pair("Founders' House", "the Hub", "floor_area_m2"),
        ),
        (
            "attendance: ECS or Tarnwick High, who's doing better?",
            pair("ECS", "Tarnwick High", "attendance_percent"),
        ),
        (
            "Who has been with the trust longer, Gareth Pugh or Ruth Okafor?",
            pair("Gareth Pugh", "Ruth Okafor", "joined"),
        ),
    ]


def ranking():
    return [
        ("Top three schools by pupils on roll", order("School", "pupils_on_roll", 3)),
        ("whats our longest bus rout", order("BusRoute", "length_km", 1)),
        (
            "Could you put the caterers in order of their hygiene score, best one first, please?",
            order("Caterer", "hygiene_score"),
        ),
    ]


def unknown():
    return [
        ("In what year was Thornfield Academy opened?", no("unknown_entity")),
        ("whats jo bexleys salary", no("not_in_schema")),
    ]


def superseded():
    old = "rules-visits-2023"
    return [
        (
            "How many weeks ahead does the form for a day trip have to be with the head?",
            doc(VISITS, "6 weeks", without=["3 weeks"]),
        ),
        (
            "A mum wants to pull her lad out of the museum visit and is asking for her money. Up to how many days before we set off does she get it back?",
            doc(VISITS, "21 days", without=["10 days"]),
        ),
        (
            "how much spending money can they bring on a visit these days",
            doc(VISITS, "25 euros", without=["15 euros"]),
        ),
        (
            "Under the old visit rules from 2023, how soon after arriving did the leader have to ring the school office?",
            doc(old, "60 minutes"),
        ),
    ]


def regulation():
    handbook = "handbook-new-teachers"
    return [
        (
            "How hot does Green Ladle's food have to be when it's served?",
            doc(GREEN, "63 degrees"),
        ),
        (
            "Suppose the trustees wanted out of the Green Ladle agreement in the ordinary way: how much notice must we give?",
            doc(GREEN, "6 months"),
        ),
        (
            "crestmark papers - how long before the start can i open the packet",
            doc(CIRCULAR, "40 minutes"),
        ),
        (
            "How many hours a week does a newly qualified teacher get kept free for planning in the first year?",
            doc(handbook, "4 hours"),
        ),
    ]


def procedure():
    return [
        (
            "I feel dreadful and won't make it in tomorrow. By what time do I have to ring the cover line?",
            doc("handbook-new-teachers", "06:50"),
        ),
        (
            "If we close for snow, when does the message to parents have to be out?",
            doc("runbook-snow-closure", "06:25"),
        ),
        (
            "candidate's just walked in 35 min late for a crestmark paper!! up to how late do i let them in with the full time?",
            doc(CIRCULAR, "50 minutes"),
        ),
        (
            "A child has gone missing on a school visit. How long do we search before the leader calls the police?",
            doc(VISITS, "15 minutes", without=["30 minutes"]),
        ),
    ]


def reason():
    return [
        (
            "Why was the breakfast club at Mill Lane turned down in July?",
            doc(MINUTES, "unlock the gate"),
        ),
        (
            "How come Tarnwick High couldn't manage with paper registers while Registrum was down?",
            doc(OUTAGE, "last been printed in September"),
        ),
        (
            "I have to explain it to the trustees tonight: what exactly made the inspectors mark Brook End down on safeguarding?",
            doc(LETTER, "agency"),
        ),
        (
            "why do we have to ring the coach firms before anybody else on a snow day",
            doc("runbook-snow-closure", "depot"),
        ),
    ]


def said():
    return [
        (
            "Whose idea was it to send the St Wilfrid's children by taxi while the Route 12 coach was off the road?",
            doc("emails-route-12-coach", "Fiona Lockhart"),
        ),
        (
            "Who proposed the shared pool of cover teachers at the heads' meeting in July?",
            doc(MINUTES, "Ruth Okafor"),
        ),
    ]


def lookup():
    days = g.edge(the("Lucia Fernandez"), "TEACHES_AT", the("Saltmarsh"))
    high = g.inn(the("Tarnwick High"), "CATERS_FOR")
    return [
        ("whos head at brook end now", ids(g.inn(the("Brook End"), "HEADS"))),
        (
            "How many days a week is Lucía Fernández at Saltmarsh College?",
            num(days["days_per_week"]),
        ),
        (
            "Is Tuckwell still doing the dinners at Tarnwick High?",
            yes(the("Tuckwell") in high),
        ),
    ]


def multi_hop():
    coast = g.out(the("the coast bus"), "SERVES")
    reid = g.out(the("Cal Reid"), "TEACHES")
    pennant = g.out(the("Pennant"), "OPERATES")
    return [
        (
            "Which caterers cook for a school that the coast bus stops at?",
            ids(g.inn(coast, "CATERS_FOR")),
        ),
        (
            "Cal Reid's courses are examined by which boards?",
            ids(g.out(reid, "AWARDED_BY")),
        ),
        (
            "Families who travel with Pennant need a letter about seat belts. Which schools do Pennant's routes call at?",
            ids(g.out(pennant, "SERVES")),
        ),
    ]


def downstream():
    return [
        (
            "If Registrum went down again, which other programs would stop getting data, straight from it or further along?",
            ids(g.walk(the("Registrum"), "FEEDS")),
        ),
        (
            "Say we scrapped Foundation Maths. Which courses could nobody get into any more, because they need it or need something that builds on it?",
            ids(g.walk(the("Foundation Maths"), "REQUIRES", back=True)),
        ),
    ]


def path():
    way = g.paths(the("Molly Trench"), the("Guild of Trades"))
    return [
        (
            "What's the shortest chain of links between Molly Trench and the Guild of Trades?",
            {"path": way},
        ),
    ]


def aggregation():
    rates = [e["daily_rate_eur"] for e in g.valid("OPERATES") if e["source"] == the("Pennant")]
    meals = [
        e["price_per_meal_eur"] for e in g.valid("CATERS_FOR") if e["source"] == the("Green Ladle")
    ]
    return [
        (
            "How many euros a school day do we pay Pennant, all its routes together?",
            num(sum(rates)),
        ),
        (
            "Across the schools Green Ladle cooks for at present, what's the plain average price of a meal (not weighted by meals)?",
            num(mean(meals)),
        ),
    ]


def temporal():
    chemistry = g.edge(the("Chemistry"), "AWARDED_BY", the("Crestmark"))
    year = {
        e["target"]
        for e in g.valid("CATERS_FOR", on=None)
        if e["source"] == the("Tuckwell")
        and e["valid_from"] <= "2022-12-31"
        and (e["valid_to"] or "9999") >= "2022-01-01"
    }
    return [
        (
            "Who was head of Mill Lane on 15 March 2021?",
            ids(g.inn(the("Mill Lane"), "HEADS", "2021-03-15")),
        ),
        ("since when has chemistry been with crestmark", {"date": chemistry["valid_from"]}),
        (
            "Which schools had Tuckwell in the kitchen at some point in 2022 but don't have them any more today?",
            ids(year - g.out(the("Tuckwell"), "CATERS_FOR")),
        ),
    ]


def what_if():
    reid, fennimore = the("Callum Reid"), the("Fennimore")
    untaught = {c for c in g.out(reid, "TEACHES") if g.inn(c, "TEACHES") == {reid}}
    stopped = {r for r in g.out(fennimore, "OPERATES") if g.inn(r, "OPERATES") == {fennimore}}
    stranded = {s for s in g.out(stopped, "SERVES") if g.inn(s, "SERVES") <= stopped}
    return [
        (
            "If Callum Reid handed in his notice, which courses would have nobody left to teach them?",
            ids(untaught),
        ),
        (
            "Fennimore might be grounded over its licence. If it stopped running all its routes, which schools would lose the only bus they have?",
            ids(stranded),
        ),
    ]


def spof():
    second = {s for s in g.t("School") if len(g.inn(s, "CATERS_FOR")) > 1}
    return [
        (
            "which courses hang on just one teacher",
            ids({c for c in g.t("Course") if len(g.inn(c, "TEACHES")) == 1}),
        ),
        (
            "Does any of our schools have more than one caterer, so that somebody could step in? If so, which?",
            yes(second, second),
        ),
    ]


def inverse():
    return [
        (
            "which schools havent got any bus going to them?",
            ids(g.t("School") - g.out(g.t("BusRoute"), "SERVES")),
        ),
        (
            "I need a list of the schools that are on Registrum but don't use ParentPost.",
            ids(g.inn(the("Registrum"), "USES") - g.inn(the("ParentPost"), "USES")),
        ),
    ]


def compare():
    two = the("Tom Whitlock"), the("Callum Reid")
    lessons = [g.total("TEACHES", "source", "lessons_per_week")[p] for p in two]
    schools = the("Tarnwick High"), the("Queen Edith's")
    courses = [g.out(s, "OFFERS") for s in schools]
    return [
        (
            "Who teaches more lessons a week, all courses added up: Tom Whitlock or Callum Reid?",
            cmp_(*two, lessons_per_week=lessons, higher=two[lessons[0] < lessons[1]]),
        ),
        (
            "Compare Tarnwick High with Queen Edith's: how many courses does each offer, and which do they have in common?",
            cmp_(
                *schools,
                counts={"Course": [len(c) for c in courses]},
                shared={"Course": sorted(courses[0] & courses[1])},
            ),
        ),
    ]


def risk():
    grave = g.where(OPEN, lambda r: r["severity"] in ("critical", "high"))
    hit = g.out(grave, "AFFECTS") & g.t("Building")
    return [
        (
            "Which schools have rooms in a building with a critical or high incident that's still open?",
            ids(g.inn(hit, "OCCUPIES")),
        ),
    ]


def combined():
    high = the("Tarnwick High")
    big = {
        e["target"] for e in g.valid("OFFERS") if e["source"] == high and e["pupils_enrolled"] > 100
    }
    under = g.walk(the("Bernie Oakes"), "REPORTS_TO", back=True)
    return [
        (
            "Which courses with more than 100 pupils enrolled at Tarnwick High are examined by the NAB?",
            ids(big & g.inn(the("NAB"), "AWARDED_BY")),
        ),
        (
            "Of everybody under Mrs Oakes, directly or further down the line, who gives lessons at more than one school?",
            ids({p for p in under if len(g.out(p, "TEACHES_AT")) > 1}),
        ),
    ]


def superlative():
    return [
        (
            "Rank the caterers by the meals they serve on an ordinary day, all their schools together, biggest first.",
            rank(g.total("CATERS_FOR", "source", "meals_per_day")),
        ),
    ]


def unanswerable():
    return [
        (
            "Which courses does Whitlock teach?",
            no("ambiguous", *g.t("Teacher", lambda r: r["name"].endswith(" Whitlock"))),
        ),
        ("Which publishers supply the textbooks for Spanish?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "What liability cover does Green Ladle carry, and within how many minutes does its kitchen have to tell the head about an allergen slip under the agreement?",
            fact("Green Ladle", "insurance_cover_eur") | doc(GREEN, "10 minutes"),
        ),
        (
            "how many seats has the moor bus got & why wouldn't Marcus take the spare coach, according to the e-mails?",
            fact("the moor bus", "seats") | doc("emails-route-12-coach", "seat belts"),
        ),
    ]


def value_graph():
    return [
        (
            "Number of pupils on roll at St Wilfrid's, and who caters for them?",
            fact("St Wilfrid's", "pupils_on_roll") | ids(g.inn(the("St Wilfrid's"), "CATERS_FOR")),
        ),
        (
            "Before I ring Dale & Wold: when does their licence expire, and which routes do they run for us?",
            fact("D&W", "licence_expires") | ids(g.out(the("D&W"), "OPERATES")),
        ),
    ]


def document_graph():
    return [
        (
            "Who gives lessons at Brook End now, and by what date does the inspectorate want the action plan?",
            doc(LETTER, "25 September") | ids(g.inn(the("Brook End"), "TEACHES_AT")),
        ),
        (
            "What time will the late bus leave from September according to the July heads' meeting, and which schools does it serve?",
            doc(MINUTES, "17:20") | ids(g.out(the("the late bus"), "SERVES")),
        ),
    ]


def all_tiers():
    return [
        (
            "Registrum: when does the contract end, which programs does it pass data to directly, and why did Omnibyte lock our account in March, going by the report?",
            fact("Registrum", "contract_ends")
            | doc(OUTAGE, "invoice")
            | ids(g.out(the("Registrum"), "FEEDS")),
        ),
        (
            "I'm seeing Crestmark's rep on Monday. What's their late entry fee, which of our courses do they examine, and what does this summer's circular say a review of marking costs?",
            fact("Crestmark", "late_entry_fee_eur")
            | doc(CIRCULAR, "47 euros")
            | ids(g.inn(the("Crestmark"), "AWARDED_BY")),
        ),
    ]


def out_of_scope():
    return [
        ("ta, that's me sorted. have a lovely summer!", no("out_of_scope")),
        (
            "One of my Year 9s asked and I went blank: how far away is the moon?",
            no("out_of_scope"),
        ),
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
}  # fmt: skip

g.write("sc", SETS)
