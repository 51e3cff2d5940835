#include "reference/scatter.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "reference/crown_room.h"
#include "tepui/core/hash.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"

namespace tepui::reference {

namespace {

double blend(double a, double b, double share) { return a + (b - a) * share; }
double first_half(uint64_t bits) { return static_cast<double>(bits >> 32) / 4294967296.0; }
double second_half(uint64_t bits) { return static_cast<double>(bits & 0xffffffff) / 4294967296.0; }

/// A layer at a place; 0 where there is none.
double layer_at(const Terrain& land, const Layer* layer, double x, double y) {
  if (layer == nullptr) return 0;
  const Frame& f = land.frame();
  const double across = (x - f.origin.x) / f.cell.x, along = (y - f.origin.y) / f.cell.y;
  const int64_t c =
      std::clamp<int64_t>(static_cast<int64_t>(std::floor(across)) - f.first_x, 0, std::max<int64_t>(f.width - 2, 0));
  const int64_t r =
      std::clamp<int64_t>(static_cast<int64_t>(std::floor(along)) - f.first_y, 0, std::max<int64_t>(f.height - 2, 0));
  const double u = std::clamp(across - static_cast<double>(f.first_x + c), 0.0, 1.0);
  const double v = std::clamp(along - static_cast<double>(f.first_y + r), 0.0, 1.0);
  const int64_t c1 = std::min(c + 1, f.width - 1), r1 = std::min(r + 1, f.height - 1);
  const Grid<float>& g = layer->grid();
  const auto value = [&](int64_t column, int64_t row) { return static_cast<double>(g(column, row)); };
  return blend(blend(value(c, r), value(c1, r), u), blend(value(c, r1), value(c1, r1), u), v);
}

struct Fall {
  double degrees = 0, east = 0, north = 0;
};
Fall fall_at(const Terrain& land, double x, double y) {
  const Frame& f = land.frame();
  const double reach_x = std::max(8.0, f.cell.x), reach_y = std::max(8.0, f.cell.y);
  const double west = std::max(x - reach_x, f.x(0)), east = std::min(x + reach_x, f.x(f.width - 1));
  const double south = std::max(y - reach_y, f.y(0)), north = std::min(y + reach_y, f.y(f.height - 1));
  const auto z = [&](double px, double py) { return layer_at(land, land.find("height"), px, py); };
  const double gx = east > west ? -((z(east, y) - z(west, y)) / (east - west)) : 0;
  const double gy = north > south ? -((z(x, north) - z(x, south)) / (north - south)) : 0;
  const double tangent = std::sqrt(gx * gx + gy * gy);
  if (!(tangent > 0)) return {};
  return {math::degrees(math::atan(tangent)), gx / tangent, gy / tangent};
}

/// A candidate as it is drawn.
struct Candidate {
  size_t species;
  uint64_t key;
  Crown crown;
  double x, y, height;
};

class Scattering {
 public:
  Scattering(const Terrain& land, const Terrain* mask, const ScatterParams& params)
      : land_(land), mask_(mask), params_(params) {}

  void draw(size_t s) {
    const Frame& f = land_.frame();
    counts_ = counts_of(s);
    const double scale = params_.clump_size.in(f);
    groves_.emplace(patches(scale, stream(s).bits(0, 100)));
    stands_.emplace(patches(3 * scale, stream(s).bits(0, 101)));
    for (auto sy = static_cast<int64_t>(std::floor(f.y(0) / 8)); 8 * sy <= f.y(f.height - 1); ++sy)
      for (auto sx = static_cast<int64_t>(std::floor(f.x(0) / 8)); 8 * sx <= f.x(f.width - 1); ++sx) {
        const uint64_t square = mix_bits(mix_bits(static_cast<uint64_t>(sx)) + static_cast<uint64_t>(sy));
        const double most = count(1 + params_.clumps);
        double turn = 0;
        for (uint64_t j = 0; turn < most; ++j) {
          turn += -math::log(1 - first_half(stream(s).bits(square + j, 1)));
          consider(s, sx, sy, square + j, turn);
        }
      }
  }

  std::vector<ScatteredPoint> points() const {
    std::vector<Crown> crowns;
    for (const Candidate& c : all_) crowns.push_back(c.crown);
    const std::vector<bool> kept = reference::crown_room(crowns, params_.spacing, 5);
    std::vector<ScatteredPoint> out;
    for (size_t i = 0; i < all_.size(); ++i)
      if (kept[i]) out.push_back(point(all_[i]));
    return out;
  }

 private:
  SpeciesHabit habit(size_t s) const { return habit_of(params_.species[s]); }
  Stream stream(size_t s) const {
    uint64_t before = 0;
    for (size_t i = 0; i < s; ++i) before += params_.species[i].species == params_.species[s].species ? 1 : 0;
    const std::string& name = params_.species[s].species;
    return Stream(params_.seed.stream("scatter").bits(hash_bytes(name.data(), name.size()).low, before));
  }

  /// Candidates of a square that come forward for a share: a table with linear steps of 1/128.
  double count(double share) const {
    const double at = std::min(share, 2.0) * 128, low = std::min(std::floor(at), 255.0);
    return blend(counts_[static_cast<size_t>(low)], counts_[static_cast<size_t>(low) + 1], at - low);
  }
  /// So many candidates a square metre, of 96 sizes, the largest first: how many stay.
  double that_stay(size_t s, double candidates) const {
    const SpeciesHabit h = habit(s);
    std::vector<double> radii;
    for (int i = 0; i < 32; ++i)
      for (const double spread : {0.9, 1.0, 1.1})
        radii.push_back(params_.spacing * h.crown * spread *
                        blend(h.height.low, h.height.high, math::pow((i + 0.5) / 32, h.skew)));
    std::sort(radii.rbegin(), radii.rend());
    double count = 0, outline = 0, covered = 0;
    for (const double r : radii) {
      if (covered > 0.95) break;
      const double disc = math::pi * r * r, free = 1 - covered;
      const double work = -math::log(free) + r * outline / free + disc * count / free +
                          disc * outline * outline / (4 * math::pi * free * free);
      const double come = candidates / 96 * math::exp(-work);
      const double stay = disc > 0 ? (1 - math::exp(-4 * disc * come)) / (4 * disc) : come;
      count += stay;
      outline += 2 * math::pi * r * stay;
      covered += disc * stay;
    }
    return count;
  }

  /// Candidates a square for shares of 0, 1/128, ... 2: more by little, until as many stay as asked for.
  std::vector<double> counts_of(size_t s) const {
    const SpeciesHabit h = habit(s);
    double squares = 0;
    for (int i = 0; i < 32; ++i) {
      const double height = blend(h.height.low, h.height.high, math::pow((i + 0.5) / 32, h.skew));
      for (const double spread : {0.9, 1.0, 1.1}) squares += math::pow(params_.spacing * h.crown * spread * height, 2);
    }
    squares /= 96;
    const double each = params_.density * h.density / 1e4 / 128;
    const double small = squares > 0 ? std::min(each, 0.002 / squares) : each;
    std::vector<double> counts{0};
    double candidates = 0, stay = 0, gain = 1;
    for (int i = 1; i <= 256; ++i) {
      while (each > 0 && stay < i * each && gain > 0.03) {
        const double more = that_stay(s, candidates + small / gain) - stay;
        candidates += small / gain;
        gain = more / (small / gain);
        stay += more;
      }
      counts.push_back(64 * (stay > i * each ? candidates - (stay - i * each) / gain : candidates));
    }
    return counts;
  }

  double share(size_t s, double x, double y) const {
    const double masked = mask_ == nullptr ? 1 : std::clamp(layer_at(*mask_, &mask_layer(*mask_), x, y), 0.0, 1.0);
    const std::string_view name = habit(s).layer;
    const auto part = [&](const Layer* layer) {
      return layer == nullptr ? 0 : std::clamp(layer_at(land_, layer, x, y) / (layer->unit == "m" ? 0.5 : 1), 0.0, 1.0);
    };
    if (name == everywhere_layer) return masked;
    if (name != debris_layer) return masked * part(land_.find(name));
    const double slope = fall_at(land_, x, y).degrees;
    const Layer *talus = land_.find("talus"), *sediment = land_.find("sediment");
    if (talus == nullptr && sediment == nullptr)
      return masked * (0.1 * math::smoothstep(22, 32, slope) * (1 - math::smoothstep(36, 44, slope)));
    return masked * std::max(part(talus), part(sediment) * math::smoothstep(8, 25, slope));
  }

  static Noise patches(double scale, uint64_t key) {
    return Noise({.kind = NoiseKind::simplex, .scale = scale, .octaves = 2, .key = key});
  }
  double patch(const Noise& noise, double x, double y) const {
    float value = 0;
    if (params_.clumps > 0) noise.points({&x, 1}, {&y, 1}, {&value, 1});
    return math::smoothstep(-0.35, 0.35, static_cast<double>(value));
  }

  void consider(size_t s, int64_t sx, int64_t sy, uint64_t key, double turn) {
    const Stream draws = stream(s);
    const SpeciesHabit h = habit(s);
    const Frame& f = land_.frame();
    const uint64_t place = draws.bits(key, 0), rank = draws.bits(key, 1), form = draws.bits(key, 2);
    Candidate c{s, key, {}, 0, 0, 0};
    c.crown.x = 800 * sx + static_cast<int64_t>(std::floor(800 * first_half(place)));
    c.crown.y = 800 * sy + static_cast<int64_t>(std::floor(800 * second_half(place)));
    c.x = static_cast<double>(c.crown.x) / 100;
    c.y = static_cast<double>(c.crown.y) / 100;
    if (c.x < f.x(0) || c.x > f.x(f.width - 1) || c.y < f.y(0) || c.y > f.y(f.height - 1)) return;
    const double here = share(s, c.x, c.y);
    if (!(here > 0)) return;
    const double grove = patch(*groves_, c.x, c.y);
    const double clumped = here * (1 - params_.clumps + params_.clumps * 2 * grove);
    if (!(turn < count(clumped))) return;
    const auto layer = [&](const char* name) { return layer_at(land_, land_.find(name), c.x, c.y); };
    if (layer("water") > 0 || layer("ice") > 0) return;
    if (params_.sea_level && layer("height") <= *params_.sea_level) return;
    if (fall_at(land_, c.x, c.y).degrees > h.steepest * (1 - 0.15 * second_half(form))) return;
    const double weight = params_.clumps * 0.5;
    const double quantile = (1 - weight) * second_half(rank) + weight * patch(*stands_, c.x, c.y);
    double quality = land_.find("soil") != nullptr ? math::smoothstep(0, 0.8, layer("soil")) : 1;
    if (land_.find("temperature_summer") != nullptr)
      quality = std::min(quality, math::smoothstep(6.5, 11.5, layer("temperature_summer")));
    const double shape = h.skew == 1 ? quantile : math::pow(quantile, h.skew);
    const double height = blend(h.height.low, h.height.high, shape) * (h.poor + (1 - h.poor) * quality);
    if (layer("snow") > params_.snow * height) return;
    const double crown = height * h.crown * (1 + 0.15 * (2 * first_half(form) - 1));
    c.height = std::max(1.0, std::round(height * 100)) / 100;
    c.crown.radius = std::max(1, static_cast<int>(std::round(crown * 100)));
    c.crown.chance = static_cast<uint32_t>(draws.bits(key, 3) >> 32);
    all_.push_back(c);
  }

  ScatteredPoint point(const Candidate& c) const {
    const auto tenths = [](double degrees) { return std::floor(degrees * 10 + 0.5) / 10; };
    const Stream draws = stream(c.species);
    const SpeciesHabit h = habit(c.species);
    const Fall fall = fall_at(land_, c.x, c.y);
    const double around = 2 * math::pi * draws.uniform(c.key, 4), sway = h.sway * draws.uniform(c.key, 5);
    const double east = h.lean * fall.degrees * fall.east + sway * math::sin(around);
    const double north = h.lean * fall.degrees * fall.north + sway * math::cos(around);
    double turn = math::degrees(east == 0 && north == 0 ? around : math::atan2(east, north));
    turn = tenths(turn < 0 ? turn + 360 : turn);
    const double foot = layer_at(land_, land_.find("height"), c.x, c.y) - layer_at(land_, land_.find("snow"), c.x, c.y);
    return {{c.x, c.y, std::floor(foot * 100 + 0.5) / 100},
            params_.species[c.species].species,
            c.height,
            static_cast<double>(c.crown.radius) / 100,
            turn >= 360 ? 0 : turn,
            tenths(std::min(std::sqrt(east * east + north * north), 90.0)),
            std::floor(draws.uniform(c.key, 6) * params_.species[c.species].forms)};
  }

  const Terrain& land_;
  const Terrain* mask_;
  const ScatterParams& params_;
  std::vector<double> counts_;            ///< of the species that is drawn, for shares in steps of 1/128
  std::optional<Noise> groves_, stands_;  ///< of the same
  std::vector<Candidate> all_;
};

}  // namespace

std::vector<ScatteredPoint> scatter(const Terrain& land, const Terrain* mask, const ScatterParams& params) {
  Scattering scattering(land, mask, params);
  for (size_t s = 0; s < params.species.size(); ++s) scattering.draw(s);
  return scattering.points();
}

}  // namespace tepui::reference
