#include "tepui/planet/planet_rock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/geology/rock_tree.h"
#include "tepui/planet/place_params.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/sphere_locator.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

/// The beds of a province, at the Earth's size.
struct Column {
  double thickness;             ///< of a bed on average, metres
  double dip;                   ///< rise of the beds, metres a metre
  double fold, wavelength;      ///< height and length of the folds, metres
  std::array<int, 4> rocks;     ///< of the table below
  std::array<double, 4> often;  ///< chances that sum to 1
};

const std::vector<NamedRock>& rock_table() {
  static const std::vector<NamedRock> all = {
      {"basalt", 0.85f},    {"tuff", 0.3f},       {"granite", 0.95f},   {"gneiss", 0.85f},      {"schist", 0.6f},
      {"limestone", 0.75f}, {"shale", 0.25f},     {"quartzite", 1.0f},  {"marble", 0.7f},       {"slate", 0.5f},
      {"mudstone", 0.15f},  {"siltstone", 0.35f}, {"sandstone", 0.65f}, {"conglomerate", 0.55f}};
  return all;
}

constexpr std::array<Column, provinces> columns = {{
    {45, 0, 0, 1, {0, 0, 1, 0}, {0.5, 0.3, 0.1, 0.1}},
    {420, 2.5, 300, 9000, {2, 3, 4, 3}, {0.4, 0.25, 0.2, 0.15}},
    {110, 0.05, 900, 7000, {5, 12, 6, 11}, {0.3, 0.3, 0.25, 0.15}},
    {170, 0.6, 1600, 3500, {7, 8, 9, 4}, {0.3, 0.2, 0.3, 0.2}},
    {60, 0.06, 0, 1, {0, 1, 0, 13}, {0.5, 0.3, 0.1, 0.1}},
    {38, 0.004, 25, 20000, {10, 11, 12, 5}, {0.4, 0.25, 0.25, 0.1}},
}};

/// What the planet tells of the ground around a patch, on a lattice of its plane.
struct Ground {
  double low_x = 0, low_y = 0, step = 1;
  int64_t side_x = 2, side_y = 2;
  std::vector<std::array<float, provinces>> shares;
  std::vector<float> hardness;
};

class PlanetRock : public Rock {
 public:
  PlanetRock(const Planet& planet, PatchPlane plane, Vec2 middle, Ground ground, const PlanetRockParams& params)
      : plane_(plane),
        middle_(middle),
        ground_(std::move(ground)),
        across_(drawn_direction(Stream(planet.land().key), 0, 77)),
        bends_({.scale = 40e3 / earth_radius, .octaves = 3, .key = Stream(planet.land().key).bits(1, 77)}),
        ragged_(
            {.scale = 12e3 / earth_radius, .octaves = 5, .gain = 0.6, .key = Stream(planet.land().key).bits(2, 77)}),
        draws_(Stream(planet.land().key).bits(3, 77)),
        up_(1 / planet.height_scale()),
        variation_(params.variation),
        height_scale_(planet.height_scale()),
        key_(planet.hash()) {}

  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) {
      const Spot spot = find(at.x[i], at.y[i]);
      const double own = static_cast<double>(rock_table()[static_cast<size_t>(bed(spot, at.z[i]))].resistance);
      rho[i] = static_cast<float>(own + variation_ * (spot.hardness - 1));
    }
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    for (int64_t i = 0; i < at.count; ++i) which[i] = bed(find(at.x[i], at.y[i]), at.z[i]);
  }
  std::vector<NamedRock> names() const override { return rock_table(); }
  Interval levels() const override { return {-1000 * height_scale_, 3000 * height_scale_}; }
  void hash(Hasher& hasher) const override {
    const Vec3 centre = plane_.direction({});
    hasher.add("planet_rock").add(key_).add(variation_).add(centre.x).add(centre.y).add(centre.z);
    hasher.add(middle_.x).add(middle_.y).add(ground_.step).add(ground_.side_x).add(ground_.side_y);
  }
  size_t bytes() const override {
    return sizeof *this + ground_.hardness.size() * sizeof(float) + ground_.shares.size() * sizeof(ground_.shares[0]);
  }

 private:
  /// What is the same for all heights of a place.
  struct Spot {
    size_t province = 0;
    double shift = 0;  ///< of the beds, metres upwards at the Earth's size
    double hardness = 1;
  };

  Spot find(double x, double y) const {
    const Vec3 direction = plane_.direction({x - middle_.x, y - middle_.y});
    const double column = std::clamp((x - ground_.low_x) / ground_.step, 0.0, static_cast<double>(ground_.side_x - 1));
    const double row = std::clamp((y - ground_.low_y) / ground_.step, 0.0, static_cast<double>(ground_.side_y - 1));
    const auto i = std::min(static_cast<int64_t>(column), ground_.side_x - 2);
    const auto j = std::min(static_cast<int64_t>(row), ground_.side_y - 2);
    const double u = column - static_cast<double>(i), v = row - static_cast<double>(j);
    const double weights[4] = {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v};
    const int64_t first = j * ground_.side_x + i;
    const int64_t nodes[4] = {first, first + 1, first + ground_.side_x, first + ground_.side_x + 1};
    const double rough = ragged_.at(direction);
    Spot spot;
    spot.hardness = 0;
    std::array<double, provinces> shares{};
    for (size_t k = 0; k < 4; ++k) {
      const auto node = static_cast<size_t>(nodes[k]);
      spot.hardness += weights[k] * static_cast<double>(ground_.hardness[node]);
      for (size_t p = 0; p < shares.size(); ++p) shares[p] += weights[k] * static_cast<double>(ground_.shares[node][p]);
    }
    // Odd provinces gain where the noise is high and even ones where it is low, so that every border is ragged.
    for (size_t p = 0; p < shares.size(); ++p)
      if (shares[p] > 0) shares[p] += (p % 2 == 0 ? 0.6 : -0.6) * rough;
    spot.province = static_cast<size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    const Column& beds = columns[spot.province];
    const double bend = bends_.at(direction);
    const double along = dot(direction, across_) * earth_radius + 6000 * bend;
    spot.shift = beds.dip * along + beds.fold * (0.6 + 0.4 * bend) * math::sin(2 * math::pi * along / beds.wavelength);
    return spot;
  }

  /// The number of the rock at a height.
  int32_t bed(const Spot& spot, double z) const {
    const Column& beds = columns[spot.province];
    const double t = (z * up_ - spot.shift) / (beds.thickness * std::sqrt(1 + beds.dip * beds.dip));
    auto k = static_cast<int64_t>(std::floor(t));
    const auto draw = [&](int64_t index, uint64_t channel) {
      return draws_.uniform(static_cast<uint64_t>(index), 2 * spot.province + channel);
    };
    if (t - std::floor(t) < 0.85 * draw(k, 0)) --k;
    double rest = draw(k, 1);
    size_t rock = 0;
    while (rock + 1 < beds.rocks.size() && rest >= beds.often[rock]) rest -= beds.often[rock++];
    return beds.rocks[rock];
  }

  PatchPlane plane_;
  Vec2 middle_;
  Ground ground_;
  Vec3 across_;
  SphereNoise bends_, ragged_;
  Stream draws_;
  double up_, variation_, height_scale_;
  Hash key_;
};

Ground ground_around(const Frame& world, const Planet& planet, const PatchPlane& plane, Vec2 middle,
                     const Context& context) {
  constexpr double coarsest = 8e3;
  constexpr int64_t most = 513;
  const double longest = std::max({world.size.x, world.size.y, 1e-9});
  Ground ground;
  ground.step = std::max(coarsest * planet.length_scale(), longest / static_cast<double>(most - 3));
  // A step more on every side.
  const auto steps = [&](double size) { return static_cast<int64_t>(std::ceil(size / ground.step)) + 3; };
  ground.side_x = steps(world.size.x);
  ground.side_y = steps(world.size.y);
  ground.low_x = middle.x - 0.5 * static_cast<double>(ground.side_x - 1) * ground.step;
  ground.low_y = middle.y - 0.5 * static_cast<double>(ground.side_y - 1) * ground.step;
  const auto count = static_cast<size_t>(ground.side_x * ground.side_y);
  ground.shares.resize(count);
  ground.hardness.resize(count);
  const GlobalLand& land = planet.land();
  const SphereLocator locator(land.mesh);
  parallel_chunks(static_cast<int64_t>(count), 256, context, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const double x = ground.low_x + static_cast<double>(n % ground.side_x) * ground.step - middle.x;
      const double y = ground.low_y + static_cast<double>(n / ground.side_x) * ground.step - middle.y;
      const SpherePlace place = locator.at(plane.direction({x, y}));
      std::array<float, provinces> shares{};
      double hardness = 0;
      for (size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<size_t>(land.mesh.triangles[static_cast<size_t>(place.triangle)][k]);
        shares[static_cast<size_t>(land.province[v])] += static_cast<float>(place.shares[k]);
        hardness += place.shares[k] * static_cast<double>(land.hardness[v]);
      }
      ground.shares[static_cast<size_t>(n)] = shares;
      ground.hardness[static_cast<size_t>(n)] = static_cast<float>(hardness);
    }
  });
  return ground;
}

}  // namespace

void describe(Fields<PlanetRockParams>& f) {
  using P = PlanetRockParams;
  f.about("Tell the rock beneath a place of a planet: cratons, folded belts, lava, basins");
  f.reach(Reach::point);
  f.example("planet level=6 | {} latitude=20 longitude=30");
  describe_place(f, "of the world's middle", {"-20", "20", "50"});
  f("variation", &P::variation, Range{0, 1}, "how much harder or softer the planet's regions make the same rock");
}

Geology planet_rock(const Frame& world, const Planet& in, const PlanetRockParams& params, const Context& context) {
  const PatchPlane plane(in.radius(), direction_at(math::radians(params.latitude), math::radians(params.longitude)));
  const Vec2 middle = world.origin + world.size * 0.5;
  return Geology(
      std::make_shared<const PlanetRock>(in, plane, middle, ground_around(world, in, plane, middle, context), params));
}

}  // namespace tepui
