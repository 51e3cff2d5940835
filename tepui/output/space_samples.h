#pragma once  // internal

#include <functional>
#include <string>
#include <vector>

#include "tepui/geology/geology.h"
#include "tepui/io/export.h"
#include "tepui/volume/samples.h"

// Rock and volumes as numbers on a lattice in space: .npy and .vti.

namespace tepui {

/// Whether a file of this name holds samples.
bool is_sampled(const std::string& file);

/// What is asked for, or all of `box`.
SampleGrid grid_of(const OutputParams& options, const Box3& box);

/// Of the numbers that `level` gives.
std::vector<FileRecord> write_samples(const FileTarget& to, const SampleGrid& grid, SampledQuantity quantity,
                                      const std::function<void(int64_t, float*)>& level, const Context& context);

std::vector<FileRecord> write_rock_samples(const FileTarget& to, const Geology& rock, const SampleGrid& grid,
                                           const Context& context);

}  // namespace tepui
