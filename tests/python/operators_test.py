"""Every operator is a function, and says what the command line says."""

import inspect
import json
import unittest
import warnings

import numpy as np

import tepui as tp
from support import TREE, program, small
from tepui import _operators


def failure_of_command(line):
    answer = json.loads(program("make", line, "--json", "-o", "/nowhere/a.tif", code=2))["error"]
    return answer["message"], answer["hint"]


def above(node):
    """The node and all that it is made from."""
    yield node
    for _, source in node.inputs:
        yield from above(source)


class Operators(unittest.TestCase):
    def test_every_operator_of_the_program_is_a_function(self):
        names = [op["name"] for op in json.loads(program("ops", "--json"))["operators"]]
        self.assertGreater(len(names), 80)
        for name in names:
            function = getattr(tp, _operators.python_name(name))
            self.assertTrue(callable(function), name)
            self.assertIn(function.__name__, tp.__all__)

    def test_every_operator_takes_its_defaults_and_its_example(self):
        """The function, given what the example's node has, makes a node with the same parameters and inputs."""
        for name, op in _operators.registry().items():
            with self.subTest(name):
                shown = tp.make(op["example"].replace("file=recipes", f"file={TREE}/recipes"))
                node = next(node for node in above(shown._node) if node.op == name)
                ports = {}
                for port, source in node.inputs:
                    ports.setdefault(_operators.python_name(port), []).append(tp._values.kinds[source.kind]._of(source))
                lists = {_operators.python_name(p["name"]) for p in op["inputs"] if p["list"]}
                ports = {port: values if port in lists else values[0] for port, values in ports.items()}
                given = {_operators.python_name(key): value for key, value in node.given.items()}
                made = getattr(tp, _operators.python_name(name))(**ports, **given)
                self.assertEqual(made._node.op, name)
                self.assertEqual(made._node.given, node.given)
                self.assertEqual([p for p, _ in made._node.inputs], [p for p, _ in node.inputs])
                # All defaults written out are the defaults.
                written = {p["name"]: p["default"] for p in op["params"] if p["type"] != "file"}
                written = {_operators.python_name(key): value for key, value in {**written, **node.given}.items()}
                getattr(tp, _operators.python_name(name))(**ports, **written)

    def test_every_example_computes(self):
        """On as few samples as it can be told to have."""
        for name, op in _operators.registry().items():
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("ignore", tp.TepuiWarning)
                line = op["example"].replace("file=recipes", f"file={TREE}/recipes")
                line += " years=1" if name == "dunes" else ""  # a year takes as long on any land
                size = {} if "file=" in line else {"resolution": 33}
                self.assertGreater(len(repr(tp.make(line, **size).info())), 50)

    def test_a_call_gives_what_the_command_line_gives(self):
        land = tp.gradation(tp.materials(tp.noise(small(seed=0), octaves=5), count=4), erosion=0.7)
        told = program("make", "noise octaves=5 | materials count=4 | gradation erosion=0.7", "--recipe", "--world",
                       "2000", "--resolution", "65")
        nodes = json.loads(told)["nodes"]
        self.assertEqual(nodes["gradation"]["erosion"], 0.7)
        line = tp.make("noise octaves=5 | materials count=4 | gradation erosion=0.7", size=2000, resolution=65)
        self.assertEqual(land.hash, line.hash)

    def test_errors_are_those_of_the_command_line(self):
        calls = {
            "noise hight=3": lambda: tp.noise(hight=3),
            "noise octaves=1000": lambda: tp.noise(octaves=1000),
            "noise height=3parsec": lambda: tp.noise(height="3parsec"),
            "noise sum=ridge": lambda: tp.noise(sum="ridge"),
            "noise octaves=2.5": lambda: tp.noise(octaves=2.5),
            "noise | levelling radius=-1": lambda: tp.levelling(tp.noise(), radius=-1),
            "strata beds=shale:-5": lambda: tp.strata(beds=["shale:-5"]),
            "noise height=nan": lambda: tp.noise(height="nan"),
            "noise every=5": lambda: tp.noise(every=5),
            "noise | weathering retreat=30 every=-5": lambda: tp.weathering(tp.noise(), retreat=30, every=-5),
            "noise | weathering retreat=30 every=9,3": lambda: tp.weathering(tp.noise(), retreat=30, every=[9, 3]),
            "noise | weathering retreat=30 every=1%": lambda: tp.weathering(tp.noise(), retreat=30, every="1%"),
        }
        for line, call in calls.items():
            with self.subTest(line):
                with self.assertRaises(tp.RecipeError) as caught:
                    call()
                error = caught.exception
                self.assertEqual((error.message, error.hint), failure_of_command(line))
                self.assertTrue(error.place.node and error.place.field, error.place)
                self.assertIsInstance(error, ValueError)

    def test_links_are_checked_when_they_are_made(self):
        with self.assertRaises(tp.RecipeError) as caught:
            tp.levelling(tp.strata())
        self.assertEqual(caught.exception.message, "port 'in' takes terrain, but node 'strata' gives geology")
        self.assertEqual(caught.exception.place, tp.Place(node="levelling", field="in"))
        with self.assertRaises(tp.RecipeError) as caught:
            tp.levelling()
        self.assertEqual(caught.exception.message, "node 'levelling' needs an input on its port 'in'")
        with self.assertRaises(tp.RecipeError) as caught:
            tp.levelling(np.zeros((4, 4)))
        self.assertIn("tp.Terrain", caught.exception.hint)

    def test_parameters_take_numbers_texts_numpy_and_records(self):
        world = small()
        self.assertEqual(tp.noise(world, height="1.2km").hash, tp.noise(world, height=np.float32(1200)).hash)
        self.assertEqual(tp.noise(world, height="10%").hash, tp.noise(world, height=200).hash)
        self.assertEqual(tp.noise(world, octaves=np.int16(5)).hash, tp.noise(world, octaves="5").hash)
        beds = [dict(rock="shale", thickness=60), dict(rock="sandstone", thickness=np.float64(40))]
        self.assertEqual(tp.strata(beds=beds).hash, tp.strata(beds="shale:60,sandstone:40").hash)
        self.assertEqual(tp.circular_faults(world, faults=9, radius=(1, 90)).hash,
                         tp.circular_faults(world, faults=9, radius=np.array([1, 90])).hash)
        for wrong in (complex(1, 2), object(), b"1", {1}, float("nan"), float("inf"), 10**30, None):
            with self.assertRaises(tp.RecipeError, msg=repr(wrong)):
                tp.noise(world, octaves=wrong)

    def test_every_divides_a_node_into_stages(self):
        """Of an operator that goes on from an age, and of one that starts again for each."""
        hills = tp.circular_faults(small(resolution=33))
        cases = (
            (tp.weathering, "retreat", 30, 10, [0, 10, 20, 30]), (tp.weathering, "retreat", 30, [4, 11.5], [0, 4, 11.5, 30]),
            (tp.stream_power, "age", 1, 0.5, [0, 0.5, 1]), (tp.thermal, "steps", 8, 8, [0, 8]),
        )
        for operator, end, age, every, ages in cases:
            with self.subTest(f"{operator.__name__} {every}"):
                divided = operator(hills, **{end: age}, every=every)
                self.assertEqual(list(divided.stages), ages)
                self.assertEqual(divided.hash, operator(hills, **{end: age}).hash)
                for stage, land in divided.stages.items():
                    self.assertEqual(land.hash, operator(hills, **{end: stage}).hash)
                self.assertIs(divided.stages[age], divided)
        self.assertEqual(tp.weathering(hills, every=None).stages, {})
        self.assertIn("every", inspect.signature(tp.karst).parameters)

    def test_signatures_and_help_say_what_the_registry_says(self):
        signature = inspect.signature(tp.gradation)
        self.assertEqual(list(signature.parameters)[:3], ["in_", "rock", "erosion"])
        self.assertEqual(signature.parameters["erosion"].default, 0.5)
        self.assertIs(signature.return_annotation, tp.Terrain)
        self.assertIn("0 to 1", tp.gradation.__doc__)
        self.assertIn("Warszawski2019", tp.gradation.__doc__)
        with self.assertRaises(TypeError):
            tp.gradation(tp.noise(), tp.noise())
        with self.assertRaises(TypeError):
            tp.gradation(tp.noise(), in_=tp.noise())

    def test_nothing_is_computed_before_it_is_looked_at(self):
        # More than any machine holds: it is refused when somebody looks.
        huge = tp.levelling(tp.noise(tp.World(size="1000km", resolution=10**6)))
        self.assertFalse(huge.known)
        self.assertIn("not computed", repr(huge))
        with self.assertRaises(tp.RecipeError) as caught:
            huge.height
        self.assertIn("samples need", caught.exception.message)

    def test_worlds(self):
        world = tp.World(size=("4km", 2000), resolution=np.int64(101), seed=3, sea_level=5)
        self.assertEqual((world.size, world.resolution, world.sea_level), ((4000, 2000), 101, 5))
        land = tp.noise(world)
        self.assertEqual(land.shape, (51, 101))
        self.assertEqual(tp.noise(tp.World(like=land, seed=3)).hash, land.hash)
        self.assertEqual(tp.noise(land).shape, land.shape)
        for wrong in (dict(size=-3), dict(size="x"), dict(resolution=0), dict(seed=-1), dict(size=(1, 2, 3))):
            with self.assertRaises(tp.RecipeError, msg=str(wrong)):
                tp.World(**wrong)

    def test_lands_of_two_worlds_meet(self):
        fine, coarse = tp.noise(small(resolution=129)), tp.levelling(tp.noise(small(resolution=33)))
        onto = tp.resample(coarse, like=fine)
        self.assertEqual(onto.shape, (129, 129))
        self.assertEqual(tp.combine(fine, onto).shape, (129, 129))
        with self.assertRaises(tp.RecipeError) as caught:
            tp.combine(fine, coarse).height
        self.assertIn("resample", caught.exception.hint)


if __name__ == "__main__":
    unittest.main()
