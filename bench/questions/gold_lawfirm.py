"""Gold of the law firm set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_lawfirm.py [--show]`."""

import collections

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "lawfirm")
rows, q = asking("lf")


LAWYERS, CLIENTS, COURTS = g.t("Lawyer"), g.t("Client"), g.t("Court")
OPEN = g.t("Matter", lambda r: r["status"] == "open")
ACTIVE = g.t("Incident", lambda r: r["status"] == "active")
of_client = lambda c: g.out(c, "INSTRUCTS")
led_by = lambda x: g.out(x, "LEADS")
at = lambda court: g.inn(court, "HEARD_AT")
clients_of = lambda ms: g.inn(ms, "INSTRUCTS")
degree, between = g.degree(), g.betweenness()

q(
    "lookup",
    "How many hours has Tom Whitcombe booked on the Tidewell pipeline dispute?",
    num(g.edge("LAW-08", "ASSISTS", "MAT-04")["hours"]),
    "hours on LAW-08 ASSISTS MAT-04.",
)
q(
    "lookup",
    "Which of our offices have fewer than 30 desks?",
    ids(g.t("Office", lambda r: r["desks"] < 30)),
    "desks below 30.",
)
q(
    "lookup",
    "Who is the judge in the Brightline tender challenge?",
    ids(g.inn("MAT-10", "PRESIDES_OVER")),
    "PRESIDES_OVER into MAT-10.",
)

q(
    "multi_hop",
    "Which clients have a matter pending at the High Court?",
    ids(clients_of(at("CRT-3"))),
    "CRT-3 <- matters <- clients.",
)
_menon = of_client("CLI-02") & g.out("JDG-3", "PRESIDES_OVER")
q(
    "multi_hop",
    "Is Priya Menon hearing anything of Northmoor's, and if so which matter?",
    yes(_menon, _menon),
    "Matters of CLI-02 that JDG-3 presides over.",
)
q(
    "multi_hop",
    "In which offices do the people assisting on the Northmoor mis-selling case work?",
    ids(g.out(g.inn("MAT-02", "ASSISTS"), "WORKS_AT")),
    "MAT-02 <- assistants -> offices.",
)

q(
    "downstream",
    "Which clients does the tribunal clerks' strike reach?",
    ids(clients_of(at(g.out("INC-2", "DISRUPTS")))),
    "INC-2 -> court <- matters <- clients.",
)
q(
    "downstream",
    "What is the total value of the matters at the court hit by the ransomware attack, in thousands of euros?",
    num(g.sum(at(g.out("INC-1", "DISRUPTS")), "value_keur")),
    "Sum of value_keur over the matters at CRT-3.",
)
_shaken = {"PRE-03"} | g.inn("PRE-03", "CITES")
assert g.walk("PRE-03", "CITES", back=True) | {"PRE-03"} == _shaken
q(
    "downstream",
    "If Fenwick v Albion Mills were overruled, which matters rest on it or on a ruling that cites it?",
    ids(g.inn(_shaken, "RELIES_ON")),
    "Matters on PRE-03 or on the rulings that cite it; none cites those in turn.",
)

q(
    "path",
    "By which courts does an appeal climb from Cardiff County Court to the Supreme Court?",
    {"path": g.paths("CRT-4", "CRT-1", "APPEALS_TO", directed=True)},
    "APPEALS_TO from CRT-4 to CRT-1.",
)
q(
    "path",
    "What's the shortest connection between Lucy Farrow and Sir Owen Tudor?",
    {"path": g.paths("LAW-13", "JDG-2")},
    "LAW-13 to JDG-2 over any relations.",
)
q(
    "path",
    "At the fewest, how many links lie between the Manchester roof repairs and Lockhart Estates?",
    num(len(g.paths("INC-5", "CLI-09")[0]) - 1),
    "Length of the shortest path INC-5 to CLI-09.",
)

q(
    "aggregation",
    "On which matter have its current assistants recorded the most hours between them?",
    ids(lead(g.total("ASSISTS", "target", "hours"))),
    "Sum of hours over ASSISTS valid now.",
)
q(
    "aggregation",
    "Give me the three biggest open matters by amount in dispute.",
    rank({m: g.n[m]["value_keur"] for m in OPEN}, k=3),
    "value_keur of open matters, three highest.",
)
q(
    "aggregation",
    "What do our associates charge an hour on average?",
    num(mean([g.n[x]["rate_eur"] for x in LAWYERS if g.n[x]["grade"] == "associate"])),
    "Mean rate_eur of associates.",
)

q(
    "temporal",
    "Since when has Rupert Ashby been in charge of the Northmoor mis-selling case?",
    {"date": g.edge("LAW-02", "LEADS", "MAT-02")["valid_from"]},
    "valid_from of LAW-02 LEADS MAT-02.",
)
q(
    "temporal",
    "Which courts were disrupted on 15 January 2026?",
    ids(g.out(g.t("Incident"), "DISRUPTS", "2026-01-15")),
    "DISRUPTS valid that day.",
)
q(
    "temporal",
    "Who led the Northmoor mis-selling case at the end of 2023?",
    ids(g.inn("MAT-02", "LEADS", "2023-12-31")),
    "LEADS into MAT-02 on 2023-12-31.",
)

q(
    "what_if",
    "Helena Brandt hands in her notice. Which matters lose their lead lawyer?",
    ids({m for m in OPEN if g.inn(m, "LEADS") == {"LAW-01"}}),
    "Matters that LAW-01 alone leads.",
)
q(
    "what_if",
    "How many matters would be left without a court if the High Court shut down?",
    num(sum(g.out(m, "HEARD_AT") == {"CRT-3"} for m in OPEN)),
    "Open matters heard at CRT-3 alone.",
)
q(
    "what_if",
    "If we gave up the Edinburgh office and everybody there, which clients would lose a lead lawyer?",
    ids(clients_of(led_by(g.inn("OFF-2", "WORKS_AT")))),
    "OFF-2 <- lawyers -> matters led <- clients.",
)

q(
    "spof",
    "Which open matters have only one person assisting?",
    ids({m for m in OPEN if len(g.inn(m, "ASSISTS")) == 1}),
    "In-degree 1 on ASSISTS valid now.",
)
q(
    "spof",
    "How many courts have just one judge sitting?",
    num(sum(len(g.inn(c, "SITS_AT")) == 1 for c in COURTS)),
    "In-degree 1 on SITS_AT valid now.",
)
_rest = g.out("MAT-13", "RELIES_ON")
q(
    "spof",
    "Does the Tidewell licence appeal hang on a single precedent, and which one?",
    yes(len(_rest) == 1, _rest),
    "Out-degree of MAT-13 on RELIES_ON is 1.",
)

q(
    "inverse",
    "Which lawyers have no mentor at present?",
    ids(LAWYERS - g.out(LAWYERS, "MENTORS")),
    "All lawyers less those mentored now.",
)
q(
    "inverse",
    "Which precedents aren't cited by any other ruling?",
    ids(g.t("Precedent") - g.out(g.t("Precedent"), "CITES")),
    "All precedents less the targets of CITES.",
)
q(
    "inverse",
    "How many clients have nothing pending at a court with an active incident?",
    num(len(CLIENTS - clients_of(at(g.out(ACTIVE, "DISRUPTS"))))),
    "All clients less those that active incidents reach.",
)

_worth = {c: g.sum(of_client(c), "value_keur") for c in ("CLI-01", "CLI-04")}
q(
    "compare",
    "Orchard or Tidewell: whose matters are worth more in total? Give both sums.",
    cmp_("CLI-01", "CLI-04", value_keur=list(_worth.values()), higher=lead(_worth)[0]),
    "Sum of value_keur for each.",
)
q(
    "compare",
    "Which rulings do the Orchard patent claim and the Marlow cladding case both rely on?",
    ids(g.out("MAT-01", "RELIES_ON") & g.out("MAT-06", "RELIES_ON")),
    "Intersection of RELIES_ON.",
)
q(
    "compare",
    "Which courts hear matters led by Helena Brandt but none led by Fiona Drummond?",
    ids(g.out(led_by("LAW-01"), "HEARD_AT") - g.out(led_by("LAW-04"), "HEARD_AT")),
    "Set difference of courts.",
)

q(
    "risk",
    "Which court is under a critical incident right now?",
    ids(g.out(g.where(ACTIVE, lambda r: r["severity"] == "critical"), "DISRUPTS")),
    "Courts that an active critical incident disrupts.",
)
q(
    "risk",
    "How many active incidents are there at the Employment Tribunal?",
    num(len(g.inn("CRT-6", "DISRUPTS") & ACTIVE)),
    "DISRUPTS into CRT-6 from active incidents.",
)
q(
    "risk",
    "Which matters are pending at a court with an active incident rated high?",
    ids(at(g.out(g.where(ACTIVE, lambda r: r["severity"] == "high"), "DISRUPTS"))),
    "Active, high, -> courts <- matters.",
)

_appeal = g.inn(at("CRT-2"), "ASSISTS")
q(
    "combined",
    "Which associates charging less than 290 an hour assist on a matter at the Court of Appeal?",
    ids(g.where(_appeal, lambda r: r["grade"] == "associate" and r["rate_eur"] < 290)),
    "CRT-2 <- matters <- assistants, by grade and rate.",
)
_holt = g.out("JDG-1", "PRESIDES_OVER")
q(
    "combined",
    "Added up, what fee caps do we have on the matters before Dame Margaret Holt, in thousands?",
    num(sum(e["fee_cap_keur"] for e in g.valid("INSTRUCTS") if e["target"] in _holt)),
    "Sum of fee_cap_keur over INSTRUCTS valid now into the matters of JDG-1.",
)
_new = g.t("Matter", lambda r: r["opened"][:4] == "2025")
q(
    "combined",
    "Which clients that came to us before 2012 have a matter opened in 2025?",
    ids(g.where(clients_of(_new), lambda r: r["since"] < 2012)),
    "since and opened together.",
)

q(
    "centrality",
    "Which lawyers have the most direct links in the whole network?",
    ids(lead(of(degree, LAWYERS))),
    "Highest degree among lawyers over valid relations.",
)
q(
    "centrality",
    "Which court comes out highest on betweenness?",
    ids(lead(of(between, COURTS))),
    "Highest undirected betweenness among courts.",
)
q(
    "centrality",
    "Counting matters and citations alike, which precedent is the best connected?",
    ids(lead(of(degree, g.t("Precedent")))),
    "Highest degree among precedents.",
)

q(
    "unanswerable",
    "Who leads the Westbrook merger?",
    no("unknown_entity"),
    "No such matter.",
)
q(
    "unanswerable",
    "What's the phone number of the Castle Quay office?",
    no("not_in_schema"),
    "No such property.",
)
q(
    "unanswerable",
    "Which matters does Pryce work on?",
    no("ambiguous", "LAW-05", "LAW-11"),
    "Gareth and Megan Pryce.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("lawfirm", rows)
