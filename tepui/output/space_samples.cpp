#include "tepui/output/space_samples.h"

#include "tepui/core/error.h"
#include "tepui/io/formats.h"

namespace tepui {

namespace {

/// The format of a file of numbers in space; none of other files.
const FileFormat* grid_format(const std::string& file) {
  const FileFormat* format = writing_format(file, Geology::kind_name);
  return format != nullptr && format->write_grid != nullptr ? format : nullptr;
}

}  // namespace

bool is_sampled(const std::string& file) { return grid_format(file) != nullptr; }

SampleGrid grid_of(const OutputParams& options, const Box3& box) {
  const Box3 asked{options.low.value_or(box.low), options.high.value_or(box.high)};
  if ((options.low || options.high) && (asked.empty() || asked.low == asked.high))
    refuse("\"low\" must lie below \"high\" on every axis",
           "for example \"low\": [0, 0, 0], \"high\": [500, 500, 200]");
  return sample_grid(asked, options.cell);
}

std::vector<FileRecord> write_samples(const FileTarget& to, const SampleGrid& grid, SampledQuantity quantity,
                                      const std::function<void(int64_t, float*)>& level, const Context& context) {
  VolumeSamples samples;
  samples.name = quantity == SampledQuantity::field ? "field" : "resistance";
  samples.origin = grid.origin;
  samples.spacing = {grid.cell, grid.cell, grid.cell};
  samples.nx = grid.nx, samples.ny = grid.ny, samples.nz = grid.nz;
  samples.slab = [&](int64_t z, std::span<float> out) { level(z, out.data()); };
  const FileFormat& format = *grid_format(to.path());
  format.write_grid(to, samples, context);
  FileRecord record = record_of(to, format.name);
  record.layers = {samples.name};
  record.bits = 32;
  const Vec3 last{static_cast<double>(grid.nx - 1), static_cast<double>(grid.ny - 1), static_cast<double>(grid.nz - 1)};
  record.bounds = {grid.origin, grid.origin + last * grid.cell};
  return {record};
}

std::vector<FileRecord> write_rock_samples(const FileTarget& to, const Geology& rock, const SampleGrid& grid,
                                           const Context& context) {
  const Context task = context.told_to(nullptr);
  return write_samples(
      to, grid, SampledQuantity::resistance,
      [&](int64_t z, float* out) { sample_resistance(rock, grid, z, out, task); }, context);
}

}  // namespace tepui
