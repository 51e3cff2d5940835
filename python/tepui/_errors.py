"""What goes wrong, as the command line tells it."""

import os
import sys
import warnings
from typing import NamedTuple


class Place(NamedTuple):
    """Where an error stands: in a recipe's text, or at a parameter of a node; 0 and "" where that is unknown."""

    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    node: str = ""
    field: str = ""


class Error(Exception):
    """What is wrong (`message`), what would be right (`hint`), and where (`place`; `where` is the same as text)."""

    def __init__(self, message, hint="", place=Place(), where=""):
        super().__init__(message, hint, place, where)
        self.message, self.hint, self.place, self.where = message, hint, place, where

    def __str__(self):
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}\n  {self.hint}" if self.hint else text


class RecipeError(Error, ValueError):
    """What was asked for is wrong."""


class WorkError(Error, RuntimeError):
    """It went wrong while working."""


class TepuiWarning(UserWarning):
    """What an operator says about what it did."""


def warn(message):
    """At the line that looked at the value, not at one of this package."""
    package, level, frame = os.path.dirname(__file__), 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, TepuiWarning, stacklevel=level)
