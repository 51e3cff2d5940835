#!/usr/bin/env python3
"""run.py MODULE TESTS: runs the tests, "a_test:b_test", with the module tepui of that folder. Only what fails is told."""

import os
import pathlib
import sys
import unittest

if __name__ == "__main__":
    sys.path[:0] = [str(pathlib.Path(sys.argv[1]).parent), os.path.dirname(os.path.abspath(__file__))]
    suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2].split(":"))
    done = unittest.TextTestRunner(verbosity=0, buffer=True).run(suite)
    sys.exit(not done.wasSuccessful())
