"""Work: beside other threads, interrupted, in forked processes; operators of Python's own."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
import unittest
import warnings
from typing import Annotated

import numpy as np

import tepui as tp
from support import TREE, Scratch, python, small

LONG = "tp.weathering(tp.noise(tp.World(size=4000, resolution=1025)), steps=100000)"


@tp.operator
def lifted(
    land: np.ndarray, amount: Annotated[float, tp.Param(0, 100, unit="m", doc="how much")] = 5.0, twice: bool = False
):
    """Lift land."""
    return land + amount * (2 if twice else 1)


@tp.operator(name="speckles")
def random_speckles(land: tp.Terrain, seed: tp.Seed = 0) -> tp.Terrain:
    speckles = np.random.default_rng(seed).random(land.shape)
    return {"speckles": speckles.astype(np.float32)}


class Custom(Scratch):
    def test_a_function_is_an_operator(self):
        land = tp.noise(small())
        high = lifted(land, amount="2", twice=True)
        self.assertFalse(high.known)
        np.testing.assert_array_equal(high.height, land.height + np.float32(4))
        steep = tp.slope(lifted(tp.levelling(land)))
        self.assertIn("slope", steep.layers)
        self.assertEqual(lifted(land, amount=3).hash, lifted(land, amount=3).hash)

    def test_its_parameters_are_checked_as_any_other(self):
        land = tp.noise(small())
        for options, message in (
            (dict(amount=101), "'amount' is 101 m, but must be from 0 to 100 m"),
            (dict(amount="much"), "'amount' must be a number, not \"much\""),
            (dict(amonut=1), "'lifted' has no parameter 'amonut'"),
        ):
            with self.assertRaises(tp.RecipeError) as caught:
                lifted(land, **options)
            self.assertEqual(caught.exception.message, message)
        with self.assertRaises(tp.RecipeError):
            lifted(tp.strata())
        with self.assertRaises(TypeError):
            tp.operator(lambda land, amount: land)

    def test_seeds_follow_the_world_and_the_node(self):
        first = random_speckles(tp.noise(small(seed=1)))["speckles"]
        np.testing.assert_array_equal(first, random_speckles(tp.noise(small(seed=1)))["speckles"])
        for land in (random_speckles(tp.noise(small(seed=2))), random_speckles(tp.noise(small(seed=1)), seed=1)):
            self.assertFalse((first == land["speckles"]).all())

    def test_other_code_is_never_answered_by_what_was_kept(self):
        land, answers = tp.noise(small()), []
        helper = lambda heights: heights + 1

        def operator_with(function):
            @tp.operator(name="same_name")
            def changed(land: np.ndarray):
                return function(land)

            return changed

        for function in (helper, lambda heights: heights + 2, lambda heights: heights + 2, np.sqrt, np.abs):
            answers.append(operator_with(function)(land).height.mean())
        self.assertEqual(answers[1], answers[2])
        self.assertEqual(len({float(answer) for answer in answers}), 4)

    def test_the_same_code_is_answered_by_what_was_kept(self):
        calls, land = [], tp.noise(small())

        def make():
            @tp.operator
            def counted(land: np.ndarray):
                with open(path, "a") as file:
                    file.write("x")
                return land

            return counted

        path = str(self.folder / "calls")
        for _ in range(3):
            make()(land).height
        self.assertEqual(os.path.getsize(path), 1)

    def test_the_next_process_runs_only_what_is_other_code(self):
        calls = self.folder / "calls"

        def run(body):
            (self.folder / "own.py").write_text(
                f"import numpy as np, tepui as tp\n@tp.operator\ndef counted(land: np.ndarray):\n"
                f"    open({str(calls)!r}, 'a').write('x')\n    {body}\n"
            )
            done = python(
                f"sys.path.insert(0, {str(self.folder)!r})\nimport tepui as tp, own\ntp.cache({str(self.folder / 'cache')!r})\n"
                "print(own.counted(tp.noise(tp.World(resolution=33, seed=7))).hash)\n"
            )
            self.assertEqual(done.stderr, "")
            return done.stdout, calls.stat().st_size

        first, second, other = run("return land + 1"), run("return land + 1"), run("return land + 2")
        self.assertEqual([first[1], second[1], other[1]], [1, 1, 2])
        self.assertEqual(first[0], second[0])
        self.assertNotEqual(first[0], other[0])

    def test_what_goes_wrong_in_it_is_told_with_its_traceback(self):
        @tp.operator
        def broken(land: np.ndarray):
            return land[np.array([10**6])]

        frames = []
        try:
            tp.levelling(broken(tp.noise(small()))).height
        except IndexError as error:  # assertRaises would drop the traceback
            frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        self.assertIn("broken", frames)

        @tp.operator
        def nothing(land: np.ndarray):
            return "land"

        with self.assertRaises(tp.RecipeError) as caught:
            nothing(tp.noise(small())).height
        self.assertIn("returned a str", caught.exception.message)

        @tp.operator
        def another_shape(land: np.ndarray):
            return land[1:]

        with self.assertRaises(tp.RecipeError):
            another_shape(tp.noise(small())).height

    def test_it_may_look_at_other_values(self):
        @tp.operator
        def curious(land: tp.Terrain):
            return tp.levelling(land).height + tp.noise(small(), octaves=3).height

        self.assertEqual(curious(tp.noise(small())).shape, (65, 65))

    def test_many_at_once(self):
        land = tp.noise(small())
        lands = [lifted(land, amount=i) for i in range(40)]
        tp.compute(*lands)
        self.assertEqual([round(float((one.height - land.height).mean())) for one in lands], list(range(40)))


class Beside(unittest.TestCase):
    def test_other_threads_run_meanwhile(self):
        steps, done = [], threading.Event()

        def count():
            while not done.is_set():
                steps.append(time.perf_counter())
                time.sleep(0.002)

        thread = threading.Thread(target=count)
        thread.start()
        began = time.perf_counter()
        tp.thermal(tp.noise(tp.World(size=4000, resolution=1025, seed=5))).height
        ended = time.perf_counter()
        done.set()
        thread.join()
        during = [step for step in steps if began < step < ended]
        self.assertGreater(len(during), 20 * (ended - began))  # 500 a second, where nothing else keeps the processor

    def test_threads_compute_side_by_side(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            hashes = list(pool.map(lambda i: tp.levelling(tp.noise(small(seed=i % 4))).hash, range(40)))
        self.assertEqual(hashes[:4], hashes[36:])
        self.assertEqual(len(set(hashes)), 4)

    def test_warnings_are_pythons(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tp.read(file=TREE / "recipes/data/hills.png").height
        told = [one for one in caught if issubclass(one.category, tp.TepuiWarning)]
        self.assertEqual({one.filename for one in told}, {__file__})

    def test_results_do_not_depend_on_threads(self):
        hashes = set()
        for threads in (1, 2, 5):
            tp.threads(threads)
            tp.cache("", memory=0)
            hashes.add(tp.levelling(tp.noise(small(seed=9, resolution=200))).hash)
        tp.threads(0)
        tp.cache("", memory=256 << 20)
        self.assertEqual(len(hashes), 1)

    def test_progress_is_told_and_what_the_listener_raises_stops_the_work(self):
        told = []

        def listener(fraction, stage):
            told.append(fraction)
            if fraction is not None and len(told) > 4:
                raise ZeroDivisionError

        tp.progress(listener)
        self.addCleanup(tp.progress, False)
        with self.assertRaises(ZeroDivisionError):
            tp.weathering(tp.noise(tp.World(size=4000, resolution=1025, seed=8)), steps=100000).height
        self.assertIsNone(told.pop())
        self.assertTrue(all(0 <= fraction <= 1 for fraction in told), told)
        self.assertEqual(len(told), 5)


class Interrupted(Scratch):
    def interrupt(self, code):
        """Runs a program that computes too long, sends it Ctrl-C, and gives how long it took to stop."""
        lines = "\n    ".join(code.splitlines())
        program = self.folder / "program.py"
        program.write_text(
            "import time\nimport numpy as np\nimport tepui as tp\ntp.cache('', memory=0)\ntp.progress(False)\n"
            f"try:\n    print('begun', flush=True)\n    {lines}\n"
            "except KeyboardInterrupt:\n    print('stopped', time.time(), flush=True)\n"
            "print('sound', tp.noise(tp.World(resolution=33)).height.shape, flush=True)\n"
        )
        path = os.path.dirname(os.path.dirname(tp.__file__))
        child = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, "PYTHONPATH": path})
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stderr.close)
        self.assertEqual(child.stdout.readline().strip(), "begun")
        time.sleep(1)
        sent = time.time()
        child.send_signal(signal.SIGINT)
        answer, complaint = child.communicate(timeout=60)
        self.assertIn("sound (33, 33)", answer, complaint)
        self.assertEqual(child.returncode, 0, complaint)
        return float(answer.split()[1]) - sent

    def test_ctrl_c_stops_within_a_second(self):
        self.assertLess(self.interrupt(f"{LONG}.height"), 1)

    def test_ctrl_c_stops_a_function_of_python(self):
        code = "@tp.operator\ndef endless(land: np.ndarray):\n    while True: time.sleep(0.01)\nendless(tp.noise()).height"
        self.assertLess(self.interrupt(code), 1)

    def test_ctrl_c_stops_what_such_a_function_looks_at(self):
        code = f"@tp.operator\ndef nested(land: np.ndarray):\n    {LONG}.height\nnested(tp.noise()).height"
        self.assertLess(self.interrupt(code), 1)


def worker(seed):
    return tp.levelling(tp.noise(small(seed=seed, resolution=129))).hash


class Forked(unittest.TestCase):
    def test_forked_processes_compute(self):
        expected = [worker(seed) for seed in range(3)]
        for method in ("fork", "spawn"):
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map_async(worker, range(3)).get(60), expected)

    def test_land_goes_to_another_process(self):
        land = tp.noise(small())
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            again = pool.submit(tp.Terrain.with_height, land, land.height + 1).result(60)
        np.testing.assert_array_equal(again.height, land.height + 1)
        self.assertEqual(again.cell, land.cell)

    def test_python_ends_while_values_are_alive(self):
        done = python(
            "import tepui as tp, threading\nland = tp.noise(tp.World(resolution=65))\nland.height\n"
            "@tp.operator\ndef own(land: tp.Terrain): return land\nkept = own(land)\nkept.height\n"
            "threading.Thread(target=lambda: tp.levelling(land).height).start()\n"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
