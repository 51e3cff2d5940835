#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tepui/terrain/terrain.h"

// Water on land, written plainly: one thread, double, a queue or a heap. Every border cell is an edge that water leaves
// over; cells at or below the sea level take it.

namespace tepui::reference {

/// The lowest surface without pits, by flooding from the edges inwards with a binary heap (Barnes et al. 2014,
/// Algorithm 1).
Grid<float> fill(const Grid<float>& z, std::optional<double> sea_level = {});

/// The same with a least slope (metres a metre) along the way out.
Grid<float> fill_with_slope(const Grid<float>& z, Vec2 cell, double slope, std::optional<double> sea_level = {});

/// Steepest descent of eight neighbours on the plain land: 0 is east, then anticlockwise, 8 where none is lower.
Grid<uint8_t> steepest(const Grid<float>& z, Vec2 cell);

/// Areas that drain through each cell along given directions, in square metres; a queue of cells whose inflow is known.
Grid<double> drainage(const Grid<uint8_t>& directions, Vec2 cell);

/// Freeman 1991: each cell of a land without pits or flats gives to all lower neighbours by slope^exponent. What has no
/// lower neighbour follows `directions`.
Grid<double> freeman(const Grid<float>& filled, const Grid<float>& ground, const Grid<uint8_t>& directions, Vec2 cell,
                     double exponent);

/// Tarboton 1997: each cell of a land without pits or flats gives to the two neighbours on both sides of the steepest
/// direction on the eight triangles around it, by the angles between; on edges all to the steepest lower neighbour. Of
/// equally steep triangles the first counts, from the east anticlockwise by straight neighbour, the one on its left
/// first. What has no lower neighbour follows `directions`.
Grid<double> d_infinity(const Grid<float>& filled, const Grid<float>& ground, const Grid<uint8_t>& directions,
                        Vec2 cell);

/// Strahler's order of all cells along the directions: 1 at heads, one more where two of the highest order meet.
Grid<int32_t> strahler(const Grid<uint8_t>& directions, const std::vector<uint8_t>& channel);

}  // namespace tepui::reference
