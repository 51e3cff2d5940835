"""Values while somebody changes them."""

import weakref
from typing import Any, NamedTuple, Optional

from . import _native
from ._values import Value, kinds, node_of


class Event(NamedTuple):
    """What a Live tells.

    kind : "preview" and "value": `value` is there, with few samples or all of them; "progress": `fraction` and `text` say
        how far the node is; "warning": `text`; "failed": `error`, and what depends on the node does not come
    name : the node's
    of : which of the shown values it is, by number
    """

    kind: str
    name: str
    value: Optional[Value] = None
    of: Optional[int] = None
    fraction: Optional[float] = None
    text: str = ""
    error: Any = None


class Live:
    """Values that somebody looks at while changing them, as a studio does.

        live = tp.Live()
        live.show(land)             # returns at once
        for event in live:          # until all has come: first a preview, then all of it
            if event.value is not None: ...
        live.show(changed)          # what is not needed any more stops, what both need goes on

    preview : samples on the longer side of a preview; 0: no previews
    """

    def __init__(self, preview=257):
        self._native = _native.Live(int(preview))
        self._shown = ()
        self.close = weakref.finalize(self, self._native.close)

    def show(self, *values):
        """Compute these instead of what was shown before."""
        self._native.show([node_of(value) for value in values])
        self._shown = values

    def _event(self, told):
        value = told.pop("value", None)
        of = told.pop("look", None)
        if value is not None and told["kind"] == "value":
            shown = self._shown[of]
            if shown._computed is None:
                shown._computed = value
            value = shown
        elif value is not None:
            value = kinds[value.kind]._holding(value)
        return Event(value=value, of=of, **told)

    def __iter__(self):
        """Events as they come, until all that is shown has come, or cannot."""
        while (told := self._native.next(True)) is not None:
            yield self._event(told)

    def news(self):
        """The events that have come, without waiting: for programs that have a loop of their own."""
        told = iter(lambda: self._native.next(False), None)
        return [self._event(one) for one in told]

    @property
    def settled(self):
        """Whether all that is shown has come, or cannot."""
        return self._native.settled

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
