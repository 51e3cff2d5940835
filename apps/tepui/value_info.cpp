// What is told of a value: by info in full, by make shortly.
#include "apps/tepui/value_info.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "tepui/core/number.h"
#include "tepui/io/export.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/mesh/checks.h"
#include "tepui/terrain/statistics.h"
#include "tepui/volume/primitive.h"

namespace tepui::app {

namespace {

/// As a file would be told.
Ordered describe(const Terrain& land, const Context& context) {
  const LayerStatistics s = statistics(main_layer(land).grid(), context);
  Ordered layers = Ordered::array(), details = Ordered::array();
  for (const Layer& layer : land.layers()) {
    layers.push_back(layer.name);
    const LayerStatistics l = statistics(layer.grid(), context);
    details.push_back({{"name", layer.name},
                       {"kind", layer_kind_name(layer.kind)},
                       {"unit", layer.unit},
                       {"min", l.min},
                       {"max", l.max},
                       {"mean", l.mean}});
  }
  const Frame& frame = land.frame();
  Ordered crs;
  if (frame.geo && !frame.geo->crs.empty()) {
    RasterPlace place;
    place.crs = frame.geo->crs;
    crs = crs_name("the land", place);
  }
  return {{"kind", "terrain"},
          {"width", frame.width},
          {"height", frame.height},
          {"cell", {frame.cell.x, frame.cell.y}},
          {"min", s.min},
          {"max", s.max},
          {"mean", s.mean},
          {"nodata_cells", void_cells(land)},
          {"crs", crs},
          {"registration", "point"},
          {"relief", {land.relief().base, land.relief().top}},
          {"layers", layers},
          {"details", details}};
}

Ordered describe(const Geology& rock, const Context&) {
  Ordered rocks = Ordered::array();
  for (const NamedRock& named : rock.root().names())
    // 0.3, not 0.30000001192092896.
    rocks.push_back(
        {{"name", named.name}, {"resistance", parse_number(fmt::format("{}", named.resistance)).value_or(0)}});
  const Interval levels = rock.root().levels();
  return {{"kind", "geology"},
          {"rocks", rocks},
          {"levels", levels.low < levels.high ? Ordered{levels.low, levels.high} : Ordered()},
          {"bytes", rock.bytes()}};
}

Ordered corner(Vec3 p) { return {p.x, p.y, p.z}; }

Ordered describe(const Lines& lines, const Context&) {
  const LinesExtent extent = extent_of(lines);
  Ordered attributes = Ordered::array();
  for (const AttributeRange& a : attribute_ranges(lines))
    attributes.push_back({{"name", a.name}, {"unit", a.unit}, {"min", a.low}, {"max", a.high}});
  return {{"kind", "lines"},
          {"lines", lines.features()},
          {"points", extent.points},
          {"length", extent.length},
          {"bounds", {{"min", corner(extent.low)}, {"max", corner(extent.high)}}},
          {"attributes", attributes}};
}

struct TreeCount {
  int64_t nodes = 0, primitives = 0;
};

/// Of the tree; a node that is shared counts once.
TreeCount count_tree(const SolidPointer& root) {
  TreeCount count;
  std::set<const Solid*> seen;
  std::vector<SolidPointer> rest{root};
  while (!rest.empty()) {
    const SolidPointer node = std::move(rest.back());
    rest.pop_back();
    if (!seen.insert(node.get()).second) continue;
    ++count.nodes;
    count.primitives += primitives_in(*node);
    for (SolidPointer& child : node->children()) rest.push_back(std::move(child));
  }
  return count;
}

Ordered describe(const Volume& volume, const Context&) {
  const Box3 box = volume.support();
  const TreeCount count = count_tree(volume.share());
  return {{"kind", "volume"},
          {"threshold", volume.threshold()},
          {"bounds", box.empty() ? Ordered() : Ordered{{"min", corner(box.low)}, {"max", corner(box.high)}}},
          {"nodes", count.nodes},
          {"primitives", count.primitives},
          {"bytes", volume.bytes()},
          {"rock", volume.rock().hash() != Geology().hash()},
          {"hash", volume.hash().text()}};
}

Ordered describe(const Mesh& mesh, const Context& context) {
  const MeshChecks c = check_mesh(mesh, context);
  Ordered attributes = Ordered::array();
  for (const MeshAttributeRange& a : attribute_ranges(mesh))
    attributes.push_back({{"name", a.name}, {"unit", a.unit}, {"min", a.low}, {"max", a.high}});
  const auto [low, high] = mesh.world_bounds();
  return {{"kind", "mesh"},
          {"vertices", c.vertices},
          {"triangles", c.triangles},
          {"components", c.components},
          {"boundary_edges", c.boundary_edges},
          {"nonmanifold_edges", c.nonmanifold_edges},
          {"misoriented_edges", c.misoriented_edges},
          {"degenerate_triangles", c.degenerate_triangles},
          {"genus", c.genus ? Ordered(*c.genus) : Ordered()},
          {"volume", c.volume ? Ordered(*c.volume) : Ordered()},
          {"area", c.area},
          {"bounds", {{"min", corner(low)}, {"max", corner(high)}}},
          {"attributes", attributes},
          {"bytes", mesh.bytes()}};
}

std::string text_of(const Terrain& land, const Context& context) {
  std::string text = frame_text(land.frame()) + "\n";
  for (const Layer& layer : land.layers()) {
    const LayerStatistics s = statistics(layer.grid(), context);
    text += fmt::format("  {:<10} {:>9.3f} to {:.3f} {}, mean {:.3f}\n", layer.name, s.min, s.max, layer.unit, s.mean);
  }
  return text;
}

std::string text_of(const Geology& rock, const Context&) {
  const Interval levels = rock.root().levels();
  std::string text = "rock";
  if (levels.low < levels.high) text += fmt::format(", {:.6g} to {:.6g} m", levels.low, levels.high);
  text += "\n";
  for (const NamedRock& named : rock.root().names())
    text += fmt::format("  {:<16} resistance {:.3g}\n", named.name, named.resistance);
  return text;
}

std::string text_of(const Lines& lines, const Context&) {
  const LinesExtent extent = extent_of(lines);
  return fmt::format("{} lines, {} points, {:.6g} m long together, heights {:.6g} to {:.6g} m\n", lines.features(),
                     extent.points, extent.length, extent.low.z, extent.high.z);
}

std::string text_of(const Volume& volume, const Context&) {
  const Box3 box = volume.support();
  if (box.empty()) return "a volume of nothing\n";
  return fmt::format("a volume of {:.6g} x {:.6g} x {:.6g} m, heights {:.6g} to {:.6g} m\n", box.high.x - box.low.x,
                     box.high.y - box.low.y, box.high.z - box.low.z, box.low.z, box.high.z);
}

std::string text_of(const Mesh& mesh, const Context&) {
  const auto [low, high] = mesh.world_bounds();
  return fmt::format("a mesh of {} triangles and {} vertices, heights {:.6g} to {:.6g} m\n", mesh.triangles().size(),
                     mesh.positions().size(), low.z, high.z);
}

}  // namespace

Ordered describe_value(const Value& value, const Context& context) {
  return std::visit([&](const auto& v) { return describe(v, context); }, value);
}

std::string value_text(const Value& value, const Context& context) {
  return std::visit([&](const auto& v) { return text_of(v, context); }, value);
}

}  // namespace tepui::app
