#include <fmt/format.h>

#include "tepui/core/number.h"
#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/space_samples.h"

namespace tepui {

namespace {

Interval rock_heights(const Value& value, const Context&) { return get<Geology>(value).root().levels(); }

Drawing draw_rock(const Value& value, const FigureParams& params, const Setting& around, const Context& context) {
  return draw_figure(get<Geology>(value), around.world, params, context);
}

/// Over the world, between the heights that the rock tells.
SampleGrid rock_grid(const Geology& rock, const ExportRequest& request, const Frame& world) {
  Interval levels = rock.root().levels();
  if (!(levels.low < levels.high)) levels.high = levels.low + 0.15 * world.shorter_side();
  const Vec3 low{world.origin.x, world.origin.y, levels.low};
  return grid_of(request.options, {low, {low.x + world.size.x, low.y + world.size.y, levels.high}});
}

std::vector<FileRecord> write_rock(const Value& value, const ExportRequest& request, const Setting& around,
                                   const Context& context) {
  const Geology& rock = get<Geology>(value);
  return write_rock_samples(request.target(request.path), rock, rock_grid(rock, request, around.world), context);
}

OrderedJson describe(const Value& value, const Context&) {
  const Geology& rock = get<Geology>(value);
  OrderedJson rocks = OrderedJson::array();
  for (const NamedRock& named : rock.root().names())
    // 0.3, not 0.30000001192092896.
    rocks.push_back(
        {{"name", named.name}, {"resistance", parse_number(fmt::format("{}", named.resistance)).value_or(0)}});
  const Interval levels = rock.root().levels();
  return {{"kind", "geology"},
          {"rocks", rocks},
          {"levels", levels.low < levels.high ? OrderedJson{levels.low, levels.high} : OrderedJson()},
          {"bytes", rock.bytes()}};
}

std::string text_of(const Value& value, const Context&) {
  const Geology& rock = get<Geology>(value);
  const Interval levels = rock.root().levels();
  std::string text = "rock";
  if (levels.low < levels.high) text += fmt::format(", {:.6g} to {:.6g} m", levels.low, levels.high);
  text += "\n";
  for (const NamedRock& named : rock.root().names())
    text += fmt::format("  {:<16} resistance {:.3g}\n", named.name, named.resistance);
  return text;
}

}  // namespace

OutputKind rock_output() {
  return {.kind = &kind_of<Geology>(),
          .figures = {"section"},
          .takes_world = true,
          .example = "strata",
          .heights = rock_heights,
          .draw = draw_rock,
          .rock = [](const Value& value) { return std::optional(get<Geology>(value)); },
          .write = write_rock,
          .info = info_text<describe>,
          .text = text_of};
}

}  // namespace tepui
