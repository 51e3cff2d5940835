"""Values that are shown while they change."""

import threading
import time
import unittest

import numpy as np

import tepui as tp
from support import python, small


def land(**options):
    return tp.levelling(tp.gradation(tp.materials(tp.noise(small(resolution=513)), count=4), **options))


class Live(unittest.TestCase):
    def test_a_preview_comes_first_and_then_what_computing_gives(self):
        previewed = threading.Event()

        @tp.operator
        def patient(land: np.ndarray):
            if len(land) > 65:
                previewed.wait(60)
            return land

        with tp.Live(preview=65) as live:
            shown = tp.levelling(patient(land()))
            live.show(shown)
            events = []
            for event in live:
                events.append(event)
                if event.kind == "preview":
                    previewed.set()
            arrived = [event for event in events if event.value is not None]
            self.assertEqual([event.kind for event in arrived], ["preview", "value"])
            self.assertEqual([event.value.shape for event in arrived], [(65, 65), (513, 513)])
            self.assertIs(arrived[1].value, shown)
            self.assertTrue(shown.known and live.settled)
            self.assertEqual(shown.hash, tp.levelling(land()).hash)
            self.assertTrue(all(0 <= event.fraction <= 1 for event in events if event.kind == "progress"))
            live.show(shown, tp.noise(small(resolution=33)).only("height"))
            arrived = sorted((event.kind, event.of) for event in live if event.value)
            self.assertEqual(arrived, [("value", 0), ("value", 1)])

    def test_only_what_is_shown_last_arrives(self):
        rng = np.random.default_rng(5)
        with tp.Live(preview=0) as live:
            for _ in range(20):
                erosions = rng.random(rng.integers(1, 4)).tolist()
                for erosion in erosions:
                    live.show(land(erosion=erosion))
                    time.sleep(0.01 * rng.random())
                arrived = [event.value.hash for event in live if event.value is not None]
                self.assertEqual(arrived, [land(erosion=erosions[-1]).hash])

    def test_what_goes_wrong_is_told(self):
        @tp.operator
        def broken(land: np.ndarray):
            raise ZeroDivisionError

        with tp.Live() as live:
            cases = (
                (broken(tp.noise(small())), tp.WorkError, "broken", "ZeroDivisionError"),
                (tp.levelling(tp.noise(tp.World(resolution=10**6))), tp.RecipeError, "noise", "samples need"),
            )
            for value, kind, name, text in cases:
                live.show(value)
                failed = [event for event in live if event.kind == "failed"]
                self.assertEqual([event.name for event in failed], [name])
                self.assertIsInstance(failed[0].error, kind)
                self.assertIn(text, failed[0].text)
                self.assertFalse(value.known)
        with self.assertRaises(tp.RecipeError):
            live.show(land())
        with self.assertRaises(tp.RecipeError):
            tp.Live(preview=-1)

    def test_a_function_that_is_needed_no_more_is_interrupted(self):
        began = []

        @tp.operator
        def endless(land: np.ndarray, number: int = 0):
            began.append(number)
            while True:
                time.sleep(0.001)

        with tp.Live() as live:
            for number in range(3):
                live.show(endless(tp.noise(small()), number=number))
                while number not in began:
                    time.sleep(0.001)
                self.assertFalse(live.settled)
                self.assertFalse([event for event in live.news() if event.kind != "progress"])
            live.show(tp.noise(small(seed=3)))
            self.assertEqual([event.kind for event in live if event.value], ["value"])
            live.show(endless(tp.noise(small()), number=3))
            while 3 not in began:
                time.sleep(0.001)
        # Leaving has ended it.

    def test_warnings_are_told(self):
        with tp.Live(preview=0) as live:
            live.show(tp.weathering(tp.noise(small(resolution=33)), retreat=5))
            self.assertIn("warning", [event.kind for event in live])

    def test_python_ends_while_it_works(self):
        done = python(
            "import tepui as tp, time\nimport numpy as np\ntp.cache('', memory=1 << 28)\nlive, began = tp.Live(), []\n"
            "@tp.operator\ndef endless(land: np.ndarray):\n    began.append(1)\n    while True: time.sleep(0.001)\n"
            "live.show(endless(tp.noise(tp.World(resolution=65))))\nwhile not began: time.sleep(0.001)\n"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
