#pragma once  // internal

#include <vector>

#include "tepui/terrain/terrain.h"

namespace tepui {

/// The mask whose cells a file leaves out as nodata: the land's `void`, unless it is itself among the layers written or
/// nothing is void.
const Grid<float>* voids_of(const Terrain& terrain, const std::vector<Layer>& layers);

/// A number for nodata in files of floats that no cell outside the voids has: -9999 where it is free.
float nodata_of(const std::vector<Layer>& layers, const Grid<float>* voids);

/// A row of the grid with nodata where it is void.
void copy_row(const Grid<float>& grid, const Grid<float>* voids, int64_t row, float nodata, float* to);

}  // namespace tepui
