#pragma once  // internal

#include <vector>

#include "tepui/core/vec.h"

namespace tepui {

/// Takes the steps of a grid out of a line: points move towards their neighbours, `rounds` times, then corners are cut
/// (Chaikin 1974). What is fixed holds still; the ends must be. There are more points afterwards.
void smooth_line(std::vector<Vec2>& points, std::vector<bool> fixed, int rounds);
/// With nothing but its ends fixed. A closed line, which ends where it begins, stays closed.
void smooth_line(std::vector<Vec2>& points, int rounds);

}  // namespace tepui
