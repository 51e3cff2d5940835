#!/usr/bin/env python3
"""Checks who includes whom in tepui/, and says every include that breaks a rule.

  check_layers.py ROOT

- A module includes only itself and modules above it in the list of tepui/CMakeLists.txt.
- A room of a module includes only itself and rooms before it in the ROOMS of the module's CMakeLists.txt; files that
  are in no room include all rooms, and no room includes them.
- Units of a module, a header and the source of the same name, include each other in no circle.
- A header for users of the library includes none that says `#pragma once  // internal`, which is not installed.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<](tepui/[^">]+)[">]', re.M)
INTERNAL = re.compile(r"^#pragma once\s+// internal$", re.M)


def module_list(root):
    text = (root / "tepui/CMakeLists.txt").read_text()
    found = re.search(r"foreach\(module ([a-z_ \n]+)\)", text)
    if not found:
        sys.exit("tepui/CMakeLists.txt has no list of modules")
    return found.group(1).split()


def room_list(root, module):
    lists = root / "tepui" / module / "CMakeLists.txt"
    found = re.search(r"ROOMS ([a-z_ \n]+?)\s*(?:DEPENDS|LIBRARIES|\))", lists.read_text()) if lists.exists() else None
    return found.group(1).split() if found else []


def place(path):
    """(module, room or '', unit) of "tepui/io/raster/png.h"."""
    parts = pathlib.PurePath(path).with_suffix("").parts[1:]
    return parts[0], parts[1] if len(parts) > 2 else "", "/".join(parts[1:])


def circles(graph):
    """The strongly connected groups of more than one unit."""
    index, low, stack, found = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(graph[unit]):
            if other not in graph:
                continue
            if other not in index:
                visit(other)
            if other in stack:
                low[unit] = min(low[unit], low[other])
        if low[unit] == index[unit]:
            group = stack[stack.index(unit) :]
            del stack[stack.index(unit) :]
            if len(group) > 1:
                found.append(sorted(group))

    for unit in sorted(graph):
        if unit not in index:
            visit(unit)
    return found


def main(root):
    modules = module_list(root)
    rooms = {module: room_list(root, module) for module in modules}
    complaints = []
    graphs = {module: {} for module in modules}
    texts = {}
    for module in modules:
        for path in sorted((root / "tepui" / module).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                texts[path.relative_to(root).as_posix()] = path.read_text()
    for name, text in texts.items():
        module, room, unit = place(name)
        units = graphs[module].setdefault(unit, set())
        if room and room not in rooms[module]:
            complaints.append(f"{name} is in a room that tepui/{module}/CMakeLists.txt does not list")
        for used in INCLUDE.findall(text):
            other_module, other_room, other_unit = place(used)
            if other_module not in modules[: modules.index(module) + 1]:
                complaints.append(f"{name} looks upward: it includes {used}")
            elif other_module == module:
                if other_unit != unit:
                    units.add(other_unit)
                order = rooms[module]
                if room in order and (other_room not in order or order.index(other_room) > order.index(room)):
                    complaints.append(f"{name} looks upward: it includes {used}")
            if name.endswith(".h") and not INTERNAL.search(text) and INTERNAL.search(texts.get(used, "")):
                complaints.append(f"{name} is for users of the library, but includes the internal {used}")
    for module in modules:
        for group in circles(graphs[module]):
            complaints.append(f"tepui/{module}: these include each other in a circle: {', '.join(group)}")
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
        sys.exit("modules and rooms use only those above them, and units no circles")


main(pathlib.Path(sys.argv[1]))
