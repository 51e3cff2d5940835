#include "tepui/io/raster/vti.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/npy_header.h"

static_assert(std::endian::native == std::endian::little, "the numbers are written as they are");

namespace tepui {

namespace {

void check_samples(const std::string& path, const VolumeSamples& s) {
  if (s.nx < 1 || s.ny < 1 || s.nz < 1)
    refuse(fmt::format("cannot write '{}': a grid of {} x {} x {} has no points", path, s.nx, s.ny, s.nz));
  constexpr double most = 0x1p61;
  if (static_cast<double>(s.nx) * static_cast<double>(s.ny) * static_cast<double>(s.nz) > most)
    refuse(fmt::format("cannot write '{}': a grid of {} x {} x {} points is more than a file holds", path, s.nx, s.ny,
                       s.nz));
  for (const double v : {s.origin.x, s.origin.y, s.origin.z, s.spacing.x, s.spacing.y, s.spacing.z})
    if (!std::isfinite(v)) refuse(fmt::format("cannot write '{}': its place is not finite", path));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result;
}

std::string vti_header(const VolumeSamples& s) {
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", s.nx - 1, s.ny - 1, s.nz - 1), name = escaped(s.name);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} {3}\" Spacing=\"{4} {5} {6}\">\n"
      "    <Piece Extent=\"{0}\">\n"
      "      <PointData Scalars=\"{7}\">\n"
      "        <DataArray type=\"Float32\" Name=\"{7}\" format=\"appended\" offset=\"0\"/>\n"
      "      </PointData>\n"
      "    </Piece>\n"
      "  </ImageData>\n"
      "  <AppendedData encoding=\"raw\">\n"
      "   _",
      extent, s.origin.x, s.origin.y, s.origin.z, s.spacing.x, s.spacing.y, s.spacing.z, name);
}

/// Calls act(slab) for one height after the other.
template <class Act>
void for_each_slab(const VolumeSamples& s, const Context& context, const Act& act) {
  std::vector<float> slab(static_cast<size_t>(s.nx * s.ny));
  for (int64_t z = 0; z < s.nz; ++z) {
    context.check();
    context.progress(static_cast<double>(z) / static_cast<double>(s.nz));
    s.slab(z, slab);
    act(slab);
  }
}

}  // namespace

void write_vti(const FileTarget& to, const VolumeSamples& samples, const Context& context) {
  check_samples(to.path(), samples);
  to.write([&](ByteSink& file) {
    const std::string header = vti_header(samples), footer = "\n  </AppendedData>\n</VTKFile>\n";
    file.write(header.data(), header.size());
    const auto bytes = static_cast<uint64_t>(samples.nx * samples.ny * samples.nz) * sizeof(float);
    file.write(&bytes, sizeof bytes);
    for_each_slab(samples, context,
                  [&](const std::vector<float>& slab) { file.write(slab.data(), slab.size() * sizeof(float)); });
    file.write(footer.data(), footer.size());
  });
}

void write_npy_volume(const FileTarget& to, const VolumeSamples& samples, const Context& context) {
  check_samples(to.path(), samples);
  to.write([&](ByteSink& file) {
    const std::string header = npy_header_text("<f4", {samples.nz, samples.ny, samples.nx});
    file.write(header.data(), header.size());
    for_each_slab(samples, context,
                  [&](const std::vector<float>& slab) { file.write(slab.data(), slab.size() * sizeof(float)); });
  });
}

}  // namespace tepui
