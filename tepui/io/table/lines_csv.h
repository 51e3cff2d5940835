#pragma once  // internal

#include <string>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Writes lines as a table of text, atomically: a header "line,x,y,z" and after it every attribute as "name (unit)",
/// then one row a point, metres and numbers as short as they can be and still read back to the same bits, whatever the
/// locale. `line` is the line's name, or its number from 1 where it has none; a closed line ends with its first point
/// again; where a line lacks an attribute the cell is empty. Attributes of vertices come first, then numbers and texts
/// of features, which are the same in each of their rows. Where there is anything but lines of one part, two columns
/// more, "shape,part", follow z: "point", "line" or "polygon", and the part's number from 1, of which the first of a
/// polygon is its outline. Cells are quoted as in RFC 4180 where that is needed.
void write_lines_csv(const FileTarget& to, const Lines& lines, const Context& context);

}  // namespace tepui
