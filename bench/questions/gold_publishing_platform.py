"""Blind questions for publishing and platform; gold computed from the data. usage: python3 gold.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import json

from gold_common import G, OUT, AS_OF, cmp_, ids, lead, no, num, rank, write, yes

ROOT = OUT.parents[1] / "router" / "examples"
DIRS = {"publishing": ROOT / "publishing", "platform": ROOT / "platform"}


def only(g, rel, typ, back=True, n=1):
    return {x for x in g.t(typ) if len((g.inn if back else g.out)(x, rel)) == n}


def publishing(g):
    q = []
    add = lambda c, text, gold, note: q.append((c, text, gold, note))
    B = g.t("Book")
    # lookup
    add(
        "lookup",
        "Which titles does Baltic print for us?",
        ids(g.inn("P-2", "PRINTED_BY")),
        "PRINTED_BY into P-2.",
    )
    add(
        "lookup",
        "books by haddou",
        ids(g.out("A-6", "WROTE")),
        "Terse, lower case. WROTE out of A-6.",
    )
    add(
        "lookup",
        "In what year did Southern Static carry off the Raven?",
        num(g.edge("B-12", "WON", "AW-1")["year"]),
        "year on B-12 WON AW-1.",
    )
    # multi_hop
    add(
        "multi_hop",
        "Which agencies act for somebody who writes for Nordlys?",
        ids(g.inn(g.inn(g.inn("I-1", "PUBLISHED_BY"), "WROTE"), "REPRESENTS")),
        "I-1 <- books <- authors <- agencies.",
    )
    add(
        "multi_hop",
        "translaters of the titles that Sonntag keeps",
        ids(g.inn(g.out("RT-2", "STOCKS"), "TRANSLATED")),
        "Typo. RT-2 -> books <- translators.",
    )
    lic = {b for b in g.out("A-7", "WROTE") if g.out(b, "LICENSED_TO")}
    add(
        "multi_hop",
        "Is anything by Delphine Roy licensed abroad at present, and if it is, which book?",
        yes(lic, lic),
        "A-7 -> books with a current LICENSED_TO.",
    )
    # downstream / upstream
    add(
        "downstream",
        "Legatoria Sanna has to stop its presses. Through the books it makes for us, which retailers would notice?",
        ids(g.inn(g.inn("P-3", "PRINTED_BY"), "STOCKS")),
        "P-3 <- books <- retailers.",
    )
    add(
        "downstream",
        "Everything that follows The Salt Ledger in its series, sequels of sequels included",
        ids(g.walk("B-01", "SEQUEL_OF", back=True)),
        "SEQUEL_OF backwards to the end.",
    )
    fb = g.out("FI-2", "ADAPTED_FROM")
    add(
        "downstream",
        "What lies upstream of the Foxes movie? I want the books it is based on, whoever wrote them and whoever edited them.",
        ids(fb | g.inn(fb, "WROTE") | g.inn(fb, "EDITED")),
        "Union of books, authors and editors behind FI-2.",
    )
    # path
    add(
        "path",
        "What is the shortest connection between Jun Watanabe and Northgate Cinemas?",
        {"path": g.paths("A-4", "L-5")},
        "Shortest path, undirected; all equally short ones.",
    )
    add(
        "path",
        "how is Fjord linked to the printer Druckhaus Elbe",
        {"path": g.paths("AG-1", "P-1")},
        "Shortest path; the former printer of B-02 is no link today.",
    )
    add(
        "path",
        "Tobias Unruh and the Hartwig Prize: how many links lie between them on the shortest route?",
        num(len(g.paths("E-05", "AW-3")[0]) - 1),
        "Length in edges.",
    )
    # aggregation
    add(
        "aggregation",
        "Add up the advances in all of Calloway's contracts, the draft included.",
        num(g.sum(g.inn("A-2", "SIGNED_WITH"), "advance_eur")),
        "Sum of advance_eur over CO-13 and CO-15.",
    )
    add(
        "aggregation",
        "printers by number of our titles they make, busiest first",
        rank({p: len(g.inn(p, "PRINTED_BY")) for p in g.t("Printer")}),
        "In-degree on current PRINTED_BY.",
    )
    bs = g.out("RT-3", "STOCKS")
    add(
        "aggregation",
        "What's the mean shop price of the books Grosso Barmen keeps?",
        num(g.sum(bs, "price_eur") / len(bs)),
        "Mean of price_eur over RT-3's books.",
    )
    # temporal
    add(
        "temporal",
        "Who was printing the Tide Ledger on the last day of 2023?",
        ids(g.out("B-02", "PRINTED_BY", "2023-12-31")),
        "P-1's last day, still counted.",
    )
    add(
        "temporal",
        "until when did Mirabel act for Calloway?",
        {"date": g.edge("AG-3", "REPRESENTS", "A-2")["valid_to"]},
        "valid_to of AG-3 REPRESENTS A-2.",
    )
    add(
        "temporal",
        "Greta Sundh belonged to which imprint in May 2016?",
        ids(g.out("E-06", "WORKS_FOR", "2016-05-01")),
        "WORKS_FOR valid that month.",
    )
    # what_if
    pen = {a for a in g.out("AG-2", "REPRESENTS") if g.inn(a, "REPRESENTS") == {"AG-2"}}
    add(
        "what_if",
        "Suppose Penhallow & Stone folded tomorrow. Which of its authors would be left without any agency?",
        ids(pen),
        "Authors whose only current agency is AG-2.",
    )
    add(
        "what_if",
        "if Pagewise threw us out, which books would lose the only retailer they have",
        ids(b for b in B if g.inn(b, "STOCKS") == {"RT-1"}),
        "Books kept by RT-1 alone; those with no retailer already lose nothing.",
    )
    add(
        "what_if",
        "Unruh hands in his notice: how many films lose the one person in charge of them?",
        num(len([f for f in g.t("Film") if g.inn(f, "PRODUCES") == {"E-05"}])),
        "Films whose only current producer is E-05; FI-4 has none today.",
    )
    # spof
    add(
        "spof",
        "Which licensees depend on one single book of ours under today's licences?",
        ids(only(g, "LICENSED_TO", "Licensee")),
        "In-degree 1 on current LICENSED_TO; the Fez licence has run out, the film licensees hold no book.",
    )
    two = {b for b in B if len(g.inn(b, "EDITED")) > 1}
    add(
        "spof",
        "Is there any book that more than one employee edits right now?",
        yes(two, two),
        "Sundh's spell on B-13 is over: no.",
    )
    add(
        "spof",
        "titles stocked by just one retailer",
        ids(only(g, "STOCKS", "Book")),
        "In-degree 1 on STOCKS.",
    )
    # inverse
    add(
        "inverse",
        "Which authors have no agency acting for them at the moment?",
        ids(g.t("Author") - g.out(g.t("Agency"), "REPRESENTS")),
        "All authors less those with a current REPRESENTS.",
    )
    add(
        "inverse",
        "how many of our books has nobody translated?",
        num(len(B - g.out(g.t("Translator"), "TRANSLATED"))),
        "13 less the translated ones.",
    )
    add(
        "inverse",
        "Name the prizes that have not gone to any Nordlys title.",
        ids(g.t("Award") - g.out(g.inn("I-1", "PUBLISHED_BY"), "WON")),
        "All awards less those won by a book of I-1.",
    )
    # compare
    x, y = g.out("RT-1", "STOCKS"), g.out("RT-3", "STOCKS")
    add(
        "compare",
        "Pagewise vs Grosso Barmen: how many of our books does each keep, and which do both keep?",
        cmp_("RT-1", "RT-3", counts={"Book": [len(x), len(y)]}, shared={"Book": sorted(x & y)}),
        "Direct STOCKS.",
    )
    v = [g.sum(g.inn(p, "PRINTED_BY"), "copies_sold") for p in ("P-1", "P-2")]
    add(
        "compare",
        "Taking the books each prints today, whose have sold more copies in total, Elbe's or Baltic's? Give both totals.",
        cmp_("P-1", "P-2", values={"copies_sold": v}, higher="P-1" if v[0] > v[1] else "P-2"),
        "Sum of copies_sold over current PRINTED_BY.",
    )
    r = lambda i: g.inn(g.inn(i, "PUBLISHED_BY"), "STOCKS")
    add(
        "compare",
        "who stocks something from Kolibri but nothing from Little Lantern?",
        ids(r("I-2") - r("I-3")),
        "Set difference of retailers over the imprints' books.",
    )
    # risk (no events with a severity here: other rankings)
    add(
        "risk",
        "Copies sold per imprint, counting the titles it publishes now, weakest first please.",
        rank({i: g.sum(g.inn(i, "PUBLISHED_BY"), "copies_sold") for i in g.t("Imprint")}, up=True),
        "Sum of copies_sold over current PUBLISHED_BY; no events here, another ranking. The Widow's Atlas left Kolibri in 2015.",
    )
    add(
        "risk",
        "For each agency, how much in royalties is still due to the authors it acts for? Largest sum on top.",
        rank({a: g.sum(g.out(a, "REPRESENTS"), "royalties_due_eur") for a in g.t("Agency")}),
        "Sum of royalties_due_eur over current REPRESENTS.",
    )
    # combined
    add(
        "combined",
        "Books with fewer than 1,000 copies in stock whose printer is rated C",
        ids(
            g.where(
                g.inn(g.t("Printer", lambda p: p["rating"] == "C"), "PRINTED_BY"),
                lambda b: b["stock"] < 1000,
            )
        ),
        "Threshold on stock and rating of the current printer.",
    )
    on = "2022-03-01"
    add(
        "combined",
        "On 1 March 2022, which of Agence Mirabel's authors had a book with Kolibri?",
        ids(g.out("AG-3", "REPRESENTS", on) & g.inn(g.inn("I-2", "PUBLISHED_BY", on), "WROTE", on)),
        "REPRESENTS on that day and the imprint together; Calloway left Mirabel at the end of that month.",
    )
    add(
        "combined",
        "Prize-winning books that are not licensed to anyone today: who wrote them?",
        ids(g.inn({b for b in B if g.out(b, "WON") and not g.out(b, "LICENSED_TO")}, "WROTE")),
        "WON, no current LICENSED_TO, then WROTE backwards.",
    )
    # centrality
    assert lead(g.degree()) == lead(g.degree(False)) and len(lead(g.degree())) == 1
    add(
        "centrality",
        "What is touched by more relations than anything else in the graph?",
        ids(lead(g.degree())),
        "Highest degree, all current relations.",
    )
    assert len(g.valid()) == len(
        {frozenset((e["source"], e["target"])) for e in g.valid()}
    )  # no parallel links
    add(
        "centrality",
        "ignoring arrows, through which node do the most shortest routes run (betweenness)?",
        ids(lead(g.betweenness())),
        "Highest betweenness, undirected; far ahead of the next.",
    )
    # unanswerable
    assert not any("harvest" in json.dumps(r).lower() for r in g.n.values())
    add(
        "unanswerable",
        "Which retailers keep Winter Harvest?",
        no("unknown_entity"),
        "No such book.",
    )
    add(
        "unanswerable",
        "who stocks the ledger book?",
        no("ambiguous", "B-01", "B-02", "B-03"),
        "Three Ledgers. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "Which illustrators worked on Paper Foxes at Sea?",
        no("not_in_schema"),
        "No illustrators in the schema.",
    )
    return q


def platform(g):
    q = []
    add = lambda c, text, gold, note: q.append((c, text, gold, note))
    S, I = g.t("Service"), g.t("Incident")
    dep = "DEPENDS_ON"
    need = lambda x, on=AS_OF: g.walk(x, dep, back=True, on=on)
    # lookup
    add(
        "lookup",
        "services keeping data in mysql-acounts",
        ids(g.inn("mysql-accounts", "KEEPS_DATA_IN")),
        "Typo. KEEPS_DATA_IN into mysql-accounts.",
    )
    add(
        "lookup",
        "Who gave the OK for the new fee tables?",
        ids(g.inn("CHG-870", "APPROVED")),
        "APPROVED into CHG-870.",
    )
    # multi_hop
    add(
        "multi_hop",
        "Which teams own a service that sends over kafka-main?",
        ids(g.inn(g.inn("kafka-main", "SENDS_OVER"), "OWNS")),
        "kafka-main <- services <- teams.",
    )
    add(
        "multi_hop",
        "datastores behind the invoice download page, via the services that serve it directly",
        ids(g.out(g.out("page-invoice", "SERVED_BY"), "KEEPS_DATA_IN")),
        "page-invoice -> services -> datastores.",
    )
    add(
        "multi_hop",
        "Looking at the incidents that hurt a service of the Identity team, which fault patterns did they show?",
        ids(g.out(g.inn(g.out("team-identity", "OWNS"), "HURT"), "SHOWS")),
        "team-identity -> services <- incidents -> patterns.",
    )
    # downstream / upstream
    add(
        "downstream",
        "Blast radius of billing-core: which services need it, directly or through others?",
        ids(need("billing-core")),
        "DEPENDS_ON backwards to the end.",
    )
    es = g.inn("elastic-items", "KEEPS_DATA_IN")
    add(
        "downstream",
        "We lose elastic-items. Follow the service dependencies all the way: which pages suffer?",
        ids(g.inn(es | need(es), "SERVED_BY")),
        "Services on the datastore, all that need them, then SERVED_BY backwards.",
    )
    add(
        "downstream",
        "all services auth-gateway needs to do its job, all the way down",
        ids(g.walk("auth-gateway", dep)),
        "Upstream: DEPENDS_ON forwards to the end.",
    )
    # path
    add(
        "path",
        "Show me the shortest chain of service dependencies from mobile-bff to billing-core.",
        {"path": g.paths("mobile-bff", "billing-core", dep, True)},
        "Along DEPENDS_ON only; two equally short.",
    )
    add(
        "path",
        "how is Deniz connected to ExpiredCertificate?",
        {"path": g.paths("p-deniz", "fp-cert")},
        "Shortest path, undirected.",
    )
    add(
        "path",
        "What's the smallest number of hops between RB-17 and the Login page?",
        num(len(g.paths("RB-17", "page-login")[0]) - 1),
        "Length in edges.",
    )
    # aggregation
    add(
        "aggregation",
        "How many services does each team own? Most first.",
        rank({t: len(g.out(t, "OWNS")) for t in g.t("Team")}),
        "Out-degree on OWNS.",
    )
    add(
        "aggregation",
        "sum of last month's cloud cost over the services Discovery owns",
        num(g.sum(g.out("team-discovery", "OWNS"), "cost_last_month_eur")),
        "Sum of cost_last_month_eur.",
    )
    add(
        "aggregation",
        "Taken together, how many customers noticed the incidents that were cases of ConnectionPoolExhausted?",
        num(g.sum(g.inn("fp-pool", "SHOWS"), "customers_hit")),
        "Sum of customers_hit.",
    )
    # temporal
    add(
        "temporal",
        "Since when has ledger-svc needed billing-core?",
        {"date": g.edge("ledger-svc", dep, "billing-core")["valid_from"]},
        "valid_from of the dependency.",
    )
    add(
        "temporal",
        "what did checkout-api depend on directly on 10 May 2026",
        ids(g.out("checkout-api", dep, "2026-05-10")),
        "billing-core's last day, still counted.",
    )
    add(
        "temporal",
        "Which services stopped depending on billing-core in the course of 2026?",
        ids(
            e["source"]
            for e in g.valid(dep, None)
            if e["target"] == "billing-core" and (e["valid_to"] or "")[:4] == "2026"
        ),
        "Sources of DEPENDS_ON into billing-core that ended in 2026.",
    )
    # what_if
    add(
        "what_if",
        "If tariff-svc were switched off today, which services would directly miss it?",
        ids(g.inn("tariff-svc", dep)),
        "Current direct dependents; ledger-svc moved off in May.",
    )
    add(
        "what_if",
        "Say kafka-main is gone - which services are left without any broker?",
        ids(x for x in S if g.out(x, "SENDS_OVER") == {"kafka-main"}),
        "Services whose only current broker is kafka-main; the RabbitMQ links have ended.",
    )
    down = {"auth-gateway"} | need("auth-gateway")
    add(
        "what_if",
        "Suppose auth-gateway falls over and takes down every service that needs it, directly or indirectly. Which pages are left with no working service at all?",
        ids(p for p in g.t("Page") if g.out(p, "SERVED_BY") <= down),
        "Pages all of whose services are in the blast radius; report-builder keeps the invoices up.",
    )
    # spof
    add(
        "spof",
        "Which providers have only one service relying on them?",
        ids(only(g, "RELIES_ON", "Provider")),
        "In-degree 1 on RELIES_ON.",
    )
    bu = g.inn("prov-mail", "BACKS_UP")
    add(
        "spof",
        "Is there a provider that steps in when MailRook is down? Which?",
        yes(bu, bu),
        "BACKS_UP into prov-mail.",
    )
    behind = [d | g.walk(d, dep) for d in (g.out(p, "SERVED_BY") for p in g.t("Page"))]
    add(
        "spof",
        "which services does every one of our pages need, be it directly or further down the chain?",
        ids(set.intersection(*behind)),
        "Intersection over the three pages of their services and all that those depend on.",
    )
    # inverse
    add(
        "inverse",
        "How many of our services aren't covered by any runbook?",
        num(len(S - g.out(g.t("Runbook"), "COVERS"))),
        "19 less the covered ones.",
    )
    i26 = g.where(I, lambda r: r["opened_at"][:4] == "2026")
    add(
        "inverse",
        "Teams none of whose services was hurt by an incident that began in 2026?",
        ids(g.t("Team") - g.inn(g.out(i26, "HURT"), "OWNS")),
        "All teams less those hurt; Discovery's incidents began in 2025.",
    )
    add(
        "inverse",
        "which datastores are not used by anything Money Movement owns",
        ids(g.t("Datastore") - g.out(g.out("team-money", "OWNS"), "KEEPS_DATA_IN")),
        "All datastores less those of team-money's services.",
    )
    # compare
    x, y = g.out("checkout-api", dep), g.out("mobile-bff", dep)
    add(
        "compare",
        "Compare the direct dependencies of checkout-api and mobile-bff: how many has each, and which do they share?",
        cmp_(
            "checkout-api",
            "mobile-bff",
            counts={"Service": [len(x), len(y)]},
            shared={"Service": sorted(x & y)},
        ),
        "Direct DEPENDS_ON.",
    )
    v = [g.sum(g.out(t, "OWNS"), "cost_last_month_eur") for t in ("team-growth", "team-identity")]
    add(
        "compare",
        "Growth or Identity: whose services cost more last month in total? both figures pls",
        cmp_(
            "team-growth",
            "team-identity",
            values={"cost_last_month_eur": v},
            higher="team-growth" if v[0] > v[1] else "team-identity",
        ),
        "Sums of cost_last_month_eur.",
    )
    add(
        "compare",
        "Which incidents hurt checkout-api but left ledger-svc alone?",
        ids(g.inn("checkout-api", "HURT") - g.inn("ledger-svc", "HURT")),
        "Set difference on HURT.",
    )
    # risk
    add(
        "risk",
        "Which services were hit by a sev1 incident?",
        ids(g.out(g.where(I, lambda r: r["severity"] == "sev1"), "HURT")),
        "HURT out of sev1 incidents.",
    )
    bad = g.where(I, lambda r: r["severity"] in ("sev1", "sev2"))
    cnt = {t: len(g.inn(g.out(t, "OWNS"), "HURT") & bad) for t in g.t("Team")}
    add(
        "risk",
        "Counting sev1 and sev2 incidents only, each once, which team's services have been hurt by the most of them?",
        rank(cnt, top=True),
        "Distinct incidents per team; two lead.",
    )
    add(
        "risk",
        "sev2 incidents ranked by number of services they hurt, worst first",
        rank({i: len(g.out(i, "HURT")) for i in g.where(I, lambda r: r["severity"] == "sev2")}),
        "Out-degree on HURT.",
    )
    # combined
    s1 = g.out(g.where(I, lambda r: r["severity"] == "sev1"), "HURT")
    add(
        "combined",
        "tier 1 services that have no runbook and were hurt in a sev1 incident",
        ids(g.where(S, lambda r: r["tier"] == 1) & s1 - g.out(g.t("Runbook"), "COVERS")),
        "Tier, complement of COVERS, severity.",
    )
    add(
        "combined",
        "On 1 June 2025, how many services needed tariff-svc, counting those that did so through others?",
        num(len(need("tariff-svc", "2025-06-01"))),
        "DEPENDS_ON valid that day, backwards to the end.",
    )
    st = g.where(g.inn("env-stage", "INSTALLED_IN"), lambda r: r["error_rate_pct"] > 1)
    add(
        "combined",
        "Who owns the services in Staging that fail on more than 1 percent of their requests?",
        ids(g.inn(st, "OWNS")),
        "Threshold on error_rate_pct, environment, then OWNS backwards.",
    )
    # centrality
    assert lead(g.degree()) == lead(g.degree(False))
    add(
        "centrality",
        "Which entity has the highest degree in the whole graph?",
        ids(lead(g.degree())),
        "All current relations, both ways.",
    )
    add(
        "centrality",
        "list whatever has not one current link to the rest of the graph",
        ids(i for i, d in g.degree().items() if not d),
        "Degree 0 on current relations.",
    )
    # unanswerable
    add(
        "unanswerable",
        "what does payments-router depend on?",
        no("unknown_entity"),
        "No such service.",
    )
    add(
        "unanswerable",
        "Which services depend on the gateway?",
        no("ambiguous", "auth-gateway", "centrapay"),
        "auth-gateway and the CentraPay Invoicing Gateway. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "Which of our load balancers stand in front of catalog-api?",
        no("not_in_schema"),
        "No load balancers in the schema.",
    )
    return q


for name, f, pre in (("publishing", publishing, "bp"), ("platform", platform, "bf")):
    g = G(DIRS[name])
    rows = [
        {"id": f"{pre}-{k:03}", "category": c, "query": t, "gold": gold, "note": note}
        for k, (c, t, gold, note) in enumerate(f(g), 1)
    ]
    write(name, rows)
