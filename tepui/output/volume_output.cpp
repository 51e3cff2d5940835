#include <fmt/format.h>

#include <set>

#include "tepui/io/mesh_export.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/space_samples.h"
#include "tepui/render/ground/kept_paint.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/volume.h"

namespace tepui {

namespace {

Interval volume_heights(const Value& value, const Context&) {
  const Box3 box = get<Volume>(value).support();
  return box.empty() ? Interval{} : Interval{box.low.z, box.high.z};
}

Drawing draw_volume(const Value& value, const FigureParams& params, const Setting&, const Context& context) {
  return draw_figure(get<Volume>(value), params, context);
}

PolygonizeParams polygonize_params(const ExportRequest& request) {
  PolygonizeParams params;
  if (request.options.cell) params.cell = metres(*request.options.cell);
  return params;
}

void check_volume(const Value& value, const ExportRequest& request) {
  const Volume& volume = get<Volume>(value);
  if (is_sampled(request.path)) {
    grid_of(request.options, volume.support());
    return;
  }
  check_mesh_request(request);
  polygonize_lattice(volume, polygonize_params(request));
}

/// A file of triangles holds the mesh of the volume.
std::optional<WritingStep> mesh_first(const ExportRequest& request) {
  if (is_sampled(request.path)) return std::nullopt;
  WritingStep step{"polygonize", {}};
  if (request.options.cell) step.params.push_back(fmt::format("cell={}", *request.options.cell));
  return step;
}

std::vector<FileRecord> write_volume(const Value& value, const ExportRequest& request, const Setting&,
                                     const Context& context) {
  const Volume& volume = get<Volume>(value);
  const SampleGrid grid = grid_of(request.options, volume.support());
  const FileTarget to = request.target(request.path);
  if (request.options.sample == SampledQuantity::resistance)
    return write_rock_samples(to, volume.rock(), grid, context);
  const Context task = context.told_to(nullptr);
  return write_samples(
      to, grid, SampledQuantity::field, [&](int64_t z, float* out) { sample_field(volume, grid, z, out, task); },
      context);
}

std::optional<Geology> its_rock(const Value& value) {
  const Geology& rock = get<Volume>(value).rock();
  return rock.hash() != Geology().hash() ? std::optional(rock) : std::nullopt;
}

Mesh surface_of(const Value& value, int64_t cells, const Setting& around, SurfaceMemory& memory,
                const Context& context) {
  const Volume& volume = get<Volume>(value);
  PolygonizeParams params;
  params.cell = percent(100.0 / static_cast<double>(cells));
  int64_t made = 0;
  // Tiles count their versions from those before them.
  if (memory.tiles == nullptr) memory.paint.reset();
  const Mesh mesh = polygonize_again(volume, nullptr, params, memory.tiles, made, context.stage("surface", 0, 0.6));
  const std::optional<Terrain> land = volume.land();
  const SkinParams skin = around.look ? SkinParams(*around.look) : SkinParams();
  return painted_again(mesh, parts_of(*memory.tiles), {skin, around.sea_level, land ? &*land : nullptr}, memory.paint,
                       context.stage("colours", 0.6, 1));
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

OrderedJson made_on(const Volume& volume) {
  OrderedJson list = OrderedJson::array();
  for (const Made& made : volume.made()) {
    OrderedJson entry{{"by", made.by}};
    for (const Made::Number& number : made.numbers) entry[number.name] = number.value;
    list.push_back(std::move(entry));
  }
  return list;
}

OrderedJson describe(const Value& value, const Context&) {
  const Volume& volume = get<Volume>(value);
  const Box3 box = volume.support();
  const TreeCount count = count_tree(volume.share());
  return {{"kind", "volume"},
          {"threshold", volume.threshold()},
          {"bounds", box.empty() ? OrderedJson() : OrderedJson{{"min", corner(box.low)}, {"max", corner(box.high)}}},
          {"nodes", count.nodes},
          {"primitives", count.primitives},
          {"made", made_on(volume)},
          {"bytes", volume.bytes()},
          {"rock", volume.rock().hash() != Geology().hash()},
          {"hash", volume.hash().text()}};
}

std::string text_of(const Value& value, const Context&) {
  const Volume& volume = get<Volume>(value);
  const Box3 box = volume.support();
  if (box.empty()) return "an empty volume\n";
  std::string text =
      fmt::format("a volume of {:.6g} x {:.6g} x {:.6g} m, heights {:.6g} to {:.6g} m\n", box.high.x - box.low.x,
                  box.high.y - box.low.y, box.high.z - box.low.z, box.low.z, box.high.z);
  for (const Made& made : volume.made()) {
    text += "  " + made.by;
    for (const Made::Number& number : made.numbers)
      text += fmt::format("{} {:.6g} {}", &number == made.numbers.data() ? ":" : ",", number.value, number.name);
    text += '\n';
  }
  return text;
}

}  // namespace

OutputKind volume_output() {
  return {.kind = &kind_of<Volume>(),
          .figures = {"section", "turntable"},
          .walked_through = true,
          .stood_upon = true,
          .example = "circular_faults | materials | gradation | implicitize",
          .heights = volume_heights,
          .picture =
              [](const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
                return draw_picture(get<Volume>(value), params, around.sea_level, context, around.its_way(),
                                    around.scatter);
              },
          .draw = draw_volume,
          .as_volume = [](const Value& value) -> const Volume& { return get<Volume>(value); },
          .surface = surface_of,
          .rock = its_rock,
          .covered = [](const Value& value) { return get<Volume>(value).land(); },
          .before = mesh_first,
          .check = check_volume,
          .write = write_volume,
          .info = info_text<describe>,
          .text = text_of};
}

}  // namespace tepui
