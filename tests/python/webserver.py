"""A real web server on the loopback interface that remembers what it was asked."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# No test asks a server for more; a crawler that has run wild is refused.
REQUESTS_MOST = 20_000
SECONDS_MOST = 60


@dataclass
class Request:
    """What was asked, when, and how it was answered."""

    target: str
    method: str
    headers: dict[str, str]
    began: float
    status: int = 0
    sent: int = 0
    ended: float | None = None


@dataclass(frozen=True)
class Answer:
    """An ordinary response."""

    body: bytes = b""
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def head(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}", f"Content-Length: {len(self.body)}"]
        if self.status not in (204, 304):
            lines.append(f"Content-Type: {self.media_type}")
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Exchange:
    """A connection on which a misbehaving server may send what it likes."""

    def __init__(self, handler: "Handler", request: Request, stopping: threading.Event):
        self.handler, self.request, self.stopping = handler, request, stopping

    def send(self, data: bytes):
        self.handler.wfile.write(data)
        self.request.sent += len(data)

    def wait(self, seconds: float):
        """Until then, or until the server is stopped."""
        self.stopping.wait(seconds)


class Handler(BaseHTTPRequestHandler):
    """Each response is one write: two would wait for each other's acknowledgement."""

    protocol_version = "HTTP/1.1"
    timeout = SECONDS_MOST

    def do_GET(self):
        self.server.owner.answer(self)

    do_HEAD = do_POST = do_PUT = do_OPTIONS = do_GET

    def log_message(self, *_):
        pass


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """The other side may hang up at any time."""


class Server:
    """Answers by a function of the request, in threads of its own, until the `with` block ends.

    The function returns an answer, or another function that is given the connection."""

    def __init__(self, respond: Callable[[Request], Answer | Callable[[Exchange], None]]):
        self.respond = respond
        self.log: list[Request] = []
        self.most_at_once = 0
        self.busy = 0
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.listener.owner = self
        self.port = self.listener.server_address[1]
        self.thread = threading.Thread(target=self.listener.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "Server":
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.listener.shutdown()
        self.listener.server_close()
        self.thread.join(SECONDS_MOST)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def targets(self) -> list[str]:
        """Everything that was asked for, in order."""
        return [request.target for request in list(self.log)]

    def pages(self) -> list[str]:
        """The same without what every crawler asks a host first."""
        return [target for target in self.targets() if target != "/robots.txt" and not target.startswith("/sitemap")]

    def answer(self, handler: Handler):
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Request(handler.path, handler.command, headers, time.monotonic())
        with self.lock:
            self.log.append(request)
            self.busy += 1
            self.most_at_once = max(self.most_at_once, self.busy)
        try:
            answer = self.respond(request) if len(self.log) <= REQUESTS_MOST else (lambda _: None)
            if not isinstance(answer, Answer):
                handler.close_connection = True
                answer(Exchange(handler, request, self.stopping))
        finally:
            # Before the last byte is sent: whoever has it may ask for more at once.
            with self.lock:
                self.busy -= 1
        if isinstance(answer, Answer):
            request.status = answer.status
            data = answer.head() + (b"" if request.method == "HEAD" else answer.body)
            request.sent = len(data)
            handler.wfile.write(data)
        request.ended = time.monotonic()
