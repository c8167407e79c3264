"""A suite over all tiers for a network of veterinary clinics; gold of facts and graph computed from domains/vets.

usage: python3 gold_vets.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Of an attribute with a history, the latest value counts unless a day is named.
What it shares with other suites is in gold_suite.py."""

from gold_common import cmp_, ids, lead, no, num
from gold_suite import Suite, doc

g = Suite("vets")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Outbreak", lambda r: r["status"] == "open")
HOSPITAL, EQUINE = "Marchwood Animal Hospital", "Hartsease Equine Centre"


def value():
    return [
        ("How many consulting rooms has the hospital got?", fact(HOSPITAL, "consulting_rooms")),
        ("what does a colic op cost", fact("Colic Surgery", "fee_eur")),
        (
            "On what date was Siobhan Keane entered in the register?",
            fact("Siobhan Keane", "registered"),
        ),
        ("Lady M's weight, please", fact("Lady M", "weight_kg")),
        ("how many cows are in the winterbourne herd", fact("Winterbourne Herd", "head")),
        (
            "A client's on the phone: how long is the wait for a cataract removal at the moment?",
            fact("Cataract Removal", "waiting_time_days"),
        ),
        (
            "Could you look up what Thistle Hill Stables still owe us?",
            fact("Thistle Hill Stables", "outstanding_balance_eur"),
        ),
        ("bluvac doses left in stock?", fact("Bluvac Eight", "doses_in_stock")),
        (
            "How many doses of Parvashield did the stock count of 15 July find?",
            fact("Parvashield", "doses_in_stock", on="2026-07-15"),
        ),
        (
            "For how many hours was the Doppler Ultrasound out of action last quarter?",
            fact("Doppler Ultrasound", "downtime_hours_last_quarter"),
        ),
        ("Where's Orbell Pharma based?", fact("Orbell Pharma", "country")),
        (
            "How many days does Hearth and Hoof currently take to settle a claim?",
            fact("Hearth and Hoof", "days_to_settle_claim"),
        ),
    ]


def profile():
    return [
        ("Tell me a bit about Caraway.", fact("Caraway", "species", "weight_kg")),
        ("Who's Noor Haddad?", fact("Noor Haddad", "grade", "registered")),
        ("Companion Cover, quick overview", fact("Companion Cover", "country", "excess_eur")),
    ]


def comparison():
    return [
        ("Which is heavier, Saffron or Nutmeg?", pair("Saffron", "Nutmeg", "weight_kg")),
        (
            "Is a dose of Leptoguard dearer or cheaper than one of Tussivax?",
            pair("Leptoguard", "Tussivax", "price_eur"),
        ),
        (
            "Client satisfaction at Quarrybank vs Alder Lane?",
            pair("Quarrybank Clinic", "Alder Lane Clinic", "client_satisfaction_percent"),
        ),
    ]


def ranking():
    return [
        (
            "Top three clinics by number of consultations last month",
            order("Clinic", "consultations_last_month", 3),
        ),
        ("what are the three dearest devices we own", order("Device", "price_eur", 3)),
        (
            "Which vet has clocked up the most training hours this year?",
            order("Vet", "training_hours_this_year", 1),
        ),
        (
            "Please list the insurers by how many days they take to settle a claim, slowest first.",
            order("Insurer", "days_to_settle_claim"),
        ),
    ]


def unknown():
    return [
        ("How many consulting rooms does the Dunmore Clinic have?", no("unknown_entity")),
        ("What colour is Biscuit?", no("not_in_schema")),
    ]


def superseded():
    now = "vaccination-policy-2026"
    return [
        (
            "How long does a pet have to stay in the waiting room after its jab?",
            doc(now, "20 minutes", without=["10 minutes"]),
        ),
        (
            "once a multi-dose vial has been opened how long may we go on using it",
            doc(now, "4 hours", without=["10 hours"]),
        ),
        (
            "From what age can a puppy get its first shot?",
            doc(now, "6 weeks", without=["8 weeks"]),
        ),
    ]


def regulation():
    drugs = "controlled-drugs-procedure"
    return [
        (
            "If the scanner isn't up for enough of the quarter, how much does Halcyon credit us per point?",
            doc("service-contract-halcyon", "1900"),
        ),
        (
            "Above what amount must Pawsafe be asked for consent before a treatment starts?",
            doc("settlement-agreement-pawsafe", "1200"),
        ),
        (
            "what do we charge per extra km when a call-out is far away?",
            doc("out-of-hours-policy", "1.80"),
        ),
        ("For how long do we have to hang on to full drug registers?", doc(drugs, "6 years")),
        (
            "Tramadol to take home for a cancer patient: what's the maximum number of days?",
            doc(drugs, "21 days"),
        ),
    ]


def procedure():
    isolation = "isolation-procedure"
    return [
        (
            "A dog with suspected parvo is being driven over. Which entrance should it come in by?",
            doc(isolation, "yard door"),
        ),
        (
            "How long does the bleach have to act on the floor of the isolation ward?",
            doc(isolation, "15 minutes"),
        ),
        (
            "ketamine ampoule just smashed on the floor, what do I do??",
            doc("controlled-drugs-procedure", "witness"),
        ),
        (
            "Within what time does a referral marked orange have to be seen?",
            doc("referral-guidelines", "12 hours"),
        ),
    ]


def reason():
    fridge, june = "review-fridge-quarrybank", "partners-meeting-2026-06"
    return [
        (
            "Why did the vaccine fridge at Quarrybank stop working over that weekend in May?",
            doc(fridge, "floor polisher"),
        ),
        (
            "How come Quarrybank didn't get new vaccine doses before July?",
            doc(fridge, "sold out"),
        ),
        (
            "For what reason did the partners turn down the second scanner?",
            doc(june, "61 per cent"),
        ),
        ("what's holding up the extension at Saltmere", doc(june, "bats")),
    ]


def minutes():
    june = "partners-meeting-2026-06"
    return [
        (
            "What did the June partners' meeting decide about the interns' pay?",
            doc(june, "180"),
        ),
        (
            "Sunday opening of the cat clinic: what did the partners agree on in June?",
            doc(june, "trial"),
        ),
    ]


def lookup():
    towers = g.edge(the("Alderbrook Clinic"), "KEEPS", the("Anaesthesia Tower"))
    return [
        ("who runs the harbour clinic nowadays", ids(g.inn(the("Saltmere Clinic"), "LEADS"))),
        ("How many anasthesia towers are there at Alderbrook?", num(towers["units"])),
    ]


def multi_hop():
    pets = g.out(the("Agnes Fairweather"), "OWNS")
    jabs = g.inn(the("lepto"), "PROTECTS_AGAINST")
    return [
        ("By which vets are Agnes Fairweather's pets looked after?", ids(g.inn(pets, "CARES_FOR"))),
        (
            "Hi, quick one from purchasing: which companies deliver us a vaccine that works against lepto?",
            ids(g.inn(jabs, "SUPPLIES")),
        ),
    ]


def downstream():
    lost = g.inn(the("Dental Station"), "NEEDS")
    return [
        (
            "Say every Dental Station broke down: which treatments would be off, and which animals are booked in for them?",
            ids(lost | g.inn(lost, "BOOKED_FOR")),
        ),
        (
            "If the hospital stopped taking referrals, which clinics would feel it, whether they send cases there themselves or by way of another clinic?",
            ids(g.walk(the(HOSPITAL), "REFERS_TO", back=True)),
        ),
    ]


def path():
    way = g.paths(the("Ruiz Family"), the("Norrland Livestock"))
    short = g.paths(the("Winterbourne Dairy"), the("Hartsease flu cluster"))
    return [
        ("How is the Ruiz family connected with Norrland Livestock?", {"path": way}),
        (
            "What's the smallest number of links between Winterbourne Dairy and the Hartsease flu cluster?",
            num(len(short[0]) - 1),
        ),
    ]


def aggregation():
    hoof = [
        e["yearly_limit_eur"]
        for e in g.valid("INSURED_BY")
        if e["target"] == the("Hearth and Hoof")
    ]
    books = {c: len(g.inn(c, "REGISTERED_AT")) for c in g.t("Clinic")}
    return [
        (
            "Add up the yearly limits of everything insured with Hearth and Hoof, in euros.",
            num(sum(hoof)),
        ),
        (
            "Which clinic has the most patients on its books, a herd counting as one patient?",
            ids(lead(books)),
        ),
    ]


def temporal():
    otto = g.edge(the("Agnes Fairweather"), "OWNS", the("Otto"))
    return [
        (
            "Otto belongs to Agnes Fairweather. Since when has she had him?",
            {"date": otto["valid_from"]},
        ),
        (
            "Who had the running of Alder Lane on 1 March 2018?",
            ids(g.inn(the("Alder Lane Clinic"), "LEADS", "2018-03-01")),
        ),
    ]


def what_if():
    def left_alone(rel, node):
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "If Mistral Medical went under, which devices would have nobody left to service them?",
            ids(left_alone("MAINTAINS", the("Mistral Medical"))),
        ),
        (
            "Suppose Ines Ferreira resigns. Which treatments could then be done by no one?",
            ids(left_alone("QUALIFIED_FOR", the("Ines Ferreira"))),
        ),
    ]


def spof():
    def single(typ, rel):
        return {x for x in g.t(typ) if len(g.inn(x, rel)) == 1}

    return [
        (
            "for which vacines do we depend on just one supplier",
            ids(single("Vaccine", "SUPPLIES")),
        ),
        (
            "How many treatments are on offer at one clinic only?",
            num(len(single("Treatment", "OFFERS"))),
        ),
    ]


def inverse():
    horses = g.t("Animal", lambda r: r["species"] == "horse")
    return [
        (
            "Leaving the herds aside, which animals have no insurance at present?",
            ids(g.t("Animal") - g.inn(g.t("Insurer"), "INSURED_BY")),
        ),
        (
            "Which horses are not protected by Equiflu Plus as of today?",
            ids(horses - g.inn(the("Equiflu Plus"), "VACCINATED_WITH")),
        ),
    ]


def compare():
    sites = the("Alderbrook Clinic"), the("Saltmere Clinic")
    kinds = [len(g.out(c, "OFFERS")) for c in sites]
    vets = the("Callum Rennie"), the("Beatrice Oyelaran")
    skills = [g.out(v, "QUALIFIED_FOR") for v in vets]
    return [
        (
            "Alderbrook or the harbour clinic: who offers more treatments?",
            cmp_(*sites, counts={"Treatment": kinds}, higher=sites[kinds[0] < kinds[1]]),
        ),
        (
            "Put Callum Rennie and Bea Oyelaran side by side: how many treatments is each qualified for, and which can both do?",
            cmp_(
                *vets,
                counts={"Treatment": [len(s) for s in skills]},
                shared={"Treatment": sorted(skills[0] & skills[1])},
            ),
        ),
    ]


def risk():
    grave = g.where(OPEN, lambda r: r["severity"] in {"high", "critical"})
    return [
        (
            "How many of the outbreaks that are still going on are rated high or critical?",
            num(len(grave)),
        ),
        (
            "Which owners have an animal or a herd in which an ongoing outbreak has been found?",
            ids(g.inn(g.out(OPEN, "FOUND_IN"), "OWNS")),
        ),
    ]


def combined():
    dear = g.t("Treatment", lambda r: r["fee_eur"] > 1000)
    heavy = g.where(g.inn(dear, "BOOKED_FOR"), lambda r: r["weight_kg"] > 20)
    unsettled = {
        e["source"]
        for e in g.valid("INSURED_BY")
        if e["target"] not in g.out(g.out(e["source"], "REGISTERED_AT"), "SETTLES_WITH")
    }
    return [
        (
            "Which animals of more than 20 kg have an appointment for a treatment that costs over 1000 euros?",
            ids(heavy),
        ),
        (
            "Which insured patients are registered at a clinic that doesn't bill their own insurer directly?",
            ids(unsettled),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    assert lead({x: degree[x] for x in g.t("Treatment")}) == lead(
        {x: g.degree(multi=False)[x] for x in g.t("Treatment")}
    )
    return [
        (
            "Which treatment has the greatest number of direct links, whatever their kind?",
            ids(lead({x: degree[x] for x in g.t("Treatment")})),
        ),
        (
            "Taking links in both directions, which clinic is the biggest bottleneck by betweenness?",
            ids(lead({x: between[x] for x in g.t("Clinic")})),
        ),
    ]


def unanswerable():
    return [
        (
            "Which patients does Dr Ferreira look after?",
            no("ambiguous", *g.t("Vet", lambda r: r["name"].endswith(" Ferreira"))),
        ),
        ("Which nurses assist at Colic Surgery?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "What did the Magnetom Scanner cost us, and how soon must Halcyon's engineer be there when it stands still?",
            fact("Magnetom Scanner", "price_eur") | doc("service-contract-halcyon", "6 hours"),
        ),
        (
            "How severe is the Saltmere parvo outbreak, and how is the bleach to be diluted for disinfection?",
            fact("Saltmere parvo outbreak", "severity") | doc("isolation-procedure", "30 parts"),
        ),
    ]


def value_graph():
    return [
        (
            "Fee for a Cruciate Repair, and who in the network is allowed to do one?",
            fact("Cruciate Repair", "fee_eur")
            | ids(g.inn(the("Cruciate Repair"), "QUALIFIED_FOR")),
        ),
        (
            "how many head has the Thistledown Flock, and which vets are in charge of it?",
            fact("Thistledown Flock", "head") | ids(g.inn(the("Thistledown Flock"), "CARES_FOR")),
        ),
    ]


def document_graph():
    return [
        (
            "Which vets are responsible for the Winterbourne cows, and whose phone did the fridge alarm at Quarrybank go to according to the review?",
            doc("review-fridge-quarrybank", "Dafydd Moss")
            | ids(g.inn(the("Winterbourne Herd"), "CARES_FOR")),
        ),
        (
            "Which clinics have a Class IV Laser now, and why did Alder Lane give its one up according to the minutes?",
            doc("partners-meeting-2026-06", "glass door")
            | ids(g.inn(the("Class IV Laser"), "KEEPS")),
        ),
    ]


def all_tiers():
    firm = "Pawsafe Mutual"
    return [
        (
            "Pawsafe Mutual: how high is their excess, which of our patients do they insure, and by when must a claim have arrived under the agreement?",
            fact(firm, "excess_eur")
            | doc("settlement-agreement-pawsafe", "45 days")
            | ids(g.inn(the(firm), "INSURED_BY")),
        ),
        (
            "I'm covering at the Hartsease Equine Centre: how many consultations did it have last month, which clinics send it their cases, and what surcharge does the policy set for a night visit at a stable?",
            fact(EQUINE, "consultations_last_month")
            | doc("out-of-hours-policy", "210")
            | ids(g.inn(the(EQUINE), "REFERS_TO")),
        ),
    ]


def out_of_scope():
    return [
        ("thanks so much, have a lovely weekend!", no("out_of_scope")),
        ("Who won the Grand National in 1987?", no("out_of_scope")),
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

g.write("vt", SETS)
