"""The command line: serve, load, mutate, changes, undo, export, ask, route, templates, status.

And misroutes; and bench, in a checkout.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from feedback.diagnosis import Kind
from feedback.export import ExportForm
from feedback.reports import ReportState
from trivium.app import asking, changing, commands, reviewing, templating
from trivium.app.logs import configure_logs
from trivium.app.misrouting import ExportQuery, MisroutesQuery
from trivium.app.models import parse
from trivium.app.mutating import ChangesQuery
from trivium.app.settings import Settings
from trivium.domain.errors import TriviumError
from trivium.domain.knowledge import ChangeKind
from trivium.domain.question import TierName

_USAGE, _FAILED = 2, 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 could not run, 2 bad usage."""
    options = parser().parse_args(arguments)
    if options.command == "bench":
        return commands.bench(options.name, options.arguments)
    try:
        settings = Settings()
    except ValidationError as error:
        for fault in error.errors():
            name = "_".join(str(part) for part in fault["loc"]).upper()
            print(f"trivium: TRIVIUM_{name}: {fault['msg']}", file=sys.stderr)
        return _USAGE
    level = "warning" if options.command != "serve" else settings.log_level
    configure_logs(level, settings.log_format)
    try:
        return asyncio.run(_run(options, settings))
    except TriviumError as error:
        print(f"trivium: {error}", file=sys.stderr)
        for where, what in getattr(error, "errors", ()):
            print(f"  {where}: {what}", file=sys.stderr)
        return _FAILED
    except BrokenPipeError:
        return _FAILED
    except KeyboardInterrupt:
        return _FAILED


async def _run(options: argparse.Namespace, settings: Settings) -> int:
    match options.command:
        case "serve":
            placed = _placed(settings, options)
            accepted = options.accept_changes
            return await commands.serve(placed, data=options.load, is_accepted=accepted)
        case "load" | "mutate" | "changes" | "undo" | "export":
            return await _change(options, settings)
        case "status":
            return await commands.status(settings, as_json=options.json)
        case "templates":
            if options.file is None:
                return await templating.list_templates(settings, options.data)
            return await templating.check_templates(settings, options.file, options.data)
        case "misroutes":
            return await _review(options, settings)
        case "ask" | "route":
            return await _answer(options, settings)
        case _:
            raise AssertionError(options.command)


async def _change(options: argparse.Namespace, settings: Settings) -> int:
    """Change the knowledge, or read how it changed."""
    match options.command:
        case "load":
            accepted = options.accept_changes
            return await changing.load(settings, options.directory, is_accepted=accepted)
        case "mutate":
            return await changing.mutate(settings, options.file)
        case "undo":
            return await changing.undo(settings, options.sequence)
        case "export":
            return await changing.export(settings, options.file)
        case _:
            names = ("since", "limit", "kind", "key", "source", "author")
            wanted = parse(ChangesQuery, _given(options, names))
            return await changing.changes(settings, wanted, as_json=options.json)


async def _review(options: argparse.Namespace, settings: Settings) -> int:
    """List or export misroute reports."""
    if options.step == "list":
        listed = parse(MisroutesQuery, _given(options, MisroutesQuery.model_fields))
        return await reviewing.list_misroutes(settings, listed, as_json=options.json)
    asked = parse(ExportQuery, _given(options, ExportQuery.model_fields))
    return await reviewing.export_misroutes(settings, asked, options.file)


def _given(options: argparse.Namespace, names: Iterable[str]) -> bytes:
    """Return those of some options that were given, as JSON."""
    given = {name: getattr(options, name) for name in names}
    return json.dumps({name: v for name, v in given.items() if v is not None}).encode()


async def _answer(options: argparse.Namespace, settings: Settings) -> int:
    """Ask or route one question or a batch of them."""
    if (options.question is None) == (options.batch is None):
        print(
            f'trivium {options.command}: give one question, or --batch FILE ("-" for standard '
            "input)",
            file=sys.stderr,
        )
        return _USAGE
    rows = asking.Rows.of_batch(options.batch) if options.batch else None
    if rows is None:
        row = {"query": options.question, "as_of": options.as_of, "tiers": options.tiers}
        rows = asking.Rows.of_one(json.dumps(row))
    is_text = options.batch is None and not options.json
    is_route = options.command == "route"
    is_explained = not is_route and options.explain
    if is_explained and not is_text:
        print("trivium ask: --explain goes with one question; JSON has it anyway", file=sys.stderr)
        return _USAGE
    shown = asking.Shown(as_text=is_text, is_explained=is_explained)
    return await asking.answer(settings, rows, shown, only_route=is_route, data=options.data)


def _placed(settings: Settings, options: argparse.Namespace) -> Settings:
    given = {"host": options.host, "port": options.port}
    return settings.model_copy(update={k: v for k, v in given.items() if v is not None})


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    top = argparse.ArgumentParser(
        prog="trivium",
        description="Answer questions from facts, documents and a graph; each can be checked.",
        epilog="Settings are read from the environment; see .env.example.",
    )
    commands_ = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands_.add_parser("serve", help="serve the home over HTTP")
    serve.add_argument("--host", help="the address to listen on")
    serve.add_argument("--port", type=int, help="the port to listen on")
    serve.add_argument(
        "--load", type=Path, metavar="DIR", help="load this data set first; unchanged parts stay"
    )

    load = commands_.add_parser("load", help="load a data set into the home")
    load.add_argument("directory", type=Path, metavar="DIR", help="the data set")
    for loading in (serve, load):
        loading.add_argument(
            "--accept-changes",
            action="store_true",
            help="load it although its changed schema changes answers of its questions.jsonl",
        )
    _add_changing(commands_)
    _add_reviewing(commands_)

    for name, what in (("ask", "answer"), ("route", "say which tiers would be asked for")):
        parts = commands_.add_parser(name, help=f"{what} one question, or a file of them")
        parts.add_argument("question", nargs="?", help="the question")
        parts.add_argument(
            "--batch", metavar="FILE", help='JSON Lines with "query" or "question"; "-" for stdin'
        )
        parts.add_argument(
            "--data",
            type=Path,
            metavar="DIR",
            help="answer from this data set alone",
        )
        parts.add_argument("--as-of", metavar="DATE", help="answer as of this day")
        parts.add_argument(
            "--tiers", nargs="+", choices=["cag", "rag", "graph"], help="ask these tiers"
        )
        parts.add_argument("--json", action="store_true", help="print the whole answer")
        if name == "ask":
            parts.add_argument(
                "--explain", action="store_true", help="tell how each word was understood"
            )

    templates = commands_.add_parser("templates", help="list templates of plans, or check a file")
    templates.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file to check")
    templates.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="hold them against this data set; of a file, show which answers of its suite change",
    )

    status = commands_.add_parser("status", help="say who owns the home, and how it is")
    status.add_argument("--json", action="store_true", help="print it as JSON")

    bench = commands_.add_parser("bench", help="measure, in a checkout of Trivium")
    bench.add_argument("name", choices=commands.BENCHES, help="what to measure")
    bench.add_argument("arguments", nargs=argparse.REMAINDER, help="--help tells which")
    return top


def _add_changing(commands_: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    mutate = commands_.add_parser("mutate", help="change the graph: all of a file, or nothing")
    mutate.add_argument("file", metavar="FILE", help='JSON Lines of mutations; "-" for stdin')

    changes = commands_.add_parser("changes", help="print what was changed, when, and by whom")
    changes.add_argument("--since", type=int, metavar="N", help="those after change N")
    changes.add_argument("--limit", type=int, metavar="N", help="N at most (100)")
    changes.add_argument("--kind", choices=[kind.value for kind in ChangeKind])
    for name in ("key", "source", "author"):
        changes.add_argument(f"--{name}", help=f"those of this {name}")
    changes.add_argument("--json", action="store_true", help="print before and after too")

    undo = commands_.add_parser("undo", help="take a change back")
    undo.add_argument("sequence", type=int, metavar="N", help="the number of the change")

    export = commands_.add_parser("export", help="write the graph as node-link JSON")
    export.add_argument("file", metavar="FILE", help='the file to write; "-" for stdout')


def _add_reviewing(commands_: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    misroutes = commands_.add_parser("misroutes", help="list or export what was rated down")
    steps = misroutes.add_subparsers(dest="step", required=True, metavar="STEP")
    listing = steps.add_parser("list", help="print reports, oldest first")
    listing.add_argument("--after", type=int, metavar="N", help="those after report number N")
    listing.add_argument("--limit", type=int, metavar="N", help="N at most (100)")
    listing.add_argument("--json", action="store_true", help="print all that is known of them")
    export = steps.add_parser("export", help="write all reports, with labels and comments")
    export.add_argument("file", metavar="FILE", help='the file to write; "-" for stdout')
    export.add_argument("--format", choices=list(ExportForm), help="csv is the default")
    for step in (listing, export):
        step.add_argument("--state", choices=list(ReportState))
        step.add_argument("--kind", choices=list(Kind), help="what seems to have gone wrong")
        step.add_argument("--given", choices=list(TierName), help="those that went to this tier")
        step.add_argument("--proposed", choices=list(TierName), help="those proposed for this tier")
        step.add_argument("--rater", help="those of this rater")
        step.add_argument("--tenant", help="those of this tenant")
        step.add_argument("--since", metavar="DATE", help="those opened from then on")


if __name__ == "__main__":
    sys.exit(main())
