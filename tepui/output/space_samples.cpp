#include "tepui/output/space_samples.h"

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/vti.h"

namespace tepui {

bool is_sampled(const std::string& file) {
  const std::string ending = file_ending(file);
  return ending == ".npy" || ending == ".vti";
}

SampleGrid grid_of(const OutputParams& options, const Box3& box) {
  const Box3 asked{options.low.value_or(box.low), options.high.value_or(box.high)};
  if ((options.low || options.high) && (asked.empty() || asked.low == asked.high))
    refuse("\"low\" must lie below \"high\" on every axis",
           "for example \"low\": [0, 0, 0], \"high\": [500, 500, 200]");
  return sample_grid(asked, options.cell);
}

std::vector<FileRecord> write_samples(const std::string& path, const SampleGrid& grid, SampledQuantity quantity,
                                      const std::function<void(int64_t, float*)>& level, const Context& context) {
  VolumeSamples samples;
  samples.name = quantity == SampledQuantity::field ? "field" : "resistance";
  samples.origin = grid.origin;
  samples.spacing = {grid.cell, grid.cell, grid.cell};
  samples.nx = grid.nx, samples.ny = grid.ny, samples.nz = grid.nz;
  samples.slab = [&](int64_t z, std::span<float> out) { level(z, out.data()); };
  const bool npy = file_ending(path) == ".npy";
  (npy ? write_npy_volume : write_vti)(path, samples, context);
  FileRecord record = record_file(path, npy ? "NPY" : "VTI");
  record.layers = {samples.name};
  record.bits = 32;
  const Vec3 last{static_cast<double>(grid.nx - 1), static_cast<double>(grid.ny - 1), static_cast<double>(grid.nz - 1)};
  record.bounds = {grid.origin, grid.origin + last * grid.cell};
  return {record};
}

std::vector<FileRecord> write_rock_samples(const std::string& path, const Geology& rock, const SampleGrid& grid,
                                           const Context& context) {
  const Context task = context.told_to(nullptr);
  return write_samples(
      path, grid, SampledQuantity::resistance,
      [&](int64_t z, float* out) { sample_resistance(rock, grid, z, out, task); }, context);
}

}  // namespace tepui
