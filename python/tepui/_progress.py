"""A bar for work that takes a while."""

import sys

from . import _native


def in_notebook():
    try:
        return get_ipython().__class__.__name__ == "ZMQInteractiveShell"  # type: ignore[name-defined]
    except NameError:
        return False


class _Terminal:
    def __call__(self, fraction, stage):
        if fraction is None:
            sys.stderr.write("\r\x1b[K")
        else:
            done = int(28 * fraction)
            sys.stderr.write(f"\r\x1b[K[{'=' * done}{' ' * (28 - done)}] {100 * fraction:3.0f} % {stage[:40]}")
        sys.stderr.flush()


class _Notebook:
    def __init__(self):
        self.display = None

    def __call__(self, fraction, stage):
        from html import escape

        from IPython.display import HTML, display

        if fraction is None:
            if self.display is not None:
                self.display.update(HTML(""))
            self.display = None
            return
        bar = HTML(f'<progress max="1" value="{fraction:.3f}"></progress> {100 * fraction:.0f} % {escape(stage)}')
        if self.display is None:
            self.display = display(bar, display_id=True)
        else:
            self.display.update(bar)


def progress(show=True):
    """Show how far work is that takes more than half a second: a bar in a terminal or notebook.

    `show` may be a function, called as show(fraction, stage) now and then and as show(None, "") at the end. The default
    is a bar where somebody sees it.
    """
    if callable(show):
        _native.set_listener(show)
    elif not show:
        _native.set_listener(None)
    else:
        _native.set_listener(_Notebook() if in_notebook() else _Terminal())


if in_notebook() or (sys.stderr is not None and sys.stderr.isatty()):
    progress()
