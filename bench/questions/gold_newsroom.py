"""Gold of the newsroom set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_newsroom.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "newsroom")
rows, q = asking("nr")

TITLES, DESKS, ADVERTISERS = g.t("Title"), g.t("Desk"), g.t("Advertiser")
STAFF = g.t("Journalist", lambda r: r["employment"] == "staff")
FREELANCE = g.t("Journalist", lambda r: r["employment"] == "freelance")
DAILY = g.t("Title", lambda r: r["frequency"] == "daily")
WEEKLY = g.t("Title", lambda r: r["frequency"] == "weekly")
RUNNING = g.t("Dispute", lambda r: r["status"] == "running")
printed = lambda plants: g.inn(plants, "PRINTED_AT")
spend = g.total("BOOKS", "target", "spend_keur")

q(
    "lookup",
    "How many copies of the Sunday Beacon are printed at Midland Web?",
    num(g.edge("TI-4", "PRINTED_AT", "PW-5")["copies"]),
    "copies on TI-4 PRINTED_AT PW-5.",
)
q(
    "lookup",
    "freelancers that charge less than 250 euros a day",
    ids(g.where(FREELANCE, lambda r: r["day_rate_eur"] < 250)),
    "employment freelance and day_rate_eur below 250.",
)
q(
    "lookup",
    "Who is head of the Sports Desk?",
    ids(e["source"] for e in g.valid("WORKS_ON") if e["target"] == "DK-3" and e["role"] == "head"),
    "WORKS_ON into DK-3 with role head.",
)

q(
    "multi_hop",
    "Which mills sell paper to the works where the Harbour Gazette is printed?",
    ids(g.inn(g.out("TI-3", "PRINTED_AT"), "SELLS_PAPER_TO")),
    "TI-3 -> PW-2 <- mills.",
)
q(
    "multi_hop",
    "What titles does Fergus Keane's desk fill pages for?",
    ids(g.out(g.out("JO-12", "WORKS_ON"), "FILLS")),
    "JO-12 -> DK-3 -> titles.",
)
_kilbride = g.out("AD-2", "BOOKS") & printed("PW-3")
q(
    "multi_hop",
    "Are any of the papers Kilbride Motors advertises in printed at Shannonside? Which?",
    yes(_kilbride, _kilbride),
    "Titles booked by AD-2 now and titles printed at PW-3 now.",
)

q(
    "downstream",
    "Marina printers' strike: which advertisers have space booked in a title printed "
    "at the plant that is on strike?",
    ids(g.inn(printed(g.out("DS-1", "AIMED_AT")), "BOOKS")),
    "DS-1 -> PW-2 <- titles <- advertisers; AD-7 through TI-3 alone, its booking of TI-4 is over.",
)
q(
    "downstream",
    "If Orrefal can't deliver any paper: list every title, and every distributor carrying "
    "such a title, that depends on it.",
    ids(
        printed(g.out("PM-2", "SELLS_PAPER_TO"))
        | g.inn(printed(g.out("PM-2", "SELLS_PAPER_TO")), "CARRIES")
    ),
    "PM-2 -> plants <- titles <- distributors; titles and distributors in one set.",
)
q(
    "downstream",
    "Emerald drivers' strike: how many copies an issue does the distributor it hits carry, "
    "all titles together?",
    num(sum(e["copies"] for e in g.valid("CARRIES") if e["source"] in g.out("DS-3", "AIMED_AT"))),
    "Sum of copies over CARRIES from DI-6.",
)

q(
    "path",
    "Trace the shortest route from Glencree Recycled Paper to Greenfield Tractors.",
    {"path": g.paths("PM-3", "AD-4")},
    "PM-3 to AD-4; only one.",
)
q(
    "path",
    "whats the shortest chain of links between kerbside deliveries and greenfield seeds",
    {"path": g.paths("DI-3", "AD-8")},
    "DI-3 to AD-8 over any relations valid now; only one.",
)
q(
    "path",
    "How many hops is it at least from Usha Nair to the Shannonside print works?",
    num(len(g.paths("JO-11", "PW-3")[0]) - 1),
    "Length of the shortest path JO-11 to PW-3.",
)

q(
    "aggregation",
    "Ad spend booked per title, highest first.",
    rank(spend),
    "Sum of spend_keur over BOOKS valid now, by title.",
)
q(
    "aggregation",
    "average circulation of our dailies?",
    num(mean(g.n[t]["circulation"] for t in DAILY)),
    "Mean circulation of daily titles.",
)
q(
    "aggregation",
    "Adding up all titles, which desk fills the most pages a week?",
    ids(lead(g.total("FILLS", "source", "pages_week"))),
    "Highest sum of pages_week over FILLS valid now.",
)

q(
    "temporal",
    "Since when has the Sunday Beacon been printed at Midland Web Printers?",
    {"date": g.edge("TI-4", "PRINTED_AT", "PW-5")["valid_from"]},
    "valid_from of TI-4 PRINTED_AT PW-5.",
)
q(
    "temporal",
    "Who was the editor of the Western Courier on 1 October 2019?",
    ids(g.inn("TI-1", "EDITS", "2019-10-01")),
    "EDITS into TI-1 on 2019-10-01.",
)
q(
    "temporal",
    "Which advertisers have had a booking run out between 1 January 2025 and today?",
    ids(
        e["source"]
        for e in g.valid("BOOKS", None)
        if "2025-01-01" <= (e["valid_to"] or "9999") <= "2026-08-01"
    ),
    "valid_to of BOOKS in that time.",
)

q(
    "what_if",
    "Marina Print Works burns down. Which titles would be left without any print works?",
    ids(t for t in printed("PW-2") if g.out(t, "PRINTED_AT") == {"PW-2"}),
    "Titles printed at PW-2 alone now.",
)
_leavers = {"JO-06", "JO-09"}
q(
    "what_if",
    "Suppose both Tom Hession and Piotr Zielak left us: "
    "which desks would lose their last freelancer?",
    ids(d for d in g.out(_leavers, "WORKS_ON") if g.inn(d, "WORKS_ON") & FREELANCE <= _leavers),
    "Desks all of whose freelancers are JO-06 or JO-09; DK-3 keeps JO-12.",
)
_tansy = {e["target"]: e["spend_keur"] for e in g.valid("BOOKS") if e["source"] == "AD-1"}
q(
    "what_if",
    "If Tansy Supermarkets cancelled all its bookings, "
    "which titles would lose more than half of their current ad spend?",
    ids(t for t, s in _tansy.items() if s > spend[t] / 2),
    "spend_keur of AD-1 above half of the sum over BOOKS valid now, by title.",
)

q(
    "spof",
    "Which print works buy from a single paper mill?",
    ids(p for p in g.t("PrintWorks") if len(g.inn(p, "SELLS_PAPER_TO")) == 1),
    "In-degree 1 on SELLS_PAPER_TO valid now; PW-4 has none.",
)
_one = {t for t in DAILY if len(g.inn(t, "CARRIES")) == 1}
q(
    "spof",
    "Is there any daily that has only one distributor? Say which.",
    yes(_one, _one),
    "In-degree 1 on CARRIES valid now, daily.",
)
q(
    "spof",
    "desks that are down to one journalist",
    ids(d for d in DESKS if len(g.inn(d, "WORKS_ON")) == 1),
    "In-degree 1 on WORKS_ON valid now.",
)

q(
    "inverse",
    "Which of our titles have no editor at present?",
    ids(TITLES - g.out(g.t("Journalist"), "EDITS")),
    "All titles less the targets of EDITS valid now.",
)
q(
    "inverse",
    "How many of the staff journalists have never been the editor of a title?",
    num(len(STAFF - g.inn(TITLES, "EDITS", None))),
    "Staff less the sources of EDITS at any time.",
)
q(
    "inverse",
    "Advertisers that currently aren't booked in the Beacon?",
    ids(ADVERTISERS - g.inn("TI-4", "BOOKS")),
    "All advertisers less the sources of BOOKS into TI-4 valid now.",
)

_pages = of(g.total("FILLS", "target", "pages_week"), ("TI-1", "TI-2"))
q(
    "compare",
    "Western Courier vs Limerick Courier: which one gets more pages a week from the desks? "
    "I need both totals.",
    cmp_("TI-1", "TI-2", pages_week=list(_pages.values()), higher=lead(_pages)[0]),
    "Sum of pages_week over FILLS valid now.",
)
q(
    "compare",
    "Wich desks work for both the Harbour Gazette and the Evening Lamp?",
    ids(g.inn("TI-3", "FILLS") & g.inn("TI-8", "FILLS")),
    "Intersection of desks; DK-5 no longer fills TI-3.",
)
q(
    "compare",
    "Which distributors carry the Sunday Beacon but not the Gazette?",
    ids(g.inn("TI-4", "CARRIES") - g.inn("TI-3", "CARRIES")),
    "Difference of distributors.",
)

_grave = g.where(RUNNING, lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which paper mills sell to a printing plant that is hit "
    "by a running dispute of high or critical severity?",
    ids(g.inn(g.out(_grave, "AIMED_AT") & g.t("PrintWorks"), "SELLS_PAPER_TO")),
    "Running, high or critical, -> plants <- mills.",
)
q(
    "risk",
    "Rank the running disputes by their total cost to us, dearest first.",
    rank(of(g.total("AIMED_AT", "source", "cost_keur"), RUNNING)),
    "Sum of cost_keur over AIMED_AT, running disputes; both targets of DS-2.",
)
_sued = g.out(g.t("Dispute", lambda r: r["kind"] == "libel"), "AIMED_AT", None) & g.t("Journalist")
q(
    "risk",
    "Has one of our journalists ever been the target of a libel suit personally, and if so who?",
    yes(_sued, _sued),
    "AIMED_AT of kind libel into journalists at any time.",
)

_beacon = g.inn("TI-4", "FILLS")
q(
    "combined",
    "Freelancers who put in three days a week or more at a desk that fills pages of the Beacon",
    ids(
        e["source"]
        for e in g.valid("WORKS_ON")
        if e["source"] in FREELANCE and e["target"] in _beacon and e["days_week"] >= 3
    ),
    "Employment, days_week on one desk, and FILLS into TI-4.",
)
q(
    "combined",
    "What's the average fee per copy that distributors currently get for carrying a weekly?",
    num(mean(e["fee_ct"] for e in g.valid("CARRIES") if e["target"] in WEEKLY)),
    "Mean fee_ct over CARRIES valid now into weeklies, a contract counting once.",
)
q(
    "combined",
    "On 1 September 2025, which distributors carried no weekly title?",
    ids(g.t("Distributor") - g.inn(WEEKLY, "CARRIES", "2025-09-01")),
    "All distributors less the sources of CARRIES into weeklies on that day.",
)

between = g.betweenness()
q(
    "centrality",
    "Which title has the most direct links, of whatever kind?",
    ids(lead(of(g.degree(), TITLES))),
    "Highest degree among titles over valid relations.",
)
q(
    "centrality",
    "What desk is the biggest bottleneck going by betweenness over the entire network?",
    ids(lead(of(between, DESKS))),
    "Highest undirected betweenness among desks.",
)
q(
    "centrality",
    "Going by syndication alone, into how many separate groups do our titles fall? "
    "A title that shares nothing is a group of its own.",
    num(g.pieces(TITLES, "SYNDICATES_TO")),
    "Connected components of titles over SYNDICATES_TO valid now.",
)

q(
    "unanswerable",
    "What has Greenfield booked with us?",
    no("ambiguous", "AD-4", "AD-8"),
    "Greenfield Tractors and Greenfield Seeds.",
)
q(
    "unanswerable",
    "How many online subscribers does the Evening Lamp have?",
    no("not_in_schema"),
    "No subscribers in the schema.",
)
q("unanswerable", "which desk is Sheila Roche on?", no("unknown_entity"), "No such journalist.")

assert len(rows) == 42
write("newsroom", rows)
