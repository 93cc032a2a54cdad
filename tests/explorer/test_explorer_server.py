"""The explorer's server: what it answers, and all that it refuses."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from amazons_solver import Deal, Knowledge, Limits, Rules, State
from amazons_solver.explorer import explorer_page, space_around
from amazons_solver.explorer import server as server_module
from amazons_solver.explorer.codes import code_of
from amazons_solver.explorer.page import fragment
from amazons_solver.explorer.server import ExplorerServer

RULES = Rules(suits="CD", ranks="A78", withhold="any")
START = State.initial(Deal.numbered(0, RULES), RULES)
CODE = code_of(START)


@pytest.fixture
def server() -> Iterator[ExplorerServer]:
    knowledge = Knowledge()
    page = explorer_page(space_around([START], knowledge=knowledge, most=5), START, served=True)
    with ExplorerServer(page, RULES, knowledge=knowledge) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def ask(
    server: ExplorerServer, target: str, method: str = "GET", headers: dict[str, str] | None = None
) -> tuple[int, bytes, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    try:
        connection.request(method, target, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read(), response.headers
    finally:
        connection.close()


def test_it_listens_on_loopback_only(server: ExplorerServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


def test_the_page_is_at_the_root(server: ExplorerServer) -> None:
    status, body, headers = ask(server, "/")
    assert (status, body) == (200, server.page)
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Access-Control-Allow-Origin"] is None
    assert headers["Server"] == "amazons-solver"


def test_it_answers_for_a_state_as_the_library_does(server: ExplorerServer) -> None:
    status, body, headers = ask(server, f"/around?state={CODE}&most=20")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    expected = fragment(space_around([START], knowledge=Knowledge(), most=20))
    assert json.loads(body) == json.loads(json.dumps(expected))


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "LOCALHOST"])
def test_its_own_names_are_taken(server: ExplorerServer, name: str) -> None:
    assert ask(server, "/", headers={"Host": f"{name}:{server.server_port}"})[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "localhost.evil:{port}"]
)
@pytest.mark.parametrize("target", ["/", f"/around?state={CODE}&most=1"])
def test_a_foreign_host_is_refused(server: ExplorerServer, host: str, target: str) -> None:
    status, body, _ = ask(server, target, headers={"Host": host.format(port=server.server_port)})
    assert status == 403
    assert b"<" not in body


@pytest.mark.parametrize(
    ("site", "expected"), [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403), ("", 403)]
)
def test_another_site_cannot_make_it_work(server: ExplorerServer, site: str, expected: int) -> None:
    headers = {"Sec-Fetch-Site": site}
    assert ask(server, f"/around?state={CODE}&most=1", headers=headers)[0] == expected
    assert ask(server, "/", headers=headers)[0] == 200  # a link to the page is no harm


def test_a_request_without_host_is_refused(server: ExplorerServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert b" 403 " in connection.makefile("rb").readline()


@pytest.mark.parametrize(
    "target",
    [
        "/index.html",
        "/favicon.ico",
        "/around/",
        "/static/explorer.js",
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/?x=1",
        "/%00",
        "/around%00",
        "//127.0.0.1/around",
    ],
)
def test_other_paths_are_not_there(server: ExplorerServer, target: str) -> None:
    assert ask(server, target)[0] == 404


@pytest.mark.parametrize(
    "request_lines",
    [
        "GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example",
        "GET http://evil.example/ HTTP/1.1\r\nHost: {host}",
        "GET http://[x/ HTTP/1.1\r\nHost: {host}",
    ],
)
def test_requests_that_no_browser_sends_are_refused(server: ExplorerServer, request_lines: str) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        sent = request_lines.format(host=f"127.0.0.1:{server.server_port}") + "\r\nConnection: close\r\n\r\n"
        connection.sendall(sent.encode())
        assert b" 400 " in connection.makefile("rb").readline()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "BREW"])
@pytest.mark.parametrize("target", ["/", f"/around?state={CODE}&most=1", "/nowhere"])
def test_other_methods_are_refused(server: ExplorerServer, method: str, target: str) -> None:
    status, _, headers = ask(server, target, method)
    assert (status, headers["Allow"]) == (405, "GET")


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "",
        "state=",
        f"state={CODE}",
        "most=5",
        f"state={CODE}&most=0",
        f"state={CODE}&most=301",
        f"state={CODE}&most=-1",
        f"state={CODE}&most=1e3",
        f"state={CODE}&most={quote('٣')}",
        f"state={CODE}&most=",
        f"state={CODE}&most=5&more=1",
        f"state={CODE}&state={CODE}",
        f"state={CODE}&most=5&most=5",
        "state=7C&most=5",
        "state=../../etc/passwd&most=5",
        f"state={quote(START.text())}&most=5",
        "state=%00&most=5",
        "state=%FF%FE&most=5",
        f"state={CODE[:-4]}&most=5",
        f"state={CODE}_1&most=5",
        f"state={CODE.replace('AD', 'AC')}&most=5",
        f"state={CODE.replace('8D', 'KD')}&most=5",
        "&&&",
        "state",
    ],
)
def test_malformed_questions_are_refused(server: ExplorerServer, query: str) -> None:
    status, body, headers = ask(server, f"/around?{query}")
    assert status == 400, body
    assert headers["Content-Type"].startswith("text/plain")
    assert len(body) < 300


def test_huge_questions_are_refused(server: ExplorerServer) -> None:
    assert ask(server, f"/around?state={'A' * 5_000}&most=5")[0] == 414
    assert ask(server, "/" + "x" * 70_000)[0] == 414
    assert ask(server, "/", headers={f"X-{i}": "x" for i in range(200)})[0] == 431
    assert ask(server, "/")[0] == 200


def test_after_nonsense_it_still_answers(server: ExplorerServer) -> None:
    for nonsense in (b"\0\xff\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b""):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
            connection.sendall(nonsense)
    assert ask(server, "/")[0] == 200


def test_the_work_for_one_request_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    # 28 cards, of which the model decides few at once: one state is given up, and it is said that nothing is known.
    rules = Rules(withhold="any", gather="right-over-left", idle_passes=2)
    state = State.initial(Deal.numbered(1, rules), rules)
    monkeypatch.setattr(server_module, "SECONDS", 0.2)
    with ExplorerServer("", rules, limits=Limits(states=1), knowledge=Knowledge()) as server:
        started = time.monotonic()
        answer = json.loads(server.around(code_of(state), 300))
        assert time.monotonic() - started < 5
    assert len(answer["states"]) <= 300
    assert answer["statuses"][0] == "?"
    assert set(answer["statuses"]) <= {"?", "b"}  # that there is no move shows in a state alone


def test_limits_are_never_above_the_server_s_own() -> None:
    assert server_module._within(Limits()).seconds == server_module.SECONDS
    assert server_module._within(Limits(seconds=100, states=10**12)) == server_module._within(Limits())
    assert server_module._within(Limits(seconds=0.5, states=3)).states == 3


def test_who_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch, server: ExplorerServer) -> None:
    monkeypatch.setattr(server_module, "SECONDS", 0.01)
    with server._one_at_a_time:
        assert ask(server, f"/around?state={CODE}&most=1")[0] == 503


@pytest.mark.compiled
def test_what_was_found_out_is_forgotten_in_time(monkeypatch: pytest.MonkeyPatch, server: ExplorerServer) -> None:
    monkeypatch.setattr(server_module, "_MOST_REMEMBERED", 2)
    before = server._knowledge
    first = ask(server, f"/around?state={CODE}&most=3")[1]
    assert server._knowledge is before
    second = ask(server, f"/around?state={CODE}&most=3")[1]
    assert server._knowledge is not before
    assert json.loads(first)["statuses"] == json.loads(second)["statuses"]
