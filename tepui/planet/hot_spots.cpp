#include "tepui/planet/hot_spots.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

constexpr double km = 1000;

struct Volcano {
  Vec3 place;
  double height, wide, swell;  // metres
};

/// The places that a plume has burnt through its plate, the youngest first.
void add_chain(std::vector<Volcano>& volcanoes, Vec3 plume, const Plate& plate, uint64_t index, const Stream& stream) {
  const double strength = stream.uniform(index, 1, 0.35, 1);
  const double apart = stream.uniform(index, 2, 90, 190) * km / earth_radius;
  // A plate that stands still keeps all of its plume's lava in one place.
  const bool moves = length(plate.turn) > 0;
  const int count = moves ? 2 + static_cast<int>(stream.uniform(index, 3) * stream.uniform(index, 4) * 26) : 1;
  const Vec3 axis = moves ? normalised(plate.turn) : Vec3{0, 0, 1};
  const double lean = length(cross(axis, plume));
  for (int k = 0; k < count; ++k) {
    const auto channel = 10 + 4 * static_cast<uint64_t>(k);
    const double angle = apart * k / std::max(lean, 0.2);
    const double old = static_cast<double>(k) / count;
    // Turned about the plate's axis (Rodrigues), and a little aside.
    const Vec3 place = plume * math::cos(angle) + cross(axis, plume) * math::sin(angle) +
                       axis * (dot(axis, plume) * (1 - math::cos(angle)));
    const Vec3 aside = drawn_direction(stream, index, 1000 + channel) * (0.35 * apart);
    const double drawn = stream.uniform(index, channel, 0.55, 1.1);
    volcanoes.push_back({normalised(place + aside), strength * drawn * (5600 - 3600 * old),
                         stream.uniform(index, channel + 1, 55, 110) * km, strength * 900 * (1 - old)});
  }
}

}  // namespace

std::vector<float> hot_spots(const SphereMesh& mesh, const Plates& plates, std::span<const uint8_t> continental,
                             const HotSpotSpec& spec, const Context& context) {
  const Stream stream(spec.key);
  std::vector<Volcano> volcanoes;
  for (int i = 0; i < spec.count; ++i) {
    const Vec3 plume = drawn_direction(stream, static_cast<uint64_t>(i), 0);
    size_t nearest = 0;
    for (size_t v = 1; v < static_cast<size_t>(vertices_of_level(std::min(3, mesh.level))); ++v)
      if (dot(mesh.directions[v], plume) > dot(mesh.directions[nearest], plume)) nearest = v;
    add_chain(volcanoes, plume, plates.plates[static_cast<size_t>(plates.of_vertex[nearest])], static_cast<uint64_t>(i),
              stream);
  }
  std::vector<float> added(mesh.directions.size(), 0);
  const double farthest = 700 * km / earth_radius, near = math::cos(farthest);
  parallel_chunks(static_cast<int64_t>(added.size()), 2048, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      double cone = 0, swell = 0;
      for (const Volcano& volcano : volcanoes) {
        if (dot(mesh.directions[v], volcano.place) < near) continue;
        const double far = arc(mesh.directions[v], volcano.place) * earth_radius;
        const double steep = std::max(0.0, 1 - far / volcano.wide);
        cone = std::max(cone, volcano.height * steep * (0.4 + 0.6 * steep));
        swell = std::max(swell, volcano.swell * (1 - math::smoothstep(0, 650 * km, far)));
      }
      added[v] =
          static_cast<float>((continental[v] != 0 ? 0.22 : 1.0) * cone + (continental[v] != 0 ? 0.6 : 1) * swell);
    }
  });
  return added;
}

}  // namespace tepui
