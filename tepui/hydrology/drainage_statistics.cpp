#include "tepui/hydrology/drainage_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tepui/core/math.h"
#include "tepui/hydrology/river_network.h"

namespace tepui {

namespace {

constexpr int slope_samples = 8;
constexpr int axis_samples = 12;
constexpr double reference_concavity = 0.45;

/// A straight line through points, each with a weight.
struct Fit {
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  int points = 0;

  void add(double px, double py, double weight) {
    weights += weight, x += weight * px, y += weight * py, xx += weight * px * px, xy += weight * px * py;
    ++points;
  }
  double slope() const { return (weights * xy - x * y) / (weights * xx - x * x); }
  double at_zero() const { return (y - slope() * x) / weights; }
};

/// Means in bins of a tenth of a power of ten.
class LogBins {
 public:
  void add(double x, double y) {
    const double lx = math::log10(x);
    Sum& sum = bins_[static_cast<int>(std::floor(lx * 10))];
    sum.x += lx, sum.y += math::log10(y), ++sum.count;
  }
  struct Sum {
    double x = 0, y = 0;
    int64_t count = 0;
  };
  const std::map<int, Sum>& bins() const { return bins_; }

  /// Through bins with enough samples, of which there must be three.
  std::optional<Fit> fit() const {
    Fit line;
    for (const auto& [key, sum] : bins_) {
      const auto n = static_cast<double>(sum.count);
      if (sum.count >= 10) line.add(sum.x / n, sum.y / n, 1);
    }
    return line.points >= 3 ? std::optional(line) : std::nullopt;
  }

 private:
  std::map<int, Sum> bins_;
};

/// The channels of a land with what is measured along them.
class Channels {
 public:
  Channels(const Terrain& land, std::optional<double> source, std::optional<double> sea_level, const Context& context)
      : streams(land, source, sea_level, context),
        cell_area(land.frame().cell.x * land.frame().cell.y),
        d8(land.frame().width, land.frame().cell) {}

  double area(int64_t i) const { return streams.cells().data()[i] * cell_area; }
  double step(int64_t i) const { return d8.distance[streams.water().directions.data()[i]]; }

  /// Over the next samples downstream; none where the channel ends before.
  std::optional<double> slope(int64_t i) const {
    double distance = 0;
    int64_t end = i;
    for (int k = 0; k < slope_samples; ++k) {
      const int64_t to = streams.order().receiver(end);
      if (to < 0 || !streams.is_channel(to)) return std::nullopt;
      distance += step(end);
      end = to;
    }
    const double fall = static_cast<double>(streams.water().filled(i)) - streams.water().filled(end);
    return fall > 0 ? std::optional(fall / distance) : std::nullopt;
  }

  Streams streams;
  double cell_area;
  D8 d8;
};

LogBins slopes_by_area(const Channels& channels) {
  LogBins bins;
  for (int64_t i = 0; i < channels.streams.cells().size(); ++i)
    if (channels.streams.is_channel(i))
      if (const std::optional<double> slope = channels.slope(i)) bins.add(channels.area(i), *slope);
  return bins;
}

std::optional<double> median_steepness(const Channels& channels) {
  std::vector<double> values;
  for (int64_t i = 0; i < channels.streams.cells().size(); ++i)
    if (channels.streams.is_channel(i))
      if (const std::optional<double> slope = channels.slope(i))
        values.push_back(*slope * math::pow(channels.area(i), reference_concavity));
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<double> hack_exponent(const Channels& channels, const Context& context) {
  const Grid<int32_t>& cells = channels.streams.cells();
  Grid<double> longest(cells.width(), cells.height(), 0.0);
  channels.streams.order().downstream(context, [&](int64_t cell, int64_t to) {
    longest.data()[to] = std::max(longest.data()[to], longest.data()[cell] + channels.step(cell));
  });
  LogBins bins;
  for (int64_t i = 0; i < cells.size(); ++i)
    if (channels.streams.is_channel(i) && longest.data()[i] > 0) bins.add(channels.area(i), longest.data()[i]);
  const std::optional<Fit> line = bins.fit();
  return line ? std::optional(line->slope()) : std::nullopt;
}

std::optional<double> axis_share(const Channels& channels) {
  int64_t along = 0, all = 0;
  const int64_t w = channels.streams.cells().width();
  for (int64_t i = 0; i < channels.streams.cells().size(); ++i) {
    if (!channels.streams.is_channel(i)) continue;
    int64_t end = i;
    for (int k = 0; k < axis_samples && end >= 0; ++k) end = channels.streams.order().receiver(end);
    if (end < 0) continue;
    const double angle =
        math::degrees(math::atan2(static_cast<double>(end / w - i / w), static_cast<double>(end % w - i % w)));
    const double off = std::abs(angle - 45 * std::round(angle / 45));
    along += off <= 4.5, ++all;
  }
  return all > 0 ? std::optional(static_cast<double>(along) / static_cast<double>(all)) : std::nullopt;
}

/// Kilometres of channel for each square kilometre.
double density(const Channels& channels) {
  double length = 0;
  for (int64_t i = 0; i < channels.streams.cells().size(); ++i)
    if (channels.streams.is_channel(i) && channels.streams.order().receiver(i) >= 0) length += channels.step(i);
  return length / (static_cast<double>(channels.streams.cells().size()) * channels.cell_area) * 1000;
}

}  // namespace

SlopeArea slope_area(const Terrain& land, std::optional<double> source, std::optional<double> sea_level,
                     const Context& context) {
  const LogBins bins = slopes_by_area(Channels(land, source, sea_level, context));
  SlopeArea result;
  for (const auto& [key, sum] : bins.bins()) {
    const auto n = static_cast<double>(sum.count);
    result.bins.push_back({math::pow(10, sum.x / n), math::pow(10, sum.y / n), sum.count});
  }
  if (const std::optional<Fit> line = bins.fit()) {
    result.concavity = -line->slope();
    result.steepness = math::pow(10, line->at_zero());
  }
  return result;
}

std::vector<RiverProfile> river_profiles(const Terrain& land, int count, std::optional<double> source,
                                         std::optional<double> sea_level, const Context& context) {
  const Channels channels(land, source, sea_level, context.stage("streams", 0, 0.8));
  const std::vector<RiverReach> reaches = river_network(channels.streams, context.stage("network", 0.8, 1));
  std::vector<RiverProfile> profiles(static_cast<size_t>(std::max(count, 0)));
  // Reaches are listed upstream before downstream; a profile goes up. Only rivers that reach a mouth have one.
  std::vector<int32_t> mouths;
  for (size_t r = 0; r < reaches.size(); ++r)
    if (reaches[r].below < 0) mouths.push_back(reaches[r].river);
  std::sort(mouths.begin(), mouths.end());
  mouths.resize(std::min(mouths.size(), profiles.size()));
  profiles.resize(mouths.size());
  for (size_t r = reaches.size(); r-- > 0;) {
    const RiverReach& reach = reaches[r];
    const auto found = std::lower_bound(mouths.begin(), mouths.end(), reach.river);
    if (found == mouths.end() || *found != reach.river) continue;
    std::vector<RiverProfile::Point>& points = profiles[static_cast<size_t>(found - mouths.begin())].points;
    for (size_t k = reach.cells.size(); k-- > 0;) {
      const int32_t cell = reach.cells[k];
      RiverProfile::Point p{0, channels.streams.water().filled(cell), channels.area(cell), 0};
      if (!points.empty()) {
        if (k + 1 == reach.cells.size()) continue;
        const double step = channels.step(cell);
        const RiverProfile::Point& before = points.back();
        p.distance = before.distance + step;
        p.chi = before.chi + step * math::pow(1e6 / p.drainage, reference_concavity);
      }
      points.push_back(p);
    }
  }
  return profiles;
}

std::vector<LandNumber> drainage_statistics(const Terrain& land, std::optional<double> source,
                                            std::optional<double> sea_level, const Context& context) {
  if (land.height().empty()) return {};
  const Channels channels(land, source, sea_level, context.stage("streams", 0, 0.6));
  std::vector<LandNumber> numbers;
  const auto cells = static_cast<double>(channels.streams.cells().size());
  numbers.push_back(
      {"pits_per_thousand", 1000 * static_cast<double>(channels.streams.water().basins.count() - 1) / cells, ""});
  numbers.push_back({"drainage_density", density(channels), "km/km2"});
  const auto add = [&](const char* name, std::optional<double> value, const char* unit) {
    if (value && std::isfinite(*value)) numbers.push_back({name, *value, unit});
  };
  if (const std::optional<Fit> line = slopes_by_area(channels).fit()) add("concavity", -line->slope(), "");
  add("ksn", median_steepness(channels), "m^0.9");
  add("hack_exponent", hack_exponent(channels, context.stage("lengths", 0.6, 1)), "");
  add("axis_share", axis_share(channels), "");
  return numbers;
}

}  // namespace tepui
