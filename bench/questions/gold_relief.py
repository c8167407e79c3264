"""A suite over all tiers for a relief organisation; gold of facts and graph computed from the data in domains/relief.

usage: python3 gold_relief.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
A fact holds from its as_of on, until a later one of the same attribute.
What it shares with other suites is in gold_suite.py."""

from gold_common import AS_OF, cmp_, ids, lead, no, num
from gold_suite import Suite, doc

g = Suite("relief")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Hazard", lambda r: r["status"] == "open")


def value():
    return [
        ("How many people live in Lower Dovan now?", fact("Lower Dovan", "residents")),
        ("water per head per day anhar camp", fact("Anhar Camp", "water_per_person_per_day")),
        ("What's the radio call sign of the Plovers?", fact("Plover Team", "call_sign")),
        ("how many shelters has the Quarry got", fact("Old Quarry", "shelters")),
        ("When did Leyla start working for us?", fact("Leyla Farrokh", "joined")),
        (
            "Could you tell me how much diesel is left in the tanks at Varda, please?",
            fact("Varda Base", "diesel_in_stock"),
        ),
        ("when's our next report on Bluebell due", fact("Bluebell", "next_report_due")),
        (
            "I have to ring the Hollis Foundation in a minute, who is our contact there?",
            fact("Hollis Foundation", "contact_person"),
        ),
        (
            "What is the heaviest lorry that Old Mill Road can bear, in tonnes?",
            fact("Old Mill Road", "max_load_t"),
        ),
        ("average waitng time at orsk pass", fact("Orsk Pass", "average_wait")),
        (
            "How many residents did Saltmarsh have at the end of 2025?",
            fact("Saltmarsh", "residents", on="2025-12-31"),
        ),
        (
            "What share of the Warm Roofs budget has been used up so far?",
            fact("Warm Roofs", "budget_spent_percent"),
        ),
    ]


def profile():
    return [
        ("Who's Mateo Quiroga?", fact("Mateo Quiroga", "role", "joined")),
        (
            "key data on Mirel please",
            fact("Mirel Transit Centre", "kind", "opened", "shelters", "district"),
        ),
        (
            "Hi, I'm new in fundraising. Could you introduce me to the Sister Clare Appeal, just the basics?",
            fact("Sister Clare Appeal", "kind", "country", "giving_since"),
        ),
    ]


def comparison():
    return [
        (
            "Where is the bigger budget, at Safe Motherhood or at Warm Roofs?",
            pair("Safe Motherhood", "Warm Roofs", "budget_keur"),
        ),
        (
            "Does one wait longer on average at Tamri Gate or at Black Bridge?",
            pair("Tamri Gate", "Black Bridge", "average_wait"),
        ),
        (
            "diesel in stock: Kesh vs Port Lissan",
            pair("Kesh Base", "Port Lissan Base", "diesel_in_stock"),
        ),
    ]


def ranking():
    return [
        ("our three largest grants", order("Grant", "amount_keur", 3)),
        ("Sort the bases by number of beds, smallest first.", order("Base", "beds", up=True)),
        (
            "In which settlement is there the least water per person?",
            order("Settlement", "water_per_person_per_day", 1, up=True),
        ),
        (
            "Who has the most days of leave left? The first two will do.",
            order("AidWorker", "leave_days_left", 2),
        ),
    ]


def unknown():
    return [
        ("How many beds does Halvard Base have?", no("unknown_entity")),
        ("What does Jonas Wedel earn in a month?", no("not_in_schema")),
    ]


def superseded():
    now = "movement-rules-2026"
    return [
        (
            "How often do drivers have to radio in while they're on the road?",
            doc(now, "every 30 minutes", without=["every 60 minutes"]),
        ),
        ("by what time must all cars be back at base", doc(now, "17:00", without=["18:00"])),
        (
            "What's the smallest number of vehicles that may go out as a convoy?",
            doc(now, "three vehicles", without=["two vehicles"]),
        ),
    ]


def clause():
    return [
        (
            "How much of a Lodestar budget line may we shift to another one without asking?",
            doc("grant-agreement-lodestar", "10 per cent"),
        ),
        (
            "What are we allowed to charge for our head office under the Lodestar agreement?",
            doc("grant-agreement-lodestar", "7 per cent"),
        ),
        (
            "With how much notice can Shelterworks walk out of the agreement with us?",
            doc("agreement-shelterworks", "60 days"),
        ),
        (
            "can a newspaper have pictures of kids from the tracing work?",
            doc("guideline-family-tracing", "never given to the press"),
        ),
        (
            "Is a colleague allowed to have somebody from the camp clean his flat for pay?",
            doc("policy-safeguarding", "may not employ"),
        ),
    ]


def procedure():
    return [
        (
            "What strength of chlorine goes on floors and boots?",
            doc("procedure-cholera", "0.5 per cent"),
        ),
        (
            "a child turns up at the gate all alone. what do we do first",
            doc("guideline-family-tracing", "quiet place"),
        ),
        (
            "Whom do I tell if I believe a teammate is taking money from residents?",
            doc("policy-safeguarding", "integrity line"),
        ),
        (
            "What has to be shown or given at the pay point before the winter money is handed over?",
            doc("review-winter-cash-2026", "token", "fingerprint"),
        ),
    ]


def reason():
    return [
        (
            "Why could the fire at Anhar spread that fast?",
            doc("review-anhar-fire", "filled with new shelters"),
        ),
        (
            "What was the reason for the motor pumps being no use in the Anhar fire?",
            doc("review-anhar-fire", "another thread"),
        ),
        (
            "Why was last winter's cash paid out late?",
            doc("review-winter-cash-2026", "file format"),
        ),
        (
            "How come families from Tessaly were sent away from the pay point with nothing?",
            doc("review-winter-cash-2026", "two alphabets"),
        ),
        (
            "Explain why the money for a new bridge at Senn hasn't been used.",
            doc("minutes-access-2026-07", "surveyor"),
        ),
    ]


def minutes():
    return [
        (
            "What do the July minutes of the Access Committee say about ambulances at Orsk Pass?",
            doc("minutes-access-2026-07", "at any hour"),
        )
    ]


def lookup():
    reach = g.edge(the("Clean Water South"), "RUNS_IN", the("Saltmarsh"), AS_OF)
    return [
        (
            "Kingfisher Team: who's in charge of it these days?",
            ids(g.inn(the("Kingfisher Team"), "LEADS")),
        ),
        (
            "How many people a month does CWS get to in Saltmarsh?",
            num(reach["people_a_month"]),
        ),
    ]


def multi_hop():
    grants = g.inn(the("Safe Motherhood"), "FINANCES")
    places = g.out(the("Warm Roofs"), "RUNS_IN")
    return [
        (
            "I'm drafting the thank-you letters. Which donors' money ends up in Safe Motherhood?",
            ids(g.inn(grants, "PAYS_INTO")),
        ),
        (
            "Which languages are spoken in the places where Warm Roofs is at work?",
            ids(g.inn(places, "SPOKEN_IN")),
        ),
    ]


def downstream():
    fed = g.out(the("Bluebell"), "FINANCES")
    grants = g.out(the("Brightwater Trust"), "PAYS_INTO")
    return [
        (
            "If the Bluebell money dried up, which programmes would feel it, and which settlements through them?",
            ids(fed | g.out(fed, "RUNS_IN")),
        ),
        (
            "Brightwater Trust: name every grant it pays into and every programme that those grants keep going.",
            ids(grants | g.out(grants, "FINANCES")),
        ),
    ]


def path():
    steps = g.paths(the("Hana Sato"), the("Sister Clare Appeal"))
    return [
        (
            "How is Meridian Telecom linked to Tessaly?",
            {"path": g.paths(the("Meridian Telecom"), the("Tessaly"))},
        ),
        ("fewest links between Hana Sato and the Sister Clare Appeal?", num(len(steps[0]) - 1)),
    ]


def aggregation():
    pledged = g.total("PAYS_INTO", "source", "pledged_keur")
    return [
        (
            "Which team is out in the settlements on the most days a month, all places added up?",
            ids(lead(g.total("VISITS", "source", "days_a_month"))),
        ),
        (
            "Altogether, how much has the Canton of Aarberg promised for our grants, in thousands of euros?",
            num(pledged[the("Canton of Aarberg")]),
        ),
    ]


def temporal():
    post = g.edge(the("Greta Holm"), "MANAGES", the("Clean Water South"))
    return [
        (
            "Since when has Clean Water South been managed by Greta Holm?",
            {"date": post["valid_from"]},
        ),
        (
            "By whom was the Plover Team led on 1 July 2023?",
            ids(g.inn(the("Plover Team"), "LEADS", "2023-07-01")),
        ),
    ]


def what_if():
    def only(node, rel):
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "Say the Wren Team is disbanded: which settlements would then not be visited by any team?",
            ids(only(the("Wren Team"), "VISITS")),
        ),
        (
            "Suppose Nadia quits. Which languages could none of our people speak any more?",
            ids(only(the("Nadia Bakri"), "SPEAKS")),
        ),
    ]


def spof():
    def single(typ, rel):
        return {x for x in g.t(typ) if len(g.inn(x, rel)) == 1}

    return [
        (
            "Which settlements have only a single road leading to them?",
            ids(single("Settlement", "REACHES")),
        ),
        (
            "How many programmes live off one grant alone?",
            num(len(single("Programme", "FINANCES"))),
        ),
    ]


def inverse():
    plovers = g.inn(the("Plover Team"), "MEMBER_OF")
    return [
        (
            "Who of the Plovers has no valid pass for Black Bridge?",
            ids(plovers - g.inn(the("Black Bridge"), "CLEARED_FOR")),
        ),
        (
            "Which of our people aren't on any team?",
            ids(g.t("AidWorker") - g.inn(g.t("Team"), "MEMBER_OF")),
        ),
    ]


def compare():
    work = the("Safe Motherhood"), the("Cash for Winter")
    places = [len(g.out(p, "RUNS_IN")) for p in work]
    birds = the("Heron Team"), the("Stork Team")
    trips = [g.out(t, "VISITS") for t in birds]
    return [
        (
            "Does Safe Motherhood or Cash for Winter run in more settlements?",
            cmp_(*work, counts={"Settlement": places}, higher=work[places[0] < places[1]]),
        ),
        (
            "compare heron and stork: how many settlments does each go to, and which do they have in common",
            cmp_(
                *birds,
                counts={"Settlement": [len(t) for t in trips]},
                shared={"Settlement": sorted(trips[0] & trips[1])},
            ),
        ),
    ]


def risk():
    hit = g.out(OPEN, "STRIKES") & g.t("Settlement")
    blocked = g.out(OPEN, "BLOCKS") & g.t("Road")
    return [
        (
            "Which teams work in a settlement that has been hit by an open hazard?",
            ids(g.inn(hit, "VISITS")),
        ),
        (
            "Which settlements are cut off altogether at the moment, I mean every road to them is blocked?",
            ids({s for s in g.t("Settlement") if g.inn(s, "REACHES") <= blocked}),
        ),
    ]


def combined():
    strong = g.t("Road", lambda r: r["max_load_t"] >= 25)
    states = g.t("Donor", lambda r: r["kind"] == "government")
    hit = g.out(OPEN, "STRIKES") & g.t("Settlement")
    return [
        (
            "Which camps with more than 1,200 shelters can be got to on a road that bears 25 tonnes or more?",
            ids(
                g.where(
                    g.out(strong, "REACHES"),
                    lambda r: r["kind"] == "camp" and r["shelters"] > 1200,
                )
            ),
        ),
        (
            "Which programmes that get money from a government donor run in a settlement struck by an open hazard?",
            ids(g.out(g.out(states, "PAYS_INTO"), "FINANCES") & g.inn(hit, "RUNS_IN")),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Who of our people has the most direct links of any kind?",
            ids(lead({x: degree[x] for x in g.t("AidWorker")})),
        ),
        (
            "Betweenness, with the direction of links ignored: which programme comes out on top?",
            ids(lead({x: between[x] for x in g.t("Programme")})),
        ),
    ]


def unanswerable():
    return [
        (
            "What languages does Diallo speak?",
            no("ambiguous", *g.t("AidWorker", lambda r: r["name"].endswith(" Diallo"))),
        ),
        ("Which children at Anhar Camp have been vaccinated?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "How many people live in Saltmarsh at present, and what chlorine strength does the cholera procedure give for hands?",
            fact("Saltmarsh", "residents") | doc("procedure-cholera", "0.05 per cent"),
        ),
        (
            "What's the last day of Lodestar, and how soon after it must the final report be in according to the agreement?",
            fact("Lodestar", "ends") | doc("grant-agreement-lodestar", "90 days"),
        ),
    ]


def value_graph():
    return [
        (
            "What budget does Second Classroom have, and which grants feed it?",
            fact("Second Classroom", "budget_keur")
            | ids(g.inn(the("Second Classroom"), "FINANCES")),
        ),
        (
            "How many vehicles has the Swallow Team, and who's on it?",
            fact("Swallow Team", "vehicles") | ids(g.inn(the("Swallow Team"), "MEMBER_OF")),
        ),
    ]


def document_graph():
    return [
        (
            "Which partners work with us on Warm Roofs, and who pays how much for spoiled tarpaulins under the Shelterworks agreement?",
            doc("agreement-shelterworks", "40 per cent", "60 per cent")
            | ids(g.inn(the("Warm Roofs"), "IMPLEMENTS")),
        ),
        (
            "Who speaks for us on the Access Committee, and on which days may fuel convoys drive according to its July minutes?",
            doc("minutes-access-2026-07", "Tuesdays", "Fridays")
            | ids(g.inn(the("Access Committee"), "REPRESENTS_US_IN")),
        ),
    ]


def all_tiers():
    camp, work = "Anhar Camp", "Family Tracing"
    return [
        (
            "Off to Anhar Camp tomorrow. How many people live there, which roads lead to it, and how wide does the fire review want the firebreaks to be?",
            fact(camp, "residents")
            | doc("review-anhar-fire", "8 metres")
            | ids(g.inn(the(camp), "REACHES")),
        ),
        (
            "Family Tracing: how much of its budget is spent, in which settlements does it run, and for how long after a reunion are files kept according to the guideline?",
            fact(work, "budget_spent_percent")
            | doc("guideline-family-tracing", "five years")
            | ids(g.out(the(work), "RUNS_IN")),
        ),
    ]


def out_of_scope():
    return [
        ("thanks, you've been a great help today", no("out_of_scope")),
        ("Any idea for a good film tonight?", no("out_of_scope")),
    ]


SETS = {
    ("cag",): [value, profile, comparison, ranking, unknown],
    ("rag",): [superseded, clause, procedure, reason, minutes],
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

g.write("rl", SETS)
