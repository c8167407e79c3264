"""Short questions in everyday words over film, water and dairy, blind too; gold computed from the data.

usage: python3 gold_phrases.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

from gold_common import G, OUT, ids, lead, no, num, rank, write, yes

ROOT = OUT / "domains"
DIRS = {name: ROOT / name for name in ("film", "water", "dairy")}


def film(g):
    q = []
    add = lambda text, gold: q.append((text, gold))
    P = g.t("Production")
    add("Which films does Kestrel Capital finance?", ids(g.out("b2", "FUNDS")))
    add("Tundra was filmed where?", ids(g.out("tundra", "FILMS_AT")))
    add("How many productions is Olga Brandt producing?", num(len(g.inn("p15", "PRODUCED_BY"))))
    add("Is there anyone who both writes and directs Tundra?", yes(True, ["p03"]))
    add("Which festivals has The Last Ferry been to?", ids(g.out("lastferry", "SCREENED_AT")))
    add("List every site outside Belgium.", ids(g.t("Site", lambda r: r["country"] != "Belgium")))
    add(
        "Which productions cost more than 10 million euros?",
        ids(g.t("Production", lambda r: r["budget_eur"] > 10e6)),
    )
    add(
        "the longest film",
        {
            **rank({p: g.n[p]["runtime_min"] for p in P}, k=1),
            "ids": lead({p: g.n[p]["runtime_min"] for p in P}),
        },
    )
    add("Who is Jonah Pike's agency?", ids(g.out("p06", "REPRESENTED_BY")))
    add(
        "Which actors have the same agency as Felix Voss?",
        ids(
            (g.inn(g.out("p08", "REPRESENTED_BY"), "REPRESENTED_BY") - {"p08"})
            & g.t("Person", lambda r: r["craft"] == "actor")
        ),
    )
    add("How much is Nordisk Lys paying for Little Bear?", num(210000))
    add("When did Bullring buy North Light?", {"date": "2026-03-01"})
    add("Which productions lost a distributor in 2025?", ids({"hourglass", "lastferry"}))
    add(
        "If the Fjord drone permit lapses, which productions are affected?",
        ids(g.inn(g.inn("pm3", "NEEDS"), "FILMS_AT")),
    )
    add(
        "Which backers have put money into more than one film?",
        ids(b for b in g.t("Backer") if len(g.out(b, "FUNDS")) > 1),
    )
    add(
        "Production with the highest number of rented items?",
        {
            **rank({p: len(g.out(p, "RENTS")) for p in P}, top=True),
            "ids": lead({p: len(g.out(p, "RENTS")) for p in P}),
        },
    )
    return q


def water(g):
    q = []
    add = lambda text, gold: q.append((text, gold))
    add("Which zones get water from Fell Tank?", ids(g.out("RS-05", "SUPPLIES")))
    add("What is Southmoor's leakage?", num(18.7))
    add("How many people live in the zones that Castle Tank supplies?", num(18400 + 7200))
    add("Who does Meg Tully report to?", ids(["T-04"]))
    add(
        "Which technicians report to someone in the Red Crew?",
        ids(g.inn(g.inn("CR-2", "BELONGS_TO"), "REPORTS_TO")),
    )
    add(
        "List pumps that have no service contract",
        ids(g.t("Pump") - g.out(g.t("Vendor"), "SERVICES")),
    )
    add(
        "Which customers use over 1000 cubic metres a day?",
        ids(g.t("Customer", lambda r: r["use_m3_day"] > 1000)),
    )
    add("Which reservoir was cleaned longest ago?", ids(["RS-06"]))
    add(
        "Which reservoirs were last cleaned before 2024?",
        ids(g.t("Reservoir", lambda r: r["last_cleaned"] < "2024")),
    )
    add("How long is the main between High Tor and Castle Tank?", num(3400))
    add("If SRC-05 dries up, which plants have no source left?", ids(["PL-4"]))
    add(
        "Do High Tor and Fell Tank share a zone? Which?",
        yes(True, g.out("RS-01", "SUPPLIES") & g.out("RS-05", "SUPPLIES")),
    )
    add(
        "Which chemicals are bought from an Irish vendor?",
        ids(g.inn(g.t("Vendor", lambda r: r["country"] == "Ireland"), "SOLD_BY")),
    )
    add(
        "total volume of the reservoirs that Brand Works fills",
        num(g.sum(g.out("PL-3", "FILLS"), "volume_m3")),
    )
    add("which zone has the fewest inhabitants", ids(["Z-8"]))
    add("Who looks after Beacon Hill?", ids(["CR-2"]))
    return q


def dairy(g):
    q = []
    add = lambda text, gold: q.append((text, gold))
    add("Which dairies does Dovecote Farm supply?", ids(g.out("F4", "MILKS_FOR")))
    add("Who taught Ros Kerr?", ids(["M2"]))
    add(
        "Which farms share a border with Birchfold?",
        ids(g.out("F2", "BORDERS") | g.inn("F2", "BORDERS")),
    )
    add("Which farms did foot rot hit?", ids(g.out("X2", "HURTS")))
    add(
        "Which cheeses ripen for more than 100 days?",
        ids(g.t("Cheese", lambda r: r["ripening_days"] > 100)),
    )
    add("Which shop in Lund is the largest?", ids(["S5"]))
    add("how many kilos of Morning Dew does the Market Hall Stall take a week", num(90))
    add(
        "Which makers have a recipe that no shop in Harrow stocks?",
        ids(
            g.inn(
                {c for c in g.t("Cheese") if not (g.inn(c, "STOCKS") & {"S2", "S3"})}, "RECIPE_OF"
            )
        ),
    )
    add("What's the cheapest cheese?", ids(["C2"]))
    add("Which drivers work nights?", ids(g.t("Driver", lambda r: r["shift"] == "night")))
    add("Which tankers are older than 2015?", ids(g.t("Tanker", lambda r: r["built"] < 2015)))
    add("Do Klara Feld and Tom Birk share a recipe?", yes(True, ["C6"]))
    return q


for name, f in (("film", film), ("water", water), ("dairy", dairy)):
    g = G(DIRS[name])
    rows = [
        {"id": f"ph-{name}-{k:02}", "category": "phrases", "query": t, "gold": gold}
        for k, (t, gold) in enumerate(f(g), 1)
    ]
    write(f"{name}_phrases", rows)
