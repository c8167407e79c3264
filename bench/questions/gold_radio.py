"""A suite over all tiers for a radio broadcaster; gold of facts and graph computed from domains/radio.

usage: python3 gold_radio.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Of an attribute with a history, the latest value counts unless a day is named.
What it shares with other suites is in gold_suite.py."""

from gold_common import cmp_, ids, lead, mean, no, num, rank, yes
from gold_suite import Suite, doc

g = Suite("radio")
the, fact, pair, order = g.the, g.fact, g.pair, g.order

OPEN = g.t("Outage", lambda r: r["status"] == "open")
NOTICE = "notice-14-phone-ins-2026"
MINUTES = "minutes-programme-committee-2026-07"


def value():
    return [
        ("How tall is the mast at Carrick Law?", fact("Carrick Law", "mast_height_m")),
        ("old saltern, how many kW?", fact("Old Saltern", "power_kw")),
        ("When does Skerry Radio's licence run out?", fact("Skerry Radio", "licence_expires")),
        (
            "What does Highmast charge us just for turning up?",
            fact("Highmast Engineering", "callout_fee_eur"),
        ),
        (
            "I'm about to ring Dovetail Kitchens about their account. How much money do they still owe us at this point?",
            fact("Dovetail Kitchens", "unpaid_invoices_eur"),
        ),
        ("running time of the wrangle pls", fact("The Wrangle", "length_minutes")),
        (
            "HR wants to send Tomasz Wilk an anniversary card; could you tell me on which date he came to us?",
            fact("Tomasz Wilk", "joined"),
        ),
        (
            "According to the latest survey, how many people listen to Harbour FM in a week?",
            fact("Harbour FM", "weekly_reach"),
        ),
        (
            "How many minutes of transmission did the copper theft at Old Saltern cost us?",
            fact("Old Saltern copper theft", "minutes_off_air"),
        ),
        (
            "The fire insurers have asked for the size of the Lantern Room, so how many square metres is it?",
            fact("Lantern Room", "floor_area_m2"),
        ),
    ]


def history():
    return [
        (
            "What was Goldwave's weekly reach as of 31 March 2026?",
            fact("Goldwave", "weekly_reach", on="2026-03-31"),
        ),
        (
            "zest gyms - what was still unpaid on their account on 30 June?",
            fact("Zest Gyms", "unpaid_invoices_eur", on="2026-06-30"),
        ),
        (
            "For how many hours was Quay Studio 1 booked in June 2026?",
            fact("Quay Studio 1", "hours_booked_last_month", on="2026-06-30"),
        ),
    ]


def profile():
    return [
        ("Who is Yusuf Adeyemi?", fact("Yusuf Adeyemi", "contract", "joined")),
        ("gimme the basics on the Kirkholm site", fact("Kirkholm", "band", "commissioned")),
        (
            "A short profile of Quill Insurance, please.",
            fact("Quill Insurance", "industry", "town"),
        ),
    ]


def comparison():
    return [
        (
            "Which of the two lists is longer, Gold Standard or Peat and Fiddle?",
            pair("Gold Standard", "Peat and Fiddle", "tracks"),
        ),
        (
            "audience share: Pulse North or Talk Estuary, who's ahead?",
            pair("Pulse North", "Talk Estuary", "audience_share_percent"),
        ),
        (
            "Who has been with the company longer, Carmel Quigley or Hamish Orde?",
            pair("Carmel Quigley", "Hamish Orde", "joined"),
        ),
    ]


def ranking():
    return [
        ("Top three stations by weekly reach", order("Station", "weekly_reach", 3)),
        ("whats our most powerfull transmitter", order("Transmitter", "power_kw", 1)),
        (
            "Could you put all the contractors in order of what they charge for a call-out, cheapest first?",
            order("Contractor", "callout_fee_eur", up=True),
        ),
    ]


def unknown():
    return [
        ("What power does the Fallowmere transmitter run at?", no("unknown_entity")),
        ("whats lottie brandts phone number", no("not_in_schema")),
    ]


def superseded():
    old = "notice-14-phone-ins-2023"
    return [
        (
            "How many seconds of delay do we have to run on a phone-in?",
            doc(NOTICE, "12 seconds", without=["7 seconds"]),
        ),
        (
            "how old do you have to be to enter one of our competitions?",
            doc(NOTICE, "18 or over", without=["16 or over"]),
        ),
        (
            "A lawyer is asking about a caller from last week, so I need to know how long we hold on to recordings of calls before they're wiped.",
            doc(NOTICE, "90 days", without=["42 days"]),
        ),
        (
            "Under the old standing notice from 2023, how long did a winner have to pick up a prize?",
            doc(old, "28 days"),
        ),
    ]


def regulation():
    return [
        (
            "At what wind speed do Highmast's riggers have to stop climbing?",
            doc("agreement-highmast", "14 metres per second"),
        ),
        (
            "Suppose Morag left the breakfast show for good: what does the Seabright contract then allow the sponsor to do, and within what time?",
            doc("sponsorship-seabright", "withdraw", "60 days"),
        ),
        (
            "How many hours of home-made output a day does Skerry Radio's licence ask for, according to the regulator's letter?",
            doc("letter-regulator-skerry", "7 hours"),
        ),
        (
            "freelancer driving own car to an OB, what do we pay per km",
            doc("handbook-freelance-presenters", "0.38"),
        ),
    ]


def procedure():
    runbook = "runbook-dead-air"
    return [
        (
            "When a station goes silent, after how many seconds does the emergency loop come on by itself?",
            doc(runbook, "45 seconds"),
        ),
        (
            "playout server's died on my shift!! can i reboot it right away or do i have to wait",
            doc(runbook, "3 minutes"),
        ),
        (
            "By what time must a freelancer who is ill ring in if they're down for breakfast?",
            doc("handbook-freelance-presenters", "04:30"),
        ),
        (
            "A caller swore and it went out. What does the presenter have to do first?",
            doc(NOTICE, "apologises at once", without=["within 10 minutes"]),
        ),
    ]


def reason():
    return [
        (
            "Why didn't the reserve transmitter at Carrick Law kick in when lightning struck in May?",
            doc("incident-carrick-law", "manual"),
        ),
        (
            "I keep hearing that the choir has to leave the Lantern Room for a while. What exactly is causing the hum on the Vespers recordings?",
            doc("emails-vespers-recording", "ventilation"),
        ),
        (
            "How come Skerry Radio fell short on local programmes in February?",
            doc("letter-regulator-skerry", "parental leave"),
        ),
        ("why was the night shift podcast turned down", doc(MINUTES, "music rights")),
    ]


def said():
    return [
        (
            "Who came up with recording Vespers at St Brannock's?",
            doc("emails-vespers-recording", "Ben Sallow"),
        ),
        (
            "What did the programme committee settle in July about the length of Money Down the Drain?",
            doc(MINUTES, "90 minutes"),
        ),
    ]


def lookup():
    dial = g.edge(the("Gannet Point"), "CARRIES", the("Skerry Radio"))
    zest = g.out(the("Zest Gyms"), "SPONSORS")
    return [
        ("whos in charge at talk estuary these days", ids(g.inn(the("Talk Estuary"), "HEADS"))),
        ("On what frequency does Gannet Point put out Skerry Radio?", num(dial["frequency_mhz"])),
        ("Is Zest Gyms still sponsoring Touchline?", yes(the("Touchline") in zest)),
    ]


def multi_hop():
    declan = g.out(the("Declan Furey"), "HOSTS")
    lantern = g.inn(the("Lantern Room"), "MADE_IN")
    return [
        (
            "Which companies put sponsorship money into a programme that Declan Furey is on?",
            ids(g.inn(declan, "SPONSORS")),
        ),
        (
            "On which of our stations can you hear something that's produced in the Lantern Room?",
            ids(g.inn(lantern, "AIRS")),
        ),
    ]


def downstream():
    lost = g.inn(the("Quay Studio 2"), "MADE_IN")
    return [
        (
            "If Carrick Law went dead, which other transmitters would lose their feed, counting those further down the chain as well?",
            ids(g.walk(the("Carrick Law"), "FED_BY", back=True)),
        ),
        (
            "Quay 2 is going to be shut for a while, and sales has to warn the sponsors of everything that's made there. Which advertisers should they ring?",
            ids(g.inn(lost, "SPONSORS")),
        ),
    ]


def path():
    way = g.paths(the("Zest Gyms"), the("The Vault"))
    return [
        ("What's the shortest chain of links between Zest Gyms and The Vault?", {"path": way}),
    ]


def aggregation():
    motors = [
        e["monthly_fee_eur"] for e in g.valid("SPONSORS") if e["source"] == the("Brackwater Motors")
    ]
    spots = [
        e["price_per_spot_eur"] for e in g.valid("ADVERTISES_ON") if e["target"] == the("Goldwave")
    ]
    return [
        (
            "How many euros a month does Brackwater Motors pay us in sponsorship, all its shows together?",
            num(sum(motors)),
        ),
        (
            "Taking the advertisers that have spots on Goldwave now, what's the plain average of the prices they pay per spot?",
            num(mean(spots)),
        ),
    ]


def temporal():
    harbour, list_ = the("Harbour FM"), the("Harbour A-List")
    picks = g.edge(the("Declan Furey"), "CURATES", list_)
    year = {
        e["target"]
        for e in g.valid("AIRS", on=None)
        if e["source"] == harbour
        and e["valid_from"] <= "2025-12-31"
        and (e["valid_to"] or "9999") >= "2025-01-01"
    }
    return [
        (
            "Who was hosting Homeward Bound on 3 March 2017?",
            ids(g.inn(the("Homeward Bound"), "HOSTS", "2017-03-03")),
        ),
        ("since when has Declan been picking the A-list", {"date": picks["valid_from"]}),
        (
            "Which shows were in Harbour FM's schedule at some point in 2025 but aren't in it any more today?",
            ids(year - g.out(harbour, "AIRS")),
        ),
    ]


def what_if():
    def left_alone(rel, node):
        return {x for x in g.out(node, rel) if g.inn(x, rel) == {node}}

    return [
        (
            "If Highmast walked out on us tomorrow, which sites would have no firm left to maintain them?",
            ids(left_alone("SERVICES", the("Highmast Engineering"))),
        ),
        (
            "DJ Kestrel is rumoured to be off to the competition. Which programmes would be left without any host if he went?",
            ids(left_alone("HOSTS", the("DJ Kestrel"))),
        ),
    ]


def spof():
    return [
        (
            "which programs have just one host",
            ids({x for x in g.t("Show") if len(g.inn(x, "HOSTS")) == 1}),
        ),
    ]


def inverse():
    harbour = the("Harbour FM")
    own = g.inn(g.out(harbour, "AIRS"), "SPONSORS")
    return [
        (
            "which shows havent got a sponser at the moment?",
            ids(g.t("Show") - g.out(g.t("Advertiser"), "SPONSORS")),
        ),
        (
            "I'd like a list of the advertisers who buy spots on Harbour FM, except for those who already sponsor one of the shows it airs.",
            ids(g.inn(harbour, "ADVERTISES_ON") - own),
        ),
    ]


def compare():
    hosts = the("Hamish Orde"), the("Gwen Ashdown")
    shows = [len(g.out(p, "HOSTS")) for p in hosts]
    stations = the("Pulse North"), the("Talk Estuary")
    sites = [g.inn(s, "CARRIES") for s in stations]
    return [
        (
            "Who hosts more programmes, Hamish Orde or Gwen Ashdown?",
            cmp_(*hosts, counts={"Show": shows}, higher=hosts[shows[0] < shows[1]]),
        ),
        (
            "Compare Pulse North and Talk Estuary for me: how many transmitters does each go out from, and which ones do they share?",
            cmp_(
                *stations,
                counts={"Transmitter": [len(s) for s in sites]},
                shared={"Transmitter": sorted(sites[0] & sites[1])},
            ),
        ),
    ]


def risk():
    grave = g.where(OPEN, lambda r: r["severity"] == "critical")
    kit = g.out(the("Ohmsworth Power"), "SERVICES")
    return [
        (
            "Which stations go out from a transmitter that has a critical outage open?",
            ids(g.out(g.out(grave, "STRIKES"), "CARRIES")),
        ),
        (
            "Ohmsworth's dispatcher is on the line and wants to know which unresolved outages are on sites or studios that they service. Which are they?",
            ids(OPEN & g.inn(kit, "STRIKES")),
        ),
    ]


def combined():
    small = g.t("Transmitter", lambda r: r["power_kw"] < 3)
    rich = {e["target"] for e in g.valid("SPONSORS") if e["monthly_fee_eur"] > 1800}
    free = g.where(g.inn(rich, "HOSTS"), lambda r: r["contract"] == "freelance")
    return [
        (
            "Which transmitters of less than 3 kW carry Harbour FM or Skerry Radio?",
            ids(small & g.inn([the("Harbour FM"), the("Skerry Radio")], "CARRIES")),
        ),
        (
            "Which freelancers are on the team of a show whose sponsor pays over 1800 euros a month?",
            ids(free),
        ),
    ]


def superlative():
    hours = g.total("AIRS", "source", "hours_per_week")
    return [
        (
            "Which advertiser books the most spots a week, all stations added up?",
            ids(lead(g.total("ADVERTISES_ON", "source", "spots_per_week"))),
        ),
        (
            "Rank the stations by the total weekly airtime of the shows in their schedules, biggest first.",
            rank(hours),
        ),
    ]


def unanswerable():
    return [
        (
            "Which shows does Ashdown present?",
            no("ambiguous", *g.t("Presenter", lambda r: r["name"].endswith(" Ashdown"))),
        ),
        ("Which record labels supply the tracks on Warehouse?", no("not_in_schema")),
    ]


def value_document():
    return [
        (
            "What's Highmast's call-out fee, and what do they credit us under the agreement for each hour an engineer is late?",
            fact("Highmast Engineering", "callout_fee_eur")
            | doc("agreement-highmast", "650 euros"),
        ),
        (
            "how many kilowatts does carrick law put out & why does the incident report say the lightning did so much damage?",
            fact("Carrick Law", "power_kw") | doc("incident-carrick-law", "earthing clamp"),
        ),
    ]


def value_graph():
    return [
        (
            "Mast height at Gannet Point, and which stations go out from there?",
            fact("Gannet Point", "mast_height_m") | ids(g.out(the("Gannet Point"), "CARRIES")),
        ),
        (
            "Before I call Fjordline Mattresses: how much have they got in unpaid invoices now, and which programmes do they sponsor?",
            fact("Fjordline Mattresses", "unpaid_invoices_eur")
            | ids(g.out(the("Fjordline Mattresses"), "SPONSORS")),
        ),
    ]


def document_graph():
    return [
        (
            "Who's on Touchline's on-air team now, and what did the July committee decide about commentary at cup matches?",
            doc(MINUTES, "second commentator") | ids(g.inn(the("Touchline"), "HOSTS")),
        ),
        (
            "Which transmitters carry Skerry Radio, and by what date does the regulator's letter want a plan from us?",
            doc("letter-regulator-skerry", "30 September")
            | ids(g.inn(the("Skerry Radio"), "CARRIES")),
        ),
    ]


def all_tiers():
    firm, skerry = "Seabright Ferries", "Skerry Radio"
    return [
        (
            "Seabright Ferries: what's their credit limit, which stations do they have spots on, and how long does the sponsorship contract give us to approve their scripts?",
            fact(firm, "credit_limit_eur")
            | doc("sponsorship-seabright", "5 working days")
            | ids(g.out(the(firm), "ADVERTISES_ON")),
        ),
        (
            "I'm visiting Skerry Radio on Thursday. What's its audience share, which shows does it air, and why were recordings missing for three days in February, going by the regulator's letter?",
            fact(skerry, "audience_share_percent")
            | doc("letter-regulator-skerry", "disk of the logger was full")
            | ids(g.out(the(skerry), "AIRS")),
        ),
    ]


def out_of_scope():
    return [
        ("brilliant, you've saved my morning. cheers!", no("out_of_scope")),
        ("Who sent the first wireless signal across the Atlantic?", no("out_of_scope")),
    ]


SETS = {
    ("cag",): [value, history, profile, comparison, ranking, unknown],
    ("rag",): [superseded, regulation, procedure, reason, said],
    ("graph",): [
        lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
        spof, inverse, compare, risk, combined, superlative, unanswerable,
    ],
    ("cag", "rag"): [value_document],
    ("cag", "graph"): [value_graph],
    ("rag", "graph"): [document_graph],
    ("cag", "rag", "graph"): [all_tiers],
    (): [out_of_scope],
}  # fmt: skip

g.write("rd", SETS)
