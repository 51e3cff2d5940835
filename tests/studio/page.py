"""A page of the studio, without a browser: what it says, byte by byte, and what it is told."""

import base64
import hashlib
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds that only a hang takes
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FRAMES = {1: "height", 2: "ground", 3: "light", 4: "water", 5: "overlay", 6: "mesh", 7: "picture", 8: "still"}


class Closed(Exception):
    """The socket has ended; `code` as its close frame has it."""

    def __init__(self, code=None, reason=""):
        super().__init__(f"closed: {code} {reason}")
        self.code = code


class Studio:
    """The program while it serves."""

    def __init__(self, recipe, folder=None, words=(), program=None):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = folder or self.scratch.name
        program = program or os.environ["TEPUI_PROGRAM"]
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.process = subprocess.Popen(
            [program, "studio", str(recipe), "--no-open", "--no-cache", *words],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{64})", self.line)
        if not found:
            self.process.kill()
            raise RuntimeError(self.line + self.process.stderr.read())
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"
        self.key = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.scratch.cleanup()

    def end(self, how=signal.SIGINT):
        """Ends it as a user does; returns its exit code and what it said on standard error."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain

    def ask(self, data, patience=PATIENCE):
        """Sends bytes and returns all that comes back until the end."""
        with self.connect() as plain:
            plain.settimeout(patience)
            try:
                plain.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            answer = b""
            try:
                while block := plain.recv(65536):
                    answer += block
            except ConnectionResetError:
                pass
            return answer

    def get(self, target="/", fields=(), host=None, method="GET"):
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host or self.host}", *fields, "", ""]
        return self.ask("\r\n".join(lines).encode("latin-1"))

    def page(self, **how):
        """A page that has been let in."""
        page = Page(self)
        page.greet(**how)
        return page

    def memory(self):
        """Bytes that it holds now."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def upgrade_head(studio, **changes):
    """The head of a good upgrade, but for the changes; None leaves a field out."""
    fields = {
        "Host": studio.host,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Origin": studio.origin,
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode(),
        "Sec-WebSocket-Protocol": "tepui-1",
    }
    target = changes.pop("target", "/live")
    for name, value in changes.items():
        fields[name.replace("_", "-")] = value
    lines = [f"GET {target} HTTP/1.1"]
    for name, value in fields.items():
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                lines.append(f"{name}: {each}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def frame(opcode, payload, fin=True, masked=True):
    head = bytes([(0x80 if fin else 0) | opcode])
    flag = 0x80 if masked else 0
    if len(payload) < 126:
        head += bytes([flag | len(payload)])
    elif len(payload) < 65536:
        head += bytes([flag | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", len(payload))
    if not masked:
        return head + payload
    mask = os.urandom(4)
    whole = (mask * (len(payload) // 4 + 1))[: len(payload)]
    mixed = (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(payload), "big")
    return head + mask + mixed


class Page:
    """The socket of a page."""

    def __init__(self, studio, **changes):
        self.studio = studio
        self.socket = studio.connect()
        self.socket.sendall(upgrade_head(studio, **changes))
        self.waiting = b""
        self.texts, self.frames = [], []
        self.last_id = 0
        self.key = None
        self.credits = True
        head = self._head()
        self.status = int(head.split(b" ", 2)[1])
        if self.status == 101:
            expected = base64.b64encode(hashlib.sha1((base64.b64encode(b"0123456789abcdef").decode() + GUID).encode()).digest())
            assert expected in head, head
        self.head = head

    def _head(self):
        while b"\r\n\r\n" not in self.waiting:
            block = self.socket.recv(65536)
            if not block:
                raise Closed()
            self.waiting += block
        head, self.waiting = self.waiting.split(b"\r\n\r\n", 1)
        return head

    def _bytes(self, count):
        while len(self.waiting) < count:
            try:
                block = self.socket.recv(1 << 20)
            except ConnectionResetError:
                raise Closed() from None
            if not block:
                raise Closed()
            self.waiting += block
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return taken

    def send_frame(self, opcode, payload, **how):
        try:
            self.socket.sendall(frame(opcode, payload, **how))
        except (BrokenPipeError, ConnectionResetError):
            raise Closed() from None

    def send(self, text):
        self.send_frame(1, text.encode() if isinstance(text, str) else text)

    def receive(self):
        """The next message: a dict of a text, (kind, head, cells) of a binary frame."""
        whole, opcode = b"", None
        while True:
            first, second = self._bytes(2)
            length = second & 0x7F
            assert not second & 0x80, "a server masks nothing"
            if length == 126:
                length = struct.unpack(">H", self._bytes(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._bytes(8))[0]
            payload = self._bytes(length)
            kind = first & 0x0F
            if kind == 8:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None
                raise Closed(code, payload[2:].decode())
            if kind == 9:
                self.send_frame(10, payload)
                continue
            if kind == 10:
                continue
            opcode = kind or opcode
            whole += payload
            if first & 0x80:
                break
        if opcode == 1:
            return json.loads(whole)
        assert len(whole) <= 1 << 20
        number, size = struct.unpack("<II", whole[:8])
        if self.credits:
            self.send(json.dumps({"do": "credit", "bytes": len(whole)}))
        return FRAMES[number], json.loads(whole[8 : 8 + size]), whole[8 + size :]

    def ready(self, seconds=0.0):
        """Whether something has come."""
        return bool(self.waiting) or bool(select.select([self.socket], [], [], seconds)[0])

    def greet(self, token=None, key=None, page=None):
        greeting = {"do": "greet", "page": page if page is not None else page_build(self.studio)}
        if key:
            greeting["key"] = key
        else:
            greeting["token"] = token or self.studio.token
        self.send(json.dumps(greeting))
        self.welcome = self.until("welcome")
        self.key = self.studio.key = self.welcome["key"]
        return self.welcome

    def until(self, say, **facts):
        """Receives until the program says this with these facts, and keeps the rest."""
        while True:
            message = self.receive()
            if isinstance(message, tuple):
                self.frames.append(message)
                continue
            self.texts.append(message)
            if message.get("say") == say and all(message.get(k) == v for k, v in facts.items()):
                return message

    def ask(self, do, **what):
        """Asks and waits for the answer."""
        self.last_id += 1
        self.send(json.dumps({"do": do, "id": self.last_id, **what}))
        return self.until_answer(self.last_id)

    def until_answer(self, number):
        while True:
            message = self.receive()
            if isinstance(message, tuple):
                self.frames.append(message)
                continue
            self.texts.append(message)
            if message.get("re") == number:
                return message

    def settle(self):
        """Waits for the end of what was asked last, and returns the last recipe and land."""
        return self.until("settled")

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def page_build(studio):
    """What the page of this program calls itself."""
    table = os.path.join(os.path.dirname(__file__), "../../studio/dist/table.txt")
    if not os.path.exists(table):
        return ""
    with open(table, encoding="utf-8") as lines:
        return lines.readline().split()[1]


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"never: {what}")
        time.sleep(0.02)
