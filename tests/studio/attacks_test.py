#!/usr/bin/env python3
"""What somebody else may try on the studio, byte by byte, against the program itself."""

import json
import os
import pathlib
import signal
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from page import PATIENCE, Closed, Page, Studio, frame, page_build, upgrade_head, wait_until  # noqa: E402

RECIPE = """{
  // A note that nobody may lose.
  "tepui": 1, "title": "<img src=x onerror=alert(1)>", "doc": "</script><script>alert(1)</script>",
  "world": { "size": [1000, 1000], "resolution": 65 },
  "vars": { "tall": 200 /* metres */ },
  "nodes": { "hills": { "op": "noise", "height": "$tall" }, "__proto__": { "op": "levelling", "in": "hills", "radius": 20 } },
  "outputs": { "land.tif": "hills" }
}
"""


def status(answer):
    """The number of an answer; 0 where the socket was closed without one."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


class Attack(unittest.TestCase):
    """One studio for all that leave it as it is."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.recipe = pathlib.Path(cls.folder.name) / "attacked.json"
        cls.recipe.write_text(RECIPE)
        cls.studio = Studio("attacked.json", folder=cls.folder.name)
        cls.owner = cls.studio.page()
        cls.owner.settle()

    @classmethod
    def tearDownClass(cls):
        cls.owner.close()
        cls.studio.end()
        cls.folder.cleanup()

    def setUp(self):
        if self.studio.process.poll() is not None:
            self.fail("the program has ended: " + self.studio.process.stderr.read())

    def tearDown(self):
        """Whatever was tried, its owner is served and nothing was changed."""
        self.assertIn("targets", self.owner.ask("targets"))
        self.assertEqual(self.recipe.read_text(), RECIPE)

    def refused_upgrade(self, **changes):
        page = Page(self.studio, **changes)
        page.close()
        return page.status


class Names(Attack):
    def test_a_rebound_host_gets_nothing(self):
        for host in ("evil.example", f"localhost:{self.studio.port}", "127.0.0.1", "127.0.0.1:80", f"[::1]:{self.studio.port}",
                     f"127.0.0.1:{self.studio.port}.evil.example", f"127.0.0.1:0{self.studio.port}", f"127.1:{self.studio.port}",
                     f"user@127.0.0.1:{self.studio.port}", f"127.0.0.1:{self.studio.port},evil.example"):
            self.assertEqual(status(self.studio.get("/", host=host)), 403, host)
            self.assertEqual(self.refused_upgrade(Host=host), 403, host)

    def test_a_host_is_named_once(self):
        self.assertEqual(status(self.studio.ask(b"GET / HTTP/1.1\r\n\r\n")), 403)
        self.assertEqual(status(self.studio.get("/", [f"Host: {self.studio.host}"])), 403)
        self.assertEqual(self.refused_upgrade(Host=None), 403)
        self.assertEqual(self.refused_upgrade(Host=[self.studio.host, "evil.example"]), 403)

    def test_a_socket_needs_our_origin(self):
        for origin in (None, "null", "", "http://evil.example", "https://" + self.studio.host, f"http://127.0.0.1:{self.studio.port + 1}",
                       f"http://localhost:{self.studio.port}", self.studio.origin + "/", self.studio.origin + ".evil.example",
                       [self.studio.origin, self.studio.origin], "file://"):
            self.assertEqual(self.refused_upgrade(Origin=origin), 403, origin)

    def test_files_are_for_no_other_origin(self):
        for origin in ("null", "http://evil.example", f"http://127.0.0.1:{self.studio.port + 1}"):
            self.assertEqual(status(self.studio.get("/", [f"Origin: {origin}"])), 403, origin)

    def test_other_sites_include_nothing(self):
        for site in ("cross-site", "same-site", "none, same-origin", ""):
            for target in ("/", "/page.js", "/icon.svg"):
                self.assertEqual(status(self.studio.get(target, [f"Sec-Fetch-Site: {site}"])), 403, site)
                for dest in ("script", "image", "iframe", "frame", "object", "embed", "worker", "empty"):
                    fields = [f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate", f"Sec-Fetch-Dest: {dest}"]
                    self.assertEqual(status(self.studio.get(target, fields)), 403, fields)
        # A link may lead to the page, which without a token is of no use.
        link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        self.assertEqual(status(self.studio.get("/", link)), 200)
        self.assertEqual(status(self.studio.get("/page.js", link)), 403)

    def test_nothing_frames_or_reads_the_page(self):
        head = self.studio.get("/", ["Sec-Fetch-Site: none"]).split(b"\r\n\r\n")[0].decode()
        self.assertIn("frame-ancestors 'none'", head)
        self.assertIn("X-Frame-Options: DENY", head)
        self.assertIn("Cross-Origin-Resource-Policy: same-origin", head)
        self.assertIn("Referrer-Policy: no-referrer", head)
        self.assertIn("require-trusted-types-for 'script'", head)
        self.assertNotIn("unsafe", head)
        self.assertNotIn("Set-Cookie", head)
        self.assertNotIn("Access-Control", head)


class Requests(Attack):
    def test_only_get(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD", "CONNECT", "TRACE", "PATCH"):
            self.assertEqual(status(self.studio.get("/", method=method)), 405, method)

    def test_a_form_posts_nothing(self):
        body = b"do=set"
        head = f"POST /live HTTP/1.1\r\nHost: {self.studio.host}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        self.assertIn(status(self.studio.ask(head + body)), (0, 400))

    def test_odd_targets_are_refused(self):
        for target in (f"http://{self.studio.host}/", f"{self.studio.host}", "*", "//evil.example/", "/\\evil.example", "?", "#",
                       "/?token=x", "/live?x", "/live/", "/LIVE", "live", "\u00e4"):
            self.assertIn(status(self.studio.get(target)), (0, 400, 404), target)

    def test_no_path_leads_out_of_the_table(self):
        for target in ("/../attacked.json", "/attacked.json", "/..%2fattacked.json", "/%2e%2e/attacked.json", "/....//attacked.json",
                       "/..%252f..%252fetc/passwd", "/%c0%ae%c0%ae/etc/passwd", "/..\\..\\etc\\passwd", "//etc/passwd", "/./",
                       "/page.js/../../x", "/%00", "/table.txt", "/index.html.gz", "/" + "a" * 4000):
            answer = self.studio.get(target)
            self.assertIn(status(answer), (0, 400, 404), target)
            self.assertNotIn(b"root:", answer)
            self.assertNotIn(b"nobody may lose", answer)

    def test_heads_are_read_strictly(self):
        host = f"Host: {self.studio.host}".encode()
        for head in (b"GET / HTTP/1.1\n" + host + b"\n\n\r\n\r\n", b"GET / HTTP/1.1\r\n" + host + b"\r\nX: a\r\n b\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + host + b"\r\nX : a\r\n\r\n", b"GET / HTTP/1.1\r\n " + host + b"\r\n\r\n",
                     b"GET  / HTTP/1.1\r\n" + host + b"\r\n\r\n", b"GET / HTTP/1.0\r\n" + host + b"\r\n\r\n",
                     b"GET / HTTP/2.0\r\n" + host + b"\r\n\r\n", b"GET /\r\n\r\n", b"\r\n\r\nGET / HTTP/1.1\r\n" + host + b"\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + host + b"\r\nX: \0\r\n\r\n", b"GET / HTTP/1.1\r\n" + host + b"\r\nX: a\rb\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + host + b"\r\nno colon\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\r\n\r\n"):
            self.assertIn(status(self.studio.ask(head)), (0, 400), head)

    def test_bodies_are_refused(self):
        for fields in (["Content-Length: 5"], ["Content-Length: 0"], ["Transfer-Encoding: chunked"],
                       ["Content-Length: 5", "Transfer-Encoding: chunked"], ["Expect: 100-continue"]):
            self.assertEqual(status(self.studio.get("/", fields)), 400, fields)

    def test_what_follows_a_head_is_refused(self):
        one = f"GET / HTTP/1.1\r\nHost: {self.studio.host}\r\n\r\n".encode()
        self.assertIn(status(self.studio.ask(one + one)), (0, 400))
        self.assertIn(status(self.studio.ask(upgrade_head(self.studio) + frame(1, b'{"do":"greet"}'))), (0, 400))

    def test_an_endless_head_ends(self):
        for byte in (b"a", b"X: y\r\n"):
            answer = self.studio.ask(b"GET / HTTP/1.1\r\n" + byte * 200000)
            self.assertIn(status(answer), (0, 400))

    def test_who_is_slow_is_not_waited_for(self):
        with self.studio.connect() as plain:
            plain.sendall(b"GET / HT")
            self.assertEqual(plain.recv(1000), b"")

    def test_too_many_are_turned_away(self):
        crowd = [self.studio.connect() for _ in range(200)]
        for one in crowd:
            one.close()
        wait_until(lambda: status(self.studio.get("/")) == 200, "served again")

    def test_upgrades_are_complete(self):
        for name in ("Upgrade", "Connection", "Sec-WebSocket-Version", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol"):
            self.assertEqual(self.refused_upgrade(**{name.replace("-", "_"): None}), 400, name)
        self.assertEqual(self.refused_upgrade(Sec_WebSocket_Version="8"), 400)
        self.assertEqual(self.refused_upgrade(Sec_WebSocket_Protocol="tepui-1, other"), 400)
        self.assertEqual(status(self.studio.ask(upgrade_head(self.studio, target="/"))), 400)


class Greetings(Attack):
    def closed_with(self, send):
        page = Page(self.studio)
        self.assertEqual(page.status, 101)
        send(page)
        with self.assertRaises(Closed) as end:
            page.receive()
        page.close()
        return end.exception.code

    def greeting(self, **what):
        return json.dumps({"do": "greet", "page": page_build(self.studio), **what})

    def test_a_token_works_once(self):
        self.assertEqual(self.closed_with(lambda page: page.send(self.greeting(token=self.studio.token))), 4401)

    def test_a_key_lets_in_again(self):
        with self.studio.page(key=self.owner.key):
            pass

    def test_guesses_are_refused(self):
        for guess in ("", "0" * 64, self.studio.token[:-1], self.studio.token + "0", self.owner.key[:-1], "\u0000", "*"):
            self.assertEqual(self.closed_with(lambda page, guess=guess: page.send(self.greeting(token=guess))), 4401)
            self.assertEqual(self.closed_with(lambda page, guess=guess: page.send(self.greeting(key=guess))), 4401)

    def test_greetings_are_greetings(self):
        for text in ("", "{}", "[]", "null", "greet", '{"do":"set"}', '{"do":"greet"}', '{"do":"greet","token":1,"page":""}',
                     '{"do":"greet","token":["x"],"page":""}', '{"do":"greet","token":"a","key":"b","page":""}', "{" * 100):
            self.assertEqual(self.closed_with(lambda page, text=text: page.send(text)), 4401, text)

    def test_an_older_page_is_told_to_load_again(self):
        if not page_build(self.studio):
            self.skipTest("this program has no page")
        self.assertEqual(self.closed_with(lambda page: page.send(self.greeting(key=self.owner.key).replace(page_build(self.studio), "old"))), 4409)

    def test_long_and_broken_messages_end_it(self):
        self.assertEqual(self.closed_with(lambda page: page.send("x" * 600)), 1009)
        self.assertIn(self.closed_with(lambda page: page.send_frame(1, b"{}", masked=False)), (1002, None))
        self.assertIn(self.closed_with(lambda page: page.send_frame(1, b"\xff\xfe")), (1007, None))
        self.assertIn(self.closed_with(lambda page: page.send_frame(3, b"")), (1002, None))
        self.assertIn(self.closed_with(lambda page: page.send_frame(9, b"x" * 126)), (1002, None))
        self.assertIn(self.closed_with(lambda page: page.send_frame(0, b"x")), (1002, None))
        self.assertEqual(self.closed_with(lambda page: page.send_frame(2, b"{}")), 4401)
        self.assertIn(self.closed_with(lambda page: page.socket.sendall(b"\x81\xff" + struct.pack(">Q", 1 << 62) + b"abcd")), (1009, 1002, None))

    def test_pieces_count_together(self):
        def pieces(page):
            page.send_frame(1, b"x" * 400, fin=False)
            page.send_frame(0, b"x" * 400)

        self.assertEqual(self.closed_with(pieces), 1009)

    def test_who_does_not_greet_is_not_waited_for(self):
        self.assertIn(self.closed_with(lambda page: None), (1000, 1001, 1006, None))

    def test_a_few_pages_and_no_more(self):
        pages = []
        code = None
        try:
            for _ in range(8):
                pages.append(self.studio.page(key=self.owner.key))
        except Closed as end:
            code = end.code
        for page in pages:
            page.close()
        self.assertEqual(code, 4429)
        self.assertEqual(len(pages), 3)


class Messages(Attack):
    """From a page that was let in, and has gone mad."""

    def setUp(self):
        super().setUp()
        self.page = None
        wait_until(self.let_in, "let in")

    def let_in(self):
        try:
            self.page = self.studio.page(key=self.owner.key)
            return True
        except Closed:
            return False

    def tearDown(self):
        self.page.close()
        super().tearDown()

    def raw(self, text):
        self.page.send(text)
        while True:
            message = self.page.receive()
            if isinstance(message, dict) and "re" in message:
                return message

    def test_requests_are_requests(self):
        for text in ("", "null", "1", "[]", "{}", '{"do":1}', '{"do":"set"}', '{"do":"nothing","id":1}', '{"do":"set","id":"x"}',
                     '{"do":"set","id":-1}', '{"do":"set","id":1e99}', '{"do":"set","id":1,"id":2}', "{" * 1000, "[" * 100000,
                     '{"do":"set","id":1,"path":"vars.tall","value":' + "[" * 40 + "]" * 40 + "}",
                     '{"do":"goto","id":1,"step":1e300}', '{"do":"goto","id":1,"step":-1}', '{"do":"point","id":1,"x":1e999,"y":0}',
                     '{"do":"section","id":1,"line":[[0,0]],"samples":10}', '{"do":"section","id":1,"line":[[0,0],[1,1]],"samples":2147483648}',
                     '{"do":"export","id":1,"target":"unreal","size":2147483648}', '{"do":"export","id":1,"target":"../x","size":65}',
                     '{"do":"still","id":1,"camera":{"eye":[0,0]},"size":[1e9,1e9],"samples":1}', '{"do":"open","id":1,"preset":"../x"}',
                     '{"do":"show","id":1,"node":"nobody"}', '{"do":"overlay","id":1,"layer":"height","colour_map":"x"}',
                     '{"do":"resolve","id":1,"take":"mine"}', '{"do":"received","id":1,"file":7}'):
            self.assertIn("error", self.raw(text), text[:80])

    def test_graphs_that_nobody_draws(self):
        ten = '["hills",' * 9 + '"hills"' + "]" * 9
        for text in ('"add","op":1', '"add","op":"noise","name":"a.b"', '"add","op":"noise","name":""x"', '"add","op":"noise","name":"hills"',
                     '"add","op":"noise","at":[1e999,0]', '"add","op":"noise","at":[1e300,0]', '"add","op":"noise","at":[null,0]', '"add","op":"noise","at":{}',
                     '"add","op":"noise","at":["NaN",0]', '"add","op":"__proto__"', '"add","op":"levelling","inputs":[]',
                     '"add","op":"levelling","inputs":{"in":' + ten + '}', '"add","op":"levelling","inputs":{"in":["hills","hills"]}',
                     '"add","op":"levelling","inputs":{"__proto__":"hills"}', '"add","op":"levelling","inputs":{"in":"../hills"}',
                     '"add","op":"levelling","onto":{"node":"nobody","port":"in"}', '"add","op":"levelling","onto":{"node":"__proto__","port":"__proto__"}',
                     '"add","op":"levelling","onto":{"node":"__proto__","port":"in","index":99999999999}', '"add","op":"levelling","onto":5',
                     '"insert","node":"nobody","onto":{"node":"__proto__","port":"in"}', '"insert","node":"__proto__","onto":{"node":"__proto__","port":"in"}',
                     '"connect","node":"hills","port":"op","from":"hills"', '"connect","node":"__proto__","port":"in","from":"__proto__"',
                     '"connect","node":"__proto__","port":"in","from":["hills"]', '"connect","node":"__proto__","port":"in","from":"hills","index":-1',
                     '"connect","node":"__proto__","port":"in","from":"hills","index":0', '"connect","node":"__proto__","port":"in"',
                     '"connect","node":"__proto__","port":"in","from":"hills."', '"connect","node":"__proto__","port":"in","from":"hills@1"',
                     '"remove","nodes":"hills"', '"remove","nodes":[]', '"remove","nodes":[[]]', '"remove","nodes":["hills","hills"]', '"remove","nodes":["nobody"]',
                     '"remove","nodes":[' + '"hills",' * 5000 + '"hills"]', '"duplicate","nodes":[]', '"duplicate","nodes":[{"a":1}]',
                     '"rename","node":"hills","name":"__proto__"', '"rename","node":"hills","name":"a b"', '"rename","node":"hills","name":"' + "a" * 65 + '"',
                     '"rename","node":"hills","name":"\\u0000"', '"rename","node":"nobody","name":"x"',
                     '"group","name":"","nodes":["hills"]', '"group","name":"' + "g" * 65 + '","nodes":["hills"]', '"group","name":"g","nodes":["nobody"]',
                     '"group","name":"g","nodes":["hills"],"colour":"red;}"', '"group","name":"g","nodes":[]', '"group","name":"g","nodes":["hills"],"was":"h"',
                     '"place","at":[]', '"place","at":{"nobody":[0,0]}', '"place","at":{"hills":[0]}', '"place","at":{"hills":["0","0"]}',
                     '"place","at":{"hills":[1e999,0]}', '"place","at":{"hills":[0,-1e7]}', '"place","at":{"hills":[0,0],"hills":[1,1]}',
                     '"place","at":{' + ",".join(f'"n{k}":[0,0]' for k in range(5000)) + "}"):
            self.assertIn("error", self.raw('{"id":1,"do":' + text + "}"), text[:90])
        recipe = next(text for text in reversed(self.page.texts + self.owner.texts) if text.get("say") == "recipe")
        self.assertEqual(recipe["text"], RECIPE)

    def test_a_layout_that_is_none_is_not_said(self):
        deep = {"at": {"hills": [0, [1]]}, "groups": [{"name": "g", "nodes": ["hills"], "colour": "url(//evil.example)"}, {"name": {}, "nodes": 5}]}
        for _ in range(20):
            deep = {**deep, "more": deep} if len(json.dumps(deep)) < 20000 else deep
        for ui, said in ((deep, [{"name": "g", "nodes": ["hills"], "colour": None}]), (7, []), ([[1]], []), ({"at": 5, "groups": {"a": 1}}, [])):
            self.page.ask("set", path="title", value="x")
            self.assertNotIn("error", self.page.ask("set", path="nodes.hills.ui", value=ui))
            recipe = next(text for text in reversed(self.page.texts) if text.get("say") == "recipe")
            self.assertEqual(recipe["ui"], {"at": {}, "groups": []})
            self.page.ask("goto", step=0)
            text = RECIPE.replace('"world"', f'"ui": {json.dumps(ui)}, "world"')
            self.recipe.write_text(text)
            while (recipe := self.page.until("recipe"))["text"] != text:
                pass
            self.assertEqual(recipe["ui"], {"at": {}, "groups": said})
            self.page.ask("place", at={"hills": [1, 1]})
            self.page.ask("group", name="g", nodes=["__proto__"])
            self.page.ask("save")
            self.recipe.write_text(RECIPE)
            while (recipe := self.page.until("recipe"))["text"] != RECIPE:
                pass

    def test_sizes_that_nobody_has(self):
        for path, value in (("world.resolution", 1 << 31), ("world.resolution", 1 << 62), ("world.size", [1e300, 1]), ("world.size", [-1, 1]),
                            ("vars.tall", 1e308), ("nodes.hills.octaves", 1 << 40)):
            self.page.ask("set", path=path, value=value)
            self.page.ask("undo")
        wait_until(lambda: self.page.ask("goto", step=0) and self.recipe.read_text() == RECIPE, "as it was")

    def test_large_messages_end_it(self):
        self.page.send('{"do":"set","id":1,"path":"vars.tall","value":"' + "x" * (300 << 10) + '"}')
        with self.assertRaises(Closed) as end:
            while True:
                self.page.receive()
        self.assertEqual(end.exception.code, 1009)

    def test_larger_ones_too(self):
        with self.assertRaises(Closed):
            self.page.send_frame(2, b"x" * (2 << 20))
            while True:
                self.page.receive()

    def test_bytes_of_no_file(self):
        for head in (b"", b"\x10", struct.pack("<II", 16, 0), struct.pack("<II", 16, 1 << 31), struct.pack("<II", 1, 2) + b"{}",
                     struct.pack("<II", 16, 24) + b'{"file":9,"offset":-100}', struct.pack("<II", 16, 24) + b'{"file":9,"offset":1   }'):
            self.page.send_frame(2, head)
            self.assertIn("targets", self.page.ask("targets"))

    def test_no_name_leads_out_of_the_folder(self):
        names = ("../x.json", "/tmp/x.json", "a/b.json", "..", ".", ".hidden.json", "-rf.json", "x.txt", "x\n.json", "x\0.json",
                 "attacked.json", "a" * 300 + ".json", "..\\x.json/")
        before = sorted(os.listdir(self.folder.name))
        for name in names:
            self.assertIn("error", self.page.ask("save", name=name), repr(name))
            self.assertIn("error", self.page.ask("receive", name=name.replace(".json", ".tif") or "/", bytes=1) if name != "attacked.json" else {"error": 1})
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        self.assertFalse(os.path.exists("/tmp/x.json"))

    def test_dropped_files_have_a_size(self):
        for size in (0, -1, 1 << 50, 1 << 31 << 10):
            self.assertIn("error", self.page.ask("receive", name="x.tif", bytes=size))

    def test_no_node_reads_what_is_not_beside_the_recipe(self):
        outside = tempfile.NamedTemporaryFile(suffix=".tif")
        link = pathlib.Path(self.folder.name) / "link.tif"
        link.symlink_to(outside.name)
        for name in (outside.name, "../" + os.path.basename(outside.name), "/etc/passwd", "/vsicurl/http://evil.example/x.tif",
                     "/vsizip//etc/x.zip/x.tif", "link.tif", "x/../../y.tif"):
            answer = self.page.ask("set", path="nodes.more", value={"op": "read", "file": name})
            self.assertIn("error", answer, name)
        # Nor by way of a recipe that is wrong elsewhere and is mended then.
        self.assertIn("error", self.page.ask("set", path="nodes.more", value={"op": "read", "file": "/etc/passwd", "bogus": 1}))
        self.assertNotIn("error", self.page.ask("set", path="nodes.more", value={"op": "read", "as": "bogus", "file": "/etc/passwd"}))
        self.assertIn("error", self.page.ask("reset", path="nodes.more.as"))
        self.assertNotIn("error", self.page.ask("reset", path="nodes.more"))
        wait_until(lambda: self.page.ask("goto", step=0) and self.recipe.read_text() == RECIPE, "as it was")
        link.unlink()

    def test_no_export_follows_a_link_out(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            link = pathlib.Path(self.folder.name) / "exports"
            link.symlink_to(elsewhere)
            self.assertIn("error", self.page.ask("export", target="gis", size=65))
            self.assertEqual(os.listdir(elsewhere), [])
            link.unlink()
            link.mkdir()
            (link / "gis").symlink_to(elsewhere)
            self.assertIn("error", self.page.ask("export", target="gis", size=65))
            self.assertEqual(os.listdir(elsewhere), [])
            (link / "gis").unlink()
            link.rmdir()

    def test_markup_stays_text(self):
        recipe = next(text for text in reversed(self.page.texts + self.owner.texts) if text.get("say") == "recipe")
        self.assertEqual(recipe["title"], "<img src=x onerror=alert(1)>")
        self.assertIn("__proto__", [node["name"] for node in recipe["nodes"]])
        answer = self.page.ask("show", node="<script>alert(1)</script>")
        self.assertIn("<script>", answer["error"]["message"])

    def test_strokes_that_are_none(self):
        deep = {"a": 1}
        for _ in range(10):
            deep = {"a": [deep]}
        good = {"line": [[1, 2], [3, 4]], "after": "hills", "op": "paint", "properties": {"radius": 5}}
        bad = [{"line": value} for value in (None, 1, "x", {}, [], [[]], [[1]], [[1, 2, 3, 4, 5]], [["1", 2]], [[1, None]], [[1e10, 0]], [[0, 0]] * 4097,
                                             [[0, 0, 0, 2]], [[0, 0, 0, -1]], [[0, 0, 0, None]], [deep], [[[0]], [[0]]])]
        bad += [{"properties": value} for value in (1, [], "x", {"a": deep}, {"a": None}, {"a": True}, {"": 1}, {"a b": 1}, {"x" * 65: 1}, {"a": "x" * 257},
                                                    {"a": "\0"}, {"a": "\n"}, {"../../x": 1}, {"name": 1}, {"NAME": "x"}, {"pressure_per_vertex": [1, 2]},
                                                    {"a": 1e10}, {f"p{i}": 1 for i in range(33)})]
        bad += [{"closed": 1}, {"closed": True}, {"hold": 1}, {"after": None}, {"after": 1}, {"after": "gone"}, {"after": "../x"}, {"after": "__proto__.x"},
                {"op": "read_lines"}, {"op": "sculpt"}, {"op": "../paint"}, {"op": None}, {"op": "x" * 100000}]
        bad += [{"after": None, "onto": value} for value in (1, "x", [], {}, {"node": "hills"}, {"node": "hills", "port": "in"}, {"node": 1, "port": 2},
                                                            {"node": "gone", "port": "strokes"}, deep)]
        before = sorted(os.listdir(self.folder.name))
        for what in bad:
            asked = {key: value for key, value in {**good, **what}.items() if value is not None or key not in ("after", "onto")}
            self.assertIn("error", self.page.ask("stroke", **asked), what)
        for do, what in (("unstroke", {}), ("unstroke", {"lines": "hills", "stroke": 0}), ("unstroke", {"lines": 1, "stroke": 0}),
                         ("unstroke", {"lines": "hills", "stroke": -1}), ("strokes", {}), ("strokes", {"lines": "hills", "from": -1}),
                         ("strokes", {"lines": "gone"}), ("strokes", {"lines": ["hills"]})):
            self.assertIn("error", self.page.ask(do, **what), what)
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)

    def test_a_flood_of_strokes(self):
        line = [[i, i % 7] for i in range(4096)]
        texts = {f"p{i}": "x" * 256 for i in range(31)}
        before = self.studio.memory()
        node = "hills"
        for number in range(60):
            answer = self.page.ask("stroke", line=line, after=node, op="paint", properties={"radius": 1, **texts}, hold=number % 2 == 0)
            self.assertNotIn("error", answer)
            node = answer["node"]
        self.assertLess(self.studio.memory() - before, 1 << 30)
        self.assertEqual(self.page.ask("strokes", lines=answer["lines"], **{"from": 1 << 39})["strokes"], [])
        wait_until(lambda: self.page.ask("goto", step=0) and self.page.ask("release") and self.recipe.read_text() == RECIPE
                   and not list(pathlib.Path(self.folder.name).glob("*.geojson")), "as it was")

    def test_a_page_that_asks_and_never_listens_is_left(self):
        request = json.dumps({"do": "targets", "id": 1}).encode()
        self.page.socket.settimeout(5)
        try:
            for _ in range(4000):
                self.page.send_frame(1, request)
        except (Closed, socket.timeout):
            pass
        self.assertLess(self.studio.memory(), 2 << 30)


class Secrets(unittest.TestCase):
    def test_the_token_is_in_no_list_of_processes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.json").write_text(RECIPE)
            with Studio("a.json", folder=folder) as studio:
                for name in ("cmdline", "environ"):
                    told = pathlib.Path(f"/proc/{studio.process.pid}/{name}").read_bytes()
                    self.assertNotIn(studio.token.encode(), told)
                with studio.page() as page:
                    page.settle()
                    said = json.dumps(page.texts)
                    self.assertNotIn(studio.token, said)
                    # The key is said once, to whom it belongs.
                    self.assertEqual(said.count(page.key), 1)
                code, errors = studio.end()
                self.assertEqual(code, 0)
                self.assertNotIn(studio.token, errors)

    def test_the_browser_is_told_by_a_file_of_the_users_own(self):
        with tempfile.TemporaryDirectory() as folder:
            opener = pathlib.Path(folder, "xdg-open")
            opener.write_text(f'#!/bin/sh\necho "$@" >{folder}/words.new; mv {folder}/words.new {folder}/words\n')
            opener.chmod(0o755)
            environment = dict(os.environ, DISPLAY=":0", PATH=f"{folder}:{os.environ['PATH']}", XDG_RUNTIME_DIR=folder)
            program = subprocess.Popen([os.environ["TEPUI_PROGRAM"], "studio", "mesa", "--no-cache"], env=environment, cwd=folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            url = program.stdout.readline().split()[-1]
            words = pathlib.Path(folder, "words")
            wait_until(words.exists, "opened")
            page = pathlib.Path(words.read_text().strip())
            self.assertNotIn(url.split("#")[1], words.read_text())
            self.assertEqual(page.stat().st_mode & 0o777, 0o600)
            self.assertIn(f"url={url}", page.read_text())
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(PATIENCE), 0)
            program.stdout.close()
            self.assertFalse(page.exists())

    def test_it_listens_on_this_machine_alone(self):
        with Studio("mesa") as studio:
            table = pathlib.Path("/proc/net/tcp").read_text().split("\n")[1:]
            port = f":{studio.port:04X}"
            listening = [line.split()[1] for line in table if line and line.split()[1].endswith(port) and line.split()[3] == "0A"]
            self.assertEqual(listening, ["0100007F" + port])
            six = pathlib.Path("/proc/net/tcp6")
            if six.exists():
                self.assertFalse([line for line in six.read_text().split("\n")[1:] if line and line.split()[1].endswith(port) and line.split()[3] == "0A"])

    def test_two_studios_differ(self):
        with Studio("mesa") as one, Studio("mesa") as other:
            self.assertNotEqual(one.token, other.token)
            self.assertNotEqual(one.port, other.port)
            page = Page(other)
            page.send(json.dumps({"do": "greet", "token": one.token, "page": page_build(one)}))
            with self.assertRaises(Closed) as end:
                page.receive()
            self.assertEqual(end.exception.code, 4401)
            page.close()


if __name__ == "__main__":
    unittest.main()
