#include "tepui/landforms/sheet_carving.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/carving.h"

namespace tepui {

double fading(double u) {
  const double left = 1 - u * u;
  return std::abs(u) < 1 ? left * left * left : 0;
}

double erosion_effect(double resistance, double strength) {
  constexpr double beta = 0.1;
  return strength * ((1 - resistance) * (1 - beta) + beta);
}

std::vector<FieldPoint> sheet_points(const Volume& volume, const Geology& rock, std::span<const SurfaceSample> samples,
                                     std::span<const float> depth, const SheetParams& params, const Stream& random,
                                     const Context& context) {
  if (samples.size() != depth.size()) refuse("as many depths are needed as samples");
  std::vector<FieldPoint> points(samples.size());
  parallel_chunks(static_cast<int64_t>(samples.size()), 1024, context.stage("", 0, 0.3),
                  [&](int64_t begin, int64_t end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                      const auto wanted = static_cast<double>(depth[i]);
                      points[i] = {samples[i].at, 1, 0};
                      if (!(wanted > params.least) || samples[i].resistance >= 1) continue;
                      // By the place, so that it does not matter how many samples there are.
                      const auto whole = [](double x) { return static_cast<uint64_t>(static_cast<int64_t>(x * 1024)); };
                      const Vec3 at = samples[i].at;
                      const uint64_t key = mix_bits(whole(at.x) + mix_bits(whole(at.y) + mix_bits(whole(at.z))));
                      const double falloff =
                          std::max(params.radius * math::exp(0.45 * (2 * random.uniform(key) - 1)), 1.35 * wanted);
                      points[i] = {at, falloff, sheet_energy(volume.threshold(), wanted, falloff, params.spacing)};
                    }
                  });
  std::erase_if(points, [](const FieldPoint& p) { return p.energy == 0; });
  return sparing_hardest(std::move(points), rock, context.stage("", 0.3, 1));
}

std::vector<FieldPoint> sparing_hardest(std::vector<FieldPoint> points, const Geology& rock, const Context& context) {
  constexpr size_t probes = 14;
  // The axes, and the corners of a cube.
  std::array<Vec3, probes> around;
  for (size_t i = 0; i < 6; ++i)
    around[i] = Vec3{i / 2 == 0 ? 1.0 : 0, i / 2 == 1 ? 1.0 : 0, i / 2 == 2 ? 1.0 : 0} * (i % 2 == 0 ? 0.95 : -0.95);
  for (size_t i = 0; i < 8; ++i)
    around[6 + i] = Vec3{(i & 1) != 0 ? 1.0 : -1, (i & 2) != 0 ? 1.0 : -1, (i & 4) != 0 ? 1.0 : -1} * 0.54;
  parallel_chunks(static_cast<int64_t>(points.size()), 32, context, [&](int64_t begin, int64_t end) {
    double x[32 * probes], y[32 * probes], z[32 * probes];
    float rho[32 * probes];
    int64_t count = 0;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      for (const Vec3 to : around) {
        const Vec3 at = points[i].at + to * points[i].falloff;
        x[count] = at.x, y[count] = at.y, z[count++] = at.z;
      }
    rock.resistance({x, y, z, count}, rho);
    for (int64_t n = 0; n < count; ++n)
      if (rho[n] >= 1) points[static_cast<size_t>(begin) + static_cast<size_t>(n) / probes].energy = 0;
  });
  std::erase_if(points, [](const FieldPoint& p) { return p.energy == 0; });
  return points;
}

}  // namespace tepui
