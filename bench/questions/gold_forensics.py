"""Gold of the forensics set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_forensics.py [--show]`."""

from gold_common import AS_OF, G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "forensics")
rows, q = asking("fo")

LABS, EXAMINERS, METHODS = g.t("Laboratory"), g.t("Examiner"), g.t("Method")
INSTRUMENTS, CASES, MAKERS = g.t("Instrument"), g.t("Case"), g.t("Maker")
ACTIVE = g.t("Nonconformity", lambda r: r["status"] == "active")
SENIOR = g.t("Examiner", lambda r: r["grade"] == "senior")
stands_in = lambda labs: g.inn(labs, "INSTALLED_AT")
certified = lambda methods: g.inn(methods, "CERTIFIED_IN")

q(
    "lookup",
    "How many exhibits from Operation Kingfisher are at the Annex?",
    num(g.edge("CAS-04", "SENT_TO", "LAB-4")["exhibits"]),
    "exhibits on CAS-04 SENT_TO LAB-4.",
)
q(
    "lookup",
    "which instruments have a book value of more than 200 thousand euros",
    ids(g.where(INSTRUMENTS, lambda r: r["value_keur"] > 200)),
    "value_keur above 200.",
)
q(
    "lookup",
    "What score did Noor Haddad get for STR profiling?",
    num(g.edge("EXM-10", "CERTIFIED_IN", "MTH-1")["score"]),
    "score on EXM-10 CERTIFIED_IN MTH-1.",
)

q(
    "multi_hop",
    "Which makers look after the machines that stand in the Central Lab?",
    ids(g.inn(stands_in("LAB-1"), "SERVICES")),
    "LAB-1 <- instruments <- makers, contracts valid now.",
)
q(
    "multi_hop",
    "Before which courts do the cases led by our senior examiners come?",
    ids(g.out(g.out(SENIOR, "LEADS"), "HEARD_AT")),
    "Senior examiners -> cases led now -> courts.",
)
_mito = certified("MTH-2") & g.inn("LAB-5", "STATIONED_AT")
q(
    "multi_hop",
    "Has anybody at Northgate got a valid certificate for mitochondrial sequencing? If so, who?",
    yes(_mito, _mito),
    "Stationed at LAB-5 and certified in MTH-2 now.",
)

q(
    "downstream",
    "Reagent Lot 88 again... Go from the instruments that it compromises to the labs they stand in: "
    "which cases have evidence there?",
    ids(g.inn(g.out(g.out("NCF-1", "COMPROMISES"), "INSTALLED_AT"), "SENT_TO")),
    "NCF-1 -> instruments -> LAB-5 <- cases.",
)
q(
    "downstream",
    "If Ternway pulls its engineers, which methods run on a machine that it services today?",
    ids(g.inn(g.out("MKR-5", "SERVICES"), "RUNS_ON")),
    "MKR-5 -> instruments <- methods, relations valid now.",
)
q(
    "downstream",
    "Starting from the mobile lab and following the referrals as far as they go, "
    "at which laboratories can evidence end up?",
    ids(g.walk("LAB-7", "REFERS_TO")),
    "REFERS_TO forwards from LAB-7 to the end.",
)

q(
    "path",
    "Whats the shortest connection between Yusuf Bello and Bluepeak Genomics?",
    {"path": g.paths("EXM-07", "MKR-4")},
    "EXM-07 to MKR-4 over any relations.",
)
q(
    "path",
    "By which referral route does evidence get from the mobile lab to Northgate "
    "in the fewest courier hours?",
    {"path": g.cheapest("LAB-7", "LAB-5", "REFERS_TO", "courier_hours")[0]},
    "Least sum of courier_hours over REFERS_TO; fewer labs by another way.",
)
q(
    "path",
    "How many links lie between the Detector drift and the Old Mill Fire, at the very least?",
    num(len(g.paths("NCF-6", "CAS-07")[0]) - 1),
    "Length of the shortest path NCF-6 to CAS-07.",
)

q(
    "aggregation",
    "Rank the labs by the total number of exhibits they hold at present, fullest first. "
    "Skip labs without any.",
    rank(g.total("SENT_TO", "target", "exhibits")),
    "Sum of exhibits over SENT_TO valid now, by laboratory.",
)
q(
    "aggregation",
    "what do we pay kessler a year under its current service contracts, in thousand euros?",
    num(g.total("SERVICES", "source", "fee_keur")["MKR-2"]),
    "Sum of fee_keur over SERVICES from MKR-2 valid now.",
)
q(
    "aggregation",
    "Which method has the largest daily capacity, all its instruments added together?",
    ids(lead(g.total("RUNS_ON", "source", "samples_day"))),
    "Highest sum of samples_day over RUNS_ON valid now.",
)

q(
    "temporal",
    "Until when is Osgood's certificate for latent print comparison good?",
    {"date": g.edge("EXM-02", "CERTIFIED_IN", "MTH-7")["valid_to"]},
    "valid_to of EXM-02 CERTIFIED_IN MTH-7.",
)
q(
    "temporal",
    "Who was stationed at the Central Lab on 1 March 2017?",
    ids(g.inn("LAB-1", "STATIONED_AT", "2017-03-01")),
    "STATIONED_AT into LAB-1 on 2017-03-01.",
)
q(
    "temporal",
    "Which examiners have a certificate running out between today and the end of 2026?",
    ids(
        e["source"]
        for e in g.valid("CERTIFIED_IN")
        if AS_OF <= (e["valid_to"] or "9999") <= "2026-12-31"
    ),
    "CERTIFIED_IN with valid_to from today to 2026-12-31.",
)

q(
    "what_if",
    "Suppose the Helix sequencer is taken out of service. "
    "Which methods could no longer be run on any instrument?",
    ids(m for m in METHODS if g.out(m, "RUNS_ON") == {"INS-03"}),
    "Methods whose only instrument is INS-03.",
)
q(
    "what_if",
    "Were Ibarra to resign, which methods would be left with no certified examiner?",
    ids(m for m in METHODS if certified(m) == {"EXM-08"}),
    "Methods in which EXM-08 alone holds a valid certificate.",
)
_shut = {"LAB-2", "LAB-4"}
q(
    "what_if",
    "say harwick regional and the annex both had to close - which cases would be left without a lab",
    ids(c for c in CASES if g.out(c, "SENT_TO") and g.out(c, "SENT_TO") <= _shut),
    "Cases all of whose laboratories are LAB-2 or LAB-4 now.",
)

q(
    "spof",
    "Which methods hang on one examiner alone, going by certificates that are still valid?",
    ids(m for m in METHODS if len(certified(m)) == 1),
    "In-degree 1 on CERTIFIED_IN valid now.",
)
_one = {i for i in INSTRUMENTS if len(g.inn(i, "SERVICES")) == 1}
_dear = g.where(_one, lambda r: r["value_keur"] > 300)
q(
    "spof",
    "Do we have instruments worth over 300 k euros that only a single maker services? Which?",
    yes(_dear, _dear),
    "In-degree 1 on SERVICES valid now and value_keur above 300.",
)
q(
    "spof",
    "Laboratories with just one instrument in them?",
    ids(x for x in LABS if len(stands_in(x)) == 1),
    "In-degree 1 on INSTALLED_AT valid now.",
)

q(
    "inverse",
    "Which of our examiners hold no valid certificate at all?",
    ids(EXAMINERS - certified(METHODS)),
    "All examiners less the sources of CERTIFIED_IN valid now.",
)
q(
    "inverse",
    "how many cases havent been listed at any court yet?",
    num(len(CASES - g.inn(g.t("Court"), "HEARD_AT", None))),
    "All cases less the sources of HEARD_AT at any time.",
)
assert g.inn(g.t("Court"), "HEARD_AT", None) == g.inn(g.t("Court"), "HEARD_AT")
q(
    "inverse",
    "Name the instruments that nobody services at the moment.",
    ids(INSTRUMENTS - g.out(MAKERS, "SERVICES")),
    "All instruments less the targets of SERVICES valid now.",
)

_held = of(g.total("SENT_TO", "target", "exhibits"), ("LAB-1", "LAB-2"))
q(
    "compare",
    "Central Lab or Harwick Regional - who is holding more exhibits right now? Both totals please.",
    cmp_("LAB-1", "LAB-2", exhibits=list(_held.values()), higher=lead(_held)[0]),
    "Sum of exhibits over SENT_TO valid now.",
)
q(
    "compare",
    "In which methods are Wolski and Lindner both certified?",
    ids(g.out("EXM-04", "CERTIFIED_IN") & g.out("EXM-12", "CERTIFIED_IN")),
    "Intersection of methods, certificates valid now.",
)
q(
    "compare",
    "Which instruments does Kessler service but Orrell doesn't?",
    ids(g.out("MKR-2", "SERVICES") - g.out("MKR-1", "SERVICES")),
    "Difference of instruments.",
)

_lost = of(g.total("COMPROMISES", "source", "results_withdrawn"), ACTIVE)
q(
    "risk",
    "List the active nonconformities by the number of results withdrawn because of them, worst first.",
    rank(_lost),
    "Sum of results_withdrawn over COMPROMISES valid now, by active nonconformity.",
)
_critical = g.where(ACTIVE, lambda r: r["severity"] == "critical")
_struck = g.inn(g.out(g.out(_critical, "COMPROMISES"), "INSTALLED_AT"), "SENT_TO")
q(
    "risk",
    "Which urgent cases have evidence at a lab where an instrument is hit by "
    "an active critical nonconformity?",
    ids(g.where(_struck, lambda r: r["priority"] == "urgent")),
    "Active, critical, -> instruments -> laboratories <- urgent cases.",
)
_high = g.where(ACTIVE, lambda r: r["severity"] == "high")
q(
    "risk",
    "Who works at a laboratory that is itself under an open nonconformity of high severity?",
    ids(g.inn(g.out(_high, "COMPROMISES") & LABS, "STATIONED_AT")),
    "Active, high, -> laboratories <- examiners.",
)

_old = g.where(INSTRUMENTS, lambda r: r["bought"] < 2020)
q(
    "combined",
    "Which makers service nothing but instruments that were bought before 2020?",
    ids(k for k in MAKERS if g.out(k, "SERVICES") and g.out(k, "SERVICES") <= _old),
    "Universal over SERVICES valid now.",
)
_crown = g.inn(g.t("Court", lambda r: r["level"] == "crown"), "HEARD_AT")
_grave = g.where(CASES, lambda r: r["offence"] in ("homicide", "arson"))
q(
    "combined",
    "Urgent homicide or arson cases that are listed at a crown court, please.",
    ids(g.where(_crown & _grave, lambda r: r["priority"] == "urgent")),
    "Offence, priority and level of the court together.",
)
q(
    "combined",
    "Average proficency score over the valid certificates of senior examiners?",
    num(mean(e["score"] for e in g.valid("CERTIFIED_IN") if e["source"] in SENIOR)),
    "Mean score over CERTIFIED_IN valid now from senior examiners.",
)

degree, between = g.degree(), g.betweenness()
assert lead(of(degree, LABS)) == lead(of(g.degree(multi=False), LABS))
q(
    "centrality",
    "Counting links of every kind, which laboratory is the best connected?",
    ids(lead(of(degree, LABS))),
    "Highest degree among laboratories over valid relations.",
)
q(
    "centrality",
    "Which examiner scores highest on betweenness, direction of links ignored?",
    ids(lead(of(between, EXAMINERS))),
    "Highest undirected betweenness among examiners.",
)
q(
    "centrality",
    "Which labs would break the referral network apart if they dropped out of it?",
    ids(g.cut_points(LABS, "REFERS_TO")),
    "Cut points of the laboratories over REFERS_TO, both ways.",
)

q(
    "unanswerable",
    "Which cases is Tasker leading?",
    no("ambiguous", "EXM-05", "EXM-09"),
    "Gwen and Declan Tasker.",
)
q(
    "unanswerable",
    "Who is the judge in the Quarry Road Shooting?",
    no("not_in_schema"),
    "No judges.",
)
q("unanswerable", "ins-19: which lab is it in?", no("unknown_entity"), "No such instrument.")

assert len(rows) == 42
write("forensics", rows)
