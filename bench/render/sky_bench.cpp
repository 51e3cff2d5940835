#include "tepui/render/light/sky.h"

#include <cmath>
#include <memory>
#include <stdexcept>

#include "bench/bench.h"
#include "reference/sky.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

std::vector<Vec3> bench_directions(uint64_t count) {
  const Stream stream(3);
  std::vector<Vec3> result;
  for (uint64_t i = 0; i < count; ++i) {
    const double z = stream.uniform(i, 0), angle = stream.uniform(i, 1, 0, 2 * math::pi), level = std::sqrt(1 - z * z);
    result.push_back({level * math::cos(angle), level * math::sin(angle), z});
  }
  return result;
}

bench::Row sky_row(const std::vector<Vec3>& directions, const std::string& size) {
  const auto looks = std::make_shared<std::vector<Vec3>>(directions);
  const auto sky = std::make_shared<Sky>(0, math::radians(35), 0.3);
  const auto sum = std::make_shared<Rgb>();
  bench::Row row;
  row.fast = [=] {
    *sum = {};
    for (const Vec3& d : *looks) *sum = *sum + sky->radiance(d);
  };
  row.hash = [=] { return hash_bytes(sum.get(), sizeof(Rgb)); };
  row.size = size;
  row.items = static_cast<double>(directions.size());
  return row;
}

}  // namespace

TEPUI_BENCH("render/sky/lookup") { return sky_row(bench_directions(1 << 20), "1048576 directions"); }

/// The table and a few directions, against the same directions integrated without a table.
TEPUI_BENCH("render/sky/table") {
  const std::vector<Vec3> directions = bench_directions(8);
  const auto sky = std::make_shared<Sky>(Sky::uniform({}));
  bench::Row row = sky_row(directions, "8 directions");
  row.fast = [=] { *sky = Sky(0, math::radians(35), 0.3); };
  row.reference = [=] {
    const reference::SkyLight light(math::radians(35), 0.3);
    Rgb sum;
    for (const Vec3& d : directions) sum = sum + light.radiance(d, true);
    if (!(sum.b > 0)) throw std::logic_error("the sky is dark");
  };
  row.hash = [=] {
    Rgb sum = sky->falling();
    for (const Vec3& d : directions) sum = sum + sky->radiance(d);
    return hash_bytes(&sum, sizeof sum);
  };
  row.items = 0;
  return row;
}

}  // namespace tepui
