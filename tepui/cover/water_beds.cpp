#include "tepui/cover/water_beds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/soil_depth.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double seconds_a_year = 31556952;
/// m3/s from which on a stream lays down a bed.
constexpr double least_discharge = 0.01;
/// Metres from a sample of water to what it lays down, at most.
constexpr double widest = 100, shore = 20;
/// Depths of water that count as such, and the slope from which on its surface is a river's.
constexpr float least_water = 0.02f;
constexpr double flowing = 5e-4;

/// What a sample of water lays down around it.
struct Stamp {
  int64_t x = 0;
  double radius = 0;  ///< metres
  double gravel = 0, mud = 0;
  double level = 0;  ///< what lies this high is covered; what lies `rise` metres higher is not
  double rise = 0;
};

double width_of(double discharge) { return 7.2 * std::sqrt(discharge); }
double depth_of(double discharge) { return 0.27 * math::pow(discharge, 0.4); }

class BedLayer {
 public:
  BedLayer(const Terrain& land, const Grid<float>& smooth, const Grid<float>& slope, const SoilParams& params)
      : frame_(land.frame()),
        z_(land.height()),
        smooth_(smooth),
        slope_(slope),
        water_(grid(land, "water")),
        level_(grid(land, "water_level")),
        discharge_(grid(land, "discharge")),
        drainage_(grid(land, "drainage")),
        sediment_(grid(land, "sediment")),
        per_area_(params.runoff / 1000 / seconds_a_year),
        bend_(soil_bend(frame_, params.smoothing.in(frame_))),
        bars_(Noise({.scale = 60, .octaves = 2, .key = params.seed.stream("soil").key()})) {}

  bool has_water() const { return water_ != nullptr || discharge_ != nullptr || drainage_ != nullptr; }

  WaterBeds lay(const Context& context) {
    const int64_t w = z_.width(), h = z_.height(), grain = rows_per_chunk(w);
    stamps_.assign(static_cast<size_t>(h), {});
    parallel_chunks(h, grain, context.stage("courses", 0, 0.5), [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y)
        for (int64_t x = 0; x < w; ++x) find(x, y);
    });
    WaterBeds beds{Grid<float>(w, h), Grid<float>(w, h), Grid<float>(w, h)};
    const int64_t far = water_beds_halo(frame_, 0).y;
    parallel_chunks(h, grain, context.stage("beds", 0.5, 1), [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y) lay_floors(y, beds);
      for (int64_t from = std::max<int64_t>(begin - far, 0); from < std::min(end + far, h); ++from)
        for (const Stamp& stamp : stamps_[static_cast<size_t>(from)]) paint(stamp, from, begin, end, beds);
    });
    return beds;
  }

 private:
  static const Grid<float>* grid(const Terrain& land, const char* name) {
    const Layer* layer = land.find(name);
    return layer != nullptr ? &layer->grid() : nullptr;
  }

  bool is_wet(int64_t x, int64_t y) const { return water_ != nullptr && (*water_)(x, y) > least_water; }

  double surface(int64_t x, int64_t y) const {
    return level_ != nullptr ? static_cast<double>((*level_)(x, y))
                             : static_cast<double>(z_(x, y)) + static_cast<double>((*water_)(x, y));
  }

  /// How steep the surface of the water is at a sample of it.
  double fall(int64_t x, int64_t y) const {
    double most = 0;
    const double here = surface(x, y);
    const auto look = [&](int64_t u, int64_t v, double cell) {
      if (u < 0 || v < 0 || u >= z_.width() || v >= z_.height() || !is_wet(u, v)) return;
      most = std::max(most, std::abs(surface(u, v) - here) / cell);
    };
    look(x - 1, y, frame_.cell.x), look(x + 1, y, frame_.cell.x);
    look(x, y - 1, frame_.cell.y), look(x, y + 1, frame_.cell.y);
    return most;
  }

  /// The slope along which a stream flows.
  double stream_slope(int64_t x, int64_t y) const {
    const auto along = [](int64_t at, int64_t off, int64_t count, double cell, const auto& z) {
      const int64_t a = std::max<int64_t>(at - off, 0), b = std::min(at + off, count - 1);
      return b > a ? static_cast<double>(z(b) - z(a)) / (cell * static_cast<double>(b - a)) : 0;
    };
    const double east = along(x, bend_.x, z_.width(), frame_.cell.x, [&](int64_t i) { return smooth_(i, y); });
    const double north = along(y, bend_.y, z_.height(), frame_.cell.y, [&](int64_t j) { return smooth_(x, j); });
    return std::sqrt(east * east + north * north);
  }

  void find(int64_t x, int64_t y) {
    if (is_wet(x, y)) {
      const double slope = fall(x, y);
      slope > flowing ? bank(x, y, slope) : beach(x, y);
      if (slope <= flowing) return;
    }
    const double discharge = discharge_ != nullptr  ? static_cast<double>((*discharge_)(x, y))
                             : drainage_ != nullptr ? static_cast<double>((*drainage_)(x, y)) * per_area_
                                                    : 0;
    if (discharge >= least_discharge) course(x, y, std::min(discharge, 1e6));
  }

  void add(int64_t y, Stamp stamp, double swift, double depth) {
    // What is narrower than a cell covers a share of it.
    const double least = 0.5 * std::min(frame_.cell.x, frame_.cell.y);
    depth *= std::min(stamp.radius / least, 1.0);
    stamp.radius = std::clamp(stamp.radius, std::min(least, widest), widest);
    stamp.gravel = swift * depth;
    stamp.mud = (1 - swift) * depth;
    stamps_[static_cast<size_t>(y)].push_back(stamp);
  }

  void course(int64_t x, int64_t y, double discharge) {
    const double slope = stream_slope(x, y);
    double loose = 0;
    if (sediment_ != nullptr)
      loose =
          math::smoothstep(0.2, 1, static_cast<double>((*sediment_)(x, y))) * (1 - math::smoothstep(0.02, 0.08, slope));
    const double at_x[] = {frame_.x(x)}, at_y[] = {frame_.y(y)};
    float chance = 0;
    if (loose > 0) bars_.points(at_x, at_y, {&chance, 1});
    const double wide = 0.6 + loose * (0.6 + 0.6 * static_cast<double>(chance));
    add(y, {.x = x, .radius = wide * width_of(discharge), .level = z_(x, y), .rise = 1.5},
        math::smoothstep(0.001, 0.006, slope), std::min(0.2 + depth_of(discharge), 1.5));
  }

  void bank(int64_t x, int64_t y, double slope) {
    const double deep = static_cast<double>((*water_)(x, y));
    const double wide = 0.3 * 7.2 * math::pow(std::min(deep, 20.0) / 0.216, 1.25);
    add(y, {.x = x, .radius = std::min(wide, 30.0), .level = surface(x, y), .rise = 0.8},
        math::smoothstep(0.001, 0.006, slope), 0.4);
  }

  void beach(int64_t x, int64_t y) {
    const auto is_shore = [&](int64_t u, int64_t v) {
      return u >= 0 && v >= 0 && u < z_.width() && v < z_.height() && !is_wet(u, v);
    };
    if (!is_shore(x - 1, y) && !is_shore(x + 1, y) && !is_shore(x, y - 1) && !is_shore(x, y + 1)) return;
    const double steep = math::smoothstep(0.08, 0.25, static_cast<double>(slope_(x, y)));
    add(y, {.x = x, .radius = shore, .level = surface(x, y), .rise = 0.7}, steep, 0.3);
  }

  void lay_floors(int64_t y, WaterBeds& beds) const {
    for (int64_t x = 0; x < z_.width(); ++x) {
      beds.gravel(x, y) = beds.mud(x, y) = 0;
      beds.wet(x, y) = is_wet(x, y) ? 1.0f : 0.0f;
      if (!is_wet(x, y) || fall(x, y) > flowing) continue;
      const double deep = std::min(static_cast<double>((*water_)(x, y)), 1e6);
      beds.mud(x, y) = static_cast<float>(0.1 + deep / (deep + 2));
    }
  }

  void paint(const Stamp& stamp, int64_t from, int64_t begin, int64_t end, WaterBeds& beds) const {
    const Vec2 cell = frame_.cell;
    const auto far_x = static_cast<int64_t>(stamp.radius / cell.x), far_y = static_cast<int64_t>(stamp.radius / cell.y);
    for (int64_t y = std::max(from - far_y, begin); y <= std::min(from + far_y, end - 1); ++y)
      for (int64_t x = std::max<int64_t>(stamp.x - far_x, 0); x <= std::min(stamp.x + far_x, z_.width() - 1); ++x) {
        const double dx = static_cast<double>(x - stamp.x) * cell.x, dy = static_cast<double>(y - from) * cell.y;
        const double far = std::sqrt(dx * dx + dy * dy) / stamp.radius,
                     above = static_cast<double>(z_(x, y)) - stamp.level;
        const double share =
            (1 - math::smoothstep(0.5, 1, far)) * (1 - math::smoothstep(0.3 * stamp.rise, stamp.rise, above));
        if (!(share > 0)) continue;
        const auto lay = [share](float& at, double depth) { at = std::max(at, static_cast<float>(share * depth)); };
        lay(beds.mud(x, y), stamp.mud);
        if (!is_wet(x, y) || fall(x, y) > flowing) lay(beds.gravel(x, y), stamp.gravel);
      }
  }

  const Frame& frame_;
  const Grid<float>&z_, &smooth_, &slope_;
  const Grid<float>*water_, *level_, *discharge_, *drainage_, *sediment_;
  double per_area_;
  Halo bend_;
  Noise bars_;
  std::vector<std::vector<Stamp>> stamps_;
};

}  // namespace

WaterBeds water_beds(const Terrain& land, const Grid<float>& smooth, const Grid<float>& slope, const SoilParams& params,
                     const Context& context) {
  BedLayer layer(land, smooth, slope, params);
  return layer.has_water() ? layer.lay(context) : WaterBeds();
}

Halo water_beds_halo(const Frame& frame, double smoothing) {
  const Halo bend = soil_bend(frame, smoothing);
  const auto cells = [&](double cell) { return static_cast<int64_t>(std::min(widest / cell, 0x1p40)) + 1; };
  return {cells(frame.cell.x) + bend.x, cells(frame.cell.y) + bend.y};
}

}  // namespace tepui
