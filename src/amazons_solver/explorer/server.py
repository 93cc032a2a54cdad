"""The page's server, for one person on one machine: it listens on loopback only, and reads no file.

It answers two paths, ``/`` with the page and ``/around?state=CODE&most=N`` with what is found out about a state and
those around it. Nothing but GET is taken, from nobody but a page that was loaded under the server's own name, and each
request may cost so much work and no more: what was not decided by then is unknown, and may be asked for again.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import attrs

from amazons_solver.errors import NotationError
from amazons_solver.explorer.codes import LONGEST_CODE, parse_code
from amazons_solver.explorer.page import fragment
from amazons_solver.explorer.space import new_knowledge, space_around
from amazons_solver.hints.knowledge import Knowledge
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits

__all__ = ["ExplorerServer"]

MOST_AROUND: Final = 300
"""The most states in an answer."""
SECONDS: Final = 2.0
"""The most time that a request takes, except for the last state, which may take as long again."""
MOST_STATES: Final = 1_000_000
"""The most states that the search for one verdict stores."""
_MOST_REMEMBERED: Final = 20_000
"""Answers after which knowledge is dropped, so that it does not grow for ever."""
_LONGEST_TARGET = LONGEST_CODE + 100
_SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}


class ExplorerServer(ThreadingHTTPServer):
    """The server of one page. `serve_forever` answers until `shutdown`, or Ctrl-C in the main thread.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self,
        page: str,
        rules: Rules,
        *,
        port: int = 0,
        limits: Limits | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        """Listen on 127.0.0.1 and a port, a free one for 0.

        Args:
            page: the page, made with ``served=True``.
            rules: the rules of its states.
            port: where to listen.
            limits: when to give up on a single state, within the server's own limits.
            knowledge: what is known already.
        """
        super().__init__(("127.0.0.1", port), _Handler)
        self.page = page.encode()
        self.rules = rules
        self._knowledge = knowledge or new_knowledge(rules)
        self._limits = _within(limits or Limits())
        self._answers = 0
        self._one_at_a_time = threading.Lock()
        self.hosts = {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}
        if self.server_port == 80:  # which browsers leave out
            self.hosts |= {"127.0.0.1", "localhost"}

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.server_port}/"

    def around(self, code: str, most: int) -> bytes:
        """What is found out about a state and those around it, as JSON.

        Raises:
            NotationError: the code is that of no state of these rules.
            TimeoutError: others were asked for before, and are still being worked on.
        """
        state = parse_code(code, self.rules)
        if not self._one_at_a_time.acquire(timeout=3 * SECONDS):
            raise TimeoutError
        try:
            self._answers += 1
            if self._answers % _MOST_REMEMBERED == 0:
                self._knowledge = new_knowledge(self.rules)
            space = space_around([state], knowledge=self._knowledge, limits=self._limits, most=most, seconds=SECONDS)
        finally:
            self._one_at_a_time.release()
        return json.dumps(fragment(space), separators=(",", ":")).encode()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that hung up."""


def _within(limits: Limits) -> Limits:
    """The limits, none of them above the server's own."""
    return attrs.evolve(
        limits, states=min(limits.states or MOST_STATES, MOST_STATES), seconds=min(limits.seconds or SECONDS, SECONDS)
    )


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        hosts = self.headers.get_all("Host", [])
        if len(hosts) > 1 or not self.path.startswith("/"):
            self._refuse(400, "expected one host, and a path of this server")
            return
        if "".join(hosts).lower() not in self.server.hosts:
            self._refuse(403, f"expected the host {self.server.address}")
            return
        if len(self.path) > _LONGEST_TARGET:
            self._refuse(414, f"expected at most {_LONGEST_TARGET} characters")
            return
        try:
            target = urlsplit(self.path)
        except ValueError:
            self._refuse(400, "expected a path of this server")
            return
        if target.path == "/" and not target.query:
            self._answer(200, "text/html; charset=utf-8", self.server.page)
        elif target.path == "/around":
            # Another site's page may send the browser here, though it cannot read what comes of it.
            if self.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
                self._refuse(403, "expected to be asked by the page of this server")
                return
            self._around(target.query)
        else:
            self._refuse(404, "expected / or /around?state=CODE&most=N")

    def _around(self, query: str) -> None:
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=2)
            asked = dict(pairs)
            if set(asked) != {"state", "most"} or len(pairs) != 2:
                raise NotationError("expected state and most")
            if not (asked["most"].isascii() and asked["most"].isdecimal() and 1 <= int(asked["most"]) <= MOST_AROUND):
                raise NotationError(f"expected most from 1 to {MOST_AROUND}")
            answer = self.server.around(asked["state"], int(asked["most"]))
        except ValueError as error:  # those of parse_qsl, too
            self._refuse(400, str(error))
        except TimeoutError:
            self._refuse(503, "busy")
        else:
            self._answer(200, "application/json", answer)

    def _other_method(self) -> None:
        self.close_connection = True  # a body may follow that nobody reads
        self._refuse(405, "expected GET", {"Allow": "GET"})

    def _refuse(self, status: int, words: str, more: dict[str, str] | None = None) -> None:
        self._answer(status, "text/plain; charset=utf-8", f"{words}\n".encode(), more)

    def _answer(self, status: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), **_SECURITY_HEADERS, **(more or {})}
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self) -> str:
        """Not which Python answers."""
        return "amazons-solver"

    def __getattr__(self, name: str) -> Any:
        """Whatever the method is, there is an answer to it."""
        if name.startswith("do_"):
            return self._other_method
        raise AttributeError(name)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the name in the standard library)
        """Log nothing: the person sees the page."""
