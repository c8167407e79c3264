"""Blind questions for a group of observatories; gold computed from the data in domains/observatory.

usage: python3 gold_observatory.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
A programme observes from a site when one of its instruments is mounted on a telescope there."""

from gold_common import G, OUT, cmp_, ids, lead, no, num, numbered, rank, write

g = G(OUT / "domains" / "observatory")
PROGRAMMES, INSTRUMENTS, DETECTORS = g.t("Programme"), g.t("Instrument"), g.t("Detector")
TELESCOPES, ASTRONOMERS = g.t("Telescope"), g.t("Astronomer")


def the(name):
    """The one node of a name."""
    (i,) = [i for i, r in g.n.items() if r["name"] == name]
    return i


def users(instruments):
    return g.inn(instruments, "OBSERVES_WITH")


def sites(programme):
    return g.out(g.out(g.out(programme, "OBSERVES_WITH"), "MOUNTED_ON"), "STANDS_AT")


def total(rel, prop, end, x):
    return sum(e[prop] for e in g.valid(rel) if e[end] == x)


def nights(programme):
    return total("OBSERVES_WITH", "nights", "source", programme)


def single(pool, rel):
    return {x for x in pool if len(g.inn(x, rel)) == 1}


def lookup():
    granted = g.edge(the("Quasar Clock"), "OBSERVES_WITH", the("MERLIN"))
    return [
        ("Which telescope is HERON on now?", ids(g.out(the("HERON"), "MOUNTED_ON"))),
        ("How many nights has Quasar Clock been given on MERLIN?", num(granted["nights"])),
        ("Who leads Stellar Streams?", ids(g.inn(the("Stellar Streams"), "LEADS"))),
    ]


def multi_hop():
    inside = g.inn(the("AVOCET"), "BUILT_INTO")
    return [
        ("Which programmes use an instrument at Kea?", ids(users(g.inn(the("Kea"), "MOUNTED_ON")))),
        ("Which firms make the detectors inside AVOCET?", ids(g.inn(inside, "MAKES"))),
        (
            "Which sites does the programme that Owen Bradley leads observe from?",
            ids(sites(g.out(the("Owen Bradley"), "LEADS"))),
        ),
    ]


def downstream():
    made = g.out(the("Teralux"), "MAKES")
    fitted = g.out(made, "BUILT_INTO")
    blue = g.out(the("BlueSky CCD"), "BUILT_INTO")
    return [
        (
            "Give me everything downstream of Teralux: detectors, instruments and programmes.",
            ids(made | fitted | users(fitted)),
        ),
        (
            "Which programmes are hit by the shutter jam through the instruments they use?",
            ids(users(g.out(the("Shutter jam"), "AFFECTS"))),
        ),
        (
            "How many nights are granted in all on instruments that have a BlueSky CCD in them?",
            num(sum(total("OBSERVES_WITH", "nights", "target", i) for i in blue)),
        ),
    ]


def path():
    ends = the("Sakura Imaging"), the("Karoo Flats")
    used = g.out(the("Galactic Halo Census"), "OBSERVES_WITH")
    return [
        (
            "How is NordOptik connected to the Lunar Flash Watch?",
            {"path": g.paths(the("NordOptik"), the("Lunar Flash Watch"))},
        ),
        (
            "How many links long is the shortest way from Sakura Imaging to Karoo Flats?",
            num(len(g.paths(*ends)[0]) - 1),
        ),
        (
            "Which detectors link Helix Sensors to the Galactic Halo Census?",
            ids(g.out(the("Helix Sensors"), "MAKES") & g.inn(used, "BUILT_INTO")),
        ),
    ]


def aggregation():
    prices = [e["price_keur"] for e in g.valid("MAKES") if e["source"] == the("Helix Sensors")]
    return [
        (
            "Rank the telescopes by how much money they get from the institutes a year.",
            rank({t: total("FUNDS", "keur_year", "target", t) for t in TELESCOPES}),
        ),
        (
            "Which programme has the most nights granted, all its instruments taken together?",
            ids(lead({p: nights(p) for p in PROGRAMMES})),
        ),
        (
            "Average price of the detectors that Helix Sensors makes for us?",
            num(sum(prices) / len(prices)),
        ),
    ]


def movers(first, last):
    """The astronomers who left one institute and began at another within these days."""
    found = set()
    for a in ASTRONOMERS:
        posts = sorted(
            (e for e in g.valid("WORKS_AT", None) if e["source"] == a),
            key=lambda e: e["valid_from"],
        )
        found |= {a for e in posts[1:] if first <= e["valid_from"] <= last}
    return found


def temporal():
    plover = g.edge(the("PLOVER"), "MOUNTED_ON", the("Aurelia"))
    dusty = the("Dusty Disks Survey")
    led = [g.inn(dusty, "LEADS", day) for day in ("2018-01-01", "2018-07-01", "2018-12-31")]
    assert led[0] == led[1] == led[2]
    return [
        ("Until when was PLOVER mounted on Aurelia?", {"date": plover["valid_to"]}),
        ("Who was leading the Dusty Disks Survey in 2018?", ids(led[0])),
        (
            "Which astronomers have moved from one institute to another since 2020?",
            ids(movers("2020-01-01", "2026-08-01")),
        ),
    ]


def what_if():
    helix, aurelia = the("Helix Sensors"), the("Aurelia")
    lost = g.inn(aurelia, "MOUNTED_ON")
    return [
        (
            "If Helix Sensors stopped delivering, for which detectors would we have no maker left?",
            ids({d for d in DETECTORS if g.inn(d, "MAKES") == {helix}}),
        ),
        (
            "Suppose the Universidad de Almena pulls out its money: how much a year would our telescopes lose?",
            num(total("FUNDS", "keur_year", "source", the("Universidad de Almena"))),
        ),
        (
            "With Aurelia shut down, which programmes would be left without any instrument?",
            ids({p for p in PROGRAMMES if g.out(p, "OBSERVES_WITH") <= lost}),
        ),
    ]


def spof():
    one = {p for p in PROGRAMMES if len(g.out(p, "OBSERVES_WITH")) == 1}
    return [
        ("Which detectors can we get from a single maker only?", ids(single(DETECTORS, "MAKES"))),
        ("Which telescopes are funded by just one institute?", ids(single(TELESCOPES, "FUNDS"))),
        ("Which programmes hang on a single instrument?", ids(one)),
    ]


def inverse():
    first = g.t("Programme", lambda r: r["priority"] == "A")
    warm = g.out(g.t("Detector", lambda r: r["band"] == "infrared"), "BUILT_INTO")
    return [
        (
            "Which programmes don't observe from Mauna Iki at all?",
            ids({p for p in PROGRAMMES if the("Mauna Iki") not in sites(p)}),
        ),
        (
            "Which instruments are not used by any priority A programme?",
            ids(INSTRUMENTS - g.out(first, "OBSERVES_WITH")),
        ),
        ("How many instruments have no infrared detector in them?", num(len(INSTRUMENTS - warm))),
    ]


def compare():
    lyra, maia = the("Lyra Survey Telescope"), the("Maia")
    pair = the("Exo-Ring Search"), the("Stellar Streams")
    inside = [g.inn(the(i), "BUILT_INTO") for i in ("KESTREL", "LINNET")]
    return [
        (
            "Which has the larger mirror, Lyra or Maia?",
            cmp_(
                lyra,
                maia,
                mirror_m=[g.n[t]["mirror_m"] for t in (lyra, maia)],
                higher=max((lyra, maia), key=lambda t: g.n[t]["mirror_m"]),
            ),
        ),
        (
            "Compare the Exo-Ring Search with Stellar Streams: how many instruments, how many nights, what budget?",
            cmp_(
                *pair,
                instruments=[len(g.out(p, "OBSERVES_WITH")) for p in pair],
                nights=[nights(p) for p in pair],
                budget_keur=[g.n[p]["budget_keur"] for p in pair],
            ),
        ),
        ("Which detectors do KESTREL and LINNET have in common?", ids(inside[0] & inside[1])),
    ]


def risk():
    running = g.t("Outage", lambda r: r["status"] == "ongoing")
    hit = g.out(running, "AFFECTS")
    order = ["low", "medium", "high", "critical"]
    worst = lead({o: order.index(g.n[o]["severity"]) for o in running})
    return [
        ("Which makers have an ongoing outage?", ids(hit & g.t("Maker"))),
        ("What's the most severe outage going on right now?", ids(worst)),
        (
            "How many instruments contain a detector from a maker with an ongoing outage?",
            num(len(g.out(g.out(hit & g.t("Maker"), "MAKES"), "BUILT_INTO"))),
        ),
    ]


def combined():
    sole = g.out(single(DETECTORS, "MAKES"), "BUILT_INTO")
    spectro = g.where(sole, lambda r: r["kind"] == "spectrograph")
    day = "2025-03-01"
    down = g.out(g.t("Outage"), "AFFECTS", day) & INSTRUMENTS
    french = g.inn(g.t("Institute", lambda r: r["country"] == "France"), "WORKS_AT")
    return [
        (
            "Which priority A programmes use a spectrograph that has a single-maker detector in it?",
            ids(g.where(users(spectro), lambda r: r["priority"] == "A")),
        ),
        (
            "On 1 March 2025, which telescopes had an instrument affected by an outage?",
            ids(g.out(down, "MOUNTED_ON", day)),
        ),
        (
            "Which programmes with a budget over 400 thousand euros are led by someone at a French institute?",
            ids(g.where(g.out(french, "LEADS"), lambda r: r["budget_keur"] > 400)),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which telescope has the most direct links in the network?",
            ids(lead({t: degree[t] for t in TELESCOPES})),
        ),
        (
            "Taking all links as two-way, which instrument is the biggest bottleneck by betweenness?",
            ids(lead({i: between[i] for i in INSTRUMENTS})),
        ),
        ("How many direct links does Rafael Ortega have?", num(degree[the("Rafael Ortega")])),
    ]


def unanswerable():
    return [
        (
            "Which programmes does Vega take part in?",
            no("ambiguous", *g.t("Astronomer", lambda r: r["name"].endswith(" Vega"))),
        ),
        ("Which telescope carries the RAVEN spectrograph?", no("unknown_entity")),
        ("How much electricity does Kea use a year?", no("not_in_schema")),
    ]


write("observatory", numbered("ob", 42, globals()))
