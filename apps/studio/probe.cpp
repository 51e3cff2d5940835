#include "apps/studio/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tepui/core/colour_map.h"
#include "tepui/core/error.h"
#include "tepui/geology/geology_from_materials.h"
#include "tepui/output/output_kind.h"
#include "tepui/volume/volume.h"

namespace tepui::studio {

namespace {

/// The land that a value is, if it has heights.
const Terrain* high_land(const Value& value) {
  if (value.empty()) return nullptr;
  const auto as_land = output_kind(value).as_land;
  const Terrain* land = as_land != nullptr ? &as_land(value) : nullptr;
  return land != nullptr && land->find("height") != nullptr && land->frame().width > 0 ? land : nullptr;
}

const Terrain& require_land(const Snapshot& shown) {
  const Terrain* land = high_land(shown.value);
  if (land == nullptr) refuse(fmt::format("'{}' is no land with heights", shown.node), "show a node that is");
  return *land;
}

/// Between samples, classes from the nearest; places outside are those of the border.
double at_place(const Frame& frame, const Layer& layer, Vec2 place) {
  const auto clamped = [](double v, int64_t samples) { return std::clamp(v, 0.0, static_cast<double>(samples - 1)); };
  const double u = clamped((place.x - frame.x(0)) / frame.cell.x, frame.width);
  const double v = clamped((place.y - frame.y(0)) / frame.cell.y, frame.height);
  const Grid<float>& grid = layer.grid();
  const auto value = [&](int64_t x, int64_t y) {
    return static_cast<double>(grid(std::min(x, frame.width - 1), std::min(y, frame.height - 1)));
  };
  if (layer.kind == LayerKind::category)
    return value(static_cast<int64_t>(std::lround(u)), static_cast<int64_t>(std::lround(v)));
  const auto x = static_cast<int64_t>(u), y = static_cast<int64_t>(v);
  const double s = u - static_cast<double>(x), t = v - static_cast<double>(y);
  return (1 - t) * ((1 - s) * value(x, y) + s * value(x + 1, y)) +
         t * ((1 - s) * value(x, y + 1) + s * value(x + 1, y + 1));
}

double height_at(const Terrain& land, Vec2 place) { return at_place(land.frame(), land.layer("height"), place); }

/// The nodes of land that lead to one, by their first ports, the first one first.
std::vector<int> way_to(const Graph& graph, int node) {
  std::vector<int> way;
  while (node >= 0 && std::ranges::find(way, node) == way.end()) {
    if (output_kind(*graph.node(node).op->output).as_land != nullptr) way.push_back(node);
    const auto& inputs = graph.node(node).inputs;
    node = inputs.empty() || inputs.front().empty() ? -1 : inputs.front().front().node;
  }
  std::ranges::reverse(way);
  return way;
}

/// The nearest node on the way to this one, itself included, whose value tells of rock; -1 where there is none.
int rock_node(const Graph& graph, int node) {
  std::vector<int> next{node};
  std::set<int> seen;
  for (size_t i = 0; i < next.size(); ++i) {
    if (!seen.insert(next[i]).second) continue;
    if (output_kind(*graph.node(next[i]).op->output).rock != nullptr) return next[i];
    for (const auto& port : graph.node(next[i]).inputs)
      for (const Reference& from : port) next.push_back(from.node);
  }
  return -1;
}

/// Rock along a section, in runs from above.
class Columns {
 public:
  explicit Columns(const Geology& rock) : rock_(rock), names_(rock.root().names()) {}

  /// [[top, bottom, rock], ...] at a place; of a volume, where it has rock.
  Ordered at(Vec2 place, double top, double bottom, const Volume* volume, const Context& context) {
    const size_t steps = volume != nullptr ? 320 : 96;
    std::vector<double> x(steps, place.x), y(steps, place.y), z(steps);
    const double thick = (top - bottom) / static_cast<double>(steps);
    for (size_t i = 0; i < steps; ++i) z[i] = top - (static_cast<double>(i) + 0.5) * thick;
    const RockPoints points{x.data(), y.data(), z.data(), static_cast<int64_t>(steps)};
    std::vector<int32_t> which(steps, -1);
    std::vector<float> resistance(steps);
    std::vector<uint8_t> is_rock(steps, 1);
    rock_.root().rocks(points, which.data());
    rock_.resistance(points, resistance.data());
    if (volume != nullptr) volume->inside(x, y, z, is_rock, context);
    Ordered runs = Ordered::array();
    const size_t none = SIZE_MAX;
    size_t last = none;
    for (size_t i = 0; i < steps; ++i) {
      if (is_rock[i] == 0) {
        last = none;
        continue;
      }
      const size_t rock = number_of(which[i], resistance[i]);
      const double from = top - static_cast<double>(i) * thick, to = top - static_cast<double>(i + 1) * thick;
      if (last == rock)
        runs.back()[1] = to;
      else
        runs.push_back({from, to, rock});
      last = rock;
    }
    return runs;
  }

  Ordered rocks() const { return rocks_; }

 private:
  /// In the list of rocks: by name, or else by a tenth of resistance.
  size_t number_of(int32_t which, float resistance) {
    const bool named = which >= 0 && static_cast<size_t>(which) < names_.size();
    const int key = named ? which : -1 - static_cast<int>(std::lround(static_cast<double>(resistance) * 10));
    const auto [found, is_new] = numbers_.try_emplace(key, rocks_.size());
    if (is_new) {
      const double shown = named ? static_cast<double>(names_[static_cast<size_t>(which)].resistance)
                                 : std::round(static_cast<double>(resistance) * 10) / 10;
      rocks_.push_back(
          {{"name", named ? names_[static_cast<size_t>(which)].name : fmt::format("resistance {:.1f}", shown)},
           {"colour", fmt::format("#{:06x}", rock_colour(shown))}});
    }
    return found->second;
  }

  const Geology& rock_;
  std::vector<NamedRock> names_;
  std::map<int, size_t> numbers_;
  Ordered rocks_ = Ordered::array();
};

/// So many places along a line, evenly, with how far each is.
std::vector<std::pair<Vec2, double>> along(const std::vector<Vec2>& line, int64_t samples) {
  std::vector<double> until{0};
  for (size_t i = 1; i < line.size(); ++i)
    until.push_back(until.back() + std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y));
  std::vector<std::pair<Vec2, double>> places;
  size_t leg = 0;
  for (int64_t i = 0; i < samples; ++i) {
    const double distance =
        until.back() * static_cast<double>(i) / static_cast<double>(std::max<int64_t>(samples - 1, 1));
    while (leg + 2 < line.size() && distance > until[leg + 1]) ++leg;
    const double length = until[leg + 1] - until[leg], t = length > 0 ? (distance - until[leg]) / length : 0;
    places.push_back(
        {{line[leg].x + t * (line[leg + 1].x - line[leg].x), line[leg].y + t * (line[leg + 1].y - line[leg].y)},
         distance});
  }
  return places;
}

}  // namespace

Ordered probe_point(const Snapshot& shown, Vec2 at, const Context& context) {
  const Terrain& land = require_land(shown);
  Ordered layers = Ordered::object();
  for (const Layer& layer : land.layers()) layers[layer.name] = at_place(land.frame(), layer, at);
  Ordered history = Ordered::array();
  const std::vector<int> way = way_to(*shown.quick, shown.quick->find_node(shown.node));
  const Evaluation evaluation = evaluate(*shown.quick, way, *shown.quick_cache, context);
  double before = 0;
  for (size_t i = 0; i < way.size(); ++i) {
    // The last is what is shown, which may be finer than the quick ones that lead to it.
    const Terrain* step = i + 1 == way.size() ? &land : high_land(evaluation.values[i]);
    if (step == nullptr) continue;
    const double height = height_at(*step, at);
    const Node& node = shown.quick->node(way[i]);
    history.push_back({{"node", node.name}, {"op", node.op->name}, {"height", height}, {"change", height - before}});
    before = height;
  }
  return {{"height", height_at(land, at)}, {"layers", layers}, {"history", history}};
}

namespace {

/// The rock beneath a land: that of a node on the way to it, or else what its materials tell.
std::optional<Geology> rock_beneath(const Snapshot& shown, const Terrain& land, const Context& context) {
  if (const int node = rock_node(*shown.plan, shown.plan->find_node(shown.node)); node >= 0)
    return rock_of(evaluate(*shown.plan, {node}, *shown.cache, context).values.front());
  if (land.find("material") == nullptr) return {};
  try {
    return geology_from_materials(land, {}, context);
  } catch (const Error& error) {
    // Materials that no longer follow the height.
    if (error.kind() != ErrorKind::request) throw;
    if (land.find("hardness") == nullptr) return {};
    return geology_from_materials(land, {.shape = RockShape::columns}, context);
  }
}

Ordered land_section(const Snapshot& shown, const std::vector<Vec2>& line, int64_t samples, const Context& context) {
  const Terrain& land = require_land(shown);
  const auto places = along(line, samples);
  Ordered distance = Ordered::array(), height = Ordered::array(), columns = Ordered::array(), water = Ordered::array();
  double low = land.relief().base;
  for (const auto& [place, far] : places) {
    const double ground = height_at(land, place);
    low = std::min(low, ground);
    distance.push_back(far);
    height.push_back(ground);
    std::optional<double> level = shown.plan->world.sea_level;
    if (const Layer* lake = land.find("water_level"))
      level = std::max(level.value_or(ground), at_place(land.frame(), *lake, place));
    water.push_back(level && *level > ground ? Ordered(*level) : Ordered());
  }
  Ordered rocks = Ordered::array();
  if (const std::optional<Geology> rock = rock_beneath(shown, land, context)) {
    Columns made(*rock);
    for (size_t i = 0; i < places.size(); ++i) {
      context.check();
      columns.push_back(made.at(places[i].first, height[i].get<double>(), low, nullptr, context));
    }
    rocks = made.rocks();
  }
  return {{"distance", distance}, {"height", height}, {"rocks", rocks}, {"columns", columns}, {"water", water}};
}

Ordered volume_section(const Snapshot& shown, const Volume& volume, const std::vector<Vec2>& line, int64_t samples,
                       const Context& context) {
  Ordered distance = Ordered::array(), height = Ordered::array(), columns = Ordered::array(), water = Ordered::array();
  const Box3 box = volume.support();
  const double low = volume.floor().value_or(box.low.z);
  Columns made(volume.rock());
  for (const auto& [place, far] : along(line, samples)) {
    context.check();
    const Ordered column = box.empty() ? Ordered::array() : made.at(place, box.high.z, low, &volume, context);
    const double ground = column.empty() ? low : column.front()[0].get<double>();
    const std::optional<double> sea = shown.plan->world.sea_level;
    distance.push_back(far);
    height.push_back(ground);
    columns.push_back(column);
    water.push_back(sea && *sea > ground ? Ordered(*sea) : Ordered());
  }
  return {{"distance", distance}, {"height", height}, {"rocks", made.rocks()},
          {"columns", columns},   {"water", water},   {"solid", true}};
}

}  // namespace

Ordered probe_section(const Snapshot& shown, const std::vector<Vec2>& line, int64_t samples, const Context& context) {
  const auto as_volume = shown.value.empty() ? nullptr : output_kind(shown.value).as_volume;
  return as_volume != nullptr ? volume_section(shown, as_volume(shown.value), line, samples, context)
                              : land_section(shown, line, samples, context);
}

}  // namespace tepui::studio
