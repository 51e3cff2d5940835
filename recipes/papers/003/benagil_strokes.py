#!/usr/bin/env python3
"""Writes benagil_strokes.geojson: the log of a brush that sculpts a sea cave after the one of Benagil, Portugal.

A person who sculpts such a cave drags a brush along a few hundred lines. This stands in for them: each line of the file
is one stroke, with the falloff (metres) and the energy of its dabs as numbers, in the order in which a person would work:
bays and a headland in the cliff, the notch that the sea cuts, the domed room, its two arches, the opening in the roof,
the beach, and bedding notches around the walls. `sculpt` with `spacing` puts a dab every 2.2 m (recipes/papers/003/
figure_25.json). Metres of a world of 400 m; the sea is in the west, at height 0. Run it again after a change:

    python3 recipes/papers/003/benagil_strokes.py > recipes/papers/003/benagil_strokes.geojson
"""
import json
import math
import random

SPACING = 2.2
THRESHOLD = 7.5
CENTRE = (246.0, 200.0)
hand = random.Random(25)
strokes = []


def body_energy(falloff, spacing=SPACING):
    """Dabs on a lattice hollow out rock up to the outermost of them (tepui/landforms/carving.h)."""
    return 2 * THRESHOLD / (0.638 * (falloff / spacing) ** 3)


def shaky(points, amount=0.35):
    return [[round(c + hand.uniform(-amount, amount), 2) for c in p] for p in points]


def stroke(points, falloff, energy, amount=0.35):
    if len(points) > 1:
        strokes.append((shaky(points, amount), falloff, round(energy, 3)))


def rub(rows, falloff, energy):
    """To and fro over two rows at a time, as one rubs something out."""
    for i in range(0, len(rows), 2):
        pair = [list(row) for row in rows[i:i + 2]]
        if len(pair) > 1:
            pair[1].reverse()
        stroke([p for row in pair for p in row], falloff, energy)


def steps(low, high, step=SPACING):
    count = max(1, round((high - low) / step))
    return [low + (high - low) * i / count for i in range(count + 1)]


def coast(y):
    """The sea has worn bays into the straight cliff at x = 200; a headland is left around the cave."""
    bays = 9 * math.sin(y / 23.0) + 6 * math.sin(y / 9.7 + 2) + 12 * math.sin(y / 61.0 + 4.4)
    headland = 16 * math.exp(-(((y - 200) / 34) ** 2))
    return 206 + bays - headland


def carve_bays():
    falloff = 6.0
    for z in steps(-5, 33, 3.6):
        for first in range(0, 400, 80):
            for depth in (0.0, 0.5, 1.0):
                points = []
                for y in steps(first, first + 80, 6):
                    edge = coast(y) - 0.12 * (z + 5)
                    if edge > 199:
                        points.append((198 + depth * (edge - 198), y, z))
                    elif len(points) > 1:
                        stroke(points, falloff, -body_energy(falloff, 2.9), 0.6)
                        points = []
                    else:
                        points = []
                stroke(points, falloff, -body_energy(falloff, 2.9), 0.6)


def carve_notch():
    """Where waves reach: a groove along the foot of the cliff."""
    for z, falloff in ((0.6, 4.5), (2.4, 3.6)):
        for first in range(4, 390, 46):
            stroke([(min(coast(y), 204) if 176 < y < 236 else coast(y), y, z) for y in steps(first, first + 44, 4)],
                   falloff, -3.4)


def carve_room():
    falloff = 5.5
    for z in steps(1, 25):
        t = (z - 1) / 25.5
        rx, ry = 27 * math.sqrt(1 - t ** 2.4), 31 * math.sqrt(1 - t ** 2.2)
        rows = []
        for y in steps(-ry, ry):
            half = rx * math.sqrt(max(0.0, 1 - (y / ry) ** 2)) * (1 + 0.09 * math.sin(y / 4.1 + z / 6) +
                                                                  0.05 * math.sin(y / 1.9 - z / 3))
            if half > 1.2:
                rows.append([(CENTRE[0] - half, CENTRE[1] + y, z), (CENTRE[0] + half, CENTRE[1] + y, z)])
        rub(rows, falloff, -body_energy(falloff))


def carve_arch(y0, y1, width, height):
    """A passage from the sea into the room, round at the top and open to below the water."""
    falloff = 5.0
    for z in steps(-4, height):
        half = 0.5 * width * math.sqrt(max(0.04, 1 - (max(z, 0) / (height + 1)) ** 2))
        rub([[(190, y0 + y, z), (205, y0 + 0.9 * y, z), (236, y1 + y, z)] for y in steps(-half, half)], falloff,
            -body_energy(falloff))


def carve_eye():
    """The opening in the roof."""
    falloff = 4.5
    for z in steps(22, 35):
        rows = []
        for y in steps(-9, 9):
            half = 9.5 * math.sqrt(max(0.0, 1 - (y / 9.6) ** 2))
            if half > 1:
                rows.append([(CENTRE[0] + 4 - half, CENTRE[1] - 3 + y, z), (CENTRE[0] + 4 + half, CENTRE[1] - 3 + y, z)])
        rub(rows, falloff, -body_energy(falloff))


def lay_beach():
    """Sand that rises from the water to the back of the room."""
    falloff = 5.0
    for y in steps(-30, 30, 3):
        for z in (-6.0, -3.6):
            points = [(CENTRE[0] - 12 + u, CENTRE[1] + y, z + 0.19 * u) for u in steps(0, 38, 6)]
            stroke(points, falloff, 0.75 * body_energy(falloff, 2.6), 0.2)


def cut_beds():
    """Weak beds are worn back around the walls."""
    for z in (3.4, 7.1, 9.0, 13.6, 17.2, 20.4):
        t = (z - 1) / 25.5
        rx, ry = 28.5 * math.sqrt(1 - t ** 2.4), 32.5 * math.sqrt(1 - t ** 2.2)
        for part in range(4):
            angles = [math.radians(90 * part + 6 * i) for i in range(16)]
            stroke([(CENTRE[0] + rx * math.cos(a), CENTRE[1] + ry * math.sin(a), z + 0.4 * math.sin(3 * a))
                    for a in angles], 2.6, -4.5, 0.5)


carve_bays()
carve_notch()
carve_room()
carve_arch(184, 189, 17, 13)
carve_arch(219, 214, 11, 9)
carve_eye()
lay_beach()
cut_beds()

features = [
    {"type": "Feature", "properties": {"name": f"stroke {i + 1}", "falloff": falloff, "energy": energy},
     "geometry": {"type": "LineString", "coordinates": points}}
    for i, (points, falloff, energy) in enumerate(strokes)
]
print('{"type": "FeatureCollection", "features": [')
print(",\n".join(json.dumps(f, separators=(",", ":")) for f in features))
print("]}")

if __name__ == "__main__":
    import sys
    dabs = sum(1 + int(sum(math.dist(a, b) for a, b in zip(p, p[1:])) / SPACING) for p, _, _ in strokes)
    print(f"{len(strokes)} strokes, {dabs} dabs", file=sys.stderr)
