"""PostgreSQL, really started: a cluster of its own in a temporary folder, on a free port."""

import contextlib
import os
import shutil
import socket
import subprocess
from pathlib import Path

import psycopg


def binaries():
    """Return the folder with initdb; Debian keeps it out of the path."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = [str(home) for home in homes if (home / "initdb").exists()]
    at = shutil.which("initdb", path=os.pathsep.join([*found, os.environ.get("PATH", "")]))
    assert at is not None, "PostgreSQL is not installed; scripts/test installs it as root"
    return Path(at).parent


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Postgres:
    """A cluster that can be stopped at once and started again."""

    def __init__(self, folder):
        self.folder, self.bin, self.port = Path(folder), binaries(), free_port()
        self.as_root = os.geteuid() == 0
        if self.as_root:
            shutil.chown(self.folder, "postgres", "postgres")
        self.data = self.folder / "data"
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync")
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(
                f"listen_addresses = '127.0.0.1'\nport = {self.port}\n"
                f"unix_socket_directories = '{self.folder}'\nmax_connections = 60\n"
            )
        self.start()

    def _run(self, program, *arguments):
        command = [str(self.bin / program), *map(str, arguments)]
        if self.as_root:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self):
        self._run("pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "start")

    def stop(self, mode="immediate"):
        self._run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def new_database(self, name):
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self._address(name)

    def _address(self, name):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"


@contextlib.contextmanager
def cluster(folder):
    server = Postgres(folder)
    try:
        yield server
    finally:
        with contextlib.suppress(AssertionError):
            server.stop()
