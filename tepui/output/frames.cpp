#include "tepui/output/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/figure_json.h"
#include "tepui/recipe/stages.h"

namespace tepui {

namespace {

/// How many digits after the point it takes to tell the number.
int decimals_of(double number) {
  constexpr int most = 15;
  int count = 0;
  while (count < most && parse_number(fmt::format("{:.{}f}", number, count)) != number) ++count;
  return count;
}

}  // namespace

Timelapse timelapse_from_json(const Json& render, const std::string& name, const Recipe& recipe,
                              const Reference& node) {
  try {
    check_figure_name(name, "timelapse");
  } catch (const Error& error) {
    throw error.at(render.at.place());
  }
  if (!render.is_object())
    refuse_at(render.at, fmt::format("\"render\" must be an object, not {}", render.type_name()));
  auto [lapse, picture] = params_of_both<TimelapseParams, PictureParams>(render, "\"render\"", recipe.look_text);
  Timelapse timelapse{lapse, picture, {}, {}};
  for (const int stage : require_stages(recipe, node)) {
    timelapse.frames.push_back({stage, node.layer, node.at});
    timelapse.captions.push_back(age_text(recipe, stage));
  }
  if (timelapse.frames.size() < 2)
    refuse_at(node.at, fmt::format("a time-lapse needs at least two stages, but '{}' has one",
                                   recipe.nodes[static_cast<size_t>(node.node)].name));
  return timelapse;
}

std::string frame_name(const std::string& pattern, const std::vector<double>& ages, size_t stage) {
  constexpr std::string_view place = "{age}";
  int decimals = 0;
  for (const double age : ages) decimals = std::max(decimals, decimals_of(age));
  const size_t width = fmt::format("{:.{}f}", std::ranges::max(ages), decimals).size();
  const std::string age = fmt::format("{:0{}.{}f}", ages[stage], width, decimals);
  std::string name = pattern;
  if (name.find(place) == std::string::npos)
    name.insert(name.size() - file_ending(name).size(), fmt::format("_{}", place));
  for (size_t at = name.find(place); at != std::string::npos; at = name.find(place, at + age.size()))
    name.replace(at, place.size(), age);
  return name;
}

std::vector<Output> frame_outputs(const Output& pattern, const Recipe& recipe) {
  const std::vector<int>& stages = require_stages(recipe, pattern.from);
  std::vector<double> ages;
  for (const int stage : stages) ages.push_back(recipe.nodes[static_cast<size_t>(stage)].age);
  std::vector<Output> outputs;
  for (size_t i = 0; i < stages.size(); ++i) {
    Output output = pattern;
    output.pattern = pattern.name;
    output.name = frame_name(pattern.name, ages, i);
    output.from.node = stages[i];
    if (output.is_shown())
      for (const int stage : {stages.front(), stages.back()})
        output.view.push_back({stage, output.from.layer, output.at});
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace tepui
