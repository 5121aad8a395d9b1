"""referee arena serve and demo: the site on a port."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from referee.cli.arena.options import Database, Directory, require_extra
from referee.cli.terminal.screen import note, say

__all__ = ["demo", "serve"]

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")]
Port = Annotated[int, typer.Option("--port", metavar="N", help="The port; 0 for a free one.")]


def serve(
    directory: Directory,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    database: Database = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", help="Processes; several need PostgreSQL.")
    ] = 1,
    trusted_proxy: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="A proxy whose X-Forwarded-For and X-Forwarded-Proto are believed.",
        ),
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="A line of JSON for each request on standard error.")
    ] = False,
) -> None:
    """Serve an arena until it is stopped; submissions in flight are finished first."""
    require_extra()
    from referee.arena.serve.serving import Serving
    from referee.arena.serve.serving import serve as run

    serving = Serving(
        directory=directory,
        host=host,
        port=port,
        database=database,
        workers=workers,
        trusted_proxy=trusted_proxy,
        log=log,
    )
    run(serving, ready=lambda address: note(f"serving {directory} on {address}"))


def demo(host: Host = "127.0.0.1", port: Port = 8000) -> None:
    """Show a whole site: handwritten digits, six teams, in a directory that goes away again."""
    require_extra()
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from referee.arena.demo import build_demo
    from referee.arena.serve.serving import Serving
    from referee.arena.serve.serving import serve as run

    with TemporaryDirectory(prefix="referee-arena-") as folder:
        note("fitting six teams' models on handwritten digits")
        site = build_demo(Path(folder))

        def ready(address: str) -> None:
            say(f"The arena is open: {address}")
            say(f"Board: {address}/benchmarks/{site.slug}/board")
            say(f"Sign in as {site.organiser!r} or {site.participant!r}, password {site.password}")
            say("Stop with Ctrl-C.")

        run(Serving(directory=site.directory, host=host, port=port), ready=ready)
