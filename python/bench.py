#!/usr/bin/env python3
"""What the module itself costs: bench.py FOLDER [NAME], with the module tepui of FOLDER, the rows that begin with NAME.
Each row is the median of several runs on two threads, as those of `tepui bench` are."""

import statistics
import sys
import time

import numpy as np

sys.path.insert(0, sys.argv[1])
import tepui as tp


def seconds(call, least=5, budget=0.5):
    call()
    times = []
    while len(times) < least or (sum(times) < budget and len(times) < 2000):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def places(count, side, high):
    return np.random.default_rng(1).uniform((0, 0, 0), (side, side, high), (count, 3))


def ten_nodes():
    """Built anew, and not computed."""
    world = tp.World(size=8000, resolution=1025, seed=7)
    land = tp.noise(world, height="1.2km")
    for erosion in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        land = tp.gradation(land, erosion=erosion)
    return tp.levelling(land, radius="1%")


def layer():
    land = tp.Terrain(np.zeros((4097, 4097), dtype=np.float32))
    return lambda: tp._native.layer(land._value, "height")


def copied_layer():
    land = tp.Terrain(np.zeros((4097, 4097), dtype=np.float32))
    return lambda: land.height.copy()


def resistance():
    rock, points = tp.fold(tp.strata(beds="shale:60:0.2,sandstone:40:0.8")), places(10**6, 2000, 500)
    rock.resistance(points[:1])
    return lambda: rock.resistance(points)


def solid():
    land = tp.gradation(tp.materials(tp.circular_faults(tp.World(size=2000, resolution=513, seed=7))))
    volume = tp.implicitize(land)
    volume.bounds
    return volume, places(10**6, 2000, 400)


def field():
    volume, points = solid()
    return lambda: volume.field(points)


def inside():
    volume, points = solid()
    return lambda: volume.inside(points)


def planet_heights():
    planet, rng = tp.planet(level=6, seed=3), np.random.default_rng(1)
    latitude, longitude = rng.uniform(40, 41, 10**5), rng.uniform(10, 11, 10**5)
    return lambda: planet.heights(latitude, longitude, spacing=500)


ROWS = {  # name: (what makes the call, items of a call, their name)
    "python/layer/4097x4097": (layer, 0, ""),
    "python/layer_copied/4097x4097": (copied_layer, 0, ""),
    "python/graph/10_nodes": (lambda: ten_nodes, 0, ""),
    "python/geology/resistance": (resistance, 10**6, "points"),
    "python/volume/field": (field, 10**6, "points"),
    "python/volume/inside": (inside, 10**6, "points"),
    "python/planet/heights_in_a_degree": (planet_heights, 10**5, "places"),
}


def main(start=""):
    tp.cache("", memory=1 << 30)
    tp.progress(False)
    tp.threads(2)
    for name, (prepare, items, item) in ROWS.items():
        if name.startswith(start):
            taken = seconds(prepare())
            rate = f"  {items / taken / 1e6:.2f} M {item}/s" if items else ""
            print(f"{name:<42} {1e6 * taken:>11.1f} us{rate}", flush=True)


main(*sys.argv[2:])
