"""The questions for the graph of the zoo suite, with gold computed from domains/zoo; gold_zoo.py writes them."""

from gold_common import cmp_, ids, lead, mean, no, num, yes
from gold_suite import Suite

g = Suite("zoo")
the = g.the


def lookup():
    lucerne = g.edge(the("Meadowcroft Farm"), "SUPPLIES", the("Lucerne hay"))
    kestrel = g.out(the("Kestrel Brewery"), "SPONSORS")
    return [
        (
            "who speaks for us in the giraffe programme nowadays?",
            ids(g.inn(the("Rothschild's giraffe"), "REPRESENTS")),
        ),
        ("What do we pay Meadowcroft for a kilo of lucerne?", num(lucerne["price_per_kg_eur"])),
        ("Is Kestrel still giving money for Jasiri?", yes(the("Jasiri") in kestrel)),
    ]


def multi_hop():
    diet = g.out(the("gorillas"), "EATS")
    penhallow = g.out(the("Dr Rhys Penhallow"), "ATTENDS")
    daughters = g.where(g.inn(the("Kibo"), "CHILD_OF"), lambda r: r["sex"] == "female")
    return [
        (
            "Which suppliers are behind what's on the gorillas' diet sheet?",
            ids(g.inn(diet, "SUPPLIES")),
        ),
        (
            "Dr Penhallow wants to write to the zoos that run the breeding programmes of the species he looks after. Which zoos are those?",
            ids(g.inn(penhallow, "COORDINATES")),
        ),
        (
            "Kibo's daughter - which keepers are on the rota where she lives?",
            ids(g.inn(g.out(daughters, "LIVES_IN"), "CARES_FOR")),
        ),
    ]


def downstream():
    eaters = g.inn(g.out(the("Garrow Meats"), "SUPPLIES"), "EATS")
    return [
        (
            "Garrow's van has broken down. Which enclosures have animals in them whose species eats something we get from Garrow?",
            ids(g.out(g.inn(eaters, "BELONGS_TO"), "LIVES_IN")),
        ),
        (
            "All of Biscuit's descendants please, not just her own young",
            ids(g.walk(the("Biscuit"), "CHILD_OF", back=True)),
        ),
    ]


def path():
    way = g.paths(the("Verdant Growers"), the("Lowri Pugh"))
    return [
        ("What's the shortest chain of links from Verdant Growers to Lowri Pugh?", {"path": way}),
    ]


def aggregation():
    rhinos = g.total("EATS", "source", "kg_per_week")[the("rhinos")]
    away = [e["transport_cost_eur"] for e in g.valid("SENT_TO")]
    return [
        (
            "How many kilos of feed do the black rhinos get through in a week, everything together?",
            num(rhinos),
        ),
        (
            "who's got the most hours a week on the rota, all their enclosures added up?",
            ids(lead(g.total("CARES_FOR", "source", "hours_per_week"))),
        ),
        (
            "Taking the animals we have sent to partner zoos and that are there now, what was the average transport cost in euros?",
            num(mean(away)),
        ),
    ]


def temporal():
    savannah, tigers = the("Savannah Paddock"), the("Amur tiger")
    year = {
        e["source"]
        for e in g.valid("LIVES_IN", on=None)
        if e["target"] == savannah
        and e["valid_from"] <= "2013-12-31"
        and (e["valid_to"] or "9999") >= "2013-01-01"
    }
    return [
        (
            "Which keepers were on the Rhino Barn rota on 1 May 2018?",
            ids(g.inn(the("Rhino Barn"), "CARES_FOR", "2018-05-01")),
        ),
        (
            "since when is it lipovec that runs the tiger programme",
            {"date": g.edge(the("Zoo Lipovec"), "COORDINATES", tigers)["valid_from"]},
        ),
        (
            "Which animals were housed in the Savannah Paddock at some time in 2013 but aren't there any more today?",
            ids(year - g.inn(savannah, "LIVES_IN")),
        ),
    ]


def what_if():
    def left_alone(rel, node):
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "If Zoofare went bust, which feeds would we have nobody left to buy from?",
            ids(left_alone("SUPPLIES", the("Zoofare Nutrition"))),
        ),
        (
            "Dr Nwosu is thinking about retiring. Suppose she did: which species would be without any vet?",
            ids(left_alone("ATTENDS", the("Dr Amara Nwosu"))),
        ),
    ]


def spof():
    def single(typ, rel):
        return ids({x for x in g.t(typ) if len(g.inn(x, rel)) == 1})

    return [
        ("Which of our feeds come from one supplier only?", single("Feed", "SUPPLIES")),
        ("which enclosures have just one keeper on them", single("Enclosure", "CARES_FOR")),
    ]


def inverse():
    return [
        (
            "Could you tell me which enclosures don't have a sponsor at the moment?",
            ids(g.t("Enclosure") - g.out(g.t("Sponsor"), "SPONSORS")),
        ),
        (
            "wich keepers dont represent us in any breeding programme",
            ids(g.t("Keeper") - g.inn(g.t("Species"), "REPRESENTS")),
        ),
    ]


def compare():
    pair = the("Nadia Kowalczyk"), the("Callum Reid")
    rota = [len(g.out(k, "CARES_FOR")) for k in pair]
    both = the("giraffes"), the("lemurs")
    diets = [g.out(s, "EATS") for s in both]
    return [
        (
            "Nadia Kowalczyk or Callum Reid: who's on the rota of more enclosures?",
            cmp_(*pair, counts={"Enclosure": rota}, higher=pair[rota[0] < rota[1]]),
        ),
        (
            "Compare what the giraffes and the lemurs eat: how many feeds does each of them get, and which do they have in common?",
            cmp_(
                *both,
                counts={"Feed": [len(d) for d in diets]},
                shared={"Feed": sorted(diets[0] & diets[1])},
            ),
        ),
    ]


def combined():
    cases = g.t("HealthCase", lambda r: r["status"] == "open")
    grave = g.where(cases, lambda r: r["severity"] in ("high", "critical"))
    ill = g.out(g.out(grave, "CONCERNS"), "BELONGS_TO")
    small = g.t("Enclosure", lambda r: r["area_m2"] < 500)
    return [
        (
            "Which animals born after 1 January 2015 are patients in a case that's still open?",
            ids(g.where(g.out(cases, "CONCERNS"), lambda r: r["born"] > "2015-01-01")),
        ),
        (
            "Which senior keepers look after an enclosure of less than 500 square metres?",
            ids(g.where(g.inn(small, "CARES_FOR"), lambda r: r["grade"] == "senior keeper")),
        ),
        (
            "For the board's risk paper: which species have a patient in an open case rated high or critical and only one vet looking after them?",
            ids({s for s in ill if len(g.inn(s, "ATTENDS")) == 1}),
        ),
    ]


def unanswerable():
    return [
        (
            "Which enclosures does Farrant look after?",
            no("ambiguous", *g.t("Keeper", lambda r: r["name"].endswith(" Farrant"))),
        ),
        ("Which volunteers help out at Lemur Walk?", no("not_in_schema")),
    ]


GRAPH = [
    lookup, multi_hop, downstream, path, aggregation, temporal,
    what_if, spof, inverse, compare, combined, unanswerable,
]  # fmt: skip
