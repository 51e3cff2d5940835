#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// The lines between samples of different classes, each from one place where three or more classes meet, or the
/// border, to the next; one around a single class ends where it begins. Points are in samples, between which the lines
/// run.
std::vector<std::vector<Vec2>> class_borders(const Grid<float>& classes);

/// The classes numbered from 0 on in the order of their values.
Grid<float> numbered_classes(const Grid<float>& classes);

/// A number from 0 to `colours` - 1 for each of such classes, so that neighbours differ as far as that
/// many colours allow.
std::vector<int> colours_of_neighbours(const Grid<float>& classes, int colours);

}  // namespace tepui
