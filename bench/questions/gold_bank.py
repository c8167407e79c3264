"""A suite over all tiers for a bank's applications and controls; gold of facts and graph computed from domains/bank.

usage: python3 gold_bank.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Of a fact with a history, the latest value holds unless a day is named.
What it shares with other suites is in gold_suite.py."""

from gold_common import AS_OF, cmp_, ids, lead, no, num
from gold_suite import Suite, doc

g = Suite("bank")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Outage", lambda r: r["status"] == "open")


def value():
    return [
        (
            "If the DWH falls over, how many hours do we have until it must be running again?",
            fact("DWH", "recovery_hours"),
        ),
        ("keystone uptime last quarter in percent pls", fact("Keystone", "availability_percent")),
        (
            "What was Larkspur's availabilty at the end of 2025?",
            fact("Larkspur", "availability_percent", on="2025-12-31"),
        ),
        ("when does our contract with tessera run out", fact("Tessera", "contract_end")),
        (
            "What's Pergamon coded in?",
            fact("Pergamon", "programming_language"),
        ),
        (
            "I'd be grateful for the latest pass rate of the Backup Restore Test.",
            fact("Backup Restore Test", "test_pass_rate_percent"),
        ),
        (
            "how full are the racks at granary park",
            fact("Granary Park", "rack_utilisation_percent"),
        ),
        (
            "Shared service passwords - deadline?",
            fact("Shared service passwords", "due"),
        ),
        ("Which authority polices the Sanctions Code?", fact("Sanctions Code", "authority")),
        (
            "How far along are we with cleaning up the Dormant admin accounts, in percent?",
            fact("Dormant admin accounts", "remediation_progress_percent"),
        ),
        ("Bellwether, how many bugs are still open?", fact("Bellwether", "open_defects")),
        (
            "So in July, how many items did Card Authorisation get through?",
            fact("Card Authorisation", "items_last_month"),
        ),
    ]


def profile():
    return [
        ("Tell me about Slate Yard.", fact("Slate Yard", "kind", "city")),
        ("who is Tad Wolny?", fact("Tad Wolny", "job", "joined")),
        (
            "Tollgate in a nutshell, please",
            fact("Tollgate", "resilience_class", "in_service_since"),
        ),
    ]


def comparison():
    return [
        (
            "Which has more bugs open right now, Larkspur or Larkfield?",
            pair("Larkspur", "Larkfield", "open_defects"),
        ),
        (
            "Compare the headcount of Retail Banking with that of Financial Crime.",
            pair("Retail Banking", "Financial Crime", "headcount"),
        ),
        (
            "Whom do we score higher as a vendor these days, Ostler or Ostrava?",
            pair("Ostler", "Ostrava", "vendor_score"),
        ),
    ]


def ranking():
    return [
        ("top 3 applications by open defects", order("Application", "open_defects", 3)),
        (
            "Could you line up all our vendors by score for me, best first?",
            order("Vendor", "vendor_score"),
        ),
        (
            "Which process got through the fewest items last month?",
            order("Process", "items_last_month", 1, up=True),
        ),
        ("the two divisions with the biggest yearly budgets", order("Unit", "budget_keur", 2)),
    ]


def unknown():
    return [
        ("What was the availability of Thistledown last quarter?", no("unknown_entity")),
        ("How many square metres does Granite Vault have?", no("not_in_schema")),
    ]


def superseded():
    now = "change-freeze-policy-2026"
    return [
        (
            "How long in advance do people have to be told about a change freeze?",
            doc(now, "30 working days", without=["announced 15 working days"]),
        ),
        (
            "We had to repair a dead application in the middle of a freeze. How quickly does the change board have to hear about it?",
            doc(now, "90 minutes", without=["24 hours"]),
        ),
        (
            "who can let us release during a freeze by way of exception",
            doc(now, "chief operating officer", without=["head of technology"]),
        ),
    ]


def clause():
    ostler, nimbus = "master-agreement-ostler", "cloud-agreement-nimbus"
    return [
        ("How long may Ostler take to repair a P2 fault?", doc(ostler, "3 working days")),
        (
            "What's the most that Ostler is allowed to put its fees up by in a year?",
            doc(ostler, "3.5 per cent"),
        ),
        (
            "when would the notary have to give us the source code of Keystone",
            doc(ostler, "insolven", "40 days"),
        ),
        (
            "Under the Nimbus agreement, in which countries is our data allowed to be kept?",
            doc(nimbus, "Ireland", "Sweden"),
        ),
        (
            "If somebody breaks in at the cloud provider, how soon do they have to ring us?",
            doc(nimbus, "12 hours"),
        ),
    ]


def procedure():
    return [
        (
            "After how long without use is an administrator's right proposed for removal in the access review?",
            doc("access-review-procedure", "30 days"),
        ),
        (
            "my boss never answers the list of the access review even after the reminder, what happens to our rights then?",
            doc("access-review-procedure", "suspended"),
        ),
        (
            "What are we to do if the totals don't agree after the switch in a failover drill?",
            doc("failover-drill-runbook", "Granite Vault"),
        ),
        (
            "A critical outage has just been declared. How much time do we have to tell the supervisor?",
            doc("incident-reporting-standard", "4 hours"),
        ),
    ]


def reason():
    return [
        (
            "Why did going over to the standby not help on the night of the ledger deadlock?",
            doc("post-mortem-ledger-deadlock", "index"),
        ),
        (
            "Why did the alarm stay silent when payments got stuck behind the interest run?",
            doc("post-mortem-ledger-deadlock", "muted"),
        ),
        (
            "How come the certificate that ran out in May was missing from our inventory?",
            doc("post-mortem-certificate-lapse", "credit card"),
        ),
        (
            "why did the failover drill of june 2025 fail",
            doc("failover-drill-runbook", "firewall rule"),
        ),
        (
            "What was behind the rise of false hits in sanctions screening in May?",
            doc("risk-committee-minutes-2026-06", "several spellings"),
        ),
    ]


def minutes():
    return [
        (
            "Until when has the risk committee accepted the risk of Old Mill?",
            doc("risk-committee-minutes-2026-06", "31 December"),
        )
    ]


def lookup():
    fee = g.edge(the("Pinecrest"), "SUPPLIES", the("Quarry"), AS_OF)
    return [
        ("Who's responsible for Pergola these days?", ids(g.inn(the("Pergola"), "OWNS"))),
        (
            "What does Pinecrest charge us for Quarry a year, in thousands of euros?",
            num(fee["annual_fee_keur"]),
        ),
    ]


def multi_hop():
    business = g.out(the("Sentinel"), "SUPPORTS")
    controls = g.inn(the("Keystone"), "GUARDS")
    return [
        (
            "Which departments run processes that use Sentinel?",
            ids(g.inn(business, "PERFORMS")),
        ),
        (
            "The controls on Keystone: which laws and rules are they there for?",
            ids(g.out(controls, "SATISFIES")),
        ),
    ]


def downstream():
    supplied = g.out(the("Tessera"), "SUPPLIES")
    return [
        (
            "Keynote is sending out rubbish. Which other applications does its data get to, straight away or further down the line?",
            ids(g.walk(the("Keynote"), "SENDS_TO")),
        ),
        (
            "Tessera goes bust tomorrow. List the applications it supplies and the business processes that use those.",
            ids(supplied | g.out(supplied, "SUPPORTS")),
        ),
    ]


def path():
    short = g.paths(the("Beatrix Holm"), the("Grange Facilities"))
    return [
        (
            "How is Halberd Security linked to Retail Banking?",
            {"path": g.paths(the("Halberd Security"), the("Retail Banking"))},
        ),
        (
            "fewest steps from Beatrix Holm to Grange Facilities, over links of any kind?",
            num(len(short[0]) - 1),
        ),
    ]


def aggregation():
    fees = g.total("SUPPLIES", "source", "annual_fee_keur")
    staff = g.total("PERFORMS", "target", "staff")
    return [
        (
            "Quick one before the budget round: which supplier costs us the most a year once the fees for all its applications are added up?",
            ids(lead(fees)),
        ),
        (
            "How many people, all departments taken together, work on Customer Complaints?",
            num(staff[the("Customer Complaints")]),
        ),
    ]


def temporal():
    archive = g.edge(the("Cara Fenwick"), "OWNS", the("Cobble"), AS_OF)
    return [
        (
            "Since when has Cara Fenwick been the one in charge of Cobble?",
            {"date": archive["valid_from"]},
        ),
        (
            "Which applications were housed in Slate Yard on 1 March 2023?",
            ids(g.inn(the("Slate Yard"), "HOSTED_AT", "2023-03-01")),
        ),
    ]


def what_if():
    def left_alone(rel, node, ends):
        """What one node alone is joined to by a relation, from its sources or its targets."""
        if ends == "sources":
            return {x for x in g.inn(node, rel) if g.out(x, rel) == {node}}
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "Say Nimbus West is shut for good. Which applications would have nowhere left to run?",
            ids(left_alone("HOSTED_AT", the("Nimbus West"), "sources")),
        ),
        (
            "if yusuf demirci quit tomorrow, which controls would be left with nobody performing them",
            ids(left_alone("OPERATES", the("Yusuf Demirci"), "targets")),
        ),
    ]


def spof():
    lonely = {x for x in g.t("Control") if len(g.inn(x, "OPERATES")) == 1}
    single = {x for x in g.t("Application") if len(g.out(x, "HOSTED_AT")) == 1}
    return [
        ("For which controls is there just one person who does them?", ids(lonely)),
        ("How many applications live at one site only, without a second one?", num(len(single))),
    ]


def inverse():
    return [
        (
            "Which of our applications have no control at all watching over them?",
            ids(g.t("Application") - g.out(g.t("Control"), "GUARDS")),
        ),
        (
            "which processes are not bound by any regulation",
            ids(g.t("Process") - g.out(g.t("Regulation"), "APPLIES_TO")),
        ),
    ]


def compare():
    halls = the("Granite Vault"), the("Granary Park")
    placed = [len(g.inn(s, "HOSTED_AT")) for s in halls]
    apps = the("Keystone"), the("Swiftlane")
    controls = [g.inn(a, "GUARDS") for a in apps]
    return [
        (
            "Where do we have more applications, at Granite Vault or at Granary Park?",
            cmp_(*halls, counts={"Application": placed}, higher=halls[placed[0] < placed[1]]),
        ),
        (
            "Keystone and Swiftlane side by side, please: how many controls has each, and which do they have in common?",
            cmp_(
                *apps,
                counts={"Control": [len(c) for c in controls]},
                shared={"Control": sorted(controls[0] & controls[1])},
            ),
        ),
    ]


def risk():
    grave = g.where(OPEN, lambda r: r["severity"] in {"high", "critical"})
    down = g.out(OPEN, "HITS") & g.t("Site")
    return [
        ("How many outages graded high or worse are still going on?", num(len(grave))),
        (
            "Which applications sit at a site that an outage is hitting right now?",
            ids(g.inn(down, "HOSTED_AT")),
        ),
    ]


def combined():
    pending = g.t("Finding", lambda r: r["status"] == "open")
    grave = g.where(pending, lambda r: r["rating"] == "high")
    best = g.t("Application", lambda r: r["resilience_class"] == "platinum")
    frozen = g.out(g.t("Freeze"), "BLOCKS")
    return [
        (
            "Which platinum applications does audit still have something open against?",
            ids(best & g.out(pending, "RAISED_AGAINST")),
        ),
        (
            "Of the applications frozen today, which ones also carry an unresolved finding rated high?",
            ids(frozen & g.out(grave, "RAISED_AGAINST")),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which control has the most direct links of any sort?",
            ids(lead({x: degree[x] for x in g.t("Control")})),
        ),
        (
            "Following links in both directions, which of our sites has the highest betweenness?",
            ids(lead({x: between[x] for x in g.t("Site")})),
        ),
    ]


def unanswerable():
    return [
        (
            "Which controls does Raman perform?",
            no("ambiguous", *g.t("Employee", lambda r: r["name"].endswith(" Raman"))),
        ),
        ("Which customers could not get in because of the Login storm?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "What score did we give Ostler this year, and what does the agreement make them pay for each hour that a P1 repair is late?",
            fact("Ostler", "vendor_score") | doc("master-agreement-ostler", "2 per cent"),
        ),
        (
            "How grave was the Certificate lapse, and who had to vouch for us in the end according to the post-mortem?",
            fact("Certificate lapse", "severity")
            | doc("post-mortem-certificate-lapse", "board member"),
        ),
    ]


def value_graph():
    return [
        (
            "When is Missing restore evidence due, and whose job is it to put it right?",
            fact("Missing restore evidence", "due")
            | ids(g.out(the("Missing restore evidence"), "ASSIGNED_TO")),
        ),
        (
            "Headcount of Payments Operations, and which processes does it run?",
            fact("Payments Operations", "headcount")
            | ids(g.out(the("Payments Operations"), "PERFORMS")),
        ),
    ]


def document_graph():
    return [
        (
            "Which applications are locked by the Summer quiet period, and for how long does the policy take the right to release away from someone who breaks a freeze?",
            doc("change-freeze-policy-2026", "60 days", without=["release for 90 days"])
            | ids(g.out(the("Summer quiet period"), "BLOCKS")),
        ),
        (
            "Who covers for Gwen Tallis when she's away, and above what delay of the copy does the runbook have us break off the failover drill?",
            doc("failover-drill-runbook", "40 seconds")
            | ids(g.inn(the("Gwen Tallis"), "STANDS_IN_FOR")),
        ),
    ]


def all_tiers():
    return [
        (
            "Nimbus Cloud: what is their score this year, which sites do they run for us, and within how many days must they have deleted our data under the agreement?",
            fact("Nimbus Cloud", "vendor_score")
            | doc("cloud-agreement-nimbus", "45 days")
            | ids(g.inn(the("Nimbus Cloud"), "OPERATED_BY")),
        ),
        (
            "I'm taking over Keystone on Monday. What resilience class is it, which controls cover it, and after how many hours do muted alarms come back according to the post-mortem of the deadlock?",
            fact("Keystone", "resilience_class")
            | doc("post-mortem-ledger-deadlock", "eight hours")
            | ids(g.inn(the("Keystone"), "GUARDS")),
        ),
    ]


def out_of_scope():
    return [
        ("thanks a lot, have a nice weekend!", no("out_of_scope")),
        ("What's the best way to descale a coffee machine?", no("out_of_scope")),
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

g.write("bk", SETS)
