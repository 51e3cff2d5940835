#include "tepui/io/mesh/form_models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/mesh/glb.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;

constexpr size_t largest_model = size_t{1} << 28;

fs::path file_of(const std::string& folder, Species species, size_t number) {
  return fs::path(folder) / fmt::format("{}_{}.glb", species_names[static_cast<size_t>(species)], number);
}

/// Scaled to height 1 over its ground.
Mesh scaled(const Mesh& mesh, const std::string& path) {
  const auto [low, high] = mesh.world_bounds();
  if (mesh.triangles().empty() || !(high.z > 0))
    refuse(fmt::format("'{}' has nothing above its ground", path), "a model stands on z = 0, in glTF on y = 0");
  MeshData data = mesh.data();
  for (MeshPoint& p : data.positions) {
    const Vec3 at = (to_vec(p) + data.centre) * (1 / high.z);
    p = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
  }
  data.centre = {};
  data.attributes.clear();
  if (data.normals.empty()) {
    data.normals.assign(data.positions.size(), MeshPoint{});
    for (const MeshTriangle& t : data.triangles) {
      const Vec3 a = to_vec(data.positions[t[0]]);
      const Vec3 n = cross(to_vec(data.positions[t[1]]) - a, to_vec(data.positions[t[2]]) - a);
      for (const uint32_t corner : t) {
        MeshPoint& sum = data.normals[corner];
        sum = {sum[0] + static_cast<float>(n.x), sum[1] + static_cast<float>(n.y), sum[2] + static_cast<float>(n.z)};
      }
    }
  }
  if (data.colours.empty()) data.colours.assign(data.positions.size(), MeshColour{118, 116, 104, 255});
  return Mesh(std::move(data));
}

double radius_of(const Mesh& mesh) {
  const auto [low, high] = mesh.world_bounds();
  return std::max(1e-3, 0.25 * ((high.x - low.x) + (high.y - low.y)));
}

}  // namespace

FormModels::FormModels(const std::string& folder, const std::vector<Standing>& standing, const Context& context) {
  if (!fs::is_directory(folder)) refuse(fmt::format("there is no folder of models '{}'", folder));
  std::array<bool, species_names.size()> needed{};
  for (const Standing& one : standing) needed[static_cast<size_t>(one.species)] = true;
  std::vector<std::string> missing;
  for (size_t s = 0; s < needed.size(); ++s) {
    const auto species = static_cast<Species>(s);
    if (!needed[s]) continue;
    for (size_t number = 0; fs::exists(file_of(folder, species, number)); ++number) {
      const std::string path = file_of(folder, species, number).string();
      const Mesh mesh = scaled(parse_glb(read_file(path, largest_model), path, context), path);
      models_[s].push_back({mesh, radius_of(mesh)});
    }
    if (models_[s].empty()) missing.push_back(file_of("", species, 0).string());
  }
  if (!missing.empty())
    refuse(fmt::format("the folder of models '{}' lacks {}", folder, fmt::join(missing, ", ")),
           "one file or more for every species that stands there: SPECIES_0.glb, SPECIES_1.glb, ...");
}

const Mesh& FormModels::form(Species species, int number) const {
  return of(species)[static_cast<size_t>(number % count(species))].mesh;
}

double FormModels::radius(Species species, int number) const {
  return of(species)[static_cast<size_t>(number % count(species))].radius;
}

Hash models_key(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".glb") files.push_back(entry.path());
  std::ranges::sort(files);
  Hasher hasher;
  for (const fs::path& file : files) hasher.add(file.filename().string()).add(hash_file(file.string()));
  return hasher.finish();
}

}  // namespace tepui
