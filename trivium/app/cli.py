"""The command line: serve, load, mutate, changes, undo, export, ask, route, train, templates.

And eval, keys, mcp, misroutes and status; and bench, in a checkout.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from trivium.app import (
    asking,
    changing,
    commands,
    connecting,
    evaluating,
    issuing,
    reviewing,
    templating,
)
from trivium.app.arguments import Command, Commands, given
from trivium.app.logs import configure_logs
from trivium.app.models import parse
from trivium.app.mutating import ChangesQuery
from trivium.app.settings import Settings
from trivium.domain.errors import TriviumError
from trivium.domain.knowledge import ChangeKind

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
        run: Command = options.run
        return asyncio.run(run(options, settings))
    except TriviumError as error:
        print(f"trivium: {error}", file=sys.stderr)
        for where, what in getattr(error, "errors", ()):
            print(f"  {where}: {what}", file=sys.stderr)
        return _FAILED
    except BrokenPipeError:
        return _FAILED
    except KeyboardInterrupt:
        return _FAILED


async def _serve(options: argparse.Namespace, settings: Settings) -> int:
    placed, accepted = _placed(settings, options), options.accept_changes
    return await commands.serve(placed, data=options.load, is_accepted=accepted)


async def _status(options: argparse.Namespace, settings: Settings) -> int:
    return await commands.status(settings, as_json=options.json)


async def _train(options: argparse.Namespace, settings: Settings) -> int:
    return await changing.train(settings, as_json=options.json)


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
            wanted = parse(ChangesQuery, given(options, names))
            return await changing.changes(settings, wanted, as_json=options.json)


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

    _add_serving(commands_)
    _add_changing(commands_)
    reviewing.add_to(commands_)
    for name, what in (("ask", "answer"), ("route", "say which tiers would be asked for")):
        _add_answering(commands_, name, what)
    templating.add_to(commands_)
    issuing.add_to(commands_)
    connecting.add_to(commands_)
    evaluating.add_to(commands_)
    _add_watching(commands_)
    return top


def _add_serving(commands_: Commands) -> None:
    serve = commands_.add_parser("serve", help="serve the home over HTTP")
    serve.set_defaults(run=_serve)
    serve.add_argument("--host", help="the address to listen on")
    serve.add_argument("--port", type=int, help="the port to listen on")
    serve.add_argument(
        "--load", type=Path, metavar="DIR", help="load this data set first; unchanged parts stay"
    )
    load = commands_.add_parser("load", help="load a data set into the home")
    load.set_defaults(run=_change)
    load.add_argument("directory", type=Path, metavar="DIR", help="the data set")
    for loading in (serve, load):
        loading.add_argument(
            "--accept-changes",
            action="store_true",
            help="load it although its changed schema changes answers of its questions.jsonl",
        )


def _add_answering(commands_: Commands, name: str, what: str) -> None:
    parts = commands_.add_parser(name, help=f"{what} one question, or a file of them")
    parts.set_defaults(run=_answer)
    parts.add_argument("question", nargs="?", help="the question")
    parts.add_argument(
        "--batch", metavar="FILE", help='JSON Lines with "query" or "question"; "-" for stdin'
    )
    parts.add_argument("--data", type=Path, metavar="DIR", help="answer from this data set alone")
    parts.add_argument("--as-of", metavar="DATE", help="answer as of this day")
    parts.add_argument(
        "--tiers", nargs="+", choices=["cag", "rag", "graph"], help="ask these tiers"
    )
    parts.add_argument("--json", action="store_true", help="print the whole answer")
    if name == "ask":
        parts.add_argument(
            "--explain", action="store_true", help="tell how each word was understood"
        )


def _add_watching(commands_: Commands) -> None:
    train = commands_.add_parser(
        "train", help="train the router from confirmed ratings; it serves if it is no worse"
    )
    train.set_defaults(run=_train)
    train.add_argument("--json", action="store_true", help="print the whole report")

    status = commands_.add_parser("status", help="say who owns the home, and how it is")
    status.set_defaults(run=_status)
    status.add_argument("--json", action="store_true", help="print it as JSON")

    bench = commands_.add_parser("bench", help="measure, in a checkout of Trivium")
    bench.add_argument("name", choices=commands.BENCHES, help="what to measure")
    bench.add_argument("arguments", nargs=argparse.REMAINDER, help="--help tells which")


def _add_changing(commands_: Commands) -> None:
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
    for parts in (mutate, changes, undo, export):
        parts.set_defaults(run=_change)


if __name__ == "__main__":
    sys.exit(main())
