"""Write transit.jsonl and insurance.jsonl of this folder, gold computed from the data.

usage: python3 gold_transit_insurance.py [--show]
Same form and conventions as gold.py, whose graph it uses: a relation counts when valid_from <= day <= valid_to, both
inclusive, null unbounded; the day is 2026-08-01 unless the question names one. Degree, betweenness and connectivity are
undirected, on all current nodes and relations.
"""

import collections
import json
import sys

from gold import (
    HERE,
    Graph,
    ambiguous,
    bottleneck,
    compare,
    ids,
    leaders,
    num,
    paths,
    ranked,
    steps,
    total,
    unknown,
    yes,
)


def mean(g, xs, name):
    return total(g, xs, name) / len(xs)


def only(g, xs, step, gone):
    """Those of xs that have a partner along the step, and none outside gone."""
    return {x for x in xs if g.ends(x, step) and g.ends(x, step) <= gone}


def exactly(g, xs, step, k=1):
    return {x for x in xs if len(g.ends(x, step)) == k}


def reach(g, a, rel=None, without=()):
    adj, seen, front = g.neighbours(rel), {a}, [a]
    while front:
        for y in adj[front.pop()] - seen - set(without):
            seen.add(y)
            front.append(y)
    return seen


def pieces(g, without=()):
    left, k = set(g.n) - set(without), 0
    while left:
        left -= reach(g, next(iter(left)), without=without)
        k += 1
    return k


def splits(g, xs):
    """Nodes without which the rest falls into more pieces."""
    whole = pieces(g)
    return {x for x in xs if pieces(g, {x}) > whole}


# ---------------------------------------------------------------- transit
def running(g, **props):
    return g.type("Disruption", status="running", **props)


def hit(g, **props):
    """Lines hit by a disruption that is running."""
    return g.ends(running(g, **props), ">HITS")


def kept(g, depot):
    return sum(e["vehicles"] for e in g.edges("KEPT_AT", b=depot))


def quickest(g, a, b):
    w = collections.defaultdict(dict)
    for e in g.edges("NEXT_TO"):
        w[e["source"]][e["target"]] = w[e["target"]][e["source"]] = e["minutes"]
    best, todo = {a: 0}, [a]
    while todo:
        x = todo.pop(0)
        for y, m in w[x].items():
            if best[x] + m < best.get(y, 10**9):
                best[y] = best[x] + m
                todo.append(y)
    return best[b]


TRANSIT = [
    (
        "lookup",
        "Which lines call at Old Mill?",
        lambda g: ids(g.ends("ST-04", "<STOPS_AT")),
        "Current STOPS_AT; Tram 1 left in 2019.",
    ),
    (
        "lookup",
        "number of GT8s kept at Westhof",
        lambda g: num(g.edge("KEPT_AT", "FL-2", "DP-1")["vehicles"]),
        "vehicles on FL-2 KEPT_AT DP-1, not the 22 that we own.",
    ),
    (
        "lookup",
        "which towns chip in for the 4?",
        lambda g: ids(g.ends("T4", "<PAYS_FOR")),
        "PAYS_FOR into T4.",
    ),
    (
        "multi_hop",
        "On the ground of which towns does Bus 12 have stops?",
        lambda g: ids(g.ends("B12", ">STOPS_AT", ">LIES_IN")),
        "Stops, then LIES_IN; no town pays for the line.",
    ),
    (
        "multi_hop",
        "signal boxes that control the stations of tram 2",
        lambda g: ids(g.ends("T2", ">STOPS_AT", ">CONTROLLED_BY")),
        "Stops, then CONTROLLED_BY.",
    ),
    (
        "multi_hop",
        "Looking at what Jens Holm is trained on, which lines could we put him on?",
        lambda g: ids(g.ends("E-6", ">MAY_DRIVE", "<RUNS_WITH")),
        "Series, then the lines that run with them today.",
    ),
    (
        "multi_hop",
        "Who's building at stations of the Metro? Just the contractors, whatever the state of the project.",
        lambda g: ids(g.ends("M1", ">STOPS_AT", "<REBUILDS", ">DONE_BY")),
        "M1 -> stations <- projects -> contractors, the finished project included.",
    ),
    (
        "downstream",
        "Trouble at the Harbour Substation: list every line it feeds and every station on those lines.",
        lambda g: ids(g.ends("SU-2", "<FED_BY") | g.ends("SU-2", "<FED_BY", ">STOPS_AT")),
        "Two layers in one list.",
    ),
    (
        "downstream",
        "What hangs on North Gate Box? I need its stations plus the lines stopping there.",
        lambda g: ids(
            g.ends("SB-2", "<CONTROLLED_BY") | g.ends("SB-2", "<CONTROLLED_BY", "<STOPS_AT")
        ),
        "Stations and their current lines; Tram 4 left Brewery Square in 2022.",
    ),
    (
        "downstream",
        "If Voltbus delivers no more spares, which stations are on a line that uses its vehicles?",
        lambda g: ids(g.ends("K-2", "<BUILT_BY", "<RUNS_WITH", ">STOPS_AT")),
        "K-2 -> series -> lines -> stations.",
    ),
    (
        "path",
        "How is Voltbus linked to Lakeside Parish?",
        lambda g: paths(g, "K-2", "MU-3"),
        "Shortest path, undirected; one.",
    ),
    (
        "path",
        "Using nothing but direct sections between stations, what's the shortest way from the Stadium to the Ferry Terminal?",
        lambda g: paths(g, "ST-12", "ST-13", "NEXT_TO"),
        "Shortest path over NEXT_TO, both ways; the same by minutes.",
    ),
    (
        "path",
        "Adding up running times, how many minutes is it at best from Eastfield to Central Station?",
        lambda g: num(quickest(g, "ST-14", "ST-01")),
        "Least sum of minutes over NEXT_TO, both ways.",
    ),
    (
        "path",
        "minimum number of links between Gruber and Metro Control",
        lambda g: steps(g, "K-3", "SB-3"),
        "Length of the shortest path in edges.",
    ),
    (
        "aggregation",
        "What is the mean of daily boardings over the Metro's stations?",
        lambda g: num(mean(g, g.ends("M1", ">STOPS_AT"), "boardings_per_day")),
        "Mean of boardings_per_day over the five stations.",
    ),
    (
        "aggregation",
        "Order all lines by how many stations they serve, longest list on top.",
        lambda g: ranked({x: len(g.ends(x, ">STOPS_AT")) for x in g.type("Line")}),
        "Out-degree on current STOPS_AT.",
    ),
    (
        "aggregation",
        "Which depot has the fewest vehicles kept in it?",
        lambda g: leaders({x: kept(g, x) for x in g.type("Depot")}, least=True),
        "Least sum of vehicles over KEPT_AT; by capacity it would be another one.",
    ),
    (
        "temporal",
        "What did the airport bus run with on 1 March 2020?",
        lambda g: ids(g.ends("B80", ">RUNS_WITH", on="2020-03-01")),
        "The former RUNS_WITH.",
    ),
    (
        "temporal",
        "When was Old Mill last served by Tram 1?",
        lambda g: {"date": next(g.edges("STOPS_AT", "T1", "ST-04", on=None))["valid_to"]},
        "valid_to of the former STOPS_AT.",
    ),
    (
        "temporal",
        "substations feeding tram 4 on 31 august 2021?",
        lambda g: ids(g.ends("T4", ">FED_BY", on="2021-08-31")),
        "Tannery's last day, still counted, beside Harbour.",
    ),
    (
        "temporal",
        "Back in February, which lines did the ice storm hit?",
        lambda g: ids(e["target"] for e in g.edges("HITS", "DI-54", on=None)),
        "HITS of a disruption that is over, valid on its days.",
    ),
    (
        "what_if",
        "Scrap the GT8s and which lines have no vehicles left?",
        lambda g: ids(only(g, g.ends("FL-2", "<RUNS_WITH"), ">RUNS_WITH", {"FL-2"})),
        "Tram 2 has the Swifts too.",
    ),
    (
        "what_if",
        "Town Hall station closes and nothing passes through it any more. Which other stations would then be cut off from Central Station on the direct sections?",
        lambda g: ids(
            reach(g, "ST-01", "NEXT_TO") - reach(g, "ST-01", "NEXT_TO", {"ST-02"}) - {"ST-02"}
        ),
        "Reach over NEXT_TO with and without ST-02.",
    ),
    (
        "what_if",
        "Imagine Velden City stopped paying. Of the lines it pays for today, which would be left without any paying town?",
        lambda g: ids(only(g, g.ends("MU-1", ">PAYS_FOR"), "<PAYS_FOR", {"MU-1"})),
        "Tram 4 keeps Eastfield Borough.",
    ),
    (
        "spof",
        "Lines that get their power from just one substation?",
        lambda g: ids(exactly(g, g.type("Line"), ">FED_BY")),
        "Out-degree 1 on current FED_BY.",
    ),
    (
        "spof",
        "Conti is sick. Is anybody else trained on the Moles, and if so who?",
        lambda g: (lambda x: yes(x, x))(g.ends("FL-3", "<MAY_DRIVE") - {"E-4"}),
        "Nobody else: no.",
    ),
    (
        "spof",
        "Which zone B stations depend on one single line?",
        lambda g: ids(exactly(g, g.type("Station", zone="B"), "<STOPS_AT")),
        "Zone, then in-degree 1 on STOPS_AT.",
    ),
    (
        "inverse",
        "For which substations is there no other one that can take over the load?",
        lambda g: ids(x for x in g.type("Substation") if not g.ends(x, "<BACKS_UP")),
        "No incoming BACKS_UP; only Harbour has one.",
    ),
    (
        "inverse",
        "how many stations arent controlled by any signal box",
        lambda g: num(sum(not g.ends(x, ">CONTROLLED_BY") for x in g.type("Station"))),
        "14 less the sources of CONTROLLED_BY.",
    ),
    (
        "inverse",
        "Name the lines no running disruption touches.",
        lambda g: ids(g.type("Line") - hit(g)),
        "All lines less those hit; the strike is only planned.",
    ),
    (
        "compare",
        "Set Tram 1 beside Tram 2: number of stations each, and the stations common to both.",
        lambda g: (
            lambda a, b: compare(
                "T1", "T2", counts={"Station": [len(a), len(b)]}, shared={"Station": sorted(a & b)}
            )
        )(g.ends("T1", ">STOPS_AT"), g.ends("T2", ">STOPS_AT")),
        "Current STOPS_AT.",
    ),
    (
        "compare",
        "Taking all their stations together, does Tram 4 or the Metro have more boardings a day? I want both totals.",
        lambda g: (
            lambda x: compare(
                "T4", "M1", values={"boardings_per_day": x}, higher="T4" if x[0] > x[1] else "M1"
            )
        )([total(g, g.ends(t, ">STOPS_AT"), "boardings_per_day") for t in ("T4", "M1")]),
        "Sum of boardings_per_day over the stations.",
    ),
    (
        "compare",
        "stations the 12 has but the 27 hasn't",
        lambda g: ids(g.ends("B12", ">STOPS_AT") - g.ends("B27", ">STOPS_AT")),
        "Set difference of STOPS_AT.",
    ),
    (
        "risk",
        "What lines are suffering from a running disruption whose severity is high?",
        lambda g: ids(hit(g, severity="high")),
        "Severity and status, then HITS; the other high ones are over.",
    ),
    (
        "risk",
        "How many riders a day are on the lines that each running disruption hits? Largest number on top.",
        lambda g: ranked({x: total(g, g.ends(x, ">HITS"), "riders_per_day") for x in running(g)}),
        "Sum of riders_per_day over the lines hit.",
    ),
    (
        "risk",
        "At which stations are at least two of the lines calling there hit by a running disruption?",
        lambda g: ids(x for x in g.type("Station") if len(g.ends(x, "<STOPS_AT") & hit(g)) >= 2),
        "Count of hit lines per station.",
    ),
    (
        "combined",
        "Stations without step-free access where a line with reduced service stops?",
        lambda g: ids(
            g.type("Station", step_free="no")
            & g.ends(g.type("Line", status="reduced"), ">STOPS_AT")
        ),
        "step_free no and line status reduced together.",
    ),
    (
        "combined",
        "Give me the lines that had two series of vehicles at once on 1 January 2018.",
        lambda g: ids(
            x for x in g.type("Line") if len(g.ends(x, ">RUNS_WITH", on="2018-01-01")) == 2
        ),
        "Out-degree 2 on RUNS_WITH valid that day.",
    ),
    (
        "combined",
        "Which contractors carry out a project that isn't done yet and have a framework contract ending in 2026?",
        lambda g: ids(
            k
            for k in g.ends(g.type("Project") - g.type("Project", status="done"), ">DONE_BY")
            if g.p(k, "contract_end")[:4] == "2026"
        ),
        "Project status and contract_end together.",
    ),
    (
        "centrality",
        "The two best connected nodes of the graph, with the number of links of each, please.",
        lambda g: {"ranking": [[k, v] for k, v in g.degree().most_common(2)]},
        "Highest degree; no tie at the cut.",
    ),
    (
        "centrality",
        "Which line is the worst bottlneck by betweenness? Ignore direction.",
        lambda g: bottleneck(g, "Line"),
        "Typo. Betweenness in the whole graph, highest among lines.",
    ),
    (
        "centrality",
        "List whatever in the graph has no link at all today.",
        lambda g: ids(k for k, v in g.degree().items() if v == 0),
        "Degree 0 over current relations: one employee and two disruptions that are over.",
    ),
    ("unanswerable", "Where does Tram 9 stop?", unknown(), "No such line."),
    (
        "unanswerable",
        "Which project is the German contractor carrying out?",
        ambiguous("K-3", "K-4"),
        "Two contractors from Germany. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "Which kiosks are let at Central Station, and to whom?",
        unknown("not_in_schema"),
        "No shops or tenants in the schema.",
    ),
]


# ---------------------------------------------------------------- insurance
def policies(g, product, **props):
    return g.ends(product, "<OF_PRODUCT") & g.type("Policy", **props)


def claims(g, product):
    return g.ends(product, "<OF_PRODUCT", "<MADE_ON")


INSURANCE = [
    (
        "lookup",
        "Which claims does Moira Kerr have on her desk?",
        lambda g: ids(g.ends("HA-1", ">HANDLES")),
        "Current HANDLES out of HA-1.",
    ),
    (
        "lookup",
        "alpen's share of the farm stop loss, in percent",
        lambda g: num(g.edge("BACKS", "RE-1", "TY-4")["share_pct"]),
        "share_pct on RE-1 BACKS TY-4.",
    ),
    (
        "lookup",
        "Who owns Harlow Bakeries?",
        lambda g: ids(g.ends("CL-10", "<PARENT_OF")),
        "PARENT_OF, against the arrow.",
    ),
    (
        "multi_hop",
        "Whose policies did Pembroke bring us? The clients, I mean.",
        lambda g: ids(g.ends("BR-1", ">PLACED", "<HOLDS")),
        "BR-1 -> policies <- clients.",
    ),
    (
        "multi_hop",
        "Reinsurers with a share in whatever treaty protects Home Comfort today",
        lambda g: ids(g.ends("PR-6", "<COVERS", "<BACKS")),
        "PR-6 <- treaty <- reinsurers; Lagune left in 2024.",
    ),
    (
        "multi_hop",
        "which places are insured under policies signed by Fairlie",
        lambda g: ids(g.ends("UW-3", ">WRITES", ">INSURES")),
        "Surname only. UW-3 -> policies -> places; the mill has been Rao's since 2021.",
    ),
    (
        "multi_hop",
        "Take the firms that supply Brecon Hotels: who signed their policies?",
        lambda g: ids(g.ends("CL-02", "<SUPPLIES_TO", ">HOLDS", "<WRITES")),
        "Suppliers -> policies <- underwriters.",
    ),
    (
        "downstream",
        "Harlow Mills can deliver nothing for weeks. Which other clients will notice, whether it supplies them itself or through others?",
        lambda g: ids(g.closure("CL-01", ">SUPPLIES_TO")),
        "SUPPLIES_TO to the end.",
    ),
    (
        "downstream",
        "Everything in the wake of the Calder flood, in one list: places struck, policies insuring them, holders of those policies.",
        lambda g: ids(
            g.ends("EV-1", ">STRIKES")
            | g.ends("EV-1", ">STRIKES", "<INSURES")
            | g.ends("EV-1", ">STRIKES", "<INSURES", "<HOLDS")
        ),
        "Three layers in one list.",
    ),
    (
        "downstream",
        "On whose deliveries does Brecon depend, counting suppliers of its suppliers and so on back?",
        lambda g: ids(g.closure("CL-02", "<SUPPLIES_TO")),
        "SUPPLIES_TO upstream to the end.",
    ),
    (
        "path",
        "By what chain is Dales Drying tied to Alpen Re?",
        lambda g: paths(g, "RP-1", "RE-1"),
        "Shortest path, undirected.",
    ),
    (
        "path",
        "shortest connection keller - moira kerr",
        lambda g: paths(g, "CL-06", "HA-1"),
        "Shortest path, undirected; through Harlow Mills.",
    ),
    (
        "path",
        "At the least, how many links lie between Ostia and the Farm Stop Loss?",
        lambda g: steps(g, "BR-4", "TY-4"),
        "Length of the shortest path in edges.",
    ),
    (
        "aggregation",
        "Sum of the yearly premiums of all Commercial Property policies in force, in euros?",
        lambda g: num(total(g, policies(g, "PR-1", status="in force"), "premium_eur")),
        "Sum of premium_eur; the lapsed policy is out.",
    ),
    (
        "aggregation",
        "Reserves per handler over the claims they deal with now, highest total first. Leave out anyone with no claim.",
        lambda g: ranked(
            {
                h: total(g, g.ends(h, ">HANDLES"), "reserve_eur")
                for h in g.type("Handler")
                if g.ends(h, ">HANDLES")
            }
        ),
        "Sum of reserve_eur over current HANDLES.",
    ),
    (
        "aggregation",
        "What's the average fraud score of claims on Marine and Cargo policies?",
        lambda g: num(total(g, claims(g, "PR-3"), "fraud_score") / len(claims(g, "PR-3"))),
        "Mean over three claims.",
    ),
    (
        "temporal",
        "Until what day was Lagune a reinsurer of Property Cat XL?",
        lambda g: {"date": next(g.edges("BACKS", "RE-4", "TY-1", on=None))["valid_to"]},
        "valid_to of the former BACKS.",
    ),
    (
        "temporal",
        "who backed property cat xl on 31 december 2024",
        lambda g: ids(g.ends("TY-1", "<BACKS", on="2024-12-31")),
        "Lagune's last day, still counted; Pacific Atlas began the next.",
    ),
    (
        "temporal",
        "Who was dealing with CM-820 on 15 March 2026?",
        lambda g: ids(g.ends("CM-820", "<HANDLES", on="2026-03-15")),
        "Nobody: between Demir and Kerr.",
    ),
    (
        "temporal",
        "On 5 July 2026, which firms were doing repairs for Mrs Firth's claim?",
        lambda g: ids(g.ends("CL-07", ">HOLDS", "<MADE_ON", "<REPAIRS", on="2026-07-05")),
        "CL-07 -> policy <- claim <- repairers valid that day.",
    ),
    (
        "what_if",
        "If Pacific Atlas were to fold, which treaties would be left with no reinsurer?",
        lambda g: ids(only(g, g.ends("RE-3", ">BACKS"), "<BACKS", {"RE-3"})),
        "Property Cat XL has two others.",
    ),
    (
        "what_if",
        "Kerr falls ill tomorrow. Who takes over her files?",
        lambda g: ids(g.ends("HA-1", "<STANDS_IN_FOR")),
        "STANDS_IN_FOR, against the arrow; she herself stands in for Demir.",
    ),
    (
        "what_if",
        "Say we gave up both the Marine Surplus and the Farm Stop Loss: which products would lose the last treaty they have?",
        lambda g: ids(only(g, g.ends({"TY-3", "TY-4"}, ">COVERS"), "<COVERS", {"TY-3", "TY-4"})),
        "Two treaties gone together.",
    ),
    (
        "spof",
        "Treaties carried by one reinsurer alone?",
        lambda g: ids(exactly(g, g.type("Treaty"), "<BACKS")),
        "In-degree 1 on current BACKS.",
    ),
    (
        "spof",
        "Does any underwriter other than Greta Olsen sign Marine and Cargo policies?",
        lambda g: (lambda x: yes(x, x))(g.ends("PR-3", "<OF_PRODUCT", "<WRITES") - {"UW-2"}),
        "She signed both: no.",
    ),
    (
        "spof",
        "Which clients have a single other client delivering to them and no second one?",
        lambda g: ids(exactly(g, g.type("Client"), "<SUPPLIES_TO")),
        "In-degree 1 on SUPPLIES_TO.",
    ),
    (
        "inverse",
        "Policies in force that nobody has claimed on",
        lambda g: ids(x for x in g.type("Policy", status="in force") if not g.ends(x, "<MADE_ON")),
        "Status, less the targets of MADE_ON.",
    ),
    (
        "inverse",
        "How many of the policies now in force did not come from any broker?",
        lambda g: num(sum(not g.ends(x, "<PLACED") for x in g.type("Policy", status="in force"))),
        "Status, less the targets of PLACED.",
    ),
    (
        "inverse",
        "which repairers arent working on any claim at the moment",
        lambda g: ids(g.type("Repairer") - g.ends(g.type("Claim"), "<REPAIRS")),
        "All repairers less the sources of current REPAIRS.",
    ),
    (
        "compare",
        "Property Cat XL against the Farm Stop Loss: how many reinsurers has each got, and who backs both?",
        lambda g: (
            lambda a, b: compare(
                "TY-1",
                "TY-4",
                counts={"Reinsurer": [len(a), len(b)]},
                shared={"Reinsurer": sorted(a & b)},
            )
        )(g.ends("TY-1", "<BACKS"), g.ends("TY-4", "<BACKS")),
        "Current BACKS.",
    ),
    (
        "compare",
        "Do the claim reserves add up to more under Marine and Cargo or under Farm and Crop? Both sums.",
        lambda g: (
            lambda x: compare(
                "PR-3", "PR-4", values={"reserve_eur": x}, higher="PR-3" if x[0] > x[1] else "PR-4"
            )
        )([total(g, claims(g, p), "reserve_eur") for p in ("PR-3", "PR-4")]),
        "Sum of reserve_eur over the claims on the product's policies.",
    ),
    (
        "compare",
        "treaties caledon is in but pacific atlas isn't",
        lambda g: ids(g.ends("RE-2", ">BACKS") - g.ends("RE-3", ">BACKS")),
        "Set difference of current BACKS.",
    ),
    (
        "risk",
        "Loss events by number of insured places struck, worst one first",
        lambda g: ranked({x: len(g.ends(x, ">STRIKES")) for x in g.type("LossEvent")}),
        "Out-degree on STRIKES; all four.",
    ),
    (
        "risk",
        "The two policies with the heaviest claim reserves on them, and how much each.",
        lambda g: {
            "ranking": ranked(
                {p: total(g, g.ends(p, "<MADE_ON"), "reserve_eur") for p in g.type("Policy")}
            )["ranking"][:2]
        },
        "Sum of reserve_eur over the claims; no tie at the cut.",
    ),
    (
        "risk",
        "Which client's insured places have been struck by the most loss events?",
        lambda g: leaders(
            {c: len(g.ends(c, ">HOLDS", ">INSURES", "<STRIKES")) for c in g.type("Client")}
        ),
        "Distinct events over HOLDS, INSURES, STRIKES; one client.",
    ),
    (
        "combined",
        "Clients whose loss ratio is above 100 and who have a place in flood zone 4 insured with us?",
        lambda g: ids(
            c
            for c in g.ends(g.type("Location", flood_zone=4), "<INSURES", "<HOLDS")
            if g.p(c, "loss_ratio_pct") > 100
        ),
        "Threshold and flood_zone over two hops.",
    ),
    (
        "combined",
        "Which of the brokers had no policy placed with us on 1 January 2015?",
        lambda g: ids(g.type("Broker") - g.ends(g.type("Policy"), "<PLACED", on="2015-01-01")),
        "Temporal and inverse.",
    ),
    (
        "combined",
        "claims scoring over 0.5 for fraud whose handler is away",
        lambda g: ids(
            c
            for c in g.type("Claim")
            if g.p(c, "fraud_score") > 0.5
            and any(g.p(h, "away_until") for h in g.ends(c, "<HANDLES"))
        ),
        "Threshold, then away_until filled on the current handler.",
    ),
    (
        "combined",
        "Which claims are reserved above the amount that their present handler may settle alone?",
        lambda g: ids(
            c
            for c in g.type("Claim")
            if any(g.p(c, "reserve_eur") > g.p(h, "authority_eur") for h in g.ends(c, "<HANDLES"))
        ),
        "[hard] reserve_eur against authority_eur across HANDLES.",
    ),
    (
        "centrality",
        "Count direct links of every kind: which record has the highest total?",
        lambda g: leaders(g.degree()),
        "Highest degree; one.",
    ),
    (
        "centrality",
        "By betweenness with all links two-way, what single node do most shortest paths run through?",
        bottleneck,
        "Highest betweenness, undirected.",
    ),
    (
        "centrality",
        "Which claims are cut points, i.e. the network falls into more pieces once they are taken out? Direction doesn't matter.",
        lambda g: ids(splits(g, g.type("Claim"))),
        "Articulation points of the current graph; each has a repairer that hangs on it alone.",
    ),
    ("unanswerable", "Which policies does Norwick Estates hold?", unknown(), "No such client."),
    (
        "unanswerable",
        "Which underwriter signed the Deventer policy?",
        ambiguous("P-3022", "P-3023"),
        "Warehouse and cargo, by different underwriters. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "What court cases are we fighting against Quayside?",
        unknown("not_in_schema"),
        "No court cases in the schema.",
    ),
]


def main():
    for domain, prefix, rows in (
        ("transit", "btn", TRANSIT),
        ("insurance", "bi", INSURANCE),
    ):  # bt is taken by trials
        g, seen, out = Graph(domain), collections.Counter(), []
        for k, (category, query, gold, note) in enumerate(rows, 1):
            seen[category] += 1
            out.append(
                {
                    "id": f"{prefix}-{k:03d}",
                    "category": category,
                    "query": query,
                    "gold": gold(g),
                    "note": note,
                }
            )
        assert len({r["query"] for r in out}) == len(out) == 45, (domain, len(out))
        (HERE / f"{domain}.jsonl").write_text(
            "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in out), encoding="utf-8"
        )
        print(domain, len(out), dict(seen))
        if "--show" in sys.argv:
            for r in out:
                print(
                    f"  {r['id']} {r['category']:12s} {r['query']}\n      {json.dumps(r['gold'], ensure_ascii=False)}"
                )


if __name__ == "__main__":
    main()
