#!/usr/bin/env python3
"""How soon the program answers a hand: bench.py PROGRAM, which prints what it measures.

From a message to the last byte of the land that it leads to, as a page receives them, without drawing.
"""

import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from page import Studio  # noqa: E402

STEPS = 30
MANY = 10_000


def step(page, path, value):
    """Seconds and bytes until a preview with this value is there, and its samples."""
    began = time.perf_counter()
    page.last_id += 1
    page.send(json.dumps({"do": "set", "id": page.last_id, "path": path, "value": value, "hold": True}))
    heard, samples, size, generation = False, None, 0, None
    while True:
        message = page.receive()
        if isinstance(message, tuple):
            kind, head, cells = message
            if generation == head["generation"]:
                size += len(cells)
                if kind == "ground":
                    return time.perf_counter() - began, size, samples
        elif message.get("re") == page.last_id:
            heard = True
        elif message.get("say") == "land" and heard:
            generation, samples = message["generation"], message["samples"][0]


def row(name, recipe, path, values):
    with Studio(recipe) as studio, studio.page() as page:
        page.settle()
        for value in values[:3]:
            step(page, path, value)
        runs = [step(page, path, value) for value in values[3:]]
        page.ask("release")
        began = time.perf_counter()
        page.settle()
        full = time.perf_counter() - began
        times = sorted(1000 * seconds for seconds, _, _ in runs)
        print(f"{name:32} median {statistics.median(times):6.1f} ms   p95 {times[int(0.95 * len(times))]:6.1f}   most {times[-1]:6.1f}   "
              f"{statistics.median(size for _, size, _ in runs) / 1000:6.0f} kB a step at {sorted({samples for _, _, samples in runs})}   full land {full:5.2f} s")


def copied(recipe, folder):
    """A recipe with the files that it reads, in a folder of its own: strokes are saved."""
    for file in (RECIPES / recipe).parent.glob("*.geojson"):
        shutil.copy(file, folder)
    return shutil.copy(RECIPES / f"{recipe}.json", folder)


RECIPES = pathlib.Path(__file__).parents[2] / "recipes"


def stroke_row(name, recipe, node, places):
    """Strokes of ten metres on a volume, one after the other: from the message to the last of the blocks that change."""
    with tempfile.TemporaryDirectory() as folder, Studio(copied(recipe, folder), folder) as studio, studio.page() as page:
        page.settle()
        page.ask("show", node=node, layer=None)
        page.settle()
        after, times, bytes_sent, blocks = node, [], [], []
        for i, (x, y, z) in enumerate(places):
            began = time.perf_counter()
            page.last_id += 1
            page.send(json.dumps({"do": "stroke", "id": page.last_id, "after": after, "op": "sculpt", "closed": False,
                                  "line": [[x, y, z], [x + 6, y + 8, z]],
                                  "properties": {"falloff": 5, "energy": -15, "noise": 0, "noise_scale": 5}}))
            mesh, came, size, heard = None, set(), 0, False
            while mesh is None or len(came) < mesh["blocks"]:
                message = page.receive()
                if isinstance(message, tuple):
                    kind, head, cells = message
                    if kind == "mesh" and mesh is not None and head["generation"] == mesh["generation"]:
                        size += len(cells)
                        if head["level"] == 0:
                            came.add(head["block"])
                elif message.get("re") == page.last_id:
                    if "error" in message:
                        raise RuntimeError(message["error"]["message"])
                    heard, after = True, message["node"]
                elif message.get("say") == "mesh" and heard and not message["preview"]:
                    mesh, came, size = message, set(), 0
            times.append(1000 * (time.perf_counter() - began))
            bytes_sent.append(size)
            blocks.append(mesh["blocks"])
            page.settle()
        ranked = sorted(times[1:])
        print(f"{name:32} median {statistics.median(ranked):6.1f} ms   p95 {ranked[int(0.95 * len(ranked))]:6.1f}   most {ranked[-1]:6.1f}   "
              f"first {times[0]:6.1f}   {statistics.median(bytes_sent[1:]) / 1000:6.0f} kB and {statistics.median(blocks[1:]):.0f} blocks a stroke")


def many(folder, recipe, reader, node, line_of, properties):
    """A recipe with a file of that many strokes, one in each place of a coarse sequence, for a node that reads them."""
    text = (RECIPES / f"{recipe}.json").read_text()
    for old, new in reader:
        assert old in text, old
        text = text.replace(old, new)
    features = [json.dumps({"type": "Feature", "properties": properties(i), "geometry": {"type": "LineString", "coordinates": line_of(i)}}) for i in range(MANY)]
    (pathlib.Path(folder) / "many.geojson").write_text('{"type": "FeatureCollection", "features": [\n' + ",\n".join(features) + "\n]}\n")
    path = pathlib.Path(folder) / f"{recipe}.json"
    path.write_text(text)
    return path


def many_row(name, recipe, reader, node, port, line_of, properties, more):
    """One more stroke where there are many: when the node is done, and when the last bytes of the shape have come, those
    of a preview and in full, and all with colours."""
    with tempfile.TemporaryDirectory() as folder, Studio(many(folder, recipe, reader, node, line_of, properties), folder) as studio, studio.page() as page:
        page.ask("show", node=node, layer=None)
        told = lambda say: [text for text in page.texts if text.get("say") in say and text["node"] == node and not text["preview"]]  # noqa: E731
        while not told(("land", "mesh")):
            page.settle()
        at_first = max(text.get("milliseconds", 0) for text in told(("node",)))
        runs = []
        for i in range(20):
            began = time.perf_counter()
            page.last_id += 1
            page.send(json.dumps({"do": "stroke", "id": page.last_id, "onto": {"node": node, "port": port}, "closed": False,
                                  "line": more(i), "properties": properties(i)}))
            preview, seen, heard = None, {"preview": 0, "full": 0, "node": 0}, False
            while True:
                message = page.receive()
                now = 1000 * (time.perf_counter() - began)
                if isinstance(message, tuple):
                    if message[0] in ("height", "mesh") and preview is not None:
                        seen["preview" if preview else "full"] = now
                elif message.get("re") == page.last_id:
                    if "error" in message:
                        raise RuntimeError(message["error"]["message"])
                    heard = True
                elif message.get("say") in ("land", "mesh") and heard:
                    preview = message["preview"]
                elif message.get("say") == "node" and message["node"] == node and not message["preview"] and "milliseconds" in message:
                    seen["node"] = message["milliseconds"]
                elif message.get("say") == "settled" and heard and preview is False:
                    break
            runs.append({**seen, "all": now})
        figures = "   ".join(f"{key} {statistics.median(run[key] for run in runs):6.0f} ms" for key in runs[0])
        print(f"{name:32} {figures}   all strokes at once: node {at_first:6.0f} ms")


def wander(i, step, points, size, height=None):
    """A line somewhere in the square, the same for the same number."""
    x, y = size * (i * 0.7548776662 % 1), size * (i * 0.5698402910 % 1)
    z = [] if height is None else [round(height * (i * 0.4301597090 % 1), 3)]
    return [[round(x + step * k, 3), round(y + step * ((i + k * k) % 3), 3), *z] for k in range(points)]


def many_strokes():
    tools = ("raise", "lower", "smooth", "set")
    many_row(f"land, {MANY} strokes and one", "painted_valley", [('"file": "data/strokes.geojson"', '"file": "many.geojson", "crs": "metres"')],
             "plan", "strokes", lambda i: wander(i, 10, 12, 2048),
             lambda i: {"tool": tools[i % 4], "radius": 20 + i % 40, "hardness": 0.2, "strength": 0.5, "amount": 4, "target": 100},
             lambda i: wander(MANY + i, 10, 12, 2048))
    land = '"land":    { "op": "strata_erosion", "in": "carved"'
    nodes = ('"many": { "op": "read_lines", "file": "many.geojson", "crs": "metres" }, '
             '"mine": { "op": "sculpt", "in": "carved", "along": "many", "positions": "metres", "heights": "sea_level", "strokes": [{ "shape": "curve" }] }, ')
    many_row(f"volume, {MANY} strokes and one", "arch_mesa", [(land, nodes + land.replace("carved", "mine"))], "mine", "along",
             lambda i: wander(i, 3, 6, 640, 150), lambda i: {"falloff": 4, "energy": -15 if i % 3 else 4, "noise": 0, "noise_scale": 5},
             lambda i: [[200 + 9 * i, 240 + 11 * (i % 7), 52], [206 + 9 * i, 248 + 11 * (i % 7), 52]])


def stop_to_idle():
    """From Stop in the middle of a large land until the processor rests."""
    with Studio("mesa") as studio, studio.page() as page:
        page.settle()
        page.ask("set", path="world.resolution", value=4097)
        page.ask("set", path="vars.faults", value=9000)
        page.until("node", preview=False, state="working")
        began = time.perf_counter()
        page.ask("stop")
        answered = time.perf_counter() - began

        def spent():
            fields = pathlib.Path(f"/proc/{studio.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return int(fields[11]) + int(fields[12])

        before = spent()
        while True:
            time.sleep(0.02)
            now = spent()
            if now - before <= 0:
                break
            before = now
        print(f"{'stop, 4097 x 4097':32} answered after {1000 * answered:.1f} ms, idle after {1000 * (time.perf_counter() - began):.0f} ms")


if __name__ == "__main__":
    os.environ["TEPUI_PROGRAM"] = str(pathlib.Path(sys.argv[1]).resolve())
    count = STEPS + 3
    row("mesa, age (massif kept)", "mesa", "vars.age", [round(0.2 + 0.02 * i, 2) for i in range(count)])
    row("mesa, seed (all anew)", "mesa", "seed", list(range(10, 10 + count)))
    row("monuments, talus", "monuments", "vars.talus", [100 + 5 * i for i in range(count)])
    stroke_row("arch_mesa, strokes of 10 m", "arch_mesa", "carved", [(200 + 9 * i, 240 + 11 * (i % 7), 52) for i in range(20)])
    # On the walls and roofs of the cave, where its own strokes end.
    log = json.loads((RECIPES / "papers/003/benagil_strokes.geojson").read_text())["features"]
    ends = [feature["geometry"]["coordinates"] for feature in log if feature["geometry"]["type"] == "LineString"]
    stroke_row("benagil, strokes of 10 m", "papers/003/figure_25", "carved", [ends[len(ends) * i // 21][-1] for i in range(21)])
    many_strokes()
    stop_to_idle()
